/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cycle.c - the steps of one scheduling cycle, in order
 *
 * Rules: BF-19.
 */

#include "slurm/compat.h"

#include "controller/query.h"
#include "controller/sched/private.h"

#include <stdlib.h>

#include "slurm/hold.h"
#include "slurm/sole_scheduler.h"
#include "state/usage_view.h"
#include "slurm/publish/jobs.h"

enum {
	ALARM_S = 5,
	FAILURES_SAID = 3, /* failed cycles in a row after which the log says so */
};

struct maui_sched *maui_sched_create(void)
{
	struct maui_sched *sched = calloc(1, sizeof(*sched));

	if (!sched)
		return NULL;
	sched->planner = maui_planner_create();
	sched->hosts = maui_standing_hosts_create();
	sched->programs = maui_sched_programs_create();
	sched->kept = maui_kept_create();
	if (sched->planner && sched->hosts && sched->programs && sched->kept)
		return sched;
	maui_sched_destroy(sched);
	return NULL;
}

void maui_sched_destroy(struct maui_sched *sched)
{
	if (!sched)
		return;
	maui_sched_programs_end(sched);
	maui_trigger_tracks_finish(&sched->triggers);
	maui_document_unref(sched->document);
	maui_usage_view_unref(sched->usage);
	maui_statistics_view_unref(sched->statistics);
	maui_diags_finish(&sched->warnings);
	maui_saved_job_rsvs_finish(&sched->job_rsvs);
	maui_rsv_lists_finish(&sched->rsvs);
	maui_mirrors_finish(&sched->mirrors);
	maui_slurm_answers_finish(&sched->answers);
	maui_refused_preemptions_finish(&sched->refused_preemptions);
	maui_decisions_finish(&sched->decisions);
	maui_plan_unref(sched->plan);
	maui_planner_destroy(sched->planner);
	maui_kept_destroy(sched->kept);
	maui_standing_hosts_destroy(sched->hosts);
	free(sched->preempted);
	free(sched->refused_resumes);
	free(sched);
}

bool maui_sched_refused_all(const struct maui_sched *sched)
{
	return sched && sched->refused_all;
}

bool maui_sched_is_due(const struct maui_sched *sched, int64_t now_s)
{
	return sched && ((sched->wake_s && now_s >= sched->wake_s) ||
			 maui_events_any(&sched->events, now_s));
}

/* Logs the text when the condition becomes true. */
static void log_change(bool *logged, bool now, const char *text)
{
	if (now && !*logged)
		error("slurm-maui: %s", text);
	*logged = now;
}

/* Whether this cycle starts nothing: SERVERMODE TEST, the crash guard, another scheduler, or a
 * slurmctld that may not schedule. */
static bool is_testing(struct maui_iteration *it)
{
	struct maui_sched *sched = it->sched;
	bool guarded = maui_crash_guard_holds(&it->c->crash_guard, time(NULL));
	bool forbidden = maui_controller_schedules(it->c) && !maui_sole_scheduler_may_start();

	sched->health.guarded = guarded;
	sched->health.forbidden = forbidden;
	sched->health.beside = !maui_controller_schedules(it->c);
	log_change(
		&sched->said_guarded, guarded,
		"slurmctld died twice within ten minutes while a plan was made: SERVERMODE TEST until "
		"ten minutes after the last time (remove maui/planning in StateSaveLocation to go on)");
	log_change(
		&sched->said_testing, it->c->config->server_mode != MAUI_SERVER_NORMAL,
		"SERVERMODE TEST in maui.cfg: jobs are planned, and the log says what would be started; "
		"slurm-maui starts none");
	log_change(
		&sched->said_forbidden, forbidden,
		"scheduling is disabled here (no_backup_scheduling, or a federation): nothing is started");
	sched->health.starts = !guarded && !forbidden && !sched->health.beside &&
			       it->c->config->server_mode == MAUI_SERVER_NORMAL;
	return !sched->health.starts;
}

