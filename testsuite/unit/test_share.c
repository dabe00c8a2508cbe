/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_share.c - usage, targets and forecasts, of a saved plan
 *
 * Two windows of 1000 seconds count, the older one by half. ann used 3/4 of the current window, bob
 * the rest and all of the older one. ann runs a job of one processor, bob one of three.
 *
 * Rules: CMD-26, CMD-27.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "limit_memory.h"
#include "planned.h"
#include "policy/fairshare.h"
#include "state/usage_view.h"
#include "verbs/fairshare.h"

enum { ANN = 1001, BOB = 1002, EVE = 1003, ADMIN = 500, NOW = 1500 };

static void charge(struct maui_usage *usage, const char *user, double rate, int64_t from_s,
		   int64_t to_s)
{
	const char *cred[MAUI_CRED_COUNT] = {
		[MAUI_CRED_USER] = user, [MAUI_CRED_ACCOUNT] = "phys"
	};

	cr_assert(maui_fairshare_charge(usage, w.config, cred, rate, from_s, to_s) == 0);
}

static void make(const char *targets)
{
	static const struct maui_document_idle idle[2] = { { .uid = BOB } };
	static const uid_t admins[] = { ADMIN };
	struct maui_usage usage = { 0 };
	struct maui_usage_view *view;
	char config[512];

	snprintf(config, sizeof(config),
		 "FSPOLICY DEDICATEDPS\nFSINTERVAL 1000\nFSDEPTH 3\nFSDECAY 0.5\nFSWEIGHT 2\n"
		 "FSUSERWEIGHT 10\n%s",
		 targets);
	w.now = NOW;
	world_make(&w, config, "4 procs=4", NULL,
		   "a nodes=n0 procs=1 end=9000 user=ann; b nodes=n1 procs=3 end=9000 user=bob",
		   "A nodes=4 whole limit=300 user=bob", NOW);
	free(world_plan(&w));
	charge(&usage, "ann", 3, 1000, 1500);
	charge(&usage, "bob", 1, 1000, 1500);
	charge(&usage, "bob", 4, 500, 1000);
	view = maui_usage_view_create(&usage, NULL);
	maui_usage_finish(&usage);
	p = maui_document_create(NOW, "mini");
	cr_assert(p && view);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	maui_document_hide(p, false, false, admins, 1);
	maui_document_set_usage(p, view);
	maui_usage_view_unref(view);
}

TestSuite(share, .fini = end_planned);

static json_object *ask(struct maui_fairshare_args args, uid_t uid)
{
	struct maui_query_error error = { 0 };
	json_object *root =
		ask_verb(&maui_verb_fairshare, maui_answer_fairshare, p, uid, &args, &error);

	cr_assert(root, "%s", error.err.text);
	return root;
}

static void refused(struct maui_fairshare_args args, uid_t uid, int code)
{
	struct maui_query_error error = { 0 };

	cr_expect(!ask_verb(&maui_verb_fairshare, maui_answer_fairshare, p, uid, &args, &error));
	cr_expect(error.code == (unsigned)code, "%d: %s", error.code, error.err.text);
}

/* One user's row; the caller puts *ret_root. */
static json_object *user(const char *name, json_object **ret_root)
{
	*ret_root = ask((struct maui_fairshare_args){ "user", name, false }, 0);
	cr_assert(json_object_array_length(member(*ret_root, "credentials")) == 1);
	return json_object_array_get_idx(member(*ret_root, "credentials"), 0);
}

static void is_near(double value, double expected)
{
	cr_expect(fabs(value - expected) < 0.001, "%f instead of %f", value, expected);
}

/* Without the copy of the name nobody would be filtered. */
Test(share, without_memory_for_the_name_nobody_is_answered_for)
{
	enum { LONG = 64 * 1024 * 1024 };
	struct maui_arena arena = { 0 };
	struct maui_query_error error = { 0 };
	struct maui_question q = { .arena = &arena, .error = &error };
	char *name = malloc(LONG + 1);
	const struct maui_fairshare_args args = { .kind = "account", .name = name };

	make("");
	q.document = p;
	cr_assert(name);
	memset(name, 'a', LONG);
	name[LONG] = '\0';
	limit_memory(LONG / 4);
	cr_expect(!maui_answer_fairshare(&q, &args));
	cr_expect(error.code == MAUI_QUERY_UNAVAILABLE && strcmp(error.err.text, "no memory") == 0);
	maui_arena_finish(&arena);
	free(name);
}

Test(share, windows_have_their_weights_and_totals)
{
	json_object *root, *windows, *row;

	make("USERCFG[ann] FSTARGET=20\n");
	row = user("ann", &root);
	windows = member(root, "windows");
	cr_assert(json_object_array_length(windows) == 2);
	is_near(real(json_object_array_get_idx(windows, 0), "total"), 2000);
	is_near(real(json_object_array_get_idx(windows, 1), "weight"), 0.5);
	is_near(real(json_object_array_get_idx(windows, 1), "start"), 0);
	is_near(real(root, "total"), 2000 + 0.5 * 2000);
	is_near(real(row, "effective"), 1500);
	is_near(real(row, "percent"), 50);
	is_near(real(row, "rate"), 1);
	is_near(real(root, "rate"), 4);
	json_object_put(root);
}

Test(share, points_are_the_distance_by_the_weights)
{
	json_object *root, *row;

	make("USERCFG[ann] FSTARGET=20\n");
	row = user("ann", &root);
	is_near(real(row, "delta"), -30);
	is_near(real(row, "points"), -30 * 10 * 2);
	cr_expect(json_object_get_boolean(member(row, "off_target")));
	json_object_put(root);
}

