/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trial.c - the score of SERVERMODE TEST: comparing starts, adding up, saving
 *
 * Rules: CMD-55, CMD-56.
 */
#include "state/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "model/when.h"
#include "state/store/store.h"

enum { T = 1763740000 };

static const struct {
	const char *what;
	struct maui_trial_start start;
	struct maui_trial_result expected;
} cases[] = {
	{ "both start it at once",
	  { .started_s = T, .planned_s = T, .expected_s = MAUI_NEVER },
	  { MAUI_TRIAL_SAME, 0 } },
	{ "a plan starts it a few seconds before",
	  { .started_s = T + MAUI_TRIAL_SAME_S, .planned_s = T },
	  { MAUI_TRIAL_SAME, 0 } },
	{ "a plan starts it half a minute before",
	  { .started_s = T + 30, .planned_s = T },
	  { MAUI_TRIAL_SOONER, 30 } },
	{ "an earlier plan started it, even if a later one does not",
	  { .started_s = T + 30, .planned_s = T, .cause = "Priority", .expected_s = T + 90 },
	  { MAUI_TRIAL_SOONER, 30 } },
	{ "a limit keeps it, an hour by the plan",
	  { .started_s = T, .cause = "MAXJOB USER amy", .expected_s = T + 3600 },
	  { MAUI_TRIAL_LATER, 3600 } },
	{ "a limit keeps it, nobody knows how long",
	  { .started_s = T, .cause = "MAXJOB USER amy", .expected_s = MAUI_NEVER },
	  { MAUI_TRIAL_LATER, -1 } },
	{ "an expectation that has passed says nothing",
	  { .started_s = T, .cause = "Priority", .expected_s = T - 1 },
	  { MAUI_TRIAL_LATER, -1 } },
	{ "a plan expects it a moment later",
	  { .started_s = T, .cause = "Priority", .expected_s = T + 2 },
	  { MAUI_TRIAL_SAME, 0 } },
	{ "no plan saw it",
	  { .started_s = T, .expected_s = MAUI_NEVER },
	  { MAUI_TRIAL_NOT_COMPARED, 0 } },
};

Test(trial, a_start_is_compared_with_the_plan_on_the_same_state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_trial_result result = maui_trial_compare(&cases[i].start);

		cr_expect(result.outcome == cases[i].expected.outcome &&
				  result.by_s == cases[i].expected.by_s,
			  "%s: %d by %lld", cases[i].what, (int)result.outcome,
			  (long long)result.by_s);
	}
}

/* One start of each kind of `cases`. */
static void add_all(struct maui_trial *trial)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_trial_start start = cases[i].start;

		start.job_id = (uint32_t)i + 1;
		start.user = "amy";
		maui_trial_add(trial, &start);
	}
	maui_trial_add_refusal(trial, "Requested nodes are busy", T);
}

Test(trial, the_score_adds_up)
{
	struct maui_trial trial = { 0 };
	char line[MAUI_TRIAL_LINE_SIZE];

	cr_assert(maui_trial_begin(&trial, T - 1));
	add_all(&trial);
	cr_expect(maui_trial_started(&trial) == 9);
	cr_expect_str_eq(maui_trial_line(&trial, line, sizeof(line)),
			 "9 jobs started: 3 at the same time, 2 sooner (30 s on average), 3 later "
			 "(3600 s on average), 1 not compared; 1 would have been refused by Slurm, "
			 "0 wait that would have started");
	cr_expect(trial.sums[MAUI_TRIAL_LATER].unknown == 2);
	cr_expect(trial.sums[MAUI_TRIAL_LATER].max_s == 3600);
	cr_assert(trial.causes.count == 2);
	cr_expect_str_eq(trial.causes.list[0].name, "MAXJOB USER amy");
	cr_expect(trial.causes.list[0].jobs == 2 && trial.causes.list[0].first_s == T);
	cr_assert(trial.job_count == 5);
	cr_expect(trial.jobs[0].job_id == 3 && trial.jobs[0].by_s == 30);
	cr_expect_str_eq(trial.jobs[2].cause, "MAXJOB USER amy");
	cr_expect_str_eq(trial.jobs[2].user, "amy");
}

