/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job.c - what checkjob is told of one job, of a saved plan
 *
 * Rules: CMD-9, CMD-21, CMD-22, CMD-68.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include "cycle/health.h"
#include "planned.h"
#include "record/read.h"
#include "verbs/job.h"

enum { ANN = 1001, BOB = 1002, ADMIN = 500 };

/* Four nodes, two of them busy until 600; A needs three, B waits behind it, X is ann's array; S is
 * longer than the two free nodes are. The deadlines of A and D mean a start by 700. */
static void begin(void)
{
	static const uid_t admins[] = { ADMIN };
	const struct maui_document_idle idle[] = {
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = ANN, .name = "a" },
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = BOB },
		{ .array_job_id = 70,
		  .array_task = MAUI_NO_TASK,
		  .first_task = 3,
		  .last_task = 6,
		  .waiting = 3,
		  .uid = BOB },
		{ .array_task = MAUI_NO_TASK, .waiting = 1 },
		{ .array_task = MAUI_NO_TASK, .waiting = 0, .uid = BOB },
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = BOB },
	};

	world_make(&w, "RESERVATIONDEPTH 1\n", "4 procs=4", NULL, "r nodes=n0,n1 procs=4 end=600",
		   "A nodes=3 whole limit=300 user=ann by=700; "
		   "B nodes=9 whole limit=300 user=bob; "
		   "X nodes=4 whole limit=90 user=bob; "
		   "S nodes=2 whole limit=900; "
		   "G nodes=9 whole limit=90; "
		   "D nodes=3 whole limit=300 by=700",
		   0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	cr_assert(p);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	maui_document_hide(p, false, false, admins, 1);
}

/* An active job of bob on no node; task MAUI_NO_TASK: of no array. */
static void add_active(uint64_t id, uint32_t array_job_id, uint32_t task)
{
	static const char *const cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "bob" };
	struct maui_snapshot *s = maui_snapshot_create(1);
	struct maui_active active = { .id = id, .start_s = 0, .end_s = 100 };
	struct maui_document_rsv *row;

	cr_assert(maui_snapshot_seal(s, NULL) == 0);
	active.creds = (uint32_t)maui_snapshot_creds(s, cred);
	cr_assert(maui_snapshot_add_active(s, &active) == 0);
	row = maui_document_add_active(p, s, 0, BOB);
	cr_assert(row);
	row->array_job_id = array_job_id;
	row->array_task = task;
	maui_snapshot_destroy(s);
}

TestSuite(job, .init = begin, .fini = end_planned);

/* The job; the caller puts *ret_root. */
static json_object *ask_task(int64_t id, int64_t task, uid_t uid, json_object **ret_root)
{
	const struct maui_job_args args = { id, task, -1 };
	struct maui_query_error error = { 0 };

	*ret_root = ask_verb(&maui_verb_job, maui_answer_job, p, uid, &args, &error);
	cr_assert(*ret_root, "%s", error.err.text);
	return member(*ret_root, "job");
}

static json_object *ask(int64_t id, uid_t uid, json_object **ret_root)
{
	return ask_task(id, -1, uid, ret_root);
}

static void refused_task(int64_t id, int64_t task, uid_t uid, int code)
{
	const struct maui_job_args args = { id, task, -1 };
	struct maui_query_error error = { 0 };

	cr_expect(!ask_verb(&maui_verb_job, maui_answer_job, p, uid, &args, &error));
	cr_expect(error.code == (unsigned)code, "%d: %s", error.code, error.err.text);
}

static void refused(int64_t id, uid_t uid, int code)
{
	refused_task(id, -1, uid, code);
}

/* Whose label the answer has. */
static void found(int64_t id, int64_t task, const char *label, const char *state)
{
	json_object *root, *job = ask_task(id, task, BOB, &root);

	cr_expect_str_eq(json_object_get_string(member(job, "label")), label);
	cr_expect_str_eq(json_object_get_string(member(job, "state")), state);
	json_object_put(root);
}

Test(job, a_waiting_job_has_its_request_and_reasons)
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

Test(job, the_outlook_is_not_among_the_reasons)
{
	static const char *const text = "with a time limit of at most 10:00 it would start now";
	json_object *root, *job = ask(4, ADMIN, &root), *reasons = member(job, "reasons");
	json_object *outlook = member(job, "outlook");

	for (size_t i = 0; i < json_object_array_length(reasons); i++)
		cr_expect(!strstr(json_object_get_string(json_object_array_get_idx(reasons, i)),
				  "would start now"));
	cr_assert(json_object_array_length(outlook) == 1);
	cr_expect_str_eq(json_object_get_string(json_object_array_get_idx(outlook, 0)), text);
	cr_expect_str_eq(json_object_get_string(member(job, "with_shorter_limit")), text);
	json_object_put(root);
}

