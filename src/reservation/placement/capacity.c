/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capacity.c - how many tasks of a reservation a node has room for
 *
 * Processors are given out in multiples of the node's unit, so that tasks share what the last one
 * leaves of a core. A whole node has nobody else on it.
 */

#include "reservation/placement/private.h"

bool maui_standing_is_whole(const struct maui_rsv *rsv)
{
	return rsv->task.procs < 0 || maui_rsv_has(rsv, MAUI_RSV_DEDICATEDNODE);
}

static int64_t round_up(int64_t value, uint32_t unit)
{
	return unit > 1 ? (value + unit - 1) / unit * unit : value;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static unsigned amounts_of(const struct maui_snapshot *s)
{
	return s->amount_count < MAUI_STANDING_AMOUNTS ? s->amount_count : MAUI_STANDING_AMOUNTS;
}

/* Tasks by one dimension: `want` of each; -1: all that the node has. */
static int64_t by_amount(int64_t want, int64_t free_amount, int64_t have)
{
	if (want < 0)
		return free_amount >= have;
	return free_amount > 0 ? free_amount / want : 0;
}

int64_t maui_standing_tasks_in(const struct maui_snapshot *s, const struct maui_rsv *rsv,
			       const struct maui_node *node, const int64_t *amounts)
{
	const int64_t want[] = { rsv->task.procs, rsv->task.mem_mb, rsv->task.disk_mb };
	int64_t tasks = INT64_MAX;

	if (rsv->task.procs < 0)
		return 1;
	for (unsigned d = 0; d < amounts_of(s); d++) {
		int64_t there = amounts[d];

		if (want[d] == 0)
			continue;
		if (d == MAUI_AMOUNT_PROCS && node->unit > 1)
			there = there / node->unit * node->unit;
		tasks = least(tasks, by_amount(want[d], there, node->have[d]));
	}
	return tasks == INT64_MAX ? 0 : tasks; /* a task of nothing is nowhere */
}

void maui_standing_amounts(const struct maui_snapshot *s, const struct maui_rsv *rsv,
			   const struct maui_node *node, int64_t tasks, int64_t *ret)
{
	const int64_t want[] = { rsv->task.procs, rsv->task.mem_mb, rsv->task.disk_mb };

	for (unsigned d = 0; d < MAUI_STANDING_AMOUNTS; d++)
		ret[d] = d >= amounts_of(s) ? 0 : want[d] < 0 ? node->have[d] : tasks * want[d];
	ret[MAUI_AMOUNT_PROCS] = round_up(ret[MAUI_AMOUNT_PROCS], node->unit);
}

int64_t maui_standing_procs(const struct maui_snapshot *snapshot, const struct maui_rsv *rsv,
			    const struct maui_rsv_place *place)
{
	int64_t have = snapshot->nodes[place->node].have[MAUI_AMOUNT_PROCS];

	return maui_standing_is_whole(rsv) ? have : least(place->tasks * rsv->task.procs, have);
}

int64_t maui_standing_capacity(const struct maui_snapshot *s, const struct maui_rsv *rsv,
			       uint32_t node)
{
	int64_t tasks = maui_standing_tasks_in(s, rsv, &s->nodes[node], s->nodes[node].have);

	return tasks >= rsv->tasks_per_node ? tasks : 0;
}

/* ---- jobs ---- */

static bool all_free(const struct maui_standing_placer *p, uint32_t node,
		     const struct maui_step *step)
{
	const int64_t *have = p->s->nodes[node].have;

	for (unsigned d = 0; d < p->t->amount_count; d++)
		if (step->free[d] < have[d])
			return false;
	return true;
}

static bool gives_back(const struct maui_standing_placer *p, const struct maui_step *step,
		       const struct maui_step *next)
{
	for (unsigned d = 0; d < p->t->amount_count; d++)
		if (next->free[d] < step->free[d])
			return false;
	return true;
}

/* How it goes on from now: until when somebody is there, and whether jobs only end. */
static void find_now(struct maui_standing_placer *p, uint32_t node)
{
	const struct maui_line *line = &p->t->lines[node];
	uint32_t now = maui_timeline_at(p->t, node, p->now), free = now;

	while (free < line->count && !all_free(p, node, maui_line_step(p->t, line, free)))
		free++;
	p->busy_until[node] =
		free < line->count ? maui_line_step(p->t, line, free)->at : MAUI_NEVER;
	p->only_end[node] = true;
	for (uint32_t k = now + 1; k < line->count && p->only_end[node]; k++)
		p->only_end[node] = gives_back(p, maui_line_step(p->t, line, k - 1),
					       maui_line_step(p->t, line, k));
}

static void find_jobs(struct maui_standing_placer *p, uint32_t node)
{
	const struct maui_line *line = &p->t->lines[node];
	uint32_t first = line->count;
	int64_t from;

	while (first > 0 && all_free(p, node, maui_line_step(p->t, line, first - 1)))
		first--;
	from = first == line->count ? MAUI_NEVER :
	       first == 0           ? INT64_MIN :
				      maui_line_step(p->t, line, first)->at;
	if (from < p->s->nodes[node].usable_from_s)
		from = p->s->nodes[node].usable_from_s;
	p->idle_from[node] = from;
	find_now(p, node);
	p->jobs_known[node] = true;
}

/* Whether a node is up, and no job is on it at any time from a moment on. */
static inline bool is_idle(struct maui_standing_placer *p, uint32_t node, int64_t from)
{
	if (!p->jobs_known[node])
		find_jobs(p, node);
	return p->idle_from[node] <= from;
}

/* ---- a walk along a node's time ---- */

struct scan {
	struct maui_standing_placer *p;
	const struct maui_standing_ask *ask;
	const struct maui_node *node;
	uint32_t index;
	const struct maui_standing_step *held, *held_end;
	const struct maui_line *line; /* NULL: jobs do not count, or there are none */
	uint32_t step;
	int64_t own[MAUI_STANDING_AMOUNTS]; /* of what is held, the work's own: no hindrance */
	uint32_t own_whole;
	bool own_sole;
};

static int64_t next_held(const struct scan *s)
{
	return s->held + 1 < s->held_end ? s->held[1].at : MAUI_NEVER;
}

static int64_t next_job(const struct scan *s)
{
	return s->line ? maui_line_until(s->p->t, s->line, s->step) : MAUI_NEVER;
}

/* To the next moment at which anything changes. */
static int64_t advance(struct scan *s)
{
	int64_t held = next_held(s), job = next_job(s), at = least(held, job);

	if (at != MAUI_NEVER) {
		s->held += held == at;
		s->step += job == at;
	}
	return at;
}

/* Somebody has the node alone, who keeps the work off. */
static bool is_kept_off(const struct scan *s)
{
	bool user = s->ask->work->rsv->by_user;

	return s->held->sole > (!user && s->own_sole) || (user && s->held->sole_user > s->own_sole);
}

/* No reservation but the work itself is on the node. */
static bool alone(const struct scan *s)
{
	if (s->held->whole > s->own_whole)
		return false;
	for (unsigned d = 0; d < s->p->amounts; d++)
		if (s->held->used[d] > s->own[d])
			return false;
	return true;
}

/* Tasks at this moment, the work's own included. */
static int64_t tasks_now(const struct scan *s)
{
	const struct maui_step *step = s->line ? maui_line_step(s->p->t, s->line, s->step) : NULL;
	int64_t there[MAUI_STANDING_AMOUNTS] = { 0 };
	bool rsvs = s->ask->rsvs;

	if (is_kept_off(s) || (rsvs && maui_rsv_is_exclusive(s->ask->work->rsv) && !alone(s)))
		return 0;
	if (s->ask->work->whole) {
		if ((step && !all_free(s->p, s->index, step)) || (rsvs && !alone(s)))
			return 0;
		return maui_standing_tasks_in(s->p->s, s->ask->work->rsv, s->node, s->node->have);
	}
	if (rsvs && s->held->whole > s->own_whole)
		return 0;
	for (unsigned d = 0; d < s->p->amounts; d++)
		there[d] = (step ? step->free[d] : s->node->have[d]) -
			   (rsvs ? s->held->used[d] - s->own[d] : 0);
	return maui_standing_tasks_in(s->p->s, s->ask->work->rsv, s->node, there);
}

/* The least during the span of the ask; *ret_until: when the room ends. */
static int64_t scan_line(struct scan *s, int64_t *ret_until)
{
	int64_t at = s->ask->from, tasks = INT64_MAX;

	while (at < s->ask->until || (s->ask->want_until && at != MAUI_NEVER)) {
		int64_t now = tasks_now(s);

		if (at < s->ask->until)
			tasks = least(tasks, now);
		if (now == 0 || tasks == 0)
			break;
		at = advance(s);
	}
	*ret_until = at;
	return tasks == INT64_MAX ? 0 : tasks;
}

static void start_scan(struct scan *s, bool jobs)
{
	static const struct maui_standing_step nothing = { .at = INT64_MIN };
	const struct maui_standing_profile *profile = s->p->profiles[s->index];

	bool look = s->ask->rsvs || s->p->any_sole;

	s->held = look ? maui_standing_step(profile, s->ask->from) : &nothing;
	s->held_end = look ? profile->steps + profile->count : &nothing + 1;
	if (jobs && !is_idle(s->p, s->index, s->ask->from)) {
		s->line = &s->p->t->lines[s->index];
		s->step = maui_timeline_at(s->p->t, s->index, s->ask->from);
	}
}

static void set_own(struct scan *s, int64_t has)
{
	if (has == 0)
		return;
	s->own_sole = maui_rsv_is_exclusive(s->ask->work->rsv);
	if (!s->ask->rsvs)
		return;
	if (s->ask->work->whole)
		s->own_whole = 1;
	else
		maui_standing_amounts(s->p->s, s->ask->work->rsv, s->node, has, s->own);
}

void maui_standing_begin(struct maui_standing_placer *p, struct maui_standing_ask *ask)
{
	ask->turn = ++p->turn;
}

int64_t maui_standing_beside(struct maui_standing_placer *p, const struct maui_standing_ask *ask,
			     uint32_t node)
{
	struct scan s = { .p = p, .ask = ask, .node = &p->s->nodes[node], .index = node };
	int64_t ignored;

	set_own(&s, maui_standing_has(p, ask->work, node));
	start_scan(&s, ask->jobs);
	return scan_line(&s, &ignored);
}

/* ---- of a profile: as if neither a job nor the work itself were on the node ---- */

/* How much may be held of a node that is to have room for a task. */
static void find_limits(struct maui_standing_placer *p, const struct maui_standing_ask *ask,
			const struct maui_node *node)
{
	const struct maui_rsv *rsv = ask->work->rsv;
	const int64_t want[] = { rsv->task.procs, rsv->task.mem_mb, rsv->task.disk_mb };
	struct maui_standing_limits *limits = &p->limits;
	bool alone = ask->work->whole || maui_rsv_is_exclusive(rsv);

	*limits = (struct maui_standing_limits){ .turn = ask->turn,
						 .class_index = node->class_index,
						 .rsvs = ask->rsvs,
						 .by_user = rsv->by_user };
	for (unsigned d = 0; d < MAUI_STANDING_AMOUNTS && !alone; d++)
		limits->most[d] = d >= p->amounts || want[d] == 0 ? INT64_MAX :
				  want[d] < 0                     ? 0 :
								    node->have[d] - want[d];
	if (!alone && want[MAUI_AMOUNT_PROCS] > 0)
		limits->most[MAUI_AMOUNT_PROCS] = node->have[MAUI_AMOUNT_PROCS] -
						  round_up(want[MAUI_AMOUNT_PROCS], node->unit);
}

static inline bool has_room(const struct maui_standing_step *step,
			    const struct maui_standing_limits *limits)
{
	if (step->sole > 0 || (limits->by_user && step->sole_user > 0))
		return false;
	if (!limits->rsvs)
		return true;
	for (unsigned d = 0; d < MAUI_STANDING_AMOUNTS; d++)
		if (step->used[d] > limits->most[d])
			return false;
	return step->whole == 0;
}

static bool holds_more(const struct maui_standing_step *a, const struct maui_standing_step *b)
{
	bool more = a->whole > b->whole || a->sole > b->sole || a->sole_user > b->sole_user;

	for (unsigned d = 0; d < MAUI_STANDING_AMOUNTS; d++)
		more |= a->used[d] > b->used[d];
	return more;
}

/* Tasks during the span of the ask, and when there is no room any more. */
static void scan_profile(struct maui_standing_placer *p, const struct maui_standing_ask *ask,
			 const struct maui_node *node, struct maui_standing_profile *profile)
{
	const struct maui_standing_limits *limits = &p->limits;
	const struct maui_standing_step *end = profile->steps + profile->count, *last;
	const struct maui_standing_step *step = maui_standing_step(profile, ask->from);
	int64_t there[MAUI_STANDING_AMOUNTS] = { 0 };

	if (limits->turn != ask->turn || limits->class_index != node->class_index)
		find_limits(p, ask, node);
	profile->tasks = 0;
	if (ask->from >= ask->until)
		return;
	for (unsigned d = 0; d < p->amounts; d++)
		there[d] = node->have[d];
	for (last = step; step < end && step->at < ask->until; last = step++) {
		if (!has_room(step, limits))
			return;
		for (unsigned d = 0; limits->rsvs && d < p->amounts; d++)
			there[d] = least(there[d], node->have[d] - step->used[d]);
	}
	profile->tasks = maui_standing_tasks_in(p->s, ask->work->rsv, node, there);
	profile->more_s = MAUI_NEVER;
	for (; step < end && has_room(step, limits); step++)
		if (profile->more_s == MAUI_NEVER && holds_more(step, last))
			profile->more_s = step->at;
	profile->until_s = step < end ? step->at : MAUI_NEVER;
	profile->more_s = least(profile->more_s, profile->until_s);
}

void maui_standing_find_out(struct maui_standing_placer *p, const struct maui_standing_ask *ask,
			    uint32_t node)
{
	if (!p->jobs_known[node])
		find_jobs(p, node);
	if (p->profiles[node]->asked != ask->turn) {
		scan_profile(p, ask, &p->s->nodes[node], p->profiles[node]);
		p->profiles[node]->asked = ask->turn;
	}
}

static bool is_asked(const struct maui_standing_placer *p, const struct maui_standing_ask *ask,
		     uint32_t node)
{
	bool up = maui_standing_is_up(p, node, ask->from);

	return ask->silent ? !up && maui_standing_is_silent(p, node) : up;
}

/* With jobs and what the work has there. */
static int64_t room_on_node(struct maui_standing_placer *p, const struct maui_standing_ask *ask,
			    uint32_t node, int64_t has, int64_t *ret_until)
{
	struct scan s = { .p = p, .ask = ask, .node = &p->s->nodes[node], .index = node };

	set_own(&s, has);
	start_scan(&s, ask->jobs);
	return scan_line(&s, ret_until);
}

int64_t maui_standing_room(struct maui_standing_placer *p, const struct maui_standing_ask *ask,
			   uint32_t node, int64_t *ret_until)
{
	int64_t has = maui_standing_has(p, ask->work, node), tasks = 1;

	*ret_until = MAUI_NEVER;
	if (!ask->kept && (!is_asked(p, ask, node) || (has == 0 && p->input->res_depth > 0 &&
						       p->depth[node] >= p->input->res_depth)))
		return 0;
	if (has == 0) {
		maui_standing_know(p, ask, node);
		tasks = p->profiles[node]->tasks;
		*ret_until = p->profiles[node]->until_s;
	}
	if (ask->ending && has == 0 && *ret_until == MAUI_NEVER)
		return 0;
	if (has > 0 || (tasks > 0 && ask->jobs && !is_idle(p, node, ask->from)))
		tasks = room_on_node(p, ask, node, has, ret_until);
	if (!ask->kept && tasks < ask->work->rsv->tasks_per_node)
		return 0;
	return tasks > has ? tasks - has : 0;
}

bool maui_standing_is_sole(struct maui_standing_placer *p, const struct maui_standing_work *w,
			   uint32_t node, int64_t from, int64_t until)
{
	const struct maui_standing_profile *profile = p->profiles[node];
	const struct maui_standing_step *end = profile->steps + profile->count;

	if (!p->any_sole)
		return false;
	for (const struct maui_standing_step *step = maui_standing_step(profile, from);
	     step < end && step->at < until; step++)
		if (step->sole > 0 || (w->rsv->by_user && step->sole_user > 0))
			return true;
	return false;
}

bool maui_standing_is_free(struct maui_standing_placer *p, uint32_t node, int64_t from,
			   int64_t until)
{
	static const struct maui_rsv any = { .task = { .procs = -1 } };
	const struct maui_standing_work work = { .rsv = &any, .whole = true };
	const struct maui_standing_ask ask = {
		.work = &work, .from = from, .until = until, .jobs = true, .rsvs = true
	};
	struct scan s = { .p = p, .ask = &ask, .node = &p->s->nodes[node], .index = node };
	int64_t ignored;

	start_scan(&s, true);
	return scan_line(&s, &ignored) > 0;
}
