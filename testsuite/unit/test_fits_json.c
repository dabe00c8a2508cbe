/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fits_json.c - the answer for showbf and maui fits, of a saved plan
 *
 * Rules: CMD-40, CMD-41, PRIO-18.
 */

#include "answers/fits_json.h"

#include <stdio.h>

#include <criterion/criterion.h>

#include "../cmd/fits-world.h"
#include "cycle/health.h"

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

TestSuite(fits_json, .init = begin, .fini = end);

static json_object *member(json_object *object, const char *key)
{
	json_object *value = NULL;

	cr_assert(json_object_object_get_ex(object, key, &value), "no %s", key);
	return value;
}

static int64_t number(json_object *object, const char *key)
{
	return json_object_get_int64(member(object, key));
}

/* The first partition of the answer; the caller puts *ret_root. */
static json_object *ask(const char *args, json_object **ret_root)
{
	struct maui_query_error error = { 0 };
	json_object *object = json_tokener_parse(args);

	*ret_root = maui_fits_json(p, object, asker, &error);
	json_object_put(object);
	cr_assert(*ret_root, "%s", error.err.text);
	return json_object_array_get_idx(member(*ret_root, "partitions"), 0);
}

static void refused(const char *args, int code)
{
	struct maui_query_error error = { 0 };
	json_object *object = json_tokener_parse(args);

	cr_expect(!maui_fits_json(p, object, asker, &error), "%s", args);
	cr_expect(error.code == (unsigned)code, "%s: %d %s", args, error.code, error.err.text);
	json_object_put(object);
}

Test(fits_json, windows_end_where_the_job_reservation_begins)
{
	json_object *root, *part = ask("{\"user\": \"ann\", \"partition\": \"batch\"}", &root);
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

Test(fits_json, limits_make_a_window_narrower)
{
	json_object *root, *part = ask("{\"user\": \"bob\", \"partition\": \"batch\"}", &root);
	json_object *windows = member(part, "windows");

	cr_assert(json_object_array_length(windows) == 1);
	cr_expect(number(json_object_array_get_idx(windows, 0), "procs") == 16);
	cr_expect(strstr(json_object_get_string(member(part, "limit")), "MAXPROC USER bob"));
	json_object_put(root);
}

/* The limit would tell what bob's jobs use, and the account which he has. */
Test(fits_json, private_data_keeps_other_users_to_themselves)
{
	static const struct maui_document_user users[] = { { 1001, "ann" }, { 1002, "bob" } };
	bool *hides[] = { &p->hide_jobs, &p->hide_usage, &p->hide_users, &p->hide_accounts };
	json_object *root;

	maui_document_know_users(p, users, 2);
	for (size_t i = 0; i < sizeof(hides) / sizeof(hides[0]); i++) {
		*hides[i] = true;
		refused("{\"user\": \"bob\"}", MAUI_QUERY_DENIED);
		refused("{\"user\": \"nobody-knows\"}", MAUI_QUERY_DENIED);
		ask("{\"user\": \"ann\"}", &root);
		cr_expect(!json_object_object_get_ex(root, "user_known", NULL));
		json_object_put(root);
		*hides[i] = false;
	}
	ask("{\"user\": \"ann\"}", &root);
	cr_expect(json_object_get_boolean(member(root, "user_known")));
	json_object_put(root);
}

/* The limit would tell how many jobs these have. */
Test(fits_json, private_data_hides_credentials_that_no_job_of_the_asker_has)
{
	static const struct maui_document_user users[] = { { 1001, "ann" }, { 1003, "carl" } };
	static const char *const denied[] = { "{\"user\": \"carl\", \"account\": \"physics\"}",
					      "{\"user\": \"carl\", \"qos\": \"low\"}" };
	json_object *root, *part;

	maui_document_unref(p);
	p = fits_world_publish("GROUPCFG[staff] MAXIJOB=1\n"); /* 21, of ann, waits */
	maui_document_know_users(p, users, 2);
	p->hide_jobs = true;
	part = ask("{\"user\": \"ann\", \"group\": \"staff\", \"account\": \"physics\"}", &root);
	cr_expect_str_eq(json_object_get_string(member(part, "limit")),
			 "MAXIJOB GROUP staff 1/1 (hard)");
	json_object_put(root);
	asker = 1003;
	part = ask("{\"user\": \"carl\", \"group\": \"staff\"}", &root);
	cr_expect(!json_object_get_string(member(part, "limit")));
	cr_expect(json_object_is_type(member(root, "group"), json_type_null));
	json_object_put(root);
	for (size_t i = 0; i < sizeof(denied) / sizeof(denied[0]); i++)
		refused(denied[i], MAUI_QUERY_DENIED);
}

/* A user without a name in slurmctld yet could claim any name. */
Test(fits_json, private_data_counts_an_unknown_asker_by_number)
{
	json_object *root, *part;

	p->hide_users = true;
	asker = 1003;
	part = ask("{\"user\": \"bob\", \"partition\": \"batch\"}", &root);
	cr_expect(!json_object_get_string(member(part, "limit")));
	cr_expect(!json_object_get_string(member(root, "account")));
	cr_expect_str_eq(json_object_get_string(member(root, "user")), "bob");
	json_object_put(root);
}

Test(fits_json, a_shape_that_does_not_start_says_what_would_help)
{
	json_object *root, *part = ask("{\"user\": \"ann\", \"partition\": \"batch\", \"nodes\": 3,"
				       " \"whole_nodes\": true, \"limit\": 10800}",
				       &root);
	json_object *shape = member(part, "shape");

	cr_expect(!json_object_get_boolean(member(shape, "starts_now")));
	cr_expect(number(shape, "starts_with_limit") == 7500);
	cr_expect(number(shape, "starts_on_nodes") == 1);
	cr_expect(json_object_array_length(member(shape, "reasons")) > 0);
	json_object_put(root);
}

/* bob has jobs of account physics, and no default account: without -A a job has none. */
Test(fits_json, the_account_is_the_one_that_slurmctld_gives_the_job)
{
	static const struct {
		const char *args, *account;
		bool assumed;
	} rows[] = {
		{ "{\"user\": \"ann\"}", "physics", true },
		{ "{\"user\": \"ann\", \"account\": \"bio\"}", "bio", false },
		{ "{\"user\": \"bob\"}", NULL, true },
	};
	static const struct maui_default_account others[] = { { 1001, "ann", "physics" },
							      { 1002, "bob", "secret" } };
	json_object *root;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *account;

		ask(rows[i].args, &root);
		account = json_object_get_string(member(root, "account"));
		cr_expect(rows[i].account ? account && strcmp(account, rows[i].account) == 0 :
					    !account,
			  "%s: %s", rows[i].args, account);
		cr_expect(json_object_get_boolean(member(root, "account_assumed")) ==
				  rows[i].assumed,
			  "%s", rows[i].args);
		json_object_put(root);
	}
	/* slurmdbd knows a name that the server has not looked up yet */
	maui_document_default_accounts(p, others, 2);
	p->hide_accounts = true;
	asker = 1002;
	refused("{\"user\": \"ann\"}", MAUI_QUERY_DENIED);
	ask("{\"user\": \"bob\", \"account\": \"secret\"}", &root);
	cr_expect_str_eq(json_object_get_string(member(root, "account")), "secret");
	json_object_put(root);
}

