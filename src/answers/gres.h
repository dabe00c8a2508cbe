/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.h - generic resources, and how many of them no job has */
#ifndef MAUI_ANSWERS_GRES_H
#define MAUI_ANSWERS_GRES_H

#include "answers/question.h"
#include "verbs/gres.h"

/* What all nodes have, and behind it what jobs hold, hidden ones too: two vectors of the snapshot's
 * dimensions in one block, which the caller frees. NULL without memory. */
int64_t *maui_gres_sums(const struct maui_snapshot *s);

/* Those of two vectors of the snapshot's dimensions: what there is, and what jobs have. Resources
 * that jobs do not use up are left out. NULL vectors: the snapshot has no other dimensions than the
 * fixed ones. -1 without memory. */
int maui_gres_list(const struct maui_question *q, const int64_t *total, const int64_t *used,
		   const struct maui_gres **ret, size_t *ret_count);

/* Those of the whole cluster. *ret NULL: PrivateData=nodes hides them from the user who asks, or
 * there is no plan yet. -1 without memory. */
int maui_gres_list_all(const struct maui_question *q, const struct maui_gres **ret,
		       size_t *ret_count);

#endif
