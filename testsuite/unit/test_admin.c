/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_admin.c - how requests of setres and releaseres change the list of reservations
 *
 * Rules: RSV-20, RSV-21, RSV-31.
 */
#include "admin/admin.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmd/query-world.h"
#include "admin/hosts.h"
#include "answers/answer.h"
#include "answers/document_publish.h"
#include "answers/rsv_text.h"
#include "base/limits.h"
#include "config/rsv_attributes.h"

#define NOW   QUERY_WORLD_NOW
#define HOSTS "\"attributes\": {\"HOSTLIST\": \"n1\"}"
/* for users, whose reservations need an end */
#define TEN_MINUTES "\"duration\": 600, "

static struct maui_config *config;
static struct maui_admin admin;
static struct maui_query_error error;
static char *warning;
static const struct maui_rights root = { .admin = true, .name = "root" };
static const struct maui_rights steve = { .uid = 1000, .name = "steve", .any_creates = true };

static void begin(void)
{
	static const char text[] = "SRCFG[biz] TASKCOUNT=2 USERLIST=amy OWNER=USER:steve\n"
				   "SRCFG[jupiter] HOSTLIST=n1 ACCOUNTLIST=jupiter\n"
				   "RESCTLMAXCOUNT 3\n";
	struct maui_diags diags = { 0 };

	config = maui_config_parse("maui.cfg", text, sizeof(text) - 1, NULL, &diags);
	cr_assert(config);
	maui_diags_finish(&diags);
}

static void end(void)
{
	query_world_admin_finish(&admin);
	maui_config_unref(config);
	free(warning);
}

TestSuite(admin, .init = begin, .fini = end);

static int set_args(const struct maui_rights *who, const struct maui_setres_args *args,
		    size_t *ret_index, bool *ret_created)
{
	free(warning);
	return maui_admin_set(&admin, who, config, args, NOW, ret_index, ret_created, &warning,
			      &error);
}

/* The reservation made or changed; NULL with error. */
static struct maui_rsv *set_as(const struct maui_rights *who, const char *text, bool *ret_created)
{
	json_object *object = json_tokener_parse(text);
	size_t index, count = admin.count;
	struct maui_arena arena = { 0 };
	const void *args;
	int rc;

	cr_assert(object, "%s", text);
	free(warning);
	warning = NULL;
	rc = maui_answer_args(&maui_verb_setres, object, &arena, &args, &error);
	if (rc == 0)
		rc = set_args(who, args, &index, ret_created);
	maui_arena_finish(&arena);
	json_object_put(object);
	if (rc == 0)
		return &admin.list[index];
	cr_expect(admin.count == count && !warning && *error.err.text, "%s", text);
	return NULL;
}

static struct maui_rsv *set(const char *text)
{
	bool created;

	return set_as(&root, text, &created);
}

static void expect_refused(const struct maui_rights *who, const char *text,
			   enum maui_query_code code, const char *says)
{
	bool created;

	cr_expect(!set_as(who, text, &created), "%s: accepted", text);
	cr_expect(error.code == code && strstr(error.err.text, says), "%s: %d '%s'", text,
		  (int)error.code, error.err.text);
}

Test(admin, defaults)
{
	struct maui_rsv *rsv = set("{" HOSTS "}");

	cr_assert(rsv, "%s", error.err.text);
	cr_expect(!strcmp(rsv->name, "SYSTEM.1") && rsv->acl.count == 0);
	cr_expect(rsv->start_s == NOW && rsv->end_s == MAUI_NEVER && rsv->period == MAUI_RSV_ONCE);
	cr_expect(rsv->task.procs == -1 && rsv->task_count == 0 && !strcmp(rsv->hosts, "n1"));
	cr_expect(rsv->shared && !rsv->by_user && !strcmp(rsv->made_by, "root"));
	cr_expect(rsv->owner_kind == -1 && !warning);
}

Test(admin, attributes_are_those_of_srcfg)
{
	struct maui_rsv *rsv = set(
		"{\"start\": 1795430000, \"duration\": 600, \"attributes\": {"
		"\"USERLIST\": \"steve:amy-:!bob\", \"GROUPLIST\": \"staff*\","
		"\"RESOURCES\": \"PROCS=2;MEM=512\", \"TASKCOUNT\": \"6\", \"TPN\": \"2\","
		"\"FLAGS\": \"BYNAME:SPACEFLEX\", \"OWNER\": \"ACCOUNT:Physics\","
		"\"CHARGEACCOUNT\": \"physics\", \"NODEFEATURES\": \"big,fast\","
		"\"PARTITION\": \"main\", \"ACCESS\": \"DEDICATED\", \"TIMELIMIT\": \"1:00:00*\","
		"\"TRIGGER\": \"start;exec@/bin/true\"}}");

	cr_assert(rsv, "%s", error.err.text);
	cr_expect(!strcmp(rsv->name, "steve.1"));
	cr_expect(rsv->start_s == 1795430000 && rsv->end_s == 1795430600);
	cr_expect(rsv->acl.count == 5 && rsv->acl.list[1].affinity < 0 && rsv->acl.list[2].deny);
	cr_expect(rsv->task.procs == 2 && rsv->task.mem_mb == 512 && rsv->task_count == 6 &&
		  rsv->tasks_per_node == 2);
	cr_expect(maui_rsv_has(rsv, MAUI_RSV_BYNAME) && maui_rsv_has(rsv, MAUI_RSV_SPACEFLEX));
	cr_expect(rsv->owner_kind == MAUI_CRED_ACCOUNT && rsv->features.count == 2);
	cr_expect(!rsv->shared && !strcmp(rsv->partition, "main") && rsv->trigger_count == 1);
	cr_expect(!rsv->hosts, "a number of tasks is anywhere");
}

