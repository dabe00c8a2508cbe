/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_queue.c - the answer for showq, of a saved plan
 *
 * Rules: CMD-9, CMD-23.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include "planned.h"
#include "verbs/queue.h"

enum { ANN = 1001, BOB = 1002, ADMIN = 500 };

/* Four nodes, two of them busy until 600, two until 100. A is reserved, B never fits, C waits
 * behind A, L is over its limit, X is an array, G has started since. */
static void begin(void)
{
	static const uid_t admins[] = { ADMIN };
	const struct maui_document_idle idle[] = {
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = ANN, .name = "a\"\x01" },
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = BOB },
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = BOB },
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = ANN },
		{ .array_job_id = 70,
		  .array_task = MAUI_NO_TASK,
		  .first_task = 3,
		  .last_task = 6,
		  .waiting = 3,
		  .uid = BOB },
		{ .array_task = MAUI_NO_TASK, .waiting = 0, .uid = BOB },
	};

	world_make(&w, "RESERVATIONDEPTH 1\nXFMINWCLIMIT 1000\nUSERCFG[ann] MAXPROC=8\n",
		   "4 procs=4", NULL,
		   "r nodes=n0,n1 procs=4 end=600 user=ann; s nodes=n2,n3 procs=2 end=100 user=bob",
		   "A nodes=3 whole limit=300 user=cat; "
		   "B nodes=9 whole limit=300 user=bob; "
		   "C nodes=4 whole limit=90 user=bob; "
		   "L nodes=1 procs=4 limit=90 user=ann; "
		   "X nodes=4 whole limit=90 copies=3 user=bob; "
		   "G nodes=4 whole limit=90 user=bob",
		   0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	cr_assert(p);
	maui_document_nodes(p, w.snapshot);
	maui_document_add_active(p, w.snapshot, 0, ANN);
	maui_document_add_active(p, w.snapshot, 1, BOB);
	for (uint32_t i = 0; i < w.decisions.reservation_count; i++)
		maui_document_add_job_rsv(p, w.snapshot, &w.decisions.reservations[i], ANN);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	maui_document_hide(p, false, false, admins, 1);
}

TestSuite(queue, .init = begin, .fini = end_planned);

static json_object *ask(const struct maui_queue_args *args, uid_t uid)
{
	struct maui_query_error error = { 0 };
	json_object *root = ask_verb(&maui_verb_queue, maui_answer_queue, p, uid, args, &error);

	cr_assert(root, "%s", error.err.text);
	return root;
}

/* The code of the error. */
static enum maui_query_code fail(const struct maui_document *document,
				 const struct maui_queue_args *args, struct maui_query_error *error)
{
	cr_assert(!ask_verb(&maui_verb_queue, maui_answer_queue, document, ADMIN, args, error));
	return error->code;
}

static json_object *ask_all(bool wide, uid_t uid)
{
	const struct maui_queue_args args = { .wide = wide };

	return ask(&args, uid);
}

/* The jobs of a block, "1 3". */
static void jobs(json_object *root, const char *block, const char *expected)
{
	json_object *rows = member(root, block);
	char text[128] = "";

	for (size_t i = 0; i < json_object_array_length(rows); i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "",
			 json_object_get_string(
				 json_object_array_get_idx(json_object_array_get_idx(rows, i), 0)));
	cr_expect_str_eq(text, expected);
}

static int64_t total(json_object *root, const char *key)
{
	return json_object_get_int64(member(member(root, "totals"), key));
}

/* The value of a row by the name of its column. */
static json_object *value(json_object *root, const char *block, size_t row, const char *column)
{
	json_object *names =
		member(root, strcmp(block, "active") == 0 ? "active_columns" : "waiting_columns");
	json_object *values = json_object_array_get_idx(member(root, block), row);

	cr_assert(json_object_array_length(values) == json_object_array_length(names));
	for (size_t i = 0; i < json_object_array_length(names); i++)
		if (strcmp(json_object_get_string(json_object_array_get_idx(names, i)), column) ==
		    0)
			return json_object_array_get_idx(values, i);
	cr_assert(false, "no column %s", column);
	return NULL;
}

