/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conditions.c - tasks of arrays, dependencies and begin times in a simulation of a saved plan */

#include "sim/conditions.h"

#include <stdlib.h>

#include "base/need.h"
#include "model/conditions.h"
#include "model/job.h"
#include "sim/engine_private.h"

/* ---- families ---- */

static uint32_t family_number(const struct maui_sim_job *job)
{
	if (job->array_job)
		return job->array_job;
	return job->number <= UINT32_MAX ? (uint32_t)job->number : 0; /* 0: it is hidden */
}

static int by_number(const void *a, const void *b)
{
	const struct maui_sim_family *one = a, *two = b;

	return (one->job > two->job) - (one->job < two->job);
}

static struct maui_sim_family *find_family(const struct maui_sim_conditions *c, uint32_t number)
{
	const struct maui_sim_family key = { .job = number };

	return number == 0 || c->family_count == 0 ?
		       NULL :
		       bsearch(&key, c->families, c->family_count, sizeof(key), by_number);
}

static struct maui_sim_family *family_of(const struct maui_sim_engine *e, size_t index)
{
	return find_family(&e->conditions, family_number(maui_sim_trace_job(e->trace, index)));
}

static int by_task(const void *a, const void *b, void *jobs)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	const struct maui_sim_job *one = (const struct maui_sim_job *)jobs + left;
	const struct maui_sim_job *two = (const struct maui_sim_job *)jobs + right;

	if (family_number(one) != family_number(two))
		return family_number(one) > family_number(two) ? 1 : -1;
	if (one->array_task != two->array_task)
		return one->array_task > two->array_task ? 1 : -1;
	return (left > right) - (left < right);
}

static void make_families(struct maui_sim_conditions *c, const struct maui_sim_trace *trace)
{
	c->families = maui_need_list(trace->count, sizeof(*c->families));
	c->order = maui_need_list(trace->count, sizeof(*c->order));
	for (size_t i = 0; i < trace->count; i++)
		c->order[i] = (uint32_t)i;
	if (trace->count > 0)
		qsort_r(c->order, trace->count, sizeof(*c->order), by_task, trace->jobs);
	for (size_t i = 0; i < trace->count; i++) {
		uint32_t number = family_number(&trace->jobs[c->order[i]]);

		if (c->family_count == 0 || c->families[c->family_count - 1].job != number)
			c->families[c->family_count++] =
				(struct maui_sim_family){ .job = number, .first = i };
		c->families[c->family_count - 1].count++;
	}
}

static bool is_active(const struct maui_sim_engine *e, size_t index)
{
	uint32_t at = e->active_at[index];

	return at < e->snapshot->active_count && e->snapshot->active[at].id == index;
}

/* What the families have at the beginning; jobs that start and end change it. */
static void count_families(struct maui_sim_engine *e)
{
	for (size_t i = 0; i < e->trace->count; i++) {
		const struct maui_sim_job *job = &e->trace->jobs[i];
		struct maui_sim_family *family = find_family(&e->conditions, family_number(job));

		if (!family)
			continue;
		family->running += is_active(e, i);
		family->unstarted += job->start_s < 0;
		family->unended += is_active(e, i) || job->start_s < 0;
		if (job->start_s > family->last_start_s)
			family->last_start_s = job->start_s;
	}
}

/* The waiting tasks to which the job belongs; NULL: none. */
static struct maui_sim_tasks *find_tasks(const struct maui_sim_conditions *c, size_t index)
{
	size_t low = 0, high = c->task_count;

