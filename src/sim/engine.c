/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.c - moves the clock of a simulation from event to event */

#include "sim/engine_private.h"

#include <stdlib.h>

#include "base/need.h"
#include "explain/explain.h"
#include "plan/finished.h"
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
		return e->snapshot->idle_count > 0;
	return (e->snapshot->idle_count > 0 || next != MAUI_NEVER) &&
	       maui_sim_rsvs_are_awaited(&e->rsvs, e->now, e->snapshot->active_count > 0);
}

/* The time of the next end or arrival. */
static int64_t next_job_event(const struct maui_sim_engine *e)
{
	int64_t next = maui_sim_ends_next(&e->ends);

	if (e->arrived < e->trace->count && e->trace->jobs[e->arrived].submit_s < next)
		next = e->trace->jobs[e->arrived].submit_s;
	return next;
}

/* Plays all ends, then all arrivals of this moment. */
static void take_events(struct maui_sim_engine *e)
{
	uint64_t id;
	int64_t end_s;

	while ((end_s = maui_sim_ends_next(&e->ends)) <= e->now && end_s != MAUI_NEVER) {
		id = maui_sim_ends_take(&e->ends);
		maui_sim_jobs_end(e, id, end_s);
	}
	for (; e->arrived < e->trace->count && e->trace->jobs[e->arrived].submit_s == e->now;
	     e->arrived++)
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

/* Moves the clock to the next event; false: none. */
static bool advance_clock(struct maui_sim_engine *e)
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

static int plan_now(struct maui_sim_engine *e, struct maui_err *err)
{
	take_events(e);
	maui_sim_charges_poll(&e->charges, e->snapshot, e->now);
	if (e->options->saved)
		maui_sim_conditions_poll(e);
	if ((e->snapshot->idle_count > 0 || maui_sim_rsvs_input(&e->rsvs)) &&
	    maui_sim_plan_run(e, err))
		return -1;
	if (e->options->progress && e->run->plans % 256 == 0)
		e->options->progress(e->options->progress_data, e->ended, e->trace->count);
	return 0;
}

/* Jobs that are left out are counted apart, by their reason. */
static uint64_t count_unstarted(const struct maui_sim_engine *e)
{
	uint64_t count = e->snapshot->idle_count;

	for (size_t i = 0; i < e->conditions.task_count; i++)
		count += e->conditions.tasks[i].count - e->conditions.tasks[i].next;
	for (size_t i = 0; i < e->trace->count; i++)
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
	return 0;
}

/* ---- the state at the beginning ---- */

static void take_job_rsvs(struct maui_sim_engine *e, const struct maui_saved_plan *plan)
{
	e->job_rsvs = maui_need_list(plan->job_rsv_count, sizeof(*e->job_rsvs));
	for (uint32_t i = 0; i < plan->job_rsv_count; i++) {
		const struct maui_saved_job_rsv *from = &plan->job_rsvs[i];
		struct maui_place *places = maui_need(maui_arena_alloc_list(
			&e->trace->arena, from->place_count, sizeof(*places)));
		int64_t job = maui_sim_saved_find(e->trace, from->job);

		for (uint32_t k = 0; k < from->place_count; k++)
			places[k] = (struct maui_place){ .node = from->places[k].node,
							 .tasks = (uint32_t)from->places[k].tasks };
		if (job >= 0)
			e->job_rsvs[e->job_rsv_count++] = (struct maui_job_reservation){
				(uint64_t)job, from->partition,   from->start_s,
				places,        from->place_count, from->preempting
			};
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
	if (e->options->saved)
		return begin_saved(e, err);
	maui_sim_cluster_weigh(e->cluster, e->config);
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

	*ret = (struct maui_sim_run){ .first_s = trace->count ? trace->jobs[0].submit_s : 0 };
	ret->last_s = ret->first_s;
	rank_nodes(e.snapshot, config);
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
