/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_store_rsv.c - reservations in the state file: written and read, cut off, of another
 * release */
#include "state/store/store.h"

#include <stdio.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

#define HEAD "{\"schema\": \"maui.state.v1\", \"saved\": 1, \"jobs\": []"

static char *formatted(const struct maui_store *store)
{
	struct maui_strbuf out = { 0 };
	char *text;

	maui_store_format(store, &out);
	text = maui_strbuf_steal(&out);
	cr_assert_not_null(text);
	return text;
}

static void parse(const char *text, struct maui_store *ret)
{
	struct maui_err err;

	cr_assert(maui_store_parse(text, strlen(text), ret, &err) == 0, "%s: %s", err.text, text);
}

/* Writes, reads and writes again: the text is the same. Returns what was read. */
static void there_and_back(const struct maui_store *store, struct maui_store *ret)
{
	char *text = formatted(store), *again;

	parse(text, ret);
	again = formatted(ret);
	cr_expect_str_eq(text, again);
	free(text);
	free(again);
}

/* ---- administrative reservations ---- */

static void fill(struct maui_rsv *rsv)
{
	static const struct maui_acl_entry entries[] = {
		{ .kind = MAUI_CRED_USER, .name = (char *)"ann", .affinity = 1 },
		{ .kind = MAUI_CRED_CLASS,
		  .name = (char *)"batch",
		  .affinity = -1,
		  .required = true },
		{ .kind = MAUI_CRED_GROUP, .name = (char *)"x\"\xff", .deny = true },
		{ .kind = MAUI_ACL_JOBATTR, .name = (char *)"PREEMPTEE", .xor = true },
		{ .kind = MAUI_ACL_DURATION, .value = 3600, .required = true },
		{ .kind = MAUI_ACL_TASK, .value = 4, .order = MAUI_ACL_AT_LEAST },
		{ .kind = MAUI_ACL_PROC, .value = 8, .affinity = 1 },
	};
	static struct maui_trigger triggers[] = {
		{ .event = MAUI_TRIGGER_MINLOAD,
		  .action = MAUI_TRIGGER_EXEC,
		  .offset_s = 60,
		  .threshold = 0.125,
		  .data = (char *)"/usr/bin/true" },
		{ .event = MAUI_TRIGGER_END, .action = MAUI_TRIGGER_CANCEL },
	};
	static char *features[] = { (char *)"fast", (char *)"big" };

	*rsv = (struct maui_rsv){
		.name = (char *)"test.1",
		.owner_kind = MAUI_CRED_ACCOUNT,
		.owner = (char *)"phys",
		.acl = { .list = (struct maui_acl_entry *)entries, .count = 7 },
		.flags = 1 << MAUI_RSV_BYNAME | 1 << MAUI_RSV_TIMEFLEX | 1 << MAUI_RSV_BESTEFFORT,
		.charge_account = (char *)"bio",
		.subtype = (char *)"mine",
		.shared = true,
		.priority = -4,
		.hosts = (char *)"c[1-4],d7",
		.features = { features, 2 },
		.partition = (char *)"batch",
		.task = { -1, 512, 9, 7 },
		.task_count = 4,
		.tasks_per_node = 2,
		.period = MAUI_RSV_ONCE,
		.start_s = 1763750000,
		.end_s = MAUI_NEVER,
		.days = 0x55,
		.depth = 1,
		.triggers = triggers,
		.trigger_count = 2,
		.by_user = true,
		.made_by = (char *)"ann",
		.idle_s = 900,
		.made_uid = 1001,
		.made_uid_known = true,
	};
}

