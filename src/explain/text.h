/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - why a job does not start, in words
 *
 * The complete text has every reason: limits with value and use, other jobs, and nodes counted by
 * reason. The first reason, in one line, is what squeue shows: plain ASCII of at most 80 characters
 * if names are short enough, without newline, tab or '|'.
 *
 * 	MAXJOB USER steve 2/2 (soft)
 * 	Resources: needs 4 nodes, 1 free; starts about 14:05
 * 	Resources: needs 1 node with 2 gpu, 0 free
 * 	Priority: 12 jobs are ahead in partition batch
 * 	Reserved: needs 1 node, 0 free, 2 reserved by maint
 * 	Reservation biz until 17:00: class batch not admitted
 * 	Reservation biz from 09:00: fits before with -t 45
 * 	Reservation biz until 17:00: TIMELIMIT 1:00:00; fits with -t 60
 * 	never fits: 3 nodes lack memory, 1 lacks features
 *
 * Begin times, dependencies, holds, partitions that are down and limits of Slurm are slurmctld's.
 * squeue has Slurm's own words for them. Commands give what slurmctld knows of the job:
 *
 * 	begin time not reached: 22 Nov 2026 14:05:00
 * 	requeued; does not start before: 22 Nov 2026 14:05:00
 * 	waits for another job: one of 17, 18_3
 * 	held by an administrator
 * 	held: ReservationDeleted
 * 	refused by Slurm's own checks: PartitionNodeLimit
 * 	would start now, but no job is started: another scheduler starts the jobs
 *
 * Rules: CMD-21.
 */
#ifndef MAUI_EXPLAIN_TEXT_H
#define MAUI_EXPLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "explain/explain.h"
#include "model/reason.h"

/* Size of the longest line for squeue, terminator included. */
#define MAUI_EXPLAIN_LINE_SIZE 256

/* The first reason in one line, as squeue shows it. "" if there is no reason, or if Slurm has words
 * of its own for it (held, dependency, begin time, partition, its own checks) and e->facts is NULL.
 * Only e->verdict must be set. Returns buf. */
char *maui_explain_first(const struct maui_explanation *e, char *buf, size_t size);

/* The first reason in Slurm's terms. PRIORITY: the job is behind other jobs of its partition, or
 * nodes are reserved for other jobs. RESOURCES: the first job that waits for resources. RESERVED:
 * the job waits for the end of reservations. ACCESS: a reservation blocks the job. Any other reason
 * is returned unchanged. */
enum maui_reason maui_explain_kind(const struct maui_explanation *e);
/* Whether enough nodes are free, but not on one network, or not on so few leaf switches. */
bool maui_explain_network_alone(const struct maui_explanation *e);

/* "no job is started: another scheduler starts the jobs". Returns buf. */
enum { MAUI_NO_STARTS_SIZE = 128 };
char *maui_explain_no_starts(const char *why, char *buf, size_t size);
/* "would start now, but no job is started: another scheduler starts the jobs". Returns buf. */
char *maui_explain_would_start_but(const char *why, char *buf, size_t size);

/* The reason under which jobs are counted: the first one; ACCESS if a reservation is known to block
 * the job; PRIORITY of a job without a reason. */
enum maui_reason maui_explain_reason(const struct maui_explanation *e);

/* The first reason without the numbers of the moment, so that many jobs share it: "MAXJOB USER
 * steve", "reservation biz", "resources". Returns buf, or a text that stays. */
const char *maui_explain_cause(const struct maui_explanation *e, char *buf, size_t size);

/* The first reason behind Slurm's word for it (NULL: none), unless it begins with that word:
 * scripts compare the first word of squeue's REASON with Slurm's. Returns buf. */
char *maui_explain_behind_word(const char *word, const char *text, char *buf, size_t size);

/* Writes all reasons, one a line, each ended by "\n"; then the nodes by reason. The expected start
 * is left to maui_explain_outlook(). -1 without memory. */
int maui_explain_all(const struct maui_explanation *e, struct maui_strbuf *ret);

/* Writes all reasons as Maui's commands have them, one a line: "violates active HARD MAXPROC limit
 * of 64 for user ann (R: 3, U: 62)", "has the following hold(s) in place:  User", "is blocked:
 * resources". Needs what the cycle recorded, and what slurmctld knows. -1 without memory. */
int maui_explain_as_maui(const struct maui_explanation *e, struct maui_strbuf *ret);
/* Writes why the job can never start, a line for each reason: "can never start: ...". -1 without
 * memory. */
int maui_explain_never(const struct maui_explanation *e, struct maui_strbuf *ret);

#endif
