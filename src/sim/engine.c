/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.c - moves the clock of a simulation from event to event */

#include "sim/engine_private.h"

#include <stdlib.h>

#include "base/need.h"
#include "cycle/job_reservations.h"
#include "explain/explain.h"
#include "plan/finished.h"
#include "sim/stream.h"
#include "state/usage_view.h"

enum {
	MANY_JOBS = 2000, /* of a saved plan */
	STEP_S = 60,
};

/* ---- the clock ---- */

/* The nodes of a reservation are chosen when its time comes, even if no job waits. */
static bool is_plan_due(const struct maui_sim_engine *e, int64_t next)
{
	if (!maui_sim_rsvs_input(&e->rsvs))
		return maui_sim_waiting(e) > 0;
	return (e->snapshot->idle_count > 0 || next != MAUI_NEVER) &&
	       maui_sim_rsvs_are_awaited(&e->rsvs, e->now, e->snapshot->active_count > 0);
}

/* The next job to arrive; NULL: none. */
static const struct maui_sim_job *next_arrival(const struct maui_sim_engine *e)
{
	if (e->options->stream && e->arrived == maui_sim_trace_end(e->trace))
		maui_sim_stream_more(e->options->stream);
	return e->arrived < maui_sim_trace_end(e->trace) ?
		       maui_sim_trace_job(e->trace, e->arrived) :
		       NULL;
}

/* The time of the next end or arrival. */
static int64_t next_job_event(const struct maui_sim_engine *e)
{
	const struct maui_sim_job *job = next_arrival(e);
	int64_t next = maui_sim_ends_next(&e->ends);

	return job && job->submit_s < next ? job->submit_s : next;
}

/* Plays all ends, then all arrivals of this moment. */
static void take_events(struct maui_sim_engine *e)
{
	const struct maui_sim_job *job;
	uint64_t id;
	int64_t end_s;

	while ((end_s = maui_sim_ends_next(&e->ends)) <= e->now && end_s != MAUI_NEVER) {
		id = maui_sim_ends_take(&e->ends);
		maui_sim_jobs_end(e, id, end_s);
	}
	for (; (job = next_arrival(e)) && job->submit_s == e->now; e->arrived++)
		maui_sim_jobs_arrive(e, e->arrived);
}

/* From a saved plan: no further than its end, and in steps of so many seconds at least when there
 * are many jobs, as slurmctld does not plan for each event either. */
static bool move_on(struct maui_sim_engine *e)
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

/* The next plan though no job comes or ends. After the last end polls would find nothing new. */
static int64_t next_look(const struct maui_sim_engine *e, int64_t next)
{
	int64_t look_s = is_plan_due(e, next) ? e->wake_s : MAUI_NEVER;
	int64_t poll_s = e->now + e->config->poll_interval_s;

	if (e->options->polls && next != MAUI_NEVER && maui_sim_waiting(e) > 0 && poll_s < look_s)
		look_s = poll_s;
	return look_s;
}

/* Moves the clock to the next event; false: none. */
static bool advance_clock(struct maui_sim_engine *e)
{
	int64_t next = next_job_event(e), look_s = next_look(e, next);
	bool of_jobs = next <= look_s;

	e->now = of_jobs ? next : look_s;
	if (of_jobs)
		e->rsvs.moved_s = next;
	if (e->options->saved)
		return move_on(e);
	if (e->now != MAUI_NEVER && (of_jobs || !maui_sim_rsvs_input(&e->rsvs)))
		e->run->last_s = e->now;
	return e->now != MAUI_NEVER;
}

static int plan_now(struct maui_sim_engine *e, struct maui_err *err)
{
	take_events(e);
	maui_sim_charges_poll(&e->charges, e->snapshot, e->now);
	if (e->options->saved)
		maui_sim_conditions_poll(e);
	if ((maui_sim_waiting(e) > 0 || maui_sim_rsvs_input(&e->rsvs)) && maui_sim_plan_run(e, err))
		return -1;
	if (e->options->stream)
		maui_sim_stream_retire(e->options->stream, e->arrived, e->now);
	/* a plan without quick.h may take long: each one counts */
	if (e->options->progress && (e->plans || e->run->plans % 256 == 0))
		e->options->progress(e->options->progress_data, e->ended, e->trace->count);
	return 0;
}

/* Jobs that are left out are counted apart, by their reason. */
static uint64_t count_unstarted(const struct maui_sim_engine *e)
{
	uint64_t count = maui_sim_waiting(e);

	for (size_t i = 0; i < e->conditions.task_count; i++)
		count += e->conditions.tasks[i].count - e->conditions.tasks[i].next;
	for (size_t i = 0; i < e->trace->count && !e->options->stream; i++)
		count -= e->trace->jobs[i].left_out != MAUI_REASON_NONE;
	return count;
}

static int run_clock(struct maui_sim_engine *e, struct maui_err *err)
{
	if (e->options->saved && plan_now(e, err))
		return -1;
	while (advance_clock(e))
		if (plan_now(e, err))
			return -1;
	e->run->unstarted = count_unstarted(e);
	if (!e->options->stream)
		return 0;
	maui_sim_stream_retire(e->options->stream, e->arrived, MAUI_NEVER);
	return maui_sim_stream_check(e->options->stream, err);
}

