/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_row.h - a reservation of the document as a record */
#ifndef MAUI_ANSWERS_RSV_ROW_H
#define MAUI_ANSWERS_RSV_ROW_H

#include "answers/question.h"
#include "verbs/rsv.h"

/* The row for the asker, who may see it. `nodes`: with the list of nodes. Texts are the document's.
 * -1 without memory, with the error. */
int maui_rsv_row_fill(const struct maui_question *q, const struct maui_document_rsv *row,
		      bool nodes, struct maui_rsv_row *ret);

#endif
