/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arrays.h - makes tasks that wait with their array jobs of their own
 *
 * scontrol does so with a task that it changes. A burst buffer is also staged for a task, not for
 * an array, and --dependency=aftercorr waits for the same task of another array. So a few tasks of
 * each such array become jobs in advance (SchedulerParameters: bb_array_stage_cnt,
 * correspond_after_task_cnt). Under Slurm's schedulers build_job_queue() does this.
 */
#ifndef MAUI_SLURM_ELIGIBLE_ARRAYS_H
#define MAUI_SLURM_ELIGIBLE_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>

struct job_record; /* of slurmctld */

/* Splits one task off a pending array head when one is due. Returns the record to go on with: the
 * rest (under the id of `job_ptr`), or `job_ptr` when no task was due or this was the last one.
 * *ret_task: the id of the new job; 0: none. May append to job_list. Under conf READ, job WRITE,
 * node WRITE, part READ. */
struct job_record *maui_arrays_split(struct job_record *job_ptr, uint32_t *ret_task);

/* Splits this task off a pending array head, `job_ptr`, which becomes the task. Returns the record
 * of the rest, which is `job_ptr` if this was the last task; NULL: the head has no such task, or
 * Slurm makes no record. May append to job_list. Under the same locks. */
struct job_record *maui_arrays_split_task(struct job_record *job_ptr, uint32_t task);

#endif
