/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_history.c - what is remembered of each job, and how a job is recognised */
#include "cycle/job_history.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

#define NOW INT64_C(1763746622)

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Job 17, submitted at 100: waited since 150, QOS high, 60 s of its run are charged, two rows. */
static struct maui_job_history *known_job(struct maui_job_histories *histories)
{
	static const struct maui_job_history_row rows[] = { { "batch", 7, { 1 } },
							    { "debug", 8, { 2 } } };
	struct maui_job_history_key key = { .job_id = 17, .submit_s = 100 };
	struct maui_job_history *history = maui_job_histories_get(histories, &key, NOW);

	cr_assert(history != NULL);
	history->stamp_s = 150;
	history->run_s = 200;
	history->charged_s = 60;
	history->blocked = history->rejected = true;
	history->version = 5;
	maui_job_history_set_qos(history, "high");
	cr_assert(maui_job_history_publish(history, rows, 2) == 0);
	return history;
}

/* ---- which job ---- */

struct again {
	const char *name;
	struct maui_job_history_key key;
	bool same;       /* the same job: all stays */
	bool same_track; /* the record continues */
	const char *qos;
};

static const struct again agains[] = {
	{ "the same job", { 17, 0, 100, false }, true, true, "high" },
	{ "the same job, known to be restarted", { 17, 0, 100, true }, true, true, "high" },
	{ "its id, submitted later: another job", { 17, 0, 101, false }, false, true, NULL },
	{ "its id, submitted earlier", { 17, 0, 99, false }, false, true, NULL },
	{ "requeued: its QOS stays", { 17, 0, 300, true }, false, true, "high" },
	{ "an array of its own id, another job", { 17, 17, 300, false }, false, true, NULL },
	{ "an array of its own id, requeued", { 17, 17, 300, true }, false, true, "high" },
	{ "another id", { 18, 0, 100, false }, false, false, NULL },
	{ "another id, restarted", { 18, 0, 100, true }, false, false, NULL },
};

TEST_ROWS(histories, again, agains, row)
{
	struct maui_job_histories histories = { 0 };
	struct maui_job_history *known = known_job(&histories), *got;

	got = maui_job_histories_get(&histories, &row->key, NOW + 5);
	cr_assert(got != NULL && (got == known) == row->same_track, "%s", row->name);
	cr_expect(maui_job_histories_find(&histories, row->key.job_id) == got, "%s", row->name);
	cr_expect(got->job_id == row->key.job_id && got->submit_s == row->key.submit_s, "%s",
		  row->name);
	cr_expect(got->seen_s == NOW + 5, "%s", row->name);
	cr_expect(same_text(got->qos, row->qos), "%s: qos %s", row->name,
		  got->qos ? got->qos : "none");
	cr_expect(got->stamp_s == (row->same ? 150 : row->key.submit_s), "%s: stamp %lld",
		  row->name, (long long)got->stamp_s);
	cr_expect(got->run_s == (row->same ? 200 : 0) && got->charged_s == (row->same ? 60 : 0),
		  "%s", row->name);
	cr_expect(got->row_count == (row->same ? 2u : 0u) && !got->rows == !row->same, "%s",
		  row->name);
	cr_expect(got->blocked == row->same && got->rejected == row->same, "%s", row->name);
	/* results for the old job must not be written to the new one */
	cr_expect(got->version == (row->same_track ? 5u : 0u), "%s: version %u", row->name,
		  (unsigned)got->version);
	maui_job_histories_finish(&histories);
}

Test(histories, empty)
{
	struct maui_job_histories histories = { 0 };

	cr_expect(maui_job_histories_find(&histories, 17) == NULL);
	maui_job_histories_expire(&histories, NOW);
	maui_job_histories_finish(&histories);
}

/* ---- array tasks ---- */

struct task {
	const char *name;
	struct maui_job_history_key key; /* the array is job 17, see known_job() */
	int64_t stamp_s;
	const char *qos;
};

static const struct task tasks[] = {
	{ "a task", { 18, 17, 100, false }, 150, "high" },
	{ "a task, restarted in its first second", { 18, 17, 100, true }, 150, "high" },
	{ "a task of the array before, of the same id", { 18, 17, 90, false }, 90, NULL },
	{ "a task that was requeued", { 18, 17, 300, true }, 300, NULL },
	{ "a task of an unknown array", { 18, 16, 100, false }, 100, NULL },
	{ "not a task", { 18, 0, 100, false }, 100, NULL },
};

