/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_setres.c - setres: makes an administrative reservation, or changes one in place (RSV-20)
 *
 * The socket carries the attributes of SRCFG as maui.cfg spells them, so one parser reads both.
 * setres turns times into seconds of the epoch, in the local time of its user.
 */

#include <ctype.h>
#include <getopt.h>
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
#include "cmd/cmd.h"
#include "cmd/machine.h"
#include "cmd/query.h"
#include "cmd/setres.h"
#include "model/when.h"
#include "answers/verbs.h"

static const char usage[] =
	"usage: setres [OPTION...] ALL | TASKS==N | TASKS>=N | HOST[,HOST...]\n"
	"       setres -n NAME [OPTION...] [RESOURCES]      changes an existing one\n"
	"\n"
	"  -a, -g, -q, -Q, -u LIST   access list: accounts, groups, classes (partitions), QOS, users;\n"
	"                            names separated by colons, with the marks of maui.cfg (smith-\n"
	"                            !jones *high); without any list no job may use the reservation\n"
	"  -s TIME, -e TIME          start (default: now) and end (default: none)\n"
	"  -d DURATION               duration, instead of -e\n"
	"  -n NAME                   name, to which setres adds a number (course.1); the name of an\n"
	"                            existing reservation, with its number, changes that one\n"
	"  -r RESOURCES              resources of a task, as PROCS=2;MEM=512 (default: a whole node)\n"
	"  -f LIST                   features that each node must have\n"
	"  -p PARTITION              the nodes are in this partition\n"
	"  -o OWNER                  USER:smith, GROUP:, ACCOUNT:, QOS:, CLASS:\n"
	"  -c ACCOUNT                this account pays for idle time\n"
	"  -x FLAGS                  BYNAME, OWNERPREEMPT, ... (maui.cfg(5), SRCFG FLAGS)\n"
	"  -E                        exclusive: shares no node with another reservation\n"
	"  -b SUBTYPE                a word of your own, which diagnose -r shows\n"
	"  --attr NAME=VALUE         any other attribute of SRCFG: TIMELIMIT, TPN, TRIGGER, ...\n"
	"  --json                    one JSON object\n"
	"\n"
	"TIME is HH[:MM[:SS]][_MO[/DD[/YY]]], the next such moment, or +DURATION, or INFINITY;\n"
	"DURATION is [[[DD:]HH:]MM:]SS. HOST is a name, a Slurm range (n[1-4]) or a regular expression.\n"
	"TASKS>=N means the same as TASKS==N. Fails unless all resources are available;\n"
	"see -x BESTEFFORT.\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted.\n";

struct options {
	struct maui_cmd_common common;
	json_object *args, *attributes;
	json_object *warnings; /* about the command line */
	const char *start, *end, *duration, *resources;
	bool named, best_effort;
};

/* Options that are an attribute by another name */
static const struct {
	char option;
	const char *attribute;
} attributes[] = {
	{ 'a', "ACCOUNTLIST" },  { 'b', "SUBTYPE" },   { 'c', "CHARGEACCOUNT" },
	{ 'f', "NODEFEATURES" }, { 'g', "GROUPLIST" }, { 'o', "OWNER" },
	{ 'p', "PARTITION" },    { 'q', "CLASSLIST" }, { 'Q', "QOSLIST" },
	{ 'r', "RESOURCES" },    { 'u', "USERLIST" },  { 'x', "FLAGS" },
};

/* Of an attribute given twice the last one counts; several triggers all count. */
static void set_attribute(struct options *options, const char *name, const char *value)
{
	json_object *text = json_object_new_string(value), *list = NULL;

	if (strcmp(name, "TRIGGER") != 0) {
		json_object_object_add(options->attributes, name, text);
		return;
	}
	if (!json_object_object_get_ex(options->attributes, name, &list)) {
		list = json_object_new_array();
		json_object_object_add(options->attributes, name, list);
	}
	json_object_array_add(list, text);
}

/* NAME=VALUE; true: it is one of the options above. */
static int set_pair(struct options *options, const char *pair)
{
	size_t length = strcspn(pair, "=");
	char name[64];

	if (length == 0 || length >= sizeof(name) || pair[length] != '=')
		return maui_cmd_misuse(&options->common, "--attr %s: expected NAME=VALUE", pair);
	for (size_t i = 0; i < length; i++)
		name[i] = (char)toupper((unsigned char)pair[i]);
	name[length] = '\0';
	set_attribute(options, name, pair + length + 1);
	return MAUI_EXIT_OK;
}

