/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fits.c - what showbf and maui fits are told, of a saved plan
 *
 * Rules: CMD-9, CMD-40, CMD-41, PRIO-18.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <inttypes.h>
#include <stdio.h>

#include <criterion/criterion.h>

#include "asked_fits.h"
#include "cycle/health.h"

TestSuite(fits, .init = begin_fits, .fini = end_fits);

Test(fits, windows_end_where_the_job_reservation_begins)
{
	json_object *root, *part = ASK(&root, .user = "ann", .partition = "batch");
	json_object *windows = member(part, "windows"), *window;

	cr_assert(json_object_array_length(windows) == 2);
	window = json_object_array_get_idx(windows, 0);
	cr_expect(number(window, "procs") == 56 && number(window, "seconds") == 7500);
	cr_expect(number(window, "end") == 1795428000 + 7500);
	window = json_object_array_get_idx(windows, 1);
	cr_expect(json_object_is_type(member(window, "seconds"), json_type_null));
	cr_expect(number(window, "procs") == 24);
	json_object_put(root);
}

/* This window has so many processors for so long. */
static void offers(json_object *part, size_t index, int64_t procs, int64_t seconds, size_t row)
{
	json_object *windows = member(part, "windows"), *window;

	window = json_object_array_get_idx(windows, index);
	cr_assert(window, "row %zu has %zu windows", row, json_object_array_length(windows));
	cr_expect(number(window, "procs") == procs, "row %zu: %" PRId64 " procs", row,
		  number(window, "procs"));
	cr_expect(number(window, "seconds") == seconds, "row %zu: %" PRId64 " s", row,
		  number(window, "seconds"));
}

