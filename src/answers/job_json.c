/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_json.c - what is known of one job, and why it does not run */

#include "answers/job_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/find_job.h"
#include "answers/help_json.h"
#include "answers/json_rows.h"
#include "answers/lines.h"
#include "answers/object.h"
#include "answers/rsv_json.h"
#include "answers/wait_text.h"
#include "base/strbuf.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "plan/finished.h"

static void put_credentials(struct maui_object *o, const char *const *cred)
{
	static const char *const keys[MAUI_CRED_COUNT] = {
		[MAUI_CRED_USER] = "user",       [MAUI_CRED_GROUP] = "group",
		[MAUI_CRED_ACCOUNT] = "account", [MAUI_CRED_QOS] = "qos",
		[MAUI_CRED_CLASS] = "partition",
	};

	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		maui_object_put_text(o, keys[i], cred[i]);
}

/* Of a job that is no task: null. */
static void put_array(struct maui_object *o, uint32_t array_job_id, uint32_t task)
{
	maui_object_put_time(o, "array_job", array_job_id ? array_job_id : MAUI_NEVER);
	maui_object_put_time(o, "array_task",
			     array_job_id && task != MAUI_NO_TASK ? task : MAUI_NEVER);
}

/* ---- a job that waits ---- */

static void put_request(struct maui_object *o, const struct maui_plan *plan, uint32_t index)
{
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const struct maui_request *r =
		&plan->snapshot->requests[maui_idle_request(idle, plan->jobs[index].row)];

	maui_object_put_time(o, "limit", idle->limit_s);
	maui_object_put_number(o, "nodes", r->nodes_min);
	maui_object_put_number(o, "tasks", maui_request_task_count(r));
	maui_object_put_number(o, "procs", idle->procs);
	maui_object_put_number(o, "gpus", (int64_t)idle->job.gpus);
	maui_object_put_text(o, "features", r->features);
	maui_object_put_text(o, "reservation", idle->advres);
	maui_object_put_number(o, "submit", idle->submit_s);
	maui_object_put_number(o, "queued_since", idle->queue_since_s);
}

static void put_rank(struct maui_object *o, const struct maui_explanation *e)
{
	maui_object_put_number(o, "priority", e->verdict->published);
	if (e->verdict->rank == UINT32_MAX)
		maui_object_put_null(o, "rank");
	else
		maui_object_put_number(o, "rank", (int64_t)e->verdict->rank + 1);
	maui_object_put_number(o, "ahead", e->ahead);
}

/* The first reason, and all. */
static void put_reasons(struct maui_object *o, const struct maui_document *p, uint32_t index,
			const struct maui_explanation *e)
{
	char first[MAUI_EXPLAIN_LINE_SIZE], waits[MAUI_WAIT_TEXT_SIZE];
	struct maui_strbuf all = { 0 }, plan = { 0 };
	const char *rest;

	maui_explain_first(e, first, sizeof(first));
	maui_wait_text(p, index, waits);
	maui_object_put_text(o, "reason", *first ? first : *waits ? waits : NULL);
	o->failed |= maui_explain_all(e, &plan) != 0;
	rest = plan.text ? plan.text : "";
	if (*waits) { /* says more than the first line */
		rest += strcspn(rest, "\n");
		maui_strbuf_addf(&all, "%s", waits);
	}
	maui_strbuf_addf(&all, "%s", rest);
	if (*maui_wait_preempted(p, index, waits))
		maui_strbuf_addf(&all, "%s\n", waits);
	o->failed |= all.failed;
	maui_object_put(o, "reasons", maui_lines_to_json(all.text ? all.text : ""));
	maui_strbuf_finish(&plan);
	maui_strbuf_finish(&all);
}

static void put_nodes(struct maui_object *o, const struct maui_node_reasons *nodes)
{
	struct maui_object counts = maui_object_make();

	for (int r = 0; nodes && r < MAUI_REASON_COUNT; r++)
		if (nodes->counts[r] > 0)
			maui_object_put_number(&counts,
					       r == MAUI_REASON_NONE ?
						       "free" :
						       maui_reason_text((enum maui_reason)r),
					       nodes->counts[r]);
	maui_object_put(o, "nodes_by_reason", maui_object_finish(&counts));
}

static void put_blocking(struct maui_object *o, const struct maui_blocking_reservation *blocking)
{
	struct maui_object b;

	if (!blocking) {
		maui_object_put_null(o, "blocking_reservation");
		return;
	}
	b = maui_object_make();
	maui_object_put_text(&b, "name", blocking->name);
	maui_object_put_number(&b, "start", blocking->start_s);
	maui_object_put_time(&b, "end", blocking->end_s);
	maui_object_put(o, "blocking_reservation", maui_object_finish(&b));
}

