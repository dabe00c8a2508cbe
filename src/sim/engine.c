/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.c - plays the events of a trace: the queue, and what carries over from plan to plan */

#include "sim/engine.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "policy/accrual.h"
#include "explain/text.h"
#include "sim/ends.h"
#include "sim/charge.h"
#include "sim/rsvs.h"
#include "state/usage_view.h"

enum {
	MANY_JOBS = 2000, /* of a saved plan */
	STEP_S = 60,
};

struct engine {
	struct maui_sim_cluster *cluster;
	struct maui_sim_trace *trace;
	const struct maui_config *config;
	const struct maui_sim_options *options;
	struct maui_sim_run *run;
	struct maui_snapshot *snapshot;
	struct maui_planner *planner;
	/* finished plan of each of `decisions`; NULL: not needed */
	struct maui_plan *finished[2];
	struct maui_explainer *explainer;   /* of the last plan; NULL: none */
	struct maui_decisions decisions[2]; /* the job reservations point into the latest */
	unsigned turn;
	struct maui_job_reservation *job_rsvs;
	size_t job_rsv_count;
	struct maui_sim_ends ends;
	struct maui_sim_charges charges;
	struct maui_sim_rsvs rsvs;
	uint32_t *active_at; /* index of a running job in snapshot->active */
	size_t arrived, ended, expected;
	int64_t now, chunk_until_s, wake_s;
	int64_t planned_s; /* time of the last plan */
	bool any_paused;   /* the last plan kept a job from accruing queue time */
};

/* ---- jobs come and go ---- */

/* A job of a saved plan that was preempted: it asks for what it had. */
static int wait_again(struct engine *e, size_t index)
{
	struct maui_idle idle = *e->trace->jobs[index].again;

	idle.id = index;
	idle.blocked = MAUI_REASON_NONE;
	return maui_snapshot_add_idle(e->snapshot, &idle) < 0 ? -1 : 0;
}

static int submit(struct engine *e, size_t index)
{
	const struct maui_sim_job *job = &e->trace->jobs[index];
	const char *cred[MAUI_CRED_COUNT];
	uint32_t partition = maui_sim_cluster_partition(e->cluster, job->cred[MAUI_CRED_CLASS]);
	int64_t creds, request = maui_sim_cluster_request(e->cluster, job);
	struct maui_row row = { .partition = partition };
	struct maui_idle idle = { .id = index,
				  .copies = 1,
				  .rows = &row,
				  .row_count = 1,
				  .submit_s = job->submit_s,
				  .queue_since_s = job->submit_s,
				  .limit_s = job->limit_s,
				  .procs = job->procs };

	memcpy(cred, job->cred, sizeof(cred));
	if (!cred[MAUI_CRED_CLASS])
		cred[MAUI_CRED_CLASS] =
			e->cluster->pool ? NULL : e->snapshot->partitions[partition].name;
	creds = maui_snapshot_creds(e->snapshot, cred);
	if (creds < 0 || request < 0)
		return -1;
	row.creds = (uint32_t)creds;
	idle.request = (uint32_t)request;
	idle.job.procs = (double)job->procs;
	idle.job.nodes = job->nodes;
	idle.job.mem_mb = (double)(job->mem_node_mb * (job->nodes ? job->nodes : 1) +
				   job->mem_proc_mb * job->procs);
	idle.job.walltime_s = (double)job->limit_s;
	return maui_snapshot_add_idle(e->snapshot, &idle) < 0 ? -1 : 0;
}

static int keep_places(struct engine *e, struct maui_sim_job *job, const struct maui_start *start)
{
	uint32_t *places =
		maui_arena_alloc(&e->trace->arena, (start->place_count + 1) * sizeof(*places));

	if (!places)
		return -1;
	for (uint32_t i = 0; i < start->place_count; i++)
		places[i] = start->places[i].node;
	job->places = places;
	return 0;
}

static int arrive(struct engine *e, size_t index)
{
	return e->trace->jobs[index].again ? wait_again(e, index) : submit(e, index);
}

