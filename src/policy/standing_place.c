/* SPDX-License-Identifier: GPL-2.0-or-later */
/* standing_place.c - instances with their places, step by step
 *
 *   1. windows; what the last plan knew of them
 *   2. kept: what floats and tolerates nobody; then Slurm's reservations and what tolerates others;
 *      then node-locked ones; then those whose times have changed
 *   3. what is missing, in the order of PRIORITY
 *   4. SPACEFLEX
 *   5. all of it into the timeline
 */

#include <stdlib.h>
#include <string.h>

#include "policy/standing_private.h"

/* ---- windows ---- */

static bool is_skipped(const struct maui_standing_input *input, uint32_t rsv, int32_t day)
{
	for (uint32_t i = 0; i < input->skip_count; i++)
		if (input->skips[i].rsv == rsv && input->skips[i].day == day)
			return true;
	return false;
}

struct windows {
	struct maui_rsv_instance *list;
	uint32_t count;
};

static int find_windows(struct maui_standing_placer *p, uint32_t r, struct windows *windows)
{
	uint32_t like = maui_standing_like(p->input->list, r);

	if (like < r) {
		windows[r] = windows[like];
		return 0;
	}
	return maui_standing_input_windows(p->input, r, p->now, p->arena, &windows[r].list,
					   &windows[r].count);
}

/* All windows, one behind the other; p->first is set. */
static int list_windows(struct maui_standing_placer *p, struct maui_rsv_instance **ret)
{
	uint32_t count = p->input->count, total = 0, at = 0;
	struct windows *windows = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*windows));

	p->first = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*p->first));
	if (!windows || !p->first)
		return -1;
	for (uint32_t r = 0; r < count; r++) {
		if (find_windows(p, r, windows))
			return -1;
		total += windows[r].count;
	}
	*ret = maui_arena_alloc(p->arena, (total + 1u) * sizeof(**ret));
	if (!*ret)
		return -1;
	for (uint32_t r = 0; r < count; r++) {
		p->first[r] = at;
		for (uint32_t i = 0; i < windows[r].count; i++) {
			if (is_skipped(p->input, r, windows[r].list[i].day))
				continue;
			(*ret)[at] = windows[r].list[i];
			(*ret)[at++].rsv = r;
		}
	}
	p->first[count] = p->work_count = at;
	return 0;
}

/* ---- what the last plan knew ---- */

struct known {
	uint32_t *first; /* of each reservation, of `list`; one more */
	uint32_t *list;  /* indices of input->before */
};

/* The last plan's instances by reservation. */
static int sort_before(struct maui_standing_placer *p, struct known *ret)
{
	const struct maui_standing_input *input = p->input;

	ret->first = maui_arena_alloc(p->arena, (input->count + 2u) * sizeof(*ret->first));
	ret->list = maui_arena_alloc(p->arena, (input->before_count + 1u) * sizeof(*ret->list));
	if (!ret->first || !ret->list)
		return -1;
	for (uint32_t i = 0; i < input->before_count; i++)
		if (input->before[i].rsv < input->count)
			ret->first[input->before[i].rsv + 2]++;
	for (uint32_t r = 2; r <= input->count + 1; r++)
		ret->first[r] += ret->first[r - 1];
	for (uint32_t i = 0; i < input->before_count; i++)
		if (input->before[i].rsv < input->count)
			ret->list[ret->first[input->before[i].rsv + 1]++] = i;
	return 0;
}

static const struct maui_rsv_instance *find_before(const struct maui_standing_placer *p,
						   const struct known *known, uint32_t rsv,
						   int32_t day)
{
	for (uint32_t i = known->first[rsv]; i < known->first[rsv + 1]; i++) {
		const struct maui_rsv_instance *before = &p->input->before[known->list[i]];

		if (before->day == day && before->made)
			return before;
	}
	return NULL;
}

/* INFINITY begins when it was first made, or now, when the clock was set back to before that;
 * TIMEFLEX where it was shifted to. */
static void set_times(struct maui_standing_work *w)
{
	struct maui_rsv_instance *i = w->instance;
	const struct maui_rsv_instance *before = w->before;

	if (!before)
		return;
	if ((w->rsv->period == MAUI_RSV_INFINITY && before->start_s < i->start_s) ||
	    (maui_rsv_has(w->rsv, MAUI_RSV_TIMEFLEX) && before->start_s > i->start_s &&
	     before->start_s < i->end_s))
		i->start_s = before->start_s;
	w->changed = (i->start_s != before->start_s && w->rsv->period != MAUI_RSV_INFINITY) ||
		     i->end_s != before->end_s;
}

static int make_works(struct maui_standing_placer *p, struct maui_rsv_instance *list)
{
	struct known known;

	p->works = maui_arena_alloc(p->arena, (p->work_count + 1u) * sizeof(*p->works));
	if (!p->works || sort_before(p, &known))
		return -1;
	for (uint32_t k = 0; k < p->work_count; k++) {
		struct maui_standing_work *w = &p->works[k];
		struct maui_rsv_instance *i = &list[k];

		*w = (struct maui_standing_work){ .instance = i,
						  .rsv = p->input->list[i->rsv],
						  .target = &p->input->targets->list[i->rsv],
						  .before =
							  find_before(p, &known, i->rsv, i->day) };
		i->places = NULL;
		i->place_count = 0;
		i->made = true;
		i->wanted = w->left = w->rsv->task_count;
		i->missing = 0;
		w->whole = maui_standing_is_whole(w->rsv);
		set_times(w);
		w->from = i->start_s > p->now ? i->start_s : p->now;
	}
	return 0;
}

