/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_help.h - which jobs use up the limits of a waiting job, and what would let it start now
 *
 * Rules: CMD-42.
 */
#ifndef MAUI_ANSWERS_JOB_HELP_H
#define MAUI_ANSWERS_JOB_HELP_H

#include <stdint.h>

#include "answers/question.h"
#include "explain/explain.h"
#include "verbs/job.h"

/* A waiting job about which is asked. */
struct maui_waiting_job {
	const struct maui_question *q;
	const struct maui_document *p; /* that of the question */
	uint32_t index;                /* of the plan's idle jobs */
	const struct maui_explanation *e;
	struct maui_job_waiting *ret;
};

/* Sets would_help of the job, whose explanation is complete; that is no longer valid afterwards. It
 * names the jobs that the user may see. -1 without memory, with error. */
int maui_job_help(const struct maui_waiting_job *job, struct maui_explainer *x);

#endif