/* How long a job that starts now runs. Of a saved plan nothing but the limit is known. */
static int64_t run_time(const struct engine *e, const struct maui_sim_job *job, int64_t limit_s)
{
	if (e->options->saved)
		return maui_sim_saved_run(e->options->saved, limit_s);
	return job->run_s > limit_s ? limit_s : job->run_s;
}

static int launch(struct engine *e, const struct maui_start *start)
{
	const struct maui_idle *idle = &e->snapshot->idle[start->job];
	struct maui_sim_job *job = &e->trace->jobs[idle->id];
	struct maui_active active = { .id = idle->id, .start_s = e->now, .job = idle->job };
	int64_t at;

	active.job.nodes = e->cluster->pool ? idle->job.nodes : start->place_count;
	active.preemptee = start->preemptible;
	active.job.soft_violation = start->soft_violation;
	active.job.queue_time_s = (double)(e->now - idle->queue_since_s);
	at = maui_snapshot_launch(e->snapshot, start, &active);
	job->run_s = run_time(e, job, start->limit_s);
	if (at < 0 || maui_sim_ends_add(&e->ends, e->now + job->run_s, idle->id))
		return -1;
	e->active_at[idle->id] = (uint32_t)at;
	e->rsvs.moved_s = e->now;
	job->start_s = e->now;
	job->nodes_used = start->place_count;
	if (e->options->want_nodes && keep_places(e, job, start))
		return -1;
	job->backfilled = start->out_of_order;
	e->run->backfilled += start->out_of_order;
	return maui_sim_charges_start(&e->charges, idle->id, e->now);
}

/* Removes a job from the running jobs. */
static int remove_running(struct engine *e, uint64_t id)
{
	uint32_t at = e->active_at[id];
	const struct maui_active *active = &e->snapshot->active[at];

	if (maui_sim_charges_end(&e->charges, e->snapshot, active, e->now))
		return -1;
	maui_snapshot_drop_active(e->snapshot, at);
	if (at < e->snapshot->active_count)
		e->active_at[e->snapshot->active[at].id] = at;
	return 0;
}

static int end_job(struct engine *e, uint64_t id, int64_t end_s)
{
	const struct maui_sim_job *job = &e->trace->jobs[id];

	if (job->start_s < 0 || job->start_s + job->run_s != end_s)
		return 0; /* the end of a run that was preempted */
	if (remove_running(e, id))
		return -1;
	e->ended++;
	if (e->config->planning.chunk_duration_s > 0)
		e->chunk_until_s = e->now + e->config->planning.chunk_duration_s;
	return 0;
}

/* Gives NODECFG to the nodes of a slurm.conf. */
static void rank_nodes(struct maui_snapshot *s, const struct maui_config *config)
{
	for (uint32_t n = 0; n < s->node_count; n++)
		s->nodes[n].priority = maui_config_node_priority(config, s->nodes[n].name);
}

/* ---- one plan ---- */

/* Records why a job waits, once, when it is first considered. Only with reservations the
 * explainer is needed, since only then a reservation can be the reason. */
static int note_why(struct engine *e, uint32_t idle, const struct maui_verdict *v)
{
	struct maui_sim_job *job = &e->trace->jobs[e->snapshot->idle[idle].id];
	struct maui_explanation why = { .verdict = v };
	char text[MAUI_EXPLAIN_LINE_SIZE];

	if (!v->blocks || job->waited != MAUI_REASON_NONE)
		return 0;
	if (e->explainer && maui_explain_short(e->explainer, idle, &why))
		return -1;
	job->waited = why.blocking ? MAUI_REASON_ACCESS : v->blocks->reason;
	if (job->waited != MAUI_REASON_LIMIT)
		return 0;
	maui_explain_first(&why, text, sizeof(text));
	job->limit = maui_arena_strdup(&e->trace->arena, text);
	return job->limit ? 0 : -1;
}

/* Whether a job accrues no queue time until the next plan. */
static bool is_paused(const struct engine *e, const struct maui_verdict *v)
{
	const struct maui_accrual_state state = { .limit = v->no_accrual,
						  .rejected = v->rejected,
						  .fs_capped = v->fs_capped,
						  .active_limit = v->active_limit };

	return maui_accrual_stamp(maui_accrual_policy(e->config), &state, 0, 0, 1) > 0;
}

