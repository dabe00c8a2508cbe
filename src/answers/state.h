/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.h - answers "state": the scheduler, active jobs on their nodes, what is wrong
 *
 * What PrivateData hides from the user is not named: a node shows that a job is there, not whose.
 *
 * Rules: CMD-9, CMD-49.
 */
#ifndef MAUI_ANSWERS_STATE_H
#define MAUI_ANSWERS_STATE_H

#include "answers/question.h"

struct maui_node_use;

/* state_problems.c: what is wrong, texts. `uses`: of each node; NULL: the user may not see nodes.
 * -1 without memory, with the error. */
int maui_state_problems(const struct maui_question *q, const struct maui_node_use *uses,
			const char *const **ret, size_t *ret_count);

#endif
