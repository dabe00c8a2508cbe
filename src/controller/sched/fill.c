/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fill.c - puts the copied jobs into the snapshot, with credentials, queue times, counts and
 * limits
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include "controller/rank.h"
#include "slurm/start/preempt.h"

static const struct maui_captured_job *find_captured(const struct maui_iteration *it, uint64_t id)
{
	return maui_hashtable_find_id(&it->by_id, (uint32_t)id);
}

static int index_captured(struct maui_iteration *it)
{
	for (size_t i = 0; i < it->captured->count; i++)
		if (maui_hashtable_set_id(&it->by_id, it->captured->jobs[i].job_id,
					  &it->captured->jobs[i]))
			return -1;
	return 0;
}

static const struct maui_captured_part *find_part(const struct maui_captured_job *captured,
						  const char *name)
{
	for (size_t i = 0; i < captured->part_count; i++)
		if (strcmp(captured->parts[i].name, name) == 0)
			return &captured->parts[i];
	return captured->part_count ? &captured->parts[0] : NULL;
}

/* Whether PREEMPTPOLICY can preempt the job (HET-2: no het job). */
static bool can_preempt(const struct maui_iteration *it, const struct maui_captured_job *captured)
{
	return captured->het.id == 0 &&
	       (it->c->config->preempt_policy == MAUI_PREEMPT_SUSPEND || captured->requeueable);
}

static int64_t add_creds(struct maui_iteration *it, const struct maui_captured_job *captured,
			 const struct maui_job_history *history, const char *part)
{
	const char *cred[MAUI_CRED_COUNT] = { 0 };

	if (captured && history)
		maui_rank_creds(it->c, captured, history, part, cred);
	return maui_snapshot_creds(it->cluster.snapshot, cred);
}

/* Sets the tasks and processors that access lists compare: those of the plan, since slurmctld's
 * record of a running job may differ (on 22.05 --ntasks-per-node makes -n a multiple of the nodes
 * given). */
static void fill_asked(struct maui_active *active, struct maui_job_history *history)
{
	if (history->asked_tasks == active->asked_tasks &&
	    history->asked_procs == active->asked_procs)
		history->asked_tasks = history->asked_procs = 0; /* the record knows */
	if (history->asked_tasks > 0) {
		active->asked_tasks = history->asked_tasks;
		active->asked_procs = history->asked_procs;
	}
}

/* Adds an active job. A job that was submitted and started between two copies has no history yet
 * and counts for no user. */
static int fill_active(struct maui_iteration *it, struct maui_active *active, bool completing)
{
	const struct maui_captured_job *captured = find_captured(it, active->id);
	struct maui_job_history *history =
		maui_job_histories_find(&it->c->histories, (uint32_t)active->id);
	const struct maui_captured_part *part =
		captured && captured->part_count ? &captured->parts[0] : NULL;
	struct maui_job held = active->job;
	int64_t creds = add_creds(it, captured, history, part ? part->name : NULL);

	if (creds < 0)
		return -1;
	active->creds = (uint32_t)creds;
	active->completing = completing;
	if (captured && history) {
		maui_rank_fill(it->c, captured, history, it->cluster.now_s, &active->job);
		active->job.nodes = held.nodes;
		active->job.procs = held.procs;
		active->job.walltime_s = held.walltime_s;
		if (part)
			active->job.class_fallback = part->job_factor;
		if (!it->c->roles[MAUI_ROLE_PRIORITY])
			active->given_priority = captured->priority;
		if (!captured->suspended)
			history->suspended_by_us = false; /* an administrator resumed the job */
		maui_job_history_count_suspension(history, captured);
		active->resumable = history->suspended_by_us;
		active->preemptee = history->preemptible && can_preempt(it, captured);
		active->advres = history->advres; /* copied */
		fill_asked(active, history);
		if (!it->cluster.snapshot->slurm_preempts &&
		    (!it->may_preempt || !can_preempt(it, captured)))
			active->going = MAUI_GOING_NEVER;
	}
	active->no_limit = active->end_s == MAUI_NEVER;
	if (active->no_limit)
		active->end_s = active->start_s + it->c->config->default_walltime_s;
	return maui_snapshot_add_active(it->cluster.snapshot, active) < 0 ? -1 : 0;
}

