/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_plan.c - one plan of a simulation, and what carries over to the next one */

#include "sim/engine_private.h"

#include <stdlib.h>

#include "base/need.h"
#include "explain/text.h"
#include "policy/accrual.h"

/* Records why a job waits. Only with reservations the explainer is needed, since only then a
 * reservation can be the reason. */
static void note_why(struct maui_sim_engine *e, struct maui_sim_job *job, uint32_t idle,
		     const struct maui_verdict *v)
{
	struct maui_explanation why = { .verdict = v };
	char text[MAUI_EXPLAIN_LINE_SIZE];

	if (e->explainer && maui_explain_short(e->explainer, idle, &why))
		maui_out_of_memory();
	job->waited = maui_explain_reason(&why);
	if (job->waited != MAUI_REASON_LIMIT)
		return;
	maui_explain_first(&why, text, sizeof(text));
	job->limit = maui_need(maui_arena_strdup(&e->trace->arena, text));
}

/* Whether a job accrues no queue time until the next plan. */
static bool is_paused(const struct maui_sim_engine *e, const struct maui_idle *idle,
		      const struct maui_verdict *v)
{
	const struct maui_accrual_state state = { .held = idle->blocked == MAUI_REASON_HELD,
						  .dependent =
							  idle->blocked == MAUI_REASON_DEPENDENCY ||
							  idle->blocked == MAUI_REASON_BEGIN_TIME,
						  .limit = v->no_accrual,
						  .rejected = v->rejected,
						  .fs_capped = v->fs_capped,
						  .active_limit = v->active_limit };

	return maui_accrual_stamp(maui_accrual_policy(e->config), &state, 0, 0, 1) > 0;
}

