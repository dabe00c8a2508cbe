/* SPDX-License-Identifier: GPL-2.0-or-later */
/* agent.c - the thread that runs the scheduling cycles
 *
 * A cycle runs every RMPOLLINTERVAL. Under sched/maui, and in a trial, a cycle also follows a
 * submit, an update or the end of a job. One cycle copies slurmctld's jobs (short READ locks),
 * looks up names of users and groups, charges usage, ranks the jobs (priority_cycle.c), plans and
 * starts them (sched/cycle.h), and saves the state. Between these steps the agent holds none of
 * slurmctld's locks, and it takes the controller's lock for one job at a time.
 *
 * A cycle that an event causes does not write priorities. They change with the clock, and each
 * write would be an event for every program that watches slurmctld.
 *
 * Rules: CMD-6.
 */

#include "slurm/compat.h"

#include "controller/private.h"

#include <stdlib.h>
#include <sys/prctl.h>

#include "controller/priority_cycle.h"
#include "controller/query.h"
#include "controller/sched/cycle.h"
#include "slurm/associations/usage.h"
#include "slurm/capture/jobs.h"
#include "slurm/hold.h"

enum {
	SAVE_EVERY_S = 30,
	FORGET_AFTER_S = 600, /* the history of a job that no copy has had for this long */
	/* ranking waits so long for the names of new users, once while the name service hangs */
	NAMES_S = 5,
	EVENT_NAMES_S = 1,       /* the same in a cycle that an event causes */
	RELOAD_WAIT_US = 200000, /* one cycle serves a burst of requests */
	READING_MS = 100,        /* a reconfigure's round waits so long for maui.cfg */
	EVENT_WAIT_US = 10000,   /* the same for events: an idle machine starts a job at once */
	EVENT_LOOK_US = 50000,   /* between two looks at slurmctld's stamps */
	/* A cycle that an event causes begins after nine times the duration of the last cycle, so
	 * that cycles run for a tenth of the time; but after this at the latest. */
	EVENT_GAP_TIMES = 9,
	EVENT_GAP_MAX_US = 2000000,
};

struct cycle {
	struct maui_priority_cycle priorities; /* with the copy of slurmctld's jobs */
	struct maui_hold_times reads;          /* of a copy for priorities only */
	bool plans;                            /* the copy serves a plan, too */
	int64_t waited_us;                     /* for the name service, without any lock */
	int64_t began_us;
};

/* ---- rounds, and the end of slurmctld ----
 *
 * When slurmctld shuts down it saves its state, unless a thread has its locks at that moment. So no
 * round begins any more. Since 25.11 slurmctld first waits until bf_active is 0, which under
 * sched/maui says that a round goes on. With any Slurm no old jobs are purged meanwhile.
 */

/* Whether slurmctld is about to end. A failed takeover or reconfigure may change that. */
static bool is_ending(void)
{
	return slurmctld_config.shutdown_time != 0;
}

/* Begins a round; false: slurmctld is about to end. `schedules`: SchedulerType is sched/maui;
 * otherwise bf_active is another scheduler's. End the round with the same value. Call both without
 * slurmctld's locks and ours. */
static bool begin_round(bool schedules)
{
	bool begins;

	/* slurmctld sets the time of its end first and looks at bf_active then, under this lock,
	 * under which it takes locks of its own */
	slurm_mutex_lock(&check_bf_running_lock);
	begins = !is_ending();
	if (begins && schedules)
		slurmctld_diag_stats.bf_active = 1;
	slurm_mutex_unlock(&check_bf_running_lock);
	return begins;
}

static void end_round(bool schedules)
{
	if (!schedules)
		return;
	slurm_mutex_lock(&check_bf_running_lock);
	slurmctld_diag_stats.bf_active = 0;
	maui_compat_tell_inactive();
	slurm_mutex_unlock(&check_bf_running_lock);
}

/* ---- a cycle ---- */

/* Saves the state when a fairshare window has ended since the last cycle, or SAVE_EVERY_S after the
 * last save. */
