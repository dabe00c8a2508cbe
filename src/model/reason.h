/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reason.h - why a job does not start, and why a node does not serve it
 *
 * A job has a list of reasons (decision.h); squeue shows the first. A policy with a new reason adds
 * a line here.
 */
#ifndef MAUI_MODEL_REASON_H
#define MAUI_MODEL_REASON_H

enum maui_reason {
	MAUI_REASON_NONE,

	/* of a job, before planning */
	MAUI_REASON_HELD,
	MAUI_REASON_DEPENDENCY,
	MAUI_REASON_BEGIN_TIME,
	MAUI_REASON_DEFERRED,  /* DEFERTIME */
	MAUI_REASON_PARTITION, /* down, inactive, does not take it */
	MAUI_REASON_SLURM,     /* Slurm's own checks refuse the job, and Slurm says why */
	MAUI_REASON_HET,       /* a component of a het job, with HETJOBS OFF */
	MAUI_REASON_COMPONENT, /* another component of its het job may not start */
	MAUI_REASON_REFUSED,   /* Slurm refused the start lately */
	MAUI_REASON_NEGATIVE,  /* REJECTNEGPRIOJOBS */
	MAUI_REASON_LIMIT,     /* throttling: the violation has the details */

	/* of a job, in the plan */
	MAUI_REASON_PRIORITY,  /* other jobs are ahead */
	MAUI_REASON_RESOURCES, /* not enough is free now */
	/* licences, which belong to the cluster and not to nodes, are taken */
	MAUI_REASON_LICENCES,
	/* a reservation does not admit it: the blocking reservation has the details */
	MAUI_REASON_ACCESS,
	MAUI_REASON_RESERVED,   /* enough is idle, but reserved for others */
	MAUI_REASON_CHUNKING,   /* BFCHUNKSIZE: processors are collected for larger jobs */
	MAUI_REASON_NOBF,       /* its QOS takes no part in backfill */
	MAUI_REASON_NEVER_FITS, /* no set of nodes could ever serve it */
	MAUI_REASON_NODES_DOWN, /* nodes that could serve it are not usable */
	MAUI_REASON_BUSY,       /* Slurm found no nodes for it lately, although the plan does */

	/* of a node */
	MAUI_REASON_NODE_STATE, /* down, drained, failing, rebooting, powering down */
	/* no answer since slurmctld started, but not marked down yet */
	MAUI_REASON_NODE_UNANSWERED,
	MAUI_REASON_NODE_PARTITION,
	MAUI_REASON_NODE_FEATURES,
	MAUI_REASON_NODE_EXCLUDED, /* named by --exclude, or not by --nodelist */
	MAUI_REASON_NODE_PROCS,    /* too few configured */
	MAUI_REASON_NODE_MEM,
	MAUI_REASON_NODE_DISK,
	MAUI_REASON_NODE_OTHER,    /* gres */
	MAUI_REASON_NODE_BUSY,     /* jobs hold too much of it */
	MAUI_REASON_NODE_RESERVED, /* a job reservation begins too soon */
	MAUI_REASON_NODE_CLAIMED,  /* a reservation that does not admit the job */
	MAUI_REASON_NODE_USER,     /* another user's */
	MAUI_REASON_COUNT
};

/* "resources", "node down": a few words; NULL behind the last. */
extern const char *const maui_reason_texts[MAUI_REASON_COUNT + 1];
const char *maui_reason_text(enum maui_reason reason);
/* What a count of nodes by reason calls these nodes: "busy"; "free" without a reason. */
const char *maui_reason_node_text(enum maui_reason reason);
/* The reason that has this text, of a job or of nodes; MAUI_REASON_COUNT: none has. */
enum maui_reason maui_reason_find(const char *text);

#endif
