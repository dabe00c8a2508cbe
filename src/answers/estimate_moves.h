/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_moves.h - how the estimate of a waiting job's start moved */
#ifndef MAUI_ANSWERS_ESTIMATE_MOVES_H
#define MAUI_ANSWERS_ESTIMATE_MOVES_H

#include "answers/question.h"
#include "verbs/estimate_move.h"

/* Those of an idle job of the plan. NULL without memory, with the error. */
const struct maui_estimate_move *maui_estimate_moves(const struct maui_question *q, uint32_t index,
						     size_t *ret_count);

#endif
