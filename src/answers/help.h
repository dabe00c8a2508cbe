/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help.h - what would let a waiting job start now, for checkjob
 *
 * Rules: CMD-41, CMD-42.
 */
#ifndef MAUI_ANSWERS_HELP_H
#define MAUI_ANSWERS_HELP_H

#include "answers/question.h"
#include "explain/explain.h"
#include "verbs/job.h"

/* `e` explains the idle job with this index; it is no longer valid afterwards. NULL without memory,
 * with the error. */
const struct maui_job_help *maui_help_list(const struct maui_question *q, uint32_t index,
					   struct maui_explainer *x,
					   const struct maui_explanation *e, size_t *ret_count);

#endif
