/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arrays.c - makes tasks that wait with their array jobs of their own, one at a time, so that the
 * caller can give the locks back in between
 */

#include "slurm/compat.h"

#include "slurm/eligible/arrays.h"

enum { SPLIT_DEFAULT = 10 }; /* default of both parameters in slurm.conf(5) */

static int is_aftercorr(void *x, void *arg)
{
	const depend_spec_t *dependency = x;

	(void)arg;
	return dependency->depend_type == SLURM_DEPEND_AFTER_CORRESPOND;
}

static bool has_aftercorr(const job_record_t *job_ptr)
{
	return job_ptr->details && job_ptr->details->depend_list &&
	       list_find_first(job_ptr->details->depend_list, is_aftercorr, NULL);
}

static int read_parameter(const char *name, int least)
{
	const char *at =
		slurm_conf.sched_params ? xstrcasestr(slurm_conf.sched_params, name) : NULL;
	int value = at ? atoi(at + strlen(name)) : SPLIT_DEFAULT;

	return value < least ? SPLIT_DEFAULT : value;
}

/* How many tasks of the array become jobs in advance; 0: none. */
static int tasks_in_advance(const job_record_t *job_ptr)
{
	int staged = 0, dependent = 0;

	if (job_ptr->burst_buffer)
		staged = read_parameter("bb_array_stage_cnt=", 1);
	if (has_aftercorr(job_ptr))
		dependent = read_parameter("correspond_after_task_cnt=", SPLIT_DEFAULT);
	return staged > dependent ? staged : dependent;
}

static bool is_pending_head(const job_record_t *job_ptr)
{
	return IS_JOB_PENDING(job_ptr) && job_ptr->array_recs &&
	       job_ptr->array_recs->task_id_bitmap && job_ptr->array_recs->task_cnt >= 1 &&
	       job_ptr->array_task_id == NO_VAL;
}

struct job_record *maui_arrays_split_task(struct job_record *job_ptr, uint32_t task)
{
	job_record_t *rest;

	if (!is_pending_head(job_ptr) || task >= bit_size(job_ptr->array_recs->task_id_bitmap) ||
	    !bit_test(job_ptr->array_recs->task_id_bitmap, task))
		return NULL;
	job_ptr->array_task_id = task;
	if (job_ptr->array_recs->task_cnt == 1) {
		maui_compat_end_array(job_ptr);
		return job_ptr;
	}
	rest = maui_compat_split_array(job_ptr);
	if (!rest) {
		error("slurm-maui: no record for the rest of array %u", job_ptr->array_job_id);
		job_ptr->array_task_id = NO_VAL;
		return NULL;
	}
	if (job_ptr->burst_buffer)
		bb_g_job_validate2(job_ptr, NULL);
	return rest;
}

struct job_record *maui_arrays_split(struct job_record *job_ptr, uint32_t *ret_task)
{
	job_record_t *rest;
	int most, task;

	*ret_task = 0;
	if (!is_pending_head(job_ptr) || (most = tasks_in_advance(job_ptr)) == 0 ||
	    num_pending_job_array_tasks(job_ptr->array_job_id) >= most)
		return job_ptr;
	task = (int)bit_ffs(job_ptr->array_recs->task_id_bitmap);
	rest = task < 0 ? NULL : maui_arrays_split_task(job_ptr, (uint32_t)task);
	if (!rest)
		return job_ptr;
	if (rest != job_ptr)
		*ret_task = job_ptr->job_id;
	return rest;
}