Test(job, what_would_help_comes_with_its_command)
{
	json_object *root, *job = ask(4, ADMIN, &root), *help = member(job, "would_help"), *item;

	cr_assert(json_object_array_length(help) == 2);
	item = json_object_array_get_idx(help, 0);
	cr_expect_str_eq(json_object_get_string(member(item, "text")),
			 "with a time limit of at most 10:00 it would start now");
	cr_expect_str_eq(json_object_get_string(member(item, "command")),
			 "scontrol update jobid=4 timelimit=10");
	item = json_object_array_get_idx(help, 1);
	cr_expect_str_eq(json_object_get_string(member(item, "command")),
			 "scontrol update jobid=4 numnodes=1 numtasks=1 numcpus=1");
	json_object_put(root);
}

Test(job, a_job_that_never_fits_says_so)
{
	json_object *root, *job = ask(2, BOB, &root);

	cr_expect(strstr(json_object_get_string(member(job, "reason")), "never fits"), "%s",
		  json_object_get_string(member(job, "reason")));
	cr_expect(json_object_is_type(member(job, "expected_start"), json_type_null));
	json_object_put(root);
}

Test(job, an_array_is_found_by_its_number)
{
	json_object *root, *job = ask(70, BOB, &root);

	cr_expect(json_object_get_int64(member(job, "id")) == 3);
	json_object_put(root);
}

Test(job, an_unknown_job_is_not_found)
{
	refused(99, ANN, MAUI_QUERY_NOT_YET); /* a number above all others */
	refused(69, ANN, MAUI_QUERY_NOT_FOUND);
	refused(0, ANN, MAUI_QUERY_NOT_FOUND);
	refused(MAUI_RECORD_MOST_SAVED, ANN, MAUI_QUERY_NOT_FOUND);
	refused(INT64_MAX, ANN, MAUI_QUERY_BAD);
}

Test(job, private_data_hides_the_jobs_of_others)
{
	json_object *root;

	p->privacy.hide_jobs = true;
	refused(1, BOB, MAUI_QUERY_NOT_FOUND);
	ask(1, ANN, &root);
	json_object_put(root);
	ask(1, ADMIN, &root);
	json_object_put(root);
	ask(1, 0, &root);
	json_object_put(root);
}

Test(job, before_the_first_plan_the_answer_is_to_try_again)
{
	struct maui_document *none = maui_document_create(0, NULL);
	const struct maui_job_args args = { 1, -1, -1 };
	struct maui_query_error error = { 0 };

	cr_expect(!ask_verb(&maui_verb_job, maui_answer_job, none, 0, &args, &error));
	cr_expect(error.code == MAUI_QUERY_UNAVAILABLE);
	maui_document_unref(none);
}

Test(job, by_when_a_job_with_a_deadline_must_start)
{
	json_object *root, *job = ask(1, ADMIN, &root);

	cr_expect(json_object_get_int64(member(job, "start_by")) == 700);
	json_object_put(root);
	job = ask(6, ADMIN, &root);
	cr_expect(json_object_get_int64(member(job, "earliest_start")) == 900);
	json_object_put(root);
	cr_expect(!member(ask(2, ADMIN, &root), "start_by"));
	json_object_put(root);
}

Test(job, the_plan_outlives_its_planner)
{
	json_object *root;

	world_finish(&w);
	w = (struct world){ 0 };
	ask(1, ANN, &root);
	json_object_put(root);
}

Test(job, an_array_of_which_some_tasks_start_has_the_reasons_of_the_others)
{
	const struct maui_document_idle idle = { .array_job_id = 80,
						 .array_task = MAUI_NO_TASK,
						 .first_task = 1,
						 .last_task = 8,
						 .waiting = 4,
						 .uid = BOB };
	json_object *root, *job;

	end_planned();
	world_make(&w, "", "2 procs=4", NULL, NULL, "Y nodes=1 whole limit=90 copies=4", 0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), &idle);
	job = ask(80, BOB, &root);
	cr_assert(p->plan->decisions.verdicts[0].started == 2);
	cr_expect_str_eq(json_object_get_string(member(job, "state")), "Idle");
	cr_expect(json_object_array_length(member(job, "reasons")) > 0);
	cr_expect(json_object_get_int64(member(job, "jobs")) == 4);
	json_object_put(root);
}