/* Compares all fields, except the place in maui.cfg and the lists that are compared below. */
static void expect_same(const struct maui_rsv *a, const struct maui_rsv *b)
{
#define TEXT(f)       cr_expect(a->f && b->f && strcmp(a->f, b->f) == 0, "%s", #f)
#define NUMBER(field) cr_expect(a->field && a->field == b->field, "%s is lost, or not set", #field)
	TEXT(name);
	TEXT(owner);
	TEXT(charge_account);
	TEXT(subtype);
	TEXT(hosts);
	TEXT(partition);
	TEXT(made_by);
	NUMBER(acl.count);
	NUMBER(flags);
	NUMBER(owner_kind);
	NUMBER(shared);
	NUMBER(priority);
	NUMBER(features.count);
	NUMBER(task.procs);
	NUMBER(task.mem_mb);
	NUMBER(task.disk_mb);
	NUMBER(task.swap_mb);
	NUMBER(task_count);
	NUMBER(tasks_per_node);
	NUMBER(period);
	NUMBER(start_s);
	NUMBER(end_s);
	NUMBER(days);
	NUMBER(depth);
	NUMBER(idle_s);
	NUMBER(trigger_count);
	NUMBER(by_user);
	NUMBER(made_uid);
	NUMBER(made_uid_known);
#undef TEXT
#undef NUMBER
#ifdef __LP64__
	/* one more has to be kept, and to be compared here */
	cr_expect_eq(sizeof(*a), 280, "a new field? struct maui_rsv has %zu bytes", sizeof(*a));
#endif
}

Test(store_rsv, all_fields_are_read_back)
{
	struct maui_rsv rsv;
	struct maui_store store = { .saved_s = 1, .rsvs = &rsv, .rsv_count = 1 }, back;
	const struct maui_rsv *r;

	fill(&rsv);
	there_and_back(&store, &back);
	cr_assert_eq(back.rsv_count, 1);
	r = &back.rsvs[0];
	cr_expect_eq(r->acl.count, 7);
	cr_expect_eq(r->acl.list[1].kind, MAUI_CRED_CLASS);
	cr_expect_eq(r->acl.list[1].affinity, -1);
	cr_expect(r->acl.list[1].required && r->acl.list[2].deny && r->acl.list[3].xor);
	cr_expect_str_eq(r->acl.list[2].name, "x\"\xff");
	cr_expect_eq(r->acl.list[4].value, 3600);
	cr_expect_eq(r->acl.list[4].order, MAUI_ACL_AT_MOST);
	cr_expect_eq(r->acl.list[5].order, MAUI_ACL_AT_LEAST);
	cr_expect_eq(r->flags, rsv.flags);
	cr_expect_eq(r->owner_kind, MAUI_CRED_ACCOUNT);
	cr_expect_eq(r->priority, -4);
	cr_expect_eq(r->task.procs, -1);
	cr_expect_eq(r->features.count, 2);
	cr_expect_eq(r->end_s, MAUI_NEVER);
	cr_expect_eq(r->period, MAUI_RSV_ONCE);
	cr_expect_eq(r->triggers[0].event, MAUI_TRIGGER_MINLOAD);
	cr_expect_float_eq(r->triggers[0].threshold, 0.125, 1e-12);
	cr_expect(r->by_user && r->shared && !r->file && !r->line);
	cr_expect_str_eq(r->subtype, "mine");
	expect_same(&rsv, r);
	maui_store_finish(&back);
	maui_store_finish(&store);
}

/* A reservation that is read. */
#define GOOD                                                                                    \
	"{\"name\": \"good\", \"acl\": [], \"flags\": [], \"features\": [], \"triggers\": [], " \
	"\"period\": \"once\", \"end\": 5, \"depth\": 1, \"task\": {}, "                        \
	"\"a key of a later release\": [1, {\"x\": 2}]}"

