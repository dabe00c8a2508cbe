/* SPDX-License-Identifier: GPL-2.0-or-later */
/* made_up.c - a hypothetical job, as the functions that explain jobs see it */

#include <stdlib.h>
#include <string.h>

#include "explain/made_up.h"
#include "policy/quantities.h"
#include "policy/priority.h"
#include "policy/qos.h"

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

uint64_t maui_made_up_flags(const struct maui_explainer *x, const struct maui_offer_question *q)
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
	table = maui_access_table(x->plan->access_index, &job, &x->arena);
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

const struct maui_access_table *maui_made_up_access(struct maui_explainer *x,
						    const struct maui_offer_question *q)
{
	const int64_t tasks = maui_request_task_count(q->request);

	return find_table(x, q, tasks, tasks * q->request->procs_per_task);
}

const struct maui_access_table *maui_made_up_access_of_any_size(struct maui_explainer *x,
								const struct maui_offer_question *q)
{
	const struct maui_access_table *table = find_table(x, q, 1, 1);
	struct maui_access_table *ret = maui_arena_alloc(&x->arena, sizeof(*ret));
	struct maui_access *list =
		table ? maui_arena_alloc(&x->arena, (table->count + 1u) * sizeof(*list)) : NULL;

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

int maui_made_up_shape(struct maui_explainer *x, const struct maui_offer_question *q,
		       const struct maui_request *request, const struct maui_access_table *access,
		       bool exact, struct maui_shape *ret)
{
	struct maui_shape_rules rules =
		maui_plan_shape_rules(x->plan->config, maui_made_up_flags(x, q));
	uint32_t user = x->plan->by_user ? find_user(x, q->cred[MAUI_CRED_USER]) : 0;

	rules.exact_procs &= exact;
	if (maui_shape_make_of(x->snapshot, request, q->partition, user, &rules, x->usable,
			       &x->arena, ret)) {
		x->failed = true;
		return -1;
	}
	ret->access = access;
	maui_explain_set_node_sets(x, ret, maui_node_sets_until(x->plan->config, x->plan->now_s));
	return x->failed ? -1 : 0;
}

struct maui_demand maui_made_up_demand(const struct maui_explainer *x,
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

struct maui_closed maui_explain_closed(const struct maui_explainer *x,
				       const struct maui_offer_question *q)
{
	const struct maui_partition *partition = &x->snapshot->partitions[q->partition];
	const char *qos = q->cred[MAUI_CRED_QOS];

	return (struct maui_closed){
		.down = partition->down,
		.too_long = partition->max_limit_s > 0 && q->named_s > partition->max_limit_s,
		.qos = qos && !maui_qos_allowed(x->plan->config, q->cred, qos),
	};
}

const char *maui_made_up_obstacle(const struct maui_explainer *x,
				  const struct maui_offer_question *q)
{
	const struct maui_partition *partition = &x->snapshot->partitions[q->partition];
	const struct maui_planning_config *rules =
		maui_config_planning(x->plan->config, partition->name);
	bool never = rules->backfill_policy == MAUI_BACKFILL_NONE;

	if (!never && !(maui_made_up_flags(x, q) & flag(MAUI_QOS_NOBF)))
		return NULL;
	if (!x->plan->pool_waits[partition->pool])
		return NULL;
	return never ? "jobs wait, and BACKFILLPOLICY NONE lets no job start before them" :
		       "jobs wait, and this QOS takes no part in backfill";
}
