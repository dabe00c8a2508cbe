/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finish.c - the last step of a cycle: turns the plan into a value */

#include "plan/finished.h"

#include <stdlib.h>
#include <string.h>

#include "plan/access.h"
#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"
#include "reservation/access/access.h"

/* Whether the job waits for resources, and for nothing else. */
static bool waits_for_resources(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_shape *shape;

	if (e->state == MAUI_PLAN_RESERVED)
		return true;
	if (e->state != MAUI_PLAN_WAITING || e->limited || e->refused)
		return false;
	shape = maui_plan_shape(p, e);
	return shape && shape->impossible == MAUI_REASON_NONE;
}

/* ---- pools ---- */

static void note_waits_next(struct maui_planner *p, struct maui_plan_entry *e, void *data)
{
	bool *pools = data;
	const struct maui_shape *shape = e->refused ? NULL : maui_plan_shape(p, e);

	pools[e->pool] |= shape && shape->impossible == MAUI_REASON_NONE;
}

/* -1 without memory. */
static int list_pools(struct maui_planner *p, struct maui_plan *plan)
{
	bool *pools = maui_arena_alloc(&p->arena, p->pools.count + 1u);

	if (!pools)
		return -1;
	for (uint32_t i = 0; i < p->queue.count; i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];

		if (!pools[e->pool] && p->out->verdicts[e->job].blocks &&
		    !maui_plan_is_reserved_elsewhere(p, e))
			pools[e->pool] = waits_for_resources(p, e);
	}
	maui_plan_limits_next(p, note_waits_next, pools);
	plan->pool_waits = pools;
	return 0;
}

/* ---- jobs ---- */

/* -1 without memory. */
static int note_row(struct maui_planner *p, struct maui_plan_entry *e, struct maui_plan_job *job)
{
	size_t rows = maui_plan_job(p, e)->row_count;

	if (!p->limits.of_entry || e->copy > 0)
		return 0;
	if (!job->rows)
		job->rows = maui_arena_alloc(&p->arena, rows * sizeof(*job->rows));
	if (!job->rows)
		return -1;
	job->rows[e->row] = (struct maui_plan_row){
		.least = maui_plan_limits_least(p, e),
		.passed_over = p->limits.of_entry[e - p->queue.entries].passed_over,
	};
	return 0;
}

/* Sets the row that the reasons are about. */
static void set_row(struct maui_plan_job *job, uint32_t row, uint32_t partition, uint32_t request)
{
	job->row = row;
	job->partition = partition;
	job->request = request;
}

/* Jobs of which no row is considered have the first one. */
static void set_first_rows(const struct maui_snapshot *s, struct maui_plan_job *jobs)
{
	for (uint32_t j = 0; j < s->idle_count; j++)
		if (!jobs[j].queued || jobs[j].request == MAUI_PLAN_NONE)
			set_row(&jobs[j], 0, s->idle[j].rows[0].partition,
				maui_idle_request(&s->idle[j], 0));
}

/* Lists the jobs of the queue, chained by rank. -1 without memory. */
static int list_jobs(struct maui_planner *p, struct maui_plan *plan)
{
	uint32_t count = p->snapshot->idle_count, last = MAUI_PLAN_NONE;
	struct maui_plan_job *jobs = maui_arena_alloc(&p->arena, (count + 1u) * sizeof(*jobs));

	if (!jobs)
		return -1;
	plan->first_job = MAUI_PLAN_NONE;
	for (uint32_t i = 0; i < p->queue.count; i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];
		struct maui_plan_job *job = &jobs[e->job];

		if (!job->queued) {
			job->best_row = e->row;
			job->request = MAUI_PLAN_NONE;
			job->next = MAUI_PLAN_NONE;
			job->queued = true;
			*(last == MAUI_PLAN_NONE ? &plan->first_job : &jobs[last].next) = e->job;
			last = e->job;
		}
		if (note_row(p, e, job))
			return -1;
		if (!e->primary)
			continue;
		job->waits |= waits_for_resources(p, e);
		job->reserved |= e->state == MAUI_PLAN_RESERVED;
		if (e->copy > 0)
			continue;
		job->access = e->access;
		job->qos_flags = e->flags;
		set_row(job, e->row, e->partition, e->request);
	}
	set_first_rows(p->snapshot, jobs);
	plan->jobs = jobs;
	return 0;
}

/* Copies what ranked the jobs. -1 without memory. */
static int keep_cred_use(struct maui_planner *p, struct maui_plan *plan)
{
	uint32_t count = p->snapshot->cred_count;
	struct maui_plan_cred_use *use = maui_arena_alloc(&p->arena, (count + 1u) * sizeof(*use));

	for (uint32_t i = 0; use && i < count && i < p->creds.count; i++) {
		const struct maui_plan_creds *c = &p->creds.list[i];

		memcpy(use[i].fs_delta, c->fs_delta, sizeof(use[i].fs_delta));
		use[i].user_procs = c->user_procs;
		use[i].user_jobs = c->user_jobs;
	}
	plan->cred_use = use;
	return use ? 0 : -1;
}

const struct maui_row *maui_plan_row(const struct maui_plan *plan, uint32_t job)
{
	return &plan->snapshot->idle[job].rows[plan->jobs[job].row];
}