/* Before a plan: moves the queue time stamps of the jobs that the last plan kept from accruing. */
static void move_stamps(struct engine *e)
{
	for (uint32_t i = 0; e->any_paused && i < e->snapshot->idle_count; i++) {
		struct maui_idle *idle = &e->snapshot->idle[i];

		if (e->trace->jobs[idle->id].paused)
			idle->queue_since_s += e->now - e->planned_s;
	}
	for (uint32_t a = 0; e->options->saved && a < e->snapshot->active_count; a++) {
		struct maui_active *active = &e->snapshot->active[a];

		if (active->suspended) /* its end is as if it resumed now */
			active->end_s = maui_when_add(active->end_s, e->now - e->planned_s);
	}
	e->planned_s = e->now;
	e->any_paused = false;
}

/* Jobs of a saved plan that wait for a moment are eligible from then on. */
static void release_blocked(struct engine *e)
{
	for (uint32_t i = 0; e->options->saved && i < e->snapshot->idle_count; i++) {
		struct maui_idle *idle = &e->snapshot->idle[i];

		if (idle->blocked_until_s > 0 && idle->blocked_until_s <= e->now)
			idle->blocked = MAUI_REASON_NONE;
	}
}

static int64_t next_release(const struct engine *e)
{
	int64_t next_s = MAUI_NEVER;

	for (uint32_t i = 0; e->options->saved && i < e->snapshot->idle_count; i++) {
		const struct maui_idle *idle = &e->snapshot->idle[i];

		if (idle->blocked != MAUI_REASON_NONE && idle->blocked_until_s > e->now &&
		    idle->blocked_until_s < next_s)
			next_s = idle->blocked_until_s;
	}
	return next_s;
}

/* The next fairshare window: usage that leaves the timeframe may let a capped job start. Not
 * without an end, since there is always another window. */
static int64_t next_window(const struct engine *e)
{
	if (!e->options->saved || e->options->saved->until_s == MAUI_NEVER ||
	    e->config->fs_policy.metric == MAUI_FS_NONE || e->snapshot->idle_count == 0)
		return MAUI_NEVER;
	return maui_fairshare_window_start(e->now, e->config->fs_interval_s) +
	       e->config->fs_interval_s;
}

/* Suspended jobs of a saved plan take their processors again, and run for the rest of their
 * time. */
static int resume_jobs(struct engine *e, const struct maui_decisions *d)
{
	for (uint32_t i = 0; i < d->resume_count; i++) {
		struct maui_active *active = &e->snapshot->active[d->resumes[i]];
		struct maui_sim_job *job = &e->trace->jobs[active->id];
		struct maui_piece *pieces = (struct maui_piece *)active->pieces; /* our copies */

		active->suspended = active->resumable = false;
		active->procs = 0;
		for (uint32_t k = 0; k < active->piece_count; k++) {
			int64_t *amounts =
				(int64_t *)maui_snapshot_amounts(e->snapshot, pieces[k].amounts);

			if (!amounts)
				return -1;
			amounts[MAUI_AMOUNT_PROCS] += pieces[k].resumes;
			active->procs += amounts[MAUI_AMOUNT_PROCS];
			pieces[k].amounts = amounts;
			pieces[k].resumes = 0;
		}
		job->run_s = active->end_s - job->start_s;
		if (maui_sim_ends_add(&e->ends, active->end_s, active->id))
			return -1;
	}
	return 0;
}

/* Removes started jobs from the queue, and updates the bypass counts of the waiting jobs. */
static int settle_queue(struct engine *e, const struct maui_decisions *d)
{
	uint32_t *gone = calloc(d->start_count + 1u, sizeof(*gone)), count = 0;

	if (!gone)
		return -1;
	for (uint32_t i = 0; i < e->snapshot->idle_count; i++) {
		struct maui_idle *idle = &e->snapshot->idle[i];
		const struct maui_verdict *v = &d->verdicts[i];

		if (v->started > 0) {
			gone[count++] = i;
			continue;
		}
		idle->job.bypass += v->bypass;
		e->trace->jobs[idle->id].paused = is_paused(e, v);
		e->any_paused |= e->trace->jobs[idle->id].paused;
		if (note_why(e, i, v)) {
			free(gone);
			return -1;
		}
	}
	maui_snapshot_drop_idle(e->snapshot, gone, count);
	free(gone);
	return 0;
}

