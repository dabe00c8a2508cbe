/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - keeps the reservations of a trial */

#include "admin/trial.h"

/* Copies of the names, as a later change may release the reservations before this one is answered.
 * NULL without memory. */
static struct maui_keeptrial *name_kept(const struct maui_rsv *rsvs, size_t count,
					struct maui_arena *arena)
{
	struct maui_keeptrial *ret = maui_arena_alloc(arena, sizeof(*ret));
	const char **names = maui_arena_alloc(arena, (count + 1) * sizeof(*names));

	if (!ret || !names)
		return NULL;
	ret->kept = names;
	for (size_t i = 0; i < count; i++) {
		if (!rsvs[i].trial)
			continue;
		names[ret->kept_count] = maui_arena_strdup(arena, rsvs[i].name);
		if (!names[ret->kept_count++])
			return NULL;
	}
	return ret;
}

struct maui_keeptrial *maui_admin_keep_trial(struct maui_rsv *rsvs, size_t count,
					     struct maui_arena *arena,
					     struct maui_query_error *error)
{
	struct maui_keeptrial *ret = name_kept(rsvs, count, arena);

	if (!ret)
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "no memory");
	for (size_t i = 0; ret && i < count; i++)
		rsvs[i].trial = false;
	return ret;
}
