/* SPDX-License-Identifier: GPL-2.0-or-later */
/* would_start.c - whether a hypothetical job would start now, and what would let it
 *
 * Bounded: a search over time limits and one over numbers of nodes, each by halving, and each step
 * a walk over the nodes (fits.c).
 */

#include "base/duration.h"
#include "explain/made_up.h"
#include "explain/text.h"
#include "policy/quantities.h"
#include "policy/throttle/throttle.h"
#include "reservation/access/access.h"

/* What the functions of private.h need of a job. */
struct made_up {
	struct maui_idle idle;
	struct maui_row row;
	struct maui_plan_job planned;
	struct maui_verdict verdict;
	struct maui_explained_job a;
};

/* Behind all jobs of the plan: the explainer's lists have room for one more. */
static uint32_t number_of(struct maui_explainer *x)
{
	uint32_t job = x->snapshot->idle_count;

	x->kept_for_ever[job] = x->can_start[job] = 0;
	x->line[job] = NULL;
	x->ahead[job] = 0;
	return job;
}

static struct made_up *make(struct maui_explainer *x, const struct maui_offer_question *q)
{
	struct made_up *m = maui_arena_alloc(&x->arena, sizeof(*m));
	const struct maui_request *r = q->request;

	if (!m) {
		x->failed = true;
		return NULL;
	}
	m->row = (struct maui_row){ .partition = q->partition };
	m->idle = (struct maui_idle){ .rows = &m->row,
				      .row_count = 1,
				      .copies = 1,
				      .limit_s = q->limit_s,
				      .advres = q->advres,
				      .procs = maui_request_task_count(r) * r->procs_per_task };
	m->planned = (struct maui_plan_job){ .queued = true,
					     .waits = true,
					     .qos_flags = maui_made_up_flags(x, q) };
	m->verdict = (struct maui_verdict){ .rank = UINT32_MAX, .estimate_s = MAUI_NEVER };
	m->planned.access = maui_made_up_access(x, q);
	m->a = (struct maui_explained_job){ .idle = &m->idle,
					    .row = &m->row,
					    .planned = &m->planned,
					    .verdict = &m->verdict,
					    .cred = q->cred,
					    .job = number_of(x),
					    .limit_s = q->limit_s > 0 ? q->limit_s : 1,
					    .in_set_until_s = maui_node_sets_until(
						    x->plan->config, x->plan->now_s) };
	if (maui_made_up_shape(x, q, r, m->planned.access, true, &m->a.shape))
		return NULL;
	m->a.confined = m->planned.access && m->planned.access->only;
	return m;
}

static bool add_block(struct maui_explainer *x, struct maui_verdict *verdict,
		      enum maui_reason reason, const struct maui_violation *violation)
{
	struct maui_block *block = maui_arena_alloc(&x->arena, sizeof(*block));
	const struct maui_block *last = verdict->blocks;

	if (!block) {
		x->failed = true;
		return false;
	}
	*block = (struct maui_block){ .reason = reason,
				      .violation = violation,
				      .until_s = MAUI_NEVER };
	while (last && last->next)
		last = last->next;
	if (last)
		((struct maui_block *)last)->next = block;
	else
		verdict->blocks = block;
	return true;
}

/* The limits of the job's credentials; NULL: there are none to look at, or no memory. */
static const struct maui_throttle_set *set_of(const struct maui_offer_question *q)
{
	return q->throttle ? maui_throttle_resolve(q->throttle, q->cred) : NULL;
}

/* For a job with this request, which has this shape. */
static struct maui_demand demand_of(struct maui_explainer *x, const struct maui_offer_question *q,
				    const struct maui_request *r, const struct maui_shape *shape,
				    int64_t limit_s)
{
	struct maui_offer_question of = *q;
	struct maui_shape_supply supply;
	struct maui_quantities least = { 0 };

	of.request = r;
	if (maui_shape_supply_make(x->snapshot, &x->arena, &supply)) {
		x->failed = true;
	} else {
		maui_shape_supply_all(shape, &supply);
		maui_quantities_least(x->plan->config, shape, &supply, &least);
	}
	return maui_made_up_demand(x, &of, maui_request_task_count(r) * r->procs_per_task, &least,
				   limit_s);
}