/* Running nothing: at 2000 the windows of 1000 and 0 weigh 0.5 and 0.25, so ann has 750 of 1500 +
 * 750 + 500 (bob's three processors from 1500 on); 20 % of all is reached when all have 3750. */
Test(share, a_user_above_the_target_learns_when_usage_is_back)
{
	json_object *root, *row, *forecast;

	make("USERCFG[ann] FSTARGET=20\n");
	row = user("ann", &root);
	forecast = member(row, "forecast");
	cr_expect(json_object_get_boolean(member(forecast, "above")));
	/* in the interval from 2000: ann 750; all 1000 + 500 + 750 = 2250, three more a second */
	is_near(real(forecast, "running_nothing"), 2500);
	/* 1 of 4 processors is 25 %, more than 20 */
	cr_expect(json_object_is_type(member(forecast, "at_present_rate"), json_type_null));
	json_object_put(root);
}

Test(share, at_a_low_rate_usage_comes_back_later)
{
	json_object *root, *row;

	make("USERCFG[ann] FSTARGET=30\n");
	row = user("ann", &root);
	/* from 2000: 750 + 250 of 1000 + 500 + 1000 = 2500: 40 %, falling: 1000 + t = 0.3 (2500 +
	 * 4 t), so t = 1250; from 3000: 375 + 125 + 500 of 500 + 250... */
	cr_expect(real(member(row, "forecast"), "at_present_rate") > 3000);
	cr_expect(real(member(row, "forecast"), "running_nothing") <
		  real(member(row, "forecast"), "at_present_rate"));
	json_object_put(root);
}

Test(share, a_floor_above_usage_is_reached_by_running)
{
	json_object *root, *row, *forecast;

	make("USERCFG[bob] FSTARGET=55+\n");
	row = user("bob", &root);
	is_near(real(row, "percent"), 50);
	forecast = member(row, "forecast");
	cr_expect(!json_object_get_boolean(member(forecast, "above")));
	/* 1500 + 3 t = 0.55 (3000 + 4 t): t = 187.5 */
	is_near(real(forecast, "at_present_rate"), NOW + 188);
	json_object_put(root);
}

Test(share, a_cap_that_is_reached_holds_jobs)
{
	json_object *root, *row;

	make("USERCFG[ann] FSTARGET=40%\nUSERCFG[bob] FSTARGET=9000^\n");
	row = user("ann", &root);
	cr_expect(json_object_get_boolean(member(row, "held")));
	cr_expect(json_object_get_boolean(member(row, "off_target")));
	is_near(real(row, "points"), 0);
	/* 1500 of 3000 + 3 t is below 40 % one second after t = 250 */
	is_near(real(member(row, "forecast"), "running_nothing"), NOW + 251);
	json_object_put(root);
	row = user("bob", &root);
	cr_expect(!json_object_get_boolean(member(row, "held")));
	cr_expect(json_object_is_type(member(row, "forecast"), json_type_null));
	json_object_put(root);
}

Test(share, every_kind_is_listed_by_name)
{
	json_object *root, *rows;

	make("USERCFG[zoe] FSTARGET=10\nACCOUNTCFG[bio] FSTARGET=5\n");
	root = ask((struct maui_fairshare_args){ NULL, NULL, false }, 0);
	rows = member(root, "credentials");
	cr_expect_str_eq(json_object_get_string(member(json_object_array_get_idx(rows, 0), "name")),
			 "ann");
	cr_expect_str_eq(json_object_get_string(member(json_object_array_get_idx(rows, 2), "name")),
			 "zoe");
	json_object_put(root);
	root = ask((struct maui_fairshare_args){ "account", "PHYS", false }, 0);
	is_near(real(json_object_array_get_idx(member(root, "credentials"), 0), "percent"), 100);
	json_object_put(root);
}

Test(share, an_unknown_name_is_not_found)
{
	make("");
	refused((struct maui_fairshare_args){ "user", "eve", false }, 0, MAUI_QUERY_NOT_FOUND);
	refused((struct maui_fairshare_args){ "colour", "red", false }, 0, MAUI_QUERY_BAD);
	json_object_put(ask((struct maui_fairshare_args){ "user", "eve", true }, 0));
}

Test(share, private_data_leaves_ones_own_and_the_totals)
{
	static const struct maui_document_user users[] = { { BOB, "bob", "bob" },
							   { ANN, "ann", "ann" } };
	json_object *root;

	make("USERCFG[ann] FSTARGET=20\n");
	p->privacy.hide_usage = true;
	maui_document_know_users(p, users, 2);
	refused((struct maui_fairshare_args){ "user", "bob", false }, ANN, MAUI_QUERY_DENIED);
	refused((struct maui_fairshare_args){ "user", "eve", true }, EVE, MAUI_QUERY_DENIED);
	root = ask((struct maui_fairshare_args){ "user", NULL, false }, ANN);
	cr_expect(json_object_array_length(member(root, "credentials")) == 1);
	cr_expect(json_object_get_boolean(member(root, "hidden")));
	is_near(real(root, "total"), 3000);
	json_object_put(root);
	json_object_put(ask((struct maui_fairshare_args){ "user", "bob", false }, BOB));
	root = ask((struct maui_fairshare_args){ "user", NULL, false }, ADMIN);
	cr_expect(json_object_array_length(member(root, "credentials")) == 2);
	json_object_put(root);
}

Test(share, before_the_first_plan_the_answer_is_to_try_again)
{
	p = maui_document_create(0, NULL);
	refused((struct maui_fairshare_args){ 0 }, 0, MAUI_QUERY_UNAVAILABLE);
}