/* ---- the jobs in the way ---- */

static void list_is(json_object *list, const char *expected)
{
	char text[256] = "";

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *item = json_object_array_get_idx(list, i);

		strcat(strcat(text, *text ? " " : ""),
		       json_object_get_string(json_object_is_type(item, json_type_string) ?
						      item :
						      member(item, "label")));
	}
	cr_expect_str_eq(text, expected);
}

static json_object *in_the_way(int64_t id, uid_t uid, json_object **ret_root)
{
	json_object *job = ask(id, uid, ret_root);

	cr_assert(job);
	return job;
}

/* Six wait ahead of the last one; two run, one of them where it could not. */
static void begin_line(bool private)
{
	static const uid_t admins[] = { ADMIN };
	struct maui_document_idle idle[8];

	end_planned();
	for (size_t i = 0; i < 8; i++)
		idle[i] = (struct maui_document_idle){ .array_task = MAUI_NO_TASK,
						       .waiting = 1,
						       .uid = i == 2 ? ANN : BOB };
	world_make(&w, "RESERVATIONDEPTH 1\n", "4 procs=4; 1 procs=1", NULL,
		   "r nodes=n0,n1,n2,n3 procs=4 end=600",
		   "A nodes=4 whole procs=16 limit=300; B nodes=4 whole procs=16 limit=300; "
		   "C nodes=4 whole procs=16 limit=300; D nodes=4 whole procs=16 limit=300; "
		   "E nodes=4 whole procs=16 limit=300; F nodes=4 whole procs=16 limit=300; "
		   "G nodes=4 whole procs=16 limit=300",
		   0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	maui_document_hide(p, private, false, admins, 1);
}

Test(job, the_first_jobs_ahead_are_named)
{
	json_object *root, *job;

	begin_line(false);
	job = in_the_way(7, BOB, &root);
	cr_expect(json_object_get_int64(member(job, "ahead")) == 6);
	list_is(member(job, "jobs_ahead"), "1 2 3 4 5");
	json_object_put(root);
	job = in_the_way(1, BOB, &root);
	list_is(member(job, "jobs_ahead"), "");
	json_object_put(root);
}

Test(job, hidden_jobs_ahead_are_counted_and_not_named)
{
	json_object *root, *job;

	begin_line(true);
	job = in_the_way(3, ANN, &root);
	cr_expect(json_object_get_int64(member(job, "ahead")) == 2);
	list_is(member(job, "jobs_ahead"), "");
	json_object_put(root);
	job = in_the_way(7, BOB, &root);
	list_is(member(job, "jobs_ahead"), "1 2 4 5 6");
	json_object_put(root);
}

/* A needs a whole node for 300 s, and all four are in use: 50 ends while the reservation R has n0,
 * 51 too late before S has n1, 52 after R has had n2; 53 has no limit, and T keeps n3 for ever. 54
 * ends on n0 before R begins, 55 there after R. */
static void begin_reserved_nodes(void)
{
	static const struct maui_document_idle idle = { .array_task = MAUI_NO_TASK,
							.waiting = 1,
							.uid = ANN };

	end_planned();
	world_make(&w, "RESERVATIONDEPTH 1\n", "4 procs=4",
		   "R nodes=n0,n2 start=500 end=900; S nodes=n1 start=800 end=9000; "
		   "T nodes=n3 start=5000",
		   "r nodes=n0 procs=2 end=600; s nodes=n1 procs=4 end=600; "
		   "t nodes=n2 procs=4 end=1000; u nodes=n3 procs=4 end=2000; "
		   "v nodes=n0 procs=1 end=150; x nodes=n0 procs=1 end=2000",
		   "A nodes=1 whole limit=300 user=ann", 0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	maui_document_nodes(p, w.snapshot);
	for (uint32_t i = 0; i < w.snapshot->active_count; i++) {
		struct maui_active *active = (struct maui_active *)&w.snapshot->active[i];

		active->id = 50 + i;
		active->no_limit = i == 3;
		maui_document_add_active(p, w.snapshot, i, BOB);
	}
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), &idle);
}

Test(job, only_jobs_whose_end_could_help_are_in_the_way)
{
	json_object *root, *job;

	begin_reserved_nodes();
	job = in_the_way(1, ANN, &root);
	list_is(member(job, "node_users"), "54 52 55");
	cr_expect(json_object_get_int64(member(job, "node_users_all")) == 3);
	json_object_put(root);
}

