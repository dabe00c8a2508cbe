/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arrays.h - tasks that become jobs of their own before anything can start
 *
 * Burst buffers are staged for a task, not for an array, and --dependency=aftercorr waits for the
 * same task of another: of each such array a few tasks (SchedulerParameters: bb_array_stage_cnt,
 * correspond_after_task_cnt) are split off in advance. slurmctld's build_job_queue() does it under
 * Slurm's schedulers.
 */
#ifndef MAUI_SLURM_ELIGIBLE_ARRAYS_H
#define MAUI_SLURM_ELIGIBLE_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>

/* Splits one task off a pending array head when one is due. Returns the record to go on with: of
 * the rest (which has the id of `job_ptr`), or `job_ptr` when nothing was due or it was the last
 * task. *ret_task: the id of the task that now is a job besides; 0: none. May append to job_list.
 * Under conf READ, job WRITE, node WRITE, part READ. */
void *maui_arrays_split(void *job_ptr, uint32_t *ret_task);

#endif
