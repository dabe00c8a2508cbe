/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_json.h - what a node and a job are told of reservations, as JSON */
#ifndef MAUI_ANSWERS_RSV_JSON_H
#define MAUI_ANSWERS_RSV_JSON_H

#include "answers/document.h"
#include "answers/object.h"

/* Puts its nodes in one text: "n[1-4],g1". */
void maui_rsv_put_node_names(struct maui_object *o, const char *key, const struct maui_document *p,
			     const struct maui_document_rsv *row);
/* Puts what it is, whose, and its times. */
void maui_rsv_put_short(struct maui_object *o, const struct maui_document_rsv *row);

#endif