/* Names from a directory: quotes as in maui.cfg. What is shown of a name cannot be taken for
 * another entry. */
Test(admin, names_with_blanks)
{
	static const struct {
		const char *list, *acl;
	} rows[] = {
		{ "\\\"domain users\\\",staff", "GROUP==\"domain users\"+ GROUP==staff+ " },
		{ "LAB\\\\ann-:dom\u00e4nen", "GROUP==LAB\\ann- GROUP==dom\u00e4nen+ " },
		{ "\\\"LAB\\\\a b\\\"", "GROUP==\"LAB\\a b\"+ " },
		{ "\\\"a+ GROUP==root\\\"", "GROUP==\"a+ GROUP==root\"+ " },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct maui_arena arena = { 0 };
		char text[512], got[256] = "";
		const char *const *acl;
		struct maui_rsv *rsv;

		snprintf(text, sizeof(text),
			 "{\"attributes\": {\"HOSTLIST\": \"n1\", \"GROUPLIST\": \"%s\"}}",
			 rows[i].list);
		rsv = set(text);
		cr_assert(rsv, "%s: %s", text, error.err.text);
		acl = maui_rsv_text_acl(rsv, &arena);
		for (size_t e = 0; e < rsv->acl.count; e++)
			snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s ", acl[e]);
		cr_expect(strcmp(got, rows[i].acl) == 0, "%s: got %s", text, got);
		maui_arena_finish(&arena);
	}
}

/* The nodes of a range that do not exist are named. */
Test(admin, a_range_with_missing_nodes)
{
	static const char *nodes[] = { "n1", "n2", "r1n7", "r1n8" };
	static const struct maui_admin_nodes known = { nodes, 4 };

	cr_expect(maui_admin_hosts(known, "n[1-4]", false, &warning, &error) == -1);
	cr_expect_str_eq(error.err.text, "no node n[3-4]: BESTEFFORT takes the others");
	free(warning);
	warning = NULL;
	cr_expect(maui_admin_hosts(known, "n[1-4]", true, &warning, &error) == 0);
	cr_expect_str_eq(warning, "HOSTLIST: no node n[3-4]");
	cr_expect(maui_admin_hosts(known, "n[7-10]", true, &warning, &error) == -1);
	cr_expect_str_eq(error.err.text, "no node is named or matches 'n[7-10]'");
	free(warning);
	warning = NULL;
	/* single digits without any node: an expression */
	cr_expect(maui_admin_hosts(known, "n[7-8]", false, &warning, &error) == 0);
	cr_expect(strstr(warning, "is a range without any node, and read as a regular"));
	free(warning);
	warning = NULL;
	cr_expect(maui_admin_hosts(known, "r[0-9]n[0-9]", false, &warning, &error) == 0);
	cr_expect(!warning);
}

Test(admin, an_owner_with_a_blank)
{
	struct maui_rsv *rsv = set("{\"attributes\": {\"HOSTLIST\": \"n1\", "
				   "\"OWNER\": \"GROUP:domain users\"}}");
	struct maui_arena arena = { 0 };

	cr_assert(rsv, "%s", error.err.text);
	cr_expect_str_eq(rsv->owner, "domain users");
	cr_expect_str_eq(maui_rsv_text_owner(rsv, &arena), "GROUP:\"domain users\"");
	maui_arena_finish(&arena);
}

Test(admin, names)
{
	cr_expect(!strcmp(set("{" HOSTS "}")->name, "SYSTEM.1"));
	cr_expect(!strcmp(set("{" HOSTS "}")->name, "SYSTEM.2"));
	query_world_admin_remove(&admin, 0);
	cr_expect(!strcmp(set("{" HOSTS "}")->name, "SYSTEM.1"), "the lowest that is free");
	cr_expect(!strcmp(set("{\"name\": \"maint\", " HOSTS "}")->name, "maint.1"));
	/* the first name of the access list, unless a standing reservation has it */
	cr_expect(!strcmp(
		set("{\"attributes\": {\"HOSTLIST\": \"n1\", \"GROUPLIST\": \"!g:h\"}}")->name,
		"h.1"));
	cr_expect(!strcmp(
		set("{\"attributes\": {\"HOSTLIST\": \"n1\", \"ACCOUNTLIST\": \"jupiter\"}}")->name,
		"jupiter-setres.1"));
	cr_expect(!strcmp(
		set("{\"attributes\": {\"HOSTLIST\": \"n1\", \"USERLIST\": \"a/b@c\"}}")->name,
		"a_b_c.1"));
	expect_refused(&root, "{\"name\": \"biz\", " HOSTS "}", MAUI_QUERY_BAD,
		       "a standing reservation of maui.cfg");
	expect_refused(&root, "{\"name\": \"\", " HOSTS "}", MAUI_QUERY_BAD,
		       "cannot name a reservation");
	expect_refused(&root, "{\"name\": \"a b\", " HOSTS "}", MAUI_QUERY_BAD,
		       "cannot name a reservation");
	expect_refused(&root, "{\"name\": \"../x\", " HOSTS "}", MAUI_QUERY_BAD,
		       "cannot name a reservation");
	expect_refused(&root, "{\"name\": 7, " HOSTS "}", MAUI_QUERY_BAD, "text");
}