	while (low < high) { /* the last group that does not begin behind the job */
		size_t middle = low + (high - low) / 2;

		if (c->tasks[middle].first <= index)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && index - c->tasks[low - 1].first < c->tasks[low - 1].count ?
		       &c->tasks[low - 1] :
		       NULL;
}

/* `change` more of the tasks are in the queue. */
static void count_waiting(struct maui_sim_engine *e, struct maui_sim_tasks *tasks, int64_t change)
{
	struct maui_sim_family *family = family_of(e, tasks->first);

	tasks->waiting += change;
	if (family)
		family->waiting += change;
}

void maui_sim_conditions_start(struct maui_sim_engine *e, size_t index)
{
	struct maui_sim_family *family = family_of(e, index);
	struct maui_sim_tasks *tasks = find_tasks(&e->conditions, index);

	if (family) {
		family->running++;
		family->unstarted--;
		family->last_start_s = e->now;
	}
	if (tasks) {
		tasks->running++;
		count_waiting(e, tasks, -1);
	}
}

void maui_sim_conditions_end(struct maui_sim_engine *e, size_t index, bool requeued)
{
	struct maui_sim_family *family = family_of(e, index);
	struct maui_sim_tasks *tasks = find_tasks(&e->conditions, index);

	if (family) {
		family->running--;
		family->unstarted += requeued;
		family->unended -= !requeued;
	}
	if (tasks) {
		tasks->running--;
		count_waiting(e, tasks, requeued);
	}
}

/* ---- dependencies ---- */

/* The job of a family with this task; -1: it is not in the plan. */
static int64_t find_task(const struct maui_sim_engine *e, const struct maui_sim_family *family,
			 uint32_t task)
{
	size_t low = family->first, high = family->first + family->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (e->trace->jobs[e->conditions.order[middle]].array_task < task)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == family->first + family->count ||
	    e->trace->jobs[e->conditions.order[low]].array_task != task)
		return -1;
	return e->conditions.order[low];
}

/* The task that a dependency names; MAUI_NO_TASK: a whole job. */
static uint32_t task_of(const struct maui_dependency *d, const struct maui_sim_job *job)
{
	if (d->kind == MAUI_DEPENDENCY_TASK_END)
		return job->array_task;
	return d->task;
}

/* From when on a dependency is fulfilled, as far as that is known now; MAUI_NEVER: not yet. */
static int64_t due_of(const struct maui_sim_engine *e, const struct maui_dependency *d,
		      const struct maui_sim_job *job)
{
	const struct maui_sim_family *family = find_family(&e->conditions, d->job);
	uint32_t task = task_of(d, job);
	struct maui_sim_family one = { 0 };

	if (!family || d->kind == MAUI_DEPENDENCY_OTHER)
		return MAUI_NEVER;
	if (task != MAUI_NO_TASK) {
		int64_t index = find_task(e, family, task);

		if (index < 0)
			return MAUI_NEVER;
		one.last_start_s = e->trace->jobs[index].start_s;
		one.unstarted = one.last_start_s < 0;
		one.unended = one.unstarted || is_active(e, (size_t)index);
		family = &one;
	}
	if (d->kind == MAUI_DEPENDENCY_START)
		return family->unstarted ? MAUI_NEVER : family->last_start_s + d->delay_s;
	return family->unended ? MAUI_NEVER : 0;
}

/* When its begin time is; 0: it has none, or that is over. */
static int64_t begin_of(const struct maui_sim_job *job)
{
	int64_t begin_s = job->conditions ? job->conditions->begin_s : 0;

	return begin_s > job->again->blocked_until_s ? begin_s : job->again->blocked_until_s;
}

/* When a blocked job becomes eligible, as far as that is known now; MAUI_NEVER: it is not. */
static int64_t eligible_from(const struct maui_sim_engine *e, const struct maui_idle *idle)
{
	const struct maui_sim_job *job = &e->trace->jobs[idle->id];
	const struct maui_job_conditions *c = job->conditions;
	int64_t begin_s = begin_of(job), from_s = 0;

	if (job->left_out != MAUI_REASON_NONE)
		return MAUI_NEVER;
	if (idle->blocked != MAUI_REASON_DEPENDENCY)
		return begin_s > 0 ? begin_s : MAUI_NEVER;
	for (uint32_t i = 0; i < c->dependency_count; i++) {
		int64_t due_s = due_of(e, &c->dependencies[i], job);

		if (i == 0 || (c->any_dependency ? due_s < from_s : due_s > from_s))
			from_s = due_s;
	}
	return from_s > begin_s ? from_s : begin_s;
}

