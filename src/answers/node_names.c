/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_names.c - the nodes of a job or a reservation as one text */

#include "answers/node_names.h"

#include <stdlib.h>

#include "base/hostrange.h"

const char *maui_rsv_node_names(const struct maui_question *q, const struct maui_document_rsv *row)
{
	const char **names = maui_question_alloc(q, row->node_count, sizeof(*names));
	const char *ret;
	char *text;

	if (!names)
		return NULL;
	for (uint32_t i = 0; i < row->node_count; i++)
		names[i] = q->document->nodes[row->nodes[i].node];
	text = maui_hostrange_fold(names, row->node_count);
	if (!text) {
		maui_question_no_memory(q);
		return NULL;
	}
	ret = maui_question_copy(q, text);
	free(text);
	return ret;
}