Test(queue, nodes_that_are_drained_count_while_jobs_run_on_them)
{
	struct maui_snapshot *s = (struct maui_snapshot *)p->plan->snapshot;
	json_object *root;

	s->nodes[0].usable_from_s = MAUI_NEVER;
	s->nodes[3].usable_from_s = MAUI_NEVER;
	root = ask_all(false, 0);
	cr_expect(total(root, "active_nodes") == 4 && total(root, "nodes") == 4);
	cr_expect(total(root, "active_procs") == 12 && total(root, "procs") == 16);
	json_object_put(root);
}

Test(queue, each_job_is_in_one_block_in_its_order)
{
	json_object *root = ask_all(false, 0);

	jobs(root, "active", "1 0");          /* by their end */
	jobs(root, "idle", "1 3 70_[3-6]x3"); /* by rank */
	jobs(root, "blocked", "2 4");
	cr_expect(total(root, "active_jobs") == 2 && total(root, "idle_jobs") == 5 &&
		  total(root, "blocked_jobs") == 2);
	cr_expect(total(root, "active_procs") == 12 && total(root, "procs") == 16);
	cr_expect(total(root, "active_nodes") == 4 && total(root, "nodes") == 4);
	json_object_put(root);
}

Test(queue, a_wide_row_has_priority_estimate_and_reason)
{
	json_object *root = ask_all(true, 0);

	cr_expect_str_eq(json_object_get_string(value(root, "idle", 0, "name")), "a\"\x01");
	cr_expect(json_object_get_int64(value(root, "idle", 0, "expected_start")) == 600);
	cr_expect(json_object_get_int64(value(root, "idle", 0, "reserved")) == 1);
	cr_expect(json_object_get_int64(value(root, "idle", 0, "priority")) ==
		  p->plan->decisions.verdicts[0].published);
	cr_expect(!value(root, "idle", 1, "expected_start"));
	cr_expect(json_object_get_int64(value(root, "idle", 1, "earliest_start")) == 900);
	cr_expect(
		strstr(json_object_get_string(value(root, "blocked", 0, "reason")), "never fits"));
	cr_expect(strstr(json_object_get_string(value(root, "blocked", 1, "reason")), "MAXPROC"),
		  "%s", json_object_get_string(value(root, "blocked", 1, "reason")));
	cr_expect_str_eq(json_object_get_string(value(root, "active", 0, "first_node")), "n2");
	json_object_put(root);
}

/* Limits of 300 and 600 seconds are below XFMINWCLIMIT. */
Test(queue, the_expansion_factor_is_that_of_priorities)
{
	struct maui_snapshot *s = (struct maui_snapshot *)p->plan->snapshot;
	json_object *root;

	s->idle[0].queue_since_s = p->plan->now_s - 500;
	for (size_t i = 0; i < p->rsv_count; i++)
		p->rsvs[i].submit_s = p->rsvs[i].start_s - 250;
	root = ask_all(true, 0);
	cr_expect(json_object_get_double(value(root, "idle", 0, "xfactor")) == 1.5, "%s",
		  json_object_get_string(value(root, "idle", 0, "xfactor")));
	cr_expect(json_object_get_double(value(root, "active", 1, "xfactor")) == 1.25, "%s",
		  json_object_get_string(value(root, "active", 1, "xfactor")));
	json_object_put(root);
}

Test(queue, filters_apply_to_rows_and_totals)
{
	const struct maui_queue_args bob = { .user = "bob" },
				     idle = { .user = "bob", .block = "idle" };
	const struct maui_queue_args none = { .class = "p1", .block = "active" };
	json_object *root = ask(&bob, 0);

	jobs(root, "active", "1");
	jobs(root, "idle", "3 70_[3-6]x3");
	json_object_put(root);
	root = ask(&idle, 0);
	jobs(root, "active", "");
	jobs(root, "idle", "3 70_[3-6]x3");
	jobs(root, "blocked", "");
	cr_expect(total(root, "active_procs") == 4 && total(root, "active_nodes") == 2);
	cr_expect(total(root, "blocked_jobs") == 1);
	json_object_put(root);
	root = ask(&none, 0);
	jobs(root, "active", "");
	cr_expect(total(root, "procs") == 0 && total(root, "active_jobs") == 0);
	json_object_put(root);
}

