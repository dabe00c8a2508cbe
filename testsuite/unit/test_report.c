/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_report.c - what the pictures of maui report are made from, of a saved plan
 *
 * Rules: CMD-9, CMD-37.
 */

#include "answers/answer.h"
#include "answers/report.h"
#include "answers/document_publish.h"

#include "base/limits.h"
#include "planned.h"
#include "state/usage_view.h"
#include "state/utilisation.h"

enum { ANN = 1001, BOB = 1002, ADMIN = 500 };

static json_object *answer;

/* What the agent publishes: nodes, running jobs (of ann), job reservations (of the job's user). */
static void publish(const char *config, const char *nodes, const char *claims, const char *running,
		    const char *queue)
{
	static const uid_t admins[] = { ADMIN };
	struct maui_document_idle idle[WORLD_MOST] = { 0 };

	world_make(&w, config, nodes, claims, running, queue, 0);
	free(world_plan(&w));
	p = maui_document_create(0, "mini");
	cr_assert(p);
	maui_document_nodes(p, w.snapshot);
	for (uint32_t i = 0; i < w.snapshot->active_count; i++)
		maui_document_add_active(p, w.snapshot, i, ANN);
	for (uint32_t i = 0; i < w.decisions.reservation_count; i++)
		maui_document_add_job_rsv(p, w.snapshot, &w.decisions.reservations[i], BOB);
	for (uint32_t i = 0; i < w.decisions.start_count; i++)
		maui_document_add(p,
				  &(struct maui_document_rsv){ .name = "started",
							       .state = MAUI_JOB_STARTING,
							       .procs = w.decisions.starts[i].procs,
							       .uid = BOB });
	for (uint32_t i = 0; i < w.snapshot->idle_count; i++)
		idle[i] = (struct maui_document_idle){ .uid = BOB,
						       .waiting = w.snapshot->idle[i].copies -
								  w.decisions.verdicts[i].started };
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	maui_document_hide(p, false, false, admins, 1);
}

static void end(void)
{
	json_object_put(answer);
	answer = NULL;
	end_planned();
}

TestSuite(report, .fini = end);

static json_object *ask(int64_t horizon_s, uid_t uid)
{
	const struct maui_report_args args = { .horizon = horizon_s };
	struct maui_query_error error = { 0 };

	json_object_put(answer);
	answer = ask_verb(&maui_verb_report, maui_answer_report, p, uid, &args, &error);
	cr_assert(answer, "%s", error.err.text);
	return answer;
}

/* The code of the error. */
static enum maui_query_code fail(int64_t horizon_s, uid_t uid)
{
	const struct maui_report_args args = { .horizon = horizon_s };
	struct maui_query_error error = { 0 };

	cr_assert(!ask_verb(&maui_verb_report, maui_answer_report, p, uid, &args, &error));
	return error.code;
}

/* "n0 running:0+600 reserved:1+600-900; n1 ...": the boxes of each row; static memory. */
static const char *schedule_text(json_object *report)
{
	json_object *schedule = member(report, "schedule"), *rows = member(schedule, "rows");
	static char text[4096];
	size_t at = 0;

	text[0] = '\0';
	for (size_t r = 0; r < json_object_array_length(rows); r++) {
		json_object *row = json_object_array_get_idx(rows, r), *boxes;

		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", r ? "; " : "",
				       json_object_get_string(member(row, "nodes")));
		boxes = member(row, "boxes");
		for (size_t b = 0; b < json_object_array_length(boxes); b++) {
			json_object *box = json_object_array_get_idx(boxes, b);
			json_object *item = json_object_array_get_idx(
				member(schedule, "items"),
				(size_t)json_object_get_int64(json_object_array_get_idx(box, 0)));

			at += (size_t)snprintf(
				text + at, sizeof(text) - at, " %s:%s@%s-%s",
				json_object_get_string(member(item, "kind")),
				json_object_get_string(member(item, "id")),
				json_object_get_string(json_object_array_get_idx(box, 1)),
				json_object_get_string(json_object_array_get_idx(box, 2)));
		}
	}
	return text;
}

