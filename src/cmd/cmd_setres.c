/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_setres.c - setres: makes an administrative reservation, or changes one in place (RSV-20)
 *
 * The socket carries the attributes of SRCFG as maui.cfg spells them, so one parser reads both.
 * setres turns times into seconds of the epoch, in the local time of its user.
 */

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/calendar.h"
#include "base/clock.h"
#include "base/duration.h"
#include "base/hostrange.h"
#include "base/limits.h"
#include "base/moment.h"
#include "base/need.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/machine.h"
#include "cmd/missing.h"
#include "cmd/query.h"
#include "cmd/setres.h"
#include "cmd/warnings.h"
#include "config/rsv_value.h"
#include "model/when.h"

struct options {
	struct maui_tool_common common;
	struct maui_setres_ask *ask;
	const char *name, *start, *end, *duration, *resources;
	bool best_effort;
};

static const char *copy(struct maui_setres_ask *ask, const char *text)
{
	return maui_need(maui_arena_strdup(&ask->arena, text));
}

/* The last one of this name; attributes_count: none. */
static size_t find_attribute(const struct maui_setres_ask *ask, const char *name)
{
	size_t found = ask->args.attributes_count;

	for (size_t i = 0; i < ask->args.attributes_count; i++)
		if (strcmp(ask->attributes[i].key, name) == 0)
			found = i;
	return found;
}

static void insert_attribute(struct maui_setres_ask *ask, size_t at, const char *name,
			     const char *value)
{
	const struct maui_label one = { copy(ask, name), copy(ask, value) };
	size_t count = ask->args.attributes_count;
	struct maui_label *grown =
		maui_need_more(ask->attributes, count, &ask->attribute_alloc, sizeof(*grown));

	memmove(&grown[at + 1], &grown[at], (count - at) * sizeof(*grown));
	grown[at] = one;
	ask->args.attributes = ask->attributes = grown;
	ask->args.attributes_count++;
}

/* The last value of an attribute that is given twice counts; several triggers all count. */
static void set_attribute(struct options *options, const char *name, const char *value)
{
	struct maui_setres_ask *ask = options->ask;
	size_t at = find_attribute(ask, name);

	if (at == ask->args.attributes_count)
		insert_attribute(ask, at, name, value);
	else if (strcmp(name, "TRIGGER") == 0)
		insert_attribute(ask, at + 1, name, value);
	else
		ask->attributes[at].value = copy(ask, value);
}

/* NAME=VALUE */
static int set_pair(struct maui_tool_common *common, void *options,
		    const struct maui_option *option, const char *pair)
{
	size_t length = strcspn(pair, "=");
	char name[64];

	(void)option;
	if (length == 0 || length >= sizeof(name) || pair[length] != '=')
		return maui_tool_misuse(common, "--attr %s: expected NAME=VALUE", pair);
	for (size_t i = 0; i < length; i++)
		name[i] = (char)toupper((unsigned char)pair[i]);
	name[length] = '\0';
	set_attribute(options, name, pair + length + 1);
	return MAUI_EXIT_OK;
}

/* The shell has taken the quotes of -g "domain users": without any of them left, a blank belongs to
 * a name. */
static const char *quote_names(struct maui_setres_ask *ask, const char *attribute, const char *text)
{
	if (maui_acl_kind_of(attribute) < 0 || !strchr(text, ' ') || strchr(text, '"'))
		return text;
	return maui_need(maui_arena_printf(&ask->arena, "\"%s\"", text));
}

/* An owner without a kind is a user; of Maui's account,group,user the account is charged. */
static int set_by_option(struct maui_tool_common *common, void *options,
			 const struct maui_option *option, const char *value)
{
	const char *attribute = option->word;
	char text[MAUI_NAME_MAX + 8];

	if (strcmp(attribute, "OWNER") == 0 && *value && !strchr(value, ':')) {
		snprintf(text, sizeof(text), "USER:%s", value);
		value = text;
	}
	if (strcmp(attribute, "CHARGEACCOUNT") == 0 && strchr(value, ',')) {
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(value, ","), value);
		fprintf(stderr, "%s: warning: -c: the account %s is charged, no group or user\n",
			common->tool, text);
		value = text;
	}
	set_attribute(options, attribute,
		      quote_names(((struct options *)options)->ask, attribute, value));
	return MAUI_EXIT_OK;
}

