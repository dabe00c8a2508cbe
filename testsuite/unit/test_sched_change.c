/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sched_change.c - the sum of several setres and releaseres in one cycle
 *
 * src/controller/sched/admin_changes.c, make_change.c, setres.c, released.c and reservations.c as
 * they are; requests and answers are this file's own.
 *
 * Rules: CMD-14, CMD-58.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "slurm_log.h"

#include "slurm/compat.h"

#include "controller/query.h"
#include "controller/sched/private.h"
#include "controller/submit.h"
#include "verbs/verb.h"
#include "slurm/capture/resv.h"

/* ---- slurmctld ---- */

static const char *slurms = ""; /* a reservation of its own */

bool maui_resv_is_there(const char *name)
{
	return strcmp(name, slurms) == 0;
}

/* ---- the rest of an iteration ---- */

bool maui_sched_is_unknown(const void *context, int kind, const char *name)
{
	(void)context;
	(void)kind;
	(void)name;
	return false;
}

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

struct maui_changejob *maui_sched_change_job(struct maui_iteration *it,
					     const struct maui_rights *who,
					     const struct maui_changejob_args *args,
					     struct maui_query_error *error)
{
	(void)it, (void)who, (void)args, (void)error;
	return NULL; /* testsuite/live/test_job_changes.py */
}

static bool name_service_hangs;

int maui_controller_query_who(struct maui_controller *c, const struct maui_query_peer *peer,
			      struct maui_rights *ret, struct maui_query_error *error)
{
	(void)c;
	*ret = (struct maui_rights){ .name = "root", .admin = true };
	return name_service_hangs ? maui_query_unnamed(error, peer->uid) : 0;
}

/* ---- requests ---- */

static struct maui_query_change queue[8];
static struct maui_query_verb setres = { .own = &maui_verb_setres };
static struct maui_query_verb releaseres = { .own = &maui_verb_releaseres };
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
	json_object *seen = result ? json_tokener_parse(json_object_to_json_string(result)) : NULL;

	(void)server;
	snprintf(answers + strlen(answers), sizeof(answers) - strlen(answers), "%zu:%.400s ",
		 (size_t)(change - queue),
		 seen ? json_object_to_json_string(seen) : error->err.text);
	json_object_put(seen);
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

/* Everything that cycles need, with one node. */
struct cluster {
	struct maui_config config;
	struct maui_sched sched;
	struct maui_controller c;
	struct maui_iteration it;
};

static void begin(struct cluster *cl)
{
	static const int64_t procs = 4;

	*cl = (struct cluster){ .sched.hosts = maui_standing_hosts_create() };
	cl->c = (struct maui_controller){ .sched = &cl->sched,
					  .config = &cl->config,
					  .query = (struct maui_query_server *)queue };
	cl->it = (struct maui_iteration){ .c = &cl->c, .sched = &cl->sched };
	cl->sched.document = maui_document_create(1, "test");
	cl->it.cluster.snapshot = maui_snapshot_create(1);
	maui_snapshot_add_node(cl->it.cluster.snapshot,
			       &(struct maui_node){ .name = "n1", .have = &procs });
	cr_assert(maui_snapshot_seal(cl->it.cluster.snapshot, NULL) == 0);
}

static void finish(struct cluster *cl)
{
	for (size_t i = 0; i < queued; i++)
		json_object_put(queue[i].args);
	maui_snapshot_destroy(cl->it.cluster.snapshot);
	maui_standing_hosts_destroy(cl->sched.hosts);
	maui_document_unref(cl->sched.document);
	maui_rsv_lists_finish(&cl->sched.rsvs);
	maui_arena_finish(&cl->it.arena);
}

/* The reservations that are not over. */
static const char *names_left(const struct maui_sched *sched)
{
	static char names[64];

	names[0] = '\0';
	for (size_t i = 0; i < sched->rsvs.rsv_count; i++)
		if (sched->rsvs.rsvs[i].end_s > time(NULL))
			strcat(names, sched->rsvs.rsvs[i].name);
	return names;
}

/* ---- cycles ---- */

/* Plans that lack a task of `refused`, and one of `behind` while `refused` is there. */
struct plans {
	const char *refused, *behind;
	struct maui_rsv_instance instances[2];
	unsigned made;
};

