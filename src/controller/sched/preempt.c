/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preempt.c - preempts and resumes jobs as the plan decided, and cancels starts that take too long
 *
 * Slurm's own preemption (PreemptType) and Maui's never act together: as long as PreemptType is
 * set, the flags of maui.cfg have no effect.
 *
 * Rules: PRE-7, PRE-10.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include "slurm/hold.h"
#include "slurm/start/preempt.h"

/* A job that Slurm cannot stop now (its prolog runs) is preempted again after this. */
enum { AGAIN_S = 2 };

static bool owner_preempts(const struct maui_rsv *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (maui_rsv_has(&list[i], MAUI_RSV_OWNERPREEMPT))
			return true;
	return false;
}

bool maui_sched_may_preempt(struct maui_iteration *it)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	bool slurm_preempts;

	if (!maui_config_preempts(it->c->config) &&
	    !owner_preempts(it->sched->rsvs.rsvs, it->sched->rsvs.rsv_count))
		return false;
	lock_slurmctld(locks);
	slurm_preempts = maui_preempt_by_slurm();
	unlock_slurmctld(locks);
	/* those of maui.cfg were said when it was read */
	if (slurm_preempts && !it->sched->said_slurms_preemption &&
	    !maui_config_preempts(it->c->config))
		error("slurm-maui: PreemptType is set in slurm.conf: PREEMPTOR, PREEMPTEE and "
		      "OWNERPREEMPT of maui.cfg have no effect");
	it->sched->said_slurms_preemption = slurm_preempts;
	return !slurm_preempts;
}

/* Whether the history of the job has changed. */
static bool note_suspension(struct maui_iteration *it, uint32_t job_id, bool suspended)
{
	struct maui_controller *c = it->c;
	struct maui_job_history *history;
	bool changed;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job_id);
	changed = history && history->suspended_by_us != suspended;
	if (changed)
		history->suspended_by_us = suspended;
	slurm_mutex_unlock(&c->lock);
	return changed;
}

/* Whether Slurm has refused to stop this run before, and the log says so. */
static bool was_refused(const struct maui_iteration *it, uint32_t job_id, int64_t start_s)
{
	struct maui_controller *c = it->c;
	const struct maui_job_history *history;
	bool refused;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job_id);
	refused = history && history->refused_stop_s == start_s;
	slurm_mutex_unlock(&c->lock);
	return refused;
}

static void note_refused_stop(const struct maui_iteration *it, uint32_t job_id, int64_t start_s)
{
	struct maui_controller *c = it->c;
	struct maui_job_history *history;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job_id);
	if (history)
		history->refused_stop_s = start_s;
	slurm_mutex_unlock(&c->lock);
}

/* Whether a preemption suspends the job; Slurm's modes may still change. */
static bool will_be_suspended(const struct maui_iteration *it, const struct maui_active *active)
{
	return active->going == MAUI_GOING_SUSPENDED ||
	       (active->going == MAUI_GOING_BY_POLICY &&
		it->c->config->preempt_policy == MAUI_PREEMPT_SUSPEND);
}

/* Saves which jobs are about to be suspended: if slurmctld were killed afterwards, Slurm's state
 * might have the suspension, and slurm-maui would not resume a job that its own state lacks. */
static void save_suspensions(struct maui_iteration *it)
{
	bool changed = false;

	for (uint32_t i = 0; i < it->preemption_count; i++) {
		const struct maui_active *active =
			&it->cluster.snapshot->active[it->preemptions[i].active];

		if (will_be_suspended(it, active))
			changed |= note_suspension(it, (uint32_t)active->id, true);
	}
	if (changed)
		it->c->save(it->c);
}

static void send_orders(struct maui_iteration *it, struct maui_preempt_order *orders, size_t count,
			const uint64_t *table)
{
	maui_preempt_jobs(orders, count, table, &it->writes);
	for (size_t i = 0; i < count; i++) {
		it->wrote |= orders[i].done;
		if (orders[i].grace_until_s)
			maui_sched_wake(it->sched, orders[i].grace_until_s);
		if (orders[i].done && orders[i].how == MAUI_ACTION_REQUEUE && orders[i].for_job_id)
			maui_sched_note_preempted(it, orders[i].job_id, orders[i].for_job_id);
		if (orders[i].how == MAUI_ACTION_RESUME && orders[i].code == ESLURM_NODES_BUSY)
			maui_sched_note_refused_resume(it, orders[i].job_id);
		if (!orders[i].done && orders[i].how != MAUI_ACTION_RESUME)
			note_refused_stop(it, orders[i].job_id, orders[i].start_s);
		if (orders[i].done || orders[i].how != MAUI_ACTION_RESUME)
			note_suspension(it, orders[i].job_id,
					orders[i].done && orders[i].how == MAUI_ACTION_SUSPEND);
	}
}

