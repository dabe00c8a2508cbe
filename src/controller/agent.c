/* SPDX-License-Identifier: GPL-2.0-or-later */
/* agent.c - the thread that runs the scheduling cycles
 *
 * A cycle runs every RMPOLLINTERVAL, and under sched/maui also after a submit, an end, an update.
 * One cycle copies slurmctld's jobs (short locks), learns the names of users and groups, charges
 * usage, ranks every job, writes the priorities back (short WRITE locks), plans and starts jobs
 * (sched/cycle.h), and saves the state. In between it holds none of slurmctld's locks, and the
 * controller's lock for one job at a time only. A cycle that an event caused leaves the published
 * priorities as they are: they change with the clock, and each write would be an event for
 * everybody who watches slurmctld.
 *
 * Rules: CMD-6.
 */

#include "slurm/compat.h"

#include "controller/private.h"

#include <stdlib.h>
#include <sys/prctl.h>

#include "cycle/usage_charges.h"
#include "controller/query.h"
#include "controller/rank.h"
#include "controller/sched/cycle.h"
#include "slurm/publish/priorities.h"
#include "slurm/capture/jobs.h"
#include "slurm/hold.h"

enum {
	SAVE_EVERY_S = 30,
	FORGET_AFTER_S = 600,       /* a history no snapshot had: beyond any slow start */
	NAMES_S = 5,                /* the most that ranking waits for names nobody has heard yet */
	EVENT_NAMES_S = 1,          /* the same when jobs wait for a start */
	SETTLE_US = 200000,         /* wishes that come in a burst are served together */
	EVENT_SETTLE_US = 10000,    /* an idle machine starts a job at once */
	EVENT_LOOK_US = 50000,      /* slurmctld's stamps are looked at so often */
	EVENT_GAP_TIMES = 9,        /* between two cycles nine times what the last one took: events
				       keep cycles going for a tenth of the time at most ... */
	EVENT_GAP_MAX_US = 2000000, /* ... unless a cycle takes longer than a ninth of this */
};

struct cycle {
	struct maui_controller *c;
	struct maui_captured_jobs captured;
	struct maui_hold_times reads; /* of a capture for priorities only */
	bool plans;                   /* captured for a plan, too */
	int64_t waited_us;            /* for the name service, without any lock */
	struct maui_apply_job *jobs;
	size_t job_count;
	int64_t began_us;
};

/* UPROC, UJOB: what each user runs now. */
static void count_active(struct cycle *cycle)
{
	struct maui_controller *c = cycle->c;
	struct maui_name *user;

	for (size_t i = 0; i < cycle->captured.count; i++) {
		const struct maui_captured_job *captured = &cycle->captured.jobs[i];

		if (captured->state != MAUI_CAPTURED_ACTIVE)
			continue;
		slurm_mutex_lock(&c->lock);
		user = maui_names_find_user(&c->names, captured->user_id);
		if (user) {
			user->next_jobs++; /* a suspended job counts as a job, not as processors */
			user->next_procs += captured->suspended ? 0 : captured->procs;
		}
		slurm_mutex_unlock(&c->lock);
	}
	slurm_mutex_lock(&c->lock); /* a submit meanwhile saw the old count, never half of the
				       new */
	for (size_t at = 0; (user = maui_hashtable_next(&c->names.users, &at));) {
		user->active_procs = user->next_procs;
		user->active_jobs = user->next_jobs;
		user->next_procs = user->next_jobs = 0;
	}
	slurm_mutex_unlock(&c->lock);
}

/* Makes every job's history and names, so that the names can be asked for before they are used. */
static void meet_jobs(struct cycle *cycle)
{
	struct maui_controller *c = cycle->c;

	for (size_t i = 0; i < cycle->captured.count; i++) {
		const struct maui_captured_job *captured = &cycle->captured.jobs[i];

		slurm_mutex_lock(&c->lock);
		maui_rank_history(c, captured, cycle->captured.now_s);
		maui_names_user(&c->names, captured->user_id);
		maui_names_group(&c->names, captured->group_id);
		slurm_mutex_unlock(&c->lock);
	}
}

