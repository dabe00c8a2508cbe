/* SPDX-License-Identifier: GPL-2.0-or-later */
/* find_job.c - the jobs of a document: which one a user means, what it is called, its state and
 * nodes */

#include "answers/find_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hostrange.h"
#include "model/estimate.h"
#include "model/job.h"
#include "plan/finished.h"

bool maui_document_is_active(const struct maui_document_rsv *row)
{
	return row->type == MAUI_DOCUMENT_JOB && row->state != MAUI_JOB_IDLE;
}

/* How well a job answers to a name. */
enum match { NO_MATCH, OF_ARRAY, EXACT };

static bool is_component(const struct maui_het_place *het, const struct maui_job_name *name)
{
	return het->id != 0 && (int64_t)het->id == name->id &&
	       (int64_t)het->offset == name->component;
}

static enum match match_active(const struct maui_document_rsv *row,
			       const struct maui_job_name *name)
{
	bool of_array = row->array_job_id != 0 && (int64_t)row->array_job_id == name->id;

	if (name->component >= 0)
		return is_component(&row->het, name) ? EXACT : NO_MATCH;
	if (name->task >= 0)
		return of_array && (int64_t)row->array_task == name->task ? EXACT : NO_MATCH;
	return (int64_t)row->job_id == name->id ? EXACT : of_array ? OF_ARRAY : NO_MATCH;
}

static enum match match_waiting(const struct maui_document *p, uint32_t index,
				const struct maui_job_name *name)
{
	const struct maui_document_idle *idle = &p->idle[index];
	bool of_array = idle->array_job_id != 0 && (int64_t)idle->array_job_id == name->id;

	if (idle->waiting == 0)
		return NO_MATCH;
	if (name->component >= 0)
		return is_component(&idle->het, name) ? EXACT : NO_MATCH;
	if (name->task < 0)
		return (int64_t)p->plan->snapshot->idle[index].id == name->id ? EXACT :
		       of_array                                               ? OF_ARRAY :
										NO_MATCH;
	if (!of_array || name->task < idle->first_task || name->task > idle->last_task)
		return NO_MATCH;
	return idle->array_task == MAUI_NO_TASK ? OF_ARRAY : EXACT;
}

static const struct maui_document_rsv *find_active(const struct maui_document *p,
						   const struct maui_job_name *name, uid_t uid,
						   enum match wanted)
{
	for (size_t i = 0; i < p->rsv_count; i++)
		if (maui_document_is_active(&p->rsvs[i]) &&
		    match_active(&p->rsvs[i], name) == wanted &&
		    maui_document_shows(p, &p->rsvs[i], uid))
			return &p->rsvs[i];
	return NULL;
}

/* UINT32_MAX: none. */
static uint32_t find_waiting(const struct maui_document *p, const struct maui_job_name *name,
			     uid_t uid, enum match wanted)
{
	for (uint32_t i = 0; p->plan && i < p->plan->snapshot->idle_count; i++)
		if (match_waiting(p, i, name) == wanted && maui_document_shows_idle(p, i, uid))
			return i;
	return UINT32_MAX;
}

static bool find(const struct maui_document *p, const struct maui_job_name *name, uid_t uid,
		 struct maui_found_job *ret)
{
	*ret = (struct maui_found_job){ find_active(p, name, uid, EXACT), UINT32_MAX };
	if (ret->active)
		return true;
	ret->waiting = find_waiting(p, name, uid, EXACT);
	if (ret->waiting == UINT32_MAX)
		ret->waiting = find_waiting(p, name, uid, OF_ARRAY);
	if (ret->waiting != UINT32_MAX)
		return true;
	ret->active = find_active(p, name, uid, OF_ARRAY);
	return ret->active != NULL;
}

/* Whether the number is higher than those of all jobs of the plan: the job may be newer. */
static bool is_newer(const struct maui_document *p, int64_t id)
{
	const uint64_t number = (uint64_t)id;

	if (id <= 0 || id > UINT32_MAX)
		return false;
	for (size_t i = 0; i < p->rsv_count; i++)
		if (p->rsvs[i].job_id >= number || p->rsvs[i].array_job_id >= number)
			return false;
	for (uint32_t i = 0; i < p->plan->snapshot->idle_count; i++)
		if (p->plan->snapshot->idle[i].id >= number || p->idle[i].array_job_id >= number)
			return false;
	return true;
}

int maui_find_job(const struct maui_question *q, const struct maui_job_name *name,
		  struct maui_found_job *ret)
{
	enum maui_query_code code;