TEST_ROWS(histories, array_task, tasks, row)
{
	struct maui_job_histories histories = { 0 };
	struct maui_job_history *array = known_job(&histories), *task;

	task = maui_job_histories_get(&histories, &row->key, NOW);
	cr_assert(task != NULL && task != array, "%s", row->name);
	cr_expect(task->stamp_s == row->stamp_s, "%s: stamp %lld", row->name,
		  (long long)task->stamp_s);
	cr_expect(same_text(task->qos, row->qos), "%s: qos %s", row->name,
		  task->qos ? task->qos : "none");
	cr_expect(!task->qos || task->qos != array->qos, "%s: a copy of its own", row->name);
	cr_expect(task->run_s == 0 && task->charged_s == 0 && !task->rows && !task->blocked, "%s",
		  row->name);
	/* from then on the records are separate */
	maui_job_history_set_qos(array, "low");
	array->stamp_s = 170;
	task = maui_job_histories_get(&histories, &row->key, NOW + 1);
	cr_expect(task->stamp_s == row->stamp_s && same_text(task->qos, row->qos), "%s", row->name);
	maui_job_histories_finish(&histories);
}

/* A task that was requeued keeps its own request. */
Test(histories, task_requeued)
{
	struct maui_job_histories histories = { 0 };
	struct maui_job_history_key key = { .job_id = 18, .array_job_id = 17, .submit_s = 100 };
	struct maui_job_history *task;

	known_job(&histories);
	task = maui_job_histories_get(&histories, &key, NOW);
	maui_job_history_set_qos(task, "special");
	key.submit_s = 300;
	key.restarted = true;
	cr_expect(maui_job_histories_get(&histories, &key, NOW) == task);
	cr_expect(same_text(task->qos, "special") && task->stamp_s == 300);
	maui_job_histories_finish(&histories);
}

/* ---- rows and QOS ---- */

static const size_t counts[] = { 1, 1, 3, 0, 2, 2, 9, 1 };

Test(histories, publish)
{
	struct maui_job_histories histories = { 0 };
	struct maui_job_history *history = known_job(&histories);
	struct maui_job_history_row rows[9];

	for (size_t n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
		for (size_t i = 0; i < counts[n]; i++) {
			rows[i] = (struct maui_job_history_row){ .part = "p",
								 .priority =
									 (uint32_t)(100 * n + i) };
			for (int c = 0; c < MAUI_COMP_COUNT; c++)
				rows[i].column[c] = (int32_t)(n + i) - c;
		}
		cr_assert(maui_job_history_publish(history, rows, counts[n]) == 0);
		cr_assert(history->row_count == counts[n]);
		memset(rows, 0xee, sizeof(rows)); /* the history has a copy */
		for (size_t i = 0; i < counts[n]; i++) {
			cr_expect(history->rows[i].priority == 100 * n + i);
			for (int c = 0; c < MAUI_COMP_COUNT; c++)
				cr_expect(history->rows[i].column[c] == (int32_t)(n + i) - c);
		}
	}
	cr_expect(history->charged_s == 60 && history->version == 5, "nothing else changes");
	maui_job_histories_finish(&histories);
}

Test(histories, set_qos)
{
	struct maui_job_histories histories = { 0 };
	struct maui_job_history *history = known_job(&histories);
	const char *before = history->qos;
	char text[] = "low";

	maui_job_history_set_qos(history, NULL);
	cr_expect(history->qos == before, "without news the earlier value stays");
	maui_job_history_set_qos(history, "high");
	cr_expect(history->qos == before, "the same");
	maui_job_history_set_qos(history, text);
	text[0] = 'x';
	cr_expect(same_text(history->qos, "low"));
	maui_job_history_set_qos(history, history->qos);
	cr_expect(same_text(history->qos, "low"));
	maui_job_histories_finish(&histories);
}

/* ---- forgetting ---- */

