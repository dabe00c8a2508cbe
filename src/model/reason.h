/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reason.h - why a job does not start, and why a node does not serve it
 *
 * A job has a list of these (decision.h), the first of which goes to squeue; a policy that has
 * something new to say adds a line here.
 */
#ifndef MAUI_MODEL_REASON_H
#define MAUI_MODEL_REASON_H

enum maui_reason {
	MAUI_REASON_NONE,

	/* of a job, before anything is planned */
	MAUI_REASON_HELD,
	MAUI_REASON_DEPENDENCY,
	MAUI_REASON_BEGIN_TIME,
	MAUI_REASON_DEFERRED,  /* DEFERTIME */
	MAUI_REASON_PARTITION, /* down, inactive, does not take it */
	MAUI_REASON_SLURM,     /* its own checks refuse it: it says why */
	MAUI_REASON_REFUSED,   /* the start was refused in this iteration */
	MAUI_REASON_NEGATIVE,  /* REJECTNEGPRIOJOBS */
	MAUI_REASON_LIMIT,     /* throttling: the violation tells */

	/* of a job, in the plan */
	MAUI_REASON_PRIORITY,   /* others come first */
	MAUI_REASON_RESOURCES,  /* not enough is free now */
	MAUI_REASON_LICENCES,   /* what it wants of the cluster, not of nodes, is taken */
	MAUI_REASON_ACCESS,     /* a reservation that does not let it in: the keeper tells */
	MAUI_REASON_RESERVED,   /* enough is idle, but kept for others */
	MAUI_REASON_CHUNKING,   /* BFCHUNKSIZE: collected for larger jobs */
	MAUI_REASON_NOBF,       /* its QOS takes no part in backfill */
	MAUI_REASON_NEVER_FITS, /* no set of nodes could ever serve it */
	MAUI_REASON_NODES_DOWN, /* nodes that could serve it are not usable */

	/* of a node */
	MAUI_REASON_NODE_STATE,      /* down, drained, failing, rebooting, powering down */
	MAUI_REASON_NODE_UNANSWERED, /* silent since slurmctld started, and not called down yet */
	MAUI_REASON_NODE_PARTITION,
	MAUI_REASON_NODE_FEATURES,
	MAUI_REASON_NODE_EXCLUDED, /* named by --exclude, or not by --nodelist */
	MAUI_REASON_NODE_PROCS,    /* not so many configured */
	MAUI_REASON_NODE_MEM,
	MAUI_REASON_NODE_DISK,
	MAUI_REASON_NODE_OTHER,    /* gres */
	MAUI_REASON_NODE_BUSY,     /* jobs hold too much of it */
	MAUI_REASON_NODE_RESERVED, /* a job's reservation comes too soon */
	MAUI_REASON_NODE_CLAIMED,  /* a reservation that the job has no access to */
	MAUI_REASON_NODE_USER,     /* another user's */
	MAUI_REASON_COUNT
};

/* "resources", "node down": a few words. */
const char *maui_reason_text(enum maui_reason reason);

#endif