/* An owner without a kind is a user; of Maui's account,group,user the account is charged. */
static void set_by_option(struct options *options, const char *attribute, const char *value)
{
	char text[MAUI_NAME_MAX + 8];

	if (strcmp(attribute, "OWNER") == 0 && *value && !strchr(value, ':')) {
		snprintf(text, sizeof(text), "USER:%s", value);
		value = text;
	}
	if (strcmp(attribute, "CHARGEACCOUNT") == 0 && strchr(value, ',')) {
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(value, ","), value);
		fprintf(stderr, "%s: warning: -c: the account %s is charged, no group or user\n",
			options->common.tool, text);
		value = text;
	}
	set_attribute(options, attribute, value);
}

static int option_given(struct options *options, int option)
{
	switch (option) {
	case 's':
		options->start = optarg;
		return MAUI_EXIT_OK;
	case 'e':
		options->end = optarg;
		return MAUI_EXIT_OK;
	case 'd':
		options->duration = optarg;
		return MAUI_EXIT_OK;
	case 'n':
		options->named = true;
		json_object_object_add(options->args, "name", json_object_new_string(optarg));
		return MAUI_EXIT_OK;
	case 'f':
		if (strcasecmp(optarg, "BESTEFFORT") != 0)
			break;
		options->best_effort = true;
		return MAUI_EXIT_OK;
	case 'E':
		set_attribute(options, "ACCESS", "DEDICATED");
		return MAUI_EXIT_OK;
	case MAUI_OPT_OWN:
		return set_pair(options, optarg);
	default:
		break;
	}
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		if (option == attributes[i].option) {
			set_by_option(options, attributes[i].attribute, optarg);
			return MAUI_EXIT_OK;
		}
	return maui_cmd_common_option(&options->common, option);
}

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
		return maui_cmd_misuse(&options->common, "%s: expected TASKS==N or TASKS>=N", text);
	count = strtoll(text + 7, &end, 10);
	if (text[7] < '0' || text[7] > '9' || *end != '\0' || count < 1)
		return maui_cmd_misuse(&options->common, "%s: not a number of tasks", text);
	if (count > INT32_MAX)
		return maui_cmd_misuse(&options->common, "%s: at most %d tasks", text, INT32_MAX);
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
	return maui_cmd_moment(when_s, 0, buf, size);
}

static const int64_t FAR_S = 182 * MAUI_DAY_S;

/* A day without its year that was over when it was written is next year's. `from_s`: since when
 * such a day is looked for. */
static void check_year(struct options *options, const char *key, const char *text, int64_t from_s,
		       int64_t when_s)
{
	const char *day = strchr(text, '_');
	char moment[MAUI_CMD_TIME_SIZE], said[256];

	if (!day || strchr(day, '/') != strrchr(day, '/') || when_s - from_s <= FAR_S)
		return;
	snprintf(said, sizeof(said), "-%c %.64s is %s: without a year the next such day counts",
		 *key, text, with_year(when_s, moment, sizeof(moment)));
	json_object_array_add(options->warnings, json_object_new_string(said));
}

static int set_time(struct options *options, const char *key, const char *text, int64_t base_s,
		    int64_t *ret_s)
{
	struct maui_err err;

	if (maui_clock_parse(text, base_s, ret_s, &err))
		return maui_cmd_misuse(&options->common, "%s", err.text);
	if (is_too_long(text, *ret_s == MAUI_CLOCK_NEVER))
		return maui_cmd_misuse(&options->common, "%s is too long: for ever is INFINITY",
				       text);
	check_year(options, key, text, base_s, *ret_s);
	json_object_object_add(options->args, key,
			       *ret_s == MAUI_CLOCK_NEVER ? NULL : json_object_new_int64(*ret_s));
	return MAUI_EXIT_OK;
}

/* A wall clock end is the first one after the start; +DURATION counts from now, -d from the
 * start. */