/* Keeps the job reservations for the next plan, before indices of jobs change. */
static int keep_job_rsvs(struct engine *e, const struct maui_decisions *d)
{
	free(e->job_rsvs);
	e->job_rsvs = calloc(d->reservation_count + 1u, sizeof(*e->job_rsvs));
	e->job_rsv_count = 0;
	if (!e->job_rsvs)
		return -1;
	for (uint32_t i = 0; i < d->reservation_count; i++) {
		const struct maui_reservation *r = &d->reservations[i];
		const struct maui_idle *idle = &e->snapshot->idle[r->job];

		if (e->trace->jobs[idle->id].reserved_s < 0)
			e->trace->jobs[idle->id].reserved_s = r->start_s;
		e->job_rsvs[e->job_rsv_count++] =
			(struct maui_job_reservation){ .job = idle->id,
						       .partition = idle->rows[r->row].partition,
						       .start_s = r->start_s,
						       .places = r->places,
						       .place_count = r->place_count,
						       .preempting = r->preempting };
	}
	return 0;
}

/* Requeues preempted jobs, which later run from their beginning. Their nodes are free at once; a
 * plan one second later starts the job that preempted them. */
static int requeue(struct engine *e, const struct maui_decisions *d)
{
	uint64_t *ids = calloc(d->preemption_count + 1u, sizeof(*ids));
	int rc = ids ? 0 : -1;

	/* ids, because indices move when a job is removed */
	for (uint32_t i = 0; ids && i < d->preemption_count; i++)
		ids[i] = e->snapshot->active[d->preemptions[i].active].id;
	for (uint32_t i = 0; rc == 0 && i < d->preemption_count; i++) {
		struct maui_sim_job *job = &e->trace->jobs[ids[i]];

		e->run->backfilled -= job->backfilled;
		e->run->preempted++;
		rc = remove_running(e, ids[i]) || arrive(e, ids[i]) ? -1 : 0;
		job->start_s = -1;
		job->backfilled = job->ran_before = false;
	}
	if (d->preemption_count > 0 && e->now + 1 < e->wake_s)
		e->wake_s = e->now + 1;
	free(ids);
	return rc;
}

/* A job that its priority protects from preemption stays protected. */
static void keep_protected(struct engine *e, const struct maui_decisions *d)
{
	for (uint32_t i = 0; i < d->secured_count; i++)
		e->snapshot->active[d->secured[i]].preemptee = false;
}

/* The finished plan owns the decisions and is kept as long as they are. -1 without memory. */
static int finish_plan(struct engine *e)
{
	struct maui_plan **plan = &e->finished[e->turn];

	*plan = maui_plan_finish(e->planner, e->snapshot, 0);
	e->explainer = *plan ? maui_explainer_create(*plan) : NULL;
	return e->explainer ? 0 : -1;
}

static void forget_plan(struct engine *e)
{
	maui_plan_unref(e->finished[e->turn]);
	e->finished[e->turn] = NULL;
}

static int run_plan(struct engine *e, struct maui_err *err)
{
	struct maui_decisions *d = &e->decisions[e->turn ^= 1];
	const struct maui_plan_input input = { .config = e->config,
					       .snapshot = e->snapshot,
					       .now_s = e->now,
					       .standing = maui_sim_rsvs_input(&e->rsvs),
					       .usage = maui_sim_charges_table(&e->charges),
					       .chunk_until_s = e->chunk_until_s,
					       .job_rsvs = e->job_rsvs,
					       .job_rsv_count = e->job_rsv_count,
					       .want_reasons = e->options->want_reasons };

	e->run->plans++;
	move_stamps(e);
	release_blocked(e);
	forget_plan(e);
	if (maui_plan(e->planner, &input, d, err))
		return -1;
	if ((input.want_reasons && input.standing && finish_plan(e)) || keep_job_rsvs(e, d))
		return maui_err_set(err, "no memory");
	for (uint32_t i = 0; i < d->start_count; i++)
		if (launch(e, &d->starts[i]))
			return maui_err_set(err, "no memory");
	keep_protected(e, d);
	e->wake_s = e->chunk_until_s > e->now ? e->chunk_until_s : MAUI_NEVER;
	if (input.standing && d->next_s < e->wake_s)
		e->wake_s = d->next_s;
	if (next_release(e) < e->wake_s)
		e->wake_s = next_release(e);
	if (next_window(e) < e->wake_s)
		e->wake_s = next_window(e);
	maui_sim_rsvs_keep(&e->rsvs, d);
	if (resume_jobs(e, d) || settle_queue(e, d) || requeue(e, d))
		return maui_err_set(err, "no memory");
	maui_explainer_destroy(e->explainer);
	e->explainer = NULL;
	return 0;
}