static bool is_closed(void *data, uint64_t fingerprint, const char *reservation)
{
	const struct maui_iteration *it = data;

	return maui_slurm_answer_closed_until(
		       maui_slurm_answers_find(&it->sched->answers, fingerprint),
		       MAUI_CLOSED_RESERVATION, reservation, it->cluster.now_s) != 0;
}

static const char *primary_group(void *data, uint32_t uid)
{
	struct maui_controller *c = ((const struct maui_iteration *)data)->c;
	const char *ret;

	slurm_mutex_lock(&c->lock);
	ret = maui_names_primary_group(&c->names, uid);
	slurm_mutex_unlock(&c->lock);
	return ret;
}

static int copy_cluster(struct maui_iteration *it, struct maui_captured_jobs *jobs,
			struct maui_err *err)
{
	const struct maui_eligible_questions questions = { is_closed, primary_group, it };
	struct maui_hold_times reads = { 0 };

	maui_sched_adopt_mirrors(it, &reads);
	if (maui_cluster_capture(it->c->config, &it->sched->mirrors, &it->cluster, jobs, err))
		return -1;
	maui_sched_phase(it, MAUI_PHASE_NODES);
	if (maui_sched_trial_begin(it, jobs))
		return maui_err_no_memory(err);
	if (maui_eligible_capture(&it->cluster, jobs, &it->put_back, &questions, it->sched->kept,
				  &it->eligible, err))
		return -1;
	maui_hold_add(&it->cluster.reads, &reads);
	maui_hold_add(&it->cluster.reads, &it->eligible.reads);
	maui_hold_add(&it->writes, &it->eligible.writes);
	it->kept_count = it->eligible.kept;
	maui_sched_phase(it, MAUI_PHASE_CHECKS);
	return 0;
}

/* Completes the snapshot: names, queue times, reservations. */
static int complete_snapshot(struct maui_iteration *it, struct maui_err *err)
{
	maui_sched_cancel_slow_starts(it);
	if (maui_sched_fill(it))
		return maui_err_set(err, "no memory for a snapshot");
	maui_sched_delay_resumes(it);
	if (maui_sched_rsvs(it, err))
		return -1;
	maui_sched_check_config(it);
	maui_sched_chunk_timer(it);
	maui_sched_phase(it, MAUI_PHASE_SNAPSHOT);
	return 0;
}

/* A job of runjob goes before the job reservations of others, which are made again, but not before
 * those for which jobs have been preempted. -1 without memory. */
static int choose_job_rsvs(struct maui_iteration *it, struct maui_plan_input *ret)
{
	struct maui_job_reservation *kept;

	ret->job_rsvs = it->job_rsvs;
	ret->job_rsv_count = it->job_rsv_count;
	if (!it->run_flags)
		return 0;
	kept = maui_arena_alloc(&it->arena, (it->job_rsv_count + 1) * sizeof(*kept));
	ret->job_rsvs = kept;
	ret->job_rsv_count = 0;
	for (size_t i = 0; kept && i < it->job_rsv_count; i++)
		if (it->job_rsvs[i].preempting)
			kept[ret->job_rsv_count++] = it->job_rsvs[i];
	return kept ? 0 : -1;
}

static int make_plan(struct maui_iteration *it, struct maui_err *err)
{
	struct maui_sched *sched = it->sched;
	struct maui_plan_input input = { .config = it->c->config,
					 .snapshot = it->cluster.snapshot,
					 .now_s = it->cluster.now_s,
					 .want_reasons = true,
					 .slurm_chooses = it->slurm_chooses,
					 .usage = it->c->fs,
					 .chunk_until_s = sched->chunk_until_s,
					 .stop = &it->c->stop };
	int64_t began_us = maui_monotonic_us();
	int rc;

	maui_sched_phase(it, MAUI_PHASE_STARTS);
	if (it->standing.count > 0)
		input.standing = &it->standing;
	if (maui_job_reservations_restore(&sched->job_rsvs, it->cluster.snapshot, &it->arena,
					  &it->job_rsvs, &it->job_rsv_count) ||
	    choose_job_rsvs(it, &input))
		return maui_err_no_memory(err);
	it->plans++;
	rc = maui_plan(sched->planner, &input, &sched->decisions, err);
	it->plan_us += maui_monotonic_us() - began_us;
	maui_sched_phase(it, MAUI_PHASE_PLAN);
	return rc;
}

