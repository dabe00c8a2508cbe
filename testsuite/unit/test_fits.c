/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fits.c - what showbf and maui fits are told, of a saved plan
 *
 * Rules: CMD-9, CMD-40, CMD-41, CMD-71, PRIO-18.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <inttypes.h>
#include <stdio.h>

#include <criterion/criterion.h>

#include "../cmd/fits-world.h"
#include "ask.h"
#include "base/limits.h"
#include "cycle/health.h"
#include "plan/finished.h"
#include "verbs/fits.h"

static struct maui_document *p;
static uid_t asker;

static void begin(void)
{
	p = fits_world_publish("");
	asker = 1001;
	cr_assert(p);
}

static void end(void)
{
	maui_document_unref(p);
}

TestSuite(fits, .init = begin, .fini = end);

/* The first partition of the answer; the caller puts *ret_root. */
static json_object *ask(const struct maui_fits_args *args, json_object **ret_root)
{
	struct maui_query_error error = { 0 };

	*ret_root = ask_verb(&maui_verb_fits, maui_answer_fits, p, asker, args, &error);
	cr_assert(*ret_root, "%s", error.err.text);
	return json_object_array_get_idx(member(*ret_root, "partitions"), 0);
}

#define ASK(ret_root, ...) ask(&(const struct maui_fits_args){ __VA_ARGS__ }, ret_root)

static void refused(const struct maui_fits_args *args, enum maui_query_code code)
{
	struct maui_query_error error = { 0 };

	cr_expect(!ask_verb(&maui_verb_fits, maui_answer_fits, p, asker, args, &error));
	cr_expect(error.code == code, "%d %s", error.code, error.err.text);
}

#define REFUSED(code, ...) refused(&(const struct maui_fits_args){ __VA_ARGS__ }, code)

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

/* The limit would tell what bob's jobs use, and the account which he has. */
Test(fits, private_data_keeps_other_users_to_themselves)
{
	static const struct maui_document_user users[] = { { 1001, "ann", "ann" },
							   { 1002, "bob", "bob" } };
	bool *hides[] = { &p->privacy.hide_jobs, &p->privacy.hide_usage, &p->privacy.hide_users,
			  &p->privacy.hide_accounts };
	json_object *root;

	maui_document_know_users(p, users, 2);
	for (size_t i = 0; i < sizeof(hides) / sizeof(hides[0]); i++) {
		*hides[i] = true;
		REFUSED(MAUI_QUERY_DENIED, .user = "bob");
		REFUSED(MAUI_QUERY_DENIED, .user = "nobody-knows");
		ASK(&root, .user = "ann");
		cr_expect(!json_object_object_get_ex(root, "user_known", NULL));
		json_object_put(root);
		*hides[i] = false;
	}
	ASK(&root, .user = "ann");
	cr_expect(json_object_get_boolean(member(root, "user_known")));
	json_object_put(root);
}

/* The limit would tell how many jobs these have. */
Test(fits, private_data_hides_credentials_that_no_job_of_the_asker_has)
{
	static const struct maui_document_user users[] = { { 1001, "ann", "ann" },
							   { 1003, "carl", "carl" } };
	json_object *root, *part;

	maui_document_unref(p);
	p = fits_world_publish("GROUPCFG[staff] MAXIJOB=1\n"); /* 21, of ann, waits */
	maui_document_know_users(p, users, 2);
	p->privacy.hide_jobs = true;
	part = ASK(&root, .user = "ann", .group = "staff", .account = "physics");
	cr_expect_str_eq(json_object_get_string(member(part, "limit")),
			 "MAXIJOB GROUP staff 1/1 (hard)");
	json_object_put(root);
	asker = 1003;
	part = ASK(&root, .user = "carl", .group = "staff");
	cr_expect(!json_object_get_string(member(part, "limit")));
	cr_expect(json_object_is_type(member(root, "group"), json_type_null));
	json_object_put(root);
	REFUSED(MAUI_QUERY_DENIED, .user = "carl", .account = "physics");
	REFUSED(MAUI_QUERY_DENIED, .user = "carl", .qos = "low");
}

