/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_document.c - the document that commands are answered from, and who sees what of it
 *
 * Rules: CMD-9.
 */
#include "answers/document_publish.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../cmd/query-world.h"
#include "answers/answer.h"
#include "ask.h"
#include "base/limits.h"
#include "config/schema/schema.h"
#include "model/snapshot.h"
#include "verbs/reservations.h"

static struct query_world *world;
static struct maui_document *p;

static void begin(void)
{
	world = query_world_create();
	p = query_world_publish(world, false);
	cr_assert(p);
}

static void end(void)
{
	maui_document_unref(p);
	query_world_destroy(world);
}

TestSuite(document, .init = begin, .fini = end);

static const struct maui_document_rsv *row(const char *name)
{
	size_t at = maui_document_find(p, name, 0);

	cr_assert(at < p->rsv_count, "no '%s'", name);
	return &p->rsvs[at];
}

Test(document, a_reader_keeps_what_it_has)
{
	struct maui_document *reader = maui_document_ref(p);
	const struct maui_document_rsv *biz = row("biz.0");

	maui_document_unref(p);
	cr_expect(!strcmp(biz->name, "biz.0") && !strcmp(reader->nodes[3], "n4"));
	p = reader;
}

Test(document, rows_have_what_the_plan_says)
{
	const struct maui_document_rsv *biz = row("biz.0"), *job = row("17"), *idle = row("19");

	cr_expect(biz->type == MAUI_DOCUMENT_STANDING && !strcmp(biz->stable, "maui.biz.20261123"));
	cr_expect(biz->node_count == 2 && biz->tasks == 2 && biz->procs == 4 && biz->missing == 1);
	cr_expect(!strcmp(biz->acl[0], "USER==steve+") && !strcmp(biz->owner, "ACCOUNT:jupiter"));
	cr_expect(job->state == MAUI_JOB_RUNNING && job->procs == 6 &&
		  !strcmp(job->cred[0], "steve"));
	cr_expect(idle->state == MAUI_JOB_IDLE && idle->start_s == QUERY_WORLD_NOW + 90 &&
		  idle->procs == 4);
	cr_expect(row("18")->state == MAUI_JOB_SUSPENDED);
	/* a whole node is one task with all its processors */
	cr_expect(row("night.0")->tasks == 1 && row("night.0")->procs == 4);
	cr_expect(row("SYSTEM.1")->type == MAUI_DOCUMENT_SYSTEM);
	cr_expect(row("steve.1")->type == MAUI_DOCUMENT_USER);
}

Test(document, of_a_dedicated_node_all_is_reserved)
{
	static const int64_t have[] = { 8 };
	struct maui_rsv rsv = { .name = (char *)"whole",
				.owner_kind = -1,
				.task.procs = 1,
				.task_count = 1,
				.flags = UINT64_C(1) << MAUI_RSV_DEDICATEDNODE };
	struct maui_node nodes[] = { { .name = "n1", .have = have } };
	struct maui_snapshot s = { .amount_count = 1, .nodes = nodes, .node_count = 1 };
	struct maui_rsv_place places[] = { { 0, 1 }, { 77, 1 } }; /* the other is not there */
	struct maui_rsv_instance instance = { .places = places, .place_count = 2, .wanted = 1 };
	const struct maui_document_rsv *one =
		maui_document_add_instance(p, &s, &rsv, &instance, false);

	cr_assert(one);
	cr_expect(one->node_count == 1 && one->tasks == 1 && one->procs == 8, "%d",
		  (int)one->procs);
	rsv.flags = 0;
	one = maui_document_add_instance(p, &s, &rsv, &instance, false);
	cr_assert(one);
	cr_expect(one->node_count == 1 && one->procs == 1, "%d", (int)one->procs);
}

Test(document, found_by_any_of_its_names)
{
	cr_expect(row("maui.biz.20261123") == row("biz.0"));
	cr_expect(maui_document_find(p, "biz.20261123", 0) == p->rsv_count);
	cr_expect(maui_document_find(p, "maui.biz.0", 0) == p->rsv_count);
	cr_expect(maui_document_find(p, "steve", 0) == p->rsv_count, "steve.1 without its number");
	cr_expect(row("biz") == row("biz.0"));
	cr_expect(!strcmp(p->rsvs[maui_document_find(p, "biz", 4)].name, "biz.1"));
	cr_expect(maui_document_find(p, "bi", 0) == p->rsv_count);
	cr_expect(maui_document_find(p, "biz.", 0) == p->rsv_count);
	cr_expect(maui_document_find(p, "", 0) == p->rsv_count);
	cr_expect(maui_document_find(p, "1", 0) == p->rsv_count, "a job by half of its number");
}