enum { LIMITS_AT_START = MAUI_THROTTLE_START | MAUI_THROTTLE_IDLE };

/* Adds each limit that the job would violate. */
static void check_limits(struct maui_explainer *x, const struct maui_offer_question *q,
			 struct made_up *m)
{
	enum { MOST = 16 };
	const struct maui_throttle_set *set = set_of(q);
	struct maui_violation *list = maui_arena_alloc(&x->arena, MOST * sizeof(*list));
	struct maui_demand demand = demand_of(x, q, q->request, &m->a.shape, m->a.limit_s);
	size_t count;

	x->failed |= !list || (q->throttle && !set);
	if (!set || !list)
		return;
	count = maui_throttle_violations(set, &demand, MAUI_LIMIT_HARD, LIMITS_AT_START, list,
					 MOST);
	for (size_t i = 0; i < count && i < MOST; i++)
		if (!add_block(x, &m->verdict, MAUI_REASON_LIMIT, &list[i]))
			return;
	if (count == 0 && !maui_throttle_spares(q->throttle, set, &demand, x->now_s, m->a.limit_s))
		add_block(x, &m->verdict, MAUI_REASON_PRIORITY, NULL);
}

/* Whether a job that fits with this request and time limit would start. */
static bool nothing_forbids(struct maui_explainer *x, const struct maui_offer_question *q,
			    const struct maui_request *r, const struct maui_shape *shape,
			    int64_t limit_s)
{
	const struct maui_throttle_set *set = set_of(q);
	struct maui_demand demand;

	if (maui_made_up_obstacle(x, q))
		return false;
	if (!q->throttle)
		return true;
	x->failed |= !set;
	if (!set)
		return false;
	demand = demand_of(x, q, r, shape, limit_s);
	return maui_throttle_violations(set, &demand, MAUI_LIMIT_HARD, LIMITS_AT_START, NULL, 0) ==
		       0 &&
	       maui_throttle_spares(q->throttle, set, &demand, x->now_s, limit_s);
}

/* Whether the partition has as many idle processors as the job requests. */
static bool enough_is_idle(const struct maui_explainer *x, const struct made_up *m)
{
	const struct maui_timeline *t = &x->timeline;
	int64_t procs = 0;

	for (uint32_t n = 0; n < x->snapshot->node_count && procs < m->idle.procs; n++) {
		int64_t open = maui_line_step(t, &t->lines[n], 0)->free[MAUI_AMOUNT_PROCS];

		if (m->a.shape.needs[t->class_of[n]].most > 0 && open > 0)
			procs += open;
	}
	return procs >= m->idle.procs;
}

static enum maui_reason resource_reason(const struct maui_explainer *x, const struct made_up *m)
{
	if (m->a.shape.impossible != MAUI_REASON_NONE)
		return m->a.shape.impossible;
	if (maui_fit_global(&x->timeline, &m->a.shape, x->now_s, m->a.limit_s) > x->now_s)
		return MAUI_REASON_LICENCES;
	return m->verdict.enough_idle ? MAUI_REASON_RESERVED : MAUI_REASON_RESOURCES;
}

static bool fits_on(struct maui_explainer *x, const struct maui_offer_question *q,
		    const struct made_up *m, uint32_t nodes)
{
	struct maui_request *r = maui_arena_alloc(&x->arena, sizeof(*r));
	struct maui_shape shape;

	if (!r) {
		x->failed = true;
		return false;
	}
	*r = *q->request;
	r->nodes_min = nodes;
	r->nodes_max = nodes;
	r->tasks = r->tasks ? r->tasks * nodes / q->request->nodes_min : 0;
	return maui_made_up_shape(x, q, r, m->planned.access, true, &shape) == 0 &&
	       maui_explain_fits(x, &shape, m->a.limit_s, true) &&
	       nothing_forbids(x, q, r, &shape, m->a.limit_s);
}

