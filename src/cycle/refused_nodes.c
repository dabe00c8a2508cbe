/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused_nodes.c - refusals in a list, at most MOST of them */

#include "cycle/refused_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"

enum {
	MOST = 1024,       /* stored refusals; a new one replaces the oldest */
	KEEP_TRIES = 4,    /* tries of a job with a job reservation: 15 s */
	KNOWN_S = 60,      /* how long the tries of an ended refusal are remembered */
	NEVER_ONE_S = 300, /* for a single node that would refuse the job even if empty */
	NEVER_SOME_S = 60, /* for one of several such nodes */
};

/* Computes what active jobs take of each node, and when the first of them ends. */
static bool measure_nodes(struct maui_refusal_view *view)
{
	const struct maui_snapshot *s = view->snapshot;

	if (view->taken)
		return true;
	view->taken = maui_arena_alloc(view->arena, (s->node_count + 1u) * sizeof(*view->taken));
	view->next_end_s =
		maui_arena_alloc(view->arena, (s->node_count + 1u) * sizeof(*view->next_end_s));
	if (!view->taken || !view->next_end_s) {
		view->taken = NULL;
		return false;
	}
	for (uint32_t n = 0; n < s->node_count; n++)
		view->next_end_s[n] = MAUI_NEVER;
	for (uint32_t a = 0; a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];
		int64_t end_s = active->end_s > view->now_s ? active->end_s : view->now_s + 1;

		for (uint32_t i = 0; i < active->piece_count; i++) {
			uint32_t node = active->pieces[i].node;

			view->taken[node] += active->pieces[i].amounts[MAUI_AMOUNT_PROCS];
			if (end_s < view->next_end_s[node])
				view->next_end_s[node] = end_s;
		}
	}
	return true;
}

static void drop_refusal(struct maui_refused_nodes *refused, size_t index)
{
	free(refused->list[index].nodes);
	refused->count--;
	memmove(&refused->list[index], &refused->list[index + 1],
		(refused->count - index) * sizeof(*refused->list));
}

void maui_refused_nodes_finish(struct maui_refused_nodes *refused)
{
	while (refused->count > 0)
		drop_refusal(refused, refused->count - 1);
	free(refused->list);
	*refused = (struct maui_refused_nodes){ 0 };
}

static int compare_refusals(const void *a, const void *b)
{
	const struct maui_refusal *one = a, *two = b;

	if (one->fingerprint != two->fingerprint)
		return one->fingerprint < two->fingerprint ? -1 : 1;
	return (one->serial > two->serial) - (one->serial < two->serial);
}

/* ---- a new refusal ---- */

static bool has_nodes(const struct maui_refusal *refusal, const struct maui_refused_start *start)
{
	if (refusal->node_count != start->node_count)
		return false;
	for (uint32_t i = 0; i < refusal->node_count; i++)
		if (refusal->nodes[i].id != start->nodes[i])
			return false;
	return true;
}

static struct maui_refusal *find_refusal(struct maui_refused_nodes *refused, uint64_t fingerprint,
					 const struct maui_refused_start *start)
{
	for (size_t i = 0; i < refused->count; i++)
		if (refused->list[i].fingerprint == fingerprint &&
		    has_nodes(&refused->list[i], start))
			return &refused->list[i];
	return NULL;
}

static void drop_oldest(struct maui_refused_nodes *refused)
{
	size_t oldest = 0;

	for (size_t i = 1; i < refused->count; i++)
		if (refused->list[i].serial < refused->list[oldest].serial)
			oldest = i;
	drop_refusal(refused, oldest);
}

static struct maui_refusal *make_refusal(struct maui_refused_nodes *refused, uint64_t fingerprint,
					 uint32_t node_count)
{
	struct maui_refusal *grown;

	if (refused->count >= MOST)
		drop_oldest(refused);
	grown = maui_array_grow(refused->list, refused->count, &refused->alloc, sizeof(*grown));
	if (!grown)
		return NULL;
	refused->list = grown;
	grown = &grown[refused->count];
	*grown = (struct maui_refusal){ .fingerprint = fingerprint, .node_count = node_count };
	grown->nodes = calloc(node_count + 1u, sizeof(*grown->nodes));
	if (!grown->nodes)
		return NULL;
	refused->count++;
	return grown;
}

static int64_t pause_s(const struct maui_refusal *refusal)
{
	if (refusal->never_there)
		return refusal->node_count == 1 ? NEVER_ONE_S : NEVER_SOME_S;
	return maui_refusal_backoff_s(refusal->tries);
}

int64_t maui_refused_nodes_add(struct maui_refused_nodes *refused, struct maui_refusal_view *view,
			       const struct maui_refused_start *start)
{
	uint64_t fingerprint = view->waiting[start->job].fingerprint;
	struct maui_refusal *refusal = find_refusal(refused, fingerprint, start);

	if (!measure_nodes(view))
		return 0;
	if (!refusal)
		refusal = make_refusal(refused, fingerprint, start->node_count);
	if (!refusal)
		return 0;
	for (uint32_t i = 0; i < refusal->node_count; i++) {
		refusal->nodes[i].id = start->nodes[i];
		refusal->nodes[i].taken = view->taken[start->places[i].node];
	}
	refusal->never_there = start->never_there;
	refusal->keeps_reservation = refusal->tries < KEEP_TRIES && start->reserved;
	refusal->serial = ++refused->serial;
	refusal->until_s = view->now_s + pause_s(refusal);
	refusal->tries++;
	return refusal->until_s;
}