/* Faulty records: GOOD with another value of a key; NULL: without the key. */
static const struct bad {
	const char *what, *key, *value;
} bad_rsvs[] = {
	{ "no ACL", "acl", NULL },
	{ "no list of flags", "flags", NULL },
	{ "no list of features", "features", NULL },
	{ "no list of triggers", "triggers", NULL },
	{ "no name", "name", NULL },
	{ "no period", "period", NULL },
	{ "no depth", "depth", NULL },
	{ "no task", "task", NULL },
	{ "ends before it starts", "start", "9" },
	{ "a kind of a later release", "acl", "[{\"kind\": \"planet\", \"name\": \"mars\"}]" },
	{ "an entry without a name", "acl", "[{\"kind\": \"user\"}]" },
	{ "an affinity of 9", "acl", "[{\"kind\": \"user\", \"name\": \"x\", \"affinity\": 9}]" },
	{ "an affinity that is 1 in 32 bits", "acl",
	  "[{\"kind\": \"user\", \"name\": \"x\", \"affinity\": 4294967297}]" },
	{ "a comparison of a later release", "acl",
	  "[{\"kind\": \"proc\", \"value\": 4, \"order\": 3}]" },
	{ "a comparison that is 0 in 32 bits", "acl",
	  "[{\"kind\": \"proc\", \"value\": 4, \"order\": 4294967296}]" },
	{ "a flag of a later release", "flags", "[\"WARP\"]" },
	{ "an owner of no kind", "owner_kind", "\"star\"" },
	{ "a trigger of a later release", "triggers",
	  "[{\"event\": \"dawn\", \"action\": \"exec\", \"data\": \"/x\"}]" },
	{ "a program that is none", "triggers", "[{\"event\": \"start\", \"action\": \"exec\"}]" },
	{ "a program somewhere", "triggers",
	  "[{\"event\": \"start\", \"action\": \"submit\", \"data\": \"x.sh\"}]" },
	{ "cancel of something", "triggers",
	  "[{\"event\": \"start\", \"action\": \"cancel\", \"data\": \"/x\"}]" },
	{ "a load above all", "triggers",
	  "[{\"event\": \"minload\", \"action\": \"cancel\", \"threshold\": 7}]" },
	{ "a standing one", "period", "\"day\"" },
	{ "many periods", "depth", "3000000" },
	{ "given up before it begins", "idle", "-1" },
};

/* A state with one element that is skipped, and GOOD. */
static void check_skipped(const char *what, const char *element)
{
	struct maui_store store;
	char *text;

	cr_assert(asprintf(&text, HEAD ", \"reservations\": [%s, " GOOD "]}", element) > 0);
	parse(text, &store);
	cr_expect_eq(store.rsv_count, 1, "%s", what);
	cr_expect_eq(store.skipped, 1, "%s", what);
	cr_expect_str_eq(store.rsvs[0].name, "good");
	free(text);
	text = formatted(&store);
	cr_expect_null(strstr(text, "later"), "unknown keys are not kept");
	free(text);
	maui_store_finish(&store);
}

Test(store_rsv, invalid_elements_are_skipped)
{
	check_skipped("not an object", "7");
	for (size_t i = 0; i < sizeof(bad_rsvs) / sizeof(bad_rsvs[0]); i++) {
		const struct bad *bad = &bad_rsvs[i];
		json_object *rsv = json_tokener_parse(GOOD);

		if (bad->value)
			json_object_object_add(rsv, bad->key, json_tokener_parse(bad->value));
		else
			json_object_object_del(rsv, bad->key);
		check_skipped(bad->what, json_object_to_json_string(rsv));
		json_object_put(rsv);
	}
}

/* ---- instances ---- */

static const struct nodes {
	const char *nodes, *text; /* "name*tasks name ..." and the JSON */
} nodes_rows[] = {
	{ "", "[]" },
	{ "c1", "[\"c1\"]" },
	{ "c1 c2 c3", "[\"c[1-3]\"]" },
	{ "c1*2 c2*2 c3", "[\"c[1-2]*2\", \"c3\"]" },
	{ "c9 c10", "[\"c[9-10]\"]" },
	{ "c09 c10", "[\"c[09-10]\"]" },
	{ "c9 c010", "[\"c9\", \"c010\"]" },
	{ "c99 c100 c101", "[\"c[99-101]\"]" },
	{ "c099 c100", "[\"c[099-100]\"]" },
	{ "c1 c3 c4 d5", "[\"c1\", \"c[3-4]\", \"d5\"]" },
	{ "login gpu-a gpu-b", "[\"login\", \"gpu-a\", \"gpu-b\"]" },
	{ "1 2 3", "[\"[1-3]\"]" },
	{ "c1*0", "[\"c1*0\"]" },
	{ "a1234567890123 a1234567890124", "[\"a1234[567890123-567890124]\"]" },
	{ "c2 c1", "[\"c2\", \"c1\"]" },
	{ "c1 c1", "[\"c1\", \"c1\"]" },
};

