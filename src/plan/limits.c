/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.c - throttling in a plan: the only file that calls policy/throttle
 *
 * Active jobs are counted only if some idle job has limits, or if a priority factor weighs what the
 * job's user is running.
 *
 * How many nodes a job gets, how many processors of whole nodes or cores, how much memory and how
 * many GPUs on all of them, is known when it is placed. Until then it counts what it asks for, or
 * the least that it could get, and each placement is judged once more.
 *
 * Rules: THR-1, THR-19.
 */

#include <string.h>

#include "model/gres.h"
#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"
#include "policy/quantities.h"

static bool weighs_use(const struct maui_plan_creds *c)
{
	const double *weight = c->priority.weights->weight;

	return weight[MAUI_FACTOR_UPROC] != 0 || weight[MAUI_FACTOR_UJOB] != 0;
}

struct maui_demand maui_plan_demand(const struct maui_snapshot *snapshot, int64_t now_s,
				    const struct maui_active *active, bool suspended,
				    int64_t *ret_end)
{
	struct maui_job job = active->job;
	struct maui_demand demand;

	*ret_end = suspended             ? MAUI_THROTTLE_NEVER :
		   active->end_s > now_s ? active->end_s :
					   now_s + 1;
	job.active = true;
	job.elapsed_s = maui_plan_elapsed_at(now_s, active);
	maui_demand_make(&job, maui_priority_pe(&job, &snapshot->totals), &demand);
	if (suspended) {
		job.procs = 0;
		maui_demand_suspend(&demand, maui_priority_pe(&job, &snapshot->totals));
	}
	return demand;
}

static struct maui_demand demand_of(const struct maui_planner *p, const struct maui_active *active,
				    bool suspended, int64_t *ret_end)
{
	return maui_plan_demand(p->snapshot, p->now, active, suspended, ret_end);
}

static int count_active(struct maui_planner *p, const struct maui_active *active)
{
	const struct maui_plan_creds *c = maui_plan_creds(p, active->creds);
	int64_t end;
	struct maui_demand demand = demand_of(p, active, active->suspended, &end);

	return c->limits ? maui_throttle_add(p->limits.throttle, c->limits, &demand, end) : -1;
}

bool maui_plan_limits_resume(struct maui_planner *p, const struct maui_active *active)
{
	const struct maui_plan_creds *c = maui_plan_creds(p, active->creds);
	int64_t end, never;
	struct maui_demand running = demand_of(p, active, false, &end);
	struct maui_demand sleeping = demand_of(p, active, true, &never);
	bool allowed;

	if (!p->limits.counted || !c->limits)
		return true;
	maui_throttle_remove(p->limits.throttle, c->limits, &sleeping, never);
	allowed = maui_throttle_allows(c->limits, &running, MAUI_LIMIT_HARD) &&
		  maui_throttle_spares(p->limits.throttle, c->limits, &running, p->now,
				       maui_when_length(p->now, end));
	if (maui_throttle_add(p->limits.throttle, c->limits, allowed ? &running : &sleeping,
			      allowed ? end : never))
		p->failed = true;
	return allowed;
}

int maui_plan_limits_active(struct maui_planner *p)
{
	size_t amounts = p->snapshot->amount_count;

	p->limits.amounts = maui_arena_alloc(&p->arena, 2 * amounts * sizeof(int64_t));
	if (!p->limits.amounts)
		return -1;
	p->limits.more = p->limits.amounts + amounts;
	p->limits.any = p->limits.counted = false;
	p->limits.moments = 0;
	for (uint32_t j = 0; j < p->snapshot->idle_count; j++) {
		const struct maui_idle *idle = &p->snapshot->idle[j];

		for (uint32_t r = 0; r < idle->row_count; r++) {
			const struct maui_plan_creds *c = maui_plan_creds(p, idle->rows[r].creds);

			p->limits.any |= c->limit_count > 0 || c->capped;
			p->limits.counted |= weighs_use(c);
		}
	}
	p->limits.counted |= p->limits.any;
	if (!p->limits.counted)
		return p->failed ? -1 : 0;
	maui_throttle_clear(p->limits.throttle);
	for (uint32_t a = 0; a < p->snapshot->active_count; a++)
		if (!p->snapshot->active[a].completing && count_active(p, &p->snapshot->active[a]))
			return -1;
	return p->failed ? -1 : 0;
}