/* ---- what is left out ---- */

/* Whether the simulation can tell when the other job ends, or starts. */
static bool is_known(const struct maui_sim_engine *e, const struct maui_dependency *d,
		     const struct maui_sim_job *job)
{
	const struct maui_sim_family *family = find_family(&e->conditions, d->job);
	uint32_t task = task_of(d, job);
	int64_t index;

	if (d->kind == MAUI_DEPENDENCY_OTHER || !family ||
	    (d->kind == MAUI_DEPENDENCY_TASK_END && task == MAUI_NO_TASK))
		return false;
	if (task == MAUI_NO_TASK)
		return family->left_out == 0;
	index = find_task(e, family, task);
	return index >= 0 && e->trace->jobs[index].left_out == MAUI_REASON_NONE;
}

static bool is_foreseeable(const struct maui_sim_engine *e, const struct maui_sim_job *job)
{
	const struct maui_job_conditions *c = job->conditions;
	uint32_t known = 0;

	for (uint32_t i = 0; c && i < c->dependency_count; i++)
		known += is_known(e, &c->dependencies[i], job);
	return known > 0 && (known == c->dependency_count || c->any_dependency);
}

static bool is_left_out(const struct maui_sim_engine *e, const struct maui_sim_job *job)
{
	switch (job->again->blocked) {
	case MAUI_REASON_HELD:
	case MAUI_REASON_SLURM:
	case MAUI_REASON_HET:
	case MAUI_REASON_PARTITION:
		return true;
	case MAUI_REASON_DEPENDENCY:
		return !is_foreseeable(e, job) || begin_of(job) > e->options->saved->until_s;
	case MAUI_REASON_BEGIN_TIME:
		return begin_of(job) == 0 || begin_of(job) > e->options->saved->until_s;
	default:
		return false;
	}
}

/* A job that depends on one that is left out is left out, too: until nothing changes. The trace is
 * by number and dependencies name older jobs as a rule, so that one round finds all. */
static void mark_left_out(struct maui_sim_engine *e)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = 0; i < e->trace->count; i++) {
			struct maui_sim_job *job = &e->trace->jobs[i];
			struct maui_sim_family *family;

			if (!job->saved_idle || job->left_out != MAUI_REASON_NONE ||
			    !is_left_out(e, job))
				continue;
			family = find_family(&e->conditions, family_number(job));
			if (family)
				family->left_out++;
			job->left_out = job->again->blocked;
			changed = true;
		}
	}
}

/* ---- arrays ---- */

/* Tasks of the array that run, with those that ran at the beginning. Tasks of a hidden array have
 * no number in common: only those of the group are known. */
static int64_t count_running(const struct maui_sim_engine *e, const struct maui_sim_tasks *tasks)
{
	const struct maui_sim_family *family = family_of(e, tasks->first);

	return (int64_t)(family ? family->running : tasks->running);
}

/* Tasks of the array in the queue that slurmctld keeps apart from these. */
static int64_t count_waiting_apart(const struct maui_sim_engine *e,
				   const struct maui_sim_tasks *tasks)
{
	const struct maui_sim_family *family = family_of(e, tasks->first);

	return family ? family->waiting - tasks->waiting : 0;
}

/* As many tasks join the queue as slurmctld would have start now. */
static void admit_tasks(struct maui_sim_engine *e, struct maui_sim_tasks *tasks)
{
	int64_t most = tasks->most;

	if (tasks->next == tasks->count)
		return;
	if (tasks->run_max > 0) {
		int64_t left = (int64_t)tasks->run_max - count_running(e, tasks) -
			       count_waiting_apart(e, tasks);

		most = left < most ? left : most;
	}
	for (; tasks->next < tasks->count && tasks->waiting < most; tasks->next++) {
		struct maui_idle idle = *e->trace->jobs[tasks->first + tasks->next].again;

		idle.id = tasks->first + tasks->next;
		if (maui_snapshot_add_idle(e->snapshot, &idle) < 0)
			maui_out_of_memory();
		count_waiting(e, tasks, 1);
	}
}

