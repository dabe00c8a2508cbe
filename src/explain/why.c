/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why.c - why a reservation's access list does not admit a job */

#include <stdlib.h>

#include "explain/private.h"

/* The job as access lists see it. */
static struct maui_access_job access_job(const struct maui_explainer *x,
					 const struct maui_explained_job *a)
{
	uint64_t flags = a->planned->qos_flags;
	struct maui_access_job job = {
		.advres = a->idle->advres,
		.tasks = maui_request_task_count(a->shape.request),
		.procs = a->idle->procs,
		.preemptee = flags & (UINT64_C(1) << MAUI_QOS_PREEMPTEE),
		.ignore_time = flags & (UINT64_C(1) << MAUI_QOS_IGNSRMAXTIME),
		.use_reserved = flags & (UINT64_C(1) << MAUI_QOS_USERESERVED),
	};

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		job.cred[k] = a->cred[k];
	if (job.use_reserved)
		job.use_only =
			maui_config_cred(x->plan->config, MAUI_CRED_QOS, a->cred[MAUI_CRED_QOS])
				->use_reserved;
	return job;
}

/* The entry that best explains why the list would not admit the job however short it were: an entry
 * that denies the job, a required entry that it misses, or the first entry that could have admitted
 * it. */
static const struct maui_acl_entry *telling_entry(const struct maui_rsv *rsv,
						  const struct maui_access_job *job,
						  enum maui_entry why)
{
	for (size_t i = 0; i < rsv->acl.count; i++) {
		const struct maui_acl_entry *entry = &rsv->acl.list[i];
		const struct maui_rsv single = { .name = rsv->name,
						 .acl = { .list = &rsv->acl.list[i], .count = 1 } };
		enum maui_affinity affinity;
		enum maui_entry result = maui_access_check(&single, job, 1, &affinity);

		if (result == why ||
		    (why == MAUI_ENTRY_NOMATCH && !entry->required && result != MAUI_ENTRY_OK))
			return entry;
	}
	return NULL;
}

struct maui_blocking_reservation maui_blocking_of_claim(const struct maui_claim *claim)
{
	return (struct maui_blocking_reservation){ .name = claim->name ? claim->name : "",
						   .rsv = claim->rsv,
						   .start_s = claim->start_s,
						   .end_s = claim->end_s,
						   .kind = -1 };
}

const struct maui_blocking_reservation *maui_blocking_keep(
	struct maui_explainer *x, const struct maui_blocking_reservation *blocking)
{
	struct maui_blocking_reservation *kept = maui_arena_alloc(&x->arena, sizeof(*kept));

	if (kept)
		*kept = *blocking;
	else
		x->failed = true;
	return kept;
}

void maui_blocking_say_why(struct maui_explainer *x, const struct maui_explained_job *a,
			   const struct maui_claim *claim, struct maui_blocking_reservation *ret)
{
	const struct maui_rsv *rsv = x->plan->standing->list[claim->rsv];
	const struct maui_access *entry = maui_access_find(a->shape.access, claim->rsv);
	bool later =
		claim->start_s >= (a->confined ? x->now_s : maui_when_add(x->now_s, a->limit_s));
	const struct maui_acl_entry *telling;
	struct maui_access_job job;
	enum maui_affinity affinity;

	if (entry) {
		int64_t from = later ? claim->start_s : x->now_s;
		const struct maui_span span = { from, maui_when_add(from, a->limit_s) };

		ret->limit_s = maui_claim_admits(claim, entry, span) ? 0 : entry->overlap_s;
		return;
	}
	job = access_job(x, a);
	/* No time is short enough, so the answer names another reason than TIMELIMIT: a shorter job
	 * would not be admitted either. */
	ret->why = (int)maui_access_check(rsv, &job, 1, &affinity);
	telling = telling_entry(rsv, &job, (enum maui_entry)ret->why);
	if (!telling)
		return;
	ret->kind = telling->kind;
	ret->name_of_kind = telling->kind < MAUI_CRED_COUNT ? job.cred[telling->kind] : NULL;
	ret->attribute = telling->kind == MAUI_ACL_JOBATTR ? telling->name : NULL;
	ret->value = telling->value;
	ret->order = telling->order;
}
