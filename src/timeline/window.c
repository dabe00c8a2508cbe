/* SPDX-License-Identifier: GPL-2.0-or-later */
/* window.c - finds backfill windows: what ends of each node's running minimum, sorted and summed
 * up */

#include "timeline/window.h"

#include <stdlib.h>

#include "base/array.h"

int maui_profile_lower(struct maui_profile *profile, int64_t at, int64_t procs, uint32_t nodes)
{
	struct maui_profile_end *grown =
		maui_array_grow(profile->ends, profile->count, &profile->alloc, sizeof(*grown));

	if (!grown)
		return -1;
	profile->ends = grown;
	grown[profile->count++] = (struct maui_profile_end){ at, procs, nodes };
	return 0;
}

void maui_profile_finish(struct maui_profile *profile)
{
	free(profile->ends);
	*profile = (struct maui_profile){ 0 };
}

static int compare_ends(const void *a, const void *b)
{
	const struct maui_profile_end *one = a, *two = b;

	return (one->at > two->at) - (one->at < two->at);
}

struct maui_window *maui_profile_windows(struct maui_profile *profile, int64_t now_s,
					 int64_t least_s, struct maui_arena *arena,
					 uint32_t *ret_count)
{
	struct maui_window *windows =
		maui_arena_alloc(arena, (profile->count + 1) * sizeof(*windows));
	int64_t procs = profile->procs;
	uint32_t nodes = profile->nodes, count = 0;

	if (!windows)
		return NULL;
	if (profile->count > 1)
		qsort(profile->ends, profile->count, sizeof(*profile->ends), compare_ends);
	for (size_t i = 0; i < profile->count; i++) {
		const struct maui_profile_end *end = &profile->ends[i];

		if ((i == 0 || end->at != end[-1].at) && end->at - now_s >= least_s)
			windows[count++] = (struct maui_window){ end->at - now_s, procs, nodes };
		procs -= end->procs;
		nodes -= end->nodes;
	}
	if (procs > 0)
		windows[count++] = (struct maui_window){ MAUI_NEVER, procs, nodes };
	*ret_count = count;
	return windows;
}

/* Notes that only so many processors are free from `at` on. */
static int lower_to(struct maui_profile *profile, int64_t at, int64_t procs, int64_t *least)
{
	int rc = 0;

	if (*least == INT64_MAX) {
		profile->procs += procs;
		profile->nodes += procs > 0;
	} else if (procs < *least) {
		rc = maui_profile_lower(profile, at, *least - procs, procs == 0);
	}
	if (procs < *least)
		*least = procs;
	return rc;
}

/* The first moment after `after` at which a span from now on exceeds a TIMELIMIT of the node;
 * MAUI_NEVER: none. */
static int64_t next_closing(const struct maui_timeline *t, uint32_t node,
			    const struct maui_requester *requester, int64_t after)
{
	const struct maui_line *line = &t->lines[node];
	int64_t next = MAUI_NEVER;

	for (uint32_t i = 0; i < line->count && maui_line_step(t, line, i)->at < next; i++) {
		int64_t closes = maui_claims_close_at(t, maui_line_step(t, line, i), requester,
						      t->now, after);

		if (closes < next)
			next = closes;
	}
	return next;
}

/* Adds a node with TIMELIMITs: the node is asked again at each change. */
static int add_timed_node(const struct maui_timeline *t, uint32_t node,
			  const struct maui_requester *requester, struct maui_profile *profile)
{
	const struct maui_line *line = &t->lines[node];
	int64_t least = INT64_MAX, at = t->now;

	for (uint32_t i = 0; at != MAUI_NEVER && least > 0;) {
		int64_t step, closing;

		if (lower_to(profile, at, maui_timeline_procs(t, node, t->now, at + 1, requester),
			     &least))
			return -1;
		while (i < line->count && maui_line_step(t, line, i)->at <= at)
			i++;
		step = i < line->count ? maui_line_step(t, line, i)->at : MAUI_NEVER;
		closing = next_closing(t, node, requester, at);
		at = step < closing ? step : closing;
	}
	return 0;
}

static bool is_timed(const struct maui_timeline *t, uint32_t node,
		     const struct maui_requester *requester)
{
	const struct maui_line *line = &t->lines[node];

	for (uint32_t i = 0; t->claim_count > 0 && i < line->count; i++)
		if (maui_claims_are_timed(t, maui_line_step(t, line, i), requester))
			return true;
	return false;
}

static int add_node(const struct maui_timeline *t, uint32_t node,
		    const struct maui_requester *requester, struct maui_profile *profile)
{
	const struct maui_line *line = &t->lines[node];
	int64_t least = INT64_MAX;

	if (is_timed(t, node, requester))
		return add_timed_node(t, node, requester, profile);
	for (uint32_t i = 0; i < line->count && least > 0; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		const int64_t *gives = maui_timeline_capacity(t, step, requester, MAUI_SPAN_NONE);
		int64_t procs =
			gives && gives[MAUI_AMOUNT_PROCS] > 0 ? gives[MAUI_AMOUNT_PROCS] : 0;

		if (lower_to(profile, step->at, procs, &least))
			return -1;
	}
	return 0;
}

int maui_windows_find(const struct maui_timeline *t, const uint32_t *nodes, uint32_t count,
		      const struct maui_requester *requester, struct maui_arena *arena,
		      struct maui_window **ret_windows, uint32_t *ret_count)
{
	struct maui_profile profile = { 0 };
	struct maui_window *windows = NULL;
	int rc = 0;

	for (uint32_t i = 0; i < count && rc == 0; i++)
		rc = add_node(t, nodes[i], requester, &profile);
	if (rc == 0)
		windows = maui_profile_windows(&profile, t->now, 0, arena, ret_count);
	if (windows)
		*ret_windows = windows;
	maui_profile_finish(&profile);
	return windows ? 0 : -1;
}