static bool starts_too_long(const struct maui_iteration *it,
			    const struct maui_captured_job *captured)
{
	return captured->state == MAUI_CAPTURED_ACTIVE && captured->starting &&
	       it->captured->now_s >= maui_defer_start_deadline(it->c->config, captured->start_s);
}

static struct maui_preempt_order cancel_order(const struct maui_iteration *it,
					      const struct maui_captured_job *captured)
{
	const struct maui_preempt_order order = {
		.job_id = captured->job_id,
		.start_s = captured->start_s,
		.how = MAUI_ACTION_CANCEL,
		.again = was_refused(it, captured->job_id, captured->start_s),
	};

	if (!order.again)
		info("slurm-maui: JobId=%u has been starting for longer than JOBMAXSTARTTIME",
		     order.job_id);
	return order;
}

void maui_sched_cancel_slow_starts(struct maui_iteration *it)
{
	struct maui_preempt_order *orders;
	size_t count = 0;

	orders = maui_arena_alloc(&it->arena, (it->captured->count + 1) * sizeof(*orders));
	if (!orders || it->testing)
		return;
	for (size_t i = 0; i < it->captured->count; i++)
		if (starts_too_long(it, &it->captured->jobs[i]))
			orders[count++] = cancel_order(it, &it->captured->jobs[i]);
	if (count > 0)
		send_orders(it, orders, count, NULL);
}

static void resume_jobs(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_preempt_order *orders =
		maui_arena_alloc(&it->arena, (d->resume_count + 1u) * sizeof(*orders));

	for (uint32_t i = 0; orders && i < d->resume_count; i++) {
		const struct maui_active *active = &it->cluster.snapshot->active[d->resumes[i]];

		orders[i] = (struct maui_preempt_order){ .job_id = (uint32_t)active->id,
							 .start_s = active->start_s,
							 .how = MAUI_ACTION_RESUME };
	}
	if (orders)
		send_orders(it, orders, d->resume_count, &it->cluster.table);
}

/* The preempting job keeps its job reservation while the preempted jobs exit
 * (plan/held_job_rsvs.c). Jobs that Slurm did not stop are tried again by the next plan. */
static void count_preempted(struct maui_iteration *it, const struct maui_preempt_order *orders,
			    size_t count)
{
	bool stayed = false;

	for (size_t i = 0; i < count; i++) {
		it->preempted += orders[i].done;
		stayed |= !orders[i].done;
	}
	if (stayed)
		maui_sched_wake(it->sched, it->cluster.now_s + AGAIN_S);
}

static void preempt_jobs(struct maui_iteration *it)
{
	struct maui_preempt_order *orders =
		maui_arena_alloc(&it->arena, (it->preemption_count + 1u) * sizeof(*orders));

	for (uint32_t i = 0; orders && i < it->preemption_count; i++) {
		const struct maui_preemption *preemption = &it->preemptions[i];
		const struct maui_active *active =
			&it->cluster.snapshot->active[preemption->active];

		orders[i] = (struct maui_preempt_order){
			.job_id = (uint32_t)active->id,
			.start_s = active->start_s,
			.for_job_id = it->waiting[preemption->job].job_id,
			.how = will_be_suspended(it, active) ? MAUI_ACTION_SUSPEND :
							       MAUI_ACTION_REQUEUE,
			.by_slurm = it->cluster.snapshot->slurm_preempts,
			.again = was_refused(it, (uint32_t)active->id, active->start_s),
		};
	}
	if (!orders)
		return;
	save_suspensions(it);
	send_orders(it, orders, it->preemption_count, &it->cluster.table);
	count_preempted(it, orders, it->preemption_count);
}

/* Ends the jobs whose grace time is over. */
static void end_warned(struct maui_iteration *it)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	struct maui_preempt_order *orders;
	size_t count = 0;

	orders = maui_arena_alloc(&it->arena, (s->active_count + 1u) * sizeof(*orders));
	for (uint32_t a = 0; orders && a < s->active_count; a++)
		if (s->active[a].warned && s->active[a].end_s <= it->cluster.now_s &&
		    (!s->active[a].het_id || s->active[a].het_id == s->active[a].id))
			orders[count++] = (struct maui_preempt_order){
				.job_id = (uint32_t)s->active[a].id,
				.start_s = s->active[a].start_s,
				.for_job_id = maui_sched_preemptor_of(it->sched,
								      (uint32_t)s->active[a].id),
				.anyway = true,
				.again = was_refused(it, (uint32_t)s->active[a].id,
						     s->active[a].start_s),
				.by_slurm = true,
			};
	if (count > 0)
		send_orders(it, orders, count, &it->cluster.table);
}

void maui_sched_preempt(struct maui_iteration *it)
{
	if (it->testing)
		return;
	if (it->cluster.snapshot->slurm_preempts)
		end_warned(it);
	if (it->preemption_count > 0)
		preempt_jobs(it);
	if (it->unasked)
		maui_sched_wake(it->sched, it->cluster.now_s + 1);
	if (it->sched->decisions.resume_count > 0)
		resume_jobs(it);
}