/* Makes estimates and reasons, after starts and mirrors are done, so that no job waits for them. */
static void finish_plan(struct maui_iteration *it)
{
	int64_t began_us = maui_monotonic_us();
	struct maui_plan *plan;

	maui_sched_phase(it, MAUI_PHASE_STARTS);
	plan = maui_plan_finish(it->sched->planner, it->cluster.snapshot, MAUI_PLAN_ESTIMATES);
	if (!plan) {
		debug("slurm-maui: no memory for reasons");
		return;
	}
	maui_sched_record_estimates(it, plan);
	maui_sched_phase(it, MAUI_PHASE_ESTIMATES);
	if (maui_controller_schedules(it->c)) {
		maui_sched_publish_jobs(it, plan);
		maui_sched_publish_nodes(it, plan);
	}
	it->plan_us += maui_monotonic_us() - began_us;
	maui_sched_phase(it, MAUI_PHASE_TEXTS);
	maui_plan_unref(it->sched->plan); /* freed when its last reader is done */
	it->sched->plan = plan;
}

/* Sets the next cycle for a moment at which nothing happens in slurmctld: chunking ends, a
 * deferred job is considered again, a reservation is due. Moments that move with the clock come
 * every ALARM_S only. */
static void set_alarm(struct maui_iteration *it)
{
	int64_t now_s = it->cluster.now_s, next_s = it->sched->decisions.next_s;

	if (it->sched->chunk_until_s > now_s)
		maui_sched_wake(it->sched, it->sched->chunk_until_s);
	if (next_s != MAUI_NEVER)
		maui_sched_wake(it->sched, next_s > now_s + ALARM_S ? next_s : now_s + ALARM_S);
}

static int record_use(struct maui_iteration *it, struct maui_err *err)
{
	if (maui_sched_usage(it, err))
		return -1;
	maui_sched_records(it);
	return 0;
}

/* SERVERMODE TEST: the starts of another scheduler since the last plan are compared with a plan for
 * the state before them. Then the queue is planned as it is. */
static int plan_trial(struct maui_iteration *it, struct maui_err *err)
{
	if (it->put_back.count == 0)
		return 0;
	if (make_plan(it, err))
		return -1;
	maui_sched_trial_compare(it);
	return maui_sched_fill_started(it) ? maui_err_no_memory(err) : 0;
}

/* Makes a plan with the changes and jobs that administrators asked for, and without preemptions in
 * vain. */
static int make_final_plan(struct maui_iteration *it, struct maui_err *err)
{
	if (make_plan(it, err))
		return -1;
	if (maui_sched_refuse_changes(it) && (maui_sched_rsvs(it, err) || make_plan(it, err)))
		return -1;
	if (maui_sched_refuse_run(it) && make_plan(it, err))
		return -1;
	while (maui_sched_ask_preemptions(it))
		if (make_plan(it, err))
			return -1;
	return 0;
}

/* Executes the plan. Whether the rest is worth another plan. *asked: some jobs turned out to be
 * possible, for which Slurm is asked once a cycle. */
static bool execute(struct maui_iteration *it, bool *asked)
{
	if (maui_sched_start(it))
		return true;
	if (it->dropped || it->sched->decisions.incomplete || *asked)
		return false;
	*asked = maui_sched_ask_possible(it);
	return *asked && maui_sched_take_starts(it);
}

/* Plans and starts until Slurm refuses nothing. The last plan is published; it leaves no choice to
 * Slurm. */
