/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hypothetical_job.c - a job that nobody has submitted: whether it would start now, and what would
 * let it
 *
 * Bounded: a search over time limits and one over numbers of nodes, each by halving, and each step
 * the plan's own search (plan/search.h).
 *
 * Rules: CMD-41.
 */

#include "explain/hypothetical_job.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "explain/private.h"
#include "explain/text.h"
#include "policy/priority.h"
#include "policy/qos.h"
#include "policy/quantities.h"
#include "policy/throttle/throttle.h"
#include "reservation/access/access.h"

/* ---- its credentials, shape and demand ---- */

static uint64_t flag(enum maui_qos_flag which)
{
	return UINT64_C(1) << which;
}

/* What the configuration says of the QOS of these credentials. */
static const struct maui_cred_config *qos_of(const struct maui_explainer *x,
					     const struct maui_offer_question *q)
{
	struct maui_priority_creds creds;

	maui_priority_resolve(x->plan->config, q->cred, &creds);
	return creds.cred[MAUI_CRED_QOS];
}

uint64_t maui_hypothetical_flags(const struct maui_explainer *x,
				 const struct maui_offer_question *q)
{
	return qos_of(x, q)->flags;
}

/* The number of this user in the snapshot; one that nobody has: no job of the user is there. */
static uint32_t find_user(const struct maui_explainer *x, const char *name)
{
	const struct maui_snapshot *s = x->snapshot;

	for (uint32_t i = 0; name && i < s->cred_count; i++) {
		const char *other = s->creds[i].cred[MAUI_CRED_USER];

		if (other && strcmp(other, name) == 0)
			return s->creds[i].user;
	}
	return MAUI_USER_SEVERAL - 1;
}

/* The access table of a job of this size; NULL: no reservation admits it, or no memory. */
static const struct maui_access_table *find_table(struct maui_explainer *x,
						  const struct maui_offer_question *q,
						  int64_t tasks, int64_t procs)
{
	const struct maui_cred_config *qos = qos_of(x, q);
	struct maui_access_job job = { .advres = q->advres,
				       .tasks = tasks,
				       .procs = procs,
				       .preemptee = qos->flags & flag(MAUI_QOS_PREEMPTEE),
				       .ignore_time = qos->flags & flag(MAUI_QOS_IGNSRMAXTIME),
				       .use_reserved = qos->flags & flag(MAUI_QOS_USERESERVED) };
	const struct maui_access_table *table;

	memcpy(job.cred, q->cred, sizeof(job.cred));
	job.use_only = job.use_reserved ? qos->use_reserved : NULL;
	if (!x->plan->access_index)
		return NULL;
	table = maui_access_table(x->plan->access_index, &job, &x->kept);
	x->failed |= !table;
	return table && (table->count > 0 || table->only) ? table : NULL;
}

/* Whether the reservation's access list looks at the size of a job. */
static bool goes_by_size(const struct maui_explainer *x, uint32_t rsv)
{
	const struct maui_acl *acl = &x->plan->standing->list[rsv]->acl;

	for (size_t i = 0; i < acl->count; i++)
		if (acl->list[i].kind == MAUI_ACL_TASK || acl->list[i].kind == MAUI_ACL_PROC)
			return true;
	return false;
}

const struct maui_access_table *maui_hypothetical_access(struct maui_explainer *x,
							 const struct maui_offer_question *q)
{
	const int64_t tasks = maui_request_task_count(q->request);

	return find_table(x, q, tasks, tasks * q->request->procs_per_task);
}

const struct maui_access_table *maui_hypothetical_access_of_any_size(
	struct maui_explainer *x, const struct maui_offer_question *q)
{
	const struct maui_access_table *table = find_table(x, q, 1, 1);
	struct maui_access_table *ret = maui_arena_alloc(&x->kept, sizeof(*ret));
	struct maui_access *list =
		table ? maui_arena_alloc(&x->kept, (table->count + 1u) * sizeof(*list)) : NULL;

	if (!table)
		return NULL;
	if (!ret || !list) {
		x->failed = true;
		return NULL;
	}
	*ret = (struct maui_access_table){ .list = list, .only = table->only };
	for (uint32_t i = 0; i < table->count; i++)
		if (!goes_by_size(x, table->list[i].rsv))
			list[ret->count++] = table->list[i];
	return ret;
}

