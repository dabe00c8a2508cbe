/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preemption.h - reads Slurm's own preemption (PreemptType) into a snapshot
 *
 * Slurm says who may preempt whom, and how a job goes; the plan says which job goes, and when.
 *
 * Rules: PRE-10.
 */
#ifndef MAUI_SLURM_CAPTURE_PREEMPTION_H
#define MAUI_SLURM_CAPTURE_PREEMPTION_H

#include "slurm/compat.h"

#include "slurm/capture/cluster.h"

/* How slurm.conf sets it. Under conf READ. */
void maui_preemption_read_rules(struct maui_cluster_rules *ret);

/* Asks Slurm which kinds of jobs may preempt which, for the sealed snapshot. -1 without memory.
 * Takes READ locks itself. */
int maui_preemption_ask(struct maui_cluster *cluster);

/* The kind of a job in this partition of the snapshot. */
uint32_t maui_preemption_kind(const struct maui_cluster *cluster, const job_record_t *job_ptr,
			      uint32_t partition);

/* Whether the job is a batch job without --no-requeue. */
bool maui_preemption_is_requeueable(const job_record_t *job_ptr);

/* How Slurm's own preemption would end the job now, of a het job's leader all components;
 * PREEMPT_MODE_OFF: it may not be preempted, or goes with its leader. Under conf, job and part
 * READ. */
uint16_t maui_preemption_mode(job_record_t *job_ptr);

/* What Slurm says of an active job as a preemptee. Under conf, job and part READ. */
void maui_preemption_read_active(const struct maui_cluster *cluster, job_record_t *job_ptr,
				 struct maui_active *ret);

#endif