/* Three jobs of bob go for ann's. */
static void begin_preempting(void)
{
	static const uid_t admins[] = { ADMIN };
	const struct maui_document_idle idle = { .array_task = MAUI_NO_TASK,
						 .waiting = 1,
						 .uid = ANN };

	end_planned();
	world_make(&w, "QOSCFG[now] QFLAGS=PREEMPTOR PRIORITY=5\nQOSWEIGHT 1\nQUEUETIMEWEIGHT 0\n",
		   "3 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100 preemptee; b nodes=n1 procs=4 end=100 preemptee; "
		   "c nodes=n2 procs=4 end=100 preemptee",
		   "A nodes=3 whole limit=300 qos=now user=ann", 0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), &idle);
	maui_document_hide(p, true, false, admins, 1);
	for (uint32_t i = 0; i < p->plan->snapshot->active_count; i++) {
		((struct maui_active *)p->plan->snapshot->active)[i].id = 50 + i;
		add_active(50 + i, 50, 2 + i);
	}
}

static void going_is(uid_t uid, const char *expected)
{
	json_object *root, *reasons = member(ask(1, uid, &root), "reasons");
	bool found = false;

	for (size_t i = 0; i < json_object_array_length(reasons); i++)
		found |= strcmp(json_object_get_string(json_object_array_get_idx(reasons, i)),
				expected) == 0;
	cr_expect(found, "%s: %s", expected, json_object_to_json_string(reasons));
	json_object_put(root);
}

Test(job, hidden_jobs_that_go_for_it_are_counted_and_not_named)
{
	begin_preempting();
	going_is(ADMIN, "jobs that go for it: 50_2, 50_3, 50_4");
	going_is(ANN, "jobs that go for it: 3");
	p->rsvs[1].uid = ANN;
	going_is(ANN, "jobs that go for it: 50_3 and 2 more");
}

/* n1 is in p0 and p1: A waits for it before D does. B waits in p2, whose node D cannot use. C waits
 * in p0, but its feature is on n0 only. */
Test(job, jobs_of_other_partitions_are_named_when_they_wait_for_the_same_node)
{
	static const uid_t admins[] = { ADMIN };
	struct maui_document_idle idle[8];
	json_object *root, *job;

	end_planned();
	for (size_t i = 0; i < 8; i++)
		idle[i] = (struct maui_document_idle){ .array_task = MAUI_NO_TASK,
						       .waiting = 1,
						       .uid = i == 0 ? ANN : BOB };
	world_make(&w, "RESERVATIONDEPTH 1\n",
		   "1 procs=4 part=p0 feature=big; 1 procs=4 part=p0,p1; 1 procs=4 part=p1; "
		   "1 procs=4 part=p2",
		   NULL, "r nodes=n0,n1,n2,n3 procs=4 end=600",
		   "A nodes=2 whole procs=8 limit=300 part=p0; "
		   "B nodes=1 whole procs=4 limit=300 part=p2; "
		   "C nodes=1 whole procs=4 limit=300 part=p0 feature=big; "
		   "D nodes=2 whole procs=8 limit=300 part=p1",
		   0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	job = in_the_way(4, BOB, &root);
	list_is(member(job, "others_ahead"), "1");
	list_is(member(job, "jobs_ahead"), "");
	json_object_put(root);
	job = in_the_way(2, BOB, &root);
	list_is(member(job, "others_ahead"), "");
	json_object_put(root);
	maui_document_hide(p, true, false, admins, 1);
	job = in_the_way(4, BOB, &root);
	list_is(member(job, "others_ahead"), "");
	json_object_put(root);
}

Test(job, private_partitions_are_no_help)
{
	struct maui_document_idle idle = { .array_task = MAUI_NO_TASK, .waiting = 1, .uid = ANN };
	json_object *root;

	end_planned();
	world_make(&w, "RESERVATIONDEPTH 1\n", "1 procs=4 part=p0; 1 procs=4 part=p1", NULL,
		   "r nodes=n0 procs=4 end=600", "A nodes=1 whole procs=4 limit=300 part=p0", 0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), &idle);
	cr_expect(json_object_array_length(member(ask(1, ANN, &root), "would_help")) == 1);
	json_object_put(root);
	p->privacy.hide_partitions = true;
	cr_expect(json_object_array_length(member(ask(1, ANN, &root), "would_help")) == 0);
	json_object_put(root);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), of_end = strlen(end);

	return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

