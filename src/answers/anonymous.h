/* SPDX-License-Identifier: GPL-2.0-or-later */
/* anonymous.h - a saved plan without what PrivateData hides from one user
 *
 * Jobs of others stay as load: their credentials become numbers, the same number for the same name,
 * their ids too, and the priority that they have now is given. Reservations of others keep their
 * nodes and times; a name of their access lists stays only if the user's own jobs have it. Names of
 * fairshare windows become numbers likewise. Partitions keep their names. Of maui.cfg those lines
 * stay that showconfig shows; the planned periods of a SRCFG that is hidden become reservations.
 *
 * Rules: CMD-35.
 */
#ifndef MAUI_ANSWERS_ANONYMOUS_H
#define MAUI_ANSWERS_ANONYMOUS_H

#include <stdbool.h>
#include <sys/types.h>

#include "answers/document.h"
#include "state/saved_plan/saved_plan.h"

/* Ids of hidden jobs begin here: above all ids of Slurm. */
#define MAUI_ANONYMOUS_JOB (UINT64_C(1) << 33)

/* Changes `plan`, whose lists and snapshot belong to `arena` and are changed in place or replaced;
 * what they point to stays. `idle_of`: index in the document's plan of each idle job. Returns
 * whether anything was hidden; -1 without memory. */
int maui_anonymous(const struct maui_document *p, uid_t uid, const uint32_t *idle_of,
		   struct maui_saved_plan *plan, struct maui_snapshot *snapshot,
		   struct maui_arena *arena);

#endif
