/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_statistics.c - figures of ended jobs, and the record of the last day
 *
 * Rules: CMD-28, CMD-29.
 */

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "cycle/job_statistics.h"
#include "state/store/store.h"
#include "state/utilisation.h"

static const char
	*const ann[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "ann", [MAUI_CRED_ACCOUNT] = "phys" };

static void is_near(double value, double expected)
{
	cr_expect(fabs(value - expected) < 1e-6, "%f instead of %f", value, expected);
}

/* 4 processors for 1800 of 3600 seconds, after 600 in the queue. */
static struct maui_ended_job one_job(void)
{
	return (struct maui_ended_job){ .cred = ann,
					.known = MAUI_CRED_IDS,
					.procs = 4,
					.ran_s = 1800,
					.queue_s = 600,
					.limit_s = 3600,
					.xfactor = 1 + 600.0 / 3600,
					.bypass = 2 };
}

Test(statistics, a_job_counts_for_its_credentials_its_size_and_the_total)
{
	struct maui_statistics s = { .since_s = 1 };
	struct maui_ended_job job = one_job();
	const double *value;

	cr_assert(maui_statistics_add(&s, &job) == 0);
	job.backfilled = 1;
	job.queue_s = 0;
	job.xfactor = 1;
	cr_assert(maui_statistics_add(&s, &job) == 0);
	value = maui_statistics_row(&s, MAUI_CRED_USER, "ann")->figures.value;
	is_near(value[MAUI_FIGURE_JOBS], 2);
	is_near(value[MAUI_FIGURE_BACKFILLED], 1);
	is_near(value[MAUI_FIGURE_USED_PS], 2 * 7200);
	is_near(value[MAUI_FIGURE_BACKFILLED_PS], 7200);
	is_near(value[MAUI_FIGURE_REQUESTED_PS], 2 * 14400);
	is_near(value[MAUI_FIGURE_QUEUE_TIME], 600);
	is_near(value[MAUI_FIGURE_MAX_QUEUE_TIME], 600);
	is_near(value[MAUI_FIGURE_XFACTOR], 1 + 600.0 / 3600 + 1);
	is_near(value[MAUI_FIGURE_BYPASS], 4);
	is_near(value[MAUI_FIGURE_ACCURACY], 1);
	is_near(s.total.value[MAUI_FIGURE_JOBS], 2);
	is_near(s.grid[1][1].value[MAUI_FIGURE_JOBS], 2);
	is_near(maui_statistics_row(&s, MAUI_CRED_ACCOUNT, "phys")->figures.value[0], 2);
	maui_statistics_finish(&s);
}

Test(statistics, the_largest_jobs_share_the_last_step)
{
	struct maui_statistics s = { 0 };
	struct maui_ended_job job = one_job();

	job.procs = 1e6;
	job.limit_s = 0;
	maui_statistics_add(&s, &job);
	is_near(s.grid[MAUI_GRID_PROCS - 1][MAUI_GRID_TIMES - 1].value[MAUI_FIGURE_JOBS], 1);
	is_near(s.total.value[MAUI_FIGURE_LIMITED], 0);
	job.procs = 1;
	job.limit_s = 900;
	maui_statistics_add(&s, &job);
	is_near(s.grid[0][0].value[MAUI_FIGURE_JOBS], 1);
	maui_statistics_finish(&s);
}

/* Users can invent accounts and QOS: further ones share a row, users never do. */
Test(statistics, claims_beyond_the_bound_share_one_row)
{
	struct maui_statistics s = { 0 };
	struct maui_ended_job job = one_job();
	const char *cred[MAUI_CRED_COUNT] = { 0 };
	char user[32], name[32];

	job.cred = cred;
	cred[MAUI_CRED_USER] = user;
	cred[MAUI_CRED_QOS] = name;
	for (unsigned i = 0; i < MAUI_CLAIMS_OF_A_USER + 5; i++) {
		snprintf(user, sizeof(user), "amy");
		snprintf(name, sizeof(name), "q%u", i);
		cr_assert(maui_statistics_add(&s, &job) == 0);
	}
	is_near(maui_statistics_row(&s, MAUI_CRED_QOS, "[others]")->figures.value[0], 5);
	job.known = MAUI_CRED_IDS | 1u << MAUI_CRED_QOS;
	cr_assert(maui_statistics_add(&s, &job) == 0);
	is_near(maui_statistics_row(&s, MAUI_CRED_QOS, name)->figures.value[0], 1);
	job.known = MAUI_CRED_IDS;
	cred[MAUI_CRED_QOS] = NULL;
	for (unsigned i = 0; i < MAUI_STATISTICS_MAX_NAMES; i++) {
		snprintf(user, sizeof(user), "u%u", i);
		cr_assert(maui_statistics_add(&s, &job) == 0);
	}
	is_near(maui_statistics_row(&s, MAUI_CRED_USER, user)->figures.value[0], 1);
	cred[MAUI_CRED_ACCOUNT] = "bio";
	cr_assert(maui_statistics_add(&s, &job) == 0);
	is_near(maui_statistics_row(&s, MAUI_CRED_ACCOUNT, "[others]")->figures.value[0], 1);
	maui_statistics_finish(&s);
}