/* -f BESTEFFORT is taken for the flag: no feature has this name. */
static int set_features(struct maui_tool_common *common, void *opts,
			const struct maui_option *option, const char *text)
{
	struct options *options = opts;

	if (strcasecmp(text, "BESTEFFORT") != 0)
		return set_by_option(common, options, option, text);
	options->best_effort = true;
	return MAUI_EXIT_OK;
}

static int set_exclusive(struct maui_tool_common *common, void *options,
			 const struct maui_option *option, const char *text)
{
	(void)common;
	(void)text;
	set_attribute(options, option->word, "DEDICATED");
	return MAUI_EXIT_OK;
}

static const struct maui_option known[] = {
	MAUI_READ('a', NULL, "LIST", "ACCOUNTLIST", set_by_option, "accounts that may use it"),
	MAUI_READ('g', NULL, "LIST", "GROUPLIST", set_by_option, "groups that may use it"),
	MAUI_READ('q', NULL, "LIST", "CLASSLIST", set_by_option,
		  "classes (partitions) that may use it"),
	MAUI_READ('Q', NULL, "LIST", "QOSLIST", set_by_option, "QOS that may use it"),
	MAUI_READ(
		'u', NULL, "LIST", "USERLIST", set_by_option,
		"users that may use it; LIST is names separated by colons, with the marks of maui.cfg (smith- "
		"!jones *high); without any list no job may use the reservation"),
	MAUI_TEXT('s', NULL, "TIME", options, start, "start (default: now)"),
	MAUI_TEXT('e', NULL, "TIME", options, end, "end (default: none)"),
	MAUI_TEXT('d', NULL, "DURATION", options, duration, "duration, instead of -e"),
	MAUI_TEXT('n', NULL, "NAME", options, name,
		  "name, to which setres adds a number (course.1); the name of an existing "
		  "reservation, with its number, changes that one"),
	MAUI_READ('r', NULL, "RESOURCES", "RESOURCES", set_by_option,
		  "resources of a task, as PROCS=2;MEM=512 (default: a whole node)"),
	MAUI_READ('f', NULL, "LIST", "NODEFEATURES", set_features,
		  "features that each node must have"),
	MAUI_READ('p', NULL, "PARTITION", "PARTITION", set_by_option,
		  "the nodes are in this partition"),
	MAUI_READ('o', NULL, "OWNER", "OWNER", set_by_option,
		  "USER:smith, GROUP:, ACCOUNT:, QOS:, CLASS:"),
	MAUI_READ('c', NULL, "ACCOUNT", "CHARGEACCOUNT", set_by_option,
		  "this account pays for idle time"),
	MAUI_READ('x', NULL, "FLAGS", "FLAGS", set_by_option,
		  "BYNAME, OWNERPREEMPT, ... (maui.cfg(5), SRCFG FLAGS)"),
	MAUI_READ('E', NULL, NULL, "ACCESS", set_exclusive,
		  "exclusive: shares no node with another reservation"),
	MAUI_READ('b', NULL, "SUBTYPE", "SUBTYPE", set_by_option,
		  "a word of your own, which diagnose -r shows"),
	MAUI_READ(0, "attr", "NAME=VALUE", NULL, set_pair,
		  "any other attribute of SRCFG: TIMELIMIT, TPN, TRIGGER, ..."),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "setres [OPTION...] ALL | TASKS==N | TASKS>=N | HOST[,HOST...]\n"
		    "setres -n NAME [OPTION...] [RESOURCES]      changes an existing one",
	.about = "Makes a reservation, or changes one. Fails unless all resources are available; "
		 "see -x BESTEFFORT.",
	.options = known,
	.operands = MAUI_OPERANDS_ANY,
	.notes = "TIME is HH[:MM[:SS]][_MO[/DD[/YY]]], the next such moment, or +DURATION, or "
		 "INFINITY; DURATION is [[[DD:]HH:]MM:]SS. HOST is a name, a Slurm range (n[1-4]) "
		 "or a regular expression. TASKS>=N means the same as TASKS==N.\n" MAUI_EXITS
		 ", 4 not permitted.",
};