Test(trial, a_trial_goes_on_until_servermode_changes)
{
	struct maui_trial trial = { 0 };

	cr_expect(!maui_trial_end(&trial, T), "no trial ends that never began");
	cr_expect(maui_trial_begin(&trial, T));
	add_all(&trial);
	cr_expect(!maui_trial_begin(&trial, T + 9), "the same after a restart");
	cr_expect(maui_trial_started(&trial) == 9);
	cr_expect(maui_trial_end(&trial, T + 10) && trial.ended_s == T + 10);
	cr_expect(!maui_trial_end(&trial, T + 11));
	cr_expect(maui_trial_started(&trial) == 9, "the score stays for questions");
	cr_expect(maui_trial_begin(&trial, T + 20));
	cr_expect(maui_trial_started(&trial) == 0 && trial.began_s == T + 20);
}

Test(trial, names_and_lists_are_bounded)
{
	struct maui_trial_start start = { .started_s = T, .expected_s = MAUI_NEVER };
	struct maui_trial trial = { 0 };
	char cause[64];
	const struct maui_trial_cause *last = &trial.causes.list[MAUI_TRIAL_CAUSES - 1];

	for (uint32_t i = 0; i < 500; i++) {
		snprintf(cause, sizeof(cause), "MAXJOB USER u%u", i);
		start.job_id = i + 1;
		start.cause = cause;
		maui_trial_add(&trial, &start);
	}
	cr_expect(trial.causes.count == MAUI_TRIAL_CAUSES);
	cr_expect_str_eq(last->name, "[others]");
	cr_expect(last->jobs == 500 - MAUI_TRIAL_CAUSES + 1);
	cr_expect(trial.job_count == MAUI_TRIAL_JOBS);
	cr_expect(trial.jobs[MAUI_TRIAL_JOBS - 1].job_id == 500);
}

/* By way of the state file. */
static void there_and_back(const struct maui_store *store, struct maui_store *ret)
{
	struct maui_strbuf out = { 0 };
	struct maui_err err;
	char *text;

	maui_store_format(store, &out);
	text = maui_strbuf_steal(&out);
	cr_assert_not_null(text);
	cr_assert(maui_store_parse(text, strlen(text), ret, &err) == 0, "%s: %s", err.text, text);
	free(text);
}

Test(trial, the_score_survives_a_restart)
{
	static struct maui_store store = { .saved_s = T }, back;
	struct maui_store_job job = { .job_id = 3,
				      .submit_s = T,
				      .flags = MAUI_STORE_TRIAL_REFUSED,
				      .trial_planned_s = T + 1,
				      .trial_copies = 2 };

	maui_trial_begin(&store.trial, T - 1);
	add_all(&store.trial);
	store.trial.looked_s = T + 50;
	store.jobs = &job;
	store.count = 1;
	there_and_back(&store, &back);
	cr_expect(memcmp(&store.trial, &back.trial, sizeof(store.trial)) == 0);
	cr_assert(back.count == 1);
	cr_expect(back.jobs[0].trial_planned_s == T + 1 && back.jobs[0].trial_copies == 2);
	cr_expect(back.jobs[0].flags == MAUI_STORE_TRIAL_REFUSED);
	maui_store_finish(&store);
	maui_store_finish(&back);
}

/* {text in the state file} */
static const char *const broken[] = {
	"\"trial\": 5",
	"\"trial\": {\"began\": -1}",
	"\"trial\": {\"began\": 1, \"later\": [], \"causes\": {}, \"jobs\": 7}",
	"\"trial\": {\"began\": 1, \"later\": {\"jobs\": 1, \"unknown\": 9, \"by\": -5}}",
	"\"trial\": {\"began\": 1, \"causes\": [7, {\"name\": \"\", \"jobs\": 1}, {\"jobs\": 3}]}",
	"\"trial\": {\"began\": 1, \"jobs\": [null, {\"job\": 1, \"outcome\": \"best\"}]}",
};

Test(trial, a_broken_score_is_left_out)
{
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		static struct maui_store store;
		char text[512];
		struct maui_err err;

		snprintf(text, sizeof(text),
			 "{\"schema\": \"maui.state.v1\", \"saved\": 5, \"jobs\": [], %s}",
			 broken[i]);
		cr_assert(maui_store_parse(text, strlen(text), &store, &err) == 0, "%s: %s",
			  err.text, text);
		cr_expect(store.trial.job_count == 0 && store.trial.causes.count == 0, "%s",
			  broken[i]);
		cr_expect(store.trial.sums[MAUI_TRIAL_LATER].unknown <=
			  store.trial.sums[MAUI_TRIAL_LATER].jobs);
		maui_store_finish(&store);
	}
}
