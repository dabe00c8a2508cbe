/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planning.h - typed parameters of maui.cfg for job reservations, backfill and node allocation
 *
 * Each enum lists the words of a schema row in the row's order, because a value is stored as the
 * position of its word.
 */
#ifndef MAUI_CONFIG_PLANNING_H
#define MAUI_CONFIG_PLANNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/words.h"

enum maui_backfill_policy { /* BACKFILLPOLICY */
			    MAUI_BACKFILL_FIRSTFIT,
			    MAUI_BACKFILL_BESTFIT,
			    MAUI_BACKFILL_GREEDY,
			    MAUI_BACKFILL_PREEMPT,
			    MAUI_BACKFILL_NONE,
};

enum maui_backfill_metric { /* BACKFILLMETRIC */
			    MAUI_METRIC_PROCS,
			    MAUI_METRIC_PROCSECONDS,
			    MAUI_METRIC_SECONDS,
			    MAUI_METRIC_NODES,
			    MAUI_METRIC_PE,
			    MAUI_METRIC_PESECONDS,
};

enum maui_backfill_order { /* BFPRIORITYPOLICY */
			   MAUI_BF_ORDER_NONE,
			   MAUI_BF_ORDER_RANDOM,
			   MAUI_BF_ORDER_DURATION,
			   MAUI_BF_ORDER_HWDURATION,
};

enum maui_reservation_policy { /* RESERVATIONPOLICY */
			       MAUI_RESERVE_CURRENTHIGHEST,
			       MAUI_RESERVE_HIGHEST,
			       MAUI_RESERVE_NEVER,
};

enum maui_threshold { /* RESERVATIONTHRESHOLDTYPE */
		      MAUI_THRESHOLD_NONE,
		      MAUI_THRESHOLD_BYPASS,
		      MAUI_THRESHOLD_QUEUETIME,
		      MAUI_THRESHOLD_XFACTOR,
};

enum maui_node_allocation { /* NODEALLOCATIONPOLICY */
			    MAUI_ALLOC_FIRSTAVAILABLE,
			    MAUI_ALLOC_LASTAVAILABLE,
			    MAUI_ALLOC_MINRESOURCE,
			    MAUI_ALLOC_PRIORITY,
			    MAUI_ALLOC_CPULOAD,
			    MAUI_ALLOC_CONTIGUOUS,
			    MAUI_ALLOC_MAXBALANCE,
			    MAUI_ALLOC_FASTEST,
			    MAUI_ALLOC_LOCAL,
			    MAUI_ALLOC_SLURM,
			    /* no word of maui.cfg: what SLURM is for nodes of CR_LLN */
			    MAUI_ALLOC_LEAST_LOADED,
};

enum maui_node_access { /* NODEACCESSPOLICY */
			MAUI_ACCESS_SHARED,
			MAUI_ACCESS_SINGLEUSER,
			MAUI_ACCESS_SINGLEJOB,
			MAUI_ACCESS_SINGLETASK,
};

enum maui_preempt_policy { /* PREEMPTPOLICY */
			   MAUI_PREEMPT_REQUEUE,
			   MAUI_PREEMPT_SUSPEND,
			   MAUI_PREEMPT_CHECKPOINT,
			   MAUI_PREEMPT_OVERCOMMIT,
};

enum maui_mirror { /* RESERVATIONMIRROR */
		   MAUI_MIRROR_ALL,
		   MAUI_MIRROR_CURRENT,
		   MAUI_MIRROR_NONE,
};

enum maui_reason_style { /* REASONTEXT */
			 MAUI_REASONS_FULL,
			 MAUI_REASONS_SLURM,
};

enum maui_server_mode { /* SERVERMODE */
			MAUI_SERVER_NORMAL,
			MAUI_SERVER_TEST,
			MAUI_SERVER_SIMULATION,
};

enum maui_node_set_policy { /* NODESETPOLICY */
			    MAUI_SETS_NONE,
			    MAUI_SETS_ONEOF,
			    MAUI_SETS_FIRSTOF,
			    MAUI_SETS_ANYOF,
};

enum maui_node_set_attribute { /* NODESETATTRIBUTE */
			       MAUI_SET_BY_NONE,
			       MAUI_SET_BY_FEATURE,
			       MAUI_SET_BY_NETWORK,
			       MAUI_SET_BY_MEMORY,
			       MAUI_SET_BY_PROCSPEED,
};

enum maui_node_set_priority { /* NODESETPRIORITYTYPE; all but WORSTFIT are BESTFIT */
			      MAUI_SET_BESTFIT,
			      MAUI_SET_WORSTFIT,
			      MAUI_SET_BESTRESOURCE,
			      MAUI_SET_MINLOSS,
};

/* How the nodes of a job belong together (policy/alloc/node_sets.h). */
struct maui_node_set_config {
	int policy, attribute, priority; /* the enums above */
	int64_t delay_s;                 /* how long a job waits for a set; <= 0: it does not */
	struct maui_words list;          /* features or leaf switches; empty: all */
};

/* JOBNODEMATCHPOLICY, bits of a mask */
enum { MAUI_MATCH_EXACTNODE = 1 << 0, MAUI_MATCH_EXACTPROC = 1 << 1 };

/* How jobs of one partition are planned: one struct for all partitions, and one for each partition
 * that a line names as its index. */
struct maui_planning_config {
	int backfill_policy, backfill_metric, backfill_order; /* the enums above */
	int64_t backfill_depth;                               /* candidates a window; <= 0: all */
	int64_t chunk_size;                                   /* BFCHUNKSIZE, procs; <= 0: off */
	int64_t chunk_duration_s;                             /* BFCHUNKDURATION; <= 0: off */
	int reservation_policy;
	int64_t reservation_retry_s; /* <= 0: none */
	int threshold;
	double threshold_value; /* the job must exceed this value; for QUEUETIME in seconds */
	int node_allocation;
};

/* The policy for nodes of reservations: Slurm prefers none for them. */
static inline int maui_planning_rsv_allocation(const struct maui_planning_config *planning)
{
	return planning->node_allocation == MAUI_ALLOC_SLURM ? MAUI_ALLOC_LASTAVAILABLE :
							       planning->node_allocation;
}

/* A number for each name of a family, sorted by name. */
struct maui_named_numbers {
	struct maui_named_number {
		char *name;
		double value;
		size_t place; /* of a name that several lines give, the last counts */
	} * list;
	size_t count, alloc;
};

/* RESERVATIONDEPTH[n] and RESERVATIONQOSLIST[n]. */
struct maui_stack_config {
	int64_t number;        /* n */
	int64_t depth;         /* jobs with a reservation; unless set 1 of stack 0, 0 of others */
	struct maui_words qos; /* empty: ALL */
};

#endif