static void charge_jobs(struct cycle *cycle)
{
	struct maui_controller *c = cycle->c;
	const char *cred[MAUI_CRED_COUNT];

	for (size_t i = 0; i < cycle->captured.count; i++) {
		const struct maui_captured_job *captured = &cycle->captured.jobs[i];
		struct maui_job_history *history;

		if (captured->start_s == 0)
			continue;
		slurm_mutex_lock(&c->lock);
		history = maui_job_histories_find(&c->histories, captured->job_id);
		if (history && c->first_start)
			maui_usage_charge_begin(history, captured);
		if (history &&
		    maui_names_settled(&c->names, captured->user_id, captured->group_id)) {
			maui_rank_creds(c, captured, history,
					captured->part_count ? captured->parts[0].name : NULL,
					cred);
			maui_usage_charge_job(&c->usage, c->config, history, captured, cred,
					      &cycle->captured.totals, c->first_start);
		}
		slurm_mutex_unlock(&c->lock);
	}
	c->first_start = false;
}

/* Percentages of this moment, for everyone who ranks until the next cycle. */
static void publish_usage(struct cycle *cycle)
{
	struct maui_controller *c = cycle->c;
	struct maui_fs_table *table, *old;

	maui_fairshare_expire(&c->usage, c->config, cycle->captured.now_s);
	table = maui_fs_table_create(&c->usage, c->config, cycle->captured.now_s);
	if (!table)
		return;
	slurm_mutex_lock(&c->lock);
	old = c->fs;
	c->fs = table;
	c->totals = cycle->captured.totals;
	slurm_mutex_unlock(&c->lock);
	maui_fs_table_destroy(old);
}

/* Ranks one job; adds it to those to write back unless it is held or set directly. */
static void rank_job(struct cycle *cycle, const struct maui_captured_job *captured)
{
	struct maui_controller *c = cycle->c;
	struct maui_apply_job *job = &cycle->jobs[cycle->job_count];
	struct maui_apply_part *parts;
	struct maui_job_history *history;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, captured->job_id);
	if (history && maui_rank(c, captured, history, cycle->captured.now_s) == 0 &&
	    !captured->held && !captured->direct) {
		parts = maui_arena_alloc(&cycle->captured.arena,
					 history->row_count * sizeof(*parts));
		if (parts) {
			maui_rank_parts(history, parts);
			*job = (struct maui_apply_job){ .job_id = captured->job_id,
							.submit_s = captured->submit_s,
							.version = history->version,
							.parts = parts,
							.part_count = history->row_count };
			cycle->job_count++;
		}
	}
	slurm_mutex_unlock(&c->lock);
}

static void rank_jobs(struct cycle *cycle)
{
	struct maui_captured_jobs *all = &cycle->captured;

	cycle->jobs = maui_arena_alloc(&all->arena, (all->count + 1) * sizeof(*cycle->jobs));
	for (size_t i = 0; cycle->jobs && i < all->count; i++)
		if (all->jobs[i].state != MAUI_CAPTURED_ENDED)
			rank_job(cycle, &all->jobs[i]);
}

/* Nobody ranked the job anew (an update, a release) since this cycle did. */
static bool still_current(const struct maui_apply_job *job, void *arg)
{
	struct maui_controller *c = arg;
	const struct maui_job_history *history;
	bool current;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, job->job_id);
	current = history && history->version == job->version;
	slurm_mutex_unlock(&c->lock);
	return current;
}

/* A window boundary since the last cycle, or time to save anyway. */
static void save_if_due(struct cycle *cycle)
{
	struct maui_controller *c = cycle->c;
	int64_t now_s = cycle->captured.now_s;
	int64_t window_s = maui_fairshare_window_start(now_s, c->config->fs_interval_s);
	bool rolled = window_s != c->window_s;

	c->window_s = window_s;
	if (rolled || now_s - c->saved_s >= SAVE_EVERY_S || now_s < c->saved_s)
		maui_save_state(c);
	slurm_mutex_lock(&c->lock);
	maui_job_histories_expire(&c->histories, now_s - FORGET_AFTER_S);
	slurm_mutex_unlock(&c->lock);
	maui_complain(c, now_s);
}