/* ---- the order of reservations, and which act as one ---- */

struct by_priority {
	int64_t priority;
	uint32_t rsv;
};

static int compare_priority(const void *a, const void *b)
{
	const struct by_priority *one = a, *two = b;

	if (one->priority != two->priority)
		return one->priority > two->priority ? -1 : 1;
	return (one->rsv > two->rsv) - (one->rsv < two->rsv);
}

static int sort_priority(struct maui_standing_placer *p)
{
	uint32_t count = p->input->count;
	struct by_priority *list = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*list));

	p->order = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*p->order));
	if (!list || !p->order)
		return -1;
	for (uint32_t r = 0; r < count; r++)
		list[r] = (struct by_priority){ p->input->list[r]->priority, r };
	qsort(list, count, sizeof(*list), compare_priority);
	for (uint32_t r = 0; r < count; r++)
		p->order[r] = list[r].rsv;
	return 0;
}

/* When in its period a reservation begins and ends, and when one begins that adjoins its end. */
struct clock {
	int64_t start, end, next;
};

static struct clock clock_of(const struct maui_rsv *rsv)
{
	int64_t period = rsv->period == MAUI_RSV_DAY ? 86400 : 7 * 86400;
	int64_t end = rsv->end_s > 0 && rsv->end_s < period ? rsv->end_s : period;

	return (struct clock){ rsv->start_s, end, end % period };
}

static bool clocks_adjoin(const struct clock *a, const struct clock *b)
{
	return (a->next == b->start || b->next == a->start) &&
	       !(a->start < b->end && b->start < a->end);
}

static bool are_alike(const struct maui_rsv *a, const struct maui_rsv *b)
{
	return a->period == b->period && a->period <= MAUI_RSV_WEEK &&
	       a->task.procs == b->task.procs && a->task.mem_mb == b->task.mem_mb &&
	       a->task.disk_mb == b->task.disk_mb;
}

/* Whether any of the others begins where it ends by the clock, or the other way round. */
static bool adjoins_any(const struct clock *clocks, uint32_t count, uint32_t a)
{
	for (uint32_t b = 0; b < count; b++)
		if (clocks_adjoin(&clocks[a], &clocks[b]))
			return true;
	return false;
}

/* The first behind it that it adjoins, that has the same tasks, and no partner yet. */
static uint32_t partner_of(const struct maui_standing_placer *p, const struct clock *clocks,
			   uint32_t a)
{
	const struct maui_rsv *const *list = p->input->list;

	for (uint32_t b = a + 1; b < p->input->count; b++)
		if (clocks_adjoin(&clocks[a], &clocks[b]) &&
		    p->partners[b] == MAUI_STANDING_NONE && are_alike(list[a], list[b]))
			return b;
	return MAUI_STANDING_NONE;
}

/* By the clock one ends where the other begins, and tasks are the same. Few are the times that
 * sites have: whether it is worth to look for one is found out once for those alike. */
static int find_partners(struct maui_standing_placer *p)
{
	const struct maui_rsv *const *list = p->input->list;
	uint32_t count = p->input->count;
	struct clock *clocks = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*clocks));
	bool *adjoins = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*adjoins));

	p->partners = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*p->partners));
	if (!p->partners || !clocks || !adjoins)
		return -1;
	for (uint32_t a = 0; a < count; a++) {
		p->partners[a] = MAUI_STANDING_NONE;
		clocks[a] = clock_of(list[a]);
	}
	for (uint32_t a = 0; a < count; a++) {
		uint32_t like = maui_standing_like(list, a), b;

		adjoins[a] = like < a ? adjoins[like] : adjoins_any(clocks, count, a);
		if (!adjoins[a] || p->partners[a] != MAUI_STANDING_NONE)
			continue;
		b = partner_of(p, clocks, a);
		p->partners[a] = b;
		if (b != MAUI_STANDING_NONE)
			p->partners[b] = a;
	}
	return 0;
}

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

/* In the order of PRIORITY, then of the list. */
static int keep(struct maui_standing_placer *p, bool tolerant, bool changed)
{
	for (uint32_t k = 0; k < p->input->count; k++) {
		uint32_t rsv = p->order[k], first = p->first[rsv];

		if ((changed || maui_standing_tolerates(p->input->list[rsv]) == tolerant) &&
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
		if (sign > 0 ?
			    maui_timeline_take(p->t, n, p->now, node->usable_from_s, node->have, 0) :
			    maui_timeline_give(p->t, n, p->now, node->usable_from_s, node->have))
			return -1;
	}
	return 0;
}

static int run(struct maui_standing_placer *p)
{
	if (maui_standing_ledger(p) || keep(p, false, false) || hold_claims(p) ||
	    keep(p, true, false) || lock(p) || keep(p, true, true))
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

		i->run_end_s = k + 1 < p->work_count && adjoin(i, i + 1) ? i[1].run_end_s :
									   i->end_s;
	}
}

static int finish(struct maui_standing_placer *p)
{
	struct maui_claim *claims = maui_arena_alloc(p->arena,
						     (p->work_count + 1u) * sizeof(*claims));
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
					  .plain = *snapshot };
	int rc;

	p.plain.shares_tasks = false;
	if (list_windows(&p, ret) || make_works(&p, *ret) || sort_priority(&p) ||
	    find_partners(&p) || silence(&p, -1) || promise(&p, 1))
		return -1;
	rc = run(&p);
	if (promise(&p, -1) || silence(&p, 1) || rc || finish(&p))
		return -1;
	*ret_count = p.work_count;
	return 0;
}
