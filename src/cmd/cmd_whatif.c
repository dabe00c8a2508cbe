/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_whatif.c - maui whatif: who would start earlier or later
 *
 * Asks slurmctld for what its last plan was made from, as the asker may see it, and simulates
 * twice from there: as it is, and changed. Nothing is changed in slurmctld.
 *
 * Rules: CMD-53.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/calendar.h"
#include "base/duration.h"
#include "base/limits.h"
#include "base/moment.h"
#include "cmd/cmd.h"
#include "cmd/fits_query.h"
#include "cmd/query.h"
#include "cmd/setres.h"
#include "cmd/whatif.h"
#include "sim/compare.h"
#include "sim/future.h"
#include "sim/summary.h"
#include "verbs/snapshot.h"

enum { SHOWN_JOBS = 20 };

struct options {
	struct maui_tool_common common;
	struct maui_whatif changes;
	const char *config_path, *job, *setres; /* as they are on the line */
	char **words[2];                        /* of these */
	struct maui_fits_ask ask;               /* the job */
	struct maui_setres_ask set;             /* the reservation */
	/* of a job: the answer of `fits` */
	struct maui_cmd_answer credentials;
	int64_t for_s;
	double ends_at;
};

static int read_job(struct options *o, int argc, char **argv)
{
	o->changes.job = &o->ask.args;
	return maui_fits_read_job("maui whatif --job", argc, argv, &o->ask);
}

static int read_setres(struct options *o, int argc, char **argv)
{
	o->changes.setres = &o->set.args;
	return maui_setres_read("maui whatif --setres", argc, argv, &o->set);
}

/* The options of another command, in one text. */
static int read_words(struct options *o, const char *option, const char *text,
		      int (*read)(struct options *o, int argc, char **argv))
{
	int argc;
	char **argv = maui_whatif_words(text, &argc);

	if (!argv)
		return maui_tool_misuse(&o->common, "%s: a quote is left open", option);
	o->words[read == read_job] = argv;
	return read(o, argc, argv);
}

/* Options of another command. */
static int take_line(struct maui_tool_common *common, void *opts, const struct maui_option *option,
		     const char *text)
{
	struct options *o = opts;

	if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)
		return maui_tool_help(common);
	*(strcmp(option->name, "job") == 0 ? &o->job : &o->setres) = text;
	return MAUI_EXIT_OK;
}