static void split_nodes(const char *text, struct maui_store_instance *ret)
{
	char *copy = strdup(text), *save = NULL;

	ret->nodes = calloc(strlen(text) + 1, sizeof(*ret->nodes));
	for (char *one = strtok_r(copy, " ", &save); one; one = strtok_r(NULL, " ", &save)) {
		char *star = strchr(one, '*');

		if (star)
			*star = '\0';
		ret->nodes[ret->node_count].name = strdup(one);
		ret->nodes[ret->node_count++].tasks = star ? atoll(star + 1) : 1;
	}
	free(copy);
}

Test(store_rsv, nodes)
{
	for (size_t i = 0; i < sizeof(nodes_rows) / sizeof(nodes_rows[0]); i++) {
		struct maui_store_instance one = { .period = { (char *)"biz", 20261122 },
						   .start_s = 5,
						   .end_s = 9,
						   .made = true };
		struct maui_store store = { .saved_s = 1, .instances = &one, .instance_count = 1 };
		struct maui_store back;
		char *text;

		split_nodes(nodes_rows[i].nodes, &one);
		text = formatted(&store);
		cr_expect(strstr(text, nodes_rows[i].text), "%s: %s", nodes_rows[i].text, text);
		free(text);
		there_and_back(&store, &back);
		cr_assert_eq(back.instance_count, 1);
		cr_assert_eq(back.instances[0].node_count, one.node_count, "%s",
			     nodes_rows[i].text);
		for (size_t n = 0; n < one.node_count; n++) {
			cr_expect_str_eq(back.instances[0].nodes[n].name, one.nodes[n].name);
			cr_expect_eq(back.instances[0].nodes[n].tasks, one.nodes[n].tasks);
			free(one.nodes[n].name);
		}
		cr_expect_eq(back.instances[0].period.day, 20261122);
		free(one.nodes);
		maui_store_finish(&back);
		maui_store_finish(&store);
	}
}

static const char *const bad_nodes[] = {
	"7",
	"[7]",
	"[\"\"]",
	"[\"c[1-\"]",
	"[\"c[1-2]*\"]",
	"[\"c[1-2]*-3\"]",
	"[\"c[2-1]\"]",
	"[\"c[1-99999999999]\"]",
	"[\"c[0-999999999]\"]",
	"[\"c[a-b]\"]",
	"[\"c[1]\"]",
	"[\"*2\"]",
};

Test(store_rsv, invalid_nodes_are_refused)
{
	for (size_t i = 0; i < sizeof(bad_nodes) / sizeof(bad_nodes[0]); i++) {
		struct maui_store store;
		char *text;

		cr_assert(asprintf(&text,
				   HEAD ", \"instances\": [{\"rsv\": \"a\", \"nodes\": %s}]}",
				   bad_nodes[i]) > 0);
		parse(text, &store);
		cr_expect_eq(store.instance_count, 0, "%s", bad_nodes[i]);
		cr_expect_eq(store.skipped, 1, "%s", bad_nodes[i]);
		free(text);
		maui_store_finish(&store);
	}
}

Test(store_rsv, a_thousand_nodes_are_short)
{
	struct maui_store_instance one = { .period = { (char *)"biz", 0 }, .end_s = MAUI_NEVER };
	struct maui_store store = { .saved_s = 1, .instances = &one, .instance_count = 1 };
	char *text;

	one.nodes = calloc(1000, sizeof(*one.nodes));
	for (; one.node_count < 1000; one.node_count++) {
		one.nodes[one.node_count].tasks = 1;
		cr_assert(asprintf(&one.nodes[one.node_count].name, "n%zu", one.node_count + 1) >
			  0);
	}
	text = formatted(&store);
	cr_expect(strlen(text) < 200, "%zu bytes", strlen(text));
	free(text);
	for (size_t i = 0; i < one.node_count; i++)
		free(one.nodes[i].name);
	free(one.nodes);
	maui_store_finish(&store);
}

