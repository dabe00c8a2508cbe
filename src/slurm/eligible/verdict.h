/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict.h - Slurm's own checks of a pending job, with all that they write
 *
 * Dependencies, begin time, holds, limits of partition, association and QOS are decided by
 * slurmctld's functions, never here; this is the order in which its schedulers ask them, and what
 * they leave in the record. All under conf READ, job WRITE, node WRITE, part READ. Any of them may
 * end the job: see maui_verdict_is_pending().
 *
 * Rules: THR-15, BF-17.
 */
#ifndef MAUI_SLURM_ELIGIBLE_VERDICT_H
#define MAUI_SLURM_ELIGIBLE_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/reason.h"

/* Pending, and of this cluster; not one whose last run still completes. */
bool maui_verdict_is_pending(const void *job_ptr);

/* What is done for every pending job first: marks of the last cycle go, a failed association or QOS
 * is looked up again, priority accrues, the reason is kept for the database. */
void maui_verdict_renew(void *job_ptr);

/* Cleaning, dependencies, array limit, begin time, reservation, hold. NONE: partitions are next. */
enum maui_reason maui_verdict_job(void *job_ptr);

/* In job_ptr->part_ptr, with job_ptr->qos_ptr: state and limits, ACLs, associations. NONE: it may
 * run there, on *ret_min to *ret_max nodes (0: any number). */
enum maui_reason maui_verdict_partition(void *job_ptr, uint32_t *ret_min, uint32_t *ret_max);

/* The part of it that a job is asked again before it starts: state and limits of the partition. */
enum maui_reason maui_verdict_limits(void *job_ptr);

/* Whether it can still end before --deadline; if not, it has been cancelled. */
bool maui_verdict_meets_deadline(void *job_ptr);

#endif