Test(statistics, a_view_stays_as_it_was)
{
	struct maui_statistics s = { .since_s = 1 };
	struct maui_statistics_view *view, *same, *next;
	struct maui_ended_job job = one_job();

	maui_statistics_add(&s, &job);
	view = maui_statistics_view_create(&s, NULL);
	same = maui_statistics_view_create(&s, view);
	cr_expect_eq(view, same);
	maui_statistics_add(&s, &job);
	next = maui_statistics_view_create(&s, view);
	cr_expect_neq(view, next);
	maui_statistics_finish(&s);
	cr_assert(view->count == 2);
	cr_expect_str_eq(view->rows[0].name, "ann");
	is_near(view->rows[0].figures.value[MAUI_FIGURE_JOBS], 1);
	is_near(next->rows[0].figures.value[MAUI_FIGURE_JOBS], 2);
	maui_statistics_view_unref(view);
	maui_statistics_view_unref(same);
	maui_statistics_view_unref(next);
}

Test(statistics, each_end_counts_once)
{
	struct maui_config config = { .fs_depth = 1 };
	struct maui_statistics s = { .since_s = 1000 };
	struct maui_job_history history = { .stamp_s = 900, .bypassed = 3 };
	struct maui_captured_job job = { .state = MAUI_CAPTURED_ACTIVE,
					 .start_s = 1000,
					 .ran_s = 60,
					 .until_s = 1060,
					 .procs = 2 };

	maui_job_statistics_count(&s, &config, &history, &job, ann, MAUI_CRED_IDS, 120);
	is_near(s.total.value[MAUI_FIGURE_JOBS], 0);
	job.state = MAUI_CAPTURED_ENDED;
	maui_job_statistics_count(&s, &config, &history, &job, ann, MAUI_CRED_IDS, 120);
	maui_job_statistics_count(&s, &config, &history, &job, ann, MAUI_CRED_IDS, 120);
	is_near(s.total.value[MAUI_FIGURE_JOBS], 1);
	is_near(s.total.value[MAUI_FIGURE_QUEUE_TIME], 100);
	is_near(s.total.value[MAUI_FIGURE_XFACTOR], 1 + 100.0 / 120);
	is_near(s.total.value[MAUI_FIGURE_BYPASS], 3);
	is_near(s.total.value[MAUI_FIGURE_ACCURACY], 0.5);
	/* it ended before a reset that came meanwhile */
	history.counted = false;
	maui_statistics_reset(&s, 2000);
	maui_job_statistics_count(&s, &config, &history, &job, ann, MAUI_CRED_IDS, 120);
	cr_expect(history.counted);
	is_near(s.total.value[MAUI_FIGURE_JOBS], 0);
	maui_statistics_finish(&s);
}

/* A job's record in one cycle, as priority_cycle.c counts it. */
static void look(struct maui_statistics *s, struct maui_job_histories *histories,
		 const struct maui_captured_job *job)
{
	const struct maui_config config = { .fs_depth = 1 };
	const struct maui_job_history_key key = { .job_id = 17,
						  .submit_s = job->submit_s,
						  .restarted = job->restarted };
	struct maui_job_history *history = maui_job_histories_get(histories, &key, job->until_s);

	cr_assert(history != NULL);
	if (job->start_s == 0)
		return;
	cr_assert(maui_job_statistics_count_start(s, &config, history, job, ann, MAUI_CRED_IDS) ==
		  0);
	cr_assert(maui_job_statistics_count(s, &config, history, job, ann, MAUI_CRED_IDS, 120) ==
		  0);
}

