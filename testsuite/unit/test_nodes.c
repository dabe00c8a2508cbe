/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_nodes.c - what diagnose -n is told, of a saved plan
 *
 * Rules: CMD-9, CMD-33, CMD-65.
 */

#include "answers/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "diagnosed.h"
#include "model/snapshot.h"
#include "plan/finished.h"
#include "verbs/nodes.h"

TestSuite(nodes, .init = begin_diagnosed, .fini = end_diagnosed);

/* The answer, or NULL with error. */
static json_object *ask(const char *name, uid_t uid, struct maui_query_error *error)
{
	const struct maui_nodes_args args = { .name = name };

	return ask_verb(&maui_verb_nodes, maui_answer_nodes, p, uid, &args, error);
}

static int refusal(const char *name, uid_t uid)
{
	struct maui_query_error error = { 0 };

	cr_assert(!ask(name, uid, &error));
	return (int)error.code;
}

Test(nodes, more_nodes_than_an_answer_may_have_are_refused)
{
	struct maui_snapshot *s = (struct maui_snapshot *)p->plan->snapshot;
	struct maui_node *present = s->nodes;
	uint32_t present_count = s->node_count;
	struct maui_query_error error = { 0 };

	s->node_count = MAUI_QUERY_MAX_ROWS + 1;
	s->nodes = calloc(s->node_count, sizeof(*s->nodes));
	cr_assert(s->nodes);
	for (uint32_t i = 0; i < s->node_count; i++)
		s->nodes[i] = present[0];
	cr_expect(!ask(NULL, 0, &error) && error.code == MAUI_QUERY_ERROR);
	cr_expect_str_eq(error.err.text,
			 "more than 100000 nodes, the most that are listed: name one");
	free(s->nodes);
	s->nodes = present;
	s->node_count = present_count;
}

Test(nodes, a_node_has_what_jobs_leave_of_it)
{
	static const struct {
		const char *state;
		int64_t procs, mem_mb;
	} nodes[] = { { "Busy", 0, 4000 },
		      { "Busy", 0, 4000 },
		      { "Busy", 0, 4000 },
		      { "Idle", 4, 8000 },
		      { "Down", 0, 0 } };
	struct maui_query_error error = { 0 };
	json_object *result = ask(NULL, 0, &error), *list;

	cr_assert(result, "%s", error.err.text);
	list = member(result, "nodes");
	cr_assert(json_object_array_length(list) == sizeof(nodes) / sizeof(nodes[0]));
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		json_object *node = json_object_array_get_idx(list, i);

		cr_expect_str_eq(json_object_get_string(member(node, "state")), nodes[i].state);
		cr_expect(json_object_get_int64(member(node, "procs_available")) == nodes[i].procs);
		cr_expect(json_object_get_int64(member(node, "mem_mb_available")) ==
			  nodes[i].mem_mb);
		cr_expect(json_object_get_int64(member(node, "procs")) == 4);
	}
	json_object_put(result);
}

Test(nodes, private_data_keeps_nodes_for_operators)
{
	struct maui_query_error error = { 0 };

	p->privacy.hide_nodes = true;
	cr_expect(refusal(NULL, DIAGNOSE_ANN) == MAUI_QUERY_DENIED);
	json_object_put(ask("n1", DIAGNOSE_ADMIN, &error));
	cr_expect(error.code == 0);
}

Test(nodes, an_unknown_node_is_not_found)
{
	cr_expect(refusal("n9", 0) == MAUI_QUERY_NOT_FOUND);
}

/* Whether something of this name has processors of the node, as the user sees it. */
static bool has(const char *node, const char *name, uid_t uid)
{
	struct maui_query_error error = { 0 };
	json_object *result = ask(node, uid, &error), *list;
	bool found = false;

	cr_assert(result, "%s", error.err.text);
	list = member(json_object_array_get_idx(member(result, "nodes"), 0), "reserved");
	for (size_t i = 0; i < json_object_array_length(list); i++)
		found |= strcmp(json_object_get_string(
					member(json_object_array_get_idx(list, i), "name")),
				name) == 0;
	json_object_put(result);
	return found;
}

Test(nodes, private_data_hides_who_holds_a_node)
{
	cr_expect(has("n1", "101", DIAGNOSE_BOB) && has("n1", "203", DIAGNOSE_BOB));
	cr_expect(has("n5", "maint", DIAGNOSE_BOB));
	p->privacy.hide_jobs = p->privacy.hide_rsvs = true;
	cr_expect(!has("n1", "101", DIAGNOSE_BOB) && has("n1", "101", DIAGNOSE_ANN));
	cr_expect(!has("n1", "203", DIAGNOSE_BOB));
	cr_expect(!has("n5", "maint", DIAGNOSE_BOB), "Slurm's own");
	cr_expect(has("n1", "101", DIAGNOSE_ADMIN) && has("n5", "maint", DIAGNOSE_ADMIN));
}