Test(admin, names_that_mean_something_else)
{
	static const char *const instances[] = { "biz.0", "biz.7", "maui.biz.20261122" };
	static const char *const odd[] = { ".", "-1", ".x", "-n" };
	char text[128];

	for (size_t i = 0; i < sizeof(instances) / sizeof(instances[0]); i++) {
		snprintf(text, sizeof(text), "{\"name\": \"%s\", " HOSTS "}", instances[i]);
		expect_refused(&root, text, MAUI_QUERY_BAD, "name a new one without a number");
	}
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		snprintf(text, sizeof(text), "{\"name\": \"%s\", " HOSTS "}", odd[i]);
		expect_refused(&root, text, MAUI_QUERY_BAD, "cannot name a reservation");
	}
	expect_refused(&root, "{\"name\": \"nosuch.5\", " HOSTS "}", MAUI_QUERY_BAD,
		       "no reservation 'nosuch.5' to change");
	cr_expect(!strcmp(set("{\"name\": \"biz.a\", " HOSTS "}")->name, "biz.a.1"));
	cr_expect(!strcmp(set("{\"name\": \"v1.2-x\", " HOSTS "}")->name, "v1.2-x.1"));
}

Test(admin, an_unknown_name_to_change)
{
	static const char says[] = "no reservation 'win' to change (showres has the names, with "
				   "their numbers); for a new one give ALL, TASKS==N or hosts";

	expect_refused(&root, "{\"name\": \"win\", \"duration\": 600}", MAUI_QUERY_BAD, says);
	expect_refused(&root, "{\"name\": \"win\", \"attributes\": {\"USERLIST\": \"amy\"}}",
		       MAUI_QUERY_BAD, says);
	expect_refused(&root, "{\"name\": \"win.2\", \"duration\": 600}", MAUI_QUERY_BAD,
		       "no reservation 'win.2' to change");
	expect_refused(&root, "{\"name\": \"biz.0\", \"duration\": 600}", MAUI_QUERY_BAD,
		       "no reservation 'biz.0' to change");
	cr_assert(set("{\"name\": \"win\", " HOSTS "}"));
	expect_refused(&steve, "{\"name\": \"win\", \"duration\": 600}", MAUI_QUERY_BAD, says);
	expect_refused(&steve, "{\"name\": \"win.1\", \"duration\": 600}", MAUI_QUERY_DENIED,
		       "'win.1' is not yours to change");
}

Test(admin, a_long_credential_makes_a_short_name)
{
	char text[1200], name[700];
	struct maui_rsv *rsv;

	memset(name, 'u', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text),
		 "{\"attributes\": {\"HOSTLIST\": \"n1\", \"USERLIST\": \"%s\"}}", name);
	rsv = set(text);
	cr_assert(rsv, "%s", error.err.text);
	cr_expect(strlen(rsv->name) < 64, "%zu", strlen(rsv->name));
}

Test(admin, an_existing_name_is_changed_in_place)
{
	struct maui_rsv *rsv = set("{\"name\": \"maint\", \"end\": 1795500000, \"attributes\": {"
				   "\"HOSTLIST\": \"n1\", \"USERLIST\": \"amy:bob\","
				   "\"GROUPLIST\": \"staff\", \"OWNER\": \"USER:amy\"}}");
	bool created = true;

	cr_assert(rsv, "%s", error.err.text);
	rsv = set_as(&root, "{\"name\": \"maint.1\", \"attributes\": {\"USERLIST\": \"carl-\"}}",
		     &created);
	cr_assert(rsv && !created && admin.count == 1, "%s", error.err.text);
	cr_expect(rsv->acl.count == 2 && !strcmp(rsv->acl.list[0].name, "staff") &&
		  !strcmp(rsv->acl.list[1].name, "carl"));
	cr_expect(rsv->end_s == 1795500000 && !strcmp(rsv->owner, "amy") &&
		  !strcmp(rsv->hosts, "n1"));
	/* times; an empty list is none */
	rsv = set("{\"name\": \"maint.1\", \"end\": null, \"attributes\": {\"GROUPLIST\": \"\","
		  "\"OWNER\": \"\", \"TASKCOUNT\": \"2\"}}");
	cr_assert(rsv && admin.count == 1, "%s", error.err.text);
	cr_expect(rsv->end_s == MAUI_NEVER && rsv->acl.count == 1 && !rsv->owner &&
		  rsv->owner_kind == -1);
	cr_expect(rsv->task_count == 2 && !rsv->hosts, "2 tasks anywhere");
	rsv = set(
		"{\"name\": \"maint.1\", \"attributes\": {\"HOSTLIST\": [], \"TASKCOUNT\": [\"3\"]}}");
	cr_assert(rsv && rsv->task_count == 3 && !rsv->hosts, "an empty list is no ALL");
	rsv = set("{\"name\": \"maint.1\", \"start\": 1795430000, \"duration\": 60}");
	cr_assert(rsv && rsv->start_s == 1795430000 && rsv->end_s == 1795430060);
	/* refused: nothing has changed */
	expect_refused(&root,
		       "{\"name\": \"maint.1\", \"end\": 1, \"attributes\": {\"USERLIST\": \"x\"}}",
		       MAUI_QUERY_BAD, "before it begins");
	cr_expect(!strcmp(admin.list[0].acl.list[0].name, "carl"));
}