void maui_plan_limits_use(const struct maui_planner *p, struct maui_job *job)
{
	const char *user = job->cred[MAUI_CRED_USER];

	if (!p->limits.counted)
		return;
	job->user_procs = maui_throttle_used(p->limits.throttle, MAUI_CRED_USER, user ? user : "",
					     MAUI_RESOURCE_PROC);
	job->user_jobs = maui_throttle_used(p->limits.throttle, MAUI_CRED_USER, user ? user : "",
					    MAUI_RESOURCE_JOB);
}

struct maui_demand maui_plan_idle_demand(const struct maui_snapshot *snapshot,
					 const struct maui_idle *idle,
					 const struct maui_quantities *least)
{
	struct maui_job job = idle->job;
	struct maui_demand demand;

	job.active = false;
	maui_job_raise(&job, least);
	maui_demand_make(&job, maui_priority_pe(&job, &snapshot->totals), &demand);
	return demand;
}

bool maui_plan_has_limits(struct maui_planner *p, const struct maui_plan_entry *e)
{
	return p->limits.of_entry && maui_plan_creds(p, e->creds)->limit_count > 0;
}

bool maui_plan_limits_spent(struct maui_planner *p, const struct maui_plan_entry *e)
{
	return maui_plan_has_limits(p, e) && !e->forced &&
	       p->limits.refusals[p->snapshot->creds[e->creds].user] >= MAUI_PLAN_REFUSALS;
}

void maui_plan_limits_charge(struct maui_planner *p, const struct maui_plan_entry *e)
{
	p->limits.refusals[p->snapshot->creds[e->creds].user]++;
}

struct maui_quantities maui_plan_limits_least(struct maui_planner *p, struct maui_plan_entry *e)
{
	struct maui_quantities none = { 0 };
	struct maui_plan_shape *shape;

	if (!maui_plan_has_limits(p, e) || !maui_plan_shape(p, e))
		return none;
	shape = e->shape->base ? e->shape->base : e->shape;
	if (!shape->has_least) {
		maui_shape_supply_all(&shape->shape, &p->limits.supply);
		maui_quantities_least(p->config, &shape->shape, &p->limits.supply, &shape->least);
	}
	shape->has_least = true;
	return shape->least;
}

static void set_demand(struct maui_planner *p, struct maui_plan_entry *e, uint32_t index)
{
	struct maui_throttle_idle *limit = &p->limits.of_entry[index];
	const struct maui_idle *idle = maui_plan_job(p, e);
	const struct maui_quantities least = maui_plan_limits_least(p, e);
	uint32_t copies = maui_plan_useful_copies(p, idle);

	limit->further = e->copy + 1 == copies ? idle->copies - copies : 0;
	limit->set = maui_plan_creds(p, e->creds)->limits;
	limit->reserved = e->job_rsv != NULL; /* THR-8 */
	limit->demand = maui_plan_idle_demand(p->snapshot, idle, &least);
	p->limits.placed[index] = (struct maui_plan_placed){ .demand = limit->demand };
}

/* The scratch vector has what a job of this shape gets on so many nodes. */
static struct maui_quantities quantities(const struct maui_planner *p,
					 const struct maui_shape *shape, uint32_t nodes)
{
	struct maui_quantities ret;

	maui_shape_set_job_counts(shape, p->limits.amounts);
	maui_quantities_make(p->config, p->snapshot, p->limits.amounts, nodes, &ret);
	return ret;
}

static void clear(const struct maui_planner *p, int64_t *amounts)
{
	memset(amounts, 0, p->snapshot->amount_count * sizeof(*amounts));
}

struct maui_quantities maui_plan_quantities(struct maui_planner *p, const struct maui_shape *shape,
					    uint32_t count)
{
	const struct maui_candidate *list = p->candidates.list;
	const uint32_t *class_of = p->timeline.class_of;

	clear(p, p->limits.amounts);
	for (uint32_t i = 0; i < count; i++) {
		if (i == 0 || list[i].gives != list[i - 1].gives ||
		    class_of[list[i].node] != class_of[list[i - 1].node])
			maui_shape_given(shape, class_of[list[i].node], list[i].gives,
					 p->limits.more);
		for (unsigned d = 0; d < p->snapshot->amount_count; d++)
			p->limits.amounts[d] += p->limits.more[d];
	}
	return quantities(p, shape, count);
}