/* ---- the others ---- */

Test(store_rsv, other_lists_are_read_back)
{
	uint32_t job_ids[] = { 7, UINT32_MAX };
	struct maui_store_mirror mirror = { .name = (char *)"maui.biz.20261122",
					    .id = 7,
					    .start_s = 5,
					    .end_s = 9,
					    .nodes = UINT64_MAX,
					    .administrative = true,
					    .deleted_s = 777 };
	struct maui_store_period period = { (char *)"biz", 20261122 };
	struct maui_store_released released = { period, UINT64_MAX };
	struct maui_store_record record = { .period = { (char *)"biz", 0 },
					    .account = (char *)"phys",
					    .end_s = MAUI_NEVER,
					    .from_s = 70,
					    .until_s = 77,
					    .idle_ps = INT64_MAX,
					    .all_used_ps = 3,
					    .used_procs = 9,
					    .was_used = true,
					    .job_ids = job_ids,
					    .job_id_count = 2 };
	struct maui_store_mark marks[] = { { 1, true, 0 }, { 2, false, 75 } };
	struct maui_store_trigger trigger = { .period = period,
					      .made_s = 4,
					      .start_s = 5,
					      .end_s = 9,
					      .marks = marks,
					      .mark_count = 2 };
	struct maui_store store = { .saved_s = 1,
				    .mirrors = &mirror,
				    .mirror_count = 1,
				    .released = &released,
				    .released_count = 1,
				    .records = &record,
				    .record_count = 1,
				    .triggers = &trigger,
				    .trigger_count = 1 };
	struct maui_store back;

	there_and_back(&store, &back);
	cr_assert(back.mirror_count == 1 && back.released_count == 1 && back.record_count == 1 &&
		  back.trigger_count == 1);
	cr_expect_eq(back.mirrors[0].nodes, UINT64_MAX);
	cr_expect(back.mirrors[0].administrative);
	cr_expect(back.mirrors[0].deleted_s == 777);
	cr_expect_str_eq(back.mirrors[0].name, "maui.biz.20261122");
	cr_expect(back.mirrors[0].end_s == 9 && back.mirrors[0].id == 7);
	cr_expect_str_eq(back.released[0].period.rsv, "biz");
	cr_expect(back.released[0].hash == UINT64_MAX);
	cr_expect_eq(back.records[0].idle_ps, INT64_MAX);
	cr_expect_str_eq(back.records[0].account, "phys");
	cr_expect(back.records[0].end_s == MAUI_NEVER && back.records[0].until_s == 77 &&
		  back.records[0].used_procs == 9 && back.records[0].was_used);
	cr_expect(back.records[0].job_id_count == 2 && back.records[0].job_ids[0] == 7 &&
		  back.records[0].job_ids[1] == UINT32_MAX);
	cr_expect(back.triggers[0].mark_count == 2 && back.triggers[0].marks[0].fired &&
		  back.triggers[0].marks[1].idle_since_s == 75 && back.triggers[0].end_s == 9);
	maui_store_finish(&back);
	maui_store_finish(&store);
	parse(HEAD
	      ", \"mirrors\": [{\"name\": \"x\"}, {\"id\": 4}, 3], \"released\": [{\"day\": 3}], "
	      "\"records\": [{\"rsv\": \"a\", \"from\": 3, \"until\": 2}], \"instances\": 5, "
	      "\"reservations\": {}}",
	      &back);
	cr_expect_eq(back.skipped, 5);
	cr_expect(back.mirror_count + back.released_count + back.record_count == 0);
	maui_store_finish(&back);
	parse(HEAD ", \"records\": [{\"rsv\": \"a\", \"from\": 2, \"until\": 3, "
		   "\"users\": [0, 4294967296, -1, \"x\", 5]}, "
		   "{\"rsv\": \"b\", \"from\": 2, \"until\": 3, \"users\": []}]}",
	      &back);
	cr_expect(back.record_count == 2 && back.records[0].job_id_count == 1 &&
		  back.records[0].job_ids[0] == 5 && back.records[1].job_id_count == 0);
	maui_store_finish(&back);
	parse(HEAD ", \"released\": [{\"rsv\": \"a\", \"day\": 3}, "
		   "{\"rsv\": \"a\", \"day\": 3, \"form\": \"1a\"}, "
		   "{\"rsv\": \"a\", \"day\": 4}, {\"rsv\": \"b\", \"day\": 3}]}",
	      &back);
	cr_expect(back.released_count == 3 && back.skipped == 0 && back.released[0].hash == 0x1a,
		  "of equal ones the last is kept");
	maui_store_finish(&back);
}

