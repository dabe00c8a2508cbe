/* SPDX-License-Identifier: GPL-2.0-or-later */
/* restore.c - releaseres --undo: takes back the release of instances of standing reservations */
#include "admin/admin.h"

#include <string.h>

#include "reservation/windows/windows.h"

/* The day of an instance; -1: there is no such instance. */
static int32_t day_of(const struct maui_rsv *rsv, int64_t number, int64_t now_s)
{
	int32_t day;

	if (!maui_rsv_recurs(rsv))
		return number == 0 ? 0 : -1;
	return maui_standing_find_window(rsv, now_s, number, &day) ? day : -1;
}

int maui_admin_restore(const struct maui_config *config, const char *name, int64_t now_s,
		       struct maui_release *ret, struct maui_query_error *error)
{
	*ret = (struct maui_release){ .kind = MAUI_RELEASE_UNDO, .type = "Standing", .name = name };
	for (size_t i = 0; config && i < config->rsv_count; i++) {
		const struct maui_rsv *rsv = &config->rsvs[i];
		int64_t number = maui_rsv_suffix(rsv, name, strlen(name));

		if (number == -2)
			continue;
		ret->sr = rsv;
		ret->day = number == -1 ? MAUI_RELEASE_ALL_DAYS : day_of(rsv, number, now_s);
	}
	if (ret->sr && (ret->day >= 0 || ret->day == MAUI_RELEASE_ALL_DAYS))
		return 0;
	return maui_query_fail(error, MAUI_QUERY_NOT_FOUND,
			       ret->sr ? "instance '%.64s' does not exist and is not planned" :
					 "no SRCFG line makes '%.64s': only a release of an "
					 "instance can be taken back",
			       name);
}

int maui_admin_nothing_released(const char *name, struct maui_query_error *error)
{
	return maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "'%.64s' is not released", name);
}