static void save_if_due(struct maui_controller *c, int64_t now_s)
{
	int64_t window_s = maui_fairshare_window_start(now_s, c->config->fs_interval_s);
	bool rolled = window_s != c->window_s;

	c->window_s = window_s;
	if (rolled || now_s - c->saved_s >= SAVE_EVERY_S || now_s < c->saved_s)
		c->save(c);
	slurm_mutex_lock(&c->lock);
	maui_job_histories_expire(&c->histories, now_s - FORGET_AFTER_S);
	slurm_mutex_unlock(&c->lock);
	maui_log_errors(c, now_s);
}

/* Ranks all jobs again and writes their priorities. */
static void publish_priorities(struct cycle *cycle)
{
	struct maui_apply_result applied;

	maui_priority_cycle_publish(&cycle->priorities, &applied);
	if (!cycle->priorities.c->roles[MAUI_ROLE_PRIORITY])
		return;
	debug("slurm-maui: cycle: %zu jobs, %zu ranked, %zu changed in %lld us; longest lock: read %u us "
	      "of %u holds, write %u us of %u holds",
	      cycle->priorities.captured.count, cycle->priorities.job_count, applied.changed,
	      (long long)(maui_monotonic_us() - cycle->began_us), cycle->reads.longest_us,
	      cycle->reads.count, applied.writes.longest_us, applied.writes.count);
}

/* Copies slurmctld's jobs once for priorities and plan. When the plan's copy fails, a copy for
 * priorities alone is made. */
static int copy_jobs(struct cycle *cycle, struct maui_controller *c)
{
	struct maui_captured_jobs *copy = &cycle->priorities.captured;
	struct maui_err err;

	maui_priority_cycle_begin(&cycle->priorities, c);
	maui_sched_trial_mode(c);
	cycle->plans = maui_controller_plans(c) && maui_sched_begin(c, copy) == 0;
	if (cycle->plans || maui_capture_jobs(c->config, copy, &cycle->reads, &err) == 0)
		return 0;
	error("slurm-maui: %s; priorities stay as they are", err.text);
	return -1;
}

/* Measures the wait for the name service apart: it takes no time from slurmctld. */
static void look_up_names(struct cycle *cycle, struct maui_controller *c,
			  const struct maui_names_patience *patience)
{
	int64_t since_us = maui_monotonic_us();

	maui_names_look_up(&c->names, &c->lock, patience);
	cycle->waited_us += maui_monotonic_us() - since_us;
}

/* Has the names of maui.cfg, and all that are known, looked up while the agent goes on. */
static void refresh_names(struct maui_controller *c)
{
	struct maui_names_patience patience = { .stop = &c->stop,
						.deadline_s = maui_controller_schedules(c) ?
								      time(NULL) + NAMES_S :
								      0 };

	if (c->refresh_names && maui_names_refresh(&c->names, &c->lock, c->config, true, &patience))
		c->refresh_names = false;
}

/* Returns how long the cycle worked, without its waits for the name service. */
static int64_t run_cycle(struct maui_controller *c, bool publish)
{
	struct maui_names_patience patience = {
		.stop = &c->stop, .deadline_s = time(NULL) + (publish ? NAMES_S : EVENT_NAMES_S)
	};
	struct cycle cycle = { .began_us = maui_monotonic_us() };

	if (copy_jobs(&cycle, c))
		return 0;
	maui_priority_cycle_add_jobs(&cycle.priorities);
	look_up_names(&cycle, c, &patience);
	maui_priority_cycle_charge(&cycle.priorities);
	if (publish)
		publish_priorities(&cycle);
	if (cycle.plans)
		maui_sched_iterate(c->sched);
	save_if_due(c, cycle.priorities.captured.now_s);
	maui_priority_cycle_finish(&cycle.priorities);
	refresh_names(c);
	return maui_monotonic_us() - cycle.began_us - cycle.waited_us;
}

/* For sshare and the limits of associations: what jobs have used. */
static void update_associations(const struct maui_controller *c, bool reconfigured)
{
	struct maui_hold_times holds = { 0 };

	if (!c->roles[MAUI_ROLE_PRIORITY])
		return;
	maui_associations_tend(time(NULL), reconfigured, &holds);
	if (holds.count > 0)
		debug("slurm-maui: usage of associations counted; lock held for %u us at most",
		      holds.longest_us);
}

