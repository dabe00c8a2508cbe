/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_saved_plan.c - a saved plan that is broken is refused with its first fault; a whole one is
 * read (testsuite/prop/prop_saved.c has the round trip)
 *
 * Rules: CMD-34.
 */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/saved_plan/saved_plan.h"

/* Two nodes of four processors, a job that runs on both, a job that waits. */
static const char whole[] =
	"{\"schema\":\"maui.snapshot.v1\",\"time\":1000,"
	"\"config\":{\"file\":\"maui.cfg\",\"text\":\"RESERVATIONDEPTH 2\\n\"},"
	"\"amounts\":[null,\"gpu\"],\"totals\":{\"procs\":8},"
	"\"partitions\":[{\"name\":\"batch\"}],"
	"\"nodes\":[{\"name\":\"n1\",\"have\":[4,0],\"partitions\":[0]},"
	"{\"id\":1,\"name\":\"n2\",\"have\":[4,1],\"partitions\":[0]}],"
	"\"credentials\":[{\"user\":\"ann\"}],\"requests\":[{\"tasks\":2},{\"tasks\":2}],"
	"\"active\":[{\"id\":5,\"start\":900,\"end\":null,"
	"\"pieces\":[{\"count\":2,\"amounts\":[1,0]}]}],"
	"\"idle\":[{\"id\":7,\"request\":1,\"limit\":60,\"procs\":2,"
	"\"rows\":[{\"partition\":0}]}],"
	"\"fairshare\":[{\"start\":900,\"interval\":100,\"total\":3,\"user\":{\"ann\":3}}]}";

/* Replaces the first `from` in `whole`; the caller frees. */
static char *changed(const char *from, const char *to)
{
	const char *at = strstr(whole, from);
	char *text;

	cr_assert(at, "%s", from);
	cr_assert(asprintf(&text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from)) > 0);
	return text;
}

Test(saved_plan, a_whole_one_is_read)
{
	struct maui_saved_plan plan;
	struct maui_err err;
	const struct maui_snapshot *s;

	cr_assert(maui_saved_plan_read(whole, strlen(whole), &plan, &err) == 0, "%s", err.text);
	s = plan.snapshot;
	cr_assert(plan.now_s == 1000);
	cr_assert_str_eq(plan.config_text, "RESERVATIONDEPTH 2\n");
	cr_assert(s->node_count == 2);
	cr_assert_str_eq(s->nodes[1].name, "n2");
	cr_assert(s->nodes[0].unit == 1);
	cr_assert_str_eq(s->amount_names[1], "gpu");
	cr_assert(s->active[0].piece_count == 2);
	cr_assert(s->active[0].pieces[1].node == 1);
	cr_assert(s->active[0].end_s == MAUI_NEVER);
	cr_assert(s->active[0].procs == 2);
	cr_assert(s->request_count == 1); /* equal requests become one */
	cr_assert(s->idle[0].request == 0);
	cr_assert(s->idle[0].copies == 1);
	cr_assert_str_eq(s->creds[s->idle[0].rows[0].creds].cred[MAUI_CRED_USER], "ann");
	cr_assert(plan.usage->count == 1);
	cr_assert(plan.usage->windows[0]->entries[0].value == 3);
	maui_saved_plan_finish(&plan);
}

/* What was read is written, and read again. */
Test(saved_plan, conditions_and_tasks_come_back)
{
	static const char more[] =
		"\"rows\":[{\"partition\":0}],\"run\":3,\"start_by\":2500,\"array_job\":9,\"first_task\":1,"
		"\"last_task\":7,\"tasks\":[1,4,7],\"count\":3,\"run_max\":2,\"begin\":2000,"
		"\"any_dependency\":true,\"dependencies\":[{\"job\":5,\"task\":2,"
		"\"kind\":\"start\",\"delay\":60},{\"job\":6,\"kind\":\"new in 2030\"}]}]";
	char *text = changed("\"rows\":[{\"partition\":0}]}]", more);

	for (int round = 0; round < 2; round++) {
		struct maui_strbuf out = { 0 };
		const struct maui_saved_waiting *w;
		struct maui_saved_plan plan;
		struct maui_err err;

		cr_assert(maui_saved_plan_read(text, strlen(text), &plan, &err) == 0, "%s",
			  err.text);
		w = &plan.waiting[0];
		cr_expect(plan.waiting_count == 1 && plan.snapshot->idle[0].run == 3);
		cr_expect(plan.snapshot->idle[0].start_by_s == 2500);
		cr_expect(w->array_job == 9 && w->array_task == UINT32_MAX && w->count == 3);
		cr_expect(w->first_task == 1 && w->last_task == 7);
		cr_expect(w->conditions.task_count == 3 && w->conditions.tasks[1] == 4);
		cr_expect(w->conditions.run_max == 2 && w->conditions.begin_s == 2000);
		cr_expect(w->conditions.dependency_count == 2 && w->conditions.any_dependency);
		cr_expect(w->conditions.dependencies[0].kind == MAUI_DEPENDENCY_START &&
			  w->conditions.dependencies[0].job == 5 &&
			  w->conditions.dependencies[0].task == 2 &&
			  w->conditions.dependencies[0].delay_s == 60);
		cr_expect(w->conditions.dependencies[1].kind == MAUI_DEPENDENCY_OTHER);
		cr_expect(plan.running[0].array_job == 0);
		maui_saved_plan_write(&plan, &out);
		free(text);
		text = maui_strbuf_steal(&out);
		maui_saved_plan_finish(&plan);
	}
	free(text);
}

