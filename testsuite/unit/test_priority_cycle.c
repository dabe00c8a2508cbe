/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_priority_cycle.c - a cycle's priorities and the rankings that slurmctld makes meanwhile
 *
 * src/controller/priority_cycle.c, rank.c and names.c as they are; slurmctld is this file's own.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "parsed.h"
#include "rows.h"

#include "slurm/compat.h"

#include "controller/priority_cycle.h"
#include "controller/rank.h"

/* ---- slurmctld ---- */

void fatal(const char *format, ...)
{
	cr_assert_fail("fatal: %s", format);
	abort();
}

/* what slurmctld's lock macros call since 24.11 */
void fatal_abort(const char *format, ...)
{
	cr_assert_fail("fatal: %s", format);
	abort();
}

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
