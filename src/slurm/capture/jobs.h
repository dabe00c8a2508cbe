/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - copies slurmctld's jobs, so that policies work without its locks
 *
 * Units and meaning follow model/job.h; doc/slurm-compatibility.md, "What a Slurm job is to Maui",
 * says what Slurm's fields mean for Maui. A copy has no pointer into slurmctld.
 */
#ifndef MAUI_SLURM_CAPTURE_JOBS_H
#define MAUI_SLURM_CAPTURE_JOBS_H

#include "base/err.h"
#include "model/captured.h"
#include "slurm/hold.h"

struct job_record;
struct maui_config;

/* One job, without its conditions, which only a plan has. The caller holds job READ and part READ.
 * `config` for GRESCFG. Strings are copied to the arena. -1: no memory, or a record that cannot be
 * read (no details). */
int maui_capture_job(const struct job_record *job_ptr, const struct maui_config *config,
		     int64_t now_s, struct maui_arena *arena, struct maui_captured_job *ret);

/* Its times: submit_s, start_s, ran_s, until_s; the state is set. Under job READ. */
void maui_capture_times(const struct job_record *job_ptr, int64_t now_s,
			struct maui_captured_job *ret);

/* Adds the copy of a job with its conditions to `ret`. 1: added; 0: the record cannot be read; -1:
 * no memory. */
int maui_capture_add(const struct job_record *job_ptr, struct maui_captured_jobs *ret);

/* Adds what is configured on one node. The caller holds node READ. */
struct node_record;
void maui_capture_node_totals(const struct node_record *node_ptr, const struct maui_config *config,
			      struct maui_totals *ret);

/* All jobs and the cluster's totals. Takes slurmctld's READ locks itself, a few milliseconds at a
 * time; a job that vanishes in between is left out. Call without any lock. */
int maui_capture_jobs(const struct maui_config *config, struct maui_captured_jobs *ret,
		      struct maui_hold_times *ret_reads, struct maui_err *err);

/* A hash of all fields of a pending job that a plan depends on. A changed hash means that the job
 * was updated since. The number of tasks of an array and nice are left out. Under job READ. */
uint64_t maui_capture_fingerprint(const struct job_record *job_ptr);

/* A hash, never 0, of what squeue shows of why a job waits and when it starts: reason, text,
 * estimate, planned nodes. Under job READ. */
uint64_t maui_capture_shown(const struct job_record *job_ptr);

#endif
