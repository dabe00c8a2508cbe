/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_snapshot_answer.c - what `snapshot` saves of a plan, and for whom
 *
 * Rules: CMD-35.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include "answers/anonymous.h"
#include "planned.h"
#include "state/saved_plan/saved_plan.h"
#include "state/usage_view.h"
#include "verbs/snapshot.h"

enum { ANN = 1001, BOB = 1002, ADMIN = 500 };

static struct maui_usage_view *usage;

static void add_active_row(uint32_t active, uid_t uid)
{
	struct maui_document_rsv *row = maui_document_add_active(p, w.snapshot, active, uid);

	cr_assert(row);
	row->job_id = w.snapshot->active[active].id;
	row->array_task = MAUI_NO_TASK;
}

/* Four nodes, two of them busy until 600 with a job of bob, one with a job of ann; A of ann needs
 * three, B of bob waits behind it, C of bob has started since. */
static void begin(void)
{
	static const uid_t admins[] = { ADMIN };
	const struct maui_document_user users[] = { { ANN, "ann", "ann" }, { BOB, "bob", "bob" } };
	const struct maui_document_idle idle[] = {
		{ .array_task = MAUI_NO_TASK, .waiting = 1, .uid = ANN },
		{ .array_task = MAUI_NO_TASK, .waiting = 2, .uid = BOB },
		{ .array_task = MAUI_NO_TASK, .waiting = 0, .uid = BOB },
	};
	struct maui_usage windows = { 0 };
	struct maui_usage_window *window = maui_usage_window(&windows, 0, 100);

	world_make(&w, "RESERVATIONDEPTH 2\nCREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[bob] PRIORITY=7\n",
		   "4 procs=4", NULL,
		   "r nodes=n0,n1 procs=4 end=600 user=bob; s nodes=n2 procs=4 end=300 user=ann",
		   "A nodes=3 whole limit=300 user=ann; "
		   "B nodes=2 whole limit=300 user=bob copies=3; "
		   "C nodes=1 limit=90 user=bob",
		   0);
	free(world_plan(&w));
	cr_assert(maui_usage_add(window, MAUI_CRED_USER, "ann", 4) == 0);
	cr_assert(maui_usage_add(window, MAUI_CRED_USER, "bob", 5) == 0);
	window->total = 9;
	usage = maui_usage_view_create(&windows, NULL);
	maui_usage_finish(&windows);
	p = maui_document_create(0, "mini");
	cr_assert(p && usage);
	maui_document_set_plan(p, (struct maui_plan *)world_finished(&w), idle);
	maui_document_set_usage(p, usage);
	maui_document_hide(p, true, false, admins, 1);
	p->privacy.hide_usage = true;
	maui_document_know_users(p, users, 2);
	add_active_row(0, BOB);
	add_active_row(1, ANN);
}

static void end(void)
{
	maui_usage_view_unref(usage);
	end_planned();
}

TestSuite(snapshot_answer, .init = begin, .fini = end);

/* What this user gets. The caller finishes it; *ret_text, if wanted, is freed by the caller. */
static struct maui_saved_plan ask(uid_t uid, bool complete, char **ret_text)
{
	struct maui_query_error error = { 0 };
	json_object *answer = ask_verb(&maui_verb_snapshot, maui_answer_snapshot, p, uid, NULL,
				       &error),
		    *value;
	struct maui_saved_plan saved;
	const char *text;

	cr_assert(answer, "%s", error.err.text);
	cr_assert(json_object_object_get_ex(answer, "complete", &value));
	cr_expect(json_object_get_boolean(value) == complete);
	cr_assert(json_object_object_get_ex(answer, "snapshot", &value));
	text = json_object_to_json_string(value);
	cr_expect(!strchr(text, '\n'), "an answer is one line");
	cr_assert(maui_saved_plan_read(text, strlen(text), &saved, &error.err) == 0, "%s",
		  error.err.text);
	if (ret_text)
		*ret_text = strdup(text);
	json_object_put(answer);
	return saved;
}

