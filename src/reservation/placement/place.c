/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - instances with their places, step by step
 *
 *   1. instances, by their windows; what the last plan knew of them
 *   2. kept: those of setres -E; what floats and tolerates nobody; then Slurm's reservations and
 *      what tolerates others; then node-locked ones; then those whose times have changed; hosts of
 *      setres -E
 *   3. what is missing, in the order of PRIORITY
 *   4. SPACEFLEX
 *   5. all of it into the timeline
 */

#include <stdlib.h>
#include <string.h>

#include "reservation/placement/private.h"

enum { VAIN_NODES = 64, LONG_STEPS = 64 };

/* ---- steps ---- */

static int hold_claims(struct maui_standing_placer *p)
{
	for (uint32_t c = 0; c < p->s->claim_count; c++) {
		const struct maui_claim *claim = &p->s->claims[c];
		struct maui_standing_hold hold = { .from = claim->start_s,
						   .until = claim->end_s,
						   .whole = !claim->amounts };

		for (uint32_t n = 0; n < claim->node_count && claim->end_s > p->now; n++) {
			for (unsigned d = 0; d < p->amounts && claim->amounts; d++)
				hold.used[d] = claim->amounts[n * p->s->amount_count + d];
			if (maui_standing_hold(p, claim->nodes[n], &hold, 1))
				return -1;
			p->depth[claim->nodes[n]]++;
		}
	}
	return 0;
}

/* In the order of PRIORITY, then of the list; but for those of setres -E. */
static int keep(struct maui_standing_placer *p, bool tolerant, bool changed)
{
	for (uint32_t k = 0; k < p->input->count; k++) {
		uint32_t rsv = p->order[k], first = p->first[rsv];

		if (!maui_rsv_is_exclusive(p->input->list[rsv]) &&
		    (changed || maui_standing_tolerates(p->input->list[rsv]) == tolerant) &&
		    maui_standing_keep(p, &p->works[first], p->first[rsv + 1] - first, changed))
			return -1;
	}
	return 0;
}

static int lock(struct maui_standing_placer *p)
{
	for (uint32_t k = 0; k < p->input->count; k++) {
		uint32_t rsv = p->order[k], first = p->first[rsv];

		if (maui_standing_lock(p, &p->works[first], p->first[rsv + 1] - first))
			return -1;
	}
	return 0;
}

/* In the order of PRIORITY, of the list, of time. */
static int each_work(struct maui_standing_placer *p,
		     int (*call)(struct maui_standing_placer *p, struct maui_standing_work *w))
{
	for (uint32_t k = 0; k < p->input->count; k++)
		for (uint32_t i = p->first[p->order[k]]; i < p->first[p->order[k] + 1]; i++)
			if (call(p, &p->works[i]))
				return -1;
	return 0;
}

/* What waiting jobs have been promised counts as theirs while nodes are chosen (sign 1). */
static int promise(struct maui_standing_placer *p, int sign)
{
	for (uint32_t i = 0; i < p->input->promise_count; i++) {
		const struct maui_standing_promise *promised = &p->input->promises[i];

		for (uint32_t k = 0; k < promised->piece_count; k++) {
			const struct maui_piece *piece = &promised->pieces[k];

			if (sign > 0 ? maui_timeline_take(p->t, piece->node, promised->start_s,
							  promised->end_s, piece->amounts, 0) :
				       maui_timeline_give(p->t, piece->node, promised->start_s,
							  promised->end_s, piece->amounts))
				return -1;
		}
	}
	return 0;
}

/* That a node is silent is no job in the way while nodes are chosen (sign -1). */
static int silence(struct maui_standing_placer *p, int sign)
{
	for (uint32_t n = 0; n < p->s->node_count; n++) {
		const struct maui_node *node = &p->s->nodes[n];

		if (!maui_standing_is_silent(p, n))
			continue;
		p->any_silent = true;
		if (sign > 0 ? maui_timeline_take(p->t, n, p->now, node->usable_from_s, node->have,
						  0) :
			       maui_timeline_give(p->t, n, p->now, node->usable_from_s, node->have))
			return -1;
	}
	return 0;
}

static int run(struct maui_standing_placer *p)
{
	if (maui_standing_ledger(p) || maui_standing_keep_sole(p) || keep(p, false, false) ||
	    hold_claims(p) || keep(p, true, false) || lock(p) || keep(p, true, true) ||
	    (p->any_sole && each_work(p, maui_standing_lock_sole)))
		return -1;
	return each_work(p, maui_standing_fill) || each_work(p, maui_standing_flex) ? -1 : 0;
}

