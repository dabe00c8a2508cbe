/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_json.c - what checkjob is told of one job, of a saved plan
 *
 * Rules: CMD-9, CMD-21.
 */

#include "answers/job_json.h"

#include "plan_world.h"

enum { ANN = 1001, BOB = 1002, ADMIN = 500 };

static struct world w;
static struct maui_document *p;

/* Four nodes, two of them busy until 600; A needs three, B waits behind it, X is ann's array; S is
 * longer than the two free nodes are. */
static void begin(void)
{
	static const uid_t admins[] = { ADMIN };
	struct maui_document_idle idle[] = { { 0, ANN }, { 0, BOB }, { 70, BOB }, { 0, 0 } };

	world_make(&w, "RESERVATIONDEPTH 1\n", "4 procs=4", NULL, "r nodes=n0,n1 procs=4 end=600",
		   "A nodes=3 whole limit=300 user=ann; "
		   "B nodes=9 whole limit=300 user=bob; "
		   "X nodes=4 whole limit=90 user=bob; "
		   "S nodes=2 whole limit=900",
		   0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	cr_assert(p);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	maui_document_hide(p, false, false, admins, 1);
}

static void end(void)
{
	maui_document_unref(p);
	world_finish(&w);
	w = (struct world){ 0 };
}

TestSuite(job_json, .init = begin, .fini = end);

static json_object *member(json_object *object, const char *key)
{
	json_object *value = NULL;

	cr_assert(json_object_object_get_ex(object, key, &value), "no %s", key);
	return value;
}

/* The job; the caller puts *ret_root. */
static json_object *ask(int64_t id, uid_t uid, json_object **ret_root)
{
	struct maui_query_error error = { 0 };

	*ret_root = maui_job_json(p, id, uid, &error);
	cr_assert(*ret_root, "%s", error.err.text);
	return member(*ret_root, "job");
}

static void refused(int64_t id, uid_t uid, int code)
{
	struct maui_query_error error = { 0 };

	cr_expect(!maui_job_json(p, id, uid, &error));
	cr_expect(error.code == (unsigned)code, "%d: %s", error.code, error.err.text);
}

Test(job_json, a_waiting_job_has_its_request_and_reasons)
{
	json_object *root, *job = ask(1, ANN, &root), *reasons = member(job, "reasons");

	cr_expect_str_eq(json_object_get_string(member(root, "cluster")), "mini");
	cr_expect_str_eq(json_object_get_string(member(job, "state")), "Idle");
	cr_expect_str_eq(json_object_get_string(member(job, "user")), "ann");
	cr_expect(json_object_get_int64(member(job, "limit")) == 300);
	cr_expect(json_object_get_int64(member(job, "nodes")) == 3);
	cr_expect(json_object_get_int64(member(job, "rank")) == 1);
	cr_expect(json_object_get_int64(member(job, "ahead")) == 0);
	cr_expect(json_object_get_boolean(member(job, "has_reservation")));
	cr_expect(json_object_get_int64(member(job, "expected_start")) == 600);
	cr_expect(json_object_array_length(reasons) >= 3);
	cr_expect(strstr(json_object_get_string(member(job, "reason")),
			 "Resources: needs 3 whole nodes, 2 free"),
		  "%s", json_object_get_string(member(job, "reason")));
	cr_expect(json_object_get_int64(member(member(job, "nodes_by_reason"), "busy")) == 2);
	cr_expect(json_object_get_int64(member(member(job, "nodes_by_reason"), "free")) == 2);
	json_object_put(root);
}

Test(job_json, the_outlook_is_not_among_the_reasons)
{
	static const char *const text = "would start now with a time limit of 10:00";
	json_object *root, *job = ask(4, ADMIN, &root), *reasons = member(job, "reasons");
	json_object *outlook = member(job, "outlook");

	for (size_t i = 0; i < json_object_array_length(reasons); i++)
		cr_expect(!strstr(json_object_get_string(json_object_array_get_idx(reasons, i)),
				  "would start now"));
	cr_assert(json_object_array_length(outlook) == 1);
	cr_expect_str_eq(json_object_get_string(json_object_array_get_idx(outlook, 0)), text);
	json_object_put(root);
}

Test(job_json, a_job_that_never_fits_says_so)
{
	json_object *root, *job = ask(2, BOB, &root);

	cr_expect(strstr(json_object_get_string(member(job, "reason")), "never fits"), "%s",
		  json_object_get_string(member(job, "reason")));
	cr_expect(json_object_is_type(member(job, "expected_start"), json_type_null));
	json_object_put(root);
}

Test(job_json, an_array_is_found_by_its_number)
{
	json_object *root, *job = ask(70, BOB, &root);

	cr_expect(json_object_get_int64(member(job, "id")) == 3);
	json_object_put(root);
}

Test(job_json, an_unknown_job_is_not_found)
{
	refused(99, ANN, MAUI_QUERY_NOT_FOUND);
	refused(0, ANN, MAUI_QUERY_NOT_FOUND);
	refused(INT64_MAX, ANN, MAUI_QUERY_NOT_FOUND);
}

Test(job_json, private_data_hides_the_jobs_of_others)
{
	json_object *root;

	p->hide_jobs = true;
	refused(1, BOB, MAUI_QUERY_NOT_FOUND);
	ask(1, ANN, &root);
	json_object_put(root);
	ask(1, ADMIN, &root);
	json_object_put(root);
	ask(1, 0, &root);
	json_object_put(root);
}

Test(job_json, before_the_first_plan_the_answer_is_to_try_again)
{
	struct maui_document *none = maui_document_create(0, NULL);
	struct maui_query_error error = { 0 };

	cr_expect(!maui_job_json(none, 1, 0, &error) && error.code == MAUI_QUERY_UNAVAILABLE);
	maui_document_unref(none);
}

Test(job_json, the_plan_outlives_its_planner)
{
	json_object *root;

	world_finish(&w);
	w = (struct world){ 0 };
	ask(1, ANN, &root);
	json_object_put(root);
}