static void log_cycle(const struct cycle *cycle, const struct maui_apply_result *applied)
{
	debug("slurm-maui: cycle: %zu jobs, %zu ranked, %zu changed in %lld us; longest lock: read %u us "
	      "of %u holds, write %u us of %u holds",
	      cycle->captured.count, cycle->job_count, applied->changed,
	      (long long)(maui_hold_clock_us() - cycle->began_us), cycle->reads.longest_us,
	      cycle->reads.count, applied->writes.longest_us, applied->writes.count);
}

/* Computed anew and written back. */
static void publish_priorities(struct cycle *cycle)
{
	struct maui_apply_result applied;

	rank_jobs(cycle);
	if (!cycle->c->roles[MAUI_ROLE_PRIORITY])
		return; /* another plugin's priorities stand */
	maui_apply_priorities(cycle->jobs, cycle->job_count, still_current, cycle->c, &applied);
	log_cycle(cycle, &applied);
}

/* Jobs are planned by sched/maui, and under SERVERMODE TEST beside any other scheduler. */
static bool plans_jobs(struct maui_controller *c)
{
	if (maui_controller_schedules(c) || c->config->server_mode == MAUI_SERVER_TEST)
		return c->sched;
	maui_sched_end_trial(c->sched);
	return false;
}

/* Once for priorities and plan. Where the plan's copy fails, priorities get one of their own. */
static int copy_jobs(struct cycle *cycle)
{
	struct maui_err err;

	cycle->plans = plans_jobs(cycle->c) && maui_sched_begin(cycle->c, &cycle->captured) == 0;
	if (cycle->plans || maui_capture_jobs(&cycle->captured, &cycle->reads, &err) == 0)
		return 0;
	error("slurm-maui: %s; priorities stay as they are", err.text);
	return -1;
}

/* What to do in one cycle besides looking. */
struct work {
	bool publish; /* priorities: it is time, or somebody wishes */
	bool refresh; /* a start or a reconfigure: names may have changed */
};

/* Waiting for the name service takes nothing from slurmctld. */
static void learn_names(struct cycle *cycle, const struct maui_names_patience *patience)
{
	int64_t since_us = maui_hold_clock_us();

	maui_names_learn(&cycle->c->names, &cycle->c->lock, patience);
	cycle->waited_us += maui_hold_clock_us() - since_us;
}

/* Names are asked for again after the ranking, which must not wait for a slow name service. Returns
 * how long the cycle worked, without its waits for that service. */
static int64_t run_cycle(struct maui_controller *c, const struct work *work)
{
	int64_t worked_us;
	struct maui_names_patience patience = {
		.stop = &c->stop,
		.deadline_s = time(NULL) + (work->publish ? NAMES_S : EVENT_NAMES_S)
	};
	struct cycle cycle = { .c = c, .began_us = maui_hold_clock_us() };

	if (copy_jobs(&cycle))
		return 0;
	meet_jobs(&cycle);
	learn_names(&cycle, &patience);
	charge_jobs(&cycle);
	publish_usage(&cycle);
	count_active(&cycle);
	if (work->publish)
		publish_priorities(&cycle);
	if (cycle.plans)
		maui_sched_iterate(c->sched);
	save_if_due(&cycle);
	maui_captured_jobs_finish(&cycle.captured);
	worked_us = maui_hold_clock_us() - cycle.began_us - cycle.waited_us;
	patience.deadline_s = maui_controller_schedules(c) ? time(NULL) + NAMES_S : 0;
	if (work->refresh)
		maui_names_refresh(&c->names, &c->lock, c->config, true, &patience);
	return worked_us;
}

static void reload(struct maui_controller *c)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };

	lock_slurmctld(locks);
	maui_load_slurm_conf(c);
	unlock_slurmctld(locks);
	if (maui_load_config(c, false, true) == 0 && c->sched)
		maui_sched_reloaded(c->sched);
}

static void sleep_until(struct maui_controller *c, int64_t until_us)
{
	struct timespec when = { .tv_sec = until_us / 1000000,
				 .tv_nsec = until_us % 1000000 * 1000 };

	pthread_cond_timedwait(&c->wake, &c->lock, &when);
}

static void settle(struct maui_controller *c, int64_t until_us)
{
	while (!c->stop && maui_hold_clock_us() < until_us)
		sleep_until(c, until_us);
}