static const struct maui_option known[] = {
	MAUI_READ(0, "job", "OPTIONS", NULL, take_line,
		  "one more job: \"-N 4 -t 8:00:00\", options as of maui fits"),
	MAUI_READ(0, "setres", "OPTIONS", NULL, take_line,
		  "a reservation: \"-s +1:00:00 -d 2:00:00 -u ann n[1-4]\", as of setres"),
	MAUI_TEXT(0, "down", "HOSTLIST", options, changes.down,
		  "no job starts on these nodes any more"),
	MAUI_SPAN(0, "for", "TIME", options, for_s,
		  "how far to look ahead, [[DD:]HH:]MM:SS (default: 24:00:00)"),
	MAUI_PART(0, "ends-at", "PART", options, ends_at,
		  "jobs end after this part of their time limits, up to 1 (default: 1)"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "maui whatif [NEW.cfg] [--job OPTIONS] [--setres OPTIONS] [--down HOSTLIST]\n"
		    "            [--for TIME] [--ends-at PART] [--json]",
	.about = "Simulates what comes after the present moment twice, as it is and changed, and "
		 "says who starts earlier or later. Running jobs end at their time limits. Changes "
		 "nothing. NEW.cfg is another maui.cfg.",
	.options = known,
	.operands = 1,
	.notes = MAUI_EXITS ", 4 not for this user, 5 no node, partition, account, QOS ... of "
			    "this name.",
};

static int parse(int argc, char **argv, struct options *o)
{
	int rc = maui_cmd_read(&o->common, o, argc, argv);

	if (o->common.done)
		return rc;
	o->config_path = *o->common.operands;
	if (!o->config_path && !o->job && !o->setres && !o->changes.down)
		return maui_tool_misuse(
			&o->common, "name what would change: NEW.cfg, --job, --setres or --down");
	/* only now: getopt_long() is done with our own line */
	rc = o->job ? read_words(o, "--job", o->job, read_job) : MAUI_EXIT_OK;
	return rc == MAUI_EXIT_OK && o->setres ? read_words(o, "--setres", o->setres, read_setres) :
						 rc;
}

/* ---- the two simulations ---- */

static int fail(const struct options *o, const char *text)
{
	struct maui_query_error error;

	maui_query_fail(&error, MAUI_QUERY_ERROR, "%s", text);
	return maui_cmd_failed(&o->common, &error);
}

/* NULL: its errors are printed. */
static struct maui_config *read_config(const char *path)
{
	const struct maui_config_context context = { .require_settings = true };
	struct maui_diags diags = { 0 };
	struct maui_config *config = maui_config_load(path, &context, &diags);
	char text[2 * MAUI_DIAG_MAX_TEXT];

	for (size_t i = 0; i < diags.count; i++) {
		if (diags.list[i].severity != MAUI_ERROR)
			continue;
		maui_diag_format(&diags.list[i], text, sizeof(text));
		fprintf(stderr, "maui whatif: %s\n", text);
	}
	maui_diags_finish(&diags);
	return config;
}

/* The job of --job: the one with the highest number. NULL: there is no --job. */
static const struct maui_sim_job *job_of(const struct options *o,
					 const struct maui_sim_future *changed)
{
	return o->changes.job ? &changed->trace.jobs[changed->trace.count - 1] : NULL;
}

static void print_job(const struct options *o, const struct maui_sim_job *job,
		      const struct maui_sim_future *changed)
{
	int64_t start_s = job->start_s, now_s = changed->saved.plan.now_s;
	char when[MAUI_MOMENT_SIZE], span[MAUI_DURATION_SIZE];

	if (start_s < 0 && job->waited == MAUI_REASON_NEVER_FITS)
		printf("The job would never start: %s.\n", maui_reason_text(job->waited));
	else if (start_s < 0)
		printf("The job would not start in this time. Now it waits for: %s%s%s.\n",
		       maui_reason_text(job->waited), job->limit ? " " : "",
		       job->limit ? job->limit : "");
	else if (start_s <= now_s)
		printf("The job would start at once.\n");
	else
		printf("The job would start at %s, in %s.\n"
		       "Its priority at each moment decides, fairshare included.\n",
		       maui_moment_as_maui(start_s, now_s, when, sizeof(when)),
		       maui_duration_as_maui(start_s - now_s, span, sizeof(span)));
	if (o->changes.limit.from)
		printf("It names no time limit: planned with %s (%s).\n",
		       maui_duration_as_maui(o->changes.limit.seconds, span, sizeof(span)),
		       o->changes.limit.from);
	if (o->credentials.record)
		maui_fits_print_account(o->credentials.record);
	printf("\n");
}

static void print_text(const struct options *o, const struct maui_sim_future *present,
		       const struct maui_sim_future *changed,
		       const struct maui_sim_changes *changes)
{
	const struct maui_sim_outcome outcomes[] = { present->outcome, changed->outcome };
	char when[MAUI_MOMENT_SIZE], span[MAUI_DURATION_SIZE];
	const struct maui_sim_job *job = job_of(o, changed);
	int64_t now_s = present->saved.plan.now_s;

	printf("From %s on, for %s: as it is, and changed\n\n",
	       maui_moment_as_maui(now_s, now_s, when, sizeof(when)),
	       maui_duration_as_maui(o->for_s, span, sizeof(span)));
	if (o->changes.warning)
		printf("--setres: warning: %s\n\n", o->changes.warning);
	if (job)
		print_job(o, job, changed);
	maui_sim_print_comparison(outcomes, 2);
	maui_sim_print_credentials(&outcomes[0], &outcomes[1]);
	maui_sim_print_changes(changes, SHOWN_JOBS);
}

#define JOB_FIELDS(F, R)                                \
	F(R, TIME, job_start, "null: not in this time") \
	F(R, INT, job_limit, "seconds")                 \
	F(R, TEXT, job_limit_from, "a parameter; null: --job names it")
MAUI_RECORD(maui_whatif_job, JOB_FIELDS);
MAUI_RECORD_TYPE(maui_whatif_job, JOB_FIELDS);

#define RESULT_FIELDS(F, R)                               \
	F(R, TIME, time, "of the plan")                   \
	F(R, INT_AS, for_s, "seconds", "for")             \
	F(R, PART, job, "that of --job", maui_whatif_job) \
	F(R, ONE, present, "", maui_sim_summary)          \
	F(R, ONE, changed, "", maui_sim_summary)          \
	F(R, PART, changes, "", maui_sim_comparison)
MAUI_RECORD(maui_whatif_result, RESULT_FIELDS);
MAUI_RECORD_TYPE(maui_whatif_result, RESULT_FIELDS);

static void print_json(const struct options *o, const struct maui_sim_future *present,
		       const struct maui_sim_future *changed,
		       const struct maui_sim_changes *changes)
{
	const struct maui_sim_job *asked = job_of(o, changed);
	int64_t start_s = asked ? asked->start_s : -1;
	const struct maui_whatif_job job = { .job_start = start_s < 0 ? MAUI_NEVER : start_s,
					     .job_limit = o->changes.limit.seconds,
					     .job_limit_from = o->changes.limit.from };
	struct maui_sim_summary before, after;
	struct maui_sim_comparison comparison;
	const struct maui_whatif_result result = { .time = present->saved.plan.now_s,
						   .for_s = o->for_s,
						   .job = asked ? &job : NULL,
						   .present = &before,
						   .changed = &after,
						   .changes = &comparison };
	struct maui_arena arena = { 0 };

	maui_sim_summarise(&arena, &present->outcome, &before);
	maui_sim_summarise(&arena, &changed->outcome, &after);
	maui_sim_changes_record(&arena, changes, &comparison);
	maui_cmd_print_record_json(&o->common, &maui_whatif_result_type, &result);
	maui_arena_finish(&arena);
}

static void compare(const struct options *o, const struct maui_sim_future *present,
		    const struct maui_sim_future *changed)
{
	struct maui_sim_changes changes;

	maui_sim_changes_make(&present->outcome, &changed->outcome, &changes);
	if (o->common.json)
		print_json(o, present, changed, &changes);
	else
		print_text(o, present, changed, &changes);
	maui_sim_changes_finish(&changes);
}

static int simulate(struct options *o, const char *text)
{
	struct maui_sim_question question = { .text = text,
					      .length = strlen(text),
					      .label = "present",
					      .for_s = o->for_s,
					      .ends_at = o->ends_at };
	struct maui_sim_future present, changed = { 0 };
	struct maui_config *config = o->config_path ? read_config(o->config_path) : NULL;
	struct maui_err err;
	int rc;

	if (o->config_path && !config)
		return fail(o, "the new maui.cfg has errors");
	rc = maui_sim_future_run(&question, &present, &err);
	if (rc == 0) {
		question.label = o->config_path ? o->config_path : "changed";
		question.config = config;
		question.change = maui_whatif_change;
		question.arg = &o->changes;
		question.options.check = maui_whatif_check;
		question.options.check_arg = &o->changes;
		o->changes.config = config ? config : present.config;
		rc = maui_sim_future_run(&question, &changed, &err);
	}
	if (rc)
		rc = fail(o, err.text);
	else
		compare(o, &present, &changed);
	maui_sim_future_finish(&changed);
	maui_sim_future_finish(&present);
	maui_config_unref(config);
	return rc;
}

/* Whom partitions admit; gives a job without an account the one that slurmctld would give it. */
static int ask_credentials(struct options *o)
{
	const struct maui_fits_args *job = &o->ask.args;
	const struct maui_fits_args args = { .user = job->user,
					     .uid = job->uid,
					     .primary_group = job->primary_group,
					     .group = job->group,
					     .account = job->account,
					     .qos = job->qos,
					     .qos_may_be_new = o->config_path,
					     .partition = job->partition,
					     .features = job->features,
					     .reservation = job->reservation };
	int rc = maui_cmd_ask_verb(&o->common, &maui_verb_fits, &args, &o->credentials);

	if (rc != MAUI_EXIT_OK)
		return rc;
	o->changes.fits = o->credentials.record;
	if (!job->account || !*job->account)
		o->ask.args.account = o->changes.fits->account;
	return rc;
}

static int run(struct options *o)
{
	const struct maui_snapshot_answer *saved;
	struct maui_cmd_answer answer;
	int rc;

	rc = o->changes.job ? ask_credentials(o) : MAUI_EXIT_OK;
	if (rc != MAUI_EXIT_OK)
		return rc;
	rc = maui_cmd_ask_verb_exact(&o->common, &maui_verb_snapshot, NULL, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	saved = answer.record;
	if (!saved->complete)
		fprintf(stderr,
			"maui whatif: note: what PrivateData hides from you has no names\n");
	rc = simulate(o,
		      json_object_to_json_string_ext(saved->snapshot.json, JSON_C_TO_STRING_PLAIN));
	maui_cmd_answer_finish(&answer);
	return rc;
}

static int run_whatif(int argc, char **argv)
{
	struct options o = { .common = { .tool = "maui whatif", .command = &command },
			     .for_s = MAUI_DAY_S };
	int rc = parse(argc, argv, &o);

	if (rc == MAUI_EXIT_OK && !o.common.done)
		rc = run(&o);
	maui_cmd_answer_finish(&o.credentials);
	maui_whatif_finish(&o.changes);
	maui_fits_ask_finish(&o.ask);
	maui_setres_ask_finish(&o.set);
	free(o.words[0]);
	free(o.words[1]);
	return rc;
}

MAUI_SUBCOMMAND(whatif, "simulate a change: who would start earlier or later");
