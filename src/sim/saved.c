/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saved.c - makes a trace and a cluster of a saved plan */

#include "sim/saved.h"
#include "base/need.h"

#include <stdlib.h>
#include <string.h>

enum { TASKS_MOST = 1000000 }; /* of all arrays: each is a job of the simulation */

int64_t maui_sim_saved_run(const struct maui_sim_saved *saved, int64_t limit_s)
{
	int64_t run_s;

	if (limit_s > MAUI_YEAR_S)
		limit_s = MAUI_YEAR_S;
	run_s = (int64_t)((double)limit_s * saved->ends_at);
	return run_s < 1 ? 1 : run_s;
}

/* ---- the trace ---- */

static void take_creds(const struct maui_snapshot *s, uint32_t creds, struct maui_sim_job *job)
{
	memcpy(job->cred, s->creds[creds].cred, sizeof(job->cred));
}

static const struct maui_idle *copy_idle(const struct maui_idle *idle, struct maui_sim_trace *trace)
{
	struct maui_idle *copy = maui_need(maui_arena_alloc(&trace->arena, sizeof(*copy)));

	*copy = *idle;
	copy->copies = 1; /* each task is a job */
	return copy;
}

/* Where a running job waits if it is requeued: in its partition, or in the first one if that is
 * gone. */
static uint32_t requeue_partition(const struct maui_snapshot *s, uint32_t creds)
{
	int64_t found = maui_snapshot_find_partition(s, s->creds[creds].cred[MAUI_CRED_CLASS]);

	return found < 0 ? 0 : (uint32_t)found;
}

/* What a running job asks for if it is requeued: as many nodes as it has, and the same on each. */
static const struct maui_idle *make_request(struct maui_snapshot *s,
					    const struct maui_active *active,
					    struct maui_sim_trace *trace)
{
	int64_t *per_node =
		maui_need(maui_arena_alloc(&trace->arena, s->amount_count * sizeof(*per_node)));
	int64_t tasks = active->asked_tasks > 0 ? active->asked_tasks : 1;
	struct maui_request request = {
		.nodes_min = active->piece_count ? active->piece_count : 1,
		.nodes_max = active->piece_count,
		.tasks = (uint64_t)tasks,
		.procs_per_task = (uint32_t)(active->asked_procs / tasks),
		.per_node = per_node,
		.global = active->global,
		.sole_user = active->sole_user,
	};
	struct maui_row *row = maui_need(maui_arena_alloc(&trace->arena, sizeof(*row)));
	struct maui_idle idle = { .copies = 1,
				  .rows = row,
				  .row_count = 1,
				  .submit_s = active->start_s,
				  .queue_since_s = active->start_s,
				  .limit_s = maui_when_length(active->start_s, active->end_s),
				  .procs = active->asked_procs,
				  .advres = active->advres,
				  .job = active->job };
	int64_t index;

	if (active->piece_count > 0)
		memcpy(per_node, active->pieces[0].amounts, s->amount_count * sizeof(*per_node));
	per_node[MAUI_AMOUNT_PROCS] = 0;
	index = maui_snapshot_request(s, &request);
	if (index < 0)
		maui_out_of_memory();
	row->creds = active->creds;
	row->partition = requeue_partition(s, active->creds);
	idle.request = (uint32_t)index;
	return copy_idle(&idle, trace);
}

/* The number of the array's k-th waiting task; MAUI_NO_TASK: not known. */
static uint32_t task_number(const struct maui_saved_waiting *waiting, uint32_t k)
{
	if (waiting->array_task != MAUI_NO_TASK || waiting->first_task == MAUI_NO_TASK)
		return waiting->array_task;
	if (k < waiting->conditions.task_count)
		return waiting->conditions.tasks[k];
	return waiting->last_task - waiting->first_task + 1 == waiting->count ?
		       waiting->first_task + k :
		       MAUI_NO_TASK;
}

/* A job for each waiting task. -1: too many. */
static int add_tasks(const struct maui_saved_waiting *waiting, uint32_t copies,
		     struct maui_sim_job *job, struct maui_sim_trace *trace)
{
	uint32_t count = waiting->count > copies ? waiting->count : copies;

	job->array_job = waiting->array_job;
	job->conditions = &waiting->conditions;
	for (uint32_t k = 0; k < count; k++) {
		job->array_task = task_number(waiting, k);
		if (trace->count >= TASKS_MOST)
			return -1;
		maui_sim_trace_add(trace, job);
	}
	return 0;
}