int maui_hypothetical_shape(struct maui_explainer *x, const struct maui_offer_question *q,
			    const struct maui_request *request,
			    const struct maui_access_table *access, bool exact,
			    struct maui_shape *ret)
{
	struct maui_shape_rules rules =
		maui_plan_shape_rules(x->plan->config, maui_hypothetical_flags(x, q));
	uint32_t user = x->plan->by_user ? find_user(x, q->cred[MAUI_CRED_USER]) : 0;

	rules.exact_procs &= exact;
	if (maui_shape_make_of(x->snapshot, request, q->partition, user, &rules, x->usable,
			       &x->arena, ret)) {
		x->failed = true;
		return -1;
	}
	ret->access = access;
	maui_explain_set_node_sets(x, ret, maui_node_sets_until(x->plan->config, x->plan->now_s));
	return maui_explain_has_failed(x) ? -1 : 0;
}

struct maui_demand maui_hypothetical_demand(const struct maui_explainer *x,
					    const struct maui_offer_question *q, int64_t procs,
					    const struct maui_quantities *least, int64_t limit_s)
{
	struct maui_demand demand;
	struct maui_job job;

	maui_quantities_ask(x->plan->config, x->snapshot, q->request, procs,
			    maui_request_counted_nodes(q->request), limit_s, &job);
	maui_job_raise(&job, least);
	memcpy(job.cred, q->cred, sizeof(job.cred));
	maui_demand_make(&job, maui_priority_pe(&job, &x->snapshot->totals), &demand);
	return demand;
}

struct maui_closed maui_closed_in(const struct maui_config *config, const struct maui_snapshot *s,
				  const struct maui_offer_question *q)
{
	const struct maui_partition *partition = &s->partitions[q->partition];
	const char *qos = q->cred[MAUI_CRED_QOS];
	const struct maui_admission_job job = { .uid_known = q->uid_known,
						.uid = q->uid,
						.primary_group = q->primary_group,
						.account = q->cred[MAUI_CRED_ACCOUNT],
						.qos = qos,
						.names_a_reservation = q->names_a_reservation };

	return (struct maui_closed){
		.down = partition->down,
		.too_long = partition->max_limit_s > 0 && q->named_s > partition->max_limit_s,
		.qos = qos && !maui_qos_allowed(config, q->cred, qos),
		.rule = maui_admission_check(s->admission, q->partition, &job),
	};
}

struct maui_closed maui_explain_closed(const struct maui_explainer *x,
				       const struct maui_offer_question *q)
{
	return maui_closed_in(x->plan->config, x->snapshot, q);
}

const char *maui_hypothetical_obstacle(const struct maui_explainer *x,
				       const struct maui_offer_question *q)
{
	const struct maui_partition *partition = &x->snapshot->partitions[q->partition];
	const struct maui_planning_config *rules =
		maui_config_planning(x->plan->config, partition->name);
	bool never = rules->backfill_policy == MAUI_BACKFILL_NONE;

	if (!never && !(maui_hypothetical_flags(x, q) & flag(MAUI_QOS_NOBF)))
		return NULL;
	if (!x->plan->pool_waits[partition->pool])
		return NULL;
	return never ? "jobs wait, and BACKFILLPOLICY NONE lets no job start before them" :
		       "jobs wait, and this QOS takes no part in backfill";
}

/* ---- the job as those of the plan are explained ---- */

