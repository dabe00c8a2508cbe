/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - the steps of a placement
 *
 *   1. the instances by their windows, with their places of the last plan
 *   2. kept nodes of exclusive reservations, then of floating ones that may not overlap others;
 *      Slurm's reservations; kept nodes of those that may overlap; hosts of node-locked ones; kept
 *      nodes of instances whose times have changed; hosts of exclusive ones
 *   3. missing tasks
 *   4. SPACEFLEX
 *   5. claims of the timeline
 * Each step visits the reservations by PRIORITY.
 */

#include <stdlib.h>
#include <string.h>

#include "reservation/placement/private.h"
#include "reservation/windows/windows.h"

/* ---- steps ---- */

static int hold_claims(struct maui_placement *p)
{
	for (uint32_t c = 0; c < p->s->claim_count; c++) {
		const struct maui_claim *claim = &p->s->claims[c];

		for (uint32_t n = 0; n < claim->node_count && claim->end_s > p->now; n++)
			if (maui_placement_hold_claim(
				    p, claim->nodes[n], claim->start_s, claim->end_s,
				    claim->amounts ? claim->amounts + n * p->s->amount_count :
						     NULL))
				return -1;
	}
	return 0;
}

/* Takes the hosts of a node-locked instance. They follow from the configuration alone and are taken
 * again in each placement; RESDEPTH and exclusive reservations may keep the instance off some. */
static int lock_hosts(struct maui_placement *p, struct maui_placement_item *item)
{
	const struct maui_node_set *list = item->target->list;
	uint32_t count = 0;

	if (!list || !item->target->locked || maui_rsv_is_exclusive(item->rsv))
		return 0;
	maui_placement_select_item(p, item);
	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t node = list->nodes[i];
		int64_t tasks = maui_placement_capacity(p->s, item->rsv, node);

		if (tasks == 0 ||
		    (p->input->res_depth > 0 && p->depth[node] >= p->input->res_depth) ||
		    maui_placement_is_kept_off(p, item, node, item->from, item->instance->end_s))
			continue;
		if (maui_placement_put_tasks(p, item, node, tasks))
			return -1;
		count++;
	}
	if (item->rsv->task_count == 0) {
		item->instance->missing = list->count - count + (list->count == 0);
		item->missing = 0;
	}
	return 0;
}

/* Exclusive reservations have kept their nodes already. */
static bool keeps_now(const struct maui_placement_item *item, bool tolerates)
{
	return !item->changed && !maui_rsv_is_exclusive(item->rsv) &&
	       maui_placement_tolerates(item->rsv) == tolerates;
}

static int keep_strict(struct maui_placement *p, struct maui_placement_item *item)
{
	return keeps_now(item, false) ? maui_placement_keep_nodes(p, item) : 0;
}

static int keep_tolerant(struct maui_placement *p, struct maui_placement_item *item)
{
	return keeps_now(item, true) ? maui_placement_keep_nodes(p, item) : 0;
}

static int keep_changed(struct maui_placement *p, struct maui_placement_item *item)
{
	return item->changed && !maui_rsv_is_exclusive(item->rsv) ?
		       maui_placement_keep_nodes(p, item) :
		       0;
}

/* Calls the step for each item: by PRIORITY, then in the order of the list, then by time. */
static int visit_items(struct maui_placement *p,
		       int (*call)(struct maui_placement *, struct maui_placement_item *))
{
	for (uint32_t k = 0; k < p->input->count; k++)
		for (uint32_t i = p->first[p->order[k]]; i < p->first[p->order[k] + 1]; i++)
			if (call(p, &p->items[i]))
				return -1;
	return 0;
}

/* Marks the nodes of job reservations as used while nodes are chosen (sign 1), or frees them again
 * (-1). */
