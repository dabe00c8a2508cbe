/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocking_reservation.h - the one reservation that keeps a job from starting, and why it does */
#ifndef MAUI_EXPLAIN_BLOCKING_RESERVATION_H
#define MAUI_EXPLAIN_BLOCKING_RESERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "model/reason.h"

struct maui_blocking_reservation {
	const char *name;       /* of the reservation, without a number */
	uint32_t rsv;           /* its index in the plan's reservations; MAUI_CLAIM_FOREIGN */
	int64_t start_s, end_s; /* of the instance; end: when it stops blocking the job */
	int why;                /* enum maui_entry of reservation/access/access.h; OK: it admits the
				   job, but for a time only, or the job may run nowhere else */
	int64_t limit_s;        /* TIMELIMIT: so long they may overlap; 0: none */
	int kind;               /* what of the job is not admitted, or denied: enum maui_cred_kind
				   or maui_acl_kind; -1: not known */
	const char *name_of_kind; /* the job's credential of that kind; NULL: none */
	const char *attribute;    /* of a JOBATTRLIST, the configuration's */
	int64_t value;            /* of a TASKLIMIT or PROCLIMIT */
	int order;                /* enum maui_acl_order, of the value */
	int64_t shorter_s;        /* with this time limit the job would start now; 0: with none */
	enum maui_reason lacks;   /* of an instance that the job may not leave, what it has too
				     little of, without other jobs: NODE_PROCS, NODE_MEM (MB),
				     NODE_OTHER of a node, RESOURCES: tasks in all; NODE_STATE: it
				     has no nodes; NONE: nothing */
	bool down;                /* NODE_STATE: it has nodes, but they are down or drained */
	bool unanswered;          /* NODE_STATE: they have not answered since slurmctld started */
	int64_t needs, has;       /* of that, at the best node; NODE_OTHER: not known */
};

#endif