static void put_outlook(struct maui_object *o, const struct maui_document *p, uint32_t index,
			const struct maui_explanation *e)
{
	const struct maui_plan_job *planned = &p->plan->jobs[index];
	int64_t estimate_s = maui_document_estimate(p, index);
	char waits[MAUI_WAIT_TEXT_SIZE];
	struct maui_strbuf lines = { 0 };

	if (*maui_wait_outlook(p, index, waits))
		maui_strbuf_addf(&lines, "%s\n", waits);
	o->failed |= maui_explain_outlook(e, &lines) != 0;
	maui_object_put(o, "outlook", maui_lines_to_json(lines.text ? lines.text : ""));
	maui_strbuf_finish(&lines);
	maui_object_put_time(o, "expected_start", estimate_s);
	maui_object_put_time(o, "earliest_start",
			     e->start.basis == MAUI_START_NOW ? estimate_s : e->start.when_s);
	maui_object_put_time(o, "start_by", e->start_by_s ? e->start_by_s : MAUI_NEVER);
	maui_object_put(o, "has_reservation", json_object_new_boolean(planned->reserved));
	maui_object_put_time(o, "fits_now_with_limit", e->longest_s ? e->longest_s : MAUI_NEVER);
}

static json_object *moves(const struct maui_document_idle *idle)
{
	struct maui_json_rows rows = { 0 };

	for (uint32_t i = 0; i < idle->estimate_count; i++) {
		maui_json_rows_begin(&rows);
		maui_json_rows_number(&rows, idle->estimates[i].at_s);
		maui_json_rows_number(&rows, idle->estimates[i].start_s);
		maui_json_rows_end(&rows);
	}
	return maui_json_rows_finish(&rows);
}

static json_object *waiting_job(const struct maui_document *p, uint32_t index, uid_t uid)
{
	const struct maui_plan *plan = p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const struct maui_row *row = &idle->rows[plan->jobs[index].row];
	struct maui_object o = maui_object_make();
	struct maui_explainer *x = maui_explainer_create(plan);
	struct maui_explanation e;
	char label[MAUI_JOB_LABEL_SIZE];

	if (!x || maui_explain_job(x, index, &e)) {
		o.failed = true;
	} else {
		e.now_s = plan->now_s;
		e.tasks = p->idle[index].waiting;
		maui_object_put_number(&o, "id", (int64_t)idle->id);
		put_array(&o, p->idle[index].array_job_id, p->idle[index].array_task);
		maui_object_put_text(&o, "label", maui_waiting_label(p, index, label));
		maui_object_put_text(&o, "name", p->idle[index].name);
		maui_object_put_text(&o, "state", maui_waiting_state(p, index));
		maui_object_put_number(&o, "jobs", p->idle[index].waiting);
		put_credentials(&o, plan->snapshot->creds[row->creds].cred);
		put_request(&o, plan, index);
		put_rank(&o, &e);
		put_reasons(&o, p, index, &e);
		put_nodes(&o, e.nodes);
		put_blocking(&o, e.blocking);
		put_outlook(&o, p, index, &e);
		maui_object_put(&o, "estimates", moves(&p->idle[index]));
		maui_object_put(&o, "would_help", maui_help_json(p, x, index, &e, uid));
	}
	maui_explainer_destroy(x);
	return maui_object_finish(&o);
}

/* ---- a job that runs ---- */

static json_object *active_job(const struct maui_document *p, const struct maui_document_rsv *row)
{
	struct maui_object o = maui_object_make();
	char label[MAUI_JOB_LABEL_SIZE];

	maui_object_put_number(&o, "id", (int64_t)row->job_id);
	put_array(&o, row->array_job_id, row->array_task);
	maui_object_put_text(&o, "label", maui_active_label(row, label));
	maui_object_put_text(&o, "name", row->job_name);
	maui_object_put_text(&o, "state", maui_active_state(row));
	put_credentials(&o, row->cred);
	maui_object_put_number(&o, "nodes", row->node_count);
	maui_rsv_put_node_names(&o, "node_names", p, row);
	maui_object_put_number(&o, "procs", row->procs);
	maui_object_put_number(&o, "start", row->start_s);
	maui_object_put_time(&o, "end", row->end_s);
	return maui_object_finish(&o);
}

/* ---- either ---- */

json_object *maui_job_json(const struct maui_document *p, const struct maui_job_name *name,
			   uid_t uid, struct maui_query_error *error)
{
	const struct maui_question q = { .document = p, .uid = uid, .error = error };
	struct maui_found_job found;
	struct maui_object o;

	if (maui_find_job(&q, name, &found))
		return NULL;
	o = maui_object_make();
	maui_object_put_text(&o, "cluster", p->cluster);
	maui_object_put_number(&o, "time", found.active ? p->now_s : p->plan->now_s);
	maui_object_put(&o, "job",
			found.active ? active_job(p, found.active) :
				       waiting_job(p, found.waiting, uid));
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}