Test(queue, private_data_hides_the_jobs_of_others_and_their_totals)
{
	const struct maui_queue_args bobs = { .user = "bob" };
	json_object *root;

	p->privacy.hide_jobs = true;
	root = ask_all(false, ANN);
	jobs(root, "active", "0");
	jobs(root, "idle", "1");
	jobs(root, "blocked", "4");
	cr_expect(total(root, "active_procs") == 12, "as showstate counts");
	cr_expect(total(root, "active_jobs") == 1 && total(root, "idle_jobs") == 1);
	cr_expect(json_object_array_length(member(root, "kept")) == 1);
	json_object_put(root);
	root = ask(&bobs, ANN);
	cr_expect(total(root, "active_procs") == 0, "not what another user has");
	json_object_put(root);
	p->privacy.hide_nodes = true;
	root = ask_all(false, ANN);
	cr_expect(total(root, "active_procs") == 8 && total(root, "active_nodes") == 2);
	json_object_put(root);
	p->privacy.hide_nodes = false;
	root = ask_all(false, BOB);
	jobs(root, "idle", "3 70_[3-6]x3");
	cr_expect(json_object_array_length(member(root, "kept")) == 0);
	json_object_put(root);
	root = ask_all(false, ADMIN);
	cr_expect(total(root, "active_jobs") == 2);
	json_object_put(root);
}

Test(queue, the_nodes_of_a_job_reservation_are_named)
{
	json_object *root = ask_all(false, 0), *kept = member(root, "kept");

	cr_assert(json_object_array_length(kept) == 1);
	kept = json_object_array_get_idx(kept, 0);
	cr_expect_str_eq(json_object_get_string(member(kept, "job")), "1");
	cr_expect(json_object_get_int64(member(kept, "node_count")) == 3);
	cr_expect(json_object_get_int64(member(kept, "start")) == 600);
	json_object_put(root);
}

Test(queue, before_the_first_plan_the_answer_is_to_try_again)
{
	const struct maui_queue_args args = { .block = "active" };
	struct maui_document *none = maui_document_create(0, NULL);
	struct maui_query_error error = { 0 };

	cr_expect(fail(none, &args, &error) == MAUI_QUERY_UNAVAILABLE);
	maui_document_unref(none);
}

/* X: 3 of its 6 tasks may wait, by MAXIJOB; P is an array within its limit. */
Test(queue, tasks_that_an_idle_limit_keeps_out_are_blocked)
{
	const struct maui_document_idle idle[] = { { .array_job_id = 70,
						     .array_task = MAUI_NO_TASK,
						     .first_task = 1,
						     .last_task = 6,
						     .waiting = 6,
						     .uid = BOB },
						   { .array_job_id = 80,
						     .array_task = MAUI_NO_TASK,
						     .first_task = 1,
						     .last_task = 2,
						     .waiting = 2,
						     .uid = ANN } };
	json_object *root;

	end_planned();
	world_make(&w, "USERCFG[DEFAULT] MAXIJOB=3\n", "1 procs=4", NULL,
		   "r nodes=n0 procs=4 end=600 user=cat",
		   "X procs=1 copies=6 user=bob; P procs=1 copies=2 user=ann", 0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	cr_assert(p);
	maui_document_nodes(p, w.snapshot);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	root = ask_all(true, 0);
	jobs(root, "idle", "70_[1-6]x3 80_[1-2]");
	jobs(root, "blocked", "70_[1-6]x3");
	cr_expect(total(root, "idle_jobs") == 5 && total(root, "blocked_jobs") == 3);
	cr_expect(json_object_get_int64(value(root, "blocked", 0, "jobs")) == 3);
	cr_expect_str_eq(json_object_get_string(value(root, "blocked", 0, "reason")),
			 "MAXIJOB USER bob 3/3 (hard)");
	json_object_put(root);
}

/* "ann,bob", as squeue takes them. */
Test(queue, lists_of_users_and_partitions)
{
	struct maui_queue_args args = { .user = "cat,ann" };
	struct maui_query_error error = { 0 };
	json_object *root;

	root = ask(&args, ADMIN);
	jobs(root, "idle", "1");
	jobs(root, "blocked", "4");
	json_object_put(root);
	args.class = "p0,p9";
	cr_expect(fail(p, &args, &error) == MAUI_QUERY_NOT_FOUND);
	cr_expect(strstr(error.err.text, "p9"), "%s", error.err.text);
	args.class = "p0";
	root = ask(&args, ADMIN);
	jobs(root, "idle", "1");
	json_object_put(root);
}
