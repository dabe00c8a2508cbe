/* SPDX-License-Identifier: GPL-2.0-or-later */
/* problems.h - what is wrong with the scheduler, nodes, jobs and reservations, as texts */
#ifndef MAUI_ANSWERS_PROBLEMS_H
#define MAUI_ANSWERS_PROBLEMS_H

#include "answers/answer.h"
#include "answers/node_use.h"

/* The worst first, a line each, without what PrivateData hides from the user. `uses` of each node;
 * NULL: the user may not see nodes. -1 with the error: no memory. */
int maui_problems_list(const struct maui_question *q, const struct maui_node_use *uses,
		       const char *const **ret, size_t *ret_count);

#endif