Test(histories, expire)
{
	struct maui_job_histories histories = { 0 };

	for (uint32_t id = 1; id <= 1000; id++) {
		struct maui_job_history_key key = { .job_id = id, .submit_s = 100 };
		struct maui_job_history *history =
			maui_job_histories_get(&histories, &key, NOW + id);

		cr_assert(history != NULL);
		maui_job_history_set_qos(history, "q");
	}
	/* seen again: an old one stays */
	cr_assert(maui_job_histories_get(
		&histories, &(struct maui_job_history_key){ .job_id = 3, .submit_s = 100 },
		NOW + 2000));
	maui_job_histories_expire(&histories, NOW + 500);
	for (uint32_t id = 1; id <= 1000; id++)
		cr_expect(!maui_job_histories_find(&histories, id) == (id < 500 && id != 3),
			  "job %u", id);
	maui_job_histories_expire(&histories, INT64_MAX);
	cr_expect(histories.map.used == 0);
	maui_job_histories_finish(&histories);
}

/* ---- to and from the state file ---- */

struct stored {
	const char *name;
	int64_t stamp_s, run_s, charged_s;
	const char *qos;
	bool stored;
};

static const struct stored stored[] = {
	{ "nothing to remember", 100, 0, 0, NULL, false },
	{ "a stamp that moved", 150, 0, 0, NULL, true },
	{ "a stamp that was given", 50, 0, 0, NULL, true },
	{ "a QOS", 100, 0, 0, "high", true },
	{ "a QOS without a name", 100, 0, 0, "", true },
	{ "a run, nothing charged", 100, 200, 0, NULL, true },
	{ "a run, charged", 100, 200, 60, NULL, true },
	{ "all of it", 150, 200, 60, "a \"b\"", true },
};

TEST_ROWS(histories, store, stored, row)
{
	struct maui_job_history_key key = { .job_id = 17, .submit_s = 100 };
	struct maui_job_histories histories = { 0 }, restored = { 0 };
	struct maui_job_history *history = maui_job_histories_get(&histories, &key, NOW);
	struct maui_store store = { 0 };

	cr_assert(history != NULL);
	history->stamp_s = row->stamp_s;
	history->run_s = row->run_s;
	history->charged_s = row->charged_s;
	maui_job_history_set_qos(history, row->qos);
	cr_assert(maui_job_histories_to_store(&histories, &store) == 0);
	maui_job_histories_finish(&histories); /* the store has copies */
	cr_assert(store.count == (row->stored ? 1u : 0u), "%s", row->name);
	cr_assert(maui_job_histories_from_store(&restored, &store, NOW + 9) == 0);
	maui_store_finish(&store);
	history = maui_job_histories_find(&restored, 17);
	cr_expect(!history == !row->stored, "%s", row->name);
	if (!history) /* not stored, and made again with the same values */
		history = maui_job_histories_get(&restored, &key, NOW + 9);
	cr_assert(history != NULL);
	cr_expect(history->job_id == 17 && history->submit_s == 100 && history->seen_s == NOW + 9,
		  "%s", row->name);
	cr_expect(history->stamp_s == row->stamp_s && history->run_s == row->run_s &&
			  history->charged_s == row->charged_s && same_text(history->qos, row->qos),
		  "%s", row->name);
	cr_expect(maui_job_histories_get(&restored, &key, NOW + 10) == history &&
			  history->stamp_s == row->stamp_s,
		  "%s: it is the same job", row->name);
	maui_job_histories_finish(&restored);
}

/* The first cycle after slurmctld was down decides about the queue time of that time. */
Test(histories, queue_time_goes_on_from_the_last_save)
{
	struct maui_job_history_key key = { .job_id = 17, .submit_s = 100 };
	struct maui_job_histories restored = { 0 };
	struct maui_store store = { .saved_s = 500 };
	struct maui_store_job job = { .job_id = 18, .submit_s = 100, .stamp_s = 150 };

	store.jobs = &job;
	store.count = 1;
	cr_assert(maui_job_histories_from_store(&restored, &store, 600) == 0);
	cr_expect(maui_job_histories_find(&restored, 18)->accrued_s == 500, "a job of the file");
	cr_expect(maui_job_histories_get(&restored, &key, 600)->accrued_s == 500,
		  "a job before the save");
	key = (struct maui_job_history_key){ .job_id = 19, .submit_s = 550 };
	cr_expect(maui_job_histories_get(&restored, &key, 600)->accrued_s == 550,
		  "a job after the save");
	maui_store_finish(&store);
	maui_job_histories_finish(&restored);
}

/* ---- failed starts ---- */

