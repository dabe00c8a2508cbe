/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_priority_cycle.c - a cycle's priorities and the rankings that slurmctld makes meanwhile
 *
 * src/controller/priority_cycle.c, rank.c and names.c as they are; slurmctld is this file's own.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parsed.h"
#include "rows.h"
#include "slurm_log.h"

#include "slurm/compat.h"

#include "controller/priority_cycle.h"
#include "controller/rank.h"

/* ---- slurmctld ---- */

static size_t written;                 /* jobs whose priority the cycle wrote */
static void (*before_writing)(void *); /* called when all jobs are ranked; NULL: nothing */

void maui_apply_priorities(const struct maui_apply_job *jobs, size_t count,
			   maui_still_current_fn still_current, void *arg,
			   struct maui_apply_result *ret)
{
	if (before_writing)
		before_writing(arg);
	for (size_t i = 0; i < count; i++)
		written += still_current(&jobs[i], arg);
	ret->changed = written;
}

/* ---- the cycle ---- */

enum moment { NEVER, BEFORE_COPY, AFTER_COPY, AFTER_RANKING };

static const struct row {
	const char *name;
	enum moment call; /* when an update of the job makes slurmctld rank it */
	bool keeps;       /* the call's priority */
	size_t written;
} rows[] = {
	{ "no call", NEVER, false, 1 },
	{ "a call before the copy: the cycle ranks the job again", BEFORE_COPY, false, 1 },
	{ "a call between copy and ranking keeps its priority", AFTER_COPY, true, 0 },
	{ "a call between ranking and writing keeps its priority", AFTER_RANKING, true, 0 },
};

static struct maui_captured_part part = { .name = "main", .walltime_s = 600, .up = true };

static struct maui_captured_job job_with(int64_t nice)
{
	return (struct maui_captured_job){ .job_id = 7,
					   .user_id = 1,
					   .group_id = 1,
					   .submit_s = 1000,
					   .nice = nice,
					   .nodes = 1,
					   .procs = 1,
					   .parts = &part,
					   .part_count = 1 };
}

static uint32_t called; /* the priority that slurmctld's call made */

/* slurmctld's call of priority_p_set() after `scontrol update nice=100` */
static void update_nice(void *arg)
{
	struct maui_controller *c = arg;
	struct maui_captured_job job = job_with(100);
	struct maui_job_history *history = maui_rank_history(c, &job, 1000);

	cr_assert(history && maui_rank(c, &job, history, 1000) == 0);
	called = history->rows[0].priority;
}

TEST_ROWS(priority_cycle, ranked_meanwhile, rows, row)
{
	struct maui_controller c = { .lock = PTHREAD_MUTEX_INITIALIZER,
				     .roles[MAUI_ROLE_PRIORITY] = true,
				     .config = PARSE_GOOD("CREDWEIGHT 1\nUSERWEIGHT 1\n"
							  "USERCFG[DEFAULT] PRIORITY=500\n") };
	struct maui_captured_job copied = job_with(0);
	struct maui_priority_cycle cycle;
	struct maui_apply_result applied;
	uint32_t published;

	called = 0;
	written = 0;
	before_writing = row->call == AFTER_RANKING ? update_nice : NULL;
	if (row->call == BEFORE_COPY)
		update_nice(&c);
	maui_priority_cycle_begin(&cycle, &c);
	cycle.captured.jobs = &copied;
	cycle.captured.count = 1;
	cycle.captured.now_s = 1000;
	maui_priority_cycle_add_jobs(&cycle);
	if (row->call == AFTER_COPY)
		update_nice(&c);
	maui_priority_cycle_publish(&cycle, &applied);
	published = maui_job_histories_find(&c.histories, 7)->rows[0].priority;
	cr_expect(row->call == NEVER || (published == called) == row->keeps,
		  "%s: published %u, slurmctld's call made %u", row->name, published, called);
	cr_expect(written == row->written, "%s: %zu written", row->name, written);
	maui_arena_finish(&cycle.captured.arena);
	maui_job_histories_finish(&c.histories);
	maui_names_finish(&c.names);
	maui_config_unref(c.config);
}