Test(admin, attributes_that_a_reservation_by_command_has_not)
{
	static const char *const names[] = {
		"DAYS",      "DEPTH",    "ENDTIME",    "EPILOG",   "PERIOD", "PROLOG", "STARTTIME",
		"TIMELOGIC", "WENDTIME", "WSTARTTIME", "hostlist", "NOSUCH", "",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct maui_rsv_attribute list[] = { { "HOSTLIST", "n1" }, { names[i], "" } };
		struct maui_rsv rsv = { .start_s = NOW, .end_s = NOW + 1, .days = 1, .depth = 1 };
		struct maui_diags diags = { 0 };

		cr_expect(maui_rsv_set_attributes(&rsv, list, 2, &diags) == -1, "%s", names[i]);
		cr_expect(diags.count == 1 && strstr(diags.list[0].text, " is not an attribute"),
			  "%s", names[i]);
		cr_expect(!rsv.hosts && rsv.start_s == NOW && rsv.end_s == NOW + 1 &&
				  rsv.days == 1 && rsv.depth == 1,
			  "%s: it has changed", names[i]);
		maui_diags_finish(&diags);
	}
}

/* The request of a hostile user: were each value compared with those before it, it would keep the
 * thread of the commands for minutes. */
Test(admin, many_values_of_one_attribute)
{
	enum { MANY = 400000 };
	struct maui_label *list = calloc(MANY, sizeof(*list));
	struct maui_setres_args args = { .attributes = list, .attributes_count = MANY };
	bool created;
	size_t at;

	cr_assert(list);
	for (size_t i = 0; i < MANY; i++)
		list[i] = (struct maui_label){ "TPN", i + 1 < MANY ? "1" : "2" };
	list[0] = (struct maui_label){ "HOSTLIST", "n1" };
	cr_assert(set_args(&root, &args, &at, &created) == 0, "%s", error.err.text);
	cr_expect(admin.list[at].tasks_per_node == 2, "%lld",
		  (long long)admin.list[at].tasks_per_node);
	free(list);
}

Test(admin, a_name_without_its_number_changes_nothing)
{
	cr_assert(set("{" HOSTS "}") && set("{" HOSTS "}"));
	expect_refused(&root, "{\"name\": \"SYSTEM\"}", MAUI_QUERY_BAD,
		       "no reservation 'SYSTEM' to change");
	cr_expect(set("{\"name\": \"SYSTEM.2\", \"end\": 1795500000}") == &admin.list[1]);
}

Test(admin, malformed_requests)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "{}", "which resources" },
		{ "{\"attributes\": {}}", "which resources" },
		{ "{\"attributes\": []}", "attributes: not an object" },
		{ "{\"attributes\": {\"HOSTLIST\": 7}}", "HOSTLIST: not a text" },
		{ "{\"attributes\": {\"HOSTLIST\": \"\"}}", "which resources" },
		{ "{\"attributes\": {\"HOSTLIST\": []}}", "which resources" },
		{ "{\"attributes\": {\"HOSTLIST\": [\"\"]}}", "which resources" },
		{ "{\"attributes\": {\"HOSTLIST\": [], \"TASKCOUNT\": []}}", "which resources" },
		{ "{\"attributes\": {\"HOSTLIST\": {}}}", "HOSTLIST: not a text" },
		{ "{\"attributes\": {\"HOSTLIST\": [[]]}}", "HOSTLIST: not a text" },
		{ "{\"attributes\": {\"HOSTLIST\": [null]}}", "HOSTLIST: not a text" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"SUBTYPE\": [[]]}}",
		  "SUBTYPE: not a text" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"SUBTYPE\": null}}",
		  "SUBTYPE: not a text" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"NOSUCH\": []}}",
		  "NOSUCH is not an attr" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"FLAGS\": \"BYNAM\"}}", "got 'BYNAM'" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"PERIOD\": \"DAY\"}}",
		  "PERIOD is not an attr" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"DEPTH\": \"9\"}}",
		  "DEPTH is not an attr" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"NOSUCH\": \"9\"}}",
		  "NOSUCH is not an attr" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"hostlist\": \"n2\"}}", "not an attr" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1 FLAGS=FORCE\"}}", "no blanks" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\\nADMIN1 steve\"}}", "no blanks" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1#\"}}", "no blanks" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\\\\\"}}", "no blanks" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"FLAGS\": \"\\\"FORCE\\\"\"}}",
		  "no blanks" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"USERLIST\": \"a\\nADMIN1 a\"}}",
		  "USERLIST: a name has no control" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"OWNER\": \"USER:\\u202e\"}}",
		  "OWNER: a name has no control" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"GROUPLIST\": \"\\\"a b\"}}",
		  "GROUPLIST: a quote" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n\\u00001\"}}", "not a text" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n\\u009b1\"}}", "no blanks" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n\\u202e1\"}}", "no blanks" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"RESOURCES\": \"PROCS=x\"}}", "PROCS" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n1\", \"OWNER\": \"amy\"}}", "OWNER" },
		{ "{\"attributes\": {\"TASKCOUNT\": \"many\"}}", "TASKCOUNT" },
		{ "{\"attributes\": {\"HOSTLIST\": \"n[1\"}}", "" },
		{ "{\"start\": 2000, \"end\": 1000, " HOSTS "}", "before it begins" },
		{ "{\"start\": 2000, \"end\": 2000, " HOSTS "}", "before it begins" },
		{ "{\"start\": 2000, \"duration\": -1, " HOSTS "}", "before it begins" },
		{ "{\"start\": -5, " HOSTS "}", "before it begins" },
		{ "{\"start\": 2000, \"end\": 3000, " HOSTS "}", "over already" },
		{ "{\"start\": 4611686018427387904, " HOSTS "}", "out of range" },
		{ "{\"start\": 32503680000, " HOSTS "}", "10 years" },
		{ "{\"end\": 32503680000, " HOSTS "}", "10 years" },
		{ "{\"start\": \"now\", " HOSTS "}", "whole number" },
		{ "{\"end\": 1e20, " HOSTS "}", "whole number" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_refused(&root, rows[i].text, MAUI_QUERY_BAD, rows[i].says);
	cr_expect(admin.count == 0);
}