static int set_job_rsv_use(struct maui_placement *p, int sign)
{
	for (uint32_t i = 0; i < p->input->job_rsv_count; i++) {
		const struct maui_standing_job_rsv *job_rsv = &p->input->job_rsvs[i];

		for (uint32_t k = 0; k < job_rsv->piece_count; k++) {
			const struct maui_piece *piece = &job_rsv->pieces[k];

			if (sign > 0 ? maui_timeline_take(p->t, piece->node, job_rsv->start_s,
							  job_rsv->end_s, piece->amounts, 0) :
				       maui_timeline_give(p->t, piece->node, job_rsv->start_s,
							  job_rsv->end_s, piece->amounts, 0))
				return -1;
		}
	}
	return 0;
}

/* The timeline counts a silent node as used until it is back. While nodes are chosen it counts as
 * free (sign -1); afterwards as used again (1). */
static int set_silent_use(struct maui_placement *p, int sign)
{
	for (uint32_t n = 0; n < p->s->node_count; n++) {
		const struct maui_node *node = &p->s->nodes[n];

		if (!maui_placement_is_silent(p, n))
			continue;
		p->any_silent = true;
		if (sign > 0 ?
			    maui_timeline_take(p->t, n, p->now, node->usable_from_s, node->have,
					       0) :
			    maui_timeline_give(p->t, n, p->now, node->usable_from_s, node->have, 0))
			return -1;
	}
	return 0;
}

static int choose_nodes(struct maui_placement *p)
{
	static int (*const steps[])(struct maui_placement *, struct maui_placement_item *) = {
		keep_tolerant,
		lock_hosts,
		keep_changed,
		maui_placement_lock_exclusive,
		maui_placement_fill_missing,
		maui_placement_move_tasks,
	};

	if (maui_placement_init_nodes(p) || maui_placement_keep_exclusive(p) ||
	    visit_items(p, keep_strict) || hold_claims(p))
		return -1;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (visit_items(p, steps[i]))
			return -1;
	return 0;
}

/* ---- claims ---- */

static int by_node(const void *a, const void *b)
{
	const struct maui_rsv_place *one = a, *two = b;

	return (one->node > two->node) - (one->node < two->node);
}

static void sort_places(struct maui_rsv_instance *i)
{
	bool sorted = true;

	for (uint32_t k = 1; k < i->place_count && sorted; k++)
		sorted = i->places[k - 1].node < i->places[k].node;
	if (!sorted)
		qsort(i->places, i->place_count, sizeof(*i->places), by_node);
}

/* Whether two instances are on the same nodes; then one claim with shared lists serves both. */
static bool same_places(const struct maui_placement_item *a, const struct maui_placement_item *b)
{
	return a->rsv == b->rsv && a->instance->place_count == b->instance->place_count &&
	       memcmp(a->instance->places, b->instance->places,
		      a->instance->place_count * sizeof(*a->instance->places)) == 0;
}

static int list_nodes(struct maui_placement *p, const struct maui_placement_item *item,
		      struct maui_claim *ret)
{
	const struct maui_rsv_instance *i = item->instance;
	unsigned amounts = p->s->amount_count;
	uint32_t *nodes = maui_arena_alloc(p->arena, i->place_count * sizeof(*nodes));
	int64_t *kept = item->whole ? NULL :
				      maui_arena_alloc(p->arena, (size_t)i->place_count * amounts *
									 sizeof(*kept));

	if (!nodes || (!item->whole && !kept))
		return -1;
	for (uint32_t k = 0; k < i->place_count; k++) {
		int64_t used[MAUI_PLACEMENT_AMOUNTS];

		nodes[k] = i->places[k].node;
		if (!kept) /* whole nodes */
			continue;
		maui_placement_amounts(p->s, item->rsv, &p->s->nodes[nodes[k]], i->places[k].tasks,
				       used);
		memcpy(kept + (size_t)k * amounts, used, p->amounts * sizeof(*used));
	}
	ret->nodes = nodes;
	ret->node_count = i->place_count;
	ret->amounts = kept;
	return 0;
}

