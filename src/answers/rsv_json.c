/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_json.c - what a node and a job are told of reservations, as JSON */

#include "answers/rsv_json.h"

#include <stdlib.h>

#include "answers/rsv_text.h"
#include "base/hostrange.h"

void maui_rsv_put_node_names(struct maui_object *o, const char *key, const struct maui_document *p,
			     const struct maui_document_rsv *row)
{
	const char **names = calloc(row->node_count + 1u, sizeof(*names));
	char *text;

	for (uint32_t i = 0; names && i < row->node_count; i++)
		names[i] = p->nodes[row->nodes[i].node];
	text = names ? maui_hostrange_fold(names, row->node_count) : NULL;
	o->failed |= !text;
	maui_object_put_text(o, key, text);
	free(text);
	free(names);
}

void maui_rsv_put_short(struct maui_object *o, const struct maui_document_rsv *row)
{
	maui_object_put_text(o, "name", row->name);
	maui_object_put_text(o, "type", maui_rsv_text_type(row->type));
	maui_object_put_text(o, "state", maui_rsv_text_state(row->state));
	maui_object_put_text(o, "user", row->cred[MAUI_CRED_USER]);
	maui_object_put_number(o, "start", row->start_s);
	maui_object_put_time(o, "end", row->end_s);
}