/* A reconfigure: has maui.cfg read. Takes it over now when the disk answers at once, else in the
 * round after its answer. Returns whether it was taken over. */
static bool reload(struct maui_controller *c, bool reconfigured)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };

	if (reconfigured) {
		lock_slurmctld(locks);
		(void)maui_load_slurm_conf(c); /* without memory the last values stay */
		unlock_slurmctld(locks);
		maui_reload_begin(c);
	}
	if (!maui_reload_end(c, reconfigured ? READING_MS : 0))
		return false;
	if (c->sched)
		maui_sched_reloaded(c->sched);
	return true;
}

static void sleep_until(struct maui_controller *c, int64_t until_us)
{
	struct timespec when = { .tv_sec = until_us / 1000000,
				 .tv_nsec = until_us % 1000000 * 1000 };

	pthread_cond_timedwait(&c->wake, &c->lock, &when);
}

static void wait_until(struct maui_controller *c, int64_t until_us)
{
	while (!c->stop && maui_monotonic_us() < until_us)
		sleep_until(c, until_us);
}

/* Whether a setres or releaseres waits for its answer; under SERVERMODE TEST as well. */
static bool has_changes(struct maui_controller *c)
{
	return c->query && c->sched && maui_query_has_changes(c->query);
}

/* The earliest moment of the next cycle, by what causes it. */
struct gap {
	int64_t change_us; /* setres, releaseres: somebody waits for the answer */
	int64_t event_us;  /* a submit, an update, the end of a job */
};

/* Whether a call asked for a cycle, maui.cfg was read, or it is time for one. */
static bool cycle_is_due(const struct maui_controller *c, int64_t until_us)
{
	return !is_ending() && (c->reload || c->recalculate || maui_reload_has_ended(c) ||
				maui_monotonic_us() >= until_us);
}

/* Whether an event asks for a cycle, and the gap after the last cycle is over. */
static bool event_is_due(struct maui_controller *c, const struct gap *gap)
{
	int64_t now_us = maui_monotonic_us();

	if (now_us >= gap->change_us && has_changes(c))
		return true;
	return now_us >= gap->event_us && maui_controller_plans(c) &&
	       (c->submitted || maui_sched_is_due(c->sched, time(NULL)));
}

/* Copies the output of triggers' programs to the log while they run. Gives the lock back meanwhile:
 * a log may be slow. */
static void log_program_output(struct maui_controller *c)
{
	if (!maui_sched_programs_run(c->sched))
		return;
	slurm_mutex_unlock(&c->lock);
	maui_sched_programs_look(c->sched);
	slurm_mutex_lock(&c->lock);
}

/* Between two rounds: opens what could not be opened. Gives the lock back meanwhile. */
static void open_query(struct maui_controller *c)
{
	bool schedules = maui_controller_schedules(c), was_open = c->query;

	if (!maui_controller_query_is_due(c))
		return;
	slurm_mutex_unlock(&c->lock);
	if (begin_round(schedules)) { /* it takes a lock of slurmctld */
		maui_controller_query_check(c, false);
		end_round(schedules);
	}
	slurm_mutex_lock(&c->lock);
	c->recalculate |= c->query && !was_open; /* there is no answer before the next cycle */
}

/* Sleeps until until_us, until a call asks for a cycle, or until an event is due; as long as
 * slurmctld is about to end, nothing is. false: the agent stops. The caller holds the lock. */