/* A user without a name in slurmctld could claim any name. */
Test(fits, private_data_counts_an_unknown_asker_by_number)
{
	json_object *root, *part;

	p->privacy.hide_users = true;
	asker = 1003;
	part = ASK(&root, .user = "bob", .partition = "batch");
	cr_expect(!json_object_get_string(member(part, "limit")));
	cr_expect(!json_object_get_string(member(root, "account")));
	cr_expect_str_eq(json_object_get_string(member(root, "user")), "bob");
	json_object_put(root);
}

/* Where names are numbers, a subordinate id must not learn the limits and the account of the user
 * who has its number for a name. */
Test(fits, private_data_tells_an_id_from_a_name_of_the_same_number)
{
	static const struct maui_document_user users[] = { { 1007, NULL, "+1007" } };
	static const struct maui_default_account accounts[] = { { 2000, "1007", "physics" } };
	json_object *root, *part;

	maui_document_unref(p);
	p = fits_world_publish("USERCFG[1007] MAXPROC=3\n");
	maui_document_know_users(p, users, 1);
	maui_document_default_accounts(p, accounts, 1);
	p->privacy.hide_users = true;
	asker = 1007;
	part = ASK(&root, .user = "1007", .partition = "batch");
	cr_expect(!json_object_get_string(member(part, "limit")));
	cr_expect(!json_object_get_string(member(root, "account")));
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

/* bob has jobs of account physics, and no default account: without -A a job has none. */
Test(fits, the_account_is_the_one_that_slurmctld_gives_the_job)
{
	static const struct {
		struct maui_fits_args args;
		const char *account;
		bool assumed;
	} rows[] = {
		{ { .user = "ann" }, "physics", true },
		{ { .user = "ann", .account = "bio" }, "bio", false },
		{ { .user = "bob" }, NULL, true },
	};
	static const struct maui_default_account others[] = { { 1001, "ann", "physics" },
							      { 1002, "bob", "secret" } };
	json_object *root;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *account;

		ask(&rows[i].args, &root);
		account = json_object_get_string(member(root, "account"));
		cr_expect(rows[i].account ? account && strcmp(account, rows[i].account) == 0 :
					    !account,
			  "row %zu: %s", i, account);
		cr_expect(json_object_get_boolean(member(root, "account_assumed")) ==
				  rows[i].assumed,
			  "row %zu", i);
		json_object_put(root);
	}
	/* slurmdbd knows a name that the server has not looked up yet */
	maui_document_default_accounts(p, others, 2);
	p->privacy.hide_accounts = true;
	asker = 1002;
	REFUSED(MAUI_QUERY_DENIED, .user = "ann");
	ASK(&root, .user = "bob", .account = "secret");
	cr_expect_str_eq(json_object_get_string(member(root, "account")), "secret");
	json_object_put(root);
}

