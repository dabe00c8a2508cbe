/* SPDX-License-Identifier: GPL-2.0-or-later */
/* find_job.h - the jobs of a document: which one a user means, what it is called, its state and
 * nodes, and what slurmctld knows of it
 *
 * In: the published document. A job is either active, then it is a row of the document, or it
 * waits, then it is an idle job of the finished plan. A job that a user may not see is not found.
 *
 * Rules: CMD-9, CMD-22.
 */
#ifndef MAUI_ANSWERS_FIND_JOB_H
#define MAUI_ANSWERS_FIND_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "answers/question.h"
#include "explain/explain.h"
#include "verbs/estimate_move.h"

/* "17"; "17_3": task 3 of array 17; "17+1": component 1 of het job 17. */
struct maui_job_name {
	int64_t id;
	int64_t task, component; /* -1: none named */
};

struct maui_found_job {
	const struct maui_document_rsv *active; /* NULL: it waits */
	uint32_t waiting;                       /* index of the plan's idle jobs */
};

/* The first of these that the user may see: the active job of this number; the waiting one; a
 * waiting task of the array of this number; an active one. -1 with the question's error: there is
 * none, maybe not yet (MAUI_QUERY_NOT_YET), or no plan has finished yet. */
int maui_find_job(const struct maui_question *q, const struct maui_job_name *name,
		  struct maui_found_job *ret);

/* Whether the row is a job that holds nodes now. */
bool maui_document_is_active(const struct maui_document_rsv *row);

#define MAUI_JOB_LABEL_SIZE 64
/* As squeue names jobs: "17", "17_3", and for the tasks of an array that wait "17_[1-5]", or
 * "17_[1-9]x4" if some numbers in between are not among the four. */
const char *maui_active_label(const struct maui_document_rsv *row, char *buf);
const char *maui_waiting_label(const struct maui_document *p, uint32_t index, char *buf);
/* The same of `count` of these tasks. */
const char *maui_waiting_part_label(const struct maui_document *p, uint32_t index, uint32_t count,
				    char *buf);

/* IDLE, STARTING or BLOCKED. */
enum maui_job_state maui_waiting_state(const struct maui_document *p, uint32_t index);

/* For explanations of the waiting job; without `next_task_s` and `going`. */
struct maui_slurm_facts maui_waiting_facts(const struct maui_document *p, uint32_t index);

/* How the estimate of the waiting job's start moved. NULL without memory, with the error. */
const struct maui_estimate_move *maui_estimate_moves(const struct maui_question *q, uint32_t index,
						     size_t *ret_count);

/* The nodes of an active job, or of a job reservation: "n[1-4],g1". NULL without memory, with the
 * error. */
const char *maui_job_node_names(const struct maui_question *q, const struct maui_document_rsv *row);

#endif
