/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain.h - why a job waits, until when, and what would help: functions of a finished plan
 *
 * In goes a finished plan, which nobody changes; out come answers about one job at a time. Each
 * thread asks with an explainer of its own; any number of them may ask one plan at once. Nothing is
 * computed before somebody asks.
 *
 * A reservation is named as the reason only if the job would start earlier without it: the job fits
 * now if reservations are ignored, and does not fit now if other jobs are ignored; or a shorter
 * time limit would let it start now; or there is no moment at which it fits. A job that only has to
 * wait for the end of other jobs waits for resources.
 */
#ifndef MAUI_EXPLAIN_EXPLAIN_H
#define MAUI_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "explain/blocking_reservation.h"
#include "model/reason.h"
#include "plan/finished.h"

/* squeue's reason names what blocks a job for so many waiting jobs of a partition; jobs behind
 * those read "Priority". */
enum { MAUI_EXPLAIN_FIRST_JOBS = 100 };

/* What is known of the nodes that a job could use. */
struct maui_node_reasons {
	uint32_t counts[MAUI_REASON_COUNT]; /* nodes by the first reason that applies; NONE: nodes
					       that are free for the job */
	uint32_t wanted;                    /* nodes that the job needs at least */
	const char *scarce;       /* what most of the busy nodes are short of, where that is not
			       processors: "memory", "gpu"; NULL */
	int64_t scarce_needed;    /* of it, on each node */
	const char *missing_gres; /* what nodes lack that count as NODE_OTHER; NULL: not known */
	const char *reserved_by;  /* names of reservations that keep nodes from it, "a, b"; NULL */
	bool reservations_decide; /* no end of other jobs lets it in: the end of reservations does */
	bool whole;               /* it asks for whole nodes */
	const char *features;     /* that it asks for, and that some nodes lack; NULL */
};

/* A licence that a job waits for. */
struct maui_licence_shortage {
	const char *name; /* NULL: not known */
	int64_t needed, free;
	const char *reserved_by; /* a Slurm reservation that keeps some; NULL: none */
};

struct maui_explanation {
	const struct maui_verdict *verdict; /* with the reasons that the cycle recorded */
	const char *partition;
	uint32_t ahead; /* jobs that wait for the same resources and come first */
	bool behind;    /* some of them can start */
	bool looked;    /* what follows was looked for */
	const struct maui_blocking_reservation *blocking; /* NULL: none blocks it */
	const struct maui_node_reasons *nodes;            /* NULL: nodes are not the reason */
	const struct maui_licence_shortage *licence;      /* NULL: none */
	int64_t longest_s;  /* the longest time limit with which it would start now; 0: none */
	int64_t earliest_s; /* when it could start, beside all that is reserved; MAUI_NEVER; only
			       of maui_explain_job() */
	int64_t now_s;      /* moments are told in local time; 0: they are not told */
};

struct maui_explainer;

/* Of a plan that the caller keeps as long. NULL without memory. */
struct maui_explainer *maui_explainer_create(const struct maui_plan *plan);
void maui_explainer_destroy(struct maui_explainer *x); /* NULL is fine */

/* What a cycle tells squeue: for the first jobs of a partition with the blocking reservation and
 * the counts of nodes, for others with what the verdict has. `ret` is valid until the next
 * question. -1 without memory. */
int maui_explain_short(struct maui_explainer *x, uint32_t job, struct maui_explanation *ret);
/* Everything, for any job. */
int maui_explain_job(struct maui_explainer *x, uint32_t job, struct maui_explanation *ret);

#endif