struct maui_quantities maui_plan_quantities_anywhere(struct maui_planner *p,
						     const struct maui_shape *shape, uint32_t count)
{
	struct maui_shape_most most = { .have = p->limits.more };
	uint32_t nodes = maui_shape_most_nodes(shape, count);

	clear(p, most.have);
	for (uint32_t i = 0; i < count; i++)
		maui_shape_most_add(shape, p->candidates.list[i].node, &most);
	maui_shape_most_given(shape, &most, nodes, p->limits.amounts);
	return quantities(p, shape, nodes);
}

struct maui_quantities maui_plan_quantities_least(struct maui_planner *p,
						  const struct maui_shape *shape, uint32_t count)
{
	struct maui_shape_supply *supply = &p->limits.supply;
	const struct maui_candidate *list = p->candidates.list;
	struct maui_quantities least;

	memset(supply->counts, 0, p->snapshot->class_count * sizeof(*supply->counts));
	supply->most = 0;
	for (uint32_t i = 0; i < count; i++) {
		supply->counts[p->timeline.class_of[list[i].node]] += !list[i].required;
		supply->most = list[i].tasks > supply->most ? list[i].tasks : supply->most;
	}
	maui_quantities_least(p->config, shape, supply, &least);
	return least;
}

void maui_plan_limits_place(struct maui_planner *p, const struct maui_plan_entry *e,
			    const struct maui_quantities *holds)
{
	p->limits.placed[e - p->queue.entries] = (struct maui_plan_placed){
		.holds = *holds,
		.demand = maui_plan_idle_demand(p->snapshot, maui_plan_job(p, e), holds),
	};
}

struct maui_quantities maui_plan_holds(struct maui_planner *p, const struct maui_plan_entry *e,
				       uint32_t count)
{
	const struct maui_quantities unknown = { 0 };

	if (maui_plan_has_limits(p, e))
		return p->limits.placed[e - p->queue.entries].holds;
	return maui_plan_slurm_chooses(p, e) ? unknown :
					       maui_plan_quantities(p, &e->shape->shape, count);
}

void maui_plan_limits_unplace(struct maui_planner *p, const struct maui_plan_entry *e)
{
	size_t index = (size_t)(e - p->queue.entries);

	if (p->limits.of_entry)
		p->limits.placed[index] =
			(struct maui_plan_placed){ .demand = p->limits.of_entry[index].demand };
}

static bool allows_now(const struct maui_planner *p, const struct maui_plan_entry *e,
		       const struct maui_demand *demand, enum maui_limit_level level)
{
	const struct maui_throttle_set *set = p->limits.of_entry[e - p->queue.entries].set;

	return maui_throttle_allows(set, demand, level) &&
	       maui_throttle_spares(p->limits.throttle, set, demand, p->now, e->limit_s);
}

int64_t maui_plan_limits_when_placed(struct maui_planner *p, const struct maui_plan_entry *e,
				     int64_t from)
{
	size_t index = (size_t)(e - p->queue.entries);
	const struct maui_demand *demand;
	int64_t when;

	if (!maui_plan_has_limits(p, e) || e->forced)
		return from;
	demand = &p->limits.placed[index].demand;
	if (from <= p->now && allows_now(p, e, demand, p->limits.level))
		return from;
	when = maui_throttle_earliest(p->limits.throttle, p->limits.of_entry[index].set, demand,
				      p->limits.level, p->now, from, e->limit_s);
	return when <= p->now ? MAUI_NEVER : when;
}

/* A copy with its names, since the decisions may outlive the throttle. NULL without memory. */
static const struct maui_violation *keep_violation(struct maui_planner *p,
						   const struct maui_violation *violation)
{
	struct maui_arena *arena = &p->out->arena;
	struct maui_violation *copy = maui_arena_alloc(arena, sizeof(*copy));

	if (copy) {
		*copy = *violation;
		copy->name = maui_arena_strdup(arena, violation->name);
		copy->second_name = maui_arena_strdup(arena, violation->second_name);
	}
	if (copy && copy->name && (!violation->second_name || copy->second_name))
		return copy;
	p->failed = true;
	return NULL;
}

