/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_json.c - what is known of one job, and why it does not run */

#include "answers/job_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/object.h"
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

/* ---- a job that waits ---- */

static void put_request(struct maui_object *o, const struct maui_plan *plan,
			const struct maui_idle *idle)
{
	const struct maui_request *r = &plan->snapshot->requests[idle->request];

	maui_object_put_time(o, "limit", idle->limit_s);
	maui_object_put_number(o, "nodes", r->nodes_min);
	maui_object_put_number(o, "tasks", maui_request_task_count(r));
	maui_object_put_number(o, "procs", idle->procs);
	maui_object_put_text(o, "features", r->features);
	maui_object_put_text(o, "reservation", idle->advres);
	maui_object_put_number(o, "submit", idle->submit_s);
	maui_object_put_number(o, "queued_since", idle->queue_since_s);
}

static void put_rank(struct maui_object *o, const struct maui_explanation *e)
{
	maui_object_put_number(o, "priority", (int64_t)e->verdict->priority);
	if (e->verdict->rank == UINT32_MAX)
		maui_object_put_null(o, "rank");
	else
		maui_object_put_number(o, "rank", (int64_t)e->verdict->rank + 1);
	maui_object_put_number(o, "ahead", e->ahead);
}

/* The lines of a text as a list. */
static json_object *lines_to_json(const char *text)
{
	json_object *array = json_object_new_array();

	while (array && text && *text) {
		size_t length = strcspn(text, "\n");
		json_object *line = json_object_new_string_len(text, (int)length);

		if (!line || json_object_array_add(array, line) != 0) {
			json_object_put(line);
			json_object_put(array);
			return NULL;
		}
		text += length + (text[length] == '\n');
	}
	return array;
}

static void put_reasons(struct maui_object *o, const struct maui_explanation *e)
{
	char first[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_strbuf all = { 0 };

	maui_explain_first(e, first, sizeof(first));
	if (!*first && e->verdict->blocks)
		snprintf(first, sizeof(first), "%s", maui_reason_text(e->verdict->blocks->reason));
	maui_object_put_text(o, "reason", *first ? first : NULL);
	o->failed |= maui_explain_all(e, &all) != 0;
	maui_object_put(o, "reasons", lines_to_json(all.text ? all.text : ""));
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

static void put_outlook(struct maui_object *o, const struct maui_explanation *e,
			const struct maui_plan_job *planned)
{
	struct maui_strbuf lines = { 0 };

	o->failed |= maui_explain_outlook(e, &lines) != 0;
	maui_object_put(o, "outlook", lines_to_json(lines.text ? lines.text : ""));
	maui_strbuf_finish(&lines);
	maui_object_put_time(o, "expected_start", e->verdict->estimate_s);
	maui_object_put_time(o, "earliest_start", e->earliest_s);
	maui_object_put(o, "has_reservation", json_object_new_boolean(planned->reserved));
	maui_object_put_time(o, "fits_now_with_limit", e->longest_s ? e->longest_s : MAUI_NEVER);
}

static json_object *waiting_job(const struct maui_document *p, uint32_t index)
{
	const struct maui_plan *plan = p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const struct maui_row *row = &idle->rows[plan->jobs[index].row];
	struct maui_object o = maui_object_make();
	struct maui_explainer *x = maui_explainer_create(plan);
	struct maui_explanation e;

	if (!x || maui_explain_job(x, index, &e)) {
		o.failed = true;
	} else {
		e.now_s = plan->now_s;
		maui_object_put_number(&o, "id", (int64_t)idle->id);
		maui_object_put_text(&o, "state",
				     e.verdict->started ? "Starting" :
				     idle->blocked      ? "Blocked" :
							  "Idle");
		put_credentials(&o, plan->snapshot->creds[row->creds].cred);
		put_request(&o, plan, idle);
		put_rank(&o, &e);
		put_reasons(&o, &e);
		put_nodes(&o, e.nodes);
		put_blocking(&o, e.blocking);
		put_outlook(&o, &e, &plan->jobs[index]);
	}
	maui_explainer_destroy(x);
	return maui_object_finish(&o);
}

/* ---- a job that runs ---- */

static const struct maui_document_rsv *find_active(const struct maui_document *p, int64_t id)
{
	char name[32];

	snprintf(name, sizeof(name), "%lld", (long long)id);
	for (size_t at = maui_document_find(p, name, 0); at < p->rsv_count;
	     at = maui_document_find(p, name, at + 1))
		if (p->rsvs[at].type == MAUI_DOCUMENT_JOB && p->rsvs[at].state != 'I')
			return &p->rsvs[at];
	return NULL;
}

static json_object *active_job(const struct maui_document_rsv *row, int64_t id)
{
	struct maui_object o = maui_object_make();

	maui_object_put_number(&o, "id", id);
	maui_object_put_text(&o, "state",
			     row->state == 'R' ? "Running" :
			     row->state == 'Z' ? "Suspended" :
						 "Starting");
	put_credentials(&o, row->cred);
	maui_object_put_number(&o, "nodes", row->node_count);
	maui_object_put_number(&o, "procs", row->procs);
	maui_object_put_number(&o, "start", row->start_s);
	maui_object_put_time(&o, "end", row->end_s);
	return maui_object_finish(&o);
}

/* ---- either ---- */

/* The index of a waiting job: by its number, or by that of its array. UINT32_MAX: none. */
static uint32_t find_waiting(const struct maui_document *p, int64_t id)
{
	const struct maui_snapshot *s = p->plan->snapshot;
	uint32_t of_array = UINT32_MAX;

	for (uint32_t i = 0; id > 0 && i < s->idle_count; i++) {
		if ((int64_t)s->idle[i].id == id)
			return i;
		if (of_array == UINT32_MAX && p->idle[i].array_job_id == id)
			of_array = i;
	}
	return of_array;
}

json_object *maui_job_json(const struct maui_document *p, int64_t id, uid_t uid,
			   struct maui_query_error *error)
{
	const struct maui_document_rsv *row = find_active(p, id);
	uint32_t index = p->plan ? find_waiting(p, id) : UINT32_MAX;
	bool waits = index != UINT32_MAX;
	struct maui_object o;

	if (!p->plan && !row) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	if (!(waits && maui_document_shows_idle(p, index, uid)) &&
	    !(row && maui_document_shows(p, row, uid))) {
		maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no job %lld is waiting or running",
				(long long)id);
		return NULL;
	}
	o = maui_object_make();
	maui_object_put_text(&o, "cluster", p->cluster);
	maui_object_put_number(&o, "time", waits ? p->plan->now_s : p->now_s);
	maui_object_put(&o, "job", waits ? waiting_job(p, index) : active_job(row, id));
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}
