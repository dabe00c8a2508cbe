/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept.h - verdicts, requests and copies of waiting jobs that did not change since the last cycle
 *
 * A cycle costs what has changed. What Slurm's checks said of a job is used again as long as
 * nothing has changed on which it depends. Each kind of fact has one place in kept.c, which says
 * what a change of it touches:
 *
 *   the job's own record                                  that job
 *   partitions, the node table, what requests are made of  all jobs
 *   the clock, other jobs, reservations, nodes by name     jobs whose checks look at these are
 *                                                          not kept
 *   limits of associations, magnetic reservations,         where there are any, no job is kept
 *   PreemptType
 *
 * All jobs are checked again once every RMPOLLINTERVAL. With MAUI_COMPARE_KEPT in slurmctld's
 * environment, all are checked in every cycle, and slurmctld ends when something kept differs.
 */
#ifndef MAUI_SLURM_ELIGIBLE_KEPT_H
#define MAUI_SLURM_ELIGIBLE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/eligible/eligible.h"

struct maui_request_site;

/* A job as a cycle before has left it. */
struct maui_kept_job {
	uint64_t record; /* of what the checks made of the record */
	uint64_t cycle;  /* in which it was last used; the request is of that cycle's snapshot */
	struct maui_pending pending;
	struct maui_row row;
	struct maui_captured_job captured;
	const char *slurm_reason; /* as the record has it now */
	uint64_t shown;           /* maui_capture_shown() now; 0: not looked at in this cycle */
	/* hash of the last notice that was written to the record, and maui_capture_shown() after it;
	 * 0: none was. controller/sched/publish_jobs.c */
	uint64_t told, told_shown;
};

/* Begins a cycle: forgets everything when a fact has changed that touches all jobs, or when all are
 * due, `full_every_s` after the last time. Under conf, job, node and part READ. */
void maui_kept_begin(struct maui_kept *kept, const struct maui_cluster *cluster,
		     const struct maui_request_site *site, int64_t full_every_s);

/* Whether jobs of this cycle can be kept at all. */
bool maui_kept_is_usable(const struct maui_kept *kept);

/* Whether some are kept from the last cycle. */
bool maui_kept_has_any(const struct maui_kept *kept);

/* Hash of everything in the record on which the checks of the job and its copy depend; 0: they
 * depend on more than that. Under job READ and part READ. */
uint64_t maui_kept_record(const void *job_ptr);

/* The job as it is kept, if it is unchanged; NULL. Under job READ and part READ. */
struct maui_kept_job *maui_kept_find(struct maui_kept *kept, const void *job_ptr);

/* The index of the kept job's request in the cluster's snapshot; -1: no memory. */
int64_t maui_kept_request(struct maui_kept *kept, const struct maui_kept_job *job,
			  struct maui_snapshot *snapshot);

/* Ends a cycle whose jobs these are: keeps the new ones, and forgets those that were not used. */
void maui_kept_end(struct maui_kept *kept, struct maui_snapshot *snapshot,
		   const struct maui_eligible *eligible, const struct maui_captured_jobs *jobs);

/* The job, if it is kept from this cycle to the next; NULL. */
struct maui_kept_job *maui_kept_of(const struct maui_kept *kept, uint32_t job_id);

/* Whether the mode that compares is on; maui_kept_compare() ends slurmctld when the two differ. */
bool maui_kept_compares(const struct maui_kept *kept);
void maui_kept_compare(const struct maui_kept_job *job, int64_t request,
		       const struct maui_pending *pending,
		       const struct maui_captured_job *captured);

#endif