void maui_plan_job_priority(const struct maui_plan *plan, uint32_t job, struct maui_priority *ret)
{
	const struct maui_snapshot *s = plan->snapshot;
	const struct maui_idle *idle = &s->idle[job];
	const struct maui_row *row = &idle->rows[plan->jobs[job].best_row];
	const struct maui_plan_cred_use *use = &plan->cred_use[row->creds];
	struct maui_job ranked = idle->job;
	struct maui_priority_creds creds;

	memcpy(ranked.cred, s->creds[row->creds].cred, sizeof(ranked.cred));
	memcpy(ranked.fs_delta, use->fs_delta, sizeof(ranked.fs_delta));
	ranked.user_procs = use->user_procs;
	ranked.user_jobs = use->user_jobs;
	maui_plan_rank_in_row(s, plan->now_s, idle, row, &ranked);
	maui_priority_resolve(plan->config, ranked.cred, &creds);
	maui_priority_compute(plan->config, &s->totals, &creds, &ranked, ret);
}

/* Whether the job may run only inside reservations, and none of them admits it. */
static bool has_no_home(const struct maui_plan_entry *e)
{
	for (uint32_t i = 0; maui_plan_confined(e) && i < e->access->count; i++)
		if (e->access->list[i].own)
			return false;
	return maui_plan_confined(e);
}

/* A job may fit in another of its partitions, so only jobs of one partition are known to be kept
 * out. */
static void note_kept_out(struct maui_planner *p, struct maui_plan *plan)
{
	struct maui_plan_job *jobs = (struct maui_plan_job *)plan->jobs;

	for (uint32_t i = 0; i < p->queue.count; i++) {
		const struct maui_plan_entry *e = &p->queue.entries[i];

		if (maui_plan_job(p, e)->row_count == 1 && jobs[e->job].waits &&
		    !jobs[e->job].reserved && p->out->verdicts[e->job].started == 0)
			jobs[e->job].kept_out |= e->kept_out || has_no_home(e);
	}
}

/* Start estimates leave the finished plan's timeline as it was: they work on a copy of its
 * lines. */
static int estimate(struct maui_planner *p, uint32_t count)
{
	struct maui_line *lines;

	if (count == 0)
		return 0;
	lines = maui_timeline_freeze(&p->timeline);
	if (!lines)
		return -1;
	maui_plan_estimate(p, count);
	return maui_timeline_restore(&p->timeline, lines);
}

/* The reservations, without what belongs to the caller or to the planner. -1 without memory. */
static int keep_standing(struct maui_planner *p, struct maui_plan *plan)
{
	const struct maui_standing_input *standing = maui_plan_standing(p);
	struct maui_standing_input *kept;

	if (!standing)
		return 0;
	kept = maui_arena_alloc(&p->arena, sizeof(*kept));
	if (!kept)
		return -1;
	*kept = (struct maui_standing_input){ .list = standing->list,
					      .count = standing->count,
					      .skip_count = standing->skip_count };
	if (standing->skip_count > 0) {
		size_t size = standing->skip_count * sizeof(*standing->skips);
		struct maui_standing_skip *skips = maui_arena_alloc(&p->arena, size);

		if (!skips)
			return -1;
		kept->skips = memcpy(skips, standing->skips, size);
	}
	plan->standing = kept;
	return 0;
}

struct maui_plan *maui_plan_finish(struct maui_planner *p, struct maui_snapshot *snapshot,
				   uint32_t estimates)
{
	struct maui_plan *plan = maui_plan_has_failed(p) ? NULL : calloc(1, sizeof(*plan));

	if (!plan || p->out->verdict_count != snapshot->idle_count || list_jobs(p, plan) ||
	    list_pools(p, plan) || keep_cred_use(p, plan) || estimate(p, estimates) ||
	    keep_standing(p, plan) || maui_plan_has_failed(p)) {
		maui_plan_forget(p);
		free(plan);
		return NULL;
	}
	note_kept_out(p, plan);
	plan->refs = 1;
	/* the reference count is not part of what is decided */
	plan->config = maui_config_ref((struct maui_config *)p->config);
	plan->snapshot = maui_snapshot_ref(snapshot);
	plan->all_access = maui_plan_access_all(p);
	plan->now_s = p->now;
	plan->chunk_until_s = p->input->chunk_until_s;
	plan->by_user = p->by_user;
	plan->decisions = *p->out;
	p->out->arena = (struct maui_arena){ 0 };
	plan->timeline = p->timeline;
	p->timeline = (struct maui_timeline){ 0 };
	plan->arena = p->arena;
	p->arena = (struct maui_arena){ 0 };
	plan->access_index = p->reservations.index;
	p->reservations.index = NULL;
	plan->rsvs = p->reservations.copies;
	plan->rsv_count = p->reservations.copy_count;
	p->reservations.copies = NULL;
	p->reservations.copy_count = 0;
	maui_planner_rest(p);
	return plan;
}

struct maui_plan *maui_plan_ref(struct maui_plan *plan)
{
	__atomic_add_fetch(&plan->refs, 1, __ATOMIC_RELAXED);
	return plan;
}

void maui_plan_unref(struct maui_plan *plan)
{
	if (!plan || __atomic_sub_fetch(&plan->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	maui_decisions_finish(&plan->decisions);
	maui_timeline_finish(&plan->timeline);
	maui_access_index_destroy(plan->access_index);
	for (uint32_t i = 0; i < plan->rsv_count; i++)
		maui_rsv_finish(&plan->rsvs[i]);
	free(plan->rsvs);
	maui_arena_finish(&plan->arena);
	maui_snapshot_destroy((struct maui_snapshot *)plan->snapshot);
	maui_config_unref((struct maui_config *)plan->config);
	free(plan);
}