	if (name->id > 0 && find(q->document, name, q->uid, ret))
		return 0;
	if (!maui_question_has_plan(q))
		return -1;
	code = is_newer(q->document, name->id) ? MAUI_QUERY_NOT_YET : MAUI_QUERY_NOT_FOUND;
	if (name->component >= 0)
		maui_question_fail(q, code,
				   "no component %" PRId64 " of het job %" PRId64
				   " is waiting or running",
				   name->component, name->id);
	else if (name->task >= 0)
		maui_question_fail(q, code,
				   "no task %" PRId64 " of job %" PRId64 " is waiting or running",
				   name->task, name->id);
	else
		maui_question_fail(
			q, code,
			"no job %" PRId64
			" is waiting or running (one that has ended: scontrol show job, sacct)",
			name->id);
	return -1;
}

/* ---- names ---- */

static const char *label_task(uint32_t array, uint32_t task, char *buf)
{
	snprintf(buf, MAUI_JOB_LABEL_SIZE, "%" PRIu32 "_%" PRIu32, array, task);
	return buf;
}

static const char *label_id(uint64_t id, char *buf)
{
	snprintf(buf, MAUI_JOB_LABEL_SIZE, "%" PRIu64, id);
	return buf;
}

const char *maui_active_label(const struct maui_document_rsv *row, char *buf)
{
	return row->array_job_id && row->array_task != MAUI_NO_TASK ?
		       label_task(row->array_job_id, row->array_task, buf) :
		       label_id(row->job_id, buf);
}

const char *maui_waiting_label(const struct maui_document *p, uint32_t index, char *buf)
{
	return maui_waiting_part_label(p, index, p->idle[index].waiting, buf);
}

const char *maui_waiting_part_label(const struct maui_document *p, uint32_t index, uint32_t count,
				    char *buf)
{
	const struct maui_document_idle *idle = &p->idle[index];
	int length;

	if (!idle->array_job_id)
		return label_id(p->plan->snapshot->idle[index].id, buf);
	if (idle->array_task != MAUI_NO_TASK)
		return label_task(idle->array_job_id, idle->array_task, buf);
	if (idle->first_task == MAUI_NO_TASK)
		return label_id(idle->array_job_id, buf);
	length = snprintf(buf, MAUI_JOB_LABEL_SIZE, "%" PRIu32 "_[%" PRIu32 "-%" PRIu32 "]",
			  idle->array_job_id, idle->first_task, idle->last_task);
	if (count != idle->last_task - idle->first_task + 1)
		snprintf(buf + length, MAUI_JOB_LABEL_SIZE - (size_t)length, "x%" PRIu32, count);
	return buf;
}

/* ---- states ---- */

/* Of an array some tasks may start and others wait: then it waits. */
enum maui_job_state maui_waiting_state(const struct maui_document *p, uint32_t index)
{
	const struct maui_verdict *verdict = &p->plan->decisions.verdicts[index];

	if (verdict->started && !verdict->blocks && !maui_document_no_starts(p))
		return MAUI_JOB_STARTING;
	return p->plan->snapshot->idle[index].blocked ? MAUI_JOB_BLOCKED : MAUI_JOB_IDLE;
}

struct maui_slurm_facts maui_waiting_facts(const struct maui_document *p, uint32_t index)
{
	const struct maui_document_idle *idle = &p->idle[index];

	return (struct maui_slurm_facts){ .conditions = idle->conditions,
					  .held_by_user = idle->held_by_user,
					  .requeued = idle->requeued,
					  .no_starts = maui_document_no_starts(p),
					  .next_task_s = MAUI_NEVER };
}

const struct maui_estimate_move *maui_estimate_moves(const struct maui_question *q, uint32_t index,
						     size_t *ret_count)
{
	const struct maui_document_idle *idle = &q->document->idle[index];
	struct maui_estimate_move *moves =
		maui_question_alloc(q, idle->estimate_count, sizeof(*moves));

	*ret_count = idle->estimate_count;
	for (uint32_t i = 0; moves && i < idle->estimate_count; i++)
		moves[i] = (struct maui_estimate_move){ idle->estimates[i].at_s,
							idle->estimates[i].start_s };
	return moves;
}

const char *maui_job_node_names(const struct maui_question *q, const struct maui_document_rsv *row)
{
	const char **names = maui_question_alloc(q, row->node_count, sizeof(*names));
	const char *ret;
	char *text;

	if (!names)
		return NULL;
	for (uint32_t i = 0; i < row->node_count; i++)
		names[i] = q->document->nodes[row->nodes[i].node];
	text = maui_hostrange_fold(names, row->node_count);
	if (!text) {
		maui_question_no_memory(q);
		return NULL;
	}
	ret = maui_question_copy(q, text);
	free(text);
	return ret;
}