static void record_violation(struct maui_planner *p, const struct maui_plan_entry *e,
			     const struct maui_violation *violation)
{
	const struct maui_violation *kept = keep_violation(p, violation);

	if (kept)
		maui_plan_add_reason(p, e, MAUI_REASON_LIMIT, kept, MAUI_NEVER);
}

/* Lets the rows of a copy share one word, which says which row counts for the copy. */
static int share(struct maui_planner *p)
{
	uint32_t **of_job =
		maui_arena_alloc(&p->arena, (p->snapshot->idle_count + 1u) * sizeof(uint32_t *));

	if (!of_job)
		return -1;
	for (uint32_t i = 0; i < p->queue.count; i++) {
		const struct maui_plan_entry *e = &p->queue.entries[i];
		const struct maui_idle *idle = maui_plan_job(p, e);

		if (idle->row_count < 2)
			continue;
		if (!of_job[e->job])
			of_job[e->job] = maui_arena_alloc(
				&p->arena, maui_plan_useful_copies(p, idle) * sizeof(uint32_t));
		if (!of_job[e->job])
			return -1;
		p->limits.of_entry[i].stands = &of_job[e->job][e->copy];
	}
	return 0;
}

static void tell(struct maui_planner *p, const struct maui_plan_entry *e,
		 const struct maui_throttle_idle *limit)
{
	const struct maui_plan_creds *c = maui_plan_creds(p, e->creds);
	bool blocked = limit->verdict == MAUI_THROTTLE_BLOCKED;

	p->out->verdicts[e->job].no_accrual |= blocked;
	p->out->verdicts[e->job].fs_capped |= c->capped;
	if (c->capped)
		record_violation(p, e, &c->cap);
	if (blocked && limit->violation.kind == MAUI_VIOLATION_IDLE)
		record_violation(p, e, &limit->violation);
	else if (blocked)
		/* every violated limit, not only the first */
		maui_plan_record_violations(p, e, MAUI_LIMIT_HARD);
}

/* Counts the tasks that an idle limit keeps out although it lets the first task pass. */
static void count_idle_limited(struct maui_planner *p, const struct maui_plan_entry *e,
			       const struct maui_throttle_idle *limit)
{
	struct maui_verdict *verdict = &p->out->verdicts[e->job];
	bool blocked = limit->verdict == MAUI_THROTTLE_BLOCKED &&
		       limit->violation.kind == MAUI_VIOLATION_IDLE && e->copy > 0;

	if (verdict->blocks || !(blocked || limit->further_blocked > 0))
		return;
	verdict->idle_limited += blocked + limit->further_blocked;
	if (!verdict->idle_limit)
		verdict->idle_limit = keep_violation(p, &limit->violation);
}

/* A job counts once, by the first of its rows that may be considered. A limit that keeps one row
 * out does not decide about the other rows, because their class differs. */
static void apply_verdict(struct maui_planner *p, uint32_t index)
{
	struct maui_plan_entry *e = &p->queue.entries[index];
	const struct maui_throttle_idle *limit = &p->limits.of_entry[index];
	bool capped = maui_plan_creds(p, e->creds)->capped;
	bool stands = limit->stands && *limit->stands;

	if (e->forced)
		return;
	if (stands)
		e->primary = *limit->stands - 1 == index;
	if (limit->verdict == MAUI_THROTTLE_BLOCKED || capped) {
		e->state = MAUI_PLAN_OUT;
		if (e->primary && e->copy == 0)
			tell(p, e, limit);
	}
	if (e->primary)
		count_idle_limited(p, e, limit);
}

