/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - answers "jobs": jobs with their requests, what blocks them, and what is wrong with them
 *
 * Rules: CMD-9, CMD-33.
 */

#include "answers/jobs.h"

#include <inttypes.h>
#include <stdio.h>

#include "answers/find_job.h"
#include "answers/refused.h"
#include "answers/wait_text.h"
#include "base/hashtable.h"
#include "base/limits.h"
#include "explain/text.h"
#include "model/when.h"
#include "plan/finished.h"
#include "verbs/jobs.h"

enum { TEXT = MAUI_VIOLATION_SIZE + MAUI_NAME_MAX };

struct listing {
	const struct maui_question *q;
	const struct maui_document *p;
	int64_t id; /* of the arguments; 0 or less: any */
	bool blocked;
	struct maui_hashtable rows; /* of active jobs, by id: tell their owners and arrays */
	struct maui_jobs_job *jobs;
	size_t count;
	bool failed;
};

static const char *copy(struct listing *l, const char *text)
{
	const char *ret = maui_question_copy(l->q, text);

	l->failed |= !ret;
	return ret;
}

/* Room for a list of texts. */
static const char **texts(struct listing *l, size_t count)
{
	const char **ret = maui_question_alloc(l->q, count, sizeof(*ret));

	l->failed |= !ret;
	return ret;
}

/* ---- what blocks a job ---- */

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
static const char *idle_limit_text(struct listing *l, const struct maui_verdict *verdict)
{
	char text[TEXT], line[TEXT + 32];

	violation_text(verdict->idle_limit, text, sizeof(text));
	snprintf(line, sizeof(line), "%s, %" PRIu32 " task%s", text, verdict->idle_limited,
		 verdict->idle_limited == 1 ? "" : "s");
	return copy(l, line);
}

static const char *block_text(struct listing *l, uint32_t index, const struct maui_block *b)
{
	char text[TEXT], waits[MAUI_WAIT_TEXT_SIZE];

	if (b->reason == MAUI_REASON_LIMIT && b->violation)
		violation_text(b->violation, text, sizeof(text));
	else if (b->reason == MAUI_REASON_HELD)
		snprintf(text, sizeof(text), "has the following hold(s) in place:  %s",
			 l->p->idle[index].held_by_user ? "User" : "System");
	else
		snprintf(text, sizeof(text), "is blocked: %s",
			 *maui_wait_text(l->p, index, waits) ? waits : maui_reason_text(b->reason));
	return copy(l, text);
}

/* Reservations never admit the job. */
static const char *kept_out_text(struct listing *l)
{
	char text[TEXT];

	snprintf(text, sizeof(text), "is blocked: %s", maui_reason_text(MAUI_REASON_ACCESS));
	return copy(l, text);
}

static size_t count_blocks(const struct maui_verdict *verdict)
{
	size_t count = 0;

	for (const struct maui_block *b = verdict->blocks; b; b = b->next)
		count++;
	return count;
}

static void list_blocks(struct listing *l, uint32_t index, struct maui_jobs_job *ret)
{
	const struct maui_verdict *verdict = &l->p->plan->decisions.verdicts[index];
	const char **list = texts(l, count_blocks(verdict) + 1);

	ret->blocked_by = list;
	if (list && verdict->idle_limit)
		list[ret->blocked_by_count++] = idle_limit_text(l, verdict);
	else if (list && l->p->plan->jobs[index].kept_out)
		list[ret->blocked_by_count++] = kept_out_text(l);
	else
		for (const struct maui_block *b = verdict->blocks; list && b; b = b->next)
			list[ret->blocked_by_count++] = block_text(l, index, b);
}

/* ---- what is wrong ---- */

/* Whether the limit alone is smaller than the job. */
static bool is_too_large(const struct maui_violation *v)
{
	return v && v->level == MAUI_LIMIT_HARD && v->requested > v->value &&
	       v->kind != MAUI_VIOLATION_FAIRSHARE;
}

