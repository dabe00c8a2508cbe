/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_estimate_errors.c - how far starts came from what was expected
 *
 * Rules: CMD-67.
 */

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cycle/job_statistics.h"
#include "model/when.h"
#include "state/estimate_errors.h"
#include "state/store/store.h"

static struct maui_estimate_errors errors;

/* A job that started so much later than an estimate that was an hour ahead. */
static void add(int64_t error_s)
{
	const struct maui_estimate estimate = { 1000, 4600 };

	maui_estimate_errors_add(&errors, MAUI_ESTIMATE_FIRST, &estimate, 4600 + error_s);
}

static const struct maui_error_counts *an_hour_ahead(void)
{
	return &errors.counts[MAUI_ESTIMATE_FIRST][maui_ahead_step(3600)];
}

/* Steps grow by a fifth. */
static void is_about(double value, double expected)
{
	cr_expect(fabs(value - expected) <= fabs(expected) / 5 + 30, "%f instead of %f", value,
		  expected);
}

Test(estimate_errors, quantiles_are_those_of_the_jobs)
{
	for (int i = -500; i <= 500; i++)
		add(i * INT64_C(20));
	cr_expect(maui_error_counts_jobs(an_hour_ahead()) == 1001);
	is_about(maui_error_counts_quantile(an_hour_ahead(), 0.1), -8000);
	is_about(maui_error_counts_quantile(an_hour_ahead(), 0.5), 0);
	is_about(maui_error_counts_quantile(an_hour_ahead(), 0.9), 8000);
	is_about(maui_error_counts_within(an_hour_ahead(), 0.5), 5000);
}

Test(estimate_errors, a_quantile_grows_with_its_part)
{
	double last = -INFINITY;

	add(-40000000);
	add(-31);
	add(7);
	add(-7);
	add(900);
	add(40000000);
	for (int i = 0; i <= 100; i++) {
		double now = maui_error_counts_quantile(an_hour_ahead(), i / 100.0);

		cr_expect(now >= last, "%d: %f after %f", i, now, last);
		last = now;
	}
}

Test(estimate_errors, of_no_job_nothing_is_known)
{
	cr_expect(isnan(maui_error_counts_quantile(an_hour_ahead(), 0.5)));
	cr_expect(isnan(maui_error_counts_within(an_hour_ahead(), 0.5)));
}

Test(estimate_errors, a_step_ahead_has_its_limit)
{
	cr_expect(maui_ahead_step(0) == 0);
	for (int step = 0; step < MAUI_AHEAD_STEPS - 1; step++) {
		cr_expect(maui_ahead_step(maui_ahead_limit(step)) == step);
		cr_expect(maui_ahead_step(maui_ahead_limit(step) + 1) == step + 1);
	}
	cr_expect(maui_ahead_limit(MAUI_AHEAD_STEPS - 1) == MAUI_NEVER);
}

/* ---- from a waiting job to the statistics ---- */

static struct maui_statistics statistics;
static struct maui_job_history history;
static struct maui_config config;

static uint64_t counted(enum maui_estimate_kind kind, int64_t ahead_s)
{
	struct maui_estimate_errors *of = maui_statistics_errors(&statistics, "batch");

	return maui_error_counts_jobs(&of->counts[kind][maui_ahead_step(ahead_s)]);
}

static void expect(int64_t at_s, int64_t start_s)
{
	maui_expected_add(&history.expected, &(struct maui_estimate){ at_s, start_s });
}

static void start(int64_t start_s, enum maui_captured_state state)
{
	const struct maui_captured_job job = { .start_s = start_s, .state = state };
	const char *const cred[MAUI_CRED_COUNT] = { [MAUI_CRED_CLASS] = "batch" };

	cr_expect(maui_job_statistics_count_start(&statistics, &config, &history, &job, cred,
						  MAUI_CRED_IDS) == 0);
}

static void begin(void)
{
	statistics = (struct maui_statistics){ .since_s = 1 };
	history = (struct maui_job_history){ 0 };
}

