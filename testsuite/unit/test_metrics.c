/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_metrics.c - the figures of maui metrics, of a saved plan
 *
 * Rules: CMD-9, CMD-48.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "diagnosed.h"
#include "plan/finished.h"
#include "policy/fairshare.h"
#include "state/usage_view.h"
#include "verbs/metrics.h"

static json_object *answer;

static void end(void)
{
	json_object_put(answer);
	answer = NULL;
	end_diagnosed();
}

TestSuite(metrics, .init = begin_diagnosed, .fini = end);

static void ask(uid_t uid)
{
	struct maui_query_error error = { 0 };

	json_object_put(answer);
	answer = ask_verb(&maui_verb_metrics, maui_answer_metrics, p, uid, NULL, &error);
	cr_assert(answer, "%s", error.err.text);
}

/* The samples of a family; NULL: there is no such family. */
static json_object *family(const char *name)
{
	json_object *list = member(answer, "families");

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);
		const char *whole = json_object_get_string(member(one, "name"));

		cr_assert(strncmp(whole, "slurm_maui_", 11) == 0, "%s", whole);
		if (strcmp(whole + 11, name) == 0)
			return member(one, "samples");
	}
	return NULL;
}

/* The value of the sample that has this text among its labels, or as its suffix; -1: none. */
static double value(const char *name, const char *text)
{
	json_object *samples = family(name);

	for (size_t i = 0; samples && i < json_object_array_length(samples); i++) {
		json_object *one = json_object_array_get_idx(samples, i);
		const char *suffix = json_object_get_string(member(one, "suffix"));
		bool found = !text || (suffix && strcmp(suffix, text) == 0);

		json_object_object_foreach(member(one, "labels"), key, label)
		{
			(void)key;
			found |= text && strcmp(json_object_get_string(label), text) == 0;
		}
		if (found)
			return json_object_get_double(member(one, "value"));
	}
	return -1;
}

Test(metrics, cycles_and_locks_are_those_of_the_log)
{
	ask(0);
	cr_expect(value("cycle_duration_seconds", "_count") == 2);
	cr_expect(value("cycle_duration_seconds", "0.1") == 1);
	cr_expect(value("cycle_duration_seconds", "+Inf") == 2);
	cr_expect_float_eq(value("cycle_duration_seconds", "_sum"), 0.124, 1e-9);
	cr_expect_float_eq(value("last_cycle_duration_seconds", NULL), 0.12, 1e-9);
	cr_expect_float_eq(value("last_cycle_longest_lock_hold_seconds", "write"), 0.0009, 1e-9);
	cr_expect_float_eq(value("longest_lock_hold_seconds", "write"), 0.0012, 1e-9);
	cr_expect(value("jobs_started_total", NULL) == 6 &&
		  value("jobs_backfilled_total", NULL) == 2);
	cr_expect(value("starts_refused_total", NULL) == 1);
	cr_expect(value("failed_cycles_total", NULL) == 1 && value("starts_jobs", NULL) == 1);
}

Test(metrics, jobs_nodes_and_processors_are_counted)
{
	ask(0);
	cr_expect(value("jobs", "running") == 2 && value("jobs", "reserved") == 1);
	cr_expect(value("jobs", "eligible") + value("jobs", "blocked") == 10);
	cr_expect(value("waiting_jobs", "held") == 1);
	cr_expect(value("nodes", "busy") == 3 && value("nodes", "idle") == 1);
	cr_expect(value("nodes", "down") == 1 && value("nodes", "drained") == 0);
	cr_expect(value("processors", "used") == 12 && value("configured_processors", NULL) == 20);
	cr_expect(value("reservations", "job") == 1);
	cr_expect(value("reservation_processors", "job") == 16);
}

Test(metrics, a_drained_node_is_not_down)
{
	struct maui_node *node = &((struct maui_snapshot *)p->plan->snapshot)->nodes[4];

	node->drained = true;
	ask(0);
	cr_expect(value("nodes", "down") == 0 && value("nodes", "drained") == 1);
}

Test(metrics, fairshare_is_a_ratio_with_its_target)
{
	ask(0);
	cr_expect_float_eq(value("fairshare_usage_ratio", "ann"), 0.75, 1e-9);
	cr_expect_float_eq(value("fairshare_target_ratio", "ann"), 0.25, 1e-9);
	cr_expect_float_eq(value("fairshare_target_ratio", "ceiling"), 0.4, 1e-9);
	cr_expect(value("fairshare_target_ratio", "staff") == -1);
}

