/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_snapshot_private.c - what a snapshot hides, apart from jobs: reservations, lines of
 * maui.cfg, usage
 *
 * Rules: CMD-9, CMD-35.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include "ask.h"
#include "rsv_world.h"
#include "state/saved_plan/saved_plan.h"
#include "state/usage_view.h"
#include "verbs/snapshot.h"

enum { ANN = 1001, BOB = 1002, ADMIN = 500 };

static struct world *w;
static struct maui_document *p;

static const char config[] = "RESERVATIONDEPTH 2 # bob is slow\n"
			     "CREDWEIGHT 1\nUSERWEIGHT 1\n"
			     "QUERYSOCKET /tmp/odd\\# end\n"
			     "USERCFG[ann] PRIORITY=5\n"
			     "USERCFG[bob] \\\n  PRIORITY=7 MAXJOB=3\n"
			     "USERCFG[DEFAULT] MAXPROC=100\n"
			     "GROUPCFG[spies] MAXJOB=3\n"
			     "ACCOUNTCFG[secret] MAXJOB=3\n"
			     "QOSCFG[high] PRIORITY=3\n"
			     "FSTREE[top] MEMBERLIST=user:ann@3,user:eve@1\n"
			     "SRCFG[exam] HOSTLIST=n0 USERLIST=bob,ann PERIOD=DAY DEPTH=2\n"
			     "RMCFG[base] TYPE=bob\n";

static const struct maui_document_user users[] = { { ANN, "ann", "ann" }, { BOB, "bob", "bob" } };

static void set_usage(void)
{
	struct maui_usage windows = { 0 };
	struct maui_usage_window *window = maui_usage_window(&windows, 0, 100);
	struct maui_usage_view *usage;

	cr_assert(maui_usage_add(window, MAUI_CRED_USER, "ann", 4) == 0);
	cr_assert(maui_usage_add(window, MAUI_CRED_USER, "bob", 5) == 0);
	cr_assert(maui_usage_add(window, MAUI_CRED_ACCOUNT, "secret", 9) == 0);
	window->total = 9;
	usage = maui_usage_view_create(&windows, NULL);
	maui_usage_finish(&windows);
	cr_assert(usage);
	maui_document_set_usage(p, usage);
	maui_usage_view_unref(usage);
}

/* n0 is for bob and ann from 1000 on, every day; n1 and n2 are carl's until 500 (setres), n3 is
 * Slurm's own. A of ann names what is hers of n0, B of bob what is carl's, C is bob's. */
static void begin(void)
{
	static const uid_t admins[] = { ADMIN };
	const struct maui_document_idle idle[] = {
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = ANN },
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = BOB },
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = BOB },
	};

	w = rsv_make(config, "4 procs=4", "maint nodes=n3 start=600 end=700",
		     "exam hosts=n0 users=bob,ann depth=2; "
		     "carl.1 hosts=n1,n2 users=carl start=100 end=500 owner=USER:carl",
		     "r nodes=n3 procs=4 end=600 user=bob rsv=carl.1",
		     "A nodes=1 whole limit=300 user=ann rsv=exam; "
		     "B nodes=2 whole limit=300 user=bob rsv=carl.1; "
		     "C nodes=2 whole limit=300 user=bob");
	rsv_world.rsvs[1].made_by = strdup("carl");
	free(world_plan(w));
	cr_assert(w->decisions.instance_count == 3);
	p = maui_document_create(0, "mini");
	cr_assert(p);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(w), idle);
	maui_document_hide(p, false, false, admins, 1);
	set_usage();
}

static void end(void)
{
	maui_document_unref(p);
	rsv_drop();
}

TestSuite(snapshot_private, .init = begin, .fini = end);

/* The text of the answer; the caller frees it. */
static char *ask(uid_t uid, bool complete)
{
	struct maui_query_error error = { 0 };
	json_object *answer = ask_verb(&maui_verb_snapshot, maui_answer_snapshot, p, uid, NULL,
				       &error),
		    *value;
	char *text;

	cr_assert(answer, "%s", error.err.text);
	cr_assert(json_object_object_get_ex(answer, "complete", &value));
	cr_expect(json_object_get_boolean(value) == complete);
	cr_assert(json_object_object_get_ex(answer, "snapshot", &value));
	text = strdup(json_object_to_json_string(value));
	json_object_put(answer);
	return text;
}

