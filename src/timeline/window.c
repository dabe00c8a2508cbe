/* SPDX-License-Identifier: GPL-2.0-or-later */
/* window.c - finds backfill windows: the drops of each node's running minimum, sorted and summed
 * up */

#include "timeline/window.h"

#include <stdlib.h>

#include "base/array.h"

int maui_drops_add(struct maui_drops *drops, int64_t at, int64_t procs, uint32_t nodes)
{
	struct maui_drop *grown =
		maui_array_grow(drops->list, drops->count, &drops->alloc, sizeof(*grown));

	if (!grown)
		return -1;
	drops->list = grown;
	grown[drops->count++] = (struct maui_drop){ at, procs, nodes };
	return 0;
}

void maui_drops_finish(struct maui_drops *drops)
{
	free(drops->list);
	*drops = (struct maui_drops){ 0 };
}

static int compare_drops(const void *a, const void *b)
{
	const struct maui_drop *one = a, *two = b;

	return (one->at > two->at) - (one->at < two->at);
}

struct maui_window *maui_drops_windows(struct maui_drops *drops, int64_t now_s, int64_t least_s,
				       struct maui_arena *arena, uint32_t *ret_count)
{
	struct maui_window *windows =
		maui_arena_alloc(arena, (drops->count + 1) * sizeof(*windows));
	int64_t procs = drops->procs;
	uint32_t nodes = drops->nodes, count = 0;

	if (!windows)
		return NULL;
	if (drops->count > 1)
		qsort(drops->list, drops->count, sizeof(*drops->list), compare_drops);
	for (size_t i = 0; i < drops->count; i++) {
		const struct maui_drop *drop = &drops->list[i];

		if ((i == 0 || drop->at != drop[-1].at) && drop->at - now_s >= least_s)
			windows[count++] = (struct maui_window){ drop->at - now_s, procs, nodes };
		procs -= drop->procs;
		nodes -= drop->nodes;
	}
	if (procs > 0)
		windows[count++] = (struct maui_window){ MAUI_NEVER, procs, nodes };
	*ret_count = count;
	return windows;
}

/* Notes that only so many processors are free from `at` on. */
static int drop_to(struct maui_drops *drops, int64_t at, int64_t procs, int64_t *least)
{
	int rc = 0;

	if (*least == INT64_MAX) {
		drops->procs += procs;
		drops->nodes += procs > 0;
	} else if (procs < *least) {
		rc = maui_drops_add(drops, at, *least - procs, procs == 0);
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

/* The drops of a node with TIMELIMITs: the node is asked again at each change. */
static int timed_drops(const struct maui_timeline *t, uint32_t node,
		       const struct maui_requester *requester, struct maui_drops *drops)
{
	const struct maui_line *line = &t->lines[node];
	int64_t least = INT64_MAX, at = t->now;

	for (uint32_t i = 0; at != MAUI_NEVER && least > 0;) {
		int64_t step, closing;

		if (drop_to(drops, at, maui_timeline_procs(t, node, t->now, at + 1, requester),
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

static int node_drops(const struct maui_timeline *t, uint32_t node,
		      const struct maui_requester *requester, struct maui_drops *drops)
{
	const struct maui_line *line = &t->lines[node];
	int64_t least = INT64_MAX;

	if (is_timed(t, node, requester))
		return timed_drops(t, node, requester, drops);
	for (uint32_t i = 0; i < line->count && least > 0; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		const int64_t *gives = maui_timeline_capacity(t, step, requester, MAUI_SPAN_NONE);
		int64_t procs =
			gives && gives[MAUI_AMOUNT_PROCS] > 0 ? gives[MAUI_AMOUNT_PROCS] : 0;

		if (drop_to(drops, step->at, procs, &least))
			return -1;
	}
	return 0;
}

int maui_windows_find(const struct maui_timeline *t, const uint32_t *nodes, uint32_t count,
		      const struct maui_requester *requester, struct maui_arena *arena,
		      struct maui_window **ret_windows, uint32_t *ret_count)
{
	struct maui_drops drops = { 0 };
	struct maui_window *windows = NULL;
	int rc = 0;

	for (uint32_t i = 0; i < count && rc == 0; i++)
		rc = node_drops(t, nodes[i], requester, &drops);
	if (rc == 0)
		windows = maui_drops_windows(&drops, t->now, 0, arena, ret_count);
	if (windows)
		*ret_windows = windows;
	maui_drops_finish(&drops);
	return windows ? 0 : -1;
}