Test(metrics, a_refused_file_is_not_in_force)
{
	ask(0);
	cr_expect(value("config_in_force", NULL) == 1);
	maui_document_unref(p);
	p = diagnose_world_publish(true);
	ask(0);
	cr_expect(value("config_in_force", NULL) == 0);
}

Test(metrics, a_file_that_was_changed_and_not_read_is_not_in_force)
{
	diagnose_world_change_file(p, "/etc/slurm/maui.cfg has been changed");
	ask(0);
	cr_expect(value("config_in_force", NULL) == 0);
	diagnose_world_change_file(p, NULL);
	ask(0);
	cr_expect(value("config_in_force", NULL) == 1);
}

Test(metrics, warnings_about_nodes_are_counted)
{
	const struct maui_diag of_nodes = { .severity = MAUI_WARNING, .file = "maui.cfg" };
	double before;

	ask(0);
	before = value("config_warnings", NULL);
	maui_document_warn(p, &of_nodes, false);
	maui_document_warn(p, &of_nodes, true);
	ask(0);
	cr_expect(value("config_warnings", NULL) == before + 1);
}

Test(metrics, private_data_holds)
{
	static const struct maui_document_user users[] = { { DIAGNOSE_ANN, "ann", "ann" },
							   { DIAGNOSE_BOB, "bob", "bob" } };

	p->privacy.hide_jobs = p->privacy.hide_nodes = true;
	p->privacy.hide_usage = true;
	maui_document_know_users(p, users, 2);
	ask(DIAGNOSE_BOB);
	cr_expect(value("fairshare_usage_ratio", "bob") >= 0);
	cr_expect(value("fairshare_usage_ratio", "ann") == -1);
	cr_expect(value("fairshare_target_ratio", "ann") == -1);
	cr_expect(value("jobs", "running") == 1 && !family("nodes"));
	ask(DIAGNOSE_ADMIN);
	cr_expect(value("fairshare_usage_ratio", "ann") >= 0);
	cr_expect(value("jobs", "running") == 2 && family("nodes"));
}

Test(metrics, private_partitions_are_left_out)
{
	ask(DIAGNOSE_BOB);
	cr_expect(value("partition_processors", "idle") >= 0);
	p->privacy.hide_partitions = true;
	ask(DIAGNOSE_BOB);
	cr_expect(value("partition_processors", "idle") == -1);
	ask(DIAGNOSE_ADMIN);
	cr_expect(value("partition_processors", "idle") >= 0);
}

static void charge(struct maui_usage *usage, const char *user, double procs)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = user };

	maui_fairshare_charge(usage, p->plan->config, cred, procs, p->now_s - 60, p->now_s);
}

static void set_usage(struct maui_usage *usage)
{
	struct maui_usage_view *view = maui_usage_view_create(usage, NULL);

	maui_usage_finish(usage);
	maui_usage_view_unref(p->usage);
	p->usage = NULL;
	maui_document_set_usage(p, view);
	maui_usage_view_unref(view);
}

Test(metrics, the_number_of_credentials_is_bounded)
{
	struct maui_usage usage = { 0 };
	char name[16];

	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "u%d", i);
		charge(&usage, name, 1 + i);
	}
	set_usage(&usage);
	ask(0);
	cr_expect(json_object_array_length(family("fairshare_usage_ratio")) ==
		  MAUI_REPORT_MAX_SHARES);
	cr_expect(value("fairshare_left_out", NULL) >= 800);
	cr_expect(value("fairshare_usage_ratio", "u999") > 0);
	cr_expect(value("fairshare_usage_ratio", "u1") == -1);
}

Test(metrics, names_that_no_label_can_have_are_left_out)
{
	static const char *const names[] = { "tab\t",    "\x7f",           "\xff",
					     "\xc2\x9b", "\xe2\x80\x8eu1", "\xe2\x80\xaeu1",
					     "a\"b\\c" };
	struct maui_usage usage = { 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		charge(&usage, names[i], 50);
	set_usage(&usage);
	ask(0);
	for (size_t i = 0; i + 1 < sizeof(names) / sizeof(names[0]); i++)
		cr_expect(value("fairshare_usage_ratio", names[i]) == -1);
	cr_expect(value("fairshare_usage_ratio", "a\"b\\c") > 0);
}

Test(metrics, without_a_plan_there_are_no_figures)
{
	struct maui_document *none = maui_document_create(0, NULL);
	struct maui_query_error error = { 0 };

	cr_expect(!ask_verb(&maui_verb_metrics, maui_answer_metrics, none, 0, NULL, &error));
	cr_expect(error.code == MAUI_QUERY_UNAVAILABLE);
	maui_document_unref(none);
}