Test(saved_plan, the_rules_of_a_partition_come_back)
{
	char *text = changed("{\"name\":\"batch\"}",
			     "{\"name\":\"batch\",\"down\":true,\"whole_nodes\":true,"
			     "\"sole_user\":true,\"all_memory\":true,\"mem_per_node\":7,"
			     "\"mem_per_cpu\":8,\"memory_uncounted\":true}");

	for (int round = 0; round < 2; round++) {
		struct maui_strbuf out = { 0 };
		const struct maui_partition *p;
		struct maui_saved_plan plan;
		struct maui_err err;

		cr_assert(maui_saved_plan_read(text, strlen(text), &plan, &err) == 0, "%s",
			  err.text);
		p = &plan.snapshot->partitions[0];
		cr_expect(p->down && p->whole_nodes && p->sole_user && p->all_memory);
		cr_expect(p->mem_per_node == 7 && p->mem_per_cpu == 8 && p->memory_uncounted);
		maui_saved_plan_write(&plan, &out);
		free(text);
		text = maui_strbuf_steal(&out);
		maui_saved_plan_finish(&plan);
	}
	free(text);
}

Test(saved_plan, a_broken_one_is_refused_with_its_first_fault)
{
	static const struct {
		const char *from, *to, *error;
	} cases[] = {
		{ "maui.snapshot.v1", "maui.snapshot.v9",
		  "not a saved plan: its schema is not maui.snapshot.v1" },
		{ "\"time\":1000", "\"time\":-3", "time: out of range" },
		{ "\"config\"", "\"konfig\"", "config: no maui.cfg" },
		{ "[null,\"gpu\"]", "[]", "amounts: not a list of dimensions" },
		{ "[null,\"gpu\"]", "[null]",
		  "nodes[0]: have: not one number for each of `amounts`" },
		{ "[4,0]", "[4,-1]", "nodes[0]: have: out of range" },
		{ "[4,0]", "[4,1e3]", "nodes[0]: have: not a whole number" },
		{ "\"partitions\":[0]", "\"partitions\":[1]", "nodes[0]: an index does not exist" },
		{ "\"name\":\"n1\"", "\"name\":1", "nodes[0]: name: not a text" },
		{ "\"name\":\"n1\",", "", "nodes[0]: name: absent" },
		{ "\"name\":\"n1\"", "\"name\":\"n1\",\"state\":\"broken\"",
		  "nodes[0]: state: an unknown word" },
		{ "\"id\":1", "\"id\":0", "nodes n1 and n2 have the same id 0" },
		{ "\"count\":2", "\"count\":3", "active[0]: pieces: more than there are nodes" },
		{ "\"count\":2", "\"node\":2", "active[0]: an index does not exist" },
		{ "\"request\":1", "\"request\":2", "idle[0]: request: no such request" },
		{ "\"limit\":60", "\"limit\":-1",
		  "idle[0]: a negative limit or number of processors" },
		{ "[{\"partition\":0}]", "[]", "idle[0]: an index does not exist" },
		{ "[{\"partition\":0}]", "7", "idle[0]: rows: not a list" },
		{ "[{\"partition\":0}]", "[{\"partition\":-1}]",
		  "idle[0]: partition: out of range" },
		{ "\"amounts\":[1,0]", "\"amounts\":[1]",
		  "active[0]: amounts: not one number for each of `amounts`" },
		{ "\"limit\":60", "\"limit\":60,\"count\":2,\"tasks\":[1]",
		  "idle[0]: count: not as many as there are tasks" },
		{ "[{\"partition\":0}]", "[{\"credentials\":1}]",
		  "idle[0]: credentials: no such credentials" },
		{ "{\"ann\":3}", "{\"ann\":-3}", "fairshare[0]: user: not a usage" },
		{ "\"fairshare\":[", "\"fairshare\":[4,", "fairshare[0]: not an object" },
		{ "\"interval\":100", "\"interval\":0", "fairshare[0]: interval: out of range" },
		{ "\"fairshare\"", "\"instances\":[{\"nodes\":[2],\"tasks\":[1]}],\"fairshare\"",
		  "instances[0]: nodes: not ascending indices of nodes" },
		{ "\"fairshare\"", "\"instances\":[{\"nodes\":[0,1],\"tasks\":[1]}],\"fairshare\"",
		  "instances[0]: tasks: not one for each of another list" },
		{ "\"credentials\":[",
		  "\"claims\":[{\"nodes\":[0,1],\"amounts\":[[1,0]]}],\"credentials\":[",
		  "claims[0]: amounts: not one for each of another list" },
		{ "\"credentials\":[",
		  "\"claims\":[{\"nodes\":[0],\"amounts\":[null]}],\"credentials\":[",
		  "claims[0]: amounts: not one number for each of `amounts`" },
		{ "\"fairshare\"", "\"reservations\":[{\"name\":\"x\"}],\"fairshare\"",
		  "reservations[0]: not a reservation" },
		{ "\"fairshare\"", "\"job_reservations\":[{\"partition\":1}],\"fairshare\"",
		  "job_reservations[0]: partition: no such partition" },
		{ "\"fairshare\"",
		  "\"job_reservations\":[{\"partition\":0,\"start\":null}],\"fairshare\"",
		  "job_reservations[0]: start: never" },
		{ "}]}", "", "not a saved plan: not a JSON object" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = changed(cases[i].from, cases[i].to);
		struct maui_saved_plan plan;
		struct maui_err err = { .text = "" };

		if (i + 1 == sizeof(cases) / sizeof(cases[0])) { /* cut off */
			free(text);
			text = strndup(whole, strlen(whole) - 3);
		}
		cr_expect(maui_saved_plan_read(text, strlen(text), &plan, &err) == -1);
		cr_expect_str_eq(err.text, cases[i].error);
		free(text);
	}
}