Test(admin, time_does_not_overflow)
{
	const struct maui_label hosts[] = { { "HOSTLIST", "n1" } };
	const struct maui_setres_args args = { .start = 1795430000,
					       .duration = INT64_MAX,
					       .attributes = hosts,
					       .attributes_count = 1 };
	size_t index;
	bool created;

	cr_assert(set_args(&root, &args, &index, &created) == 0, "%s", error.err.text);
	cr_expect(admin.list[index].end_s == MAUI_NEVER);
}

Test(admin, users_under_any)
{
	const struct maui_rights steve_alone = { .uid = 1000, .name = "steve" };
	const struct maui_rights amy = { .uid = 1001, .name = "amy", .any_creates = true };
	struct maui_rsv *rsv;
	bool created;

	expect_refused(&steve_alone, "{" HOSTS "}", MAUI_QUERY_DENIED, "administrators");
	rsv = set_as(&steve, "{\"name\": \"mine\", " TEN_MINUTES HOSTS "}", &created);
	cr_assert(rsv && created && rsv->by_user && !strcmp(rsv->made_by, "steve"));
	cr_expect(rsv->made_uid == 1000 && rsv->made_uid_known);
	expect_refused(&amy, "{\"name\": \"mine.1\", \"end\": 1795500000}", MAUI_QUERY_DENIED,
		       "not yours");
	expect_refused(&steve,
		       "{\"name\": \"mine.1\", \"attributes\": {\"TRIGGER\": "
		       "\"start;exec@/bin/true\"}}",
		       MAUI_QUERY_DENIED, "cannot run programs");
	/* nor may an administrator add it for the user */
	expect_refused(&root,
		       "{\"name\": \"mine.1\", \"attributes\": {\"TRIGGER\": "
		       "\"start;exec@/bin/true\"}}",
		       MAUI_QUERY_DENIED, "cannot run programs");
	cr_expect(admin.list[0].trigger_count == 0);
	rsv = set_as(&steve, "{\"name\": \"mine.1\", \"attributes\": {\"OWNER\": \"USER:steve\"}}",
		     &created);
	cr_expect(rsv && !created && !strcmp(rsv->owner, "steve"));
	set("{\"name\": \"roots\", " HOSTS "}");
	expect_refused(&steve, "{\"name\": \"roots.1\", \"end\": 1795500000}", MAUI_QUERY_DENIED,
		       "not yours");
}

Test(admin, the_same_name_again_gets_the_next_number)
{
	const struct maui_rights amy = { .uid = 1001, .name = "amy", .any_creates = true };
	struct maui_rsv *rsv;
	bool created;

	cr_assert(set_as(&steve, "{\"name\": \"test\", " TEN_MINUTES HOSTS "}", &created));
	rsv = set_as(&amy, "{\"name\": \"test\", " TEN_MINUTES HOSTS "}", &created);
	cr_assert(rsv && created && !strcmp(rsv->name, "test.2"), "%s", error.err.text);
	rsv = set_as(&amy, "{\"name\": \"test.2\", \"end\": 1795500000}", &created);
	cr_assert(rsv && !created && !strcmp(rsv->name, "test.2"), "%s", error.err.text);
	expect_refused(&amy, "{\"name\": \"test.1\", \"end\": 1795500000}", MAUI_QUERY_DENIED,
		       "'test.1' is not yours to change");
}

Test(admin, a_users_reservation_has_no_rank)
{
	bool created;

	expect_refused(&steve, "{\"attributes\": {\"HOSTLIST\": \"n1\", \"PRIORITY\": \"5\"}}",
		       MAUI_QUERY_DENIED, "PRIORITY");
	cr_assert(set_as(&steve, "{\"name\": \"mine\", " TEN_MINUTES HOSTS "}", &created));
	expect_refused(&steve, "{\"name\": \"mine.1\", \"attributes\": {\"PRIORITY\": \"5\"}}",
		       MAUI_QUERY_DENIED, "PRIORITY");
	cr_expect(set("{\"name\": \"mine.1\", \"attributes\": {\"PRIORITY\": \"5\"}}")->priority ==
		  5);
	cr_assert(set_as(&steve, "{\"name\": \"mine.1\", \"end\": 1795500000}", &created));
}

/* A user made the reservation as ADMIN1 and is on no list now. */
Test(admin, a_former_administrator)
{
	const struct maui_rights first = { .uid = 1001, .name = "ann", .admin = true };
	const struct maui_rights user = { .uid = 1001, .name = "ann", .any_creates = true };
	static const char runs[] = "{\"name\": \"plain.1\", \"attributes\": {\"TRIGGER\": "
				   "\"start;exec@/tmp/evil\"}}";
	struct maui_rsv *rsv;
	bool created;

	cr_assert(set_as(&first, "{\"name\": \"plain\", " HOSTS "}", &created));
	cr_assert(set_as(&first,
			 "{\"name\": \"has\", \"attributes\": {\"HOSTLIST\": \"n1\", "
			 "\"TRIGGER\": \"start;exec@/bin/true\"}}",
			 &created));
	expect_refused(&user, runs, MAUI_QUERY_DENIED, "cannot run programs");
	expect_refused(&user, "{\"name\": \"has.1\", \"duration\": 60}", MAUI_QUERY_DENIED,
		       "cannot run programs");
	cr_expect(admin.list[0].trigger_count == 0);
	rsv = set_as(&user, "{\"name\": \"plain.1\", \"duration\": 60}", &created);
	cr_expect(rsv && rsv->by_user, "a user's hands were on it");
	expect_refused(&first, runs, MAUI_QUERY_DENIED, "cannot run programs");
}