static void list_messages(struct listing *l, uint32_t index, struct maui_jobs_job *ret)
{
	const struct maui_verdict *verdict = &l->p->plan->decisions.verdicts[index];
	const char **list = texts(l, count_blocks(verdict) + 1);
	char text[TEXT], line[MAUI_VIOLATION_SIZE];

	ret->messages = list;
	for (const struct maui_block *b = verdict->blocks; list && b; b = b->next) {
		if (b->reason == MAUI_REASON_NEVER_FITS)
			snprintf(text, sizeof(text),
				 "can never start: no set of nodes serves its request");
		else if (b->reason == MAUI_REASON_LIMIT && is_too_large(b->violation))
			snprintf(text, sizeof(text), "can never start: %s",
				 maui_violation_format(b->violation, line, sizeof(line)));
		else
			continue;
		list[ret->messages_count++] = copy(l, text);
	}
	if (list && ret->limit == MAUI_NEVER)
		list[ret->messages_count++] = "has no time limit";
}

static const char *const over_limit[] = { "has exceeded its time limit" };

static bool is_over_limit(const struct listing *l, const struct maui_active *a)
{
	return a->end_s <= l->p->plan->now_s && !a->completing && !a->suspended;
}

/* ---- jobs ---- */

static void fill_waiting(struct listing *l, uint32_t index, struct maui_jobs_job *ret)
{
	const struct maui_plan *plan = l->p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const struct maui_row *row = &idle->rows[plan->jobs[index].row];
	uint32_t request = maui_idle_request(idle, plan->jobs[index].row);
	const char *const *cred = plan->snapshot->creds[row->creds].cred;
	char label[MAUI_JOB_LABEL_SIZE];

	*ret = (struct maui_jobs_job){
		.id = (int64_t)idle->id,
		.job = copy(l, maui_waiting_label(l->p, index, label)),
		.state = maui_waiting_state(l->p, index),
		.user = cred[MAUI_CRED_USER],
		.group = cred[MAUI_CRED_GROUP],
		.account = cred[MAUI_CRED_ACCOUNT],
		.qos = cred[MAUI_CRED_QOS],
		.class = cred[MAUI_CRED_CLASS],
		.procs = idle->procs,
		.limit = idle->limit_s,
		.queued = plan->now_s - idle->queue_since_s,
		.mem_mb = (int64_t)idle->job.mem_mb,
		.disk_mb = (int64_t)idle->job.disk_mb,
		.features = plan->snapshot->requests[request].features,
	};
	list_blocks(l, index, ret);
	list_messages(l, index, ret);
}

/* A job that completes has none. */
static const struct maui_document_rsv *row_of(const struct listing *l, uint32_t active)
{
	return maui_hashtable_find_id(&l->rows, (uint32_t)l->p->plan->snapshot->active[active].id);
}

static void fill_active(struct listing *l, uint32_t index, struct maui_jobs_job *ret)
{
	const struct maui_snapshot *s = l->p->plan->snapshot;
	const struct maui_active *active = &s->active[index];
	const struct maui_document_rsv *row = row_of(l, index);
	const char *const *cred = s->creds[active->creds].cred;
	char label[MAUI_JOB_LABEL_SIZE];

	if (!row)
		snprintf(label, sizeof(label), "%" PRIu64, active->id);
	*ret = (struct maui_jobs_job){
		.id = (int64_t)active->id,
		.job = copy(l, row ? maui_active_label(row, label) : label),
		.state = active->suspended  ? "Suspended" :
			 active->completing ? "Completing" :
					      "Running",
		.user = cred[MAUI_CRED_USER],
		.group = cred[MAUI_CRED_GROUP],
		.account = cred[MAUI_CRED_ACCOUNT],
		.qos = cred[MAUI_CRED_QOS],
		.class = cred[MAUI_CRED_CLASS],
		.procs = active->procs,
		.limit = maui_when_of(active->job.walltime_s),
		.queued = (int64_t)active->job.queue_time_s,
		.mem_mb = (int64_t)active->job.mem_mb,
		.disk_mb = (int64_t)active->job.disk_mb,
		.messages = over_limit,
		.messages_count = is_over_limit(l, active),
	};
}

/* ---- which ---- */

