/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_queue.c - the queue as pictures show it: sums, reasons, the first waiting jobs
 *
 * Rules: CMD-37.
 */

#include <math.h>
#include <stdlib.h>

#include "answers/gres_json.h"
#include "answers/object.h"
#include "answers/queue_sums.h"
#include "answers/report_json.h"
#include "base/limits.h"
#include "explain/explain.h"
#include "plan/finished.h"

static void put_sum(struct maui_object *list, const char *key, const struct maui_queue_sum *sum)
{
	struct maui_object o = maui_object_make();

	maui_object_put_number(&o, "jobs", sum->jobs);
	maui_object_put_number(&o, "procs", sum->procs);
	maui_object_put(list, key, maui_object_finish(&o));
}

static void put_sums(struct maui_object *o, const struct maui_document *p, uid_t uid)
{
	struct maui_queue_sums sums = maui_queue_sums(p, uid);
	struct maui_object queue = maui_object_make(), by_reason = maui_object_make();

	for (int i = 0; i < MAUI_QUEUE_STATES; i++)
		put_sum(&queue, maui_queue_state_name((enum maui_queue_state)i), &sums.states[i]);
	for (int i = 0; i < MAUI_REASON_COUNT; i++)
		if (sums.reasons[i].jobs > 0)
			put_sum(&by_reason, maui_reason_text((enum maui_reason)i),
				&sums.reasons[i]);
	maui_gres_put_all(&queue, p, uid);
	maui_object_put(o, "queue", maui_object_finish(&queue));
	maui_object_put(o, "reasons", maui_object_finish(&by_reason));
}

/* ---- the first waiting jobs ---- */

/* What each component adds to the priority, and by what the priority differs from their sum; null
 * for a job whose priority was set directly. */
static void put_components(struct maui_object *o, const struct maui_plan *plan, uint32_t index)
{
	const struct maui_idle *job = &plan->snapshot->idle[index];
	struct maui_object components = maui_object_make();
	struct maui_priority priority;

	maui_plan_job_priority(plan, index, &priority);
	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		if (priority.component[c] != 0)
			maui_object_put(&components, maui_component_name((enum maui_component)c),
					json_object_new_double(priority.component[c]));
	if (job->priority_given || job->job.system_priority > 0) {
		json_object_put(components.json);
		maui_object_put_null(o, "components");
		return;
	}
	maui_object_put(o, "components", maui_object_finish(&components));
	priority.value -= job->job.system_priority_relative;
	if (fabs(priority.value - priority.raw) > 0.01)
		maui_object_put(o, "clipped", json_object_new_double(priority.value));
	maui_object_put_number(o, "system_priority_added", job->job.system_priority_relative);
	maui_object_put_number(o, "nice", job->nice);
}

static json_object *job_json(const struct maui_document *p, uint32_t index)
{
	const struct maui_plan *plan = p->plan;
	const struct maui_idle *job = &plan->snapshot->idle[index];
	const struct maui_verdict *verdict = &plan->decisions.verdicts[index];
	const struct maui_row *row = &job->rows[plan->jobs[index].row];
	uint32_t request = maui_idle_request(job, plan->jobs[index].row);
	const char *const *cred = plan->snapshot->creds[row->creds].cred;
	struct maui_object o = maui_object_make();

	maui_object_put_number(&o, "id", (int64_t)job->id);
	maui_object_put_text(&o, "user", cred[MAUI_CRED_USER]);
	maui_object_put_text(&o, "account", cred[MAUI_CRED_ACCOUNT]);
	maui_object_put_text(&o, "partition", cred[MAUI_CRED_CLASS]);
	maui_object_put_number(&o, "nodes", plan->snapshot->requests[request].nodes_min);
	maui_object_put_number(&o, "procs", job->procs);
	maui_object_put_time(&o, "limit", job->limit_s);
	maui_object_put_number(&o, "priority", verdict->published);
	put_components(&o, plan, index);
	maui_object_put_text(&o, "reason", maui_reason_text(maui_queue_reason(plan, index)));
	maui_object_put_time(&o, "expected_start", maui_document_estimate(p, index));
	return maui_object_finish(&o);
}

/* The nodes of the job, counted by reason. */
static json_object *why_json(struct maui_explainer *x, const struct maui_plan *plan, uint32_t index)
{
	struct maui_object o = maui_object_make(), counts = maui_object_make();
	struct maui_explanation e;

	maui_object_put_number(&o, "id", (int64_t)plan->snapshot->idle[index].id);
	if (!x || maui_explain_job(x, index, &e)) {
		o.failed = true;
	} else {
		maui_object_put_text(&o, "reason",
				     maui_reason_text(maui_queue_reason(plan, index)));
		for (int r = 0; e.nodes && r < MAUI_REASON_COUNT; r++)
			if (e.nodes->counts[r] > 0)
				maui_object_put_number(
					&counts,
					r == MAUI_REASON_NONE ?
						"free" :
						maui_reason_text((enum maui_reason)r),
					e.nodes->counts[r]);
		maui_object_put_number(&o, "wanted", e.nodes ? e.nodes->wanted : 0);
	}
	maui_object_put(&o, "nodes", maui_object_finish(&counts));
	return maui_object_finish(&o);
}

static void put_jobs(struct maui_object *o, const struct maui_document *p, uid_t uid)
{
	const struct maui_plan *plan = p->plan;
	json_object *jobs = json_object_new_array(), *why = json_object_new_array();
	struct maui_explainer *x = plan ? maui_explainer_create(plan) : NULL;
	uint32_t index = plan ? plan->first_job : UINT32_MAX;
	unsigned count = 0;

	for (; index != UINT32_MAX && count < MAUI_REPORT_MAX_JOBS && !o->failed;
	     index = plan->jobs[index].next) {
		if (!maui_document_shows_idle(p, index, uid) || p->idle[index].waiting == 0)
			continue;
		maui_object_append(o, jobs, job_json(p, index));
		if (count++ < MAUI_REPORT_MAX_WHY)
			maui_object_append(o, why, why_json(x, plan, index));
	}
	maui_explainer_destroy(x);
	maui_object_put(o, "waiting", jobs);
	maui_object_put(o, "why_not", why);
}

void maui_report_put_queue(struct maui_object *o, const struct maui_document *p, uid_t uid)
{
	put_sums(o, p, uid);
	put_jobs(o, p, uid);
}