static bool wait_for_work(struct maui_controller *c, int64_t until_us, const struct gap *gap)
{
	bool event = false;

	while (!c->stop && !cycle_is_due(c, until_us)) {
		int64_t now_us = maui_monotonic_us(), look_us = now_us + EVENT_LOOK_US;
		bool ending = is_ending();
		bool looks = ending || maui_controller_plans(c) || c->config_reading ||
			     maui_sched_programs_run(c->sched) || has_changes(c);

		event = !ending && event_is_due(c, gap);
		if (event)
			break;
		if (c->submitted && gap->event_us > now_us && gap->event_us < look_us)
			look_us = gap->event_us;
		sleep_until(c, looks && (ending || look_us < until_us) ? look_us : until_us);
		log_program_output(c);
		open_query(c);
	}
	if (c->reload || (c->recalculate && !maui_controller_schedules(c)))
		wait_until(c, maui_monotonic_us() + RELOAD_WAIT_US);
	else if (event || c->recalculate)
		wait_until(c, maui_monotonic_us() + EVENT_WAIT_US);
	return !c->stop;
}

/* Submits wait while a cycle holds slurmctld's locks. Cycles without gaps take a third of
 * slurmctld's submit rate at 10,000 nodes and 10,000 jobs. Requests that are refused cause no more
 * cycles than submits do. */
static struct gap next_gap(int64_t took_us, bool refused_all)
{
	int64_t now_us = maui_monotonic_us();
	int64_t long_us = took_us * EVENT_GAP_TIMES;
	int64_t change_us = refused_all ? long_us : took_us;

	return (struct gap){
		.change_us = now_us + (change_us < EVENT_GAP_MAX_US ? change_us : EVENT_GAP_MAX_US),
		.event_us = now_us + (long_us < EVENT_GAP_MAX_US ? long_us : EVENT_GAP_MAX_US),
	};
}

/* The agent's rounds: when the next one is due, and whether there was one. */
struct rounds {
	int64_t next_us;
	struct gap gap;
	bool ran;
};

/* What a round does with slurmctld's locks, from first to last. The caller holds no lock. */
static void run_round(struct maui_controller *c, struct rounds *rounds)
{
	int64_t began_us = maui_monotonic_us(), took_us;
	bool reconfigured, reloaded, publish;

	slurm_mutex_lock(&c->lock);
	reconfigured = c->reload;
	publish = c->recalculate || began_us >= rounds->next_us;
	c->reload = c->recalculate = c->submitted = false;
	slurm_mutex_unlock(&c->lock);
	reloaded = reload(c, reconfigured);
	publish |= reconfigured || reloaded;
	c->refresh_names |= reconfigured || reloaded || !rounds->ran;
	if (publish)
		maui_look_at_config(c);
	maui_controller_query_check(c, reconfigured || reloaded);
	maui_sched_programs_look(c->sched);
	if (publish)
		rounds->next_us = began_us + c->config->poll_interval_s * 1000000;
	took_us = run_cycle(c, publish);
	rounds->gap = next_gap(took_us, maui_sched_refused_all(c->sched));
	update_associations(c, reconfigured);
	rounds->ran = true;
}

static void *agent_main(void *arg)
{
	struct maui_controller *c = arg;
	struct rounds rounds = { .next_us = maui_monotonic_us() };

	prctl(PR_SET_NAME, "maui_agent", 0, 0, 0);
	slurm_mutex_lock(&c->lock);
	while (wait_for_work(c, rounds.next_us, &rounds.gap)) {
		bool schedules = maui_controller_schedules(c);

		slurm_mutex_unlock(&c->lock);
		if (begin_round(schedules)) {
			run_round(c, &rounds);
			end_round(schedules);
		}
		slurm_mutex_lock(&c->lock);
	}
	slurm_mutex_unlock(&c->lock);
	maui_controller_query_close(c);
	return NULL;
}

int maui_agent_start(struct maui_controller *c, void (*save)(struct maui_controller *c))
{
	if (c->thread_runs)
		return 0;
	c->save = save;
	c->stop = false;
	if (pthread_create(&c->thread, NULL, agent_main, c))
		return -1;
	c->thread_runs = true;
	return 0;
}

void maui_agent_stop(struct maui_controller *c)
{
	if (!c->thread_runs)
		return;
	slurm_mutex_lock(&c->lock);
	c->stop = true;
	pthread_cond_broadcast(&c->wake);
	slurm_mutex_unlock(&c->lock);
	pthread_join(c->thread, NULL);
	c->thread_runs = false;
}
