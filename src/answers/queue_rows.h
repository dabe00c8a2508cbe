/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_rows.h - a job as a row of "queue"
 *
 * Rules: CMD-9, CMD-23.
 */
#ifndef MAUI_ANSWERS_QUEUE_ROWS_H
#define MAUI_ANSWERS_QUEUE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "answers/answer.h"

struct maui_queue_active;
struct maui_queue_waiting;

/* The last number of nodes that was looked for: neighbours in a queue are alike. */
struct maui_queue_measured {
	const struct maui_row *row; /* NULL: none yet */
	uint32_t request, nodes;
};

/* What rows are made of, for one answer. */
struct maui_queue_rows {
	const struct maui_question *question;
	const struct maui_document *p; /* the one that is asked */
	bool wide;
	struct maui_explainer *explainer; /* waiting jobs that are shown wide need one */
	unsigned searches;                /* for estimates that the cycle did not make */
	struct maui_queue_measured measured;
	bool failed; /* memory ran out */
};

void maui_queue_fill_active(struct maui_queue_rows *rows, const struct maui_document_rsv *row,
			    struct maui_queue_active *ret);
/* The jobs of the entry that are blocked, or those that are not. */
void maui_queue_fill_waiting(struct maui_queue_rows *rows, uint32_t index, bool blocked,
			     struct maui_queue_waiting *ret);

#endif