static struct maui_saved_plan read_back(const char *text)
{
	struct maui_saved_plan saved;
	struct maui_err err;

	cr_assert(maui_saved_plan_read(text, strlen(text), &saved, &err) == 0, "%s", err.text);
	return saved;
}

static bool has(const struct maui_saved_plan *saved, const char *line)
{
	return strstr(saved->config_text, line) != NULL;
}

Test(snapshot_private, a_user_gets_neither_comments_nor_lines_of_other_programs)
{
	char *text = ask(ANN, true);
	struct maui_saved_plan saved = read_back(text);

	cr_expect(has(&saved, "RESERVATIONDEPTH 2\n"));
	cr_expect(!has(&saved, "slow") && !has(&saved, "RMCFG"));
	cr_expect(has(&saved, "USERCFG[bob] ") && has(&saved, "PRIORITY=7 MAXJOB=3\n"));
	cr_expect(has(&saved, "SRCFG[exam]"));
	cr_expect(has(&saved, "QUERYSOCKET /tmp/odd\\#\nUSERCFG[ann] PRIORITY=5\n"),
		  "the backslash of a value joins no lines");
	maui_saved_plan_finish(&saved);
	free(text);
	text = ask(ADMIN, true);
	saved = read_back(text);
	cr_expect_str_eq(saved.config_text, config);
	maui_saved_plan_finish(&saved);
	free(text);
}

Test(snapshot_private, nodes_are_for_administrators)
{
	struct maui_query_error error = { 0 };

	p->privacy.hide_nodes = true;
	cr_expect(!ask_verb(&maui_verb_snapshot, maui_answer_snapshot, p, ANN, NULL, &error) &&
		  error.code == MAUI_QUERY_DENIED);
	free(ask(ADMIN, true));
}

Test(snapshot_private, partitions_are_for_administrators)
{
	struct maui_query_error error = { 0 };

	p->privacy.hide_partitions = true;
	cr_expect(!ask_verb(&maui_verb_snapshot, maui_answer_snapshot, p, ANN, NULL, &error) &&
		  error.code == MAUI_QUERY_DENIED);
	free(ask(ADMIN, true));
}

Test(snapshot_private, lines_that_showconfig_hides_are_not_there)
{
	char *text;
	struct maui_saved_plan saved;

	p->privacy.hide_users = true;
	p->privacy.hide_accounts = true;
	maui_document_know_users(p, users, 2);
	text = ask(ANN, false);
	saved = read_back(text);
	cr_expect(has(&saved, "USERCFG[ann]") && has(&saved, "USERCFG[DEFAULT]"));
	cr_expect(has(&saved, "QOSCFG[high]"));
	cr_expect(!has(&saved, "USERCFG[bob]") && !has(&saved, "MAXJOB"));
	cr_expect(!has(&saved, "spies") && !has(&saved, "secret"));
	cr_expect(!has(&saved, "FSTREE") && !has(&saved, "eve"));
	maui_saved_plan_finish(&saved);
	free(text);
}

/* 7 of USERCFG[bob], which ann does not get. */
Test(snapshot_private, jobs_of_others_keep_the_priority_that_hidden_lines_make)
{
	char *text = ask(ANN, true);
	struct maui_saved_plan saved = read_back(text);

	for (uint32_t i = 0; i < saved.snapshot->idle_count; i++)
		cr_expect(!saved.snapshot->idle[i].priority_given);
	maui_saved_plan_finish(&saved);
	free(text);
	p->privacy.hide_users = true;
	p->privacy.hide_accounts = false;
	maui_document_know_users(p, users, 2);
	text = ask(ANN, false);
	saved = read_back(text);
	cr_assert(saved.snapshot->idle_count == 3);
	cr_expect(!saved.snapshot->idle[0].priority_given, "her own lines are there");
	cr_expect(saved.snapshot->idle[1].priority_given);
	cr_expect(saved.snapshot->idle[1].rows[0].priority == world_verdict(w, "B")->published);
	maui_saved_plan_finish(&saved);
	free(text);
}