/* Before a plan: moves the queue time stamps of the jobs that the last plan kept from accruing. */
static void move_stamps(struct maui_sim_engine *e)
{
	for (uint32_t i = 0; e->any_paused && i < e->snapshot->idle_count; i++) {
		struct maui_idle *idle = &e->snapshot->idle[i];

		if (maui_sim_trace_job(e->trace, idle->id)->paused)
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

/* The next fairshare window: usage that leaves the timeframe may let a capped job start. Not
 * without an end, since there is always another window. */
static int64_t next_window(const struct maui_sim_engine *e)
{
	if (!e->options->saved || e->options->saved->until_s == MAUI_NEVER ||
	    e->config->fs_policy.metric == MAUI_FS_NONE || e->snapshot->idle_count == 0)
		return MAUI_NEVER;
	return maui_fairshare_window_start(e->now, e->config->fs_interval_s) +
	       e->config->fs_interval_s;
}

/* Suspended jobs of a saved plan take their processors again, and run for the rest of their
 * time. */
static void resume_jobs(struct maui_sim_engine *e, const struct maui_decisions *d)
{
	for (uint32_t i = 0; i < d->resume_count; i++) {
		struct maui_active *active = &e->snapshot->active[d->resumes[i]];
		struct maui_sim_job *job = maui_sim_trace_job(e->trace, active->id);
		struct maui_piece *pieces = (struct maui_piece *)active->pieces; /* our copies */

		active->suspended = active->resumable = false;
		active->procs = 0;
		for (uint32_t k = 0; k < active->piece_count; k++) {
			int64_t *amounts = maui_need(
				(void *)maui_snapshot_amounts(e->snapshot, pieces[k].amounts));

			amounts[MAUI_AMOUNT_PROCS] += pieces[k].resumes;
			active->procs += amounts[MAUI_AMOUNT_PROCS];
			pieces[k].amounts = amounts;
			pieces[k].resumes = 0;
		}
		job->run_s = active->end_s - job->start_s;
		maui_sim_jobs_keep_places(e, active);
		maui_sim_ends_add(&e->ends, active->end_s, active->id);
	}
}

/* Removes started jobs from the queue, and updates the bypass counts of the waiting jobs. */
static void update_queue(struct maui_sim_engine *e, const struct maui_decisions *d)
{
	uint32_t *gone = maui_need_list(d->start_count, sizeof(*gone)), count = 0;

	for (uint32_t i = 0; i < e->snapshot->idle_count; i++) {
		struct maui_idle *idle = &e->snapshot->idle[i];
		const struct maui_verdict *v = &d->verdicts[i];
		struct maui_sim_job *job;

		if (v->started > 0) {
			gone[count++] = i;
			continue;
		}
		idle->job.bypass += v->bypass;
		job = maui_sim_trace_job(e->trace, idle->id);
		job->paused = is_paused(e, idle, v);
		e->any_paused |= job->paused;
		if (v->blocks && job->waited == MAUI_REASON_NONE) /* once, when first considered */
			note_why(e, job, i, v);
	}
	maui_snapshot_drop_idle(e->snapshot, gone, count);
	free(gone);
}

/* Keeps the job reservations for the next plan, before indices of jobs change. */
static void keep_job_rsvs(struct maui_sim_engine *e, const struct maui_decisions *d)
{
	free(e->job_rsvs);
	e->job_rsvs = maui_need_list(d->reservation_count, sizeof(*e->job_rsvs));
	e->job_rsv_count = 0;
	for (uint32_t i = 0; i < d->reservation_count; i++) {
		const struct maui_reservation *r = &d->reservations[i];
		const struct maui_idle *idle = &e->snapshot->idle[r->job];

		if (maui_sim_trace_job(e->trace, idle->id)->reserved_s < 0)
			maui_sim_trace_job(e->trace, idle->id)->reserved_s = r->start_s;
		e->job_rsvs[e->job_rsv_count++] =
			(struct maui_job_reservation){ .job = idle->id,
						       .partition = idle->rows[r->row].partition,
						       .start_s = r->start_s,
						       .places = r->places,
						       .place_count = r->place_count,
						       .preempting = r->preempting };
	}
}

/* Requeues preempted jobs, which later run from their beginning. Their nodes are free at once; a
 * plan one second later starts the job that preempted them. */
static void requeue(struct maui_sim_engine *e, const struct maui_decisions *d)
{
	const struct maui_snapshot *s = e->snapshot;
	uint64_t *ids = maui_need_list(s->active_count, sizeof(*ids));
	uint32_t count = 0;

	/* ids, because indices move when a job is removed */
	for (uint32_t i = 0; i < d->preemption_count; i++) {
		const struct maui_active *victim = &s->active[d->preemptions[i].active];

		if (!victim->het_id)
			ids[count++] = victim->id;
		for (uint32_t a = 0; victim->het_id && a < s->active_count; a++)
			if (s->active[a].het_id == victim->het_id)
				ids[count++] = s->active[a].id;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct maui_sim_job *job = maui_sim_trace_job(e->trace, ids[i]);

		e->run->backfilled -= job->backfilled;
		e->run->preempted++;
		maui_sim_jobs_remove(e, ids[i]);
		maui_sim_jobs_arrive(e, ids[i]);
		maui_sim_conditions_end(e, ids[i], true);
		job->start_s = -1;
		job->backfilled = job->ran_before = false;
	}
	if (d->preemption_count > 0 && e->now + 1 < e->wake_s)
		e->wake_s = e->now + 1;
	free(ids);
}

/* A job that its priority protects from preemption stays protected. */
static void keep_protected(struct maui_sim_engine *e, const struct maui_decisions *d)
{
	for (uint32_t i = 0; i < d->secured_count; i++)
		e->snapshot->active[d->secured[i]].preemptee = false;
}

/* The finished plan owns the decisions and is kept as long as they are. */
static void finish_plan(struct maui_sim_engine *e, bool explains)
{
	struct maui_plan **plan = &e->finished[e->turn];
	uint32_t estimates = e->options->want_estimates ? MAUI_PLAN_ESTIMATES : 0;

	*plan = maui_need(maui_plan_finish(e->planner, e->snapshot, estimates));
	if (explains)
		e->explainer = maui_need(maui_explainer_create(*plan));
}

static void note_estimates(struct maui_sim_engine *e, const struct maui_decisions *d)
{
	for (uint32_t i = 0; i < d->verdict_count; i++) {
		struct maui_sim_job *job = maui_sim_trace_job(e->trace, e->snapshot->idle[i].id);
		const struct maui_estimate estimate = { e->now, d->verdicts[i].estimate_s };

		if (d->verdicts[i].started > 0 || estimate.start_s == MAUI_NEVER)
			continue;
		if (!job->expected)
			job->expected = maui_need(
				maui_arena_alloc(&e->trace->arena, sizeof(*job->expected)));
		maui_expected_add(job->expected, &estimate);
	}
}

static void forget_plan(struct maui_sim_engine *e)
{
	maui_plan_unref(e->finished[e->turn]);
	e->finished[e->turn] = NULL;
}

static int check_first(const struct maui_sim_engine *e, const struct maui_plan_input *input,
		       const struct maui_decisions *d, struct maui_err *err)
{
	const struct maui_sim_first_plan first = { .snapshot = e->snapshot,
						   .standing = input->standing,
						   .decisions = d,
						   .now_s = input->now_s };

	return e->options->check(&first, e->options->check_arg, err);
}

/* Whether a plan decided what quick.h did. */
static bool is_as_quick(const struct maui_sim_engine *e, const struct maui_decisions *d)
{
	const struct maui_sim_quick *q = &e->quick;
	const struct maui_reservation *r = d->reservation_count > 0 ? d->reservations : NULL;

	if (d->start_count != q->start_count || d->reservation_count > 1 ||
	    (r != NULL) != (q->reserved >= 0))
		return false;
	for (uint32_t i = 0; i < d->start_count; i++)
		if (e->snapshot->idle[d->starts[i].job].id != q->starts[i].job ||
		    d->starts[i].out_of_order != q->starts[i].out_of_order)
			return false;
	return !r || (e->snapshot->idle[r->job].id == (uint64_t)q->reserved &&
		      r->start_s == q->reserved_s);
}

/* The plan without maui_plan(), or to be compared with it. */
static int run_quick(struct maui_sim_engine *e, const struct maui_decisions *compared,
		     struct maui_err *err)
{
	struct maui_sim_quick *q = &e->quick;
	struct maui_sim_job *reserved = NULL;

	maui_sim_quick_plan(q, e->now);
	if (compared && !is_as_quick(e, compared))
		return maui_err_set(err, "the plan at second %lld decides otherwise",
				    (long long)e->now);
	if (compared) {
		e->run->compared++;
		return 0;
	}
	if (q->reserved >= 0)
		reserved = maui_sim_trace_job(e->trace, (size_t)q->reserved);
	if (reserved && reserved->reserved_s < 0)
		reserved->reserved_s = q->reserved_s;
	for (size_t i = 0; i < q->start_count; i++)
		maui_sim_jobs_launch_quick(e, &q->starts[i]);
	e->wake_s = MAUI_NEVER;
	return 0;
}

static int run_plan(struct maui_sim_engine *e, struct maui_err *err)
{
	struct maui_decisions *d = &e->decisions[e->turn ^= 1];
	const bool checked = e->run->plans == 1 && e->options->check;
	const struct maui_plan_input input = { .config = e->config,
					       .snapshot = e->snapshot,
					       .now_s = e->now,
					       .standing = maui_sim_rsvs_input(&e->rsvs),
					       .usage = maui_sim_charges_table(&e->charges),
					       .chunk_until_s = e->chunk_until_s,
					       .job_rsvs = e->job_rsvs,
					       .job_rsv_count = e->job_rsv_count,
					       .want_reasons =
						       checked || e->options->want_reasons };
	const bool explains = e->options->want_reasons && input.standing;
	int64_t next_s;

	move_stamps(e);
	forget_plan(e);
	if (maui_plan(e->planner, &input, d, err) || (checked && check_first(e, &input, d, err)))
		return -1;
	if (e->is_quick && run_quick(e, d, err))
		return -1;
	if (explains || e->options->want_estimates)
		finish_plan(e, explains);
	if (e->options->want_estimates)
		note_estimates(e, d);
	keep_job_rsvs(e, d);
	for (uint32_t i = 0; i < d->start_count; i++)
		maui_sim_jobs_launch(e, &d->starts[i]);
	keep_protected(e, d);
	e->wake_s = e->chunk_until_s > e->now ? e->chunk_until_s : MAUI_NEVER;
	if (input.standing && d->next_s < e->wake_s)
		e->wake_s = d->next_s;
	if (e->options->saved && (next_s = maui_sim_conditions_next(e)) < e->wake_s)
		e->wake_s = next_s;
	if (next_window(e) < e->wake_s)
		e->wake_s = next_window(e);
	maui_sim_rsvs_keep(&e->rsvs, d);
	resume_jobs(e, d);
	update_queue(e, d);
	requeue(e, d);
	maui_explainer_destroy(e->explainer);
	e->explainer = NULL;
	return 0;
}

int maui_sim_plan_run(struct maui_sim_engine *e, struct maui_err *err)
{
	e->run->plans++;
	return e->plans ? run_plan(e, err) : run_quick(e, NULL, err);
}