Test(report, each_node_has_a_row_with_what_happens_on_it)
{
	publish("RESERVATIONDEPTH 1\n", "4 procs=4; 1 procs=4 down", "R nodes=n3 start=500 end=700",
		"r nodes=n0,n1 procs=4 end=600", "A nodes=3 whole limit=300 user=bob");
	cr_expect_str_eq(schedule_text(ask(1000, ANN)), "n0 running:0@0-600 reserved:1@600-900; "
							"n1 running:0@0-600 reserved:1@600-900; "
							"n2 reserved:1@600-900 free:window2@0-600; "
							"n3 slurm:R@500-700 free:window1@0-500; "
							"n4 down:down1@0-1000");
}

Test(report, the_horizon_cuts_boxes_but_not_the_times_of_items)
{
	json_object *schedule;

	publish("", "1 procs=4", NULL, "r nodes=n0 procs=4 end=600", "");
	schedule = member(ask(100, ANN), "schedule");
	cr_expect_str_eq(schedule_text(answer), "n0 running:0@0-100");
	cr_expect(number(schedule, "horizon") == 100);
	cr_expect(number(json_object_array_get_idx(member(schedule, "items"), 0), "end") == 600);
}

Test(report, a_horizon_out_of_range_is_refused)
{
	publish("", "1 procs=4", NULL, NULL, "");
	cr_expect(fail(-1, 0) == MAUI_QUERY_BAD);
	cr_expect(fail(MAUI_REPORT_MAX_HORIZON_S + INT64_C(1), 0) == MAUI_QUERY_BAD);
}

Test(report, equal_nodes_share_a_row_above_200)
{
	publish("", "300 procs=4", NULL, "r nodes=n0,n1,n7 procs=4 end=600", "");
	cr_expect_str_eq(schedule_text(ask(1000, ANN)),
			 "n[0-1,7] running:0@0-600; n[2-6,8-299] free:window1@0-1000");
}

Test(report, two_hundred_nodes_keep_a_row_each)
{
	publish("", "200 procs=4", NULL, NULL, "");
	ask(1000, ANN);
	cr_expect(json_object_array_length(member(member(answer, "schedule"), "rows")) == 200);
}

/* 400 nodes with a job each, which all end at another moment. */
Test(report, too_many_different_nodes_are_rounded)
{
	json_object *schedule;
	int64_t nodes = 0;

	publish("", "400 procs=4", NULL, NULL, "");
	for (uint32_t i = 0; i < 400; i++) {
		const struct maui_document_node node = { i, 4, 4 };
		char name[16];

		snprintf(name, sizeof(name), "%u", i + 1);
		maui_document_add(p, &(struct maui_document_rsv){ .name = name,
								  .state = MAUI_JOB_RUNNING,
								  .end_s = 1000 + 200 * i,
								  .nodes = &node,
								  .node_count = 1,
								  .procs = 4,
								  .uid = ANN });
	}
	schedule = member(ask(86400, ANN), "schedule");
	for (size_t r = 0; r < json_object_array_length(member(schedule, "rows")); r++)
		nodes += number(json_object_array_get_idx(member(schedule, "rows"), r),
				"node_count");
	cr_expect(nodes == 400);
	cr_expect(json_object_array_length(member(schedule, "rows")) <= MAUI_REPORT_MAX_ROWS);
	cr_expect(number(schedule, "step") == 900, "%d", (int)number(schedule, "step"));
	cr_expect(number(json_object_array_get_idx(member(schedule, "items"), 0), "count") == 400);
}

Test(report, private_data_hides_the_jobs_of_others)
{
	publish("RESERVATIONDEPTH 1\n", "2 procs=4", NULL, "r nodes=n0 procs=4 end=600",
		"A nodes=2 whole limit=300 user=bob");
	p->privacy.hide_jobs = true;
	cr_expect_str_eq(schedule_text(ask(1000, ANN)),
			 "n0 running:0@0-600; n1 free:window1@0-600");
	cr_expect(json_object_array_length(member(answer, "waiting")) == 0);
	cr_expect(json_object_array_length(member(answer, "why_not")) == 0);
	cr_expect_str_eq(schedule_text(ask(1000, BOB)),
			 "n0 reserved:1@600-900; n1 reserved:1@600-900 free:window1@0-600");
	cr_expect(number(member(member(answer, "queue"), "reserved"), "jobs") == 1);
	cr_expect(number(member(member(answer, "queue"), "running"), "jobs") == 0);
	ask(1000, ADMIN);
	cr_expect(number(member(member(answer, "queue"), "running"), "jobs") == 1);
}