int maui_plan_limits_idle(struct maui_planner *p)
{
	p->limits.of_entry = NULL;
	if (!p->limits.any)
		return 0;
	p->limits.of_entry =
		maui_arena_alloc(&p->arena, (p->queue.count + 1u) * sizeof(*p->limits.of_entry));
	p->limits.placed =
		maui_arena_alloc(&p->arena, (p->queue.count + 1u) * sizeof(*p->limits.placed));
	p->limits.costs =
		maui_arena_alloc(&p->arena, (p->snapshot->node_count + 1u) * sizeof(int64_t));
	p->limits.refusals =
		maui_arena_alloc(&p->arena, (p->snapshot->cred_count + 2u) * sizeof(uint32_t));
	if (!p->limits.of_entry || !p->limits.placed || !p->limits.costs || !p->limits.refusals ||
	    maui_shape_supply_make(p->snapshot, &p->arena, &p->limits.supply))
		return -1;
	for (uint32_t i = 0; i < p->queue.count; i++)
		set_demand(p, &p->queue.entries[i], i);
	if (share(p))
		return -1;
	maui_throttle_select(p->limits.throttle, p->limits.of_entry, p->queue.count);
	for (uint32_t i = 0; i < p->queue.count; i++)
		apply_verdict(p, i);
	return p->failed ? -1 : 0;
}

static bool is_idle_limited(struct maui_planner *p, const struct maui_plan_entry *e,
			    const struct maui_throttle_idle *limit)
{
	return e->state == MAUI_PLAN_OUT && limit->verdict == MAUI_THROTTLE_BLOCKED &&
	       limit->violation.kind == MAUI_VIOLATION_IDLE &&
	       !maui_plan_creds(p, e->creds)->capped;
}

/* The jobs as the next plan will find them. NULL: no idle limit keeps a job out, or no memory. */
static struct maui_throttle_idle *list_next(struct maui_planner *p)
{
	size_t size = (p->queue.count + 1u) * sizeof(*p->limits.of_entry);
	struct maui_throttle_idle *list;
	bool any = false;

	for (uint32_t i = 0; p->limits.of_entry && p->out->start_count > 0 && i < p->queue.count;
	     i++)
		any |= is_idle_limited(p, &p->queue.entries[i], &p->limits.of_entry[i]);
	if (!any)
		return NULL;
	list = maui_arena_alloc(&p->arena, size);
	if (!list) {
		p->failed = true;
		return NULL;
	}
	memcpy(list, p->limits.of_entry, p->queue.count * sizeof(*list));
	for (uint32_t i = 0; i < p->queue.count; i++)
		if (list[i].stands)
			*list[i].stands = 0;
	for (uint32_t i = 0; i < p->queue.count; i++) {
		list[i].passed_over = p->queue.entries[i].state == MAUI_PLAN_STARTED;
		if (list[i].passed_over && list[i].stands)
			*list[i].stands = i + 1; /* its other rows have left the queue */
	}
	return list;
}

void maui_plan_limits_next(struct maui_planner *p, maui_plan_entry_fn admitted, void *data)
{
	struct maui_throttle_idle *list = list_next(p);

	if (!list)
		return;
	maui_throttle_select(p->limits.throttle, list, p->queue.count);
	for (uint32_t i = 0; i < p->queue.count; i++)
		if (list[i].verdict == MAUI_THROTTLE_ELIGIBLE &&
		    is_idle_limited(p, &p->queue.entries[i], &p->limits.of_entry[i]))
			admitted(p, &p->queue.entries[i], data);
}

bool maui_plan_is_within_limits(const struct maui_planner *p, const struct maui_plan_entry *e,
				enum maui_limit_level level)
{
	const struct maui_throttle_idle *limit;

	if (!p->limits.of_entry || e->forced)
		return true;
	limit = &p->limits.of_entry[e - p->queue.entries];
	return maui_throttle_allows(limit->set, &limit->demand, level);
}

bool maui_plan_place_is_within_limits(const struct maui_planner *p, const struct maui_plan_entry *e,
				      enum maui_limit_level level)
{
	size_t index = (size_t)(e - p->queue.entries);

	return !p->limits.of_entry || e->forced ||
	       maui_throttle_allows(p->limits.of_entry[index].set, &p->limits.placed[index].demand,
				    level);
}

bool maui_plan_limits_allow_start(const struct maui_planner *p, const struct maui_plan_entry *e,
				  enum maui_limit_level level)
{
	if (!p->limits.of_entry || e->forced)
		return true;
	return allows_now(p, e, &p->limits.of_entry[e - p->queue.entries].demand, level);
}

bool maui_plan_limits_may_end(struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_throttle_idle *limit =
		p->limits.of_entry ? &p->limits.of_entry[e - p->queue.entries] : NULL;

	return limit && e->state == MAUI_PLAN_OUT && limit->verdict == MAUI_THROTTLE_BLOCKED &&
	       limit->violation.kind == MAUI_VIOLATION_ACTIVE &&
	       !maui_plan_creds(p, e->creds)->capped;
}