/* ---- the clock ---- */

/* The nodes of a reservation are chosen when its time comes, whether a job waits or not. */
static bool is_plan_due(const struct engine *e, int64_t next)
{
	if (!maui_sim_rsvs_input(&e->rsvs))
		return e->snapshot->idle_count > 0;
	return (e->snapshot->idle_count > 0 || next != MAUI_NEVER) &&
	       maui_sim_rsvs_are_awaited(&e->rsvs, e->now, e->snapshot->active_count > 0);
}

/* The time of the next end or arrival. */
static int64_t next_job_event(const struct engine *e)
{
	int64_t next = maui_sim_ends_next(&e->ends);

	if (e->arrived < e->trace->count && e->trace->jobs[e->arrived].submit_s < next)
		next = e->trace->jobs[e->arrived].submit_s;
	return next;
}

/* Plays all ends, then all arrivals of this moment. */
static int take_events(struct engine *e)
{
	uint64_t id;
	int64_t end_s;

	while ((end_s = maui_sim_ends_next(&e->ends)) <= e->now && end_s != MAUI_NEVER) {
		id = maui_sim_ends_take(&e->ends);
		if (end_job(e, id, end_s))
			return -1;
	}
	for (; e->arrived < e->trace->count && e->trace->jobs[e->arrived].submit_s == e->now;
	     e->arrived++)
		if (arrive(e, e->arrived))
			return -1;
	return 0;
}

/* From a saved plan: no further than its end, and in steps of so many seconds at least when there
 * are many jobs, as slurmctld does not plan for each event either. */
static bool move_on(struct engine *e)
{
	int64_t least_s = e->planned_s + (e->trace->count > MANY_JOBS ? STEP_S : 1);

	if (e->now == MAUI_NEVER)
		return false;
	if (e->now < least_s)
		e->now = least_s;
	if (e->now > e->options->saved->until_s)
		return false;
	e->run->last_s = e->now;
	return true;
}

/* Moves the clock to the next event; false: there is none. */
static bool advance_clock(struct engine *e)
{
	int64_t next = next_job_event(e);
	bool of_jobs = next <= e->wake_s || !is_plan_due(e, next);

	e->now = of_jobs ? next : e->wake_s;
	if (of_jobs)
		e->rsvs.moved_s = next;
	if (e->options->saved)
		return move_on(e);
	if (e->now != MAUI_NEVER && (of_jobs || !maui_sim_rsvs_input(&e->rsvs)))
		e->run->last_s = e->now;
	return e->now != MAUI_NEVER;
}

static int plan_now(struct engine *e, struct maui_err *err)
{
	if (take_events(e) || maui_sim_charges_poll(&e->charges, e->snapshot, e->now))
		return maui_err_set(err, "no memory");
	if ((e->snapshot->idle_count > 0 || maui_sim_rsvs_input(&e->rsvs)) && run_plan(e, err))
		return -1;
	if (e->options->progress && e->run->plans % 256 == 0)
		e->options->progress(e->options->progress_data, e->ended, e->trace->count);
	return 0;
}

static int run_clock(struct engine *e, struct maui_err *err)
{
	if (e->options->saved && plan_now(e, err))
		return -1;
	while (advance_clock(e))
		if (plan_now(e, err))
			return -1;
	e->run->unstarted = e->snapshot->idle_count;
	return 0;
}

/* ---- the state at the beginning ---- */