Test(report, private_nodes_are_for_administrators)
{
	publish("", "1 procs=4", NULL, NULL, "");
	p->privacy.hide_nodes = true;
	cr_expect(fail(1000, ANN) == MAUI_QUERY_DENIED);
	cr_expect(ask(1000, ADMIN));
}

Test(report, private_data_hides_the_reservations_of_slurm)
{
	publish("", "1 procs=4", "R nodes=n0 start=500 end=700", NULL, "");
	p->privacy.hide_rsvs = true;
	cr_expect_str_eq(schedule_text(ask(1000, ANN)), "n0 free:window1@0-500");
	cr_expect_str_eq(schedule_text(ask(1000, ADMIN)), "n0 slurm:R@500-700 free:window1@0-500");
}

Test(report, the_queue_is_counted_by_state_and_reason)
{
	json_object *queue, *why;

	publish("RESERVATIONDEPTH 1\n", "4 procs=4", NULL, "r nodes=n0,n1 procs=4 end=600",
		"A nodes=3 whole limit=300 user=bob; B nodes=1 whole limit=90 user=bob; "
		"C nodes=9 whole limit=90 user=bob");
	queue = member(ask(1000, ANN), "queue");
	cr_expect(number(member(queue, "running"), "jobs") == 1);
	cr_expect(number(member(queue, "running"), "procs") == 8);
	cr_expect(number(member(queue, "reserved"), "jobs") == 1);
	cr_expect(number(member(queue, "starting"), "jobs") == 1);
	cr_expect(number(member(member(answer, "reasons"), "no set of nodes can serve it"),
			 "jobs") == 1);
	why = json_object_array_get_idx(member(answer, "why_not"), 0);
	cr_expect(number(why, "id") == 1 && number(why, "wanted") == 3);
	cr_expect(number(member(why, "nodes"), "busy") >= 2);
}

Test(report, waiting_jobs_have_the_components_of_their_priority)
{
	json_object *jobs;

	publish("QUEUETIMEWEIGHT 1\nRESWEIGHT 1\nPROCWEIGHT 10\n", "1 procs=4", NULL,
		"r nodes=n0 procs=4 end=600", "A procs=2 wait=600; B procs=1 wait=600");
	jobs = member(ask(1000, ANN), "waiting");
	cr_assert(json_object_array_length(jobs) == 2);
	jobs = json_object_array_get_idx(jobs, 0);
	cr_expect(number(jobs, "id") == 1 && number(jobs, "priority") == 30);
	cr_expect(number(member(jobs, "components"), "SERV") == 10);
	cr_expect(number(member(jobs, "components"), "RES") == 20);
}

Test(report, a_priority_that_is_clipped_says_so)
{
	json_object *jobs;

	publish("QUEUETIMEWEIGHT 1\nRESWEIGHT 1\nPROCWEIGHT -10\n", "1 procs=4", NULL,
		"r nodes=n0 procs=4 end=600", "A procs=2 wait=600; B procs=4 wait=24000");
	jobs = member(ask(1000, ANN), "waiting");
	cr_assert(json_object_array_length(jobs) == 2);
	for (size_t i = 0; i < 2; i++) {
		json_object *job = json_object_array_get_idx(jobs, i), *clipped;

		cr_expect(json_object_object_get_ex(job, "clipped", &clipped) ==
			  (number(job, "id") == 1));
		cr_expect(number(job, "system_priority_added") == 0 && number(job, "nice") == 0);
	}
}

Test(report, a_priority_that_was_set_directly_has_no_components)
{
	json_object *job;

	publish("QUEUETIMEWEIGHT 1\n", "1 procs=4", NULL, "r nodes=n0 procs=4 end=600",
		"A procs=2 wait=600");
	((struct maui_snapshot *)p->plan->snapshot)->idle[0].priority_given = true;
	job = json_object_array_get_idx(member(ask(1000, ANN), "waiting"), 0);
	cr_expect(json_object_is_type(member(job, "components"), json_type_null));
	cr_expect(!json_object_object_get_ex(job, "clipped", NULL));
	cr_expect(!json_object_object_get_ex(job, "nice", NULL));
}