static json_object *ask(const struct maui_reservations_args *args, uid_t uid,
			struct maui_query_error *error)
{
	return ask_verb(&maui_verb_reservations, maui_answer_reservations, p, uid, args, error);
}

/* How many reservations root is told of. */
static size_t count_rows(const struct maui_reservations_args *args)
{
	struct maui_query_error error = { 0 };
	json_object *answer = ask(args, 0, &error);
	size_t count;

	cr_assert(answer, "%s", error.err.text);
	count = json_object_array_length(json_object_object_get(answer, "reservations"));
	json_object_put(answer);
	return count;
}

/* Names of the rows that a user sees. */
static void expect_seen(uid_t uid, const char *expected)
{
	const struct maui_reservations_args all = { 0 };
	struct maui_query_error error = { 0 };
	json_object *list = ask(&all, uid, &error), *rows;
	char seen[256] = "";

	cr_assert(list && json_object_object_get_ex(list, "reservations", &rows));
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		json_object *one = json_object_array_get_idx(rows, i);

		strcat(seen, json_object_get_string(json_object_object_get(one, "name")));
		strcat(seen, " ");
	}
	cr_expect(!strcmp(seen, expected), "%u sees %s", (unsigned)uid, seen);
	json_object_put(list);
}

Test(document, a_task_of_an_array_has_the_name_that_squeue_gives_it)
{
	struct maui_document_rsv *running = (struct maui_document_rsv *)row("17");
	struct maui_document_rsv *waiting = (struct maui_document_rsv *)row("19");

	maui_document_name_task(p, running, 15, 3, MAUI_NO_TASK, MAUI_NO_TASK);
	maui_document_name_task(p, waiting, 15, MAUI_NO_TASK, 4, 9);
	cr_expect_str_eq(running->name, "15_3");
	cr_expect_str_eq(waiting->name, "15_[4-9]");
	cr_expect(row("15_3") == running && row("17") == running, "also by the number of the job");
	cr_expect(row("15") == running || row("15") == waiting, "by the number of the array");
	cr_expect(maui_document_find(p, "", 0) == p->rsv_count, "no name");
	maui_document_name_task(p, running, 0, MAUI_NO_TASK, MAUI_NO_TASK, MAUI_NO_TASK);
	cr_expect_str_eq(row("18")->name, "18");
}

Test(document, private_data_is_kept)
{
	static const uid_t admins[] = { 64030, 2001 };
	static const struct maui_coordinator coordinators[] = { { 1002, "physics" },
								{ 1003, "phys" } };

	expect_seen(1000, "17 18 19 biz.0 biz.1 night.0 SYSTEM.1 steve.1 ");
	maui_document_hide(p, true, false, admins, 2);
	expect_seen(1000, "17 biz.0 biz.1 night.0 SYSTEM.1 steve.1 ");
	expect_seen(1001, "18 19 biz.0 biz.1 night.0 SYSTEM.1 steve.1 ");
	maui_document_coordinators(p, coordinators, 2);
	expect_seen(1002, "17 18 19 biz.0 biz.1 night.0 SYSTEM.1 steve.1 ");
	expect_seen(1003, "biz.0 biz.1 night.0 SYSTEM.1 steve.1 ");
	maui_document_coordinators(p, NULL, 0);
	maui_document_hide(p, true, true, admins, 2);
	p->rsvs[p->rsv_count - 1].uid = 1000;
	expect_seen(1000, "17 steve.1 ");
	expect_seen(5, "");
	expect_seen(2001, "17 18 19 biz.0 biz.1 night.0 SYSTEM.1 steve.1 ");
	expect_seen(0, "17 18 19 biz.0 biz.1 night.0 SYSTEM.1 steve.1 ");
}