static void add_missing(struct maui_iteration *it, const char *name)
{
	struct maui_decisions *d = &it->sched->decisions;
	int64_t rsv = name ? maui_sched_find_rsv(it, name) : -1;

	if (rsv >= 0)
		d->instances[d->instance_count++] = (struct maui_rsv_instance){
			.rsv = (uint32_t)rsv, .wanted = 1, .missing = 1
		};
}

static void make_plan(struct maui_iteration *it, struct plans *plans)
{
	struct maui_err err;

	cr_assert(maui_sched_rsvs(it, &err) == 0, "%s", err.text);
	it->sched->decisions = (struct maui_decisions){ .instances = plans->instances };
	add_missing(it, plans->refused);
	if (it->sched->decisions.instance_count > 0)
		add_missing(it, plans->behind);
	plans->made++;
}

/* Cycles until every request is answered. */
static void run_cycles(struct maui_iteration *it, struct plans *plans)
{
	while (taken < queued && plans->made < 20) {
		maui_sched_changes(it);
		make_plan(it, plans);
		if (maui_sched_refuse_changes(it))
			make_plan(it, plans);
		it->sched->decisions = (struct maui_decisions){ 0 };
		maui_sched_carry_out_releases(it);
		maui_sched_answers(it);
	}
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
	struct plans plans = { 0 };
	struct cluster cl;
	const char *left;

	begin(&cl);
	for (size_t i = 0; i < 4 && row->asked[i]; i++)
		ask(row->asked[i]);
	run_cycles(&cl.it, &plans);
	left = names_left(&cl.sched);
	cr_expect(strcmp(left, row->left) == 0, "%s: left: '%s'", row->name, left);
	cr_expect(count_of("\"created\": true") == row->created &&
			  count_of("\"type\"") == row->released,
		  "%s: %s", row->name, answers);
	finish(&cl);
}

/* ---- what plans say of them ---- */

static const struct {
	const char *name;
	const char *asked[4];
	const char *refused, *behind; /* by the plan */
	const char *left;
	const char *answered; /* parts of the answers, in this order */
} judged[] = {
	{ "a release between two, the second refused",
	  { "+x", "-x", "+y" },
	  "y.1",
	  NULL,
	  "",
	  "0:{ \"name\": \"x.1\"|2:1 of 1 task missing; nothing was changed|1:{ \"released\"" },
	{ "the one in the middle refused",
	  { "+x", "+y", "+w" },
	  "y.1",
	  NULL,
	  "x.1w.1",
	  "0:{ \"name\": \"x.1\"|1:1 of 1 task missing|2:{ \"name\": \"w.1\"" },
	{ "a refused one takes nothing from the next",
	  { "+y", "+z" },
	  "y.1",
	  "z.1",
	  "z.1",
	  "0:1 of 1 task missing|1:{ \"name\": \"z.1\"" },
	{ "two changes of one, both refused",
	  { "+x", "*x", "*x" },
	  "x.1",
	  NULL,
	  "",
	  "0:1 of 1 task missing|1:no reservation|2:no reservation" },
};

static void expect_in_order(const char *name, const char *parts)
{
	const char *at = answers, *end;
	char part[128];

	for (; *parts; parts = *end ? end + 1 : end) {
		end = strchrnul(parts, '|');
		snprintf(part, sizeof(part), "%.*s", (int)(end - parts), parts);
		at = strstr(at, part);
		cr_assert(at, "%s: no '%s' in: %s", name, part, answers);
	}
}

TEST_ROWS(sched_change, plans_judge_each_alone, judged, row)
{
	struct plans plans = { .refused = row->refused, .behind = row->behind };
	struct cluster cl;
	const char *left;

	begin(&cl);
	for (size_t i = 0; i < 4 && row->asked[i]; i++)
		ask(row->asked[i]);
	run_cycles(&cl.it, &plans);
	left = names_left(&cl.sched);
	cr_expect(strcmp(left, row->left) == 0, "%s: left: '%s'", row->name, left);
	expect_in_order(row->name, row->answered);
	finish(&cl);
}