/* The most nodes, fewer than requested, with which the job would start now; 0: none. */
static uint32_t find_fewer(struct maui_explainer *x, const struct maui_offer_question *q,
			   const struct made_up *m)
{
	uint32_t low = 0, high = q->request->nodes_min;

	if (high > 1 && fits_on(x, q, m, high - 1))
		return high - 1;
	while (!x->failed && high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (fits_on(x, q, m, middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The longest time limit, in whole minutes, with which the job would start now; 0: none. */
static int64_t find_longest(struct maui_explainer *x, const struct maui_offer_question *q,
			    const struct made_up *m)
{
	int64_t longest_s = maui_explain_whole_minutes(maui_explain_longest(x, &m->a));

	return longest_s > 0 && nothing_forbids(x, q, q->request, &m->a.shape, longest_s) ?
		       longest_s :
		       0;
}

/* The job, and whether it fits and has no other obstacle. NULL without memory. */
static struct made_up *begin(struct maui_explainer *x, const struct maui_offer_question *q,
			     bool *ret_fits, bool *ret_now)
{
	struct made_up *m;

	maui_arena_clear(&x->arena);
	x->failed = false;
	m = make(x, q);
	if (!m)
		return NULL;
	check_limits(x, q, m);
	if (maui_made_up_obstacle(x, q))
		add_block(x, &m->verdict, MAUI_REASON_NOBF, NULL);
	*ret_fits = maui_explain_fits(x, &m->a.shape, m->a.limit_s, true);
	*ret_now = *ret_fits && !m->verdict.blocks;
	return x->failed ? NULL : m;
}

static bool breaks_idle_limit(const struct made_up *m)
{
	for (const struct maui_block *b = m->verdict.blocks; b; b = b->next)
		if (b->violation && b->violation->kind == MAUI_VIOLATION_IDLE)
			return true;
	return false;
}

/* The first moment at which the job fits and keeps its limits, when the jobs that use them run to
 * their time limits. An idle limit leaves it unknown: waiting jobs start at unknown times. */
static int64_t find_earliest(struct maui_explainer *x, const struct maui_offer_question *q,
			     const struct made_up *m)
{
	const struct maui_throttle_set *set = set_of(q);
	const struct maui_demand demand = demand_of(x, q, q->request, &m->a.shape, m->a.limit_s);
	int64_t from = x->now_s, when, allowed;

	if (!set)
		return maui_explain_earliest(x, &m->a);
	if (breaks_idle_limit(m))
		return MAUI_NEVER;
	for (;;) {
		allowed = maui_throttle_earliest(q->throttle, set, &demand, MAUI_LIMIT_HARD,
						 x->now_s, from, m->a.limit_s);
		if (allowed == MAUI_THROTTLE_NEVER)
			return MAUI_NEVER;
		when = maui_explain_earliest_from(x, &m->a, allowed);
		if (when == MAUI_NEVER || when == allowed)
			return when;
		from = when;
	}
}

/* The job of highest priority that has a job reservation in the way: on a node that can serve the
 * shape, during the time that it would take. UINT32_MAX: none. */
static uint32_t find_ahead(const struct maui_explainer *x, const struct made_up *m)
{
	const struct maui_decisions *d = &x->plan->decisions;
	const struct maui_span span = maui_span_now(x, m->a.limit_s);
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < d->reservation_count; i++) {
		const struct maui_reservation *r = &d->reservations[i];
		bool meets = false;

		for (uint32_t k = 0; !meets && k < r->place_count; k++)
			meets = m->a.shape.needs[x->timeline.class_of[r->places[k].node]].most > 0;
		if (meets && r->start_s < span.until &&
		    (best == UINT32_MAX ||
		     d->verdicts[r->job].published > d->verdicts[best].published))
			best = r->job;
	}
	return best;
}

int maui_explain_starts_now(struct maui_explainer *x, const struct maui_offer_question *q,
			    bool *ret)
{
	bool fits;

	return begin(x, q, &fits, ret) ? 0 : -1;
}

/* Whether the job may preempt others in the next cycle. Slurm's own rules are kept of jobs that
 * wait, so with PreemptType any job may. */
static bool may_preempt(const struct maui_explainer *x, const struct maui_offer_question *q)
{
	const struct maui_plan *plan = x->plan;
	const char *partition = x->snapshot->partitions[q->partition].name;

	if (x->snapshot->slurm_preempts ||
	    maui_config_is_preemptor(maui_config_planning(plan->config, partition),
				     maui_made_up_flags(x, q)))
		return true;
	for (uint32_t i = 0; i < plan->decisions.instance_count; i++) {
		const struct maui_rsv_instance *instance = &plan->decisions.instances[i];
		const struct maui_rsv *rsv = plan->standing->list[instance->rsv];

		if (maui_rsv_lets_owner_preempt(rsv, instance, x->now_s) &&
		    maui_access_is_owners(rsv, q->cred))
			return true;
	}
	return false;
}

int maui_explain_would_start(struct maui_explainer *x, const struct maui_offer_question *q,
			     bool fewer, struct maui_would_start *ret)
{
	struct made_up *m;
	bool fits;

	*ret = (struct maui_would_start){ .earliest_s = MAUI_NEVER, .ahead = UINT32_MAX };
	m = begin(x, q, &fits, &ret->now);
	if (!m)
		return -1;
	ret->e = (struct maui_explanation){ .verdict = &m->verdict,
					    .partition = x->snapshot->partitions[q->partition].name,
					    .start = { .when_s = MAUI_NEVER },
					    .now_s = x->now_s };
	if (ret->now)
		return 0;
	ret->preempts = may_preempt(x, q);
	if (!fits) {
		m->verdict.enough_idle = enough_is_idle(x, m);
		add_block(x, &m->verdict, resource_reason(x, m), NULL);
		maui_explain_resources(x, &m->a, true, &ret->e);
		ret->longest_s = find_longest(x, q, m);
		ret->fewer_nodes = fewer ? find_fewer(x, q, m) : 0;
	}
	ret->limited = m->verdict.blocks && m->verdict.blocks->reason == MAUI_REASON_LIMIT;
	ret->ahead = ret->limited ? UINT32_MAX : find_ahead(x, m);
	ret->earliest_s = find_earliest(x, q, m);
	ret->e.longest_s = ret->longest_s;
	ret->e.start.when_s = ret->earliest_s;
	return x->failed ? -1 : 0;
}

int maui_explain_fewer_nodes(struct maui_explainer *x, const struct maui_offer_question *q,
			     uint32_t *ret)
{
	struct made_up *m;
	bool fits, now;

	*ret = 0;
	m = begin(x, q, &fits, &now);
	if (m && !fits)
		*ret = find_fewer(x, q, m);
	return m && !x->failed ? 0 : -1;
}

int maui_explain_admitting(struct maui_explainer *x, const struct maui_offer_question *q, bool *ret)
{
	const struct maui_access_table *table;

	maui_arena_clear(&x->arena);
	x->failed = false;
	table = maui_made_up_access(x, q);
	for (uint32_t r = 0; x->plan->standing && r < x->plan->standing->count; r++)
		ret[r] = maui_access_find(table, r) != NULL;
	return x->failed ? -1 : 0;
}

/* ---- in words ---- */

const char *maui_explain_closed_first(const struct maui_closed *closed)
{
	return closed->down     ? "the partition starts no jobs now" :
	       closed->too_long ? "the time limit is above the partition's MaxTime" :
	       closed->qos      ? "the QOS is not open to the user" :
				  NULL;
}

int maui_explain_would_wait(const struct maui_offer_question *question,
			    const struct maui_partition *partition,
			    const struct maui_closed *closed, bool stands,
			    const struct maui_explanation *e, struct maui_strbuf *ret)
{
	static const struct maui_closed too_long = { .too_long = true }, down = { .down = true };
	char most[MAUI_DURATION_SIZE];

	if (closed->too_long)
		maui_strbuf_addf(ret, "%s, %s\n", maui_explain_closed_first(&too_long),
				 maui_duration_format(partition->max_limit_s, most, sizeof(most)));
	if (closed->down)
		maui_strbuf_addf(ret, "%s\n", maui_explain_closed_first(&down));
	if (closed->qos)
		maui_strbuf_addf(ret, "QOS %s is not open to the user\n",
				 question->cred[MAUI_CRED_QOS]);
	if (stands)
		maui_strbuf_addf(ret, "it would start now, but no job is started\n");
	if (e->verdict->blocks && maui_explain_all(e, ret))
		return -1;
	return ret->failed ? -1 : 0;
}