Test(snapshot_answer, an_administrator_gets_everything_that_still_waits_or_runs)
{
	struct maui_saved_plan saved = ask(ADMIN, true, NULL);
	const struct maui_snapshot *s = saved.snapshot;

	cr_expect(s->node_count == 4 && s->active_count == 2);
	cr_assert(s->idle_count == 2); /* C has started since */
	cr_expect(s->idle[0].id == w.snapshot->idle[0].id);
	cr_expect(s->idle[1].copies == 2, "two of three tasks still wait");
	cr_expect_str_eq(s->creds[s->idle[1].rows[0].creds].cred[MAUI_CRED_USER], "bob");
	cr_assert(saved.job_rsv_count >= 1);
	cr_expect(saved.job_rsvs[0].job == s->idle[0].id || saved.job_rsvs[0].job == s->idle[1].id);
	cr_expect(saved.usage->windows[0]->count == 2);
	cr_expect(strstr(saved.config_text, "RESERVATIONDEPTH 2"));
	maui_saved_plan_finish(&saved);
}

static const char *user_of(const struct maui_snapshot *s, uint32_t creds)
{
	return s->creds[creds].cred[MAUI_CRED_USER];
}

Test(snapshot_answer, jobs_that_a_user_may_not_see_are_load_without_names)
{
	char *text, *config;
	struct maui_saved_plan saved = ask(ANN, false, &text);
	const struct maui_snapshot *s = saved.snapshot;

	config = strstr(text, "\"amounts\""); /* maui.cfg, which names bob, is before it */
	cr_expect(config && !strstr(config, "bob"), "%s", text);
	cr_assert(s->active_count == 2 && s->idle_count == 2);
	cr_expect(s->active[0].id >= MAUI_ANONYMOUS_JOB && s->active[0].end_s == 600);
	cr_expect(s->active[0].piece_count == 2);
	cr_expect_str_eq(user_of(s, s->active[0].creds), "#1");
	cr_expect_str_eq(user_of(s, s->active[1].creds), "ann");
	cr_expect_str_eq(user_of(s, s->idle[0].rows[0].creds), "ann");
	cr_expect(!s->idle[0].priority_given);
	cr_expect(s->idle[1].id >= MAUI_ANONYMOUS_JOB && s->idle[1].id != s->active[0].id);
	cr_expect_str_eq(user_of(s, s->idle[1].rows[0].creds), "#1", "the same number again");
	cr_expect(s->idle[1].priority_given);
	cr_expect(s->idle[1].rows[0].priority == world_verdict(&w, "B")->published);
	for (uint32_t i = 0; i < saved.job_rsv_count; i++)
		cr_expect(saved.job_rsvs[i].job == s->idle[0].id ||
			  saved.job_rsvs[i].job == s->idle[1].id);
	cr_expect(saved.usage->windows[0]->count == 2 && saved.usage->windows[0]->total == 9);
	free(text);
	maui_saved_plan_finish(&saved);
}

Test(snapshot_answer, without_private_data_a_user_gets_everything)
{
	static const uid_t admins[] = { ADMIN };
	struct maui_saved_plan saved;

	maui_document_hide(p, false, false, admins, 1);
	p->privacy.hide_usage = false;
	saved = ask(ANN, true, NULL);
	cr_expect_str_eq(user_of(saved.snapshot, saved.snapshot->active[0].creds), "bob");
	cr_expect(saved.snapshot->active[0].id == w.snapshot->active[0].id);
	maui_saved_plan_finish(&saved);
}

Test(snapshot_answer, a_snapshot_above_64_MB_is_refused_with_its_size)
{
	struct maui_query_error error = { 0 };
	size_t length = (size_t)65 << 20;
	char *text = realloc(w.config->text, length + 1);

	cr_assert(text);
	memset(text, ' ', length);
	text[length] = '\0';
	w.config->text = text;
	w.config->text_length = length;
	cr_expect(!ask_verb(&maui_verb_snapshot, maui_answer_snapshot, p, ADMIN, NULL, &error));
	cr_expect(error.code == MAUI_QUERY_ERROR);
	cr_expect_str_eq(error.err.text, "the snapshot has 65 MB, an answer at most 64 MB");
}

Test(snapshot_answer, before_the_first_plan_there_is_none)
{
	struct maui_document *empty = maui_document_create(0, "mini");
	struct maui_query_error error = { 0 };

	cr_expect(!ask_verb(&maui_verb_snapshot, maui_answer_snapshot, empty, 0, NULL, &error));
	cr_expect(error.code == MAUI_QUERY_UNAVAILABLE);
	maui_document_unref(empty);
}