Test(job, what_would_help_a_job_that_asks_slurm_is_no_promise)
{
	static const char *const unless = ", if Slurm finds a place for it";
	json_object *root, *job, *help, *outlook, *reasons;

	end_planned();
	world_make(&w, "RESERVATIONDEPTH 1\n", "4 procs=4", NULL, "r nodes=n0,n1 procs=4 end=600",
		   "A nodes=3 whole limit=300; S nodes=2 whole limit=900 asks", 0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w),
			       (const struct maui_document_idle[]){
				       { .array_task = MAUI_NO_TASK, .waiting = 1, .uid = ANN },
				       { .array_task = MAUI_NO_TASK, .waiting = 1, .uid = BOB } });
	job = ask(2, BOB, &root);
	help = member(job, "would_help");
	outlook = member(job, "outlook");
	reasons = member(job, "reasons");
	cr_assert(json_object_array_length(help) > 0 && json_object_array_length(outlook) > 0);
	for (size_t i = 0; i < json_object_array_length(help); i++) {
		const char *text =
			json_object_get_string(member(json_object_array_get_idx(help, i), "text"));

		cr_expect(ends_with(text, unless), "%s", text);
	}
	cr_expect(ends_with(json_object_get_string(json_object_array_get_idx(outlook, 0)), unless));
	for (size_t i = 0; i < json_object_array_length(reasons); i++) {
		const char *text = json_object_get_string(json_object_array_get_idx(reasons, i));

		cr_expect(!strstr(text, "have room") || strstr(text, "may have room"), "%s", text);
	}
	json_object_put(root);
}

Test(job, an_active_job_comes_before_a_waiting_one_of_the_same_number)
{
	add_active(2, 0, MAUI_NO_TASK);
	found(2, -1, "2", "Running");
}

Test(job, a_job_that_is_active_now_is_not_found_in_an_older_plan)
{
	refused(5, BOB, MAUI_QUERY_NOT_FOUND); /* it waited when that was planned */
	add_active(5, 0, MAUI_NO_TASK);
	found(5, -1, "5", "Running");
}

Test(job, a_task_of_an_array_is_found_by_its_number)
{
	add_active(90, 70, 2);
	found(70, 2, "70_2", "Running");
	found(90, -1, "70_2", "Running");
	found(70, 4, "70_[3-6]x3", "Idle");
	found(70, -1, "70_[3-6]x3", "Idle");
	refused_task(70, 7, BOB, MAUI_QUERY_NOT_FOUND);
	refused_task(1, 0, ANN, MAUI_QUERY_NOT_FOUND);
}

Test(job, the_number_of_an_array_finds_a_waiting_task_before_a_running_one)
{
	add_active(90, 70, 2);
	found(70, -1, "70_[3-6]x3", "Idle");
	add_active(92, 91, 5);
	found(91, -1, "91_5", "Running");
}

Test(job, the_priority_is_the_number_that_squeue_shows)
{
	json_object *root, *job;

	p->plan->decisions.verdicts[0].priority = -5;
	p->plan->decisions.verdicts[0].published = 7;
	job = ask(1, ANN, &root);
	cr_expect(json_object_get_int64(member(job, "priority")) == 7);
	json_object_put(root);
}

Test(job, private_data_hides_the_active_task_of_another_user)
{
	add_active(90, 70, 2);
	p->privacy.hide_jobs = true;
	refused_task(70, 2, ANN, MAUI_QUERY_NOT_FOUND);
	found(70, 2, "70_2", "Running");
}

/* SERVERMODE TEST, or another scheduler: the plan starts the job, and nobody does. */
Test(job, a_job_that_would_start_while_nothing_is_started)
{
	static const struct maui_document_idle idle = { .array_task = MAUI_NO_TASK,
							.waiting = 1,
							.uid = ANN };
	const struct maui_health health = { .beside = true };
	json_object *root, *job;

	end_planned();
	world_make(&w, "", "1 procs=4", NULL, NULL, "A nodes=1 limit=300 user=ann", 0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), &idle);
	job = ask(1, ANN, &root);
	cr_expect_str_eq(json_object_get_string(member(job, "state")), "Starting");
	json_object_put(root);
	maui_document_set_health(p, &health);
	job = ask(1, ANN, &root);
	cr_expect_str_eq(json_object_get_string(member(job, "state")), "Idle");
	cr_expect_str_eq(
		json_object_get_string(member(job, "reason")),
		"would start now, but no job is started: another scheduler starts the jobs");
	cr_expect(json_object_array_length(member(job, "reasons")) == 1);
	cr_expect(json_object_is_type(member(job, "expected_start"), json_type_null));
	cr_expect(json_object_is_type(member(job, "earliest_start"), json_type_null));
	json_object_put(root);
}
