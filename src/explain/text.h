/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - why a job does not start, in words
 *
 * Every reason, not the first: limits with value and use, other jobs, and for nodes the count by
 * reason. The first one, in one line, is what squeue shows: plain ASCII words of at most 80
 * characters where names let it be so, without newline, tab or '|'.
 *
 *	MAXJOB USER steve 2/2 (soft)
 *	Resources: needs 4 nodes, 1 free; starts about 14:05
 *	Priority: jobs before it come first; needs 4 nodes, 1 free
 *	Reserved: needs 1 node, 0 free, 2 reserved by maint
 *	Reservation biz until 17:00: class batch not admitted
 *	Reservation biz from 09:00: fits before with -t 45
 *	Reservation biz until 17:00: TIMELIMIT 1:00:00; fits with -t 60
 *	never fits: 3 nodes lack memory, 1 lacks features
 */
#ifndef MAUI_EXPLAIN_TEXT_H
#define MAUI_EXPLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/decision.h"
#include "model/reason.h"

/* Longest line for squeue, with its end. */
#define MAUI_EXPLAIN_LINE_SIZE 256

/* What the verdict does not know; all of it may be missing. */
struct maui_explain_nodes {
	const uint32_t *counts;  /* [MAUI_REASON_COUNT], from maui_plan_census(); NULL: not asked */
	const char *reserved_by; /* names of reservations that keep nodes, "a, b"; NULL */
	bool kept_out;           /* maui_plan_kept_out(): reservations decide when it starts */
	uint32_t wanted;         /* nodes that the job needs at least; 0: not known */
	int64_t now_s;           /* the epoch's: moments are told, in local time; 0: they are not */
};

/* The first reason in one line, as squeue shows it; "" when Slurm has words of its own for it
 * (held, dependency, begin time, partition, its own checks) or there is none. `nodes` may be NULL.
 * Returns buf. */
char *maui_explain_first(const struct maui_verdict *verdict, const struct maui_explain_nodes *nodes,
			 char *buf, size_t size);

/* What the first reason comes down to for those who know Slurm's: PRIORITY, who is behind others of
 * his partition or kept from what they will have; RESOURCES, who is the first to wait for it;
 * RESERVED, who waits for the end of reservations that are not his. Any other reason as it is. */
enum maui_reason maui_explain_kind(const struct maui_verdict *verdict,
				   const struct maui_explain_nodes *nodes);

/* All of them, one a line, each ended by "\n"; then the nodes by reason, one a line, when their
 * counts are given. -1 without memory. */
int maui_explain_all(const struct maui_verdict *verdict, const struct maui_explain_nodes *nodes,
		     struct maui_strbuf *ret);

#endif