/* RESCTLMAXCOUNT 3, and one day, seven days ahead unless set */
Test(admin, a_users_reservations_are_bounded)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "{" HOSTS "}", "needs an end, at most 1:00:00:00 after its start" },
		{ "{\"duration\": 86401, " HOSTS "}",
		  "may last 1:00:00:00 (RESCTLMAXTIME), and this one lasts 1:00:00:01" },
		{ "{\"start\": 1796100000, \"duration\": 60, " HOSTS "}",
		  "may begin 7:00:00:00 ahead (RESCTLMAXAHEAD)" },
	};
	struct maui_rsv *rsv;
	bool created;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_refused(&steve, rows[i].text, MAUI_QUERY_DENIED, rows[i].says);
	for (int i = 0; i < 3; i++)
		cr_assert(set_as(&steve, "{\"duration\": 86400, " HOSTS "}", &created));
	expect_refused(&steve, "{" TEN_MINUTES HOSTS "}", MAUI_QUERY_DENIED,
		       "you may have 3 reservations (RESCTLMAXCOUNT) and have 3");
	expect_refused(&steve, "{\"name\": \"steve.99\", \"duration\": 600}", MAUI_QUERY_BAD,
		       "no reservation 'steve.99' to change");
	cr_expect(set("{" HOSTS "}"), "an administrator");
	expect_refused(&steve, "{\"name\": \"steve.1\", \"duration\": 86401}", MAUI_QUERY_DENIED,
		       "RESCTLMAXTIME");
	expect_refused(&steve, "{\"name\": \"steve.1\", \"end\": null}", MAUI_QUERY_DENIED,
		       "needs an end");
	rsv = set_as(&root, "{\"name\": \"steve.1\", \"duration\": 86401}", &created);
	cr_expect(rsv, "an administrator may: %s", error.err.text);
}

Test(admin, a_users_reservation_admits_the_user)
{
	struct maui_rsv *rsv;
	bool created;

	rsv = set_as(&steve, "{" TEN_MINUTES HOSTS "}", &created);
	cr_assert(rsv && rsv->acl.count == 1 && !strcmp(rsv->acl.list[0].name, "steve"));
	cr_expect_str_eq(rsv->name, "steve.1");
	rsv = set_as(&steve,
		     "{" TEN_MINUTES "\"attributes\": {\"HOSTLIST\": \"n1\", \"USERLIST\": "
		     "\"amy:!steve\"}}",
		     &created);
	cr_assert(rsv && rsv->acl.count == 2 && !strcmp(rsv->acl.list[1].name, "steve") &&
		  !rsv->acl.list[1].deny);
	rsv = set_as(&steve, "{\"name\": \"steve.1\", \"attributes\": {\"USERLIST\": \"\"}}",
		     &created);
	cr_assert(rsv && rsv->acl.count == 1 && !strcmp(rsv->acl.list[0].name, "steve"),
		  "the user's own entry cannot be taken away");
}

/* With PrivateData=reservations a name that exists is answered like one that does not. */
Test(admin, hidden_reservations_do_not_exist)
{
	struct maui_document *p = maui_document_create(NOW, "c");
	struct maui_release release;
	struct maui_rsv *rsv;
	bool created;

	maui_document_hide(p, false, true, NULL, 0);
	cr_assert(set("{\"name\": \"secret\", " HOSTS "}"));
	admin.published = p;
	expect_refused(&steve, "{\"name\": \"secret.1\", \"duration\": 60}", MAUI_QUERY_BAD,
		       "no reservation 'secret.1' to change");
	expect_refused(&steve, "{\"name\": \"secret.2\", \"duration\": 60}", MAUI_QUERY_BAD,
		       "no reservation 'secret.2' to change");
	cr_expect(maui_admin_release(&admin, &steve, config, "secret.1", &release, &error) == -1 &&
		  error.code == MAUI_QUERY_NOT_FOUND);
	rsv = set_as(&steve,
		     "{\"name\": \"mine\", " TEN_MINUTES "\"attributes\": {\"TASKCOUNT\": \"1\"}}",
		     &created);
	cr_assert(rsv, "%s", error.err.text);
	cr_expect(maui_admin_release(&admin, &steve, config, "mine.1", &release, &error) == 0);
	cr_expect(maui_admin_release(&admin, &root, config, "secret.1", &release, &error) == 0);
	admin.published = NULL;
	maui_document_unref(p);
}

static enum maui_query_code release_as(const struct maui_rights *who, const char *name,
				       struct maui_release *ret)
{
	struct query_world *world = query_world_create();
	struct maui_document *p = query_world_publish(world, false);
	int rc;

	admin.published = p;
	rc = maui_admin_release(&admin, who, config, name, ret, &error);
	admin.published = NULL;
	/* from the document only while there is one */
	if (rc == 0 && ret->kind != MAUI_RELEASE_ADMIN)
		ret->name = NULL;
	maui_document_unref(p);
	query_world_destroy(world);
	return rc ? error.code : MAUI_QUERY_DONE;
}