/* Somebody waits for what setres or releaseres asks for, under SERVERMODE TEST as well. */
static bool has_changes(struct maui_controller *c)
{
	return c->query && c->sched && maui_query_has_changes(c->query);
}

/* The earliest next cycles, after the last one. */
struct gap {
	int64_t change_us; /* for an administrator who waits for the answer */
	int64_t event_us;  /* for a submit, an end, an update */
};

/* Something that a plan should know of. */
static bool event_is_due(struct maui_controller *c, const struct gap *gap)
{
	int64_t now_us = maui_hold_clock_us();

	if (now_us >= gap->change_us && has_changes(c))
		return true;
	return now_us >= gap->event_us && maui_controller_schedules(c) &&
	       (c->submitted || maui_sched_is_due(c->sched, time(NULL)));
}

/* What they write is to be in the log while they run. Without the lock: a log may be slow. */
static void look_at_programs(struct maui_controller *c)
{
	if (!maui_sched_programs_run(c->sched))
		return;
	slurm_mutex_unlock(&c->lock);
	maui_sched_programs_look(c->sched);
	slurm_mutex_lock(&c->lock);
}

/* Sleeps until it is time, an administrator wishes, or an event is due; false: stop. The caller
 * holds the lock. */
static bool wait_for_work(struct maui_controller *c, int64_t until_us, const struct gap *gap)
{
	bool event = false;

	while (!c->stop && !c->reload && !c->recalculate && maui_hold_clock_us() < until_us) {
		int64_t look_us = maui_hold_clock_us() + EVENT_LOOK_US;
		bool looks = maui_controller_schedules(c) || maui_sched_programs_run(c->sched) ||
			     has_changes(c);

		event = event_is_due(c, gap);
		if (event)
			break;
		if (c->submitted && gap->event_us < look_us)
			look_us = gap->event_us;
		sleep_until(c, looks && look_us < until_us ? look_us : until_us);
		look_at_programs(c);
	}
	if (c->reload || (c->recalculate && !maui_controller_schedules(c)))
		settle(c, maui_hold_clock_us() + SETTLE_US);
	else if (event || c->recalculate)
		settle(c, maui_hold_clock_us() + EVENT_SETTLE_US);
	return !c->stop;
}

/* Submits wait for slurmctld's locks as long as a cycle holds them: without a pause, cycles take a
 * third of slurmctld's submit rate at 10,000 nodes and 10,000 jobs. */
static struct gap next_gap(int64_t took_us)
{
	int64_t now_us = maui_hold_clock_us();
	int64_t long_us = took_us * EVENT_GAP_TIMES;

	return (struct gap){
		.change_us = now_us + (took_us < EVENT_GAP_MAX_US ? took_us : EVENT_GAP_MAX_US),
		.event_us = now_us + (long_us < EVENT_GAP_MAX_US ? long_us : EVENT_GAP_MAX_US),
	};
}

static void *agent_main(void *arg)
{
	struct maui_controller *c = arg;
	int64_t next_us = maui_hold_clock_us();
	struct gap gap = { 0 };
	bool first = true;

	prctl(PR_SET_NAME, "maui_agent", 0, 0, 0);
	slurm_mutex_lock(&c->lock);
	while (wait_for_work(c, next_us, &gap)) {
		int64_t began_us = maui_hold_clock_us();
		struct work work = { .publish = c->reload || c->recalculate || began_us >= next_us,
				     .refresh = c->reload || first };
		bool wants_reload = c->reload;

		c->reload = c->recalculate = c->submitted = false;
		slurm_mutex_unlock(&c->lock);
		if (wants_reload)
			reload(c);
		maui_controller_query_tend(c, wants_reload);
		maui_sched_programs_look(c->sched);
		if (work.publish)
			next_us = began_us + c->config->poll_interval_s * 1000000;
		gap = next_gap(run_cycle(c, &work));
		first = false;
		slurm_mutex_lock(&c->lock);
	}
	slurm_mutex_unlock(&c->lock);
	maui_controller_query_close(c);
	return NULL;
}

int maui_agent_start(struct maui_controller *c)
{
	if (c->thread_runs)
		return 0;
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