/* The hash depends on what the reservation asks for, not on its place in maui.cfg or its name. */
Test(store_rsv, hash)
{
	struct maui_rsv rsv, other;
	uint64_t hash;

	fill(&rsv);
	cr_assert(maui_rsv_copy(&rsv, &other) == 0);
	hash = maui_store_rsv_hash(&rsv);
	cr_expect(hash != 0 && maui_store_rsv_hash(&other) == hash);
	other.line = 77;
	cr_expect(maui_store_rsv_hash(&other) == hash);
	other.idle_s++;
	cr_expect(maui_store_rsv_hash(&other) != hash);
	other.idle_s--;
	other.acl.list[0].affinity = -other.acl.list[0].affinity;
	cr_expect(maui_store_rsv_hash(&other) != hash);
	maui_rsv_finish(&other);
}

/* A text that is cut anywhere is refused, as the rest of the state is. */
Test(store_rsv, a_cut_text_is_refused)
{
	struct maui_rsv rsv;
	struct maui_store store = { .saved_s = 1, .rsvs = &rsv, .rsv_count = 1 }, back;
	struct maui_err err;
	char *text;

	fill(&rsv);
	text = formatted(&store);
	for (size_t length = 0; length + 2 < strlen(text); length++) {
		cr_assert(maui_store_parse(text, length, &back, &err) != 0, "%zu bytes", length);
		cr_assert(!back.rsvs && back.rsv_count == 0);
	}
	free(text);
	maui_store_finish(&store);
}

/* Root's uid is 0, which differs from an unknown uid. */
Test(store_rsv, the_makers_uid_is_read_back)
{
	for (int known = 0; known < 2; known++) {
		struct maui_rsv rsv = { .name = (char *)"x.1",
					.owner_kind = -1,
					.period = MAUI_RSV_ONCE,
					.start_s = 1,
					.end_s = 2,
					.days = 0x7f,
					.depth = 1,
					.made_by = (char *)"root",
					.made_uid_known = known };
		struct maui_store store = { .saved_s = 1, .rsvs = &rsv, .rsv_count = 1 }, back;

		there_and_back(&store, &back);
		cr_assert(back.rsv_count == 1);
		cr_expect(back.rsvs[0].made_uid == 0 && back.rsvs[0].made_uid_known == known,
			  "known: %d", known);
		maui_store_finish(&back);
		maui_store_finish(&store);
	}
}

/* What is not a uid must not be taken for root's. */
Test(store_rsv, a_uid_that_is_none_is_not_known)
{
	static const char *const uids[] = { "-1", "4294967296", "\"0\"", "null", "1.5", "[]" };

	for (size_t i = 0; i < sizeof(uids) / sizeof(uids[0]); i++) {
		json_object *rsv = json_tokener_parse(GOOD);
		struct maui_store store;
		char *text;

		json_object_object_add(rsv, "made_uid", json_tokener_parse(uids[i]));
		cr_assert(asprintf(&text, HEAD ", \"reservations\": [%s]}",
				   json_object_to_json_string(rsv)) > 0);
		parse(text, &store);
		cr_assert(store.rsv_count == 1, "%s", uids[i]);
		cr_expect(!store.rsvs[0].made_uid_known, "%s", uids[i]);
		free(text);
		json_object_put(rsv);
		maui_store_finish(&store);
	}
}
