/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs_json.c - jobs with their requests, what blocks them, and what is wrong with them
 *
 * Rules: CMD-9, CMD-33.
 */

#include "answers/jobs_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/config_json.h"
#include "answers/find_job.h"
#include "answers/wait_text.h"
#include "base/hashtable.h"
#include "base/limits.h"
#include "model/when.h"
#include "plan/finished.h"

enum { TEXT = MAUI_VIOLATION_SIZE + MAUI_NAME_MAX };

/* Maui's words: "violates active SOFT MAXPROC limit of 64 for user ann (R: 3, U: 62)". */
static void violation_text(const struct maui_violation *v, char *buf, size_t size)
{
	static const char *const kinds[] = { [MAUI_VIOLATION_JOB] = "system",
					     [MAUI_VIOLATION_ACTIVE] = "active",
					     [MAUI_VIOLATION_IDLE] = "idle" };
	char line[MAUI_VIOLATION_SIZE];

	if (v->kind == MAUI_VIOLATION_FAIRSHARE)
		snprintf(buf, size, "violates the fairshare cap %s",
			 maui_violation_format(v, line, sizeof(line)));
	else
		snprintf(buf, size,
			 "violates %s %s %s limit of %.0f for %s %s%s%s  (R: %.0f, U: %.0f)",
			 kinds[v->kind], v->level == MAUI_LIMIT_SOFT ? "SOFT" : "HARD", v->limit,
			 v->value, maui_limited_name(v->cred), v->name ? v->name : "",
			 v->second_name ? " " : "", v->second_name ? v->second_name : "",
			 v->requested, v->in_use);
}

/* What keeps some tasks of an array, while the others wait for resources. */
static void append_idle_limit(struct maui_object *o, json_object *list,
			      const struct maui_verdict *verdict)
{
	char text[TEXT], line[TEXT + 32];

	violation_text(verdict->idle_limit, text, sizeof(text));
	snprintf(line, sizeof(line), "%s, %" PRIu32 " task%s", text, verdict->idle_limited,
		 verdict->idle_limited == 1 ? "" : "s");
	maui_object_append(o, list, json_object_new_string(line));
}

/* Reservations never admit the job. */
static void append_kept_out(struct maui_object *o, json_object *list)
{
	char text[TEXT];

	snprintf(text, sizeof(text), "is blocked: %s", maui_reason_text(MAUI_REASON_ACCESS));
	maui_object_append(o, list, json_object_new_string(text));
}

static void put_blocks(struct maui_object *o, const struct maui_document *p, uint32_t index)
{
	const struct maui_verdict *verdict = &p->plan->decisions.verdicts[index];
	bool said = verdict->idle_limit || p->plan->jobs[index].kept_out;
	const struct maui_block *blocks = said ? NULL : verdict->blocks;
	json_object *list = json_object_new_array();
	char text[TEXT], waits[MAUI_WAIT_TEXT_SIZE];

	if (list && verdict->idle_limit)
		append_idle_limit(o, list, verdict);
	else if (list && p->plan->jobs[index].kept_out)
		append_kept_out(o, list);
	for (const struct maui_block *b = blocks; list && b; b = b->next) {
		if (b->reason == MAUI_REASON_LIMIT && b->violation)
			violation_text(b->violation, text, sizeof(text));
		else if (b->reason == MAUI_REASON_HELD)
			snprintf(text, sizeof(text), "has the following hold(s) in place:  %s",
				 p->idle[index].held_by_user ? "User" : "System");
		else
			snprintf(text, sizeof(text), "is blocked: %s",
				 *maui_wait_text(p, index, waits) ? waits :
								    maui_reason_text(b->reason));
		maui_object_append(o, list, json_object_new_string(text));
	}
	maui_object_put(o, "blocked_by", list);
}

/* ---- what is wrong ---- */

/* Whether the limit alone is smaller than the job. */
static bool is_too_large(const struct maui_violation *v)
{
	return v && v->level == MAUI_LIMIT_HARD && v->requested > v->value &&
	       v->kind != MAUI_VIOLATION_FAIRSHARE;
}