Test(fits, features_have_a_bound)
{
	char features[MAUI_REQUEST_MAX_FEATURES + 2];

	memset(features, 'a', sizeof(features) - 1);
	features[sizeof(features) - 1] = '\0';
	REFUSED(MAUI_QUERY_BAD, .user = "ann", .features = features);
	REFUSED(MAUI_QUERY_BAD, .user = "ann", .features = "&&");
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

/* No such job starts, even on idle nodes. */
Test(fits, what_is_closed_is_not_offered)
{
	static const struct maui_fits_args rows[] = {
		{ .user = "ann", .partition = "batch", .parts = 2, .horizon = 7200 },
		{ .user = "ann", .partition = "batch", .parts = 2, .horizon = 7200, .qos = "high" },
	};
	static const char *const why[] = { "the partition starts no jobs now",
					   "the QOS is not open to the user" };

	for (size_t i = 0; i < 2; i++) {
		json_object *root, *part, *free_procs;

		maui_document_unref(p);
		p = fits_world_publish("QOSCFG[high] PRIORITY=1\nUSERCFG[ann] QLIST=low\n");
		if (i == 0)
			p->plan->snapshot->partitions[0].down = true;
		part = ask(&rows[i], &root);
		cr_expect(json_object_array_length(member(part, "windows")) == 0);
		cr_expect(json_object_array_length(member(part, "whole_nodes")) == 0);
		cr_expect_str_eq(json_object_get_string(member(part, "obstacle")), why[i]);
		free_procs = member(part, "free_procs");
		cr_expect(json_object_get_int64(json_object_array_get_idx(free_procs, 0)) == 0);
		json_object_put(root);
	}
}

/* As sbatch --test-only: what the asker names, or where a job goes that names none. */
Test(fits, private_partitions_are_not_listed)
{
	static const uid_t admins[] = { 1001 };
	json_object *root;

	p->privacy.hide_partitions = true;
	ASK(&root, .user = "ann");
	cr_expect(json_object_array_length(member(root, "partitions")) == 1);
	cr_expect_str_eq(json_object_get_string(member(
				 json_object_array_get_idx(member(root, "partitions"), 0), "name")),
			 "batch");
	json_object_put(root);
	cr_expect_str_eq(json_object_get_string(
				 member(ASK(&root, .user = "ann", .partition = "gpu"), "name")),
			 "gpu");
	json_object_put(root);
	maui_document_hide(p, false, false, admins, 1);
	ASK(&root, .user = "ann");
	cr_expect(json_object_array_length(member(root, "partitions")) == 2);
	json_object_put(root);
}

Test(fits, nothing_is_offered_for_longer_than_the_partition_lets_jobs_run)
{
	json_object *root, *part;

	part = ASK(&root, .user = "ann", .partition = "gpu", .least = 7200);
	cr_expect(json_object_array_length(member(part, "windows")) == 0);
	cr_expect_str_eq(json_object_get_string(member(part, "obstacle")),
			 "the time limit is above the partition's MaxTime");
	json_object_put(root);
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

Test(fits, an_unknown_reservation_is_not_found)
{
	REFUSED(MAUI_QUERY_NOT_FOUND, .user = "ann", .reservation = "no-such");
}

static bool is_found(const struct maui_fits_args *args)
{
	struct maui_query_error error = { 0 };
	json_object *answer = ask_verb(&maui_verb_fits, maui_answer_fits, p, asker, args, &error);

	cr_expect(answer || error.code == MAUI_QUERY_NOT_FOUND, "%s", error.err.text);
	json_object_put(answer);
	return answer;
}

#define FOUND(...) \
	is_found(&(const struct maui_fits_args){ .user = "ann", .partition = "batch", __VA_ARGS__ })

/* Without slurmdbd users may name any account, but a QOS is one of maui.cfg, if it has any. */
Test(fits, a_qos_that_maui_cfg_does_not_have_is_not_found)
{
	static const char *const lines[] = { "QOSCFG[high] PRIORITY=1\n",
					     "USERCFG[ann] QLIST=high\n", "SYSCFG QDEF=high\n",
					     "CLASSCFG[gpu] QLIST=high&\n" };

	cr_expect(FOUND(.qos = "nosuch"), "maui.cfg names no QOS");
	cr_expect(FOUND(.account = "nosuch"));
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		maui_document_unref(p);
		p = fits_world_publish(lines[i]);
		cr_expect(FOUND(.qos = "high"), "%s", lines[i]);
		cr_expect(!FOUND(.qos = "nosuch"), "%s", lines[i]);
		cr_expect(!FOUND(.qos = "nosuch", .nodes = 1), "%s", lines[i]);
	}
	maui_document_unref(p);
	p = fits_world_publish("QOSCFG[DEFAULT] PRIORITY=1\n");
	cr_expect(FOUND(.qos = "any"), "DEFAULT is no name");
}

Test(fits, an_account_or_qos_that_slurmdbd_does_not_have_is_not_found)
{
	static const char *const accounts[] = { "root", "bio" }, *const qos[] = { "normal" };
	const struct maui_slurm_names names = { accounts, qos, 2, 1, true, true };

	maui_document_unref(p);
	p = fits_world_publish("QOSCFG[high] PRIORITY=1\n");
	maui_document_slurm_names(p, &names);
	cr_expect(FOUND(.account = "bio", .qos = "normal"));
	cr_expect(FOUND(.account = "BIO", .qos = "Normal"));
	cr_expect(FOUND(.account = "physics"), "a job has it");
	cr_expect(!FOUND(.account = "nosuch"));
	cr_expect(!FOUND(.account = ""));
	cr_expect(!FOUND(.qos = "high"), "slurmdbd does not have it");
	cr_expect(FOUND(.qos = "high", .qos_may_be_new = true));
}

Test(fits, a_qos_that_maui_cfg_gives_need_not_be_in_slurmdbd)
{
	static const char *const qos[] = { "normal" };
	struct maui_slurm_names names = { .qos = qos, .qos_count = 1 };

	maui_document_unref(p);
	p = fits_world_publish("USERCFG[DEFAULT] QDEF=low QLIST=low,high\n");
	maui_document_slurm_names(p, &names);
	cr_expect(FOUND(.qos = "low"));
	cr_expect(FOUND(.qos = "high"));
	cr_expect(!FOUND(.qos = "nosuch"));
	names.qos_needed = true;
	maui_document_slurm_names(p, &names);
	cr_expect(FOUND(.qos = "low"));
	cr_expect(!FOUND(.qos = "high"), "Slurm refuses the job that asks for it");
}

Test(fits, slurm_gives_a_job_of_no_account_the_one_of_the_user)
{
	static const char *const accounts[] = { "root", "bio" };
	static const struct maui_default_account own = { 1000, "ann", "bio" };
	struct maui_slurm_names names = { .accounts = accounts, .account_count = 2 };
	json_object *root;

	maui_document_slurm_names(p, &names);
	maui_document_default_accounts(p, &own, 1);
	ASK(&root, .user = "ann", .account = "nosuch");
	cr_expect_str_eq(json_object_get_string(member(root, "account")), "bio");
	cr_expect(json_object_get_boolean(member(root, "account_assumed")));
	json_object_put(root);
	names.account_needed = true;
	maui_document_slurm_names(p, &names);
	cr_expect(!FOUND(.account = "nosuch"));
}

Test(fits, a_feature_that_no_node_has_is_not_found)
{
	p->plan->snapshot->nodes[0].features = "fast,big";
	cr_expect(FOUND(.features = "fast&big"));
	cr_expect(FOUND(.features = "[fast*2&big*44]"));
	cr_expect(!FOUND(.features = "fast&bigger"));
	cr_expect(!FOUND(.features = "!fas"));
	cr_expect(!FOUND(.features = "(fast|nix)&big", .nodes = 1));
}

Test(fits, whether_a_job_or_maui_cfg_has_the_group)
{
	json_object *root;

	ASK(&root, .user = "ann", .group = "staff");
	cr_expect(json_object_get_boolean(member(root, "group_known")));
	json_object_put(root);
	ASK(&root, .user = "ann", .group = "nosuch");
	cr_expect(!json_object_get_boolean(member(root, "group_known")));
	json_object_put(root);
}

/* ---- whom partitions admit ---- */

static json_object *ask_gpu(const struct maui_fits_args *args, json_object **ret_root)
{
	json_object *part = ask(args, ret_root);

	cr_assert_str_eq(json_object_get_string(member(part, "name")), "gpu");
	return part;
}

#define ASK_GPU(ret_root, ...)                                                      \
	ask_gpu(                                                                    \
		&(const struct maui_fits_args){                                     \
			.partition = "gpu", .nodes = 1, .limit = 60, __VA_ARGS__ }, \
		ret_root)

static void expect_gpu(json_object *root, json_object *part, const char *rule)
{
	const char *kept_out_by = json_object_get_string(member(part, "kept_out_by"));
	json_object *shape = member(part, "shape");
	bool offers = json_object_array_length(member(part, "windows")) > 0;

	if (rule)
		cr_expect(kept_out_by && strcmp(kept_out_by, rule) == 0, "%s", kept_out_by);
	else
		cr_expect(!kept_out_by, "%s", kept_out_by);
	cr_expect(offers == !rule);
	cr_expect(json_object_get_boolean(member(shape, "starts_now")) == !rule);
	if (rule)
		cr_expect(json_object_is_type(member(shape, "earliest"), json_type_null));
	if (rule)
		cr_expect(strstr(json_object_get_string(
					 json_object_array_get_idx(member(shape, "reasons"), 0)),
				 rule));
	json_object_put(root);
}

static void admit(const struct maui_admission_rules *gpu)
{
	struct maui_admission_rules rules[] = { { 0 }, *gpu };

	maui_document_unref(p);
	p = fits_world_publish_admitting(rules);
	cr_assert(p);
}

#define ADMIT(...) admit(&(const struct maui_admission_rules){ __VA_ARGS__ })

Test(fits, a_partition_offers_nothing_to_those_whom_allow_groups_keeps_out)
{
	static const uint32_t members[] = { 1002 };
	json_object *root, *part;

	ADMIT(.groups = "chemistry", .users = members, .user_count = 1);
	part = ASK_GPU(&root, .user = "bob", .uid = 1002, .primary_group = "staff");
	expect_gpu(root, part, NULL);
	part = ASK_GPU(&root, .user = "carl", .uid = 1003, .primary_group = "chemistry");
	expect_gpu(root, part, NULL);
	part = ASK_GPU(&root, .user = "carl", .uid = 1003, .primary_group = "staff");
	expect_gpu(root, part, "AllowGroups");
	part = ASK_GPU(&root, .user = "carl", .uid = -1,
		       .primary_group = "staff"); /* nobody knows the id */
	expect_gpu(root, part, "AllowGroups");
	part = ASK_GPU(&root, .user = "root", .primary_group = "root");
	expect_gpu(root, part, NULL);
	part = ASK_GPU(&root, .user = "toor", .uid = 0); /* root by another name */
	expect_gpu(root, part, NULL);
	part = ASK_GPU(&root, .user = "root", .uid = -1);
	expect_gpu(root, part, "AllowGroups");
	/* the group of the job is not the user's first one */
	part = ASK_GPU(&root, .user = "carl", .uid = 1003, .group = "chemistry",
		       .primary_group = "staff");
	expect_gpu(root, part, "AllowGroups");
}

/* ann is known as the asker by the number, whatever the question says. */
Test(fits, the_asker_is_known_by_the_number_of_the_connection)
{
	static const uint32_t members[] = { 1001 };
	json_object *root, *part;

	ADMIT(.groups = "chemistry", .users = members, .user_count = 1);
	part = ASK_GPU(&root, .user = "ann", .uid = 1003, .primary_group = "staff");
	expect_gpu(root, part, NULL);
	asker = 1003;
	p->privacy.hide_users = true;
	part = ASK_GPU(&root, .user = "ann", .uid = 1001, .primary_group = "staff");
	expect_gpu(root, part, "AllowGroups");
}

Test(fits, a_partition_offers_nothing_to_jobs_whom_its_other_rules_keep_out)
{
	json_object *root, *part;

	ADMIT(.allow_accounts = "chemistry");
	part = ASK_GPU(&root, .user = "ann"); /* by default of physics */
	expect_gpu(root, part, "AllowAccounts");
	part = ASK_GPU(&root, .user = "ann", .account = "chemistry");
	expect_gpu(root, part, NULL);
	ADMIT(.deny_accounts = "physics");
	part = ASK_GPU(&root, .user = "ann");
	expect_gpu(root, part, "DenyAccounts");
	ADMIT(.allow_qos = "high");
	part = ASK_GPU(&root, .user = "ann", .qos = "low");
	expect_gpu(root, part, "AllowQos");
	part = ASK_GPU(&root, .user = "ann", .qos = "high");
	expect_gpu(root, part, NULL);
	ADMIT(.deny_qos = "high");
	part = ASK_GPU(&root, .user = "ann", .qos = "high");
	expect_gpu(root, part, "DenyQos");
	ADMIT(.root_only = true);
	part = ASK_GPU(&root, .user = "ann");
	expect_gpu(root, part, "RootOnly");
	ADMIT(.needs_reservation = true);
	part = ASK_GPU(&root, .user = "ann");
	expect_gpu(root, part, "ReqResv");
	ADMIT(.no_root = true);
	part = ASK_GPU(&root, .user = "root");
	expect_gpu(root, part, "DisableRootJobs");
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