/* ---- refusals of earlier cycles ---- */

/* Whether one of its nodes has more free processors than at the refusal, or was replaced. */
static bool has_more_room(const struct maui_refusal_view *view, const struct maui_refusal *refusal)
{
	for (uint32_t i = 0; i < refusal->node_count; i++) {
		int64_t node = maui_snapshot_find_node(view->snapshot, refusal->nodes[i].id);

		if (node < 0 || view->taken[node] < refusal->nodes[i].taken)
			return true;
	}
	return false;
}

static bool is_over(const struct maui_refusal_view *view, const struct maui_refusal *refusal)
{
	return refusal->until_s + KNOWN_S <= view->now_s ||
	       refusal->until_s > view->now_s + NEVER_ONE_S || /* the clock was set back */
	       (!refusal->never_there && has_more_room(view, refusal));
}

int64_t maui_refused_nodes_review(struct maui_refused_nodes *refused,
				  struct maui_refusal_view *view)
{
	int64_t next_s = 0;

	if (refused->count == 0 || !measure_nodes(view))
		return 0;
	for (size_t i = refused->count; i-- > 0;) {
		int64_t until_s = refused->list[i].until_s;

		if (refused->table != view->table || is_over(view, &refused->list[i]))
			drop_refusal(refused, i);
		else if (until_s > view->now_s && (next_s == 0 || until_s < next_s))
			next_s = until_s;
	}
	return next_s;
}

static int compare_nodes(const void *a, const void *b)
{
	const struct maui_refused_node *one = a, *two = b;

	if (one->node != two->node)
		return one->node < two->node ? -1 : 1;
	return (one->until_s < two->until_s) - (one->until_s > two->until_s);
}

static int64_t refused_until(const struct maui_refusal_view *view,
			     const struct maui_refusal *refusal, int64_t node)
{
	if (refusal->never_there)
		return MAUI_NEVER;
	return refusal->keeps_reservation ? refusal->until_s : view->next_end_s[node];
}

/* Lists the nodes of `count` refusals of one fingerprint, each node once with its latest moment. */
static struct maui_refused_node *list_nodes(const struct maui_refusal_view *view,
					    const struct maui_refusal *refusals, size_t count,
					    uint32_t *ret_count)
{
	struct maui_refused_node *list;
	size_t all = 0, kept = 0;

	for (size_t i = 0; i < count; i++)
		all += refusals[i].node_count;
	list = maui_arena_alloc(view->arena, (all + 1) * sizeof(*list));
	all = 0;
	for (size_t i = 0; list && i < count; i++) {
		const struct maui_refusal *refusal = &refusals[i];

		if (refusal->until_s <= view->now_s)
			continue;
		for (uint32_t n = 0; n < refusal->node_count; n++) {
			int64_t node =
				maui_snapshot_find_node(view->snapshot, refusal->nodes[n].id);

			if (node >= 0)
				list[all++] = (struct maui_refused_node){
					.node = (uint64_t)node,
					.until_s = refused_until(view, refusal, node),
				};
		}
	}
	if (all > 1)
		qsort(list, all, sizeof(*list), compare_nodes);
	for (size_t i = 0; i < all; i++)
		if (i == 0 || list[i].node != list[i - 1].node)
			list[kept++] = list[i];
	*ret_count = (uint32_t)kept;
	return list;
}

/* The request of jobs with these refusals; without memory, their request without refused nodes. */
static uint32_t replace_request(struct maui_refusal_view *view, struct maui_refusal *refusals,
				size_t count, uint32_t plain)
{
	struct maui_request request = view->snapshot->requests[plain];
	int64_t found;

	if (refusals->cached && refusals->plain == plain)
		return refusals->replaced;
	request.refused = list_nodes(view, refusals, count, &request.refused_count);
	found = request.refused ? maui_snapshot_request(view->snapshot, &request) : -1;
	refusals->cached = true;
	refusals->plain = plain;
	refusals->replaced = found < 0 ? plain : (uint32_t)found;
	return refusals->replaced;
}

static bool is_before(const void *element, const void *fingerprint)
{
	return ((const struct maui_refusal *)element)->fingerprint < *(const uint64_t *)fingerprint;
}

/* The first refusal of a fingerprint, or of the next larger fingerprint. */
static size_t find_first(const struct maui_refused_nodes *refused, uint64_t fingerprint)
{
	return maui_lower_bound(refused->list, refused->count, sizeof(*refused->list), is_before,
				&fingerprint);
}

void maui_refused_nodes_apply(struct maui_refused_nodes *refused, struct maui_refusal_view *view)
{
	struct maui_snapshot *s = view->snapshot;

	refused->table = view->table;
	if (refused->count == 0 || !measure_nodes(view))
		return;
	qsort(refused->list, refused->count, sizeof(*refused->list), compare_refusals);
	for (size_t i = 0; i < refused->count; i++)
		refused->list[i].cached = false;
	for (uint32_t i = 0; i < s->idle_count; i++) {
		uint64_t fingerprint = view->waiting[i].fingerprint;
		size_t first = find_first(refused, fingerprint), end = first;

		while (end < refused->count && refused->list[end].fingerprint == fingerprint)
			end++;
		if (end > first)
			s->idle[i].request = replace_request(view, &refused->list[first],
							     end - first, view->waiting[i].request);
	}
}