static int index_active(struct listing *l)
{
	const struct maui_document *p = l->p;

	for (size_t i = 0; i < p->rsv_count; i++)
		if (maui_document_is_active(&p->rsvs[i]) &&
		    maui_hashtable_set_id(&l->rows, (uint32_t)p->rsvs[i].job_id, &p->rsvs[i]))
			return -1;
	return 0;
}

static bool is_active_wanted(const struct listing *l, uint32_t index)
{
	const struct maui_document_rsv *row = row_of(l, index);
	int64_t id = (int64_t)l->p->plan->snapshot->active[index].id;

	if (l->blocked || (l->id > 0 && id != l->id && !(row && row->array_job_id == l->id)))
		return false;
	return row ? maui_document_shows(l->p, row, l->q->uid) :
		     !l->p->hide_jobs || maui_document_sees_all(l->p, l->q->uid);
}

static bool is_blocked(const struct maui_plan *plan, uint32_t index)
{
	const struct maui_verdict *verdict = &plan->decisions.verdicts[index];

	return verdict->idle_limit || plan->jobs[index].kept_out ||
	       (verdict->blocks && !plan->jobs[index].waits);
}

static bool is_meant(const struct listing *l, uint32_t index)
{
	const struct maui_plan *plan = l->p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];

	if (l->id > 0)
		return (int64_t)idle->id == l->id || l->p->idle[index].array_job_id == l->id;
	return plan->decisions.verdicts[index].started < idle->copies &&
	       (!l->blocked || is_blocked(plan, index));
}

static bool is_waiting_wanted(const struct listing *l, uint32_t index)
{
	return is_meant(l, index) && maui_document_shows_idle(l->p, index, l->q->uid);
}

static size_t count_wanted(const struct listing *l)
{
	const struct maui_snapshot *s = l->p->plan->snapshot;
	size_t count = 0;

	for (uint32_t i = 0; i < s->active_count; i++)
		count += is_active_wanted(l, i);
	for (uint32_t i = 0; i < s->idle_count; i++)
		count += is_waiting_wanted(l, i);
	return count;
}

static void list_wanted(struct listing *l)
{
	const struct maui_snapshot *s = l->p->plan->snapshot;

	for (uint32_t i = 0; !l->failed && i < s->active_count; i++)
		if (is_active_wanted(l, i))
			fill_active(l, i, &l->jobs[l->count++]);
	for (uint32_t i = 0; !l->failed && i < s->idle_count; i++)
		if (is_waiting_wanted(l, i))
			fill_waiting(l, i, &l->jobs[l->count++]);
}

/* ---- the answer ---- */

static const void *answer(struct listing *l)
{
	struct maui_jobs *ret = maui_question_alloc(l->q, 1, sizeof(*ret));
	size_t wanted = count_wanted(l);

	if (l->id > 0 && wanted == 0)
		return maui_question_fail(l->q, MAUI_QUERY_NOT_FOUND,
					  "no job %" PRId64 " is waiting%s", l->id,
					  l->blocked ? "" : " or running");
	if (wanted > MAUI_QUERY_MAX_ROWS)
		return maui_question_fail(
			l->q, MAUI_QUERY_ERROR,
			"more than %d jobs, the most that are listed: name one, or see showq",
			MAUI_QUERY_MAX_ROWS);
	l->jobs = maui_question_alloc(l->q, wanted, sizeof(*l->jobs));
	if (!ret || !l->jobs)
		return NULL;
	list_wanted(l);
	*ret = (struct maui_jobs){
		.cluster = l->p->cluster,
		.time = l->p->plan->now_s,
		.jobs = l->jobs,
		.jobs_count = l->count,
	};
	return l->failed || maui_refused_get(l->q, &ret->refused) ? NULL : ret;
}

const void *maui_answer_jobs(const struct maui_question *q, const void *arguments)
{
	const struct maui_jobs_args *args = arguments;
	struct listing l = { .q = q, .p = q->document, .id = args->job, .blocked = args->blocked };
	const void *ret;

	if (!maui_question_has_plan(q))
		return NULL;
	ret = index_active(&l) ? maui_question_no_memory(q) : answer(&l);
	maui_hashtable_finish(&l.rows);
	return ret;
}
