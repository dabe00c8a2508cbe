/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preempt.c - jobs that slurm-maui requeues, suspends and resumes, and those that an operator
 * suspends
 *
 * A suspended job keeps its memory and GPUs; others may have its cores meanwhile.
 */

#include "world.h"

/* Who is preempted, and for whom, must be right by maui.cfg. */
static void check_preempted(const struct world_run *run)
{
	if (!world_in_agent() || !world_may_be_preempted(run))
		world_fault("job %u of QOS %s is preempted", run->job_id,
			    run->qos ? run->qos : "(none)");
}

int job_requeue(uid_t uid, uint32_t job_id, slurm_msg_t *msg, bool preempt, uint32_t flags)
{
	struct world_run *run = world_find_run(job_id);
	struct world_outside before;
	job_record_t *job_ptr = find_job_record(job_id);

	(void)uid, (void)msg, (void)preempt, (void)flags;
	world_need("job_requeue", 1, 2, 2, 0);
	if (!job_ptr)
		return ESLURM_INVALID_JOB_ID;
	if (!run || run->suspended || !job_ptr->batch_flag)
		return run ? ESLURM_BATCH_ONLY : ESLURM_JOB_PENDING;
	check_preempted(run);
	before = world_leave();
	world_promise_void("a preemption");
	world.preempted++;
	world.changes++;
	world_job_end((size_t)(run - world.runs), "preempted", JOB_PENDING, true);
	world_return(before);
	return SLURM_SUCCESS;
}

static void stop(struct world_run *run)
{
	world_usage_run(run, run->charged_s, world_wall_s());
	run->suspended = true;
	run->left_us = run->end_us - world_now_us;
	run->end_us = INT64_MAX;
}

static void go_on(struct world_run *run)
{
	run->suspended = false;
	run->charged_s = world_wall_s();
	run->end_us = world_now_us + run->left_us;
}

void world_suspend(struct world_run *run, job_record_t *job_ptr)
{
	stop(run);
	job_ptr->job_state = JOB_SUSPENDED;
	job_ptr->pre_sus_time +=
		world_wall_s() - (job_ptr->suspend_time ? job_ptr->suspend_time : run->start_s);
	job_ptr->suspend_time = world_wall_s();
	job_ptr->priority = 0;
	world_note("job %u is suspended", run->job_id);
	last_job_update = world_wall_s();
	world_nodes_update();
}

bool world_cores_free(const struct world_run *run)
{
	for (size_t r = 0; r < world.run_count; r++)
		for (int n = 0; n < world.node_count; n++)
			if (&world.runs[r] != run && !world.runs[r].suspended &&
			    world.runs[r].cores[n] & run->cores[n])
				return false;
	return true;
}

void world_resume(struct world_run *run, job_record_t *job_ptr)
{
	/* slurmctld does not look */
	if (!world_cores_free(run))
		world_fault("job %u is resumed on cores of another job", run->job_id);
	go_on(run);
	job_ptr->job_state = JOB_RUNNING;
	job_ptr->tot_sus_time += world_wall_s() - job_ptr->suspend_time;
	job_ptr->end_time += world_wall_s() - job_ptr->suspend_time;
	job_ptr->suspend_time = world_wall_s();
	world_note("job %u is resumed", run->job_id);
	last_job_update = world_wall_s();
	world_nodes_update();
}

void world_run_as_recorded(struct world_run *run, const job_record_t *job_ptr)
{
	if (run->suspended && IS_JOB_RUNNING(job_ptr))
		go_on(run);
	else if (!run->suspended && IS_JOB_SUSPENDED(job_ptr))
		stop(run);
}

int job_suspend(suspend_msg_t *message, uid_t uid, int fd, bool indefinite, uint16_t version)
{
	uint32_t job_id = message ? message->job_id : 0;
	struct world_run *run = world_find_run(job_id);
	job_record_t *job_ptr = find_job_record(job_id);
	bool resume = message && message->op == RESUME_JOB;
	struct world_outside before;

	(void)uid, (void)fd, (void)indefinite, (void)version;
	world_need("job_suspend", 0, 2, 2, 0);
	if (!run || !job_ptr)
		return ESLURM_INVALID_JOB_ID;
	if (run->suspended != resume)
		return ESLURM_DISABLED;
	if (!resume)
		check_preempted(run);
	before = world_leave();
	world_promise_void("a preemption");
	world.preempted++;
	world.changes++;
	if (resume) {
		world_resume(run, job_ptr);
		world_check_limits(run);
	} else {
		world_suspend(run, job_ptr);
	}
	world_return(before);
	return SLURM_SUCCESS;
}
