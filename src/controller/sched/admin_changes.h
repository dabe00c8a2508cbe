/* SPDX-License-Identifier: GPL-2.0-or-later */
/* admin_changes.h - one change that a command asked for; for admin_changes.c, make_change.c and
 * setres.c only */
#ifndef MAUI_CONTROLLER_SCHED_ADMIN_CHANGES_H
#define MAUI_CONTROLLER_SCHED_ADMIN_CHANGES_H

#include "admin/admin.h"
#include "controller/sched/private.h"

/* One change, and its answer. */
struct maui_sched_change {
	struct maui_sched_change *next;
	struct maui_query_change *change;
	const struct maui_verb *verb;
	/* NULL: failed; setres is answered from the plan */
	const void *answer;
	struct maui_warnings warned; /* of the answer: may grow until it is sent */
	bool changed;                /* answered at the end of the cycle, once it is saved */
	const char *name;            /* setres: the reservation that was made or changed */
	struct maui_rsv before;      /* setres: what was changed, unless it was made */
	bool created;                /* setres */
	char *warning;               /* admin/warning.h */
	struct maui_query_error error;
};

/* make_change.c: makes the change of made->verb. In: the record of the arguments. Out: that of the
 * answer, of the iteration's arena, or NULL with made->error; NULL also of a setres, which is
 * answered from the plan if it is not refused. */
const void *maui_sched_make_change(struct maui_iteration *it, const struct maui_rights *who,
				   const void *args, struct maui_sched_change *made);

/* setres.c: the list of administrative reservations, for a change. */
struct maui_admin maui_sched_admin(const struct maui_iteration *it);
/* Makes or changes the reservation. Sets made->name; not set: made->error. */
void maui_sched_make_setres(struct maui_iteration *it, const struct maui_rights *who,
			    const struct maui_setres_args *args, struct maui_sched_change *made);
/* Whether the plan gives the setres what it asked for, within the bounds of its user. */
bool maui_sched_is_setres_granted(struct maui_iteration *it, struct maui_sched_change *made);
/* Takes the change of a setres back. */
void maui_sched_undo_setres(struct maui_iteration *it, struct maui_sched_change *made);
/* NULL with made->error. */
const struct maui_setres *maui_sched_answer_setres(struct maui_iteration *it,
						   struct maui_sched_change *made);

#endif