/* ALL, TASKS==n, or hosts. TASKS>=n is answered with n as well: what n tasks need. */
static int set_resources(struct options *options, const char *text)
{
	char *end;
	long long count;

	if (strncasecmp(text, "TASKS", 5) != 0 || !strchr("=><!", text[5]) || text[5] == '\0') {
		set_attribute(options, "HOSTLIST", text);
		return MAUI_EXIT_OK;
	}
	if (strncmp(text + 5, "==", 2) != 0 && strncmp(text + 5, ">=", 2) != 0)
		return maui_tool_misuse(&options->common, "%s: expected TASKS==N or TASKS>=N",
					text);
	count = strtoll(text + 7, &end, 10);
	if (text[7] < '0' || text[7] > '9' || *end != '\0' || count < 1)
		return maui_tool_misuse(&options->common, "%s: not a number of tasks", text);
	if (count > INT32_MAX)
		return maui_tool_misuse(&options->common, "%s: at most %d tasks", text, INT32_MAX);
	set_attribute(options, "TASKCOUNT", text + 7);
	return MAUI_EXIT_OK;
}

/* A number that is taken for INFINITY. */
static bool is_too_long(const char *text, bool infinite)
{
	return infinite && isdigit((unsigned char)text[*text == '+']);
}

static const char *with_year(int64_t when_s, char *buf, size_t size)
{
	return maui_moment_as_maui(when_s, 0, buf, size);
}

static const int64_t FAR_S = 182 * MAUI_DAY_S;

/* A day without its year that was over when it was written is next year's. `from_s`: since when
 * such a day is looked for. */
static void check_year(struct options *options, char option, const char *text, int64_t from_s,
		       int64_t when_s)
{
	const char *day = strchr(text, '_');
	struct maui_setres_ask *ask = options->ask;
	char moment[MAUI_MOMENT_SIZE], warning[256];

	if (!day || strchr(day, '/') != strrchr(day, '/') || when_s - from_s <= FAR_S)
		return;
	snprintf(warning, sizeof(warning),
		 "-%c %.64s is %s: without a year the next such day counts", option, text,
		 with_year(when_s, moment, sizeof(moment)));
	ask->warnings[ask->warning_count++] = copy(ask, warning);
}

/* `option`: s or e. */
static int read_time(struct options *options, char option, const char *text, int64_t base_s,
		     int64_t *ret_s)
{
	struct maui_err err;

	if (maui_clock_parse(text, base_s, ret_s, &err))
		return maui_tool_misuse(&options->common, "%s", err.text);
	if (is_too_long(text, *ret_s == MAUI_CLOCK_NEVER))
		return maui_tool_misuse(&options->common, "%s is too long: use INFINITY", text);
	check_year(options, option, text, base_s, *ret_s);
	return MAUI_EXIT_OK;
}

static int set_duration(struct options *options)
{
	struct maui_setres_args *args = &options->ask->args;
	int64_t length_s;
	struct maui_err err;

	if (maui_duration_parse(options->duration, &length_s, &err))
		return maui_tool_misuse(&options->common, "-d: %s", err.text);
	if (length_s <= 0)
		return maui_tool_misuse(&options->common, "-d %s: must be longer than 0",
					options->duration);
	if (is_too_long(options->duration, length_s >= MAUI_TIME_INFINITY))
		return maui_tool_misuse(&options->common, "-d %s is too long: use INFINITY",
					options->duration);
	if (length_s >= MAUI_TIME_INFINITY)
		args->end = MAUI_NEVER;
	else
		args->duration = length_s;
	return MAUI_EXIT_OK;
}

/* A wall clock end is the first one after the start; +DURATION counts from now, -d from the
 * start. */
