/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_minutes.h - run-minutes of associations and QOS, given back when a job ends
 *
 * slurmctld adds time limit times resources of a job that starts to its associations and QOS, for
 * GrpTRESRunMins and MaxTRESRunMins. The priority plugin takes them away again.
 *
 * Rules: THR-18.
 */
#ifndef MAUI_SLURM_RUN_MINUTES_H
#define MAUI_SLURM_RUN_MINUTES_H

/* Takes away what slurmctld added, once for each start. `job_ptr` is a job_record_t. For
 * priority_p_job_end(): under job WRITE, without the association manager's locks. */
void maui_run_minutes_give_back(void *job_ptr);

#endif