/* Nodes that are free without end are free for the longest time that a job may ask for. */
Test(fits, a_window_is_no_longer_than_a_job_may_be)
{
	static const struct {
		const char *lines, *partition;
		struct {
			int64_t procs, seconds;
		} windows[4];
		size_t count;
		const char *limit;
	} rows[] = {
		{ "", "gpu", { { 16, 3600 } }, 1, NULL },
		{ "CLASSCFG[gpu] MAX.WCLIMIT=1800\n",
		  "gpu",
		  { { 16, 1800 } },
		  1,
		  "MAX.WCLIMIT CLASS gpu 30:01/30:00 (hard)" },
		{ "SYSTEMMAXJOBWALLTIME 7000\n",
		  "batch",
		  { { 56, 7000 } },
		  1,
		  "SYSTEMMAXJOBWALLTIME SYSTEM ALL 1:56:41/1:56:40 (hard)" },
		{ "SYSTEMMAXJOBWALLTIME 8000\n",
		  "batch",
		  { { 56, 7500 }, { 24, 8000 } },
		  2,
		  "SYSTEMMAXJOBWALLTIME SYSTEM ALL 2:13:21/2:13:20 (hard)" },
		/* the widest and the longest */
		{ "SYSTEMMAXPROCSECONDPERJOB 24000\n",
		  "batch",
		  { { 56, 428 }, { 24, 1000 }, { 3, 7500 }, { 1, 24000 } },
		  4,
		  "SYSTEMMAXPROCSECONDPERJOB" },
		{ "USERCFG[ann] MINPROC=20\n", "batch", { { 56, 7500 } }, 2, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct maui_fits_args args = { .user = "ann",
						     .partition = rows[i].partition };
		json_object *root, *part, *limit;

		maui_document_unref(p);
		p = fits_world_publish(rows[i].lines);
		part = ask(&args, &root);
		for (size_t w = 0; w < 4 && rows[i].windows[w].procs > 0; w++)
			offers(part, w, rows[i].windows[w].procs, rows[i].windows[w].seconds, i);
		cr_expect(json_object_array_length(member(part, "windows")) == rows[i].count);
		limit = member(part, "limit");
		cr_expect(!rows[i].limit == !json_object_get_string(limit), "row %zu", i);
		if (rows[i].limit)
			cr_expect(strstr(json_object_get_string(limit), rows[i].limit),
				  "row %zu: %s", i, json_object_get_string(limit));
		json_object_put(root);
	}
}

/* A node is taken whole or not at all. */
Test(fits, limits_leave_whole_nodes)
{
	json_object *root, *windows, *window;

	maui_document_unref(p);
	p = fits_world_publish("SYSTEMMAXPROCSECONDPERJOB 24000\nUSERCFG[ann] MAXPROC=65\n");
	windows = member(ASK(&root, .user = "ann", .partition = "batch"), "whole_nodes");
	cr_assert(json_object_array_length(windows) == 2);
	window = json_object_array_get_idx(windows, 0); /* 32 processors are in use */
	cr_expect(number(window, "nodes") == 2 && number(window, "procs") == 32);
	cr_expect(number(window, "seconds") == 750);
	window = json_object_array_get_idx(windows, 1);
	cr_expect(number(window, "nodes") == 1 && number(window, "procs") == 16);
	cr_expect(number(window, "seconds") == 1500);
	json_object_put(root);
}

Test(fits, limits_make_a_window_narrower)
{
	json_object *root, *part = ASK(&root, .user = "bob", .partition = "batch");
	json_object *windows = member(part, "windows");

	cr_assert(json_object_array_length(windows) == 1);
	cr_expect(number(json_object_array_get_idx(windows, 0), "procs") == 16);
	cr_expect(strstr(json_object_get_string(member(part, "limit")), "MAXPROC USER bob"));
	json_object_put(root);
}

Test(fits, a_shape_that_does_not_start_says_what_would_help)
{
	json_object *root, *part = ASK(&root, .user = "ann", .partition = "batch", .nodes = 3,
				       .whole_nodes = true, .limit = 10800);
	json_object *shape = member(part, "shape");

	cr_expect(!json_object_get_boolean(member(shape, "starts_now")));
	cr_expect(number(shape, "starts_with_limit") == 7500);
	cr_expect(number(shape, "starts_on_nodes") == 1);
	cr_expect(json_object_array_length(member(shape, "reasons")) > 0);
	json_object_put(root);
}

/* bob has a job of 8 processors; on one node, or with a limit of 2:05:00, this one would fit. */
Test(fits, what_would_help_keeps_the_limits)
{
	static const struct {
		const char *limit;
		int64_t longest_s, nodes;
	} rows[] = {
		{ "USERCFG[bob] MAXPROC=96 MAXJOB=2\n", 7500, 1 },
		{ "USERCFG[bob] MAXPROC=96 MAXJOB=1\n", 0, 0 },
		{ "USERCFG[bob] MAXPROC=24\n", 0, 1 },
		{ "USERCFG[bob] MAXPROC=96 MAXPS=200000\n", 0, 1 },
		{ "USERCFG[bob] MAXPROC=96\nBACKFILLPOLICY NONE\n", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		json_object *root, *shape;

		maui_document_unref(p);
		p = fits_world_publish(rows[i].limit);
		cr_assert(p);
		shape = member(ASK(&root, .user = "bob", .partition = "batch", .nodes = 3,
				   .whole_nodes = true, .limit = 10800),
			       "shape");
		cr_expect(number(shape, "starts_with_limit") == rows[i].longest_s, "%s: %" PRId64,
			  rows[i].limit, number(shape, "starts_with_limit"));
		cr_expect(number(shape, "starts_on_nodes") == rows[i].nodes, "%s: %" PRId64,
			  rows[i].limit, number(shape, "starts_on_nodes"));
		json_object_put(root);
	}
}

/* The job that is then submitted gets this limit, too. */
Test(fits, a_job_without_a_limit_is_placed_with_the_default)
{
	static const struct {
		const char *lines, *partition;
		int64_t limit_s;
		const char *from;
		int64_t seconds;
		bool starts;
	} rows[] = {
		{ "", "batch", 0, "SYSTEMDEFAULTJOBWALLTIME", 864000, false },
		{ "", "batch", MAUI_NEVER, "SYSTEMDEFAULTJOBWALLTIME", 864000, false },
		{ "SYSTEMDEFAULTJOBWALLTIME 1:00:00\n", "batch", 0, "SYSTEMDEFAULTJOBWALLTIME",
		  3600, true },
		{ "CLASSCFG[batch] DEFAULT.WCLIMIT=2:00:00\n", "batch", 0, "DEFAULT.WCLIMIT", 7200,
		  true },
		{ "", "gpu", 0, "MaxTime", 3600, true },
		{ "", "gpu", MAUI_NEVER, "SYSTEMDEFAULTJOBWALLTIME", 864000, false },
		{ "", "batch", 7200, NULL, 7200, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct maui_fits_args args = { .user = "ann",
						     .partition = rows[i].partition,
						     .nodes = rows[i].partition[0] == 'g' ? 1 : 3,
						     .whole_nodes = true,
						     .limit = rows[i].limit_s };
		json_object *root, *shape, *from;

		maui_document_unref(p);
		p = fits_world_publish(rows[i].lines);
		shape = member(ask(&args, &root), "shape");
		cr_expect(number(shape, "limit") == rows[i].seconds, "row %zu", i);
		from = member(shape, "limit_from");
		if (rows[i].from)
			cr_expect_str_eq(json_object_get_string(from), rows[i].from, "row %zu", i);
		else
			cr_expect(json_object_is_type(from, json_type_null), "row %zu", i);
		cr_expect(json_object_get_boolean(member(shape, "starts_now")) == rows[i].starts,
			  "row %zu", i);
		json_object_put(root);
	}
}

Test(fits, jobs_that_wait_count_for_limits_of_idle_jobs)
{
	json_object *root, *part;

	maui_document_unref(p);
	p = fits_world_publish("GROUPCFG[staff] MAXIJOB=1\n"); /* 21 waits */
	part = ASK(&root, .user = "carl", .group = "staff");
	cr_expect(json_object_array_length(member(part, "windows")) == 0);
	cr_expect_str_eq(json_object_get_string(member(part, "limit")),
			 "MAXIJOB GROUP staff 1/1 (hard)");
	json_object_put(root);
	part = ASK(&root, .user = "carl", .group = "guests");
	cr_expect(json_object_array_length(member(part, "windows")) == 2);
	json_object_put(root);
}

/* The answer to a client of another release, or to a person at the socket; NULL with error. */
static json_object *ask_text(const char *text, struct maui_query_error *error)
{
	struct maui_query_call call = { .peer.uid = asker,
					.published = p,
					.args = json_tokener_parse(text) };
	json_object *answer = maui_answer(&maui_verb_fits, maui_answer_fits, &call, error);

	json_object_put(call.args);
	return answer;
}

Test(fits, wrong_questions_are_refused)
{
	struct maui_query_error error = { 0 };

	REFUSED(MAUI_QUERY_BAD, .user = NULL);
	REFUSED(MAUI_QUERY_BAD, .user = "ann", .nodes = -1);
	REFUSED(MAUI_QUERY_BAD, .user = "ann", .nodes = 99999999999);
	REFUSED(MAUI_QUERY_BAD, .user = "ann", .nodes = 3, .nodes_max = 2);
	REFUSED(MAUI_QUERY_BAD, .user = "ann", .parts = 5000);
	REFUSED(MAUI_QUERY_BAD, .user = "ann", .limit = -1);
	REFUSED(MAUI_QUERY_NOT_FOUND, .user = "ann", .partition = "nix");
	cr_expect(!ask_text("{\"user\": 17}", &error) && error.code == MAUI_QUERY_BAD);
}

Test(fits, commands_of_older_releases_say_unlimited_as_a_number)
{
	static const char args[] = "{\"user\": \"ann\", \"partition\": \"batch\", \"nodes\": 1,"
				   " \"limit\": 9223372036854775807, \"cpus_per_task\": null}";
	struct maui_query_error error = { 0 };
	json_object *answer = ask_text(args, &error);

	cr_assert(answer, "%s", error.err.text);
	cr_expect(strstr(json_object_to_json_string(answer), "\"limit\":864000"));
	json_object_put(answer);
}

Test(fits, before_the_first_plan_the_answer_is_to_try_again)
{
	maui_document_unref(p);
	p = maui_document_create(0, NULL);
	REFUSED(MAUI_QUERY_UNAVAILABLE, .user = "ann");
}

/* SERVERMODE TEST: what is free is told, and that nothing starts. */
Test(fits, nothing_starts_in_a_trial)
{
	const struct maui_health health = { .beside = true };
	json_object *root, *part, *shape;

	maui_document_set_health(p, &health);
	part = ASK(&root, .user = "ann", .partition = "batch", .nodes = 1, .limit = 600);
	shape = member(part, "shape");
	cr_expect(json_object_array_length(member(part, "windows")) > 0);
	cr_expect(!json_object_get_boolean(member(shape, "starts_now")));
	cr_expect(json_object_is_type(member(shape, "earliest"), json_type_null));
	cr_expect_str_eq(
		json_object_get_string(json_object_array_get_idx(member(shape, "reasons"), 0)),
		"would start now, but no job is started: another scheduler starts the jobs");
	json_object_put(root);
}

/* The names of the reservations that the answer lists: "a.0 b.0<7200". */
static char *list_reservations(json_object *root, char *buf, size_t size)
{
	json_object *list = member(root, "reservations"), *longest;
	size_t used = 0;

	*buf = '\0';
	for (size_t i = 0; i < json_object_array_length(list) && used < size; i++) {
		json_object *rsv = json_object_array_get_idx(list, i);

		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? " " : "",
					 json_object_get_string(member(rsv, "name")));
		if (used < size && json_object_object_get_ex(rsv, "longest", &longest))
			used += (size_t)snprintf(buf + used, size - used, "<%s",
						 json_object_get_string(longest));
	}
	return buf;
}

/* n6 alone is in the partition gpu, and has GPUs. */
Test(fits, a_reservation_is_named_if_it_could_serve_the_request)
{
	static const char lines[] =
		"SRCFG[ann] HOSTLIST=n4 PERIOD=INFINITY USERLIST=ann\n"
		"SRCFG[short] HOSTLIST=n5 PERIOD=INFINITY TIMELIMIT=2:00:00\n"
		"SRCFG[gpu] HOSTLIST=n6 PERIOD=INFINITY CLASSLIST=gpu\n"
		"SRCFG[small] HOSTLIST=n3 PERIOD=INFINITY PROCLIMIT=4\n"
		"SRCFG[soon] HOSTLIST=n2 PERIOD=DAY STARTTIME=10:00:00 ENDTIME=11:00:00 "
		"TIMELIMIT=2:00:00\n";
	static const struct {
		struct maui_fits_args args;
		const char *named;
	} rows[] = {
		{ { .partition = "batch" }, "ann.0 short.0<7200 soon.0 soon.1" },
		{ { .partition = "gpu" }, "gpu.0" },
		{ { .partition = NULL }, "ann.0 short.0<7200 gpu.0 soon.0 soon.1" },
		{ { .partition = "batch", .tasks = 4, .limit = 7200 },
		  "ann.0 short.0<7200 small.0 soon.0 soon.1" },
		{ { .partition = "batch", .tasks = 5, .limit = 7200 },
		  "ann.0 short.0<7200 soon.0 soon.1" },
		{ { .partition = "batch", .tasks = 5 }, "ann.0 short.0<7200 soon.0 soon.1" },
		{ { .partition = "batch", .tasks = 5, .limit = 7260 }, "ann.0 soon.0 soon.1" },
		{ { .partition = "batch", .tasks = 5, .limit = MAUI_NEVER },
		  "ann.0 soon.0 soon.1" },
		{ { .partition = "batch", .least = 7260 }, "ann.0 soon.0 soon.1" },
		{ { .partition = "gpu", .tasks = 1, .limit = 7200 }, "" }, /* MaxTime */
		{ { .partition = "gpu", .tasks = 1, .limit = 60 }, "gpu.0" },
		{ { .nodes = 1, .gres = "gpu:1", .limit = 60 }, "gpu.0" },
		{ { .partition = "batch", .nodes = 1, .gres = "gpu:1", .limit = 60 }, "" },
		{ { .partition = "batch", .nodes = 7, .limit = 60 }, "" },
		{ { .partition = "batch", .tasks = 1, .limit = 60, .reservation = "ann" },
		  "ann.0" },
	};
	char text[200];

	maui_document_unref(p);
	p = fits_world_publish(lines);
	cr_assert(p);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct maui_fits_args args = rows[i].args;
		json_object *root;

		args.user = "ann";
		ask(&args, &root);
		list_reservations(root, text, sizeof(text));
		cr_expect(strcmp(text, rows[i].named) == 0, "row %zu: '%s', not '%s'", i, text,
			  rows[i].named);
		json_object_put(root);
	}
}

/* At 12:05 the job reservation leaves 32 processors of the limit; nodes are the nearer reason. */
Test(fits, nodes_that_lack_are_the_reason_before_a_limit_that_waiting_jobs_need)
{
	json_object *root, *shape, *reasons;

	maui_document_unref(p);
	p = fits_world_publish("USERCFG[ann] MAXPROC=96\n");
	shape = member(ASK(&root, .user = "ann", .partition = "batch", .tasks = 40, .limit = 10800),
		       "shape");
	reasons = member(shape, "reasons");
	cr_expect(strncmp(json_object_get_string(json_object_array_get_idx(reasons, 0)),
			  "Reserved: ", 10) == 0,
		  "%s", json_object_get_string(reasons));
	json_object_put(root);
}
