/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remaining.c - how many more tasks of a reservation a node takes during a span
 *
 * In: amounts of jobs (the timeline's line of the node) and of reservations (node_use.c). Out: the
 * least number of tasks at any moment of the span. A reservation of whole nodes shares a node with
 * no other reservation.
 *
 * Rules: RSV-29.
 */

#include "reservation/placement/private.h"

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* ---- jobs ---- */

static bool all_free(const struct maui_placement *p, uint32_t node, const struct maui_step *step)
{
	const int64_t *have = p->s->nodes[node].have;

	for (unsigned d = 0; d < p->t->amount_count; d++)
		if (step->free[d] < have[d])
			return false;
	return true;
}

void maui_placement_find_jobs(struct maui_placement *p, uint32_t node)
{
	const struct maui_line *line = &p->t->lines[node];
	uint32_t last = line->count, first = maui_timeline_step_at(p->t, node, p->now);
	int64_t from, usable = p->s->nodes[node].usable_from_s;

	while (last > 0 && all_free(p, node, maui_line_step(p->t, line, last - 1)))
		last--;
	from = last == line->count ? MAUI_NEVER :
	       last == 0           ? INT64_MIN :
				     maui_line_step(p->t, line, last)->at;
	p->idle_from[node] = from > usable ? from : usable;
	while (first < line->count && !all_free(p, node, maui_line_step(p->t, line, first)))
		first++;
	p->busy_until[node] =
		first < line->count ? maui_line_step(p->t, line, first)->at : MAUI_NEVER;
}

/* ---- a walk along the time of a node ---- */

struct walk {
	const struct maui_placement *p;
	const struct maui_placement_ask *ask;
	uint32_t node;
	const struct maui_use_step *use, *use_end;
	const struct maui_line *line; /* NULL: jobs do not count, or the node has none */
	uint32_t step;
	/* amounts of the current item there, which do not count */
	int64_t own[MAUI_PLACEMENT_AMOUNTS];
	uint32_t own_whole;
	bool own_exclusive;
};

static struct walk start_walk(const struct maui_placement *p, const struct maui_placement_ask *ask,
			      uint32_t node, bool jobs, int64_t has)
{
	static const struct maui_use_step nothing = { .at = INT64_MIN };
	const struct maui_node_use *use = &p->use[node];
	bool look = ask->rsvs || p->any_exclusive;
	struct walk w = { .p = p,
			  .ask = ask,
			  .node = node,
			  .use = look ? maui_node_use_at(use, ask->from) : &nothing,
			  .use_end = look ? use->steps + use->count : &nothing + 1 };

	if (jobs && p->idle_from[node] > ask->from) {
		w.line = &p->t->lines[node];
		w.step = maui_timeline_step_at(p->t, node, ask->from);
	}
	if (has == 0)
		return w;
	w.own_exclusive = maui_rsv_is_exclusive(ask->item->rsv);
	if (ask->rsvs && ask->item->whole)
		w.own_whole = 1;
	else if (ask->rsvs)
		maui_placement_amounts(p->s, ask->item->rsv, &p->s->nodes[node], has, w.own);
	return w;
}

/* Goes to the next moment with a change and returns it; MAUI_NEVER: no further change. */
static int64_t advance(struct walk *w)
{
	int64_t use = w->use + 1 < w->use_end ? w->use[1].at : MAUI_NEVER;
	int64_t job = w->line ? maui_line_step_end(w->p->t, w->line, w->step) : MAUI_NEVER;
	int64_t at = least(use, job);

	if (at != MAUI_NEVER) {
		w->use += use == at;
		w->step += job == at;
	}
	return at;
}

/* Whether an exclusive reservation keeps the item off. */
static bool is_kept_off(const struct walk *w)
{
	bool user = w->ask->item->rsv->by_user;

	return w->use->exclusive > (!user && w->own_exclusive) ||
	       (user && w->use->exclusive_user > w->own_exclusive);
}

/* Whether no other reservation is on the node. */
static bool is_alone(const struct walk *w)
{
	if (w->use->whole > w->own_whole)
		return false;
	for (unsigned d = 0; d < w->p->amounts; d++)
		if (w->use->used[d] > w->own[d])
			return false;
	return true;
}

/* Tasks at this moment, those of the current item included. */
static int64_t tasks_now(const struct walk *w)
{
	const struct maui_rsv *rsv = w->ask->item->rsv;
	const struct maui_node *node = &w->p->s->nodes[w->node];
	const struct maui_step *step = w->line ? maui_line_step(w->p->t, w->line, w->step) : NULL;
	int64_t there[MAUI_PLACEMENT_AMOUNTS] = { 0 };
	bool rsvs = w->ask->rsvs;

	if (is_kept_off(w) || (rsvs && maui_rsv_is_exclusive(rsv) && !is_alone(w)))
		return 0;
	if (w->ask->item->whole) {
		if ((step && !all_free(w->p, w->node, step)) || (rsvs && !is_alone(w)))
			return 0;
		return maui_placement_tasks_in(w->p->s, rsv, node, node->have);
	}
	if (rsvs && w->use->whole > w->own_whole)
		return 0;
	for (unsigned d = 0; d < w->p->amounts; d++)
		there[d] = (step ? step->free[d] : node->have[d]) -
			   (rsvs ? w->use->used[d] - w->own[d] : 0);
	return maui_placement_tasks_in(w->p->s, rsv, node, there);
}

/* The least number of tasks during the span of the ask. *ret_end, unless NULL: the first moment of
 * the span at which no task fits; MAUI_NEVER. */
static int64_t least_tasks(struct walk *w, int64_t *ret_end)
{
	int64_t at = w->ask->from, tasks = INT64_MAX;

	while (at < w->ask->until || (ret_end && at != MAUI_NEVER)) {
		int64_t now = tasks_now(w);

		if (at < w->ask->until)
			tasks = least(tasks, now);
		if (now == 0 || tasks == 0)
			break;
		at = advance(w);
	}
	if (ret_end)
		*ret_end = at;
	return tasks == INT64_MAX ? 0 : tasks;
}

/* ---- answers ---- */

int64_t maui_placement_fitting(struct maui_placement *p, const struct maui_placement_ask *ask,
			       uint32_t node)
{
	struct walk w =
		start_walk(p, ask, node, ask->jobs, maui_placement_tasks_on(p, ask->item, node));

	return least_tasks(&w, NULL);
}

/* Whether the item may use the node at all. */
static bool may_come(const struct maui_placement *p, const struct maui_placement_ask *ask,
		     uint32_t node, int64_t has)
{
	bool up = maui_placement_is_up(p, node, ask->from);

	if (ask->silent ? up || !maui_placement_is_silent(p, node) : !up)
		return false;
	return has > 0 || p->input->res_depth <= 0 || p->depth[node] < p->input->res_depth;
}

/* Tasks during the span of the ask; *ret_end does not count an end that only jobs cause. */
static int64_t tasks_and_end(const struct maui_placement *p, const struct maui_placement_ask *ask,
			     uint32_t node, int64_t has, int64_t *ret_end)
{
	struct walk w = start_walk(p, ask, node, ask->jobs, has), no_jobs = w;
	int64_t tasks = least_tasks(&w, ret_end), end;

	if (!ret_end || !w.line || tasks == 0 || *ret_end == MAUI_NEVER)
		return tasks;
	no_jobs.line = NULL;
	least_tasks(&no_jobs, &end);
	if (end == MAUI_NEVER)
		*ret_end = MAUI_NEVER;
	return tasks;
}

int64_t maui_placement_remaining(struct maui_placement *p, const struct maui_placement_ask *ask,
				 uint32_t node, int64_t *ret_end)
{
	const struct maui_node *n = &p->s->nodes[node];
	int64_t has = maui_placement_tasks_on(p, ask->item, node), tasks;

	if (ret_end)
		*ret_end = MAUI_NEVER;
	if (!ask->kept && !may_come(p, ask, node, has))
		return 0;
	/* neither reservations nor jobs are on the node */
	if (p->use[node].count == 1 && p->idle_from[node] <= ask->from)
		tasks = maui_placement_tasks_in(p->s, ask->item->rsv, n, n->have);
	else
		tasks = tasks_and_end(p, ask, node, has, ret_end);
	if (!ask->kept && tasks < ask->item->rsv->tasks_per_node)
		return 0;
	return tasks > has ? tasks - has : 0;
}

bool maui_placement_is_kept_off(const struct maui_placement *p,
				const struct maui_placement_item *item, uint32_t node, int64_t from,
				int64_t until)
{
	const struct maui_node_use *use = &p->use[node];
	const struct maui_use_step *end = use->steps + use->count;

	if (!p->any_exclusive)
		return false;
	for (const struct maui_use_step *step = maui_node_use_at(use, from);
	     step < end && step->at < until; step++)
		if (step->exclusive > 0 || (item->rsv->by_user && step->exclusive_user > 0))
			return true;
	return false;
}

bool maui_placement_is_free(struct maui_placement *p, uint32_t node, int64_t from, int64_t until)
{
	static const struct maui_rsv any = { .task = { .procs = -1 } };
	const struct maui_placement_item item = { .rsv = &any, .whole = true };
	const struct maui_placement_ask ask = {
		.item = &item, .from = from, .until = until, .jobs = true, .rsvs = true
	};
	struct walk w = start_walk(p, &ask, node, true, 0);

	return least_tasks(&w, NULL) > 0;
}