/* ---- the state at the beginning ---- */

static void take_job_rsvs(struct maui_sim_engine *e, const struct maui_saved_plan *plan)
{
	const struct maui_job_reservation *saved =
		maui_need(maui_job_reservations_of_plan(plan, &e->trace->arena));

	e->job_rsvs = maui_need_list(plan->job_rsv_count, sizeof(*e->job_rsvs));
	for (uint32_t i = 0; i < plan->job_rsv_count; i++) {
		int64_t job = maui_sim_saved_find(e->trace, saved[i].job);

		if (job < 0)
			continue;
		e->job_rsvs[e->job_rsv_count] = saved[i];
		e->job_rsvs[e->job_rsv_count++].job = (uint64_t)job;
	}
}

/* Running jobs, in their places, until their ends. */
static void take_running(struct maui_sim_engine *e)
{
	for (uint32_t a = 0; a < e->snapshot->active_count; a++) {
		const struct maui_active *active = &e->snapshot->active[a];
		const struct maui_sim_job *job = &e->trace->jobs[active->id];

		e->active_at[active->id] = a;
		maui_sim_charges_start(&e->charges, active->id, e->now);
		if (active->suspended)
			continue;
		maui_sim_jobs_keep_places(e, active);
		maui_sim_ends_add(&e->ends, job->start_s + job->run_s, active->id);
	}
}

static int begin_saved(struct maui_sim_engine *e, struct maui_err *err)
{
	const struct maui_saved_plan *plan = &e->options->saved->plan;

	e->now = e->planned_s = e->run->first_s = e->run->last_s = plan->now_s;
	e->arrived = e->trace->count;
	e->chunk_until_s = plan->chunk_until_s;
	if (maui_usage_restore(plan->usage, &e->run->usage))
		maui_out_of_memory();
	take_running(e);
	take_job_rsvs(e, plan);
	maui_sim_conditions_begin(e);
	return maui_sim_rsvs_resume(&e->rsvs, e->config, e->snapshot, plan, err);
}

static int begin(struct maui_sim_engine *e, struct maui_err *err)
{
	e->plans = true;
	if (e->options->saved)
		return begin_saved(e, err);
	maui_sim_cluster_weigh(e->cluster, e->config);
	e->is_quick = e->options->stream ||
		      maui_sim_quick_suits(e->cluster, e->trace, e->config, e->options);
	e->plans = !e->is_quick || e->options->compare_plans;
	if (e->is_quick)
		maui_sim_quick_init(&e->quick, e->snapshot, e->config);
	return maui_sim_rsvs_init(&e->rsvs, e->config, e->snapshot, e->trace->epoch_s, err);
}

/* Gives NODECFG to the nodes of a slurm.conf. */
static void rank_nodes(struct maui_snapshot *s, const struct maui_config *config)
{
	for (uint32_t n = 0; n < s->node_count; n++)
		s->nodes[n].priority = maui_config_node_priority(config, s->nodes[n].name);
}

int maui_sim_run(struct maui_sim_cluster *cluster, struct maui_sim_trace *trace,
		 const struct maui_config *config, const struct maui_sim_options *options,
		 struct maui_sim_run *ret, struct maui_err *err)
{
	struct maui_sim_engine e = { .cluster = cluster,
				     .trace = trace,
				     .config = config,
				     .options = options,
				     .run = ret,
				     .snapshot = cluster->conf.snapshot,
				     .planner = maui_need(maui_planner_create()),
				     .wake_s = MAUI_NEVER };
	int rc;

	*ret = (struct maui_sim_run){ .first_s = maui_sim_trace_end(trace) > 0 ?
							 trace->jobs[0].submit_s :
							 0 };
	ret->last_s = ret->first_s;
	rank_nodes(e.snapshot, config);
	if (!options->stream)
		e.active_at = maui_need_list(trace->count, sizeof(*e.active_at));
	maui_sim_charges_init(&e.charges, config, &ret->usage, trace->count);
	rc = begin(&e, err) || run_clock(&e, err) ? -1 : 0;
	maui_explainer_destroy(e.explainer);
	maui_plan_unref(e.finished[0]);
	maui_plan_unref(e.finished[1]);
	maui_planner_destroy(e.planner);
	maui_decisions_finish(&e.decisions[0]);
	maui_decisions_finish(&e.decisions[1]);
	maui_sim_ends_finish(&e.ends);
	maui_sim_quick_finish(&e.quick);
	maui_sim_charges_finish(&e.charges);
	maui_sim_rsvs_finish(&e.rsvs);
	maui_sim_conditions_finish(&e.conditions);
	free(e.job_rsvs);
	free(e.active_at);
	return rc;
}

void maui_sim_run_finish(struct maui_sim_run *run)
{
	maui_usage_finish(&run->usage);
	maui_statistics_finish(&run->starts);
}