static bool adjoin(const struct maui_rsv_instance *a, const struct maui_rsv_instance *b)
{
	return a->rsv == b->rsv && a->end_s == b->start_s && a->place_count > 0 &&
	       b->place_count > 0;
}

/* A TIMELIMIT counts instances without a gap between them as one (ACL-8). */
static void find_runs(struct maui_placement *p)
{
	for (uint32_t k = 0; k < p->item_count; k++) {
		struct maui_rsv_instance *i = p->items[k].instance;

		i->run_start_s = k > 0 && adjoin(i - 1, i) ? i[-1].run_start_s : i->start_s;
	}
	for (uint32_t k = p->item_count; k-- > 0;) {
		struct maui_rsv_instance *i = p->items[k].instance;

		i->run_end_s =
			k + 1 < p->item_count && adjoin(i, i + 1) ? i[1].run_end_s : i->end_s;
	}
}

/* What comes behind the last known instance of a node-locked reservation (RSV-39). A floating one
 * goes around job reservations that are made behind it. */
static void note_repeats(const struct maui_placement *p, uint32_t at, struct maui_claim *claim)
{
	const struct maui_placement_item *item = &p->items[at];
	bool is_last = at + 1 == p->item_count || item[1].instance->rsv != item->instance->rsv;

	claim->gap_s = is_last && item->target->locked && item->target->list ?
			       maui_standing_longest_gap(item->rsv, p->now + p->input->clock_s) :
			       -1;
	claim->repeats = claim->gap_s >= 0;
}

static int make_claims(struct maui_placement *p)
{
	struct maui_claim *claims =
		maui_arena_alloc(p->arena, (p->item_count + 1u) * sizeof(*claims));
	const struct maui_placement_item *last = NULL;
	uint32_t count = 0;

	find_runs(p);
	for (uint32_t k = 0; claims && k < p->item_count; k++) {
		struct maui_placement_item *item = &p->items[k];
		struct maui_claim *claim = &claims[count];

		sort_places(item->instance);
		item->instance->missing += item->missing;
		if (item->instance->place_count == 0)
			continue;
		if (last && same_places(last, item))
			*claim = claims[count - 1];
		else if (list_nodes(p, item, claim))
			return -1;
		claim->id = k;
		claim->name = item->rsv->name;
		claim->start_s = item->instance->start_s;
		claim->end_s = item->instance->end_s;
		claim->run_start_s = item->instance->run_start_s;
		claim->run_end_s = item->instance->run_end_s;
		claim->rsv = item->instance->rsv;
		note_repeats(p, k, claim);
		last = item;
		count++;
	}
	return claims ? maui_timeline_add_claims(p->t, claims, count) : -1;
}

int64_t maui_standing_due(const struct maui_standing_input *input, int64_t now_s)
{
	int64_t next = maui_standing_next_of(input->list, input->count, now_s + input->clock_s);

	return next == MAUI_NEVER ? next : next - input->clock_s;
}

int maui_standing_place(struct maui_timeline *t, const struct maui_snapshot *snapshot,
			const struct maui_standing_input *input, int64_t now_s,
			struct maui_arena *arena, struct maui_rsv_instance **ret,
			uint32_t *ret_count)
{
	struct maui_placement p = { .t = t,
				    .s = snapshot,
				    .input = input,
				    .arena = arena,
				    .now = now_s,
				    .amounts = snapshot->amount_count < MAUI_PLACEMENT_AMOUNTS ?
						       snapshot->amount_count :
						       MAUI_PLACEMENT_AMOUNTS,
				    .plain = *snapshot };
	int rc;

	p.plain.shares_tasks = false;
	p.plain.switch_count = 0;
	if (maui_placement_make_items(&p, ret) || set_silent_use(&p, -1) || set_job_rsv_use(&p, 1))
		return -1;
	rc = choose_nodes(&p);
	if (set_job_rsv_use(&p, -1) || set_silent_use(&p, 1) || rc || make_claims(&p))
		return -1;
	*ret_count = p.item_count;
	return 0;
}
