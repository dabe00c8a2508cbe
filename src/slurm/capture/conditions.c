/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conditions.c - dependencies of a waiting job, and the tasks of an array */

#include "slurm/compat.h"

#include "slurm/capture/conditions.h"

#include "base/limits.h"

/* The tasks of an array head, if some between its first and last one do not wait. */
static int capture_task_list(const job_record_t *job_ptr, struct maui_captured_jobs *jobs,
			     struct maui_captured_job *job)
{
	const job_array_struct_t *array = job_ptr->array_recs;
	uint32_t *tasks, count, length = job->last_task - job->first_task;
	int64_t task;

	if (job->first_task == MAUI_NO_TASK || job->array_task != MAUI_NO_TASK)
		return 0;
	count = array->task_cnt;
	if (count > length || count > MAUI_TASKS_LISTED ||
	    count > MAUI_TASKS_LISTED_ALL - jobs->tasks_listed)
		return 0;
	tasks = maui_arena_alloc(&jobs->arena, (count + 1u) * sizeof(*tasks));
	if (!tasks)
		return -1;
	job->conditions.tasks = tasks;
	for (task = job->first_task; task >= 0 && job->conditions.task_count < count;
	     task = maui_compat_next_bit(array->task_id_bitmap, task + 1))
		tasks[job->conditions.task_count++] = (uint32_t)task;
	jobs->tasks_listed += job->conditions.task_count;
	return 0;
}

static struct maui_dependency describe_dependency(const depend_spec_t *from)
{
	struct maui_dependency ret = { .job = from->job_id,
				       .task = from->array_task_id == INFINITE ||
							       from->array_task_id == NO_VAL ?
						       MAUI_NO_TASK :
						       from->array_task_id };

	if (from->depend_flags & SLURM_FLAGS_REMOTE)
		return ret;
	if (from->depend_type == SLURM_DEPEND_AFTER_ANY ||
	    from->depend_type == SLURM_DEPEND_AFTER_OK)
		ret.kind = MAUI_DEPENDENCY_END;
	else if (from->depend_type == SLURM_DEPEND_AFTER_CORRESPOND)
		ret.kind = MAUI_DEPENDENCY_TASK_END;
	else if (from->depend_type == SLURM_DEPEND_AFTER)
		ret.kind = MAUI_DEPENDENCY_START;
	ret.delay_s = (int64_t)from->depend_time * 60;
	return ret;
}

struct dependency_walk {
	struct maui_dependency *list;
	uint32_t room;
	struct maui_job_conditions *conditions;
};

static int walk_dependency(void *x, void *arg)
{
	const depend_spec_t *from = x;
	struct dependency_walk *walk = arg;
	uint32_t at = walk->conditions->dependency_count;

	if (from->depend_state == DEPEND_FULFILLED)
		return 0;
	walk->conditions->any_dependency |= (from->depend_flags & SLURM_FLAGS_OR) != 0;
	if (at == walk->room) { /* the rest counts as one that only slurmctld knows */
		walk->list[at - 1].kind = MAUI_DEPENDENCY_OTHER;
		return -1;
	}
	walk->list[walk->conditions->dependency_count++] = describe_dependency(from);
	return 0;
}

/* %N of the array, which its first record has: a task with a record of its own counts, too. */
static uint32_t run_max_of(const job_record_t *job_ptr)
{
	const job_record_t *base = job_ptr;

	if (job_ptr->array_task_id != NO_VAL)
		base = find_job_record(job_ptr->array_job_id);
	return base && base->array_recs ? base->array_recs->max_run_tasks : 0;
}

int maui_capture_conditions(const struct job_record *job_ptr, struct maui_captured_jobs *jobs,
			    struct maui_captured_job *job)
{
	struct dependency_walk walk = { .conditions = &job->conditions };
	maui_compat_list_t list = job_ptr->details->depend_list;

	job->conditions.slurm_reason = maui_compat_reason_name(job_ptr->state_reason);
	if (job->held && job_ptr->state_reason == WAIT_HELD_USER && job_ptr->state_desc) {
		job->conditions.hold_words = maui_arena_strdup(&jobs->arena, job_ptr->state_desc);
		if (!job->conditions.hold_words)
			return -1;
	}
	if (job_ptr->details->begin_time > jobs->now_s)
		job->conditions.begin_s = job_ptr->details->begin_time;
	job->conditions.run_max = run_max_of(job_ptr);
	if (capture_task_list(job_ptr, jobs, job))
		return -1;
	if (!list || list_count(list) == 0)
		return 0;
	walk.room = (uint32_t)list_count(list);
	if (walk.room > MAUI_DEPENDENCIES_MAX)
		walk.room = MAUI_DEPENDENCIES_MAX;
	walk.list = maui_arena_alloc(&jobs->arena, walk.room * sizeof(*walk.list));
	if (!walk.list)
		return -1;
	list_for_each(list, walk_dependency, &walk);
	job->conditions.dependencies = walk.list;
	return 0;
}
