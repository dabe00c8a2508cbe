/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_start.c - what showstart is told of one job, and how estimates are remembered
 *
 * Rules: CMD-9, CMD-25.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include "cycle/start_estimates.h"
#include "planned.h"
#include "verbs/start.h"

enum { ANN = 1001, BOB = 1002 };

/* Two nodes, busy until 600. A is reserved, B is projected behind it, C waits behind both, L is
 * over its limit. */
static void begin(void)
{
	static const struct maui_estimate moves[] = { { 0, 500 }, { 60, 600 } };
	struct maui_document_idle idle[5];

	for (int i = 0; i < 5; i++)
		idle[i] = (struct maui_document_idle){ .array_task = MAUI_NO_TASK,
						       .waiting = 1,
						       .uid = i == 0 ? ANN : BOB };
	idle[0].estimates = moves;
	idle[0].estimate_count = 2;
	world_make(&w, "RESERVATIONDEPTH 1\nUSERCFG[cat] MAXPROC=2\n", "2 procs=4", NULL,
		   "r nodes=n0,n1 procs=4 end=600",
		   "A nodes=2 whole limit=300 user=ann by=700; "
		   "B nodes=2 whole limit=300 user=bob; "
		   "C nodes=1 whole limit=300 user=bob; "
		   "L nodes=1 procs=4 limit=90 user=cat",
		   60);
	w.estimates = 1;
	free(world_plan(&w));
	p = maui_document_create(60, "mini");
	cr_assert(p);
	maui_document_nodes(p, w.snapshot);
	maui_document_add_active(p, w.snapshot, 0, BOB);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	p->rsvs[0].job_id = 17;
}

TestSuite(start, .init = begin, .fini = end_planned);

static json_object *ask(int64_t id, json_object **ret_root)
{
	const struct maui_job_args args = { id, -1, -1 };
	struct maui_query_error error = { 0 };

	*ret_root = ask_verb(&maui_verb_start, maui_answer_start, p, 0, &args, &error);
	cr_assert(*ret_root, "%s", error.err.text);
	return member(*ret_root, "start");
}

static void starts(int64_t id, const char *basis, int64_t start_s, int64_t end_s)
{
	json_object *root, *start = ask(id, &root);

	cr_expect_str_eq(json_object_get_string(member(start, "basis")), basis);
	cr_expect(json_object_get_int64(member(start, "start")) == start_s, "job %d: %s", (int)id,
		  json_object_get_string(member(start, "start")));
	cr_expect(json_object_get_int64(member(start, "end")) == end_s);
	json_object_put(root);
}

Test(start, each_estimate_has_its_basis)
{
	starts(1, "reservation", 600, 900);
	starts(2, "projection", 900, 1200);
	starts(3, "fit", 900, 1200);
	starts(17, "active", 0, 600);
}

Test(start, a_job_over_its_limit_has_no_estimate_but_a_reason)
{
	json_object *root, *start = ask(4, &root);

	cr_expect(!member(start, "basis") && !member(start, "start") && !member(start, "end"));
	cr_expect(strstr(json_object_get_string(member(start, "reason")), "MAXPROC USER cat"));
	json_object_put(root);
}

Test(start, a_deadline_is_told)
{
	json_object *root;

	cr_expect(json_object_get_int64(member(ask(1, &root), "start_by")) == 700);
	json_object_put(root);
	cr_expect(!member(ask(2, &root), "start_by"));
	json_object_put(root);
}

Test(start, the_moves_of_the_estimate_are_told)
{
	json_object *root, *start = ask(1, &root);

	cr_expect_str_eq(
		json_object_to_json_string_ext(member(start, "history"), JSON_C_TO_STRING_PLAIN),
		"[[0,500],[60,600]]");
	json_object_put(root);
}

/* Not even as null: it runs. */
Test(start, what_only_waiting_jobs_have_is_absent_of_an_active_one)
{
	static const char *const keys[] = { "jobs", "start_by", "ahead", "history" };
	json_object *root, *start = ask(17, &root);

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		cr_expect(!json_object_object_get_ex(start, keys[i], NULL), "%s", keys[i]);
	json_object_put(root);
}

Test(start, private_data_hides_the_job_of_another_user)
{
	const struct maui_job_args args = { 1, -1, -1 };
	struct maui_query_error error = { 0 };

	p->privacy.hide_jobs = true;
	cr_expect(!ask_verb(&maui_verb_start, maui_answer_start, p, BOB, &args, &error));
	cr_expect(error.code == MAUI_QUERY_NOT_FOUND);
}

Test(start_estimates, small_moves_are_left_out)
{
	struct maui_start_estimates e = { 0 };

	maui_start_estimates_add(&e, 0, 600);
	maui_start_estimates_add(&e, 30, 660); /* a minute */
	cr_expect(e.count == 1);
	maui_start_estimates_add(&e, 60, 661);
	cr_expect(e.count == 2 && e.list[1].at_s == 60 && e.list[1].start_s == 661);
	maui_start_estimates_add(&e, 90, 500);
	cr_expect(e.count == 3);
	maui_start_estimates_add(&e, 100, 100100);
	maui_start_estimates_add(&e, 100, 105100); /* a twentieth */
	cr_expect(e.count == 4);
	maui_start_estimates_add(&e, 100, 105500);
	cr_expect(e.count == 5);
}

Test(start_estimates, slow_drift_is_noticed)
{
	struct maui_start_estimates e = { 0 };

	for (int64_t at_s = 0; at_s < 300; at_s += 30)
		maui_start_estimates_add(&e, at_s, 600 + at_s);
	cr_expect(e.count == 4);
}

Test(start_estimates, the_oldest_goes_when_the_list_is_full)
{
	struct maui_start_estimates e = { 0 };

	for (int64_t i = 0; i < 2 * MAUI_START_ESTIMATES; i++)
		maui_start_estimates_add(&e, i, 1000 * i);
	cr_expect(e.count == MAUI_START_ESTIMATES);
	cr_expect(e.list[0].at_s == MAUI_START_ESTIMATES &&
		  e.list[MAUI_START_ESTIMATES - 1].at_s == 2 * MAUI_START_ESTIMATES - 1);
}
