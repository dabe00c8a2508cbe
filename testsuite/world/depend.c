/* SPDX-License-Identifier: GPL-2.0-or-later */
/* depend.c - dependencies and deadlines, as slurmctld judges them */

#include "world.h"

#include <stdlib.h>

/* details->dependency is "afterany:17" or "afterok:17". */
static uint32_t job_before(const job_record_t *job_ptr)
{
	const char *text = job_ptr->details->dependency;

	return text ? (uint32_t)atoi(strchr(text, ':') + 1) : 0;
}

static bool needs_success(const job_record_t *job_ptr)
{
	return strncmp(job_ptr->details->dependency, "afterok", 7) == 0;
}

/* The list is made of the text. */
void world_depend_list(job_record_t *job_ptr)
{
	depend_spec_t *depend;

	if (!job_ptr->details->dependency)
		return;
	depend = xmalloc(sizeof(*depend));
	depend->job_id = job_before(job_ptr);
	depend->array_task_id = NO_VAL;
	depend->depend_type =
		needs_success(job_ptr) ? SLURM_DEPEND_AFTER_OK : SLURM_DEPEND_AFTER_ANY;
	job_ptr->details->depend_list = list_create(xfree_ptr);
	list_append(job_ptr->details->depend_list, depend);
}

void world_depend_ask(job_record_t *job_ptr)
{
	uint32_t before = (uint32_t)world_random(world.next_job);

	if (!world.plan.depends || !world_chance(15) || before == 0 || before == job_ptr->job_id)
		return;
	xstrfmtcat(job_ptr->details->dependency, "%s:%u", world_chance(50) ? "afterok" : "afterany",
		   before);
	world_depend_list(job_ptr);
}

static bool is_over(const job_record_t *job_ptr)
{
	return IS_JOB_FINISHED(job_ptr) && !IS_JOB_COMPLETING(job_ptr);
}

/* Of an array all tasks: those that wait are in the head's record. */
static const job_record_t *find_unfinished(uint32_t job_id)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	const job_record_t *job_ptr;

	while ((job_ptr = list_next(iterator)) &&
	       ((job_ptr->job_id != job_id && job_ptr->array_job_id != job_id) || is_over(job_ptr)))
		;
	list_iterator_destroy(iterator);
	return job_ptr;
}

bool world_job_depends(const job_record_t *job_ptr)
{
	return job_ptr->details->dependency != NULL;
}

/* kill_invalid_depend is set. */
static void cancel_for_good(job_record_t *job_ptr)
{
	job_ptr->job_state = JOB_CANCELLED;
	job_ptr->start_time = job_ptr->end_time = world_wall_s();
	last_job_update = world_wall_s();
	world.changes++;
	world_note("job %u is cancelled: its dependency is never met", job_ptr->job_id);
}

bool world_depend_test(job_record_t *job_ptr)
{
	struct job_details *details = job_ptr->details;
	const job_record_t *before;

	if (!details->dependency)
		return true;
	if (find_unfinished(job_before(job_ptr))) {
		job_ptr->state_reason = WAIT_DEPENDENCY;
		return false;
	}
	before = find_job_record(job_before(job_ptr));
	if (before && needs_success(job_ptr) && !IS_JOB_COMPLETE(before)) {
		job_ptr->state_reason = WAIT_DEP_INVALID;
		if (world.plan.kills_invalid)
			cancel_for_good(job_ptr);
		return false;
	}
	xfree(details->dependency);
	FREE_NULL_LIST(details->depend_list);
	return true;
}

/* ---- deadlines ---- */

void world_deadline_ask(job_record_t *job_ptr)
{
	if (world.plan.depends && world_chance(8))
		job_ptr->deadline = world_wall_s() + 3600 + (time_t)world_random(24 * 3600);
}

bool deadline_ok(job_record_t *job_ptr, char *func)
{
	uint32_t minutes = job_ptr->time_min > 0 ? job_ptr->time_min : job_ptr->time_limit;

	(void)func;
	world_need("deadline_ok", 0, 2, 0, 0);
	if (minutes == NO_VAL || minutes == INFINITE)
		minutes = 1;
	if (!job_ptr->deadline || job_ptr->deadline == (time_t)NO_VAL ||
	    world_wall_s() + (time_t)minutes * 60 <= job_ptr->deadline)
		return true;
	job_ptr->job_state = JOB_DEADLINE;
	job_ptr->state_reason = FAIL_DEADLINE;
	job_ptr->start_time = job_ptr->end_time = world_wall_s();
	last_job_update = world_wall_s();
	world.changes++;
	world_note("job %u misses its deadline", job_ptr->job_id);
	return false;
}
