/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_walk.h - the reservations that a user may see, one after the other: those of the document,
 * then Slurm's own
 *
 * Slurm's own are those of scontrol that have nodes; the plan keeps their nodes (model/snapshot.h),
 * and our mirrors are not among them. With PrivateData=reservations users do not see them.
 *
 * Rules: CMD-2.
 */
#ifndef MAUI_ANSWERS_RSV_WALK_H
#define MAUI_ANSWERS_RSV_WALK_H

#include "answers/document.h"

/* Begin with document, name and uid set, all else 0. */
struct maui_rsv_walk {
	const struct maui_document *document;
	const char *name; /* NULL: all */
	uid_t uid;
	size_t at;                        /* in the document's rows, then in the plan's claims */
	struct maui_document_rsv slurms;  /* the Slurm reservation returned last */
	struct maui_document_node *nodes; /* its nodes */
	bool failed;                      /* no memory: the walk has ended too early */
};

/* The next one, valid until the next call; NULL: none, or walk->failed. */
const struct maui_document_rsv *maui_rsv_walk_next(struct maui_rsv_walk *walk);
/* Whether Slurm's reservation is a mirror of ours whose reservation is not there: the state was
 * lost (RSV-18). */
bool maui_rsv_walk_is_unowned(const struct maui_rsv_walk *walk,
			      const struct maui_document_rsv *row);
void maui_rsv_walk_finish(struct maui_rsv_walk *walk);

#endif