/* slurmctld has blocked an array head because %N tasks are running: that is the simulation's own
 * matter. */
static void clear_limited(struct maui_sim_engine *e, const struct maui_sim_tasks *tasks)
{
	struct maui_idle *again = (struct maui_idle *)e->trace->jobs[tasks->first].again;

	if (tasks->run_max > 0 && again->blocked == MAUI_REASON_SLURM &&
	    count_running(e, tasks) >= tasks->run_max)
		again->blocked = MAUI_REASON_NONE;
}

/* The heads' places in the queue; their tasks come back one by one. */
static void drop_heads(struct maui_sim_engine *e)
{
	uint32_t *heads = maui_need_list(e->snapshot->idle_count, sizeof(*heads)), count = 0;
	bool *grouped = maui_need_list(e->trace->count, sizeof(*grouped));

	for (size_t i = 0; i < e->conditions.task_count; i++)
		grouped[e->conditions.tasks[i].first] = true;
	for (uint32_t i = 0; i < e->snapshot->idle_count; i++)
		if (grouped[e->snapshot->idle[i].id])
			heads[count++] = i;
	maui_snapshot_drop_idle(e->snapshot, heads, count);
	free(grouped);
	free(heads);
}

static void make_groups(struct maui_sim_engine *e)
{
	struct maui_sim_conditions *c = &e->conditions;
	const struct maui_sim_trace *trace = e->trace;
	int64_t procs = (int64_t)e->snapshot->totals.procs;

	c->tasks = maui_need_list(trace->count, sizeof(*c->tasks));
	for (size_t i = 0, end; i < trace->count; i = end) {
		const struct maui_sim_job *job = &trace->jobs[i];
		uint32_t run_max = job->conditions ? job->conditions->run_max : 0;
		int64_t each = job->procs > 0 ? job->procs : 1;

		for (end = i + 1; end < trace->count && job->saved_idle > 0 &&
				  trace->jobs[end].saved_idle == job->saved_idle;)
			end++;
		if (end - i > 1 || run_max > 0)
			c->tasks[c->task_count++] =
				(struct maui_sim_tasks){ .first = i,
							 .count = end - i,
							 .run_max = run_max,
							 .most = procs / each + 1 };
	}
}

/* ---- the whole ---- */

void maui_sim_conditions_begin(struct maui_sim_engine *e)
{
	struct maui_sim_conditions *c = &e->conditions;

	make_families(c, e->trace);
	make_groups(e);
	drop_heads(e);
	count_families(e);
	for (size_t i = 0; i < c->task_count; i++)
		clear_limited(e, &c->tasks[i]);
	mark_left_out(e);
}

void maui_sim_conditions_finish(struct maui_sim_conditions *c)
{
	free(c->tasks);
	free(c->families);
	free(c->order);
	*c = (struct maui_sim_conditions){ 0 };
}

void maui_sim_conditions_poll(struct maui_sim_engine *e)
{
	struct maui_sim_conditions *c = &e->conditions;

	for (size_t i = 0; i < c->task_count; i++)
		admit_tasks(e, &c->tasks[i]);
	for (uint32_t i = 0; i < e->snapshot->idle_count; i++) {
		struct maui_idle *idle = &e->snapshot->idle[i];

		if (idle->blocked != MAUI_REASON_NONE && eligible_from(e, idle) <= e->now)
			idle->blocked = MAUI_REASON_NONE;
	}
}

int64_t maui_sim_conditions_next(struct maui_sim_engine *e)
{
	int64_t next_s = MAUI_NEVER;

	for (uint32_t i = 0; e->options->saved && i < e->snapshot->idle_count; i++) {
		const struct maui_idle *idle = &e->snapshot->idle[i];
		int64_t from_s =
			idle->blocked != MAUI_REASON_NONE ? eligible_from(e, idle) : MAUI_NEVER;

		if (from_s > e->now && from_s < next_s)
			next_s = from_s;
	}
	return next_s;
}