static int plan_and_start(struct maui_iteration *it, struct maui_err *err)
{
	bool again = true, asked = false;
	int rc;

	if (plan_trial(it, err))
		return -1;
	maui_sched_begin_turns(it);
	while (again) {
		bool last = it->turns.turn == MAUI_TURN_NONE;
		uint32_t refused = it->refused;

		it->slurm_chooses = !it->testing && !last;
		maui_sched_set_aside(it);
		rc = make_final_plan(it, err);
		maui_sched_take_back(it);
		if (rc)
			return -1;
		again = maui_sched_next_turn(it, !last && execute(it, &asked),
					     it->refused > refused);
	}
	maui_sched_end_turns(it);
	/* a plan that ends where Slurm chooses is not the last one, unless memory was short */
	if (it->dropped || it->c->stop || it->sched->decisions.incomplete)
		return record_use(it, err); /* the starts made so far count */
	/* before victims go: the state that is saved then has it */
	maui_job_reservations_keep(&it->sched->decisions, it->cluster.snapshot, it->waiting,
				   &it->sched->job_rsvs);
	maui_sched_preempt(it);
	maui_sched_review_preempted(it);
	maui_sched_record_outcome(it);
	maui_sched_trial_note(it);
	maui_sched_end_preemptible(it);
	set_alarm(it);
	maui_sched_save_rsvs(it);
	maui_sched_mirror(it);
	if (record_use(it, err))
		return -1;
	maui_sched_triggers(it);
	finish_plan(it);
	return 0;
}

static struct maui_health_holds holds_of(const struct maui_hold_times *times)
{
	return (struct maui_health_holds){ .count = times->count,
					   .sum_us = times->sum_us,
					   .longest_us = times->longest_us };
}

/* Counts the cycle with the numbers of its line in the log. */
static void note_health(struct maui_iteration *it, int64_t took_us)
{
	const struct maui_health_cycle cycle = {
		.began_s = it->cluster.now_s,
		.took_us = took_us,
		.plan_us = it->plan_us,
		.plans = it->plans,
		.started = it->started,
		.backfilled = it->backfilled,
		.refused = it->refused,
		.preempted = it->preempted,
		.holds = { [MAUI_HEALTH_READ] = holds_of(&it->cluster.reads),
			   [MAUI_HEALTH_WRITE] = holds_of(&it->writes) },
	};

	maui_health_note(&it->sched->health, &cycle);
}

/* In the order of the phases, in microseconds. */
static void log_phases(const struct maui_iteration *it)
{
	const int64_t *us = it->phase_us;

	debug("slurm-maui: phases: nodes %lld checks %lld priorities %lld snapshot %lld plan %lld "
	      "starts %lld estimates %lld reasons %lld texts %lld us; all locks: read %llu us, "
	      "write %llu us; %u kept",
	      (long long)us[MAUI_PHASE_NODES], (long long)us[MAUI_PHASE_CHECKS],
	      (long long)us[MAUI_PHASE_PRIORITIES], (long long)us[MAUI_PHASE_SNAPSHOT],
	      (long long)us[MAUI_PHASE_PLAN], (long long)us[MAUI_PHASE_STARTS],
	      (long long)us[MAUI_PHASE_ESTIMATES], (long long)us[MAUI_PHASE_REASONS],
	      (long long)us[MAUI_PHASE_TEXTS], (unsigned long long)it->cluster.reads.sum_us,
	      (unsigned long long)it->writes.sum_us, it->kept_count);
}

static void log_cycle(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	int64_t took_us = maui_monotonic_us() - it->began_us;

	it->sched->failures = 0;
	note_health(it, took_us);
	if (maui_controller_schedules(it->c))
		maui_sched_count(it, took_us);
	debug("slurm-maui: iteration: %u waiting %u active; started %u refused %u changed %u; "
	      "reserved %u preempted %u; %lld us, plan %lld us; longest lock: read %u us of %u "
	      "holds, write %u us of %u holds",
	      it->waiting_count, it->cluster.active_count, it->started, it->refused, it->changed,
	      d->reservation_count, d->preemption_count, (long long)took_us, (long long)it->plan_us,
	      it->cluster.reads.longest_us, it->cluster.reads.count, it->writes.longest_us,
	      it->writes.count);
	log_phases(it);
}