Test(document, private_data_needs_the_name_of_who_asks)
{
	const struct maui_document_user users[] = { { 7, "ann", "ann" }, { 9, NULL, "9" } };
	const uid_t admin = 5;

	cr_expect(maui_document_knows(p, 8), "nothing is hidden");
	maui_document_hide(p, false, false, &admin, 1);
	p->privacy.hide_usage = true;
	maui_document_know_users(p, users, 2);
	cr_expect(maui_document_knows(p, 7) && maui_document_knows(p, 9), "known");
	cr_expect(!p->failed && !maui_document_user_name(p, 9), "9 has no name");
	cr_expect(maui_document_knows(p, 0) && maui_document_knows(p, 5),
		  "who sees all needs no name");
	cr_expect(!maui_document_knows(p, 8), "not looked up");
}

Test(document, too_many_reservations_are_not_listed)
{
	const struct maui_document_rsv one = { .name = "u.1",
					       .type = MAUI_DOCUMENT_USER,
					       .start_s = QUERY_WORLD_NOW + 1,
					       .procs = 2 };
	const struct maui_reservations_args all = { 0 }, biz = { .name = "biz.0" },
					    summary = { .summary = true };
	struct maui_query_error error = { 0 };
	json_object *sums;

	while (p->rsv_count <= MAUI_QUERY_MAX_ROWS)
		cr_assert(maui_document_add(p, &one));
	cr_expect(!ask(&all, 0, &error) && error.code == MAUI_QUERY_ERROR);
	cr_expect_str_eq(error.err.text,
			 "more than 100000 reservations, the most that are listed: name one, "
			 "or see showres -s");
	cr_expect(count_rows(&biz) == 1);
	sums = ask(&summary, 0, &error);
	cr_expect(sums);
	cr_expect(strstr(json_object_to_json_string_ext(sums, JSON_C_TO_STRING_PLAIN),
			 "{\"type\":\"User\",\"active\":0,\"active_procs\":0,\"future\":99994,"
			 "\"future_procs\":199990}"),
		  "%s", json_object_to_json_string(sums));
	json_object_put(sums);
}

/* Whatever its text has in it. */
Test(document, a_warning_is_about_its_object)
{
	char about_biz[] = "SRCFG[biz] TPN: gets no nodes",
	     about_ann[] = "USERCFG[ann]: SRCFG[biz]", odd_name[] = "SRCFG[a]b] TPN: gets no nodes",
	     biz[] = "biz", ann[] = "ann", odd[] = "a]b";
	const struct maui_diag list[] = {
		{ .text = about_ann, .file = "maui.cfg", .kind = MAUI_FAMILY_USER, .name = ann },
		{ .text = about_biz, .file = "maui.cfg", .kind = MAUI_FAMILY_SR, .name = biz },
		{ .text = odd_name, .file = "maui.cfg", .kind = MAUI_FAMILY_SR, .name = odd },
	};
	const size_t before = p->warning_count;
	static const struct {
		const char *name;
		size_t at, next; /* of `list`; 3: none */
	} asks[] = { { "biz", 1, 3 },   { "biz.12", 1, 3 }, { "maui.biz.20261123", 1, 3 },
		     { "a]b", 2, 3 },   { "a", 3, 3 },      { "ann", 3, 3 },
		     { "biz.x", 3, 3 }, { NULL, 1, 2 } };

	for (size_t i = 0; i < 3; i++)
		maui_document_warn(p, &list[i], true);
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
		size_t at = maui_document_find_warning(p, asks[i].name, 0, before);

		cr_expect_eq(at - before, asks[i].at, "%s", asks[i].name ? asks[i].name : "any");
		cr_expect_eq(maui_document_find_warning(p, asks[i].name, 0, at + 1) - before,
			     asks[i].at == 3 ? 4 : asks[i].next);
	}
}

Test(document, too_many_nodes_are_not_listed)
{
	struct maui_document_node *nodes = calloc(MAUI_QUERY_MAX_NODES, sizeof(*nodes));
	const struct maui_document_rsv big = { .name = "big.1",
					       .type = MAUI_DOCUMENT_USER,
					       .nodes = nodes,
					       .node_count = MAUI_QUERY_MAX_NODES };
	const struct maui_reservations_args all = { 0 }, all_nodes = { .nodes = true },
					    biz = { .name = "biz.0", .nodes = true };
	struct maui_query_error error = { 0 };

	cr_assert(maui_document_add(p, &big));
	cr_expect(!ask(&all_nodes, 0, &error));
	cr_expect(strstr(error.err.text, "name a reservation"), "%s", error.err.text);
	cr_expect(count_rows(&all) == 9);
	cr_expect(count_rows(&biz) == 1);
	free(nodes);
}