/* ---- a job is requeued after it was copied ---- */

static struct maui_captured_job run_of(int64_t ran_s)
{
	struct maui_captured_job job = job_with(0);

	job.user_id = job.group_id = 0; /* whose names every machine knows */
	job.account = "physics";
	job.state = MAUI_CAPTURED_ACTIVE;
	job.start_s = 1000;
	job.ran_s = ran_s;
	job.until_s = 1000 + ran_s;
	return job;
}

/* slurmctld requeues the job and ranks it */
static void requeue(struct maui_controller *c)
{
	struct maui_captured_job job = job_with(0);
	struct maui_job_history *history;

	job.user_id = job.group_id = 0;
	job.submit_s = 1100;
	job.restarted = true;
	history = maui_rank_history(c, &job, 1100);
	cr_assert(history && maui_rank(c, &job, history, 1100) == 0);
}

static void charge(struct maui_controller *c, struct maui_captured_job *copied, bool requeued)
{
	const struct maui_names_patience patience = { .stop = &c->stop,
						      .deadline_s = time(NULL) + 60 };
	struct maui_priority_cycle cycle;

	maui_priority_cycle_begin(&cycle, c);
	cycle.captured.jobs = copied;
	cycle.captured.count = 1;
	cycle.captured.now_s = copied->until_s;
	if (requeued)
		requeue(c);
	maui_priority_cycle_add_jobs(&cycle);
	maui_names_look_up(&c->names, &c->lock, &patience);
	maui_priority_cycle_charge(&cycle);
	maui_arena_finish(&cycle.captured.arena);
}

static double charged_to(const struct maui_usage *usage, const char *account)
{
	double sum = 0;

	for (size_t i = 0; i < usage->count; i++)
		sum += maui_usage_get(&usage->windows[i], MAUI_CRED_ACCOUNT, account);
	return sum;
}

Test(priority_cycle, requeued_meanwhile)
{
	struct maui_controller c = { .lock = PTHREAD_MUTEX_INITIALIZER,
				     .config = PARSE_GOOD("FSPOLICY DEDICATEDPS\n") };
	struct maui_captured_job copied = run_of(60), later = run_of(100);
	struct maui_job_history *history;

	charge(&c, &copied, false);
	cr_expect_float_eq(charged_to(&c.usage, "physics"), 60, 1e-6);
	maui_job_history_set_qos(maui_job_histories_find(&c.histories, 7), "high");
	charge(&c, &later, true);
	history = maui_job_histories_find(&c.histories, 7);
	/* the first 60 s are not charged again; the rest is lost, as with each requeue between two
	 * cycles */
	cr_expect_float_eq(charged_to(&c.usage, "physics"), 60, 1e-6, "charged %g",
			   charged_to(&c.usage, "physics"));
	cr_expect(history->submit_s == 1100, "the older copy replaced the requeued job");
	cr_expect(history->qos && strcmp(history->qos, "high") == 0, "the QOS is lost");
	maui_job_histories_finish(&c.histories);
	maui_fs_table_destroy(c.fs);
	maui_usage_finish(&c.usage);
	maui_names_finish(&c.names);
	maui_config_unref(c.config);
}

/* Slurm's threads set them while the agent reads them. */
Test(priority_cycle, flags_that_threads_share_are_atomic)
{
	struct maui_controller *c = NULL;

#define IS_ATOMIC(flag) _Generic(&(flag), atomic_bool * : true, default : false)
	cr_expect(IS_ATOMIC(c->stop));
	cr_expect(IS_ATOMIC(c->reload));
	cr_expect(IS_ATOMIC(c->recalculate));
	cr_expect(IS_ATOMIC(c->submitted));
	cr_expect(IS_ATOMIC(c->roles[MAUI_ROLE_SCHED]));
#undef IS_ATOMIC
}