/* What the functions of private.h need of a job. */
struct hypothetical {
	struct maui_idle idle;
	struct maui_row row;
	struct maui_plan_job planned;
	struct maui_verdict verdict;
	struct maui_explained_job a;
	/* the limit that it would use up, and jobs with a job reservation need; NULL: none */
	const struct maui_violation *spent;
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

static struct hypothetical *make(struct maui_explainer *x, const struct maui_offer_question *q)
{
	struct hypothetical *m = maui_arena_alloc(&x->arena, sizeof(*m));
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
					     .qos_flags = maui_hypothetical_flags(x, q) };
	m->verdict = (struct maui_verdict){ .rank = UINT32_MAX, .estimate_s = MAUI_NEVER };
	m->planned.access = maui_hypothetical_access(x, q);
	m->a = (struct maui_explained_job){ .idle = &m->idle,
					    .row = &m->row,
					    .planned = &m->planned,
					    .verdict = &m->verdict,
					    .cred = q->cred,
					    .job = number_of(x),
					    .limit_s = q->limit_s > 0 ? q->limit_s : 1,
					    .in_set_until_s = maui_node_sets_until(
						    x->plan->config, x->plan->now_s) };
	if (maui_hypothetical_shape(x, q, r, m->planned.access, true, &m->a.shape))
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
static const struct maui_throttle_set *set_of(struct maui_explainer *x,
					      const struct maui_offer_question *q)
{
	const struct maui_throttle_set *set =
		q->throttle ? maui_throttle_resolve(q->throttle, q->cred) : NULL;

	x->failed |= q->throttle && !set;
	return set;
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
	return maui_hypothetical_demand(x, &of, maui_request_task_count(r) * r->procs_per_task,
					&least, limit_s);
}

enum { LIMITS_AT_START = MAUI_THROTTLE_START | MAUI_THROTTLE_IDLE };

/* Adds each limit that the job would violate. */
static void check_limits(struct maui_explainer *x, const struct maui_offer_question *q,
			 struct hypothetical *m)
{
	enum { MOST = 16 };
	const struct maui_throttle_set *set = set_of(x, q);
	struct maui_violation *list = maui_arena_alloc(&x->arena, MOST * sizeof(*list));
	struct maui_demand demand = demand_of(x, q, q->request, &m->a.shape, m->a.limit_s);
	size_t count;

	x->failed |= !list;
	if (!set || !list)
		return;
	count = maui_throttle_violations(set, &demand, MAUI_LIMIT_HARD, LIMITS_AT_START, list,
					 MOST);
	for (size_t i = 0; i < count && i < MOST; i++)
		if (!add_block(x, &m->verdict, MAUI_REASON_LIMIT, &list[i]))
			return;
	if (count == 0 &&
	    maui_throttle_harms(q->throttle, set, &demand, x->now_s, m->a.limit_s, list))
		m->spent = list;
}

/* Whether a job that fits with this request and time limit would start. */
static bool nothing_forbids(struct maui_explainer *x, const struct maui_offer_question *q,
			    const struct maui_request *r, const struct maui_shape *shape,
			    int64_t limit_s)
{
	const struct maui_throttle_set *set = set_of(x, q);
	struct maui_demand demand;

	if (maui_hypothetical_obstacle(x, q))
		return false;
	if (!q->throttle)
		return true;
	if (!set)
		return false;
	demand = demand_of(x, q, r, shape, limit_s);
	return maui_throttle_violations(set, &demand, MAUI_LIMIT_HARD, LIMITS_AT_START, NULL, 0) ==
		       0 &&
	       maui_throttle_spares(q->throttle, set, &demand, x->now_s, limit_s);
}

/* Whether the partition has as many idle processors as the job requests. */
static bool enough_is_idle(const struct maui_explainer *x, const struct hypothetical *m)
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

static enum maui_reason resource_reason(const struct maui_explainer *x,
					const struct hypothetical *m)
{
	if (m->a.shape.impossible != MAUI_REASON_NONE)
		return m->a.shape.impossible;
	if (maui_fit_global(&x->timeline, &m->a.shape, x->now_s, m->a.limit_s) > x->now_s)
		return MAUI_REASON_LICENCES;
	return m->verdict.enough_idle ? MAUI_REASON_RESERVED : MAUI_REASON_RESOURCES;
}

static bool fits_on(struct maui_explainer *x, const struct maui_offer_question *q,
		    const struct hypothetical *m, uint32_t nodes)
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
	return maui_hypothetical_shape(x, q, r, m->planned.access, true, &shape) == 0 &&
	       maui_explain_fits(x, &shape, m->a.limit_s, true) &&
	       nothing_forbids(x, q, r, &shape, m->a.limit_s);
}

struct fewer {
	struct maui_explainer *x;
	const struct maui_offer_question *q;
	const struct hypothetical *m;
};

