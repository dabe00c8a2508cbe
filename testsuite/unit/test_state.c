/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_state.c - what showstate is told, of a saved plan
 *
 * Rules: CMD-9, CMD-49.
 */

#include "answers/answer.h"
#include "answers/document_publish.h"

#include <string.h>

#include "cycle/health.h"
#include "diagnosed.h"
#include "plan/finished.h"
#include "verbs/state.h"

static json_object *answer;

static void end(void)
{
	json_object_put(answer);
	answer = NULL;
	end_diagnosed();
}

TestSuite(state, .init = begin_diagnosed, .fini = end);

static void ask(uid_t uid)
{
	struct maui_query_error error = { 0 };

	json_object_put(answer);
	answer = ask_verb(&maui_verb_state, maui_answer_state, p, uid, NULL, &error);
	cr_assert(answer, "%s", error.err.text);
}

static const char *node(size_t at)
{
	return json_object_get_string(json_object_array_get_idx(member(answer, "nodes"), at));
}

static bool has_problem(const char *text)
{
	json_object *list = member(answer, "problems");

	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (strstr(json_object_get_string(json_object_array_get_idx(list, i)), text))
			return true;
	return false;
}

static struct maui_node *node_of(uint32_t index)
{
	return &((struct maui_snapshot *)p->plan->snapshot)->nodes[index];
}

Test(state, a_node_names_its_only_job)
{
	ask(0);
	cr_expect_str_eq(node(0), "[ \"n1\", \"Busy\", 0, 1, 0 ]");
	cr_expect_str_eq(node(2), "[ \"n3\", \"Busy\", 1, 1, 0 ]");
	cr_expect_str_eq(node(3), "[ \"n4\", \"Idle\", null, 0, 0 ]");
	cr_expect_str_eq(node(4), "[ \"n5\", \"Down\", null, 0, 0 ]");
	cr_expect(number(answer, "active_jobs") == 2 && number(answer, "active_procs") == 12);
	cr_expect(number(answer, "active_nodes") == 3 && number(answer, "procs") == 20);
}

Test(state, the_largest_job_is_first)
{
	static const struct maui_document_node nodes[] = { { 3, 4, 4 } };
	json_object *jobs;

	maui_document_add(p, &(struct maui_document_rsv){ .name = "7",
							  .job_id = 7,
							  .state = MAUI_JOB_RUNNING,
							  .procs = 99,
							  .nodes = nodes,
							  .node_count = 1 });
	ask(0);
	jobs = member(answer, "jobs");
	cr_expect(json_object_array_length(jobs) == 3);
	cr_expect_str_eq(json_object_get_string(member(json_object_array_get_idx(jobs, 0), "job")),
			 "7");
	cr_expect_str_eq(node(0), "[ \"n1\", \"Busy\", 1, 1, 0 ]");
}

Test(state, at_most_62_jobs_are_listed_and_all_are_counted)
{
	for (uint64_t id = 1; id <= 100; id++)
		maui_document_add(p, &(struct maui_document_rsv){ .name = "x",
								  .job_id = id,
								  .state = MAUI_JOB_RUNNING,
								  .procs = 50 });
	ask(0);
	cr_expect(json_object_array_length(member(answer, "jobs")) == 62);
	cr_expect(number(answer, "active_jobs") == 102);
	cr_expect_str_eq(node(0), "[ \"n1\", \"Busy\", null, 1, 0 ]");
}

Test(state, a_reservation_that_has_begun_is_on_its_nodes)
{
	static const struct maui_document_node nodes[] = { { 3, 4, 4 } };
	struct maui_document_rsv row = { .name = "biz.1",
					 .type = MAUI_DOCUMENT_STANDING,
					 .state = MAUI_JOB_NO_STATE,
					 .start_s = p->now_s + 1,
					 .end_s = p->now_s + 10,
					 .nodes = nodes,
					 .node_count = 1,
					 .uid = (uid_t)-1 };

	maui_document_add(p, &row);
	ask(0);
	cr_expect_str_eq(node(3), "[ \"n4\", \"Idle\", null, 0, 0 ]");
	row.start_s = p->now_s;
	maui_document_add(p, &row);
	ask(0);
	cr_expect_str_eq(node(3), "[ \"n4\", \"Idle\", null, 0, 1 ]");
	p->privacy.hide_rsvs = true;
	ask(DIAGNOSE_ANN);
	cr_expect_str_eq(node(3), "[ \"n4\", \"Idle\", null, 0, 0 ]");
}

Test(state, a_long_list_of_nodes_ends_behind_a_name)
{
	static char names[2][600];

	for (int i = 0; i < 2; i++) {
		memset(names[i], 'a' + i, sizeof(names[i]) - 1);
		node_of((uint32_t)i)->name = names[i];
		node_of((uint32_t)i)->usable_from_s = MAUI_NEVER;
	}
	ask(0);
	cr_expect(has_problem("3 nodes are down: aaa") && has_problem("aaa, ...") &&
		  !has_problem("bbb"));
}

Test(state, nodes_that_are_down_are_problems_and_the_jobs_on_them)
{
	ask(0);
	cr_expect(has_problem("1 node is down: n5") && !has_problem("job"));
	node_of(0)->usable_from_s = node_of(1)->usable_from_s = MAUI_NEVER;
	node_of(4)->drained = true;
	ask(0);
	cr_expect(has_problem("2 nodes are down: n[1-2]"));
	cr_expect(has_problem("job 101 of ann holds n1 and others, which are down"));
	cr_expect(has_problem("1 node is drained: n5"));
	p->privacy.hide_jobs = true;
	ask(DIAGNOSE_BOB);
	cr_expect(has_problem("2 nodes are down") && !has_problem("job 101"));
}