/* An order holds the number of the job. */
Test(snapshot_private, orders_are_ranks)
{
	struct maui_snapshot *snapshot = (struct maui_snapshot *)p->plan->snapshot;
	struct maui_saved_plan saved;
	char *text;

	for (uint32_t i = 0; i < snapshot->idle_count; i++)
		snapshot->idle[i].order = (uint64_t)(4000000000u - i) << 32;
	p->privacy.hide_jobs = true;
	maui_document_know_users(p, users, 2);
	text = ask(ANN, false);
	saved = read_back(text);
	cr_assert(saved.snapshot->idle_count == 3);
	for (uint32_t i = 0; i < 3; i++)
		cr_expect(saved.snapshot->idle[i].order == 2 - i);
	maui_saved_plan_finish(&saved);
	free(text);
}

Test(snapshot_private, hidden_reservations_keep_nodes_and_times_only)
{
	char *text;
	struct maui_saved_plan saved;
	const struct maui_rsv *exam, *carls;

	p->privacy.hide_rsvs = true;
	text = ask(ANN, false);
	saved = read_back(text);
	cr_expect(!strstr(text, "exam") && !strstr(text, "carl") && !strstr(text, "maint"), "%s",
		  text);
	cr_assert(saved.rsv_count == 3, "two days of exam, and carl's");
	exam = saved.rsvs[0];
	carls = saved.rsvs[2];
	cr_expect(exam->period == MAUI_RSV_ONCE && exam->start_s == saved.instances[0].start_s);
	cr_expect(exam->end_s == saved.instances[0].end_s && exam->end_s < saved.rsvs[1]->end_s);
	cr_expect_str_eq(exam->acl.list[1].name, "ann", "her own name");
	cr_expect_str_eq(exam->acl.list[0].name, "bob", "his jobs are not hidden");
	cr_expect_str_eq(carls->hosts, "n1,n2");
	cr_expect(carls->start_s == 100 && carls->end_s == 500);
	cr_expect_str_eq(carls->acl.list[0].name, "#1");
	cr_expect_str_eq(carls->owner, "#1");
	cr_assert(saved.instance_count == 3);
	for (uint32_t i = 0; i < 3; i++) {
		cr_expect_str_eq(saved.instances[i].rsv, saved.rsvs[i]->name);
		cr_expect(saved.instances[i].day == 0);
	}
	cr_expect_str_eq(saved.snapshot->claims[0].name, "hidden.4");
	maui_saved_plan_finish(&saved);
	free(text);
}

Test(snapshot_private, jobs_name_reservations_by_their_new_names)
{
	char *text;
	struct maui_saved_plan saved;

	maui_document_hide(p, true, true, p->privacy.admins, p->privacy.admin_count);
	text = ask(ANN, false);
	saved = read_back(text);
	cr_expect_str_eq(saved.snapshot->idle[0].advres, "hidden.1,hidden.2");
	cr_expect_str_eq(saved.snapshot->idle[1].advres, saved.rsvs[2]->name);
	cr_expect_str_eq(saved.snapshot->active[0].advres, saved.rsvs[2]->name);
	cr_expect(!strstr(text, "carl") && !strstr(text, "exam"), "%s", text);
	maui_saved_plan_finish(&saved);
	free(text);
}

Test(snapshot_private, hidden_usage_has_no_names)
{
	const struct maui_usage_view_window *window;
	char *text;
	struct maui_saved_plan saved;

	maui_document_hide(p, true, false, p->privacy.admins, p->privacy.admin_count);
	p->privacy.hide_usage = true;
	maui_document_know_users(p, users, 2);
	text = ask(ANN, false);
	saved = read_back(text);
	window = saved.usage->windows[0];
	cr_assert(window->count == 3 && window->total == 9);
	for (size_t i = 0; i < window->count; i++) {
		const struct maui_usage_view_entry *entry = &window->entries[i];

		cr_expect(entry->value == 4 || entry->name[0] == '#', "%s", entry->name);
		cr_expect(entry->value != 4 || strcmp(entry->name, "ann") == 0);
	}
	cr_expect(!strstr(strstr(text, "\"fairshare\""), "secret"));
	maui_saved_plan_finish(&saved);
	free(text);
}
