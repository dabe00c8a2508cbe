/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sched_change.c - the sum of several setres and releaseres in one cycle
 *
 * src/controller/sched/admin_changes.c, released.c and reservations.c as they are; requests and
 * answers are this file's own.
 */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

#include "slurm/compat.h"

#include "controller/query.h"
#include "controller/sched/private.h"
#include "controller/submit.h"
#include "answers/verbs.h"
#include "slurm/capture/resv.h"

/* ---- slurmctld ---- */

int get_log_level(void)
{
	return LOG_LEVEL_VERBOSE;
}

void log_var(const log_level_t level, const char *format, ...)
{
	(void)level;
	(void)format;
}

void fatal(const char *format, ...)
{
	cr_assert_fail("fatal: %s", format);
	abort();
}

/* what slurmctld's lock macros call since 24.11 */
void fatal_abort(const char *format, ...)
{
	cr_assert_fail("fatal: %s", format);
	abort();
}

static const char *slurms = ""; /* a reservation of its own */

bool maui_resv_is_there(const char *name)
{
	return strcmp(name, slurms) == 0;
}

/* ---- the rest of an iteration ---- */

bool maui_sched_use_up(struct maui_iteration *it)
{
	(void)it;
	return false;
}

int maui_submit_set_names(struct maui_controller *c, const char *const *names, size_t count)
{
	(void)c;
	(void)names;
	(void)count;
	return 0;
}

int maui_change_config(struct maui_controller *c, const char *name, const char *line,
		       struct maui_query_error *error)
{
	(void)c, (void)name, (void)line, (void)error;
	return -1; /* testsuite/live/test_reconfigure.py */
}

void maui_sched_reloaded(struct maui_sched *sched)
{
	(void)sched;
}

json_object *maui_sched_change_job(struct maui_iteration *it, const struct maui_rights *who,
				   json_object *args, struct maui_query_error *error)
{
	(void)it, (void)who, (void)args, (void)error;
	return NULL; /* testsuite/live/test_job_changes.py */
}

const char *maui_not_saved(const struct maui_controller *c)
{
	(void)c;
	return NULL;
}

void maui_controller_query_who(struct maui_controller *c, const struct maui_query_peer *peer,
			       struct maui_rights *ret)
{
	(void)c;
	(void)peer;
	*ret = (struct maui_rights){ .name = "root", .admin = true };
}

/* ---- requests ---- */

static struct maui_query_change queue[8];
static struct maui_query_verb setres = { .name = MAUI_VERB_SETRES };
static struct maui_query_verb releaseres = { .name = MAUI_VERB_RELEASERES };
static size_t queued, taken;
static char answers[4096];

struct maui_query_change *maui_query_take(struct maui_query_server *server)
{
	(void)server;
	return taken < queued ? &queue[taken++] : NULL;
}

/* "created", "released", "no" ..., in the order of the requests */
void maui_query_answer(struct maui_query_server *server, struct maui_query_change *change,
		       json_object *result, const struct maui_query_error *error)
{
	(void)server;
	snprintf(answers + strlen(answers), sizeof(answers) - strlen(answers), "%zu:%.400s ",
		 (size_t)(change - queue),
		 result ? json_object_to_json_string(result) : error->err.text);
	json_object_put(result);
}

/* "+a" makes a.1 or, where that is, a.2; "*a" changes a.1; "-a" releases it. */
static void ask(const char *text)
{
	struct maui_query_change *change = &queue[queued++];
	char args[128];

	change->verb = *text == '-' ? &releaseres : &setres;
	if (*text == '-')
		snprintf(args, sizeof(args), "{\"names\": [\"%s.1\"]}", text + 1);
	else
		snprintf(args, sizeof(args),
			 "{\"name\": \"%s%s\", \"attributes\": {\"HOSTLIST\": \"n1\"}}", text + 1,
			 *text == '*' ? ".1" : "");
	change->args = json_tokener_parse(args);
	cr_assert(change->args, "%s", args);
}

static const struct {
	const char *name;
	const char *asked[4];
	const char *left; /* those that are not over */
	unsigned created, released;
} rows[] = {
	{ "made", { "+a" }, "a.1", 1, 0 },
	{ "made, changed", { "+a", "*a" }, "a.1", 1, 0 },
	{ "made twice", { "+a", "+a" }, "a.1a.2", 2, 0 },
	{ "made, released", { "+a", "-a" }, "", 1, 1 },
	{ "released, made again", { "+a", "-a", "+a" }, "a.1", 2, 1 },
	{ "released twice", { "+a", "-a", "-a" }, "", 1, 1 },
	{ "released, another made", { "+a", "-a", "+b" }, "b.1", 2, 1 },
};