/* ---- the result ---- */

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

/* The last claim's lists serve the next period of a reservation, too, when it is where that is. */
static bool same_places(const struct maui_standing_work *a, const struct maui_standing_work *b)
{
	return a->rsv == b->rsv && a->instance->place_count == b->instance->place_count &&
	       (a->instance->places == b->instance->places ||
		memcmp(a->instance->places, b->instance->places,
		       a->instance->place_count * sizeof(*a->instance->places)) == 0);
}

static int list_nodes(struct maui_standing_placer *p, const struct maui_standing_work *w,
		      struct maui_claim *ret)
{
	const struct maui_rsv_instance *i = w->instance;
	unsigned amounts = p->s->amount_count;
	uint32_t *nodes = maui_arena_alloc(p->arena, i->place_count * sizeof(*nodes));
	int64_t *kept = w->whole ? NULL :
				   maui_arena_alloc(p->arena, (size_t)i->place_count * amounts *
								      sizeof(*kept));

	if (!nodes || (!w->whole && !kept))
		return -1;
	for (uint32_t k = 0; k < i->place_count; k++) {
		int64_t used[MAUI_STANDING_AMOUNTS];

		nodes[k] = i->places[k].node;
		if (w->whole)
			continue;
		maui_standing_amounts(p->s, w->rsv, &p->s->nodes[nodes[k]], i->places[k].tasks,
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

/* Without a gap from one to the next they are one to a TIMELIMIT. */
static void find_runs(struct maui_standing_placer *p)
{
	for (uint32_t k = 0; k < p->work_count; k++) {
		struct maui_rsv_instance *i = p->works[k].instance;

		i->run_start_s = k > 0 && adjoin(i - 1, i) ? i[-1].run_start_s : i->start_s;
	}
	for (uint32_t k = p->work_count; k-- > 0;) {
		struct maui_rsv_instance *i = p->works[k].instance;

		i->run_end_s =
			k + 1 < p->work_count && adjoin(i, i + 1) ? i[1].run_end_s : i->end_s;
	}
}

static int finish(struct maui_standing_placer *p)
{
	struct maui_claim *claims =
		maui_arena_alloc(p->arena, (p->work_count + 1u) * sizeof(*claims));
	const struct maui_standing_work *last = NULL;
	uint32_t count = 0;

	find_runs(p);
	for (uint32_t k = 0; claims && k < p->work_count; k++) {
		struct maui_standing_work *w = &p->works[k];
		struct maui_claim *claim = &claims[count];

		if (!last || last->instance->places != w->instance->places)
			sort_places(w->instance);
		w->instance->missing += w->left;
		if (w->instance->place_count == 0)
			continue;
		if (last && same_places(last, w))
			*claim = claims[count - 1];
		else if (list_nodes(p, w, claim))
			return -1;
		claim->id = k;
		claim->name = w->rsv->name;
		claim->start_s = w->instance->start_s;
		claim->end_s = w->instance->end_s;
		claim->run_start_s = w->instance->run_start_s;
		claim->run_end_s = w->instance->run_end_s;
		claim->group = w->instance->rsv;
		last = w;
		count++;
	}
	return claims ? maui_timeline_add_claims(p->t, claims, count) : -1;
}

int maui_standing_place(struct maui_timeline *t, const struct maui_snapshot *snapshot,
			const struct maui_standing_input *input, int64_t now_s,
			struct maui_arena *arena, struct maui_rsv_instance **ret,
			uint32_t *ret_count)
{
	struct maui_standing_placer p = { .t = t,
					  .s = snapshot,
					  .input = input,
					  .arena = arena,
					  .now = now_s,
					  .amounts =
						  snapshot->amount_count < MAUI_STANDING_AMOUNTS ?
							  snapshot->amount_count :
							  MAUI_STANDING_AMOUNTS,
					  .vain_nodes = input->as_large ? 0 : VAIN_NODES,
					  .long_steps = input->as_large ? 2 : LONG_STEPS,
					  .plain = *snapshot };
	int rc;

	p.plain.shares_tasks = false;
	if (maui_standing_works(&p, ret) || silence(&p, -1) || promise(&p, 1))
		return -1;
	rc = run(&p);
	if (promise(&p, -1) || silence(&p, 1) || rc || finish(&p))
		return -1;
	*ret_count = p.work_count;
	return 0;
}
