/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_statistics_answer.c - what showstats is told, and who may reset it
 *
 * Rules: CMD-28, CMD-29.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <math.h>

#include "admin/machine.h"
#include "planned.h"
#include "state/statistics.h"
#include "state/utilisation.h"
#include "verbs/statistics.h"

enum { ANN = 1001, BOB = 1002, ADMIN = 500, NOW = 6000 };

static void begin(void)
{
	static const struct maui_document_idle idle[2] = { { .uid = BOB, .waiting = 5 },
							   { .uid = ANN, .waiting = 1 } };
	static const char *const ann[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "ann" };
	static const uid_t admins[] = { ADMIN };
	const struct maui_ended_job job = { .known = MAUI_CRED_IDS,
					    .cred = ann,
					    .procs = 2,
					    .ran_s = 60,
					    .limit_s = 600,
					    .xfactor = 1 };
	struct maui_statistics statistics = { .since_s = 100 };
	struct maui_statistics_view *view;
	struct maui_utilisation utilisation = { 0 };
	struct maui_document_rsv *row;
	double load[MAUI_LOAD_COUNT] = { 16, 0, 4 };

	world_make(&w, "USERCFG[ann] FSTARGET=20\n", "4 procs=4", NULL,
		   "b nodes=n1 procs=3 end=9000 user=bob",
		   "A nodes=4 whole limit=300 user=bob; B nodes=5 whole limit=300 user=ann", NOW);
	free(world_plan(&w));
	maui_statistics_add(&statistics, &job);
	view = maui_statistics_view_create(&statistics, NULL);
	maui_statistics_finish(&statistics);
	maui_utilisation_note(&utilisation, NOW - 300, load);
	maui_utilisation_note(&utilisation, NOW, load);
	p = maui_document_create(NOW, "mini");
	cr_assert(p && view);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	maui_document_hide(p, false, false, admins, 1);
	row = maui_document_add_active(p, w.snapshot, 0, BOB);
	cr_assert(row);
	row->procs = 3;
	maui_document_set_statistics(p, view, &utilisation);
	maui_statistics_view_unref(view);
}

TestSuite(statistics_answer, .init = begin, .fini = end_planned);

/* The answer, or NULL with error. */
static json_object *try(const struct maui_document *document, const char *kind, uid_t uid,
			struct maui_query_error *error)
{
	const struct maui_statistics_args args = { .kind = kind };

	return ask_verb(&maui_verb_statistics, maui_answer_statistics, document, uid, &args, error);
}

static json_object *ask(const char *kind, uid_t uid)
{
	struct maui_query_error error = { 0 };
	json_object *root = try(p, kind, uid, &error);

	cr_assert(root, "%s", error.err.text);
	return root;
}

Test(statistics_answer, the_whole_has_a_grid_and_the_last_day)
{
	json_object *root = ask(NULL, ANN), *span, *cell;

	cr_expect(real(root, "since") == 100);
	cr_expect(real(member(root, "total"), "jobs") == 1);
	cr_expect(json_object_array_length(member(root, "grid")) ==
		  (size_t)MAUI_GRID_PROCS * MAUI_GRID_TIMES);
	cell = json_object_array_get_idx(member(root, "grid"), MAUI_GRID_TIMES);
	cr_expect(real(cell, "procs") == 4 && real(cell, "limit") == 900);
	cr_expect(real(cell, "jobs") == 1);
	span = json_object_array_get_idx(member(root, "utilisation"), 0);
	cr_expect(real(span, "used") == 4 && real(span, "known") == 300);
	json_object_put(root);
}

Test(statistics_answer, a_credential_has_what_ended_and_what_runs)
{
	json_object *root = ask("user", ANN), *rows = member(root, "credentials");
	json_object *ann = json_object_array_get_idx(rows, 0);
	json_object *bob = json_object_array_get_idx(rows, 1);

	cr_assert(json_object_array_length(rows) == 2);
	cr_expect_str_eq(json_object_get_string(member(ann, "name")), "ann");
	cr_expect(real(ann, "jobs") == 1 && real(ann, "used") == 120);
	cr_expect(fabs(real(ann, "accuracy") - 0.1) < 1e-6 && real(ann, "target") == 20);
	cr_expect(real(bob, "jobs") == 0 && real(bob, "active_jobs") == 1);
	cr_expect(real(bob, "active_remaining") == 3 * 3000);
	json_object_put(root);
}