static void put_messages(struct maui_object *o, const struct maui_document *p, uint32_t index)
{
	const struct maui_idle *idle = &p->plan->snapshot->idle[index];
	json_object *list = json_object_new_array();
	char text[TEXT], line[MAUI_VIOLATION_SIZE];

	for (const struct maui_block *b = p->plan->decisions.verdicts[index].blocks; list && b;
	     b = b->next) {
		if (b->reason == MAUI_REASON_NEVER_FITS)
			snprintf(text, sizeof(text),
				 "can never start: no set of nodes serves its request");
		else if (b->reason == MAUI_REASON_LIMIT && is_too_large(b->violation))
			snprintf(text, sizeof(text), "can never start: %s",
				 maui_violation_format(b->violation, line, sizeof(line)));
		else
			continue;
		maui_object_append(o, list, json_object_new_string(text));
	}
	if (list && idle->limit_s == MAUI_NEVER)
		maui_object_append(o, list, json_object_new_string("has no time limit"));
	maui_object_put(o, "messages", list);
}

static void put_active_messages(struct maui_object *o, const struct maui_document *p,
				const struct maui_active *a)
{
	json_object *list = json_object_new_array();

	if (list && a->end_s <= p->plan->now_s && !a->completing && !a->suspended)
		maui_object_append(o, list, json_object_new_string("has exceeded its time limit"));
	maui_object_put(o, "messages", list);
}

/* ---- jobs ---- */

static void put_credentials(struct maui_object *o, const struct maui_snapshot *s, uint32_t creds)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		maui_object_put_text(o, maui_cred_name((enum maui_cred_kind)k),
				     s->creds[creds].cred[k]);
}

static json_object *waiting_job(const struct maui_document *p, uint32_t index)
{
	const struct maui_plan *plan = p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const struct maui_row *row = &idle->rows[plan->jobs[index].row];
	uint32_t request = maui_idle_request(idle, plan->jobs[index].row);
	struct maui_object o = maui_object_make();
	char label[MAUI_JOB_LABEL_SIZE];

	maui_object_put_number(&o, "id", (int64_t)idle->id);
	maui_object_put_text(&o, "job", maui_waiting_label(p, index, label));
	maui_object_put_text(&o, "state", maui_waiting_state(p, index));
	put_credentials(&o, plan->snapshot, row->creds);
	maui_object_put_number(&o, "procs", idle->procs);
	maui_object_put_time(&o, "limit", idle->limit_s);
	maui_object_put_number(&o, "queued", plan->now_s - idle->queue_since_s);
	maui_object_put_number(&o, "mem_mb", (int64_t)idle->job.mem_mb);
	maui_object_put_number(&o, "disk_mb", (int64_t)idle->job.disk_mb);
	maui_object_put_text(&o, "features", plan->snapshot->requests[request].features);
	put_blocks(&o, p, index);
	put_messages(&o, p, index);
	return maui_object_finish(&o);
}

static json_object *active_job(const struct maui_document *p, const struct maui_active *active,
			       const struct maui_document_rsv *row)
{
	struct maui_object o = maui_object_make();
	char label[MAUI_JOB_LABEL_SIZE];

	maui_object_put_number(&o, "id", (int64_t)active->id);
	if (!row)
		snprintf(label, sizeof(label), "%" PRIu64, active->id);
	maui_object_put_text(&o, "job", row ? maui_active_label(row, label) : label);
	maui_object_put_text(&o, "state",
			     active->suspended  ? "Suspended" :
			     active->completing ? "Completing" :
						  "Running");
	put_credentials(&o, p->plan->snapshot, active->creds);
	maui_object_put_number(&o, "procs", active->procs);
	maui_object_put_time(&o, "limit", maui_when_of(active->job.walltime_s));
	maui_object_put_number(&o, "queued", (int64_t)active->job.queue_time_s);
	maui_object_put_number(&o, "mem_mb", (int64_t)active->job.mem_mb);
	maui_object_put_number(&o, "disk_mb", (int64_t)active->job.disk_mb);
	maui_object_put_null(&o, "features");
	maui_object_put(&o, "blocked_by", json_object_new_array());
	put_active_messages(&o, p, active);
	return maui_object_finish(&o);
}