static void end(void)
{
	maui_statistics_finish(&statistics);
}

TestSuite(expected_start, .init = begin, .fini = end);

Test(expected_start, the_first_and_the_last_estimate_count_once)
{
	expect(1000, 1000 + 7200);
	expect(2000, 2000 + 3000);
	expect(4900, 5000);
	start(5100, MAUI_CAPTURED_ACTIVE);
	start(5100, MAUI_CAPTURED_ACTIVE);
	start(5100, MAUI_CAPTURED_ENDED);
	cr_expect(counted(MAUI_ESTIMATE_FIRST, 7200) == 1);
	cr_expect(counted(MAUI_ESTIMATE_LAST, 100) == 1);
	cr_expect(counted(MAUI_ESTIMATE_FIRST, 3000) == 0);
}

Test(expected_start, a_job_without_an_estimate_does_not_count)
{
	start(5100, MAUI_CAPTURED_ACTIVE);
	cr_expect(statistics.errors.used == 0);
}

/* slurmctld keeps the start of the last run of a requeued job while its nodes complete. */
Test(expected_start, a_requeued_job_keeps_what_is_expected)
{
	expect(6000, 6600);
	start(5100, MAUI_CAPTURED_PENDING);
	start(6700, MAUI_CAPTURED_ACTIVE);
	cr_expect(counted(MAUI_ESTIMATE_FIRST, 600) == 1);
}

/* The cycle that made the estimate had not yet seen the start. */
Test(expected_start, an_estimate_after_the_start_does_not_count)
{
	expect(6000, 6600);
	start(5990, MAUI_CAPTURED_ACTIVE);
	cr_expect(counted(MAUI_ESTIMATE_FIRST, 600) == 0);
	cr_expect(history.expected.of[MAUI_ESTIMATE_FIRST].start_s == 0);
}

Test(expected_start, a_task_takes_the_estimate_of_its_array)
{
	struct maui_job_histories all = { 0 };
	const struct maui_job_history_key array_key = { .job_id = 70, .submit_s = 10 };
	const struct maui_job_history_key task_key = { .job_id = 90,
						       .array_job_id = 70,
						       .submit_s = 10 };
	struct maui_job_history *array = maui_job_histories_get(&all, &array_key, 20), *task;

	maui_expected_add(&array->expected, &(struct maui_estimate){ 20, 80 });
	task = maui_job_histories_get(&all, &task_key, 30);
	cr_expect(task->expected.of[MAUI_ESTIMATE_FIRST].start_s == 80);
	cr_expect(array->expected.of[MAUI_ESTIMATE_FIRST].start_s == 0);
	maui_job_histories_finish(&all);
}

Test(expected_start, the_state_file_keeps_both)
{
	struct maui_store out = { .saved_s = 2000 }, in;
	struct maui_strbuf text = { 0 };
	struct maui_err err;
	const struct maui_estimate_errors *of;

	expect(1000, 8200);
	start(5100, MAUI_CAPTURED_ACTIVE);
	out.statistics = statistics;
	out.jobs = &(struct maui_store_job){ .job_id = 7,
					     .submit_s = 5,
					     .first_estimate = { 10, 20 },
					     .last_estimate = { 12, 30 } };
	out.count = 1;
	maui_store_format(&out, &text);
	cr_assert(maui_store_parse(text.text, text.length, &in, &err) == 0, "%s", err.text);
	cr_expect(in.jobs[0].first_estimate.at_s == 10 && in.jobs[0].first_estimate.start_s == 20);
	cr_expect(in.jobs[0].last_estimate.at_s == 12 && in.jobs[0].last_estimate.start_s == 30);
	of = maui_statistics_errors(&in.statistics, "batch");
	cr_expect(memcmp(of->counts, maui_statistics_errors(&statistics, "batch")->counts,
			 sizeof(of->counts)) == 0);
	maui_strbuf_finish(&text);
	maui_store_finish(&in);
}