Test(statistics, a_job_that_never_ran_does_not_count)
{
	struct maui_config config = { .fs_depth = 1 };
	struct maui_statistics s = { .since_s = 1 };
	struct maui_job_history history = { 0 };
	struct maui_captured_job job = { .state = MAUI_CAPTURED_ENDED, .until_s = 1060 };

	maui_job_statistics_count(&s, &config, &history, &job, ann, MAUI_CRED_IDS, 120);
	is_near(s.total.value[MAUI_FIGURE_JOBS], 0);
}

static double waits_of(struct maui_statistics *s, enum maui_cred_kind kind, const char *name,
		       enum maui_wait wait, int figure)
{
	return maui_waits_of(&maui_statistics_row(s, kind, name)->waits, wait)[figure];
}

/* slurmctld keeps the start of a requeued job while its nodes complete, and then gives the job a
 * new submit time. */
Test(statistics, each_run_of_a_requeued_job_counts)
{
	static const struct {
		enum maui_captured_state state;
		bool restarted;
		int64_t submit_s, start_s, until_s;
		double starts, ends; /* counted so far */
	} looks[] = {
		{ MAUI_CAPTURED_ACTIVE, false, 1100, 1105, 1110, 1, 0 },
		{ MAUI_CAPTURED_ACTIVE, false, 1100, 1105, 1200, 1, 0 },
		{ MAUI_CAPTURED_PENDING, true, 1100, 1105, 1200, 1, 0 },
		{ MAUI_CAPTURED_PENDING, true, 1210, 0, 1220, 1, 0 },
		{ MAUI_CAPTURED_ACTIVE, true, 1210, 1214, 1230, 2, 0 },
		{ MAUI_CAPTURED_ENDED, true, 1210, 1214, 1300, 2, 1 },
		{ MAUI_CAPTURED_ENDED, true, 1210, 1214, 1300, 2, 1 },
		/* requeued by an administrator after its end, and not seen while it waited */
		{ MAUI_CAPTURED_ACTIVE, true, 1310, 1316, 1330, 3, 1 },
		{ MAUI_CAPTURED_ENDED, true, 1310, 1316, 1340, 3, 2 },
	};
	struct maui_statistics s = { .since_s = 1000 };
	struct maui_job_histories histories = { 0 };

	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		const struct maui_captured_job job = {
			.state = looks[i].state,
			.restarted = looks[i].restarted,
			.submit_s = looks[i].submit_s,
			.start_s = looks[i].start_s,
			.ran_s = looks[i].start_s ? looks[i].until_s - looks[i].start_s : 0,
			.until_s = looks[i].until_s,
			.procs = 2,
		};

		look(&s, &histories, &job);
		cr_expect(waits_of(&s, MAUI_CRED_USER, "ann", MAUI_WAIT_ELIGIBLE, 0) ==
				  looks[i].starts,
			  "look %zu: starts", i);
		cr_expect(s.total.value[MAUI_FIGURE_JOBS] == looks[i].ends, "look %zu: ends", i);
	}
	maui_job_histories_finish(&histories);
	maui_statistics_finish(&s);
}