/* The rows of active jobs, by which their owners and arrays are known. -1: no memory. */
static int index_active(const struct maui_document *p, struct maui_hashtable *ret)
{
	for (size_t i = 0; i < p->rsv_count; i++)
		if (maui_document_is_active(&p->rsvs[i]) &&
		    maui_hashtable_set_id(ret, (uint32_t)p->rsvs[i].job_id, &p->rsvs[i]))
			return -1;
	return 0;
}

static bool is_blocked(const struct maui_plan *plan, uint32_t index)
{
	const struct maui_verdict *verdict = &plan->decisions.verdicts[index];

	return verdict->idle_limit || plan->jobs[index].kept_out ||
	       (verdict->blocks && !plan->jobs[index].waits);
}

static bool is_wanted(const struct maui_document *p, uint32_t index, int64_t id, bool blocked)
{
	const struct maui_idle *idle = &p->plan->snapshot->idle[index];

	if (id > 0)
		return (int64_t)idle->id == id || p->idle[index].array_job_id == id;
	return p->plan->decisions.verdicts[index].started < idle->copies &&
	       (!blocked || is_blocked(p->plan, index));
}

static bool is_too_long(json_object *list)
{
	return json_object_array_length(list) > MAUI_QUERY_MAX_ROWS;
}

/* A job that completes has no row. */
static void add_active(struct maui_object *o, json_object *list, const struct maui_document *p,
		       int64_t id, uid_t uid)
{
	const struct maui_snapshot *s = p->plan->snapshot;
	bool all = !p->hide_jobs || maui_document_sees_all(p, uid);
	struct maui_hashtable rows = { 0 };

	o->failed |= index_active(p, &rows) != 0;
	for (uint32_t i = 0; !o->failed && !is_too_long(list) && i < s->active_count; i++) {
		const struct maui_document_rsv *row =
			maui_hashtable_find_id(&rows, (uint32_t)s->active[i].id);

		if ((id <= 0 || (int64_t)s->active[i].id == id ||
		     (row && row->array_job_id == id)) &&
		    (row ? maui_document_shows(p, row, uid) : all))
			maui_object_append(o, list, active_job(p, &s->active[i], row));
	}
	maui_hashtable_finish(&rows);
}

static void add_waiting(struct maui_object *o, json_object *list, const struct maui_document *p,
			int64_t id, bool blocked, uid_t uid)
{
	uint32_t count = p->plan->snapshot->idle_count;

	for (uint32_t i = 0; !o->failed && !is_too_long(list) && i < count; i++)
		if (is_wanted(p, i, id, blocked) && maui_document_shows_idle(p, i, uid))
			maui_object_append(o, list, waiting_job(p, i));
}

/* -1 with error: none has the number, or there are too many. */
static int check_list(json_object *list, int64_t id, bool blocked, struct maui_query_error *error)
{
	if (id > 0 && json_object_array_length(list) == 0)
		return maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "no job %lld is waiting%s",
				       (long long)id, blocked ? "" : " or running");
	if (is_too_long(list))
		return maui_query_fail(
			error, MAUI_QUERY_ERROR,
			"more than %d jobs, the most that are listed: name one, or see showq",
			MAUI_QUERY_MAX_ROWS);
	return 0;
}

json_object *maui_jobs_json(const struct maui_document *p, int64_t id, bool blocked, uid_t uid,
			    struct maui_query_error *error)
{
	struct maui_object o;
	json_object *list;

	if (!p->plan) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	o = maui_object_make();
	list = json_object_new_array();
	o.failed |= !list;
	if (!blocked && !o.failed)
		add_active(&o, list, p, id, uid);
	if (!o.failed)
		add_waiting(&o, list, p, id, blocked, uid);
	if (!o.failed && check_list(list, id, blocked, error)) {
		json_object_put(list);
		json_object_put(o.json);
		return NULL;
	}
	maui_object_put_text(&o, "cluster", p->cluster);
	maui_object_put_number(&o, "time", p->plan->now_s);
	maui_object_put(&o, "jobs", list);
	maui_config_put_refused(&o, p, uid);
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}