/* Bounds of users are compared with a plan: what no plan has seen must not stay. */
Test(sched_change, a_failed_cycle_takes_the_setres_back)
{
	struct plans plans = { 0 };
	struct cluster cl;

	begin(&cl);
	ask("+a");
	run_cycles(&cl.it, &plans);
	free(cl.sched.rsvs.rsvs[0].hosts);
	cl.sched.rsvs.rsvs[0].hosts = strdup("n2");
	ask("*a");
	ask("+b");
	for (int cycle = 0; cycle < 2; cycle++) { /* neither makes a plan */
		maui_sched_changes(&cl.it);
		maui_sched_refuse_unplanned(&cl.it);
		maui_sched_answers(&cl.it);
	}
	cr_expect_str_eq(names_left(&cl.sched), "a.1");
	cr_expect_str_eq(cl.sched.rsvs.rsvs[0].hosts, "n2");
	expect_in_order("failed", "0:{ \"name\": \"a.1\"|1:no plan|2:no plan");
	finish(&cl);
}

/* The agent does not wait for it: the command asks again. */
Test(sched_change, changes_of_users_without_an_answer_of_the_name_service_are_refused)
{
	struct plans plans = { 0 };
	struct cluster cl;

	begin(&cl);
	name_service_hangs = true;
	queue[0].peer.uid = 1001;
	ask("+a");
	run_cycles(&cl.it, &plans);
	cr_expect_str_eq(names_left(&cl.sched), "");
	expect_in_order("hangs", "0:slurmctld is looking up the name of user id 1001: try again");
	finish(&cl);
}

/* Before the first plan the nodes are unknown, and so is the cost of a HOSTLIST. */
Test(sched_change, waits_for_the_first_plan)
{
	struct plans plans = { 0 };
	struct maui_document *document;
	struct cluster cl;

	begin(&cl);
	document = cl.sched.document;
	cl.sched.document = NULL;
	ask("+a");
	ask("-b");
	maui_sched_changes(&cl.it);
	maui_sched_answers(&cl.it);
	cr_expect(taken == 0 && cl.sched.rsvs.rsv_count == 0, "taken: %zu", taken);
	cr_expect_str_eq(answers, "");
	cl.sched.document = document;
	run_cycles(&cl.it, &plans);
	cr_expect(taken == 2 && cl.sched.rsvs.rsv_count == 1, "taken: %zu", taken);
	finish(&cl);
}

static const struct {
	const char *name, *slurms;
	int mode;
	bool alone;          /* SchedulerType=sched/maui */
	bool trial;          /* the reservation is of a trial */
	const char *warning; /* part of it; NULL: none */
} uses[] = {
	{ "a name that Slurm does not have", "other", MAUI_SERVER_NORMAL, true, false, NULL },
	{ "Slurm has a reservation of this name", "a.1", MAUI_SERVER_NORMAL, true, false,
	  "Slurm has a reservation a.1, too: --reservation=a.1 means Slurm's; "
	  "--reservation=maui.a.1.0 means this one" },
	{ "Slurm has the name without the number", "a", MAUI_SERVER_NORMAL, true, false, NULL },
	{ "a trial", "", MAUI_SERVER_TEST, false, true,
	  "SERVERMODE is TEST: this is a trial, no node is kept free; the reservation is gone" },
	{ "no trial yet", "", MAUI_SERVER_NORMAL, false, false, NULL },
	{ "a pause of sched/maui", "", MAUI_SERVER_TEST, true, false,
	  "SERVERMODE is TEST: Slurm does not show this change before NORMAL" },
};

TEST_ROWS(sched_change, warnings, uses, row)
{
	struct plans plans = { 0 };
	struct cluster cl;

	begin(&cl);
	cl.config.server_mode = row->mode;
	cl.c.roles[MAUI_ROLE_SCHED] = row->alone;
	slurms = row->slurms;
	ask("+a");
	run_cycles(&cl.it, &plans);
	cr_expect(count_of("\"created\": true") == 1, "%s: %s", row->name, answers);
	cr_expect(cl.sched.rsvs.rsvs[0].trial == row->trial, "%s", row->name);
	if (row->warning)
		cr_expect(strstr(answers, row->warning), "%s: %s", row->name, answers);
	else
		cr_expect(!strstr(answers, "means Slurm") && !strstr(answers, "TEST"), "%s: %s",
			  row->name, answers);
	finish(&cl);
}