Test(admin, releases)
{
	const struct maui_rights amy = { .uid = 1001, .name = "amy", .any_creates = true };
	struct maui_release release;
	bool created;

	set_as(&steve, "{\"name\": \"mine\", " TEN_MINUTES HOSTS "}", &created);
	cr_expect(release_as(&amy, "mine.1", &release) == MAUI_QUERY_DENIED);
	cr_expect(release_as(&steve, "mine.1", &release) == MAUI_QUERY_DONE);
	cr_expect(release.kind == MAUI_RELEASE_ADMIN && release.index == 0 &&
		  !strcmp(release.type, "User"));
	cr_expect(release_as(&steve, "mine", &release) == MAUI_QUERY_NOT_FOUND,
		  "no name without its number");
	/* an instance of SRCFG[biz], which is steve's */
	cr_expect(release_as(&amy, "biz.1", &release) == MAUI_QUERY_DENIED);
	cr_expect(release_as(&steve, "biz.1", &release) == MAUI_QUERY_DONE);
	cr_expect(release.kind == MAUI_RELEASE_STANDING && release.day == 20261124 &&
		  release.sr == &config->rsvs[0]);
	cr_expect(release_as(&root, "maui.biz.20261123", &release) == MAUI_QUERY_DONE &&
		  release.day == 20261123);
	cr_expect(release_as(&root, "biz", &release) == MAUI_QUERY_BAD);
	/* jobs: 17 is of user 1000 */
	cr_expect(release_as(&amy, "17", &release) == MAUI_QUERY_DENIED);
	cr_expect(release_as(&steve, "17", &release) == MAUI_QUERY_ERROR &&
		  strstr(error.err.text, "job 17 has started and keeps its nodes"));
	cr_expect(release_as(&root, "18", &release) == MAUI_QUERY_ERROR, "suspended");
	cr_expect(release_as(&root, "19", &release) == MAUI_QUERY_DONE);
	cr_expect(release.kind == MAUI_RELEASE_JOB && release.job == 19);
	/* shown, but gone from maui.cfg or from the list */
	cr_expect(release_as(&root, "night.0", &release) == MAUI_QUERY_NOT_FOUND);
	cr_expect(release_as(&root, "SYSTEM.1", &release) == MAUI_QUERY_NOT_FOUND);
	cr_expect(release_as(&root, "", &release) == MAUI_QUERY_NOT_FOUND);
}

/* Task 3 has a record of its own, and a job reservation. */
Test(admin, releases_of_a_task)
{
	static const char *const names[] = { "23_3", "25", "23" };
	struct maui_document_rsv rows[] = {
		{ .name = "23_1",
		  .type = MAUI_DOCUMENT_JOB,
		  .job_id = 24,
		  .state = MAUI_JOB_RUNNING },
		{ .name = "23_3", .type = MAUI_DOCUMENT_JOB, .job_id = 25, .state = MAUI_JOB_IDLE },
	};
	struct maui_document p = { .rsvs = rows, .rsv_count = 2 };
	struct maui_release release;

	rows[0].array_job_id = rows[1].array_job_id = 23;
	admin.published = &p;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_expect(maui_admin_release(&admin, &root, config, names[i], &release, &error) ==
					  0 &&
				  release.kind == MAUI_RELEASE_JOB && release.job == 25,
			  "%s", names[i]);
	cr_expect(maui_admin_release(&admin, &root, config, "23_1", &release, &error) == -1 &&
		  strstr(error.err.text, "23_1 has started"));
	admin.published = NULL;
}

static enum maui_query_code restore(const char *name, struct maui_release *ret)
{
	return maui_admin_restore(config, name, NOW, ret, &error) ? error.code : MAUI_QUERY_DONE;
}

Test(admin, releases_taken_back)
{
	static const char text[] = "SRCFG[x] HOSTLIST=n1 USERLIST=amy DEPTH=3 DAYS=MON,WED\n"
				   "SRCFG[y] HOSTLIST=n1 USERLIST=amy PERIOD=INFINITY\n";
	struct maui_diags diags = { 0 };
	struct maui_release undo;

	maui_config_unref(config);
	config = maui_config_parse("maui.cfg", text, sizeof(text) - 1, NULL, &diags);
	cr_assert(config && config->rsv_count == 2);
	maui_diags_finish(&diags);
	/* Monday the 23rd */
	cr_expect(restore("x.0", &undo) == MAUI_QUERY_DONE && undo.day == 20261123);
	cr_expect(undo.kind == MAUI_RELEASE_UNDO && undo.sr == &config->rsvs[0]);
	cr_expect(restore("x.2", &undo) == MAUI_QUERY_DONE && undo.day == 20261125);
	cr_expect(restore("maui.x.20261125", &undo) == MAUI_QUERY_DONE && undo.day == 20261125);
	cr_expect(restore("x.9", &undo) == MAUI_QUERY_NOT_FOUND);
	cr_expect(restore("x", &undo) == MAUI_QUERY_DONE && undo.day == MAUI_RELEASE_ALL_DAYS &&
		  undo.sr == &config->rsvs[0]);
	cr_expect(restore("y.0", &undo) == MAUI_QUERY_DONE && undo.day == 0 &&
		  undo.sr == &config->rsvs[1]);
	cr_expect(restore("y.1", &undo) == MAUI_QUERY_NOT_FOUND);
	cr_expect(restore("steve.1", &undo) == MAUI_QUERY_NOT_FOUND);
}

/* Reads the arguments of a releaseres. */
static int read_names(json_object *args)
{
	struct maui_arena arena = { 0 };
	const void *record;
	int rc = maui_answer_args(&maui_verb_releaseres, args, &arena, &record, &error);

	if (rc == 0)
		rc = maui_admin_check_names(record, &error);
	maui_arena_finish(&arena);
	return rc;
}

