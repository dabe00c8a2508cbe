/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.c - changeparam, resetstats, `maui trial --keep` */

#include "admin/machine.h"

#include <string.h>

enum { LINE_MAX_BYTES = 4096 };

int maui_admin_config_line(const char *line, struct maui_query_error *error)
{
	const char *begin = line ? line + strspn(line, " \t") : "";

	if (*begin == '\0' || *begin == '#')
		return maui_query_fail(error, MAUI_QUERY_BAD, "no parameter is named");
	if (strlen(line) > LINE_MAX_BYTES)
		return maui_query_fail(error, MAUI_QUERY_BAD, "the line is longer than %d bytes",
				       LINE_MAX_BYTES);
	for (const char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\t')
			return maui_query_fail(error, MAUI_QUERY_BAD,
					       "expected a single line without control characters");
	return 0;
}

struct maui_resetstats *maui_admin_reset_statistics(struct maui_statistics *statistics,
						    int64_t now_s, struct maui_arena *arena,
						    struct maui_query_error *error)
{
	struct maui_resetstats *ret = maui_arena_alloc(arena, sizeof(*ret));

	if (!ret) {
		maui_query_no_memory(error);
		return NULL;
	}
	maui_statistics_reset(statistics, now_s);
	ret->since = now_s;
	return ret;
}

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
		maui_query_no_memory(error);
	for (size_t i = 0; ret && i < count; i++)
		rsvs[i].trial = false;
	return ret;
}