Test(state, a_reservation_without_all_its_tasks_is_a_problem)
{
	maui_document_add(p, &(struct maui_document_rsv){ .name = "biz.1",
							  .type = MAUI_DOCUMENT_STANDING,
							  .state = MAUI_JOB_NO_STATE,
							  .wanted = 3,
							  .missing = 2,
							  .held_by = "job 17 holds n2" });
	ask(0);
	cr_expect(has_problem("reservation biz.1 lacks 2 of 3 tasks: job 17 holds n2"));
}

Test(state, a_reservation_without_all_its_hosts_is_a_problem)
{
	maui_document_add(p, &(struct maui_document_rsv){ .name = "night.0",
							  .type = MAUI_DOCUMENT_STANDING,
							  .state = MAUI_JOB_NO_STATE,
							  .missing = 1 });
	ask(0);
	cr_expect(has_problem("reservation night.0 lacks 1 of its hosts"));
}

Test(state, a_scheduler_that_starts_nothing_says_why)
{
	struct maui_health health = { 0 };
	const char *why;

	ask(0);
	cr_expect(json_object_get_boolean(member(member(answer, "scheduler"), "starts_jobs")));
	maui_document_set_health(p, &health);
	ask(0);
	cr_expect(has_problem("no job is started: SERVERMODE of maui.cfg is not NORMAL"));
	health.guarded = true;
	maui_document_set_health(p, &health);
	ask(0);
	why = json_object_get_string(member(member(answer, "scheduler"), "no_starts"));
	cr_expect_str_eq(why, "slurmctld died twice inside a plan");
}

Test(state, a_refused_file_is_a_problem)
{
	maui_document_unref(p);
	p = diagnose_world_publish(true);
	ask(0);
	cr_expect(has_problem("maui.cfg is not in force") && member(answer, "refused"));
}

Test(state, a_file_that_was_changed_and_not_read_is_a_problem)
{
	diagnose_world_change_file(p, "/etc/slurm/maui.cfg has been changed");
	ask(0);
	cr_expect(has_problem("/etc/slurm/maui.cfg has been changed; maui reconfigure has "));
}

Test(state, damaged_state_files_and_a_state_that_is_not_saved_are_problems)
{
	static const char *const damage[] = {
		"1 is aside", "2 is aside",  "3 is aside",  "4 is aside",
		"5 is aside", "6 is aside",  "7 is aside",  "8 is aside",
		"9 is aside", "10 is aside", "11 is aside", "12 is aside",
	};

	ask(0);
	cr_expect(!has_problem("saved") && !has_problem("when slurmctld started"));
	maui_document_set_state(p, damage, 12, "cannot write state.json: No space left on device");
	ask(0);
	cr_expect(has_problem("the state is not saved: cannot write state.json: No space left"));
	cr_expect(has_problem("when slurmctld started: 10 is aside") &&
		  !has_problem("11 is aside"));
	cr_expect(has_problem("2 more lines about damaged state files are in slurmctld's log"));
}

Test(state, a_mirror_whose_reservation_is_lost_is_a_problem)
{
	struct maui_snapshot *s = (struct maui_snapshot *)p->plan->snapshot;
	struct maui_claim *claim = NULL;

	for (uint32_t i = 0; i < s->claim_count; i++)
		if (s->claims[i].rsv == MAUI_CLAIM_FOREIGN)
			claim = (struct maui_claim *)&s->claims[i];
	cr_assert(claim, "no Slurm reservation");
	ask(0);
	cr_expect(!has_problem("mirror"));
	claim->name = "maui.gone.0";
	ask(0);
	cr_expect(
		has_problem("Slurm reservation maui.gone.0 is a mirror whose reservation is lost"));
	p->privacy.hide_rsvs = true;
	ask(DIAGNOSE_BOB);
	cr_expect(!has_problem("mirror"));
}

Test(state, private_data_hides_jobs_and_nodes)
{
	p->privacy.hide_jobs = true;
	ask(DIAGNOSE_BOB);
	cr_expect(json_object_array_length(member(answer, "jobs")) == 1);
	cr_expect_str_eq(node(0), "[ \"n1\", \"Busy\", null, 1, 0 ]");
	cr_expect_str_eq(node(2), "[ \"n3\", \"Busy\", 0, 1, 0 ]");
	p->privacy.hide_nodes = true;
	ask(DIAGNOSE_BOB);
	cr_expect(!member(answer, "nodes") && !has_problem("n5"));
	ask(DIAGNOSE_ADMIN);
	cr_expect(member(answer, "nodes") && has_problem("n5"));
	cr_expect(json_object_array_length(member(answer, "jobs")) == 2);
}

Test(state, without_a_plan_there_is_no_state)
{
	struct maui_document *none = maui_document_create(0, NULL);
	struct maui_query_error error = { 0 };

	cr_expect(!ask_verb(&maui_verb_state, maui_answer_state, none, 0, NULL, &error) &&
		  error.code == MAUI_QUERY_UNAVAILABLE);
	maui_document_unref(none);
}