void maui_plan_limits_reserved(struct maui_planner *p, const struct maui_plan_entry *e,
			       int64_t from, bool reserved)
{
	int64_t until = maui_when_add(from, e->limit_s);
	const struct maui_throttle_set *set;
	const struct maui_demand *demand;

	if (!p->limits.of_entry)
		return;
	set = p->limits.of_entry[e - p->queue.entries].set;
	demand = &p->limits.placed[e - p->queue.entries].demand;
	if (!reserved && from <= p->now)
		maui_throttle_remove(p->limits.throttle, set, demand, until);
	else if (!reserved)
		maui_throttle_unplan(p->limits.throttle, set, demand, from, until);
	else if (from <= p->now ? maui_throttle_add(p->limits.throttle, set, demand, until) :
				  maui_throttle_plan(p->limits.throttle, set, demand, from, until))
		p->failed = true;
}

void maui_plan_limits_started(struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (p->limits.of_entry &&
	    maui_throttle_add(p->limits.throttle, p->limits.of_entry[e - p->queue.entries].set,
			      &p->limits.placed[e - p->queue.entries].demand,
			      maui_when_add(p->now, e->limit_s)))
		p->failed = true;
}

int64_t maui_plan_limits_when(struct maui_planner *p, const struct maui_plan_entry *e,
			      enum maui_limit_level level, int64_t from)
{
	const struct maui_throttle_idle *limit;

	if (!p->limits.of_entry)
		return from;
	limit = &p->limits.of_entry[e - p->queue.entries];
	return maui_throttle_earliest(p->limits.throttle, limit->set, &limit->demand, level, p->now,
				      from, e->limit_s);
}

/* What the entry counts: in its last place if limits did not allow that, else without a place. */
static const struct maui_demand *judged(const struct maui_planner *p,
					const struct maui_plan_entry *e)
{
	size_t index = (size_t)(e - p->queue.entries);

	return e->too_much ? &p->limits.placed[index].demand : &p->limits.of_entry[index].demand;
}

bool maui_plan_limits_are_hard(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return p->limits.of_entry && !e->forced &&
	       !maui_throttle_allows(p->limits.of_entry[e - p->queue.entries].set, judged(p, e),
				     MAUI_LIMIT_HARD);
}

struct maui_plan_violations maui_plan_list_violations(struct maui_planner *p,
						      const struct maui_plan_entry *e,
						      enum maui_limit_level level)
{
	const struct maui_throttle_set *set;
	struct maui_plan_violations ret = { 0 };
	size_t room, count;

	if (!p->limits.of_entry)
		return ret;
	set = p->limits.of_entry[e - p->queue.entries].set;
	room = maui_throttle_limit_count(set);
	ret.list = maui_arena_alloc(&p->arena, (room + 1) * sizeof(*ret.list));
	if (!ret.list) {
		p->failed = true;
		return ret;
	}
	count = maui_throttle_violations(set, judged(p, e), level, MAUI_THROTTLE_START, ret.list,
					 room);
	ret.count = count < room ? count : room;
	for (size_t i = 0; i < ret.count; i++)
		ret.list[i].placed = e->too_much;
	return ret;
}

void maui_plan_ask_for_given_back(struct maui_planner *p, const struct maui_plan_entry *e,
				  const struct maui_plan_violations *violations)
{
	for (size_t i = 0; i < violations->count; i++) {
		struct maui_violation *v = &violations->list[i];
		double in_use =
			maui_throttle_in_use(p->limits.of_entry[e - p->queue.entries].set, v);

		v->requested += v->in_use - in_use;
		v->in_use = in_use;
	}
}

void maui_plan_record_list(struct maui_planner *p, const struct maui_plan_entry *e,
			   const struct maui_plan_violations *violations)
{
	for (size_t i = 0; i < violations->count; i++)
		record_violation(p, e, &violations->list[i]);
}

void maui_plan_record_violations(struct maui_planner *p, const struct maui_plan_entry *e,
				 enum maui_limit_level level)
{
	const struct maui_plan_violations violations = maui_plan_list_violations(p, e, level);

	maui_plan_record_list(p, e, &violations);
}