static int take_job_rsvs(struct engine *e, const struct maui_saved_plan *plan)
{
	e->job_rsvs = calloc(plan->job_rsv_count + 1u, sizeof(*e->job_rsvs));
	for (uint32_t i = 0; e->job_rsvs && i < plan->job_rsv_count; i++) {
		const struct maui_saved_job_rsv *from = &plan->job_rsvs[i];
		struct maui_place *places = maui_arena_alloc(
			&e->trace->arena, (from->place_count + 1u) * sizeof(*places));
		int64_t job = maui_sim_saved_find(e->trace, from->job);

		if (!places)
			return -1;
		for (uint32_t k = 0; k < from->place_count; k++)
			places[k] = (struct maui_place){ .node = from->places[k].node,
							 .tasks = (uint32_t)from->places[k].tasks };
		if (job >= 0)
			e->job_rsvs[e->job_rsv_count++] = (struct maui_job_reservation){
				(uint64_t)job, from->partition,   from->start_s,
				places,        from->place_count, from->preempting
			};
	}
	return e->job_rsvs ? 0 : -1;
}

/* Running jobs, in their places, until their ends. */
static int take_running(struct engine *e)
{
	for (uint32_t a = 0; a < e->snapshot->active_count; a++) {
		const struct maui_active *active = &e->snapshot->active[a];
		const struct maui_sim_job *job = &e->trace->jobs[active->id];

		e->active_at[active->id] = a;
		if (maui_sim_charges_start(&e->charges, active->id, e->now) ||
		    (!active->suspended &&
		     maui_sim_ends_add(&e->ends, job->start_s + job->run_s, active->id)))
			return -1;
	}
	return 0;
}

static int begin_saved(struct engine *e, struct maui_err *err)
{
	const struct maui_saved_plan *plan = &e->options->saved->plan;

	e->now = e->planned_s = e->run->first_s = e->run->last_s = plan->now_s;
	e->arrived = e->trace->count;
	e->chunk_until_s = plan->chunk_until_s;
	if (maui_usage_restore(plan->usage, &e->run->usage) || take_running(e) ||
	    take_job_rsvs(e, plan))
		return maui_err_set(err, "no memory");
	return maui_sim_rsvs_resume(&e->rsvs, e->config, e->snapshot, plan, err);
}

static int begin(struct engine *e, struct maui_err *err)
{
	if (e->options->saved)
		return begin_saved(e, err);
	return maui_sim_rsvs_init(&e->rsvs, e->config, e->snapshot, e->trace->epoch_s, err);
}

int maui_sim_run(struct maui_sim_cluster *cluster, struct maui_sim_trace *trace,
		 const struct maui_config *config, const struct maui_sim_options *options,
		 struct maui_sim_run *ret, struct maui_err *err)
{
	struct engine e = { .cluster = cluster,
			    .trace = trace,
			    .config = config,
			    .options = options,
			    .run = ret,
			    .snapshot = cluster->conf.snapshot,
			    .planner = maui_planner_create(),
			    .wake_s = MAUI_NEVER };
	int rc;

	*ret = (struct maui_sim_run){ .first_s = trace->count ? trace->jobs[0].submit_s : 0 };
	ret->last_s = ret->first_s;
	rank_nodes(e.snapshot, config);
	e.active_at = calloc(trace->count + 1, sizeof(*e.active_at));
	if (!e.planner || !e.active_at ||
	    maui_sim_charges_init(&e.charges, config, &ret->usage, trace->count))
		rc = maui_err_set(err, "no memory");
	else
		rc = begin(&e, err) || run_clock(&e, err) ? -1 : 0;
	maui_explainer_destroy(e.explainer);
	maui_plan_unref(e.finished[0]);
	maui_plan_unref(e.finished[1]);
	maui_planner_destroy(e.planner);
	maui_decisions_finish(&e.decisions[0]);
	maui_decisions_finish(&e.decisions[1]);
	maui_sim_ends_finish(&e.ends);
	maui_sim_charges_finish(&e.charges);
	maui_sim_rsvs_finish(&e.rsvs);
	free(e.job_rsvs);
	free(e.active_at);
	return rc;
}

void maui_sim_run_finish(struct maui_sim_run *run)
{
	maui_usage_finish(&run->usage);
}