/* A failed cycle. When slurmctld's tables changed meanwhile, the next cycle follows at once; when
 * cycles keep failing, the log says so once. */
static void log_failure(struct maui_iteration *it, const struct maui_err *err)
{
	maui_health_note_failure(&it->sched->health, it->began_s);
	if (++it->sched->failures == FAILURES_SAID)
		error("slurm-maui: %s; jobs are not planned until a cycle succeeds", err->text);
	else
		debug("slurm-maui: %s; planning again", err->text);
}

/* Ends the cycle and frees its memory, so that slurmctld can use it until the next one. */
static void finish_cycle(struct maui_iteration *it)
{
	maui_events_note(&it->sched->events, it->began_s, it->wrote);
	maui_sched_refuse_unplanned(it);
	maui_sched_carry_out_releases(it);
	if (it->save || maui_sched_programs_due(it->sched, time(NULL)))
		it->c->save(it->c);
	maui_sched_answer_run(it);
	maui_sched_answers(it); /* answers are sent after the save: they outlive a crash */
	maui_planner_rest(it->sched->planner);
	maui_decisions_finish(&it->sched->decisions);
	maui_eligible_finish(&it->eligible);
	maui_cluster_finish(&it->cluster);
	maui_hashtable_finish(&it->by_id);
	maui_hashtable_finish(&it->started_by_id);
	maui_hashtable_finish(&it->put_back_by_id);
	maui_sched_programs_begin(it->c); /* their triggers are saved as fired */
	maui_arena_finish(&it->arena);
}

static void end_cycle(struct maui_iteration *it)
{
	maui_crash_guard_leave(&it->c->crash_guard);
	finish_cycle(it);
	it->sched->iteration = NULL;
	free(it);
}

int maui_sched_begin(struct maui_controller *c, struct maui_captured_jobs *jobs)
{
	struct maui_iteration *it = calloc(1, sizeof(*it));
	struct maui_err err;

	if (!it)
		return -1;
	c->sched->iteration = it;
	it->c = c;
	it->sched = c->sched;
	it->captured = jobs;
	it->began_us = it->phase_began_us = maui_monotonic_us();
	it->began_s = time(NULL);
	maui_events_begin(&c->sched->events);
	it->ends = maui_events_ends();
	c->sched->wake_s = 0;
	it->testing = is_testing(it);
	maui_sched_changes(it);
	/* a changeparam of this cycle may stop its starts; SERVERMODE NORMAL begins with the next
	 * cycle, which first ends the reservations of the trial */
	it->testing |= is_testing(it);
	if (it->testing)
		it->run_flags = 0; /* nor does a runjob of this cycle start anything */
	c->sched->health.starts = !it->testing;
	maui_crash_guard_enter(&c->crash_guard, it->began_s);
	if (copy_cluster(it, jobs, &err) == 0) {
		/* the caller may wait for the name service now; the crash guard must not count a
		 * death there */
		maui_crash_guard_leave(&c->crash_guard);
		return 0;
	}
	log_failure(it, &err);
	end_cycle(it);
	maui_captured_jobs_finish(jobs);
	return -1;
}

void maui_sched_iterate(struct maui_sched *sched)
{
	struct maui_iteration *it = sched->iteration;
	struct maui_err err;

	maui_sched_phase(it, MAUI_PHASE_PRIORITIES);
	maui_crash_guard_enter(&it->c->crash_guard, time(NULL));
	if (complete_snapshot(it, &err) || plan_and_start(it, &err)) {
		log_failure(it, &err);
	} else {
		log_cycle(it);
		maui_sched_record_load(it);
		maui_sched_publish(it);
	}
	end_cycle(it);
}
