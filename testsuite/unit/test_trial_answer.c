/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trial_answer.c - who may see the score of a trial, and who may keep its reservations
 *
 * Rules: CMD-57, CMD-58.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include "admin/machine.h"
#include "planned.h"
#include "state/trial.h"
#include "verbs/trial.h"

enum { BOB = 1002, ADMIN = 500, NOW = 6000 };

static void begin(void)
{
	static const struct maui_document_idle idle[2] = { { .uid = BOB } };
	static const uid_t admins[] = { ADMIN };

	world_make(&w, "", "4 procs=4", NULL, "b nodes=n1 procs=3 end=9000 user=bob",
		   "A nodes=4 whole limit=300 user=bob", NOW);
	free(world_plan(&w));
	p = maui_document_create(NOW, "mini");
	cr_assert_not_null(p);
	maui_document_hide(p, false, false, admins, 1);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
}

TestSuite(trial_answer, .init = begin, .fini = end_planned);

/* The answer, or NULL with error. */
static json_object *ask(uid_t uid, struct maui_query_error *error)
{
	return ask_verb(&maui_verb_trial, maui_answer_trial, p, uid, NULL, error);
}

Test(trial_answer, only_administrators_see_it)
{
	struct maui_query_error error;

	cr_expect_null(ask(BOB, &error));
	cr_expect(error.code == MAUI_QUERY_DENIED, "%s", error.err.text);
}

Test(trial_answer, no_trial_is_not_found)
{
	const struct maui_trial none = { 0 };
	struct maui_query_error error;

	cr_expect_null(ask(ADMIN, &error));
	cr_expect(error.code == MAUI_QUERY_NOT_FOUND, "%s", error.err.text);
	maui_document_set_trial(p, &none);
	cr_expect_null(ask(ADMIN, &error));
	cr_expect(error.code == MAUI_QUERY_NOT_FOUND, "%s", error.err.text);
}

Test(trial_answer, a_trial_that_is_over_has_its_score)
{
	const struct maui_trial_start start = { .job_id = 7,
						.started_s = NOW - 9,
						.planned_s = NOW - 69 };
	struct maui_trial trial = { 0 };
	struct maui_query_error error;
	json_object *result, *sooner;

	maui_trial_begin(&trial, NOW - 100);
	maui_trial_add(&trial, &start);
	maui_trial_end(&trial, NOW - 1);
	maui_document_set_trial(p, &trial);
	result = ask(ADMIN, &error);
	cr_assert_not_null(result);
	cr_expect(number(result, "begin") == NOW - 100 && number(result, "end") == NOW - 1);
	cr_expect(number(result, "started") == 1);
	sooner = json_object_object_get(result, "sooner");
	cr_expect(number(sooner, "jobs") == 1 && number(sooner, "seconds") == 60);
	json_object_put(result);
}

Test(trial_answer, administrators_keep_what_setres_made)
{
	struct maui_rsv rsvs[] = { { .name = (char *)"a.1", .trial = true },
				   { .name = (char *)"b.1" } };
	const struct maui_keeptrial *reply;
	struct maui_query_error error;
	struct maui_arena arena = { 0 };

	reply = maui_admin_keep_trial(rsvs, 2, &arena, &error);
	cr_assert_not_null(reply);
	cr_expect(reply->kept_count == 1 && strcmp(reply->kept[0], "a.1") == 0);
	cr_expect(!rsvs[0].trial);
	maui_arena_finish(&arena);
}
