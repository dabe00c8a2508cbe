/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_jobs.c - what diagnose -j and -q are told, of a saved plan
 *
 * Rules: CMD-9, CMD-33.
 */

#include "answers/answer.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "diagnosed.h"
#include "plan/finished.h"
#include "verbs/jobs.h"

TestSuite(jobs, .init = begin_diagnosed, .fini = end_diagnosed);

static json_object *ask(int64_t id, bool blocked, uid_t uid)
{
	const struct maui_jobs_args args = { id, blocked };
	struct maui_query_error error = { 0 };
	json_object *result = ask_verb(&maui_verb_jobs, maui_answer_jobs, p, uid, &args, &error);

	cr_assert(result, "%s", error.err.text);
	return result;
}

/* The error. */
static struct maui_query_error refused(const struct maui_document *document, int64_t id, uid_t uid)
{
	const struct maui_jobs_args args = { id, false };
	struct maui_query_error error = { 0 };

	cr_expect(!ask_verb(&maui_verb_jobs, maui_answer_jobs, document, uid, &args, &error));
	return error;
}

static size_t count(bool blocked, uid_t uid)
{
	json_object *result = ask(0, blocked, uid);
	size_t length = json_object_array_length(member(result, "jobs"));

	json_object_put(result);
	return length;
}

/* The first text of a list of one job. */
static bool tells(int64_t id, const char *key, const char *text)
{
	json_object *result = ask(id, false, 0);
	json_object *job = json_object_array_get_idx(member(result, "jobs"), 0);
	json_object *first = json_object_array_get_idx(member(job, key), 0);
	bool told = first && strcmp(json_object_get_string(first), text) == 0;

	json_object_put(result);
	return told;
}

Test(jobs, jobs_that_run_and_wait_are_listed)
{
	cr_expect(count(false, 0) == 9); /* 208 has just started */
	cr_expect(count(true, 0) == 5);
}

static struct maui_document_rsv *row_of(uint64_t id)
{
	size_t i = 0;

	while (i < p->rsv_count && p->rsvs[i].job_id != id)
		i++;
	cr_assert(i < p->rsv_count);
	return &p->rsvs[i];
}

Test(jobs, tasks_that_run_are_found_by_their_array_and_named_by_it)
{
	json_object *result, *job;

	row_of(101)->array_job_id = 90;
	row_of(101)->array_task = 4;
	result = ask(90, false, 0);
	cr_assert(json_object_array_length(member(result, "jobs")) == 1);
	job = json_object_array_get_idx(member(result, "jobs"), 0);
	cr_expect_str_eq(json_object_get_string(member(job, "job")), "90_4");
	json_object_put(result);
}

Test(jobs, blocks_are_told_in_the_words_of_maui)
{
	cr_expect(tells(201, "blocked_by",
			"violates active HARD MAXNODE limit of 4 for group staff  (R: 2, U: 3)"));
	cr_expect(tells(206, "blocked_by", "has the following hold(s) in place:  User"));
	cr_expect(tells(202, "blocked_by",
			"violates the fairshare cap FSTARGET QOS low 100%/10% (cap)"));
}

Test(jobs, a_job_that_can_never_start_is_named)
{
	cr_expect(tells(207, "messages",
			"can never start: MAXNODE GROUP staff 9/4 (hard): larger than the limit"));
	cr_expect(!tells(201, "messages", ""));
}

Test(jobs, private_data_hides_the_jobs_of_others)
{
	p->privacy.hide_jobs = true;
	cr_expect(count(false, DIAGNOSE_ANN) == 3); /* 101, 201, 204 */
	cr_expect(count(true, DIAGNOSE_ANN) == 1);
	cr_expect(count(false, DIAGNOSE_ADMIN) == 9 && count(false, 4711) == 0);
	cr_expect(refused(p, 102, DIAGNOSE_ANN).code == MAUI_QUERY_NOT_FOUND);
}

/* The rows of the jobs behind are not made: each takes a kilobyte. */
Test(jobs, more_jobs_than_an_answer_may_have_are_refused)
{
	struct maui_snapshot *s = (struct maui_snapshot *)p->plan->snapshot;
	struct maui_active *present = s->active;
	uint32_t present_count = s->active_count;
	struct maui_query_error error;

	s->active_count = MAUI_QUERY_MAX_ROWS + 1;
	s->active = calloc(s->active_count, sizeof(*s->active));
	cr_assert(s->active);
	for (uint32_t i = 0; i < s->active_count; i++)
		s->active[i] = present[0];
	error = refused(p, 0, 0);
	cr_expect(error.code == MAUI_QUERY_ERROR);
	cr_expect_str_eq(error.err.text, "more than 100000 jobs, the most that are listed: name "
					 "one, or see showq");
	free(s->active);
	s->active = present;
	s->active_count = present_count;
}

Test(jobs, an_unknown_job_and_a_missing_plan_are_errors)
{
	struct maui_document *none = maui_document_create(0, NULL);

	cr_expect(refused(p, 999, 0).code == MAUI_QUERY_NOT_FOUND);
	cr_expect(refused(none, 0, 0).code == MAUI_QUERY_UNAVAILABLE);
	maui_document_unref(none);
}