static int set_times(struct options *options)
{
	int64_t now_s = (int64_t)time(NULL), start_s = now_s, end_s, length_s;
	struct maui_err err;

	if (options->end && options->duration)
		return maui_cmd_misuse(&options->common, "-e or -d, not both");
	if (options->start && set_time(options, "start", options->start, now_s, &start_s))
		return MAUI_EXIT_USAGE;
	if (start_s == MAUI_CLOCK_NEVER)
		return maui_cmd_misuse(&options->common, "-s %s: it would never begin",
				       options->start);
	if (options->end && set_time(options, "end", options->end,
				     *options->end == '+' ? now_s : start_s + 1, &end_s))
		return MAUI_EXIT_USAGE;
	if (!options->duration)
		return MAUI_EXIT_OK;
	if (maui_duration_parse(options->duration, &length_s, &err))
		return maui_cmd_misuse(&options->common, "-d: %s", err.text);
	if (length_s <= 0)
		return maui_cmd_misuse(&options->common, "-d %s: no time at all",
				       options->duration);
	if (is_too_long(options->duration, length_s >= MAUI_TIME_INFINITY))
		return maui_cmd_misuse(&options->common, "-d %s is too long: for ever is INFINITY",
				       options->duration);
	if (length_s >= MAUI_TIME_INFINITY)
		json_object_object_add(options->args, "end", NULL);
	else
		json_object_object_add(options->args, "duration", json_object_new_int64(length_s));
	return MAUI_EXIT_OK;
}

/* -f BESTEFFORT is taken for the flag: no feature has this name. */
static void add_best_effort(struct options *options)
{
	json_object *flags = NULL;
	char text[1024];

	json_object_object_get_ex(options->attributes, "FLAGS", &flags);
	snprintf(text, sizeof(text), "%s%sBESTEFFORT", flags ? json_object_get_string(flags) : "",
		 flags ? "," : "");
	set_attribute(options, "FLAGS", text);
}

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {
		MAUI_COMMON_OPTIONS,
		{ "attr", required_argument, NULL, MAUI_OPT_OWN },
		{ 0 },
	};
	int option, rc;

	maui_cmd_begin(&options->common, argc, argv);
	while ((option = getopt_long(argc, argv, "a:b:c:d:e:Ef:g:hVn:o:p:q:Q:r:s:u:x:", longs,
				     NULL)) != -1) {
		rc = option_given(options, option);
		if (rc != MAUI_EXIT_OK || options->common.done)
			return rc;
	}
	if (argc - optind > 1)
		return maui_cmd_misuse(&options->common,
				       "expected one expression for resources, "
				       "hosts with commas between them: %s",
				       argv[optind + 1]);
	if (options->best_effort)
		add_best_effort(options);
	options->resources = argv[optind];
	if (!options->resources && !options->named)
		return maui_cmd_misuse(&options->common, "which resources? ALL, TASKS==N or hosts");
	rc = options->resources ? set_resources(options, options->resources) : MAUI_EXIT_OK;
	return rc == MAUI_EXIT_OK ? set_times(options) : rc;
}

enum { LINES_MAX = 32 }; /* of a node each; more nodes are ranges */

/* False: not without memory. */
static bool print_ranges(json_object *run)
{
	size_t count = maui_cmd_length(run, "names");
	const char **names = calloc(count + 1, sizeof(*names));
	char *ranges;

	for (size_t n = 0; names && n < count; n++)
		names[n] = json_object_get_string(maui_cmd_element(run, "names", n));
	ranges = names ? maui_hostrange_fold(names, count) : NULL;
	if (ranges)
		printf("%s:%" PRId64 "\n", ranges, maui_cmd_number(run, "tasks", 0));
	free(ranges);
	free(names);
	return ranges;
}

static void print_nodes(json_object *rsv)
{
	bool many = maui_cmd_number(rsv, "node_count", 0) > LINES_MAX;

	for (size_t r = 0; r < maui_cmd_length(rsv, "nodes"); r++) {
		json_object *run = maui_cmd_element(rsv, "nodes", r);

		if (many && print_ranges(run))
			continue;
		for (size_t n = 0; n < maui_cmd_length(run, "names"); n++)
			printf("%s:%" PRId64 "\n",
			       json_object_get_string(maui_cmd_element(run, "names", n)),
			       maui_cmd_number(run, "tasks", 0));
	}
}

/* The jobs that still run there when it begins. */
static void print_running(json_object *result)
{
	char until[MAUI_CMD_TIME_SIZE];
	size_t count = maui_cmd_length(result, "running");
	int64_t all = maui_cmd_number(result, "running_count", 0);

	if (count > 0)
		printf("\nstill running there when it begins, and not stopped:\n");
	for (size_t i = 0; i < count; i++) {
		json_object *job = maui_cmd_element(result, "running", i);

		printf("job %s of %s until %s\n", maui_cmd_text(job, "job"),
		       maui_cmd_text(job, "user"),
		       with_year(maui_cmd_number(job, "end", MAUI_NEVER), until, sizeof(until)));
	}
	if (all > (int64_t)count)
		printf("and %" PRId64 " more job%s\n", all - (int64_t)count,
		       all - (int64_t)count == 1 ? "" : "s");
}

