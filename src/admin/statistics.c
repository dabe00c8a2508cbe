/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.c - resetstats: resets the statistics */

#include "admin/statistics.h"

struct maui_resetstats *maui_admin_reset_statistics(struct maui_statistics *statistics,
						    int64_t now_s, struct maui_arena *arena,
						    struct maui_query_error *error)
{
	struct maui_resetstats *ret = maui_arena_alloc(arena, sizeof(*ret));

	if (!ret) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "no memory");
		return NULL;
	}
	maui_statistics_reset(statistics, now_s);
	ret->since = now_s;
	return ret;
}
