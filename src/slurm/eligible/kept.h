/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept.h - verdicts, requests and copies of waiting jobs that did not change since the last cycle
 *
 * A cycle costs what has changed. What Slurm's checks said of a job is used again as long as
 * nothing has changed on which it depends:
 *
 *   the job's own record, its QOS and association   that job (kept_record.c)
 *   partitions, the node table, slurm.conf, what    all jobs (kept.c, cycle/kept_facts.h)
 *   requests are made of
 *   the clock, other jobs, reservations, licences,  jobs whose checks look at these are not kept;
 *   users' groups, nodes by name                    other jobs do not depend on them
 *   enforced limits and QOS, by value               jobs with one of these associations and QOS
 *                                                   (kept_limits.c)
 *   what others use, against limits for sums        jobs under such a limit are not kept
 *   magnetic reservations, PreemptType              where there are any, no job is kept (kept.c)
 *
 * All jobs are checked again once every RMPOLLINTERVAL. With MAUI_COMPARE_KEPT in slurmctld's
 * environment, all are checked in every cycle, and slurmctld ends when something kept differs.
 */
#ifndef MAUI_SLURM_ELIGIBLE_KEPT_H
#define MAUI_SLURM_ELIGIBLE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/eligible/eligible.h"

struct job_record; /* of slurmctld */
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
	uint64_t notice_hash, notice_shown;
};

/* Begins a cycle: forgets everything when a fact has changed that touches all jobs, or when all are
 * due, `full_every_s` after the last time. `cluster` is current. Under conf, job, node and part
 * READ. */
void maui_kept_begin(struct maui_kept *kept, const struct maui_cluster *cluster,
		     const struct maui_request_site *site, int64_t full_every_s);

/* Whether jobs of this cycle can be kept at all. */
bool maui_kept_is_usable(const struct maui_kept *kept);

/* Whether some are kept from the last cycle. */
bool maui_kept_has_any(const struct maui_kept *kept);

/* kept_record.c: hash of everything in the record, and in its QOS and association, on which the
 * checks of the job and its copy depend; 0: they depend on more than that. `now_s`: of the copy;
 * the checks come later. Under job READ and part READ. The second function: the same of all
 * partitions, under part READ. */
uint64_t maui_kept_record(const struct job_record *job_ptr, int64_t now_s);
uint64_t maui_kept_partitions(void);

/* kept_limits.c: begins a cycle. */
void maui_kept_limits_begin(void);
/* Hash of what enforced limits and QOS say of the job; 0: that changes with what others use, or
 * with time. Under job READ, part READ, and the association manager's assoc, qos and tres READ. */
uint64_t maui_kept_limits(const struct job_record *job_ptr);
/* Before the checks of a job: what they see is what is kept, or a later change of that. Under job
 * READ and part READ. */
void maui_kept_limits_note(const struct job_record *job_ptr);

/* The job as it is kept, if it is unchanged; NULL. Under job READ and part READ. */
struct maui_kept_job *maui_kept_find(struct maui_kept *kept, const struct job_record *job_ptr);

/* The index of the kept job's request in the cluster's snapshot; -1: no memory. */
int64_t maui_kept_request(struct maui_kept *kept, const struct maui_kept_job *job,
			  struct maui_snapshot *snapshot);

/* Ends a cycle whose jobs these are: keeps the new ones, and forgets those that were not used. */
void maui_kept_end(struct maui_kept *kept, struct maui_snapshot *snapshot,
		   const struct maui_eligible *eligible, const struct maui_captured_jobs *jobs);

/* The job, if it is kept from this cycle to the next; NULL. */
struct maui_kept_job *maui_kept_of(const struct maui_kept *kept, uint32_t job_id);

/* Whether the mode that compares is on. kept_compare.c: ends slurmctld when the two differ; for
 * that mode alone, and for a record that is still the one that is kept. */
bool maui_kept_compares(const struct maui_kept *kept);
void maui_kept_compare(const struct maui_kept_job *job, int64_t request,
		       const struct maui_pending *pending,
		       const struct maui_captured_job *captured);

#endif
