/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocking_reservation.h - the one reservation that keeps a job from starting, and why it does */
#ifndef MAUI_EXPLAIN_BLOCKING_RESERVATION_H
#define MAUI_EXPLAIN_BLOCKING_RESERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "model/reason.h"

struct maui_blocking_reservation {
	const char *name;       /* name of the reservation, without the instance's number;
				 * NULL: none, or hidden */
	uint32_t rsv;           /* index in the plan's reservations; MAUI_CLAIM_FOREIGN: Slurm's */
	int64_t start_s, end_s; /* of the instance; end_s: when it stops blocking the job */
	/* enum maui_entry of reservation/access/access.h. OK: the reservation admits the job, but
	 * only for a time; or the job may run nowhere else */
	int why;
	int64_t limit_s; /* TIMELIMIT: how long job and instance may overlap; 0: any time */
	/* the credential or attribute that is not admitted, or is denied: enum maui_cred_kind or
	 * maui_acl_kind; -1: not known */
	int kind;
	const char *name_of_kind; /* the job's credential of that kind; NULL: none */
	const char *attribute;    /* for JOBATTRLIST; the configuration owns it */
	int64_t value;            /* for TASKLIMIT and PROCLIMIT */
	int order;                /* enum maui_acl_order: how the job must compare to `value` */
	/* with this time limit the job would start now; 0: no limit lets it */
	int64_t shorter_s;
	/* of a reservation that comes back too soon for the job (RSV-39): the longest time limit
	 * that its instances ever leave; 0: none */
	int64_t between_s;
	bool gaps; /* there is time between the instances */
	/* for a job that may not leave the instance: what the instance has too little of, without
	 * other jobs. NODE_PROCS, NODE_MEM (MB), NODE_OTHER: of each node; RESOURCES: tasks in all;
	 * NODE_STATE: it has no usable nodes; NONE: nothing */
	enum maui_reason lacks;
	bool down; /* NODE_STATE: it has nodes, but they are down or drained */
	/* NODE_STATE: its nodes have not answered since slurmctld started */
	bool unanswered;
	/* amounts of `lacks` at the best node; not known for NODE_OTHER */
	int64_t needs, has;
};

#endif