Test(statistics, a_wait_counts_once_for_each_start)
{
	struct maui_config config = { .fs_depth = 1 };
	struct maui_statistics s = { .since_s = 1000 };
	struct maui_job_history history = { .stamp_s = 5000 };
	struct maui_captured_job job = { .state = MAUI_CAPTURED_ACTIVE,
					 .submit_s = 1100,
					 .start_s = 5010 };

	/* up to 4 hours until it was eligible, up to 10 seconds from then on */
	maui_job_statistics_count_start(&s, &config, &history, &job, ann, MAUI_CRED_IDS);
	maui_job_statistics_count_start(&s, &config, &history, &job, ann, MAUI_CRED_IDS);
	is_near(waits_of(&s, MAUI_CRED_ACCOUNT, "phys", MAUI_WAIT_BLOCKED, 5), 1);
	is_near(waits_of(&s, MAUI_CRED_ACCOUNT, "phys", MAUI_WAIT_BLOCKED, MAUI_WAIT_SUM), 3900);
	is_near(waits_of(&s, MAUI_CRED_ACCOUNT, "phys", MAUI_WAIT_ELIGIBLE, 0), 1);
	is_near(waits_of(&s, MAUI_CRED_USER, "ann", MAUI_WAIT_ELIGIBLE, MAUI_WAIT_SUM), 10);
	/* the next job with that number */
	history = (struct maui_job_history){ .stamp_s = 6000 };
	job.submit_s = 6000;
	job.start_s = 6011;
	maui_job_statistics_count_start(&s, &config, &history, &job, ann, MAUI_CRED_IDS);
	is_near(waits_of(&s, MAUI_CRED_USER, "ann", MAUI_WAIT_ELIGIBLE, 1), 1);
	/* the statistics began after its start */
	history.wait_counted = false;
	maui_statistics_reset(&s, 7000);
	maui_job_statistics_count_start(&s, &config, &history, &job, ann, MAUI_CRED_IDS);
	is_near(waits_of(&s, MAUI_CRED_USER, "ann", MAUI_WAIT_ELIGIBLE, 1), 0);
	maui_statistics_finish(&s);
}

Test(statistics, waits_are_counted_in_steps)
{
	struct maui_waits waits = { { 0 } };

	maui_waits_add(&waits, MAUI_WAIT_ELIGIBLE, 0);
	maui_waits_add(&waits, MAUI_WAIT_ELIGIBLE, 10);
	maui_waits_add(&waits, MAUI_WAIT_ELIGIBLE, 11);
	maui_waits_add(&waits, MAUI_WAIT_BLOCKED, 604800);
	maui_waits_add(&waits, MAUI_WAIT_BLOCKED, INT64_C(1) << 40);
	is_near(maui_waits_of(&waits, MAUI_WAIT_ELIGIBLE)[0], 2);
	is_near(maui_waits_of(&waits, MAUI_WAIT_ELIGIBLE)[1], 1);
	is_near(maui_waits_of(&waits, MAUI_WAIT_BLOCKED)[MAUI_WAIT_STEPS - 2], 1);
	is_near(maui_waits_of(&waits, MAUI_WAIT_BLOCKED)[MAUI_WAIT_STEPS - 1], 1);
	for (int step = 1; step < MAUI_WAIT_STEPS; step++)
		cr_expect_gt(maui_wait_limit(step), maui_wait_limit(step - 1));
}

/* ---- the state file ---- */

Test(statistics, the_state_file_keeps_them)
{
	struct maui_statistics s = { .since_s = 1000, .capacity_ps = 5000, .used_ps = 100 };
	struct maui_store store = { .saved_s = 2000 }, read;
	struct maui_ended_job job = one_job();
	double load[MAUI_LOAD_COUNT] = { 16, 0, 8 };
	struct maui_strbuf out = { 0 };
	struct maui_err err;

	maui_statistics_add(&s, &job);
	maui_statistics_add_waits(&s, &(struct maui_started_job){ .cred = ann,
								  .known = MAUI_CRED_IDS,
								  .waited_s = { 70, 4000 } });
	store.statistics = s;
	maui_utilisation_note(&store.utilisation, 6000, load);
	maui_utilisation_note(&store.utilisation, 6100, load);
	maui_store_format(&store, &out);
	cr_assert(maui_store_parse(out.text, out.length, &read, &err) == 0, "%s", err.text);
	cr_expect(read.statistics.since_s == 1000);
	is_near(read.statistics.capacity_ps, 5000);
	is_near(read.statistics.total.value[MAUI_FIGURE_JOBS], 1);
	is_near(read.statistics.total.value[MAUI_FIGURE_XFACTOR], 1.166667);
	is_near(read.statistics.grid[1][1].value[MAUI_FIGURE_USED_PS], 7200);
	is_near(maui_statistics_row(&read.statistics, MAUI_CRED_ACCOUNT, "phys")->figures.value[0],
		1);
	is_near(waits_of(&read.statistics, MAUI_CRED_USER, "ann", MAUI_WAIT_BLOCKED, 2), 1);
	is_near(waits_of(&read.statistics, MAUI_CRED_USER, "ann", MAUI_WAIT_ELIGIBLE,
			 MAUI_WAIT_SUM),
		4000);
	cr_assert(read.utilisation.count == 1);
	is_near(read.utilisation.spans[0].known_s, 100);
	is_near(read.utilisation.spans[0].sum[MAUI_LOAD_USED], 800);
	maui_strbuf_finish(&out);
	maui_store_finish(&read);
	maui_statistics_finish(&s);
}