static int fill_rows(struct maui_iteration *it, struct maui_pending *pending,
		     const struct maui_captured_job *captured,
		     const struct maui_job_history *history)
{
	for (uint32_t r = 0; r < pending->idle.row_count; r++) {
		struct maui_row *row = &pending->rows[r];
		int64_t creds = add_creds(it, captured, history,
					  it->cluster.snapshot->partitions[row->partition].name);

		if (creds < 0)
			return -1;
		row->creds = (uint32_t)creds;
		if (captured->direct)
			row->priority = captured->priority;
	}
	return 0;
}

/* Sets the time limit. A job without one is planned with SYSTEMDEFAULTJOBWALLTIME. A job in a Slurm
 * reservation is planned to the end of the reservation, with which slurmctld ends it. */
static void fill_limit(struct maui_iteration *it, struct maui_idle *idle, int64_t most_s,
		       const struct maui_captured_job *captured)
{
	const char *name = it->cluster.snapshot->partitions[idle->rows[0].partition].name;
	const struct maui_captured_part *part = find_part(captured, name);

	if (part && (idle->limit_s == MAUI_NEVER || !captured->own_limit))
		idle->limit_s = (int64_t)maui_rank_walltime(it->c, captured, part);
	idle->job.walltime_s = (double)idle->limit_s;
	if (most_s > 0 && idle->limit_s > most_s)
		idle->limit_s = most_s;
	if (idle->limit_min_s > idle->limit_s)
		idle->limit_min_s = idle->limit_s;
	if (part)
		idle->job.class_fallback = part->job_factor;
}

/* Defers a job after refused starts: for DEFERTIME, or for a moment when Slurm had no free
 * nodes. */
static void fill_failures(struct maui_iteration *it, struct maui_idle *idle,
			  struct maui_job_history *history)
{
	int64_t now_s = it->cluster.now_s;
	int64_t until_s = maui_defer_until(it->c->config, &history->defer, now_s);

	if (until_s && idle->blocked == MAUI_REASON_NONE) {
		idle->blocked = MAUI_REASON_DEFERRED;
		idle->blocked_until_s = until_s;
	}
	if (!maui_refusal_lasts(history->busy, history->refused_s, history->retry_s,
				history->retry_ends != it->ends, now_s))
		return;
	idle->refused = true;
	maui_sched_wake(it->sched, history->retry_s);
}

/* By the number that users see: 33_0 before 33_5, whichever of them slurmctld calls job 33. */
static uint64_t order_of(const struct maui_captured_job *captured)
{
	uint32_t number = captured->array_job_id ? captured->array_job_id : captured->job_id;
	uint32_t task = 0;

	if (captured->array_job_id)
		task = captured->array_task == MAUI_NO_TASK ? captured->first_task :
							      captured->array_task;
	return (uint64_t)number << 32 | task;
}

/* Leaves out partitions that can never serve the job by Slurm's answers, unless all are. */
static void drop_closed_rows(const struct maui_iteration *it, struct maui_pending *pending)
{
	const struct maui_slurm_answer *answer =
		maui_slurm_answers_find(&it->sched->answers, pending->fingerprint);
	const struct maui_partition *partitions = it->cluster.snapshot->partitions;
	uint32_t kept = 0;

	for (uint32_t r = 0; r < pending->idle.row_count; r++)
		if (maui_slurm_answer_closed_until(answer, MAUI_CLOSED_PARTITION,
						   partitions[pending->rows[r].partition].name,
						   it->cluster.now_s) != MAUI_NEVER)
			pending->rows[kept++] = pending->rows[r];
	if (pending->idle.row_count > 0)
		pending->idle.row_count = kept > 0 ? kept : 1;
}

/* One account may have thousands of user ids without a name. */
static uint32_t share_of(const struct maui_iteration *it, const struct maui_captured_job *captured,
			 uint32_t creds)
{
	unsigned names =
		maui_names_with_names(&it->c->names, captured->user_id, captured->group_id);

	return names & (1u << MAUI_CRED_USER) ? it->cluster.snapshot->creds[creds].user : 0;
}

