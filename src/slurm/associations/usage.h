/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.h - what associations and QOS have used, as priority/multifactor keeps it
 *
 * With slurmdbd, slurmctld holds jobs to GrpTRESMins, GrpWall, GrpTRESRunMins and their kin, and
 * sshare shows usage and shares. The priority plugin counts them, in the association records of
 * slurmctld, which slurmctld saves. The moment of the last count is in
 * StateSaveLocation/priority_last_decay_ran, the file of priority/multifactor, so that a site can
 * switch either way. Maui's fairshare (policy/fairshare.h) has nothing to do with it.
 *
 * Without slurmdbd nothing is counted.
 *
 * Rules: FS-13, THR-18.
 */
#ifndef MAUI_SLURM_ASSOCIATIONS_USAGE_H
#define MAUI_SLURM_ASSOCIATIONS_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/hold.h"

struct job_record; /* of slurmctld */

/* Reads the file. For init(), before any other function here. */
void maui_associations_load(void);

/* Frees what the load has made. For fini(), when the agent has ended. */
void maui_associations_unload(void);

/* Counts what all running jobs have used since the last count, with decay and resets, and ranks
 * associations for sshare, when PriorityCalcPeriod has passed. reconfigured: since the last call.
 * Jobs are listed under job READ in one hold, then counted under job WRITE, a millisecond at a
 * time. Decay and ranks walk all associations in one hold each, under conf READ and the association
 * manager's WRITE locks. *ret_holds has all of these; it stays as it is when nothing was due. For
 * the agent only, without locks. */
void maui_associations_tend(int64_t now_s, bool reconfigured, struct maui_hold_times *ret_holds);

/* For priority_p_job_end(): the rest of a job that ends, is requeued or changes its size; once for
 * each start. slurmctld calls it for jobs that it finds gone at its start, too, before it has
 * counted those that run. `job_ptr` is a job_record_t. Under job WRITE, without the association
 * manager's locks. */
void maui_associations_job_end(struct job_record *job_ptr);

/* For priority_p_reconfig(true), after which slurmctld has added the whole run-minutes of running
 * jobs again. Takes job WRITE: slurmctld calls without locks. Walks all jobs in one hold, which is
 * logged; 100,000 that run take some 70 ms. Until all is given back, jobs would wait for
 * run-minutes that nobody uses, and slurmctld has just walked the same jobs under all its locks. */
void maui_associations_reconfigure(void);

#endif