Test(statistics, a_file_of_an_earlier_release_is_read)
{
	static const char text[] = "{\"schema\": \"maui.state.v1\", \"saved\": 5, \"jobs\": []}";
	struct maui_store read;
	struct maui_err err;

	cr_assert(maui_store_parse(text, sizeof(text) - 1, &read, &err) == 0, "%s", err.text);
	cr_expect(read.statistics.since_s == 0 && read.utilisation.count == 0);
	maui_store_finish(&read);
}

Test(statistics, invalid_figures_are_left_out)
{
	static const char text[] =
		"{\"schema\": \"maui.state.v1\", \"saved\": 5, \"jobs\": [], \"statistics\": {\"since\": "
		"7, \"total\": [1, -2], \"grid\": [{\"procs\": 99, \"time\": 0, \"figures\": [1]}, 3], "
		"\"rows\": [{\"kind\": \"user\", \"name\": \"ann\", \"figures\": [4]}, {\"kind\": "
		"\"colour\", \"name\": \"x\", \"figures\": [4]}, {\"kind\": \"user\", \"name\": \"bob\","
		" \"figures\": [1e999]}, []]}, \"utilisation\": [{\"start\": 601, \"known\": 5, "
		"\"sums\": [1]}, {\"start\": 600, \"known\": 5, \"sums\": [1]}, {\"start\": 600, "
		"\"known\": 5, \"sums\": [1]}, 7]}";
	struct maui_store read;
	struct maui_err err;

	cr_assert(maui_store_parse(text, sizeof(text) - 1, &read, &err) == 0, "%s", err.text);
	cr_expect(read.statistics.since_s == 7);
	cr_expect(read.statistics.rows.used == 1);
	is_near(read.statistics.total.value[MAUI_FIGURE_JOBS], 0);
	cr_expect(read.utilisation.count == 1);
	maui_store_finish(&read);
}

/* ---- the last day ---- */

Test(utilisation, a_state_holds_until_the_next_one)
{
	struct maui_utilisation u = { 0 };
	double load[MAUI_LOAD_COUNT] = { 16, 0, 4 };

	cr_expect(maui_utilisation_note(&u, 6000, load) == 0);
	load[MAUI_LOAD_USED] = 16;
	cr_expect(maui_utilisation_note(&u, 6300, load) == 300);
	cr_expect(maui_utilisation_note(&u, 6700, load) == 400);
	cr_assert(u.count == 2);
	is_near(u.spans[0].sum[MAUI_LOAD_USED], 4 * 300 + 16 * 300);
	is_near(u.spans[1].sum[MAUI_LOAD_USED], 16 * 100);
	is_near(u.spans[1].known_s, 100);
}

Test(utilisation, nothing_is_known_while_slurmctld_is_down)
{
	struct maui_utilisation u = { 0 };
	double load[MAUI_LOAD_COUNT] = { 16, 0, 4 };

	maui_utilisation_note(&u, 6000, load);
	cr_expect(maui_utilisation_note(&u, 9000, load) == 0);
	cr_expect(u.count == 0);
	cr_expect(maui_utilisation_note(&u, 8000, load) == 0);
	cr_expect(maui_utilisation_note(&u, 8010, load) == 10);
}

Test(utilisation, a_day_is_kept)
{
	struct maui_utilisation u = { 0 };
	double load[MAUI_LOAD_COUNT] = { 16, 0, 4 };

	for (int64_t t = 6000; t <= 6000 + 2 * 86400; t += 300)
		maui_utilisation_note(&u, t, load);
	cr_expect(u.count <= MAUI_UTILISATION_SPANS && u.count >= MAUI_UTILISATION_SPANS - 1);
	is_near(u.spans[u.count - 1].known_s, 600);
	cr_expect(u.spans[0].start_s >= 6000 + 86400 - 600);
	maui_utilisation_note(&u, 6000 + 5 * 86400, load);
	cr_expect(u.count == 0);
}