static bool has_failures(const struct maui_job_history *t)
{
	return t->defer.refusals == 2 && t->defer.deferrals == 1 && t->defer.until_s == NOW + 60;
}

Test(histories, a_changed_request_clears_the_record)
{
	struct maui_job_histories histories = { 0 }, restored = { 0 };
	struct maui_store store = { 0 };
	struct maui_job_history *history = known_job(&histories);

	history->defer = (struct maui_defer){ 2, 1, NOW + 60 };
	history->retry_s = NOW + 8;
	history->busy = 3;
	history->trial_planned_s = NOW;
	maui_job_history_set_fingerprint(history, 7);
	maui_job_history_set_fingerprint(history, 7);
	cr_expect(has_failures(history) && history->retry_s == NOW + 8 && history->busy == 3);
	cr_expect(history->trial_planned_s == NOW);

	cr_assert(maui_job_histories_to_store(&histories, &store) == 0);
	cr_assert(maui_job_histories_from_store(&restored, &store, NOW) == 0);
	maui_job_history_set_fingerprint(maui_job_histories_find(&restored, 17), 8);
	cr_expect(has_failures(maui_job_histories_find(&restored, 17)), "unknown after a restart");

	maui_job_history_set_fingerprint(history, 8);
	cr_expect(history->defer.refusals == 0 && history->defer.deferrals == 0 &&
		  history->defer.until_s == 0 && history->retry_s == 0 && history->busy == 0);
	cr_expect(history->trial_planned_s == 0, "another request is another start");
	maui_store_finish(&store);
	maui_job_histories_finish(&histories);
	maui_job_histories_finish(&restored);
}

Test(histories, a_system_priority_is_kept_and_goes_to_tasks)
{
	const struct maui_job_history_key again = { .job_id = 17,
						    .submit_s = 101,
						    .restarted = true };
	const struct maui_job_history_key task = { .job_id = 19,
						   .array_job_id = 17,
						   .submit_s = 101 };
	const struct maui_job_history_key other = { .job_id = 17, .submit_s = 200 };
	struct maui_job_histories histories = { 0 }, restored = { 0 };
	struct maui_store store = { 0 };
	struct maui_job_history *history = known_job(&histories);

	*history = (struct maui_job_history){
		.job_id = 17, .submit_s = 100, .stamp_s = 100, .system_priority = 10
	};
	cr_assert(maui_job_histories_to_store(&histories, &store) == 0);
	cr_assert(maui_job_histories_from_store(&restored, &store, NOW) == 0);
	cr_assert(maui_job_histories_find(&restored, 17) != NULL);
	cr_expect(maui_job_histories_get(&restored, &again, NOW)->system_priority == 10,
		  "requeued");
	cr_expect(maui_job_histories_get(&restored, &task, NOW)->system_priority == 10, "a task");
	cr_expect(maui_job_histories_get(&restored, &other, NOW)->system_priority == 0,
		  "another job of the same number");
	maui_store_finish(&store);
	maui_job_histories_finish(&histories);
	maui_job_histories_finish(&restored);
}

Test(histories, the_request_is_kept_as_long_as_the_job_runs)
{
	struct maui_job_history_key again = { .job_id = 17, .submit_s = 101, .restarted = true };
	struct maui_job_histories histories = { 0 }, restored = { 0 };
	struct maui_store store = { 0 };
	struct maui_job_history *history = known_job(&histories);

	*history = (struct maui_job_history){
		.job_id = 17, .submit_s = 100, .stamp_s = 100, .asked_tasks = 3, .asked_procs = 12
	};
	cr_assert(maui_job_histories_to_store(&histories, &store) == 0);
	cr_assert(maui_job_histories_from_store(&restored, &store, NOW) == 0);
	history = maui_job_histories_find(&restored, 17);
	cr_assert(history != NULL);
	cr_expect(history->asked_tasks == 3 && history->asked_procs == 12);
	history = maui_job_histories_get(&restored, &again, NOW);
	cr_assert(history != NULL);
	cr_expect(history->asked_tasks == 0 && history->asked_procs == 0,
		  "requeued: its request is read again");
	maui_store_finish(&store);
	maui_job_histories_finish(&histories);
	maui_job_histories_finish(&restored);
}