static int set_times(struct options *options)
{
	struct maui_setres_args *args = &options->ask->args;
	int64_t now_s = (int64_t)time(NULL), start_s = now_s, end_s;

	if (options->end && options->duration)
		return maui_tool_misuse(&options->common, "-e or -d, not both");
	if (options->start) {
		if (read_time(options, 's', options->start, now_s, &start_s))
			return MAUI_EXIT_USAGE;
		args->start = start_s;
	}
	if (start_s == MAUI_CLOCK_NEVER)
		return maui_tool_misuse(&options->common, "-s %s: it would never begin",
					options->start);
	if (options->end) {
		if (read_time(options, 'e', options->end,
			      *options->end == '+' ? now_s : start_s + 1, &end_s))
			return MAUI_EXIT_USAGE;
		args->end = end_s == MAUI_CLOCK_NEVER ? MAUI_NEVER : end_s;
	}
	return options->duration ? set_duration(options) : MAUI_EXIT_OK;
}

static void add_best_effort(struct options *options)
{
	size_t flags = find_attribute(options->ask, "FLAGS");
	bool has_flags = flags < options->ask->args.attributes_count;
	char text[1024];

	snprintf(text, sizeof(text), "%s%sBESTEFFORT",
		 has_flags ? options->ask->attributes[flags].value : "", has_flags ? "," : "");
	set_attribute(options, "FLAGS", text);
}

static int parse(int argc, char **argv, struct options *options)
{
	int rc = maui_cmd_read(&options->common, options, argc, argv);

	if (options->common.done)
		return rc;
	if (options->name)
		options->ask->args.name = copy(options->ask, options->name);
	if (options->common.operand_count > 1)
		return maui_tool_misuse(&options->common,
					"expected one expression for resources, "
					"hosts with commas between them: %s",
					options->common.operands[1]);
	if (options->best_effort)
		add_best_effort(options);
	options->resources = *options->common.operands;
	if (!options->resources && !options->ask->args.name)
		return maui_tool_misuse(&options->common,
					"which resources? ALL, TASKS==N or hosts");
	rc = options->resources ? set_resources(options, options->resources) : MAUI_EXIT_OK;
	return rc == MAUI_EXIT_OK ? set_times(options) : rc;
}

enum { LINES_MAX = 32 }; /* of a node each; more nodes are ranges */

static void print_ranges(const struct maui_rsv_nodes *run)
{
	char *ranges = maui_need(maui_hostrange_fold(run->names, run->names_count));

	printf("%s:%" PRId64 "\n", ranges, run->tasks);
	free(ranges);
}

static void print_nodes(const struct maui_rsv_row *rsv)
{
	bool many = rsv->node_count > LINES_MAX;

	for (size_t r = 0; r < rsv->nodes_count; r++) {
		const struct maui_rsv_nodes *run = &rsv->nodes[r];

		if (many)
			print_ranges(run);
		for (size_t n = 0; !many && n < run->names_count; n++)
			printf("%s:%" PRId64 "\n", run->names[n], run->tasks);
	}
}

/* The jobs that still run there when it begins. */
static void print_running(const struct maui_setres *answer)
{
	int64_t unnamed = answer->running_jobs - (int64_t)answer->running_count;
	char until[MAUI_MOMENT_SIZE];

	if (answer->running_count > 0)
		printf("\nstill running there when it begins, and not stopped:\n");
	for (size_t i = 0; i < answer->running_count; i++)
		printf("job %s of %s until %s\n", answer->running[i].job, answer->running[i].user,
		       with_year(answer->running[i].end, until, sizeof(until)));
	if (unnamed > 0)
		printf("and %" PRId64 " more job%s\n", unnamed, maui_plural(unnamed));
}