Test(admin, names_to_release)
{
	static const char *const bad[] = { "{}", "{\"names\": []}", "{\"names\": \"a\"}",
					   "{\"names\": [1]}", "{\"names\": [\"a\", null]}" };

	cr_expect(read_names(NULL) == -1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		json_object *args = json_tokener_parse(bad[i]);

		cr_expect(read_names(args) == -1 && error.code == MAUI_QUERY_BAD, "%s", bad[i]);
		json_object_put(args);
	}
}

/* A change of other attributes does not warn of the start. */
Test(admin, starts_in_the_past)
{
	char text[128];

	snprintf(text, sizeof(text), "{\"start\": %lld, " HOSTS "}", (long long)NOW - 60);
	cr_expect(set(text) && !warning, "a minute ago: %s", warning);
	cr_assert(set("{\"name\": \"old\", \"start\": 1582884000, " HOSTS "}"));
	cr_expect(warning && strstr(warning, "its start is in the past: it is in force at once"),
		  "%s", warning);
	cr_expect(set("{\"name\": \"old.1\", \"end\": 1795500000}") && !warning, "%s", warning);
}

/* Two thousand nodes: a pattern that would keep the scheduler busy for seconds is refused, one that
 * matches no node gets a warning. */
Test(admin, costly_host_expressions_are_refused)
{
	enum { COUNT = 2000 };
	static char names[COUNT][40];
	const char *pointers[COUNT];
	char *costly = strdup("{\"attributes\": {\"HOSTLIST\": \"(a*)*[bc]\"}}");

	for (unsigned i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof(names[i]), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%05u", i);
		pointers[i] = names[i];
	}
	admin.nodes = (struct maui_admin_nodes){ pointers, COUNT };
	expect_refused(&root, costly, MAUI_QUERY_BAD, "too costly");
	cr_assert(set("{\"attributes\": {\"HOSTLIST\": \"0[0-9]$\"}}") && !warning);
	expect_refused(&root, "{\"attributes\": {\"HOSTLIST\": \"a+,b[0-9],c\"}}", MAUI_QUERY_BAD,
		       "no node is named or matches 'b[0-9]'");
	cr_assert(set("{\"attributes\": {\"HOSTLIST\": \"a+,b[0-9],c\", \"FLAGS\": "
		      "\"BESTEFFORT\"}}"),
		  "%s", error.err.text);
	cr_expect(warning && !strcmp(warning, "HOSTLIST: no node is named or matches 'b[0-9]'"),
		  "%s", warning);
	cr_assert(set("{\"name\": \"SYSTEM.2\", \"end\": 1795500000}") && !warning);
	cr_assert(set("{\"attributes\": {\"HOSTLIST\": \"nix,a*\", \"FLAGS\": \"BESTEFFORT\"}}"),
		  "%s", error.err.text);
	cr_expect_str_eq(warning,
			 "HOSTLIST: no node is named or matches 'nix'; HOSTLIST: 'a*' is a regular "
			 "expression, not a shell pattern: it matches 2000 nodes");
	cr_assert(set("{\"attributes\": {\"HOSTLIST\": \"a0000\"}}"), "%s", error.err.text);
	cr_expect_str_eq(warning, "HOSTLIST: 'a0000' is only part of a node name: it matches 10 "
				  "nodes");
	expect_refused(&root, "{\"attributes\": {\"HOSTLIST\": \"a[10-1]\"}}", MAUI_QUERY_BAD,
		       "the range descends: the smaller number comes first");
	expect_refused(&root, "{\"attributes\": {\"HOSTLIST\": \"b[0-9],c\"}}", MAUI_QUERY_BAD,
		       "no node is named or matches 'b[0-9]'");
	free(costly);
	admin.nodes = (struct maui_admin_nodes){ 0 };
}

Test(admin, number_of_names_is_bounded)
{
	json_object *args = json_object_new_object(), *list = json_object_new_array();

	json_object_object_add(args, "names", list);
	for (int i = 0; i < MAUI_ADMIN_MAX_NAMES; i++)
		json_object_array_add(list, json_object_new_string("17"));
	cr_expect(read_names(args) == 0, "%s", error.err.text);
	json_object_array_add(list, json_object_new_string("17"));
	cr_expect(read_names(args) == -1 && error.code == MAUI_QUERY_BAD &&
			  strstr(error.err.text, "101 names: at most 100"),
		  "%s", error.err.text);
	json_object_put(args);
}

Test(admin, name_and_stable_name_of_every_row_release_it)
{
	struct query_world *world = query_world_create();
	struct maui_document *p = query_world_publish(world, false);

	cr_assert(p->rsv_count > 3);
	admin.published = p;
	for (size_t i = 0; i < p->rsv_count; i++) {
		const char *names[] = { p->rsvs[i].name, p->rsvs[i].stable };

		for (size_t n = 0; n < 2; n++) {
			struct maui_release release;

			if (names[n] &&
			    maui_admin_release(&admin, &root, config, names[n], &release, &error))
				cr_expect(p->rsvs[i].type != MAUI_DOCUMENT_JOB ||
						  p->rsvs[i].state != MAUI_JOB_IDLE,
					  "%s", names[n]);
			else if (names[n])
				cr_expect_str_eq(release.name, p->rsvs[i].name);
		}
	}
	admin.published = NULL;
	cr_expect(maui_admin_release(&admin, &root, config, "17", &(struct maui_release){ 0 },
				     &error) == -1);
	maui_document_unref(p);
	query_world_destroy(world);
}
