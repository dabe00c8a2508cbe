/* SPDX-License-Identifier: GPL-2.0-or-later */
/* in_the_way.h - the jobs that a waiting job waits for: those ahead of it, and those that run on
 * the nodes that could serve it then
 *
 * Rules: CMD-68.
 */
#ifndef MAUI_ANSWERS_IN_THE_WAY_H
#define MAUI_ANSWERS_IN_THE_WAY_H

#include "answers/question.h"
#include "explain/explain.h"
#include "verbs/job.h"

/* How many of each are named. */
enum { MAUI_IN_THE_WAY_MOST = 5 };

/* Sets the lists of jobs ahead and, with `nodes`, of those that use its nodes. Explanations from
 * the explainer are no longer valid afterwards. -1 without memory. */
int maui_in_the_way(const struct maui_question *q, uint32_t index, struct maui_explainer *x,
		    bool nodes, struct maui_job_waiting *ret);

#endif