static bool fits_on_fewer(void *data, int64_t nodes)
{
	const struct fewer *f = data;

	return !maui_explain_has_failed(f->x) && fits_on(f->x, f->q, f->m, (uint32_t)nodes);
}

/* The most nodes, fewer than requested, with which the job would start now; 0: none. */
static uint32_t find_fewer(struct maui_explainer *x, const struct maui_offer_question *q,
			   const struct hypothetical *m)
{
	const uint32_t all = q->request->nodes_min;
	struct fewer f = { x, q, m };

	if (all > 1 && fits_on(x, q, m, all - 1))
		return all - 1;
	return (uint32_t)maui_last_that_holds(0, all, fits_on_fewer, &f);
}

/* The longest time limit, in whole minutes, with which the job would start now; 0: none. */
static int64_t find_longest(struct maui_explainer *x, const struct maui_offer_question *q,
			    const struct hypothetical *m)
{
	int64_t longest_s = maui_explain_whole_minutes(maui_explain_longest(x, &m->a));

	return longest_s > 0 && nothing_forbids(x, q, q->request, &m->a.shape, longest_s) ?
		       longest_s :
		       0;
}

/* The job, and whether it fits and has no other obstacle. NULL without memory. */
static struct hypothetical *begin(struct maui_explainer *x, const struct maui_offer_question *q,
				  bool *ret_fits, bool *ret_now)
{
	struct hypothetical *m;

	maui_explain_forget(x);
	m = make(x, q);
	if (!m)
		return NULL;
	check_limits(x, q, m);
	*ret_fits = maui_explain_fits(x, &m->a.shape, m->a.limit_s, true);
	if (*ret_fits && m->spent) /* else the lack of nodes is the reason */
		add_block(x, &m->verdict, MAUI_REASON_LIMIT, m->spent);
	if (maui_hypothetical_obstacle(x, q))
		add_block(x, &m->verdict, MAUI_REASON_NOBF, NULL);
	*ret_now = *ret_fits && !m->verdict.blocks;
	return maui_explain_has_failed(x) ? NULL : m;
}

static bool breaks_idle_limit(const struct hypothetical *m)
{
	for (const struct maui_block *b = m->verdict.blocks; b; b = b->next)
		if (b->violation && b->violation->kind == MAUI_VIOLATION_IDLE)
			return true;
	return false;
}

/* The first moment at which the job fits and keeps its limits, when the jobs that use them run to
 * their time limits. An idle limit leaves it unknown: waiting jobs start at unknown times. */
static int64_t find_earliest(struct maui_explainer *x, const struct maui_offer_question *q,
			     const struct hypothetical *m, struct maui_timeline *t)
{
	const struct maui_throttle_set *set = set_of(x, q);
	const struct maui_demand demand = demand_of(x, q, q->request, &m->a.shape, m->a.limit_s);
	int64_t from = x->now_s, when, allowed;

	if (!set)
		return maui_explain_earliest_on(x, t, &m->a, from);
	if (breaks_idle_limit(m))
		return MAUI_NEVER;
	for (;;) {
		allowed = maui_throttle_earliest(q->throttle, set, &demand, MAUI_LIMIT_HARD,
						 x->now_s, from, m->a.limit_s);
		x->failed |= allowed < 0;
		if (allowed < 0 || allowed == MAUI_THROTTLE_NEVER)
			return MAUI_NEVER;
		when = maui_explain_earliest_on(x, t, &m->a, allowed);
		if (when == MAUI_NEVER || when == allowed)
			return when;
		from = when;
	}
}

/* The job of highest priority whose job reservation keeps the job from an earlier start;
 * UINT32_MAX: none. */
static uint32_t find_ahead(struct maui_explainer *x, const struct maui_offer_question *q,
			   const struct hypothetical *m, int64_t earliest_s)
{
	uint32_t ahead = maui_explain_passable(x, q, &m->a, earliest_s);
	struct maui_timeline t;
	int64_t sooner_s;

	if (ahead == UINT32_MAX)
		return UINT32_MAX;
	if (maui_explain_pass(x, q, ahead, &t)) {
		x->failed = true;
		return UINT32_MAX;
	}
	sooner_s = find_earliest(x, q, m, &t);
	maui_timeline_finish(&t);
	return sooner_s < earliest_s ? ahead : UINT32_MAX;
}