static int fill_idle(struct maui_iteration *it, struct maui_pending *pending)
{
	const struct maui_captured_job *captured = pending->put_back ?
							   find_captured(it, pending->job_id) :
							   &it->captured->jobs[pending->captured];
	struct maui_job_history *history =
		maui_job_histories_find(&it->c->histories, pending->job_id);
	struct maui_idle *idle = &pending->idle;
	const uint32_t *requests;

	if (!history || !captured || idle->row_count == 0 ||
	    (captured->state != MAUI_CAPTURED_PENDING && !pending->put_back))
		return 0; /* without memory, or Slurm ended the job since */
	if (!pending->put_back)
		drop_closed_rows(it, pending);
	idle->queue_since_s = history->stamp_s;
	idle->nice = captured->nice;
	idle->order = order_of(captured);
	idle->advres = history->advres; /* copied */
	idle->priority_given = captured->direct || !it->c->roles[MAUI_ROLE_PRIORITY];
	maui_rank_fill(it->c, captured, history, it->cluster.now_s, &idle->job);
	idle->job.procs = (double)idle->procs;
	fill_limit(it, idle, pending->most_s, captured);
	if (!pending->put_back) {
		history->asked_tasks = history->asked_procs = 0;
		maui_job_history_set_fingerprint(history, pending->fingerprint);
		fill_failures(it, idle, history);
	}
	if (fill_rows(it, pending, captured, history) || maui_sched_fill_run(it, pending) ||
	    maui_snapshot_add_idle(it->cluster.snapshot, idle) < 0)
		return -1;
	requests = maui_waiting_requests(idle, &it->arena);
	if (!requests)
		return -1;
	it->waiting[it->cluster.snapshot->idle_count - 1] =
		(struct maui_waiting){ .job_id = pending->job_id,
				       .array_job_id = pending->array_job_id,
				       .submit_s = pending->submit_s,
				       .fingerprint = pending->fingerprint,
				       .task_count = pending->task_count,
				       .copies = idle->copies,
				       .requests = requests,
				       .user = share_of(it, captured, pending->rows[0].creds),
				       .put_back = pending->put_back };
	if (idle->blocked == MAUI_REASON_NONE && !pending->put_back)
		it->queued += idle->row_count;
	return 0;
}

/* Marks the jobs that are planned as if they still waited. */
static int index_put_back(struct maui_iteration *it)
{
	for (uint32_t i = 0; i < it->eligible.count; i++) {
		uint32_t id = it->eligible.jobs[i].job_id;

		if (it->eligible.jobs[i].put_back &&
		    maui_hashtable_set_id(&it->put_back_by_id, id,
					  maui_hashtable_find_id(&it->by_id, id)))
			return -1;
	}
	return 0;
}

/* Adds the active jobs that are put back, or those that are not. */
static int fill_actives(struct maui_iteration *it, bool put_back)
{
	struct maui_controller *c = it->c;
	int rc = 0;

	for (uint32_t i = 0; i < it->cluster.active_count && rc == 0; i++) {
		struct maui_active *active = &it->cluster.active[i];

		if (put_back !=
		    (maui_hashtable_find_id(&it->put_back_by_id, (uint32_t)active->id) != NULL))
			continue;
		slurm_mutex_lock(&c->lock);
		rc = fill_active(it, active, it->cluster.active_completing[i]);
		slurm_mutex_unlock(&c->lock);
	}
	return rc;
}

int maui_sched_fill_started(struct maui_iteration *it)
{
	struct maui_snapshot *s = it->cluster.snapshot;

	for (uint32_t i = 0; i < s->idle_count; i++)
		if (it->waiting[i].put_back)
			s->idle[i].copies = 0;
	maui_sched_drop_gone(it);
	if (fill_actives(it, true))
		return -1;
	maui_slurm_answers_apply(&it->sched->answers, &it->answers_view);
	return 0;
}

/* Each task of an array is a job. A job that is planned as if it still waited runs. */
static uint32_t count_waiting(const struct maui_iteration *it)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < it->eligible.count; i++)
		if (!it->eligible.jobs[i].put_back)
			count += it->eligible.jobs[i].task_count;
	return count;
}

int maui_sched_fill(struct maui_iteration *it)
{
	struct maui_controller *c = it->c;
	int rc = index_captured(it) || index_put_back(it) ? -1 : 0;

	it->may_preempt = maui_sched_may_preempt(it);
	it->waiting_count = count_waiting(it);
	it->waiting =
		maui_arena_alloc(&it->arena, (it->eligible.count + 1u) * sizeof(*it->waiting));
	if (!it->waiting)
		rc = -1;
	if (rc == 0)
		rc = fill_actives(it, false);
	for (uint32_t i = 0; i < it->eligible.count && rc == 0; i++) {
		slurm_mutex_lock(&c->lock);
		rc = fill_idle(it, &it->eligible.jobs[i]);
		slurm_mutex_unlock(&c->lock);
	}
	maui_eligible_finish(&it->eligible);
	if (rc == 0)
		maui_sched_slurm_answers(it);
	return rc;
}