Test(report, the_schedule_alone)
{
	const struct maui_report_args args = { .schedule_only = true };
	struct maui_query_error error = { 0 };

	publish("", "1 procs=4", NULL, NULL, "");
	answer = ask_verb(&maui_verb_report, maui_answer_report, p, ANN, &args, &error);
	cr_expect(json_object_object_length(answer) == 3, "%s", json_object_get_string(answer));
	cr_expect(number(member(answer, "schedule"), "horizon") == MAUI_REPORT_HORIZON_S);
}

Test(report, fairshare_is_what_maui_share_says)
{
	struct maui_usage usage = { 0 };
	struct maui_usage_view *view;
	json_object *shares;

	publish("FSPOLICY DEDICATEDPS\nFSDEPTH 2\nUSERCFG[bob] FSTARGET=10\n", "1 procs=4", NULL,
		NULL, "");
	cr_expect(json_object_is_type(member(ask(1000, ANN), "fairshare"), json_type_null));
	maui_usage_add(maui_usage_window(&usage, 0, 86400), MAUI_CRED_USER, "ann", 50);
	view = maui_usage_view_create(&usage, NULL);
	maui_document_set_usage(p, view);
	maui_usage_view_unref(view);
	maui_usage_finish(&usage);
	shares = member(member(ask(1000, ANN), "fairshare"), "credentials");
	cr_assert(json_object_array_length(shares) == 2, "%s", json_object_get_string(shares));
	shares = json_object_array_get_idx(shares, 0);
	cr_expect_str_eq(json_object_get_string(member(shares, "name")), "ann");
	cr_expect(number(shares, "effective") == 50);
}

Test(report, utilisation_has_the_means_of_known_spans)
{
	struct maui_utilisation u = { 0 };
	json_object *spans;

	publish("", "1 procs=4", NULL, NULL, "");
	cr_expect(json_object_array_length(member(ask(1000, ANN), "utilisation")) == 0);
	u.count = 2;
	u.spans[0] = (struct maui_utilisation_span){ .start_s = -600 };
	u.spans[1] = (struct maui_utilisation_span){ .known_s = 300 };
	u.spans[1].sum[MAUI_LOAD_USED] = 900;
	maui_document_set_statistics(p, NULL, &u);
	spans = member(ask(1000, ANN), "utilisation");
	cr_assert(json_object_array_length(spans) == 1);
	spans = json_object_array_get_idx(spans, 0);
	cr_expect(number(spans, "used") == 3 && number(spans, "end") == 600);
}

Test(report, chunking_is_shown_as_held_nodes)
{
	world_make(&w, "BFCHUNKSIZE 3\nBFCHUNKDURATION 50\n", "1 procs=4", NULL,
		   "a nodes=n0 procs=2 end=100", "A procs=4; B procs=3 limit=5; C procs=1 limit=5",
		   10);
	w.chunk_until = 40;
	free(world_plan(&w));
	p = maui_document_create(10, "mini");
	maui_document_nodes(p, w.snapshot);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w),
			       (struct maui_document_idle[4]){ { .uid = BOB } });
	cr_expect_str_eq(schedule_text(ask(1000, ANN)), "n0 held:held1@0-30");
}

Test(report, without_a_plan_there_are_rows_and_an_empty_queue)
{
	publish("", "2 procs=4", NULL, "r nodes=n0 procs=4 end=600", "");
	maui_plan_unref(p->plan);
	p->plan = NULL;
	cr_expect_str_eq(schedule_text(ask(1000, ANN)), "n0 running:0@0-600; n1");
	cr_expect(json_object_array_length(member(answer, "waiting")) == 0);
}

/* ---- reasons ---- */

Test(reason, each_text_is_of_one_reason)
{
	for (int r = 0; r < MAUI_REASON_COUNT; r++)
		cr_expect(maui_reason_find(maui_reason_node_text((enum maui_reason)r)) ==
				  (enum maui_reason)r,
			  "%s", maui_reason_text((enum maui_reason)r));
	cr_expect(maui_reason_find("of a newer version") == MAUI_REASON_COUNT);
}