static struct maui_explanation begin_explanation(const struct maui_explainer *x,
						 const struct maui_offer_question *q,
						 const struct hypothetical *m)
{
	return (struct maui_explanation){ .verdict = &m->verdict,
					  .partition = x->snapshot->partitions[q->partition].name,
					  .start = { .when_s = MAUI_NEVER },
					  .now_s = x->now_s };
}

int maui_explain_never_fits(struct maui_explainer *x, const struct maui_offer_question *q,
			    const char **ret)
{
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation e;
	struct hypothetical *m;

	*ret = NULL;
	maui_explain_forget(x);
	m = make(x, q);
	if (!m)
		return -1;
	if (m->a.shape.impossible != MAUI_REASON_NEVER_FITS)
		return 0;
	if (!add_block(x, &m->verdict, MAUI_REASON_NEVER_FITS, NULL))
		return -1;
	e = begin_explanation(x, q, m);
	maui_explain_resources(x, &m->a, true, &e);
	*ret = maui_arena_strdup(&x->arena, maui_explain_first(&e, text, sizeof(text)));
	return *ret && !maui_explain_has_failed(x) ? 0 : -1;
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
				     maui_hypothetical_flags(x, q)))
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
	struct hypothetical *m;
	bool fits;

	*ret = (struct maui_would_start){ .earliest_s = MAUI_NEVER, .ahead = UINT32_MAX };
	m = begin(x, q, &fits, &ret->now);
	if (!m)
		return -1;
	ret->e = begin_explanation(x, q, m);
	if (ret->now)
		return 0;
	ret->preempts = may_preempt(x, q);
	if (!fits) {
		m->verdict.enough_idle = enough_is_idle(x, m);
		if (!add_block(x, &m->verdict, resource_reason(x, m), NULL))
			return -1;
		maui_explain_resources(x, &m->a, true, &ret->e);
		ret->longest_s = find_longest(x, q, m);
		ret->fewer_nodes = fewer ? find_fewer(x, q, m) : 0;
	}
	ret->limited = m->verdict.blocks && m->verdict.blocks->reason == MAUI_REASON_LIMIT;
	ret->earliest_s = find_earliest(x, q, m, &x->timeline);
	ret->ahead = ret->limited ? UINT32_MAX : find_ahead(x, q, m, ret->earliest_s);
	ret->e.longest_s = ret->longest_s;
	ret->e.start.when_s = ret->earliest_s;
	return maui_explain_has_failed(x) ? -1 : 0;
}

int maui_explain_fewer_nodes(struct maui_explainer *x, const struct maui_offer_question *q,
			     uint32_t *ret)
{
	struct hypothetical *m;
	bool fits, now;

	*ret = 0;
	m = begin(x, q, &fits, &now);
	if (m && !fits)
		*ret = find_fewer(x, q, m);
	return m && !maui_explain_has_failed(x) ? 0 : -1;
}

/* A reservation that the job names serves it; of a job that names one, others do not. */
static int64_t find_longest_in(const struct maui_access_table *table, uint32_t rsv)
{
	const struct maui_access *entry = maui_access_find(table, rsv);

	return entry && (entry->own || !table->only) ? entry->overlap_s : 0;
}

int maui_explain_admitting(struct maui_explainer *x, const struct maui_offer_question *q,
			   bool sized, const struct maui_admitting *ret)
{
	const struct maui_standing_input *standing = x->plan->standing;
	const struct maui_access_table *table;
	struct maui_shape shape;

	maui_explain_forget(x);
	table = sized ? maui_hypothetical_access(x, q) : maui_hypothetical_access_of_any_size(x, q);
	if (maui_hypothetical_shape(x, q, q->request, table, true, &shape))
		return -1;
	for (uint32_t r = 0; standing && r < standing->count; r++)
		ret->longest_s[r] = find_longest_in(table, r);
	for (uint32_t n = 0; n < x->snapshot->node_count; n++)
		ret->nodes[n] =
			shape.impossible == MAUI_REASON_NONE && maui_node_matters(x, &shape, n);
	return maui_explain_has_failed(x) ? -1 : 0;
}
