/* SPDX-License-Identifier: GPL-2.0-or-later */
/* restore.c - what a releaseres --undo is about: periods of standing reservations */
#include "admin/admin.h"

#include <string.h>

#include "base/arena.h"
#include "reservation/windows/windows.h"

/* The day of the instance that has the number now; -1: there is none. */
static int32_t day_of(const struct maui_rsv *rsv, int64_t number, int64_t now_s)
{
	struct maui_arena arena = { 0 };
	struct maui_rsv_instance *list;
	uint32_t count;
	int32_t day = -1;

	if (maui_rsv_is_day(number))
		return (int32_t)number;
	if (!maui_rsv_recurs(rsv))
		return number == 0 ? 0 : -1;
	if (maui_standing_windows(rsv, now_s, &arena, &list, &count))
		count = 0;
	for (uint32_t i = 0; i < count; i++)
		if ((int64_t)list[i].ordinal == number)
			day = list[i].day;
	maui_arena_finish(&arena);
	return day;
}

int maui_admin_restore(const struct maui_rights *who, const struct maui_config *config,
		       const char *name, int64_t now_s, struct maui_release *ret,
		       struct maui_query_error *error)
{
	*ret = (struct maui_release){ .kind = MAUI_RELEASE_UNDO, .type = "Standing", .name = name };
	if (!who->admin)
		return maui_query_fail(error, MAUI_QUERY_DENIED,
				       "not permitted: administrators take back what was released");
	for (size_t i = 0; config && i < config->rsv_count; i++) {
		const struct maui_rsv *rsv = &config->rsvs[i];
		int64_t number = maui_rsv_suffix(rsv, name, strlen(name));

		if (number == -2 || (ret->sr && number != -1))
			continue;
		ret->sr = rsv;
		ret->day = number == -1 ? MAUI_RELEASE_ALL_DAYS : day_of(rsv, number, now_s);
		if (number == -1) /* its own name, before one that looks like an instance's */
			break;
	}
	if (ret->sr && (ret->day >= 0 || ret->day == MAUI_RELEASE_ALL_DAYS))
		return 0;
	return maui_query_fail(error, MAUI_QUERY_NOT_FOUND,
			       ret->sr ? "there is no instance '%.64s'" :
					 "no standing reservation '%.64s': only what maui.cfg has "
					 "is taken back",
			       name);
}

int maui_admin_nothing_released(const char *name, struct maui_query_error *error)
{
	return maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "nothing of '%.64s' is released", name);
}
