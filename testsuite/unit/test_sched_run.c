/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sched_run.c - what runjob leaves in the cycle, and what it answers
 *
 * src/controller/sched/job_changes.c as it is; slurmctld is this file's own.
 *
 * Rules: CMD-52.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "slurm_log.h"

#include "slurm/compat.h"

#include "admin/jobs.h"
#include "controller/sched/private.h"
#include "record/write.h"
#include "slurm/change_job.h"

/* ---- slurmctld ---- */

char *slurm_strerror(int code)
{
	static char text[32];

	snprintf(text, sizeof(text), "error %d", code);
	return text;
}

enum maui_change_result maui_change_job(const struct maui_job_choice *choice,
					enum maui_job_action *action, bool *ret_runs,
					const char **ret_why, struct maui_hold_times *writes)
{
	(void)choice, (void)action, (void)ret_runs, (void)ret_why, (void)writes;
	return MAUI_CHANGE_FAILED;
}

enum maui_change_result maui_find_waiting_records(const struct maui_job_choice *choice,
						  struct maui_job_record *records, size_t room,
						  size_t *ret_count, const char **ret_why,
						  struct maui_hold_times *writes)
{
	(void)room, (void)ret_why, (void)writes;
	records[0] = (struct maui_job_record){ .job_id = choice->job_id, .submit_s = 1 };
	*ret_count = 1;
	return MAUI_CHANGE_DONE;
}

/* ---- memory ---- */

static bool no_memory;

struct maui_changejob *__real_maui_job_answer(const struct maui_job_request *request,
					      struct maui_arena *arena);
struct maui_changejob *__wrap_maui_job_answer(const struct maui_job_request *request,
					      struct maui_arena *arena);

struct maui_changejob *__wrap_maui_job_answer(const struct maui_job_request *request,
					      struct maui_arena *arena)
{
	return no_memory ? NULL : __real_maui_job_answer(request, arena);
}

/* ---- a cycle ---- */

static struct maui_config config;
static struct maui_sched sched;
static struct maui_controller c = { .sched = &sched, .config = &config };
static struct maui_iteration it = { .c = &c, .sched = &sched };

static void begin(void)
{
	pthread_mutex_init(&c.lock, NULL);
}

static void end(void)
{
	maui_job_histories_finish(&c.histories);
	maui_arena_finish(&it.arena);
}

TestSuite(sched_run, .init = begin, .fini = end);

/* hosts NULL: on any */
static struct maui_changejob *run_job(const char *hosts, struct maui_query_error *error)
{
	const struct maui_rights root = { .name = "root", .admin = true, .jobs = true };
	const struct maui_changejob_run options = { .hosts = hosts };
	const struct maui_changejob_args args = {
		.action = "run", .job = 17, .task = -1, .component = -1, .run = &options
	};

	return maui_sched_change_job(&it, &root, &args, error);
}

Test(sched_run, without_memory_for_the_answer_no_job_is_to_run)
{
	struct maui_query_error error = { 0 };

	no_memory = true;
	cr_expect(!run_job(NULL, &error));
	cr_expect(error.code == MAUI_QUERY_UNAVAILABLE && it.run_flags == 0, "flags %u",
		  it.run_flags);
}

Test(sched_run, hosts_before_a_plan_has_finished)
{
	struct maui_query_error error = { 0 };
	struct maui_document without_plan = { 0 };

	cr_expect(!run_job("n1", &error) && error.code == MAUI_QUERY_UNAVAILABLE, "%s",
		  error.err.text);
	sched.document = &without_plan;
	cr_expect(!run_job("n1", &error) && error.code == MAUI_QUERY_UNAVAILABLE, "%s",
		  error.err.text);
	cr_expect(it.run_flags == 0);
	sched.document = NULL;
}

static const struct {
	const char *name;
	struct maui_start_order orders[3];
	size_t count;
	const char *answer; /* without job and action */
} outcomes[] = {
	{ "a job starts",
	  { { .job_id = 17,
	      .outcome = MAUI_START_DONE,
	      .started_id = 17,
	      .started_task = MAUI_NO_TASK } },
	  1,
	  "\"started_jobs\":[\"17\"],\"started\":true}" },
	{ "two tasks of an array start, under ids of their own",
	  { { .job_id = 17,
	      .array_job_id = 17,
	      .outcome = MAUI_START_DONE,
	      .started_id = 18,
	      .started_task = 1 },
	    { .job_id = 17,
	      .array_job_id = 17,
	      .outcome = MAUI_START_DONE,
	      .started_id = 19,
	      .started_task = 4 },
	    { .job_id = 17, .outcome = MAUI_START_REFUSED, .code = 5 } },
	  3,
	  "\"started_jobs\":[\"17_1\",\"17_4\"],\"started\":true}" },
	{ "Slurm refuses",
	  { { .job_id = 17, .outcome = MAUI_START_REFUSED, .code = 5 } },
	  1,
	  "\"started\":false,\"reason\":\"Slurm refused the start: error 5\"" },
	{ "Slurm refuses first, and starts it in the next plan",
	  { { .job_id = 17, .outcome = MAUI_START_REFUSED, .code = 5 },
	    { .job_id = 17,
	      .outcome = MAUI_START_DONE,
	      .started_id = 17,
	      .started_task = MAUI_NO_TASK } },
	  2,
	  "\"started_jobs\":[\"17\"],\"started\":true}" },
	{ "it has changed",
	  { { .job_id = 17, .outcome = MAUI_START_CHANGED } },
	  1,
	  "\"started\":false,\"reason\":\"it has changed meanwhile: try again\"" },
	{ "another job starts",
	  { { .job_id = 20,
	      .outcome = MAUI_START_DONE,
	      .started_id = 20,
	      .started_task = MAUI_NO_TASK } },
	  1,
	  "\"started\":false,\"reason\":\"it no longer waits, or the cycle ended early: try again\"" },
};

TEST_ROWS(sched_run, answers, outcomes, row)
{
	struct maui_query_error error = { 0 };
	struct maui_changejob *answer = run_job(NULL, &error);
	json_object *written;
	const char *text;

	cr_assert(answer && it.run_flags == MAUI_RUN_FIRST, "%s", error.err.text);
	for (size_t i = 0; i < row->count; i++)
		maui_sched_note_run(&it, &row->orders[i]);
	maui_sched_answer_run(&it);
	written = maui_record_json(&maui_changejob_type, answer);
	text = json_object_to_json_string(written);
	cr_expect(strstr(text, row->answer), "%s: %s", row->name, text);
	json_object_put(written);
}
