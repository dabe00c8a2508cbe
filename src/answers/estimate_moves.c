/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_moves.c - how the estimate of a waiting job's start moved */

#include "answers/estimate_moves.h"

#include "model/estimate.h"

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