Test(statistics_answer, private_data_leaves_ones_own)
{
	static const struct maui_document_user users[] = { { ANN, "ann", "ann" },
							   { BOB, "bob", "bob" } };
	json_object *root;

	p->privacy.hide_usage = true;
	maui_document_know_users(p, users, 2);
	root = ask("user", BOB);
	cr_expect(json_object_array_length(member(root, "credentials")) == 1);
	cr_expect(json_object_get_boolean(member(root, "hidden")));
	json_object_put(root);
	root = ask("user", ADMIN);
	cr_expect(json_object_array_length(member(root, "credentials")) == 2);
	json_object_put(root);
}

/* PrivateData=jobs without usage: what has ended is shown, what runs only of one's own. */
Test(statistics_answer, private_jobs_are_not_counted_for_others)
{
	static const struct maui_document_user users[] = { { ANN, "ann", "ann" },
							   { BOB, "bob", "bob" } };
	static const uid_t askers[] = { ANN, BOB, ADMIN };
	static const int64_t shown[] = { 0, 1, 1 };

	p->privacy.hide_jobs = true;
	maui_document_know_users(p, users, 2);
	for (int i = 0; i < 3; i++) {
		json_object *root = ask("user", askers[i]), *rows = member(root, "credentials");
		int64_t jobs = 0;

		for (size_t k = 0; k < json_object_array_length(rows); k++)
			jobs += real(json_object_array_get_idx(rows, k), "active_jobs");
		cr_expect(jobs == shown[i], "asker %d: %d", i, (int)jobs);
		json_object_put(root);
	}
}

/* Five tasks of bob's array and ann's job, for which there are not enough nodes. */
static const struct {
	uid_t uid;
	bool hidden;
	int active, procs, eligible, waiting;
} queues[] = {
	{ BOB, false, 1, 3, 5, 6 }, { ANN, false, 1, 3, 5, 6 },  { BOB, true, 1, 3, 5, 5 },
	{ ANN, true, 0, 0, 0, 1 },  { ADMIN, true, 1, 3, 5, 6 },
};

Test(statistics_answer, the_queue_has_tasks_and_no_hidden_jobs)
{
	for (size_t i = 0; i < sizeof(queues) / sizeof(*queues); i++) {
		json_object *root;

		p->privacy.hide_jobs = queues[i].hidden;
		root = ask(NULL, queues[i].uid);
		cr_expect(real(root, "active_jobs") == queues[i].active, "row %zu", i);
		cr_expect(real(root, "active_procs") == queues[i].procs, "row %zu", i);
		cr_expect(real(root, "eligible_jobs") == queues[i].eligible, "row %zu", i);
		cr_expect(real(root, "waiting_jobs") == queues[i].waiting, "row %zu", i);
		json_object_put(root);
	}
}

Test(statistics_answer, wrong_questions_are_refused)
{
	struct maui_document *none = maui_document_create(0, NULL);
	struct maui_query_error error = { 0 };

	cr_expect(!try(p, "colour", 0, &error) && error.code == MAUI_QUERY_BAD);
	cr_expect(!try(none, NULL, 0, &error) && error.code == MAUI_QUERY_UNAVAILABLE);
	maui_document_unref(none);
}

Test(statistics_answer, a_reset)
{
	struct maui_statistics statistics = { .since_s = 5 };
	struct maui_query_error error = { 0 };
	const struct maui_resetstats *reply;
	struct maui_arena arena = { 0 };

	statistics.total.value[MAUI_FIGURE_JOBS] = 7;
	reply = maui_admin_reset_statistics(&statistics, 9, &arena, &error);
	cr_assert(reply);
	cr_expect(reply->since == 9 && statistics.since_s == 9);
	cr_expect(statistics.total.value[MAUI_FIGURE_JOBS] == 0);
	maui_arena_finish(&arena);
	maui_statistics_finish(&statistics);
}