static unsigned count_of(const char *word)
{
	unsigned count = 0;

	for (const char *at = answers; (at = strstr(at, word)); at++)
		count++;
	return count;
}

TEST_ROWS(sched_change, in_order, rows, row)
{
	struct maui_config config = { 0 };
	struct maui_sched sched = { 0 };
	struct maui_controller c = { .sched = &sched,
				     .config = &config,
				     .query = (struct maui_query_server *)queue };
	struct maui_iteration it = { .c = &c, .sched = &sched };
	char left[64] = "";

	sched.document = maui_document_create(1, "test");
	for (size_t i = 0; i < 4 && row->asked[i]; i++)
		ask(row->asked[i]);
	maui_sched_changes(&it);
	maui_sched_carry_out_releases(&it);
	maui_sched_answers(&it);
	for (size_t i = 0; i < sched.saved.rsv_count; i++)
		if (sched.saved.rsvs[i].end_s > time(NULL))
			strcat(left, sched.saved.rsvs[i].name);
	cr_expect(strcmp(left, row->left) == 0, "%s: left: '%s'", row->name, left);
	cr_expect(count_of("\"created\": true") == row->created &&
			  count_of("\"type\"") == row->released,
		  "%s: %s", row->name, answers);
	for (size_t i = 0; i < queued; i++)
		json_object_put(queue[i].args);
	maui_document_unref(sched.document);
	maui_store_finish(&sched.saved);
	maui_arena_finish(&it.arena);
}

/* What nodes there are is not known: neither whether hosts are there nor what they cost. */
Test(sched_change, waits_for_the_first_plan)
{
	struct maui_config config = { 0 };
	struct maui_sched sched = { 0 };
	struct maui_controller c = { .sched = &sched,
				     .config = &config,
				     .query = (struct maui_query_server *)queue };
	struct maui_iteration it = { .c = &c, .sched = &sched };

	ask("+a");
	ask("-b");
	maui_sched_changes(&it);
	maui_sched_answers(&it);
	cr_expect(taken == 0 && sched.saved.rsv_count == 0, "taken: %zu", taken);
	cr_expect_str_eq(answers, "");
	sched.document = maui_document_create(1, "test");
	maui_sched_changes(&it);
	maui_sched_answers(&it);
	cr_expect(taken == 2 && sched.saved.rsv_count == 1, "taken: %zu", taken);
	for (size_t i = 0; i < queued; i++)
		json_object_put(queue[i].args);
	maui_document_unref(sched.document);
	maui_store_finish(&sched.saved);
	maui_arena_finish(&it.arena);
}

static const struct {
	const char *name, *slurms;
	int mode;
	const char *warning; /* part of it; NULL: none */
} uses[] = {
	{ "a name that Slurm does not have", "other", MAUI_SERVER_NORMAL, NULL },
	{ "Slurm has a reservation of this name", "a.1", MAUI_SERVER_NORMAL,
	  "Slurm has a reservation a.1, too: --reservation=a.1 means Slurm's; "
	  "--reservation=maui.a.1.0 means this one" },
	{ "Slurm has the name without the number", "a", MAUI_SERVER_NORMAL, NULL },
	{ "a trial", "", MAUI_SERVER_TEST,
	  "SERVERMODE is TEST: this is a trial, no node is kept free" },
};

TEST_ROWS(sched_change, warnings, uses, row)
{
	struct maui_config config = { .server_mode = row->mode };
	struct maui_sched sched = { 0 };
	struct maui_controller c = { .sched = &sched,
				     .config = &config,
				     .query = (struct maui_query_server *)queue };
	struct maui_iteration it = { .c = &c, .sched = &sched };

	sched.document = maui_document_create(1, "test");
	slurms = row->slurms;
	ask("+a");
	maui_sched_changes(&it);
	maui_sched_answers(&it);
	cr_expect(count_of("\"created\": true") == 1, "%s: %s", row->name, answers);
	if (row->warning)
		cr_expect(strstr(answers, row->warning), "%s: %s", row->name, answers);
	else
		cr_expect(!strstr(answers, "means Slurm"), "%s: %s", row->name, answers);
	json_object_put(queue[0].args);
	maui_document_unref(sched.document);
	maui_store_finish(&sched.saved);
	maui_arena_finish(&it.arena);
}
