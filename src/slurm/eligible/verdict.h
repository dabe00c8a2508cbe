/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict.h - Slurm's own checks of a pending job, with all that they write
 *
 * slurmctld's functions decide about dependencies, begin time, holds, and limits of partition,
 * association and QOS. This file has the order in which Slurm's schedulers call them. All
 * functions run under conf READ, job WRITE, node WRITE, part READ. Each may end the job: see
 * maui_verdict_is_pending().
 *
 * Rules: THR-15, BF-17.
 */
#ifndef MAUI_SLURM_ELIGIBLE_VERDICT_H
#define MAUI_SLURM_ELIGIBLE_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/reason.h"
#include "slurm/eligible/eligible.h"

struct job_record; /* of slurmctld */

/* Whether the job is pending, is of this cluster, and its last run has completed. */
bool maui_verdict_is_pending(const struct job_record *job_ptr);

/* First step for every pending job: clears marks of the last cycle, looks up a failed association
 * or QOS again, accrues time, keeps the reason for the database. */
void maui_verdict_renew(struct job_record *job_ptr);

/* Checks cleaning, dependencies, array limit, begin time, reservation, hold, het jobs. NONE: check
 * the partitions next. */
enum maui_reason maui_verdict_job(struct job_record *job_ptr);

/* Checks job_ptr->part_ptr with job_ptr->qos_ptr: state and limits, access, associations. NONE:
 * the job may run there, on *ret_min to *ret_max nodes (0: any number); *ret_no_reservation: its
 * QOS has flag NoReserve. */
enum maui_reason maui_verdict_partition(struct job_record *job_ptr,
					const struct maui_eligible_questions *questions,
					uint32_t *ret_min, uint32_t *ret_max,
					bool *ret_no_reservation);

/* valid_qos.c: whether the association still has the QOS of the job. Under job READ, and the
 * association manager's assoc and qos READ. */
bool maui_verdict_has_valid_qos(const struct job_record *job_ptr);

/* The part of this check that is repeated before a start: state and limits of the partition. */
enum maui_reason maui_verdict_limits(struct job_record *job_ptr);

/* Whether the job can still end before --deadline; if not, it was cancelled. */
bool maui_verdict_meets_deadline(struct job_record *job_ptr);
/* The time that the job asks for at least: --time-min, or its time limit. NO_VAL, INFINITE: none.
 * Under job READ. */
uint32_t maui_verdict_least_minutes(const struct job_record *job_ptr);
/* The last moment at which it would; 0: it has no deadline. Under job READ. */
int64_t maui_verdict_start_by(const struct job_record *job_ptr);

#endif
