/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres_json.h - generic resources, and how many of them no job has */
#ifndef MAUI_ANSWERS_GRES_JSON_H
#define MAUI_ANSWERS_GRES_JSON_H

#include <sys/types.h>

#include "answers/document.h"
#include "answers/object.h"
#include "model/snapshot.h"

/* Puts the list "gres", each with `name`, `total` and `unused`, of two vectors of the snapshot's
 * dimensions: what there is, and what jobs have. Those that jobs do not use up are left out. NULL
 * vectors: the snapshot has no other dimensions than the fixed ones. */
void maui_gres_put(struct maui_object *o, const struct maui_snapshot *s, const int64_t *total,
		   const int64_t *used);

/* Puts the list "gres" of the whole cluster, unless PrivateData=nodes hides it from the asker or
 * there is no plan yet. */
void maui_gres_put_all(struct maui_object *o, const struct maui_document *p, uid_t uid);

#endif
