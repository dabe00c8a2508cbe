/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.h - answers "job": what is known of one job, and why it does not run
 *
 * The job's request, its place in the queue, every reason, nodes by reason, and what would help.
 * The explanation is computed when it is asked for, in the thread that asks.
 *
 * Rules: CMD-21, CMD-42.
 */
#ifndef MAUI_ANSWERS_JOB_H
#define MAUI_ANSWERS_JOB_H

#include "answers/question.h"
#include "explain/explain.h"
#include "record/record.h"

/* The counts of nodes by reason; none of NULL. -1 without memory. */
int maui_job_count_nodes(const struct maui_question *q, const struct maui_node_reasons *nodes,
			 const struct maui_count **ret, size_t *ret_count);

#endif