/* What Maui answered: how many nodes and tasks, then each node; and from when until when. */
static void print_reply(json_object *result)
{
	bool created = false;
	char from[MAUI_CMD_TIME_SIZE], until[MAUI_CMD_TIME_SIZE];
	json_object *rsv = NULL, *value;
	int64_t nodes, tasks;
	const char *verb;

	if (json_object_object_get_ex(result, "created", &value))
		created = json_object_get_boolean(value);
	json_object_object_get_ex(result, "reservation", &rsv);
	verb = created ? "created" : "modified";
	printf("reservation %s\n\n", verb);
	if (!rsv) { /* not planned yet: where it is is not known */
		printf("\nreservation '%s' %s\n", maui_cmd_text(result, "name"), verb);
		return;
	}
	printf("from %s until %s\n",
	       with_year(maui_cmd_number(rsv, "start", 0), from, sizeof(from)),
	       with_year(maui_cmd_number(rsv, "end", MAUI_NEVER), until, sizeof(until)));
	nodes = maui_cmd_number(rsv, "node_count", 0);
	tasks = maui_cmd_number(rsv, "tasks", 0);
	printf("reservation '%s' %s on %" PRId64 " node%s (%" PRId64 " task%s)\n",
	       maui_cmd_text(rsv, "name"), verb, nodes, nodes == 1 ? "" : "s", tasks,
	       tasks == 1 ? "" : "s");
	print_nodes(rsv);
	print_running(result);
}

static void print_warnings(const struct maui_cmd_common *common, json_object *result)
{
	char buf[MAUI_CMD_MISSING_SIZE];
	json_object *rsv = NULL;
	const char *missing;

	maui_cmd_print_warnings(common, result);
	json_object_object_get_ex(result, "reservation", &rsv);
	missing = rsv ? maui_cmd_missing(rsv, buf, sizeof(buf)) : NULL;
	if (missing)
		fprintf(stderr, "%s: warning: %s\n", common->tool, missing);
}

static int run(struct options *options)
{
	json_object *result, *warnings;
	int rc;

	json_object_object_add(options->args, "attributes", json_object_get(options->attributes));
	result = maui_cmd_ask(&options->common, MAUI_VERB_SETRES, json_object_get(options->args),
			      &rc);
	if (!result)
		return rc;
	if (!json_object_object_get_ex(result, "warnings", &warnings)) {
		warnings = json_object_new_array();
		json_object_object_add(result, "warnings", warnings);
	}
	for (size_t i = 0; i < json_object_array_length(options->warnings); i++)
		json_object_array_add(
			warnings, json_object_get(json_object_array_get_idx(options->warnings, i)));
	maui_cmd_check_attributes(options->attributes, warnings);
	print_warnings(&options->common, result);
	if (options->common.json) {
		maui_cmd_print_json(&options->common, result);
		return MAUI_EXIT_OK;
	}
	print_reply(result);
	json_object_put(result);
	return MAUI_EXIT_OK;
}

int maui_setres_args(const char *tool, int argc, char **argv, json_object **ret)
{
	struct options options = { .common = { .tool = tool, .usage = usage },
				   .args = json_object_new_object(),
				   .attributes = json_object_new_object(),
				   .warnings = json_object_new_array() };
	int rc = parse(argc, argv, &options);

	if (rc == MAUI_EXIT_OK && options.common.done)
		rc = MAUI_EXIT_USAGE;
	json_object_object_add(options.args, "attributes", options.attributes);
	json_object_put(options.warnings);
	*ret = rc == MAUI_EXIT_OK ? options.args : NULL;
	if (!*ret)
		json_object_put(options.args);
	return rc;
}

int maui_cmd_setres(int argc, char **argv)
{
	struct options options = { .common = { .tool = "setres", .usage = usage },
				   .args = json_object_new_object(),
				   .attributes = json_object_new_object(),
				   .warnings = json_object_new_array() };
	int rc = parse(argc, argv, &options);

	if (rc == MAUI_EXIT_OK && !options.common.done)
		rc = run(&options);
	json_object_put(options.args);
	json_object_put(options.attributes);
	json_object_put(options.warnings);
	return rc;
}