Test(histories, store_many)
{
	struct maui_job_histories histories = { 0 }, restored = { 0 };
	struct maui_store store = { 0 };

	for (uint32_t id = 1; id <= 5000; id++) {
		struct maui_job_history_key key = { .job_id = id, .submit_s = id };
		struct maui_job_history *history = maui_job_histories_get(&histories, &key, NOW);

		cr_assert(history != NULL);
		history->stamp_s += id % 2;
	}
	cr_assert(maui_job_histories_to_store(&histories, &store) == 0);
	cr_expect(store.count == 2500);
	cr_assert(maui_job_histories_from_store(&restored, &store, NOW) == 0);
	for (uint32_t id = 1; id <= 5000; id++) {
		const struct maui_job_history *history = maui_job_histories_find(&restored, id);

		cr_expect(!history == (id % 2 == 0), "job %u", id);
		cr_expect(!history || history->stamp_s == id + 1, "job %u", id);
	}
	maui_store_finish(&store);
	maui_job_histories_finish(&histories);
	maui_job_histories_finish(&restored);
}

/* A submit or an update ranks a job at 505 while the cycle of 500 is still at work. */
Test(histories, an_older_look_counts_no_second_twice)
{
	const struct maui_accrual_state held = { .held = true };
	struct maui_job_history history = { .stamp_s = 100, .accrued_s = 440 };

	maui_job_history_accrue(&history, MAUI_ACCRUAL_QUEUEPOLICY, &held, 505);
	maui_job_history_accrue(&history, MAUI_ACCRUAL_QUEUEPOLICY, &held, 500);
	maui_job_history_accrue(&history, MAUI_ACCRUAL_QUEUEPOLICY, &held, 560);
	cr_expect(history.stamp_s == 220, "held from 440 to 560, not %lld seconds",
		  (long long)history.stamp_s - 100);
}

/* SERVERMODE TEST planned two of an array's tasks: the first two that split off. */
Test(histories, tasks_inherit_the_planned_starts_of_their_array)
{
	struct maui_job_histories histories = { 0 };
	struct maui_job_history_key key = { .job_id = 20, .array_job_id = 20, .submit_s = NOW };
	struct maui_job_history *array = maui_job_histories_get(&histories, &key, NOW);

	array->trial_planned_s = NOW + 5;
	array->trial_copies = 2;
	for (uint32_t task = 1; task <= 3; task++) {
		struct maui_job_history *history;

		key.job_id = 20 + task;
		history = maui_job_histories_get(&histories, &key, NOW);
		cr_expect(history->trial_planned_s == (task <= 2 ? NOW + 5 : 0), "task %u", task);
	}
	cr_expect(array->trial_planned_s == 0 && array->trial_copies == 0);
	maui_job_histories_finish(&histories);
}

Test(histories, a_trial_that_begins_knows_nothing_of_the_last_one)
{
	struct maui_job_histories histories = { 0 };
	struct maui_job_history_key key = { .job_id = 20, .submit_s = NOW };
	struct maui_job_history *job = maui_job_histories_get(&histories, &key, NOW);

	job->trial_planned_s = NOW + 5;
	job->trial_retry_s = NOW + 30;
	job->trial_copies = 2;
	job->trial_refused = true;
	job->bypass = 3;
	maui_job_histories_forget_trial(&histories);
	cr_expect(job->trial_planned_s == 0 && job->trial_retry_s == 0);
	cr_expect(job->trial_copies == 0 && !job->trial_refused);
	cr_expect(job->bypass == 3, "which is no trial's");
	maui_job_histories_finish(&histories);
}

Test(histories, suspensions_count_once_each)
{
	struct maui_job_history history = { 0 };
	struct maui_captured_job job = { .start_s = 1000, .until_s = 1100 };

	maui_job_history_count_suspension(&history, &job);
	cr_expect(history.suspensions == 0);
	job.suspended = true;
	maui_job_history_count_suspension(&history, &job);
	maui_job_history_count_suspension(&history, &job);
	cr_expect(history.suspensions == 1);
	/* resumed and suspended again between two looks */
	job.until_s = 1200;
	maui_job_history_count_suspension(&history, &job);
	cr_expect(history.suspensions == 2);
	/* another run */
	job = (struct maui_captured_job){ .start_s = 1300, .until_s = 1400 };
	maui_job_history_count_suspension(&history, &job);
	cr_expect(history.suspensions == 0);
}