/* The job that is then submitted gets this limit, too. */
Test(fits_json, a_job_without_a_limit_is_placed_with_the_default)
{
	static const struct {
		const char *lines, *partition, *limit, *from;
		int64_t seconds;
		bool starts;
	} rows[] = {
		{ "", "batch", "", "SYSTEMDEFAULTJOBWALLTIME", 864000, false },
		{ "", "batch", ", \"limit\": 9223372036854775807", "SYSTEMDEFAULTJOBWALLTIME",
		  864000, false },
		{ "SYSTEMDEFAULTJOBWALLTIME 1:00:00\n", "batch", "", "SYSTEMDEFAULTJOBWALLTIME",
		  3600, true },
		{ "CLASSCFG[batch] DEFAULT.WCLIMIT=2:00:00\n", "batch", "", "DEFAULT.WCLIMIT", 7200,
		  true },
		{ "", "gpu", "", "MaxTime", 3600, true },
		{ "", "gpu", ", \"limit\": 9223372036854775807", "SYSTEMDEFAULTJOBWALLTIME", 864000,
		  false },
		{ "", "batch", ", \"limit\": 7200", NULL, 7200, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char args[256];
		json_object *root, *shape, *from;

		maui_document_unref(p);
		p = fits_world_publish(rows[i].lines);
		snprintf(args, sizeof(args),
			 "{\"user\": \"ann\", \"partition\": \"%s\", \"nodes\": %d,"
			 " \"whole_nodes\": true%s}",
			 rows[i].partition, rows[i].partition[0] == 'g' ? 1 : 3, rows[i].limit);
		shape = member(ask(args, &root), "shape");
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

Test(fits_json, jobs_that_wait_count_for_limits_of_idle_jobs)
{
	json_object *root, *part;

	maui_document_unref(p);
	p = fits_world_publish("GROUPCFG[staff] MAXIJOB=1\n"); /* 21 waits */
	part = ask("{\"user\": \"carl\", \"group\": \"staff\"}", &root);
	cr_expect(json_object_array_length(member(part, "windows")) == 0);
	cr_expect_str_eq(json_object_get_string(member(part, "limit")),
			 "MAXIJOB GROUP staff 1/1 (hard)");
	json_object_put(root);
	part = ask("{\"user\": \"carl\", \"group\": \"guests\"}", &root);
	cr_expect(json_object_array_length(member(part, "windows")) == 2);
	json_object_put(root);
}

Test(fits_json, wrong_questions_are_refused)
{
	refused("{}", MAUI_QUERY_BAD);
	refused("{\"user\": 17}", MAUI_QUERY_BAD);
	refused("{\"user\": \"ann\", \"nodes\": -1}", MAUI_QUERY_BAD);
	refused("{\"user\": \"ann\", \"nodes\": 99999999999}", MAUI_QUERY_BAD);
	refused("{\"user\": \"ann\", \"parts\": 5000}", MAUI_QUERY_BAD);
	refused("{\"user\": \"ann\", \"limit\": 0}", MAUI_QUERY_BAD);
	refused("{\"user\": \"ann\", \"partition\": \"nix\"}", MAUI_QUERY_NOT_FOUND);
}

Test(fits_json, before_the_first_plan_the_answer_is_to_try_again)
{
	struct maui_document *none = maui_document_create(0, NULL);
	struct maui_query_error error = { 0 };
	json_object *args = json_tokener_parse("{\"user\": \"ann\"}");

	cr_expect(!maui_fits_json(none, args, 0, &error) && error.code == MAUI_QUERY_UNAVAILABLE);
	json_object_put(args);
	maui_document_unref(none);
}

/* Whatever is free, no job of these gets it. */
Test(fits_json, what_is_closed_is_not_offered)
{
	static const struct maui_document_partition down[] = { { .up = false }, { .up = true } };
	static const char *const rows[] = {
		"{\"user\": \"ann\", \"partition\": \"batch\", \"parts\": 2, \"horizon\": 7200}",
		"{\"user\": \"ann\", \"partition\": \"batch\", \"parts\": 2, \"horizon\": 7200,"
		" \"qos\": \"high\"}",
	};
	static const char *const why[] = { "the partition starts no jobs now",
					   "the QOS is not open to the user" };

	for (size_t i = 0; i < 2; i++) {
		json_object *root, *part, *free_procs;

		maui_document_unref(p);
		p = fits_world_publish("QOSCFG[high] PRIORITY=1\nUSERCFG[ann] QLIST=low\n");
		if (i == 0)
			maui_document_set_partitions(p, down, 2);
		part = ask(rows[i], &root);
		cr_expect(json_object_array_length(member(part, "windows")) == 0);
		cr_expect(json_object_array_length(member(part, "whole_nodes")) == 0);
		cr_expect_str_eq(json_object_get_string(member(part, "obstacle")), why[i]);
		free_procs = member(part, "free_procs");
		cr_expect(json_object_get_int64(json_object_array_get_idx(free_procs, 0)) == 0);
		json_object_put(root);
	}
}

Test(fits_json, nothing_is_offered_for_longer_than_the_partition_lets_jobs_run)
{
	json_object *root, *part;

	part = ask("{\"user\": \"ann\", \"partition\": \"gpu\", \"least\": 7200}", &root);
	cr_expect(json_object_array_length(member(part, "windows")) == 0);
	cr_expect_str_eq(json_object_get_string(member(part, "obstacle")),
			 "the time limit is above the partition's MaxTime");
	json_object_put(root);
}

/* SERVERMODE TEST: the answer has what is free, and that nothing starts. */
Test(fits_json, nothing_starts_in_a_trial)
{
	const struct maui_health health = { .beside = true };
	json_object *root, *part, *shape;

	maui_document_set_health(p, &health);
	part = ask("{\"user\": \"ann\", \"partition\": \"batch\", \"nodes\": 1, \"limit\": 600}",
		   &root);
	shape = member(part, "shape");
	cr_expect(json_object_array_length(member(part, "windows")) > 0);
	cr_expect(!json_object_get_boolean(member(shape, "starts_now")));
	cr_expect(json_object_is_type(member(shape, "earliest"), json_type_null));
	cr_expect_str_eq(
		json_object_get_string(json_object_array_get_idx(member(shape, "reasons"), 0)),
		"it would start now, but no job is started");
	json_object_put(root);
}

Test(fits_json, an_unknown_reservation_is_not_found)
{
	refused("{\"user\": \"ann\", \"reservation\": \"no-such\"}", MAUI_QUERY_NOT_FOUND);
}
