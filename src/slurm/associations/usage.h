/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.h - what associations and QOS have used, as priority/multifactor keeps it
 *
 * With slurmdbd, slurmctld holds jobs to GrpTRESMins, GrpWall, GrpTRESRunMins and their kin, and
 * sshare shows usage and shares. The numbers behind them are the priority plugin's to keep. They
 * live in slurmctld's association records, which slurmctld saves; when they were last counted is in
 * StateSaveLocation/priority_last_decay_ran, the file of priority/multifactor, so that a site can
 * switch either way. Maui's fairshare (policy/fairshare.h) has nothing to do with it.
 *
 * Without slurmdbd nothing here does anything.
 *
 * Rules: FS-13, THR-18.
 */
#ifndef MAUI_SLURM_ASSOCIATIONS_USAGE_H
#define MAUI_SLURM_ASSOCIATIONS_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/hold.h"

/* Once slurmctld has its jobs and associations; the second call does nothing. Takes job WRITE: call
 * without locks. */
void maui_associations_open(void);
/* When the plugin goes. */
void maui_associations_close(void);

/* Whether it is open, and PriorityCalcPeriod has passed. Any thread. */
bool maui_associations_are_due(int64_t now_s);

/* Counts what all running jobs have used since the last count, with decay and resets, and ranks
 * associations for sshare. One hold of conf, job, part READ; then writes the file. Call without
 * locks. */
void maui_associations_count(int64_t now_s, struct maui_hold_times *ret_hold);

/* For priority_p_job_end(): the rest of a job that ends, is requeued or changes its size; once for
 * each start. `job_ptr` is a job_record_t. Under job WRITE, without the association manager's
 * locks. */
void maui_associations_job_end(void *job_ptr);

/* For priority_p_reconfig(true), after which slurmctld has added the whole run-minutes of running
 * jobs again. Takes job READ: slurmctld calls without locks. */
void maui_associations_reconfigure(void);

#endif