static int add_idle(const struct maui_sim_saved *saved, const struct maui_snapshot *s,
		    uint32_t index, struct maui_sim_trace *trace)
{
	static const struct maui_saved_waiting one = { .array_task = MAUI_NO_TASK,
						       .first_task = MAUI_NO_TASK,
						       .last_task = MAUI_NO_TASK,
						       .count = 1 };
	const struct maui_saved_plan *plan = &saved->plan;
	/* a job of --job stands behind those of the file */
	const struct maui_saved_waiting *waiting =
		index < plan->waiting_count ? &plan->waiting[index] : &one;
	const struct maui_idle *idle = &s->idle[index];
	struct maui_sim_job job = { .number = idle->id,
				    .submit_s = idle->submit_s,
				    .run_s = maui_sim_saved_run(saved, idle->limit_s),
				    .limit_s = idle->limit_s,
				    .procs = idle->procs,
				    .nodes = s->requests[maui_idle_request(idle, 0)].nodes_min,
				    .again = copy_idle(idle, trace),
				    .saved_idle = index + 1 };

	if (job.limit_s > MAUI_YEAR_S)
		job.limit_s = MAUI_YEAR_S;
	take_creds(s, idle->rows[0].creds, &job);
	return add_tasks(waiting, idle->copies, &job, trace);
}

static void add_active(const struct maui_sim_saved *saved, struct maui_snapshot *s, uint32_t index,
		       struct maui_sim_trace *trace)
{
	const struct maui_active *active = &s->active[index];
	struct maui_sim_job job = { .number = active->id,
				    .submit_s = active->start_s,
				    .procs = active->procs,
				    .nodes = active->piece_count,
				    .nodes_used = active->piece_count,
				    .start_s = active->start_s,
				    .ran_before = true,
				    .saved_active = index + 1 };

	job.limit_s = maui_when_length(active->start_s, active->end_s);
	if (job.limit_s > MAUI_YEAR_S)
		job.limit_s = MAUI_YEAR_S;
	job.run_s = maui_sim_saved_run(saved, job.limit_s);
	if (job.start_s + job.run_s <= saved->plan.now_s) /* it is expected to end at once */
		job.run_s = saved->plan.now_s + 1 - job.start_s;
	job.array_task = MAUI_NO_TASK;
	if (saved->plan.running) {
		job.array_job = saved->plan.running[index].array_job;
		job.array_task = saved->plan.running[index].array_task;
	}
	take_creds(s, active->creds, &job);
	job.again = make_request(s, active, trace);
	maui_sim_trace_add(trace, &job);
	trace->jobs[trace->count - 1].start_s = active->start_s;
}

static int by_number(const void *a, const void *b)
{
	const struct maui_sim_job *one = a, *two = b;
	uint32_t left = one->saved_idle + one->saved_active;
	uint32_t right = two->saved_idle + two->saved_active;

	if (one->number != two->number)
		return one->number > two->number ? 1 : -1;
	if (left != right)
		return left > right ? 1 : -1;
	return (one->array_task > two->array_task) - (one->array_task < two->array_task);
}

/* The jobs by number, as slurmctld orders equal ones; the snapshot's ids become their places.
 * -1: too many. */
static int make_trace(const struct maui_sim_saved *saved, struct maui_snapshot *s,
		      struct maui_sim_trace *trace)
{
	for (uint32_t i = 0; i < s->idle_count; i++)
		if (add_idle(saved, s, i, trace))
			return -1;
	for (uint32_t i = 0; i < s->active_count; i++)
		add_active(saved, s, i, trace);
	if (trace->count > 0)
		qsort(trace->jobs, trace->count, sizeof(*trace->jobs), by_number);
	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_sim_job *job = &trace->jobs[i];

		if (job->saved_idle && (i == 0 || job[-1].saved_idle != job->saved_idle))
			s->idle[job->saved_idle - 1].id = i; /* the first task */
		else if (job->saved_active)
			s->active[job->saved_active - 1].id = i;
	}
	return 0;
}

int64_t maui_sim_saved_find(const struct maui_sim_trace *trace, uint64_t number)
{
	size_t low = 0, high = trace->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace->jobs[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < trace->count && trace->jobs[low].number == number ? (int64_t)low : -1;
}

int maui_sim_saved_begin(struct maui_sim_saved *saved, struct maui_sim_cluster *cluster,
			 struct maui_sim_trace *trace, struct maui_err *err)
{
	struct maui_snapshot *s = (struct maui_snapshot *)saved->plan.snapshot;

	*cluster = (struct maui_sim_cluster){ .conf.snapshot = maui_snapshot_ref(s) };
	trace->from_s = saved->plan.now_s;
	trace->until_s = saved->until_s;
	for (uint32_t i = 0; i < s->idle_count; i++) {
		s->idle[i].refused = false; /* it may start again by now */
		for (uint32_t r = 0; r < s->idle[i].row_count; r++)
			maui_snapshot_set_row(&s->idle[i], r, false, 0);
		s->idle[i].busy_until_s = 0;
		s->idle[i].spared_count = 0;
		s->idle[i].run = 0; /* runjob asks for one cycle */
	}
	return make_trace(saved, s, trace) ? maui_err_set(err, "more than %d jobs", TASKS_MOST) : 0;
}