/* What Maui answered: how many nodes and tasks, then each node; and from when until when. */
static void print_answer(const struct maui_setres *answer)
{
	char from[MAUI_MOMENT_SIZE], until[MAUI_MOMENT_SIZE];
	const char *verb = answer->created ? "created" : "modified";
	const struct maui_rsv_row *rsv = answer->reservation;

	printf("reservation %s\n\n", verb);
	if (!rsv) { /* not planned yet: where it is is not known */
		printf("\nreservation '%s' %s\n", answer->name, verb);
		return;
	}
	printf("from %s until %s\n", with_year(rsv->start, from, sizeof(from)),
	       with_year(rsv->end, until, sizeof(until)));
	printf("reservation '%s' %s on %" PRId64 " node%s (%" PRId64 " task%s)\n", rsv->name, verb,
	       rsv->node_count, maui_plural(rsv->node_count), rsv->tasks, maui_plural(rsv->tasks));
	print_nodes(rsv);
	print_running(answer);
}

/* What the answer warns of, the line, and this machine. */
static const struct maui_warnings *all_warnings(const struct maui_setres *answer,
						struct maui_setres_ask *ask)
{
	const struct maui_warnings none = { 0 }, *theirs = answer->warned ? answer->warned : &none;
	struct maui_warnings here = { 0 };
	struct maui_warnings *ret = maui_need(maui_arena_alloc(&ask->arena, sizeof(*ret)));
	const char **texts;

	maui_cmd_check_attributes(&ask->args, &ask->arena, &here);
	texts = maui_need(maui_arena_alloc_list(
		&ask->arena, theirs->warnings_count + MAUI_SETRES_WARNINGS + here.warnings_count,
		sizeof(*texts)));
	ret->warnings = texts;
	for (size_t i = 0; i < theirs->warnings_count; i++)
		texts[ret->warnings_count++] = theirs->warnings[i];
	for (size_t i = 0; i < ask->warning_count; i++)
		texts[ret->warnings_count++] = ask->warnings[i];
	for (size_t i = 0; i < here.warnings_count; i++)
		texts[ret->warnings_count++] = here.warnings[i];
	return ret;
}

static void print_warnings(const struct maui_tool_common *common, const struct maui_setres *answer,
			   const struct maui_warnings *warnings)
{
	char buf[MAUI_MISSING_SIZE];
	const char *missing =
		answer->reservation ? maui_missing(answer->reservation, buf, sizeof(buf)) : NULL;

	maui_cmd_warn(common, warnings);
	if (missing)
		fprintf(stderr, "%s: warning: %s\n", common->tool, missing);
}

/* The answer with all warnings. */
static void print_json(const struct maui_tool_common *common, const struct maui_cmd_answer *answer,
		       const struct maui_warnings *warnings)
{
	maui_cmd_answer_print_changed(common, answer, NULL, &maui_warnings_type, warnings);
}

static int run(const struct maui_tool_common *common, struct maui_setres_ask *ask)
{
	const struct maui_warnings *warnings;
	struct maui_cmd_answer answer;
	int rc = maui_cmd_ask_verb(common, &maui_verb_setres, &ask->args, &answer);

	if (rc != MAUI_EXIT_OK)
		return rc;
	warnings = all_warnings(answer.record, ask);
	print_warnings(common, answer.record, warnings);
	if (common->json)
		print_json(common, &answer, warnings);
	else
		print_answer(answer.record);
	maui_cmd_answer_finish(&answer);
	return rc;
}

int maui_setres_read(const char *tool, int argc, char **argv, struct maui_setres_ask *ret)
{
	struct options options = { .common = { .tool = tool, .command = &command }, .ask = ret };
	int rc = parse(argc, argv, &options);

	return rc == MAUI_EXIT_OK && options.common.done ? MAUI_EXIT_USAGE : rc;
}

void maui_setres_ask_finish(struct maui_setres_ask *ask)
{
	free(ask->attributes);
	maui_arena_finish(&ask->arena);
	*ask = (struct maui_setres_ask){ 0 };
}

static int run_setres(int argc, char **argv)
{
	struct maui_setres_ask ask = { 0 };
	struct options options = { .common = { .tool = "setres", .command = &command },
				   .ask = &ask };
	int rc = parse(argc, argv, &options);

	if (rc == MAUI_EXIT_OK && !options.common.done)
		rc = run(&options.common, &ask);
	maui_setres_ask_finish(&ask);
	return rc;
}

MAUI_COMMAND(setres, "make or change a reservation");
