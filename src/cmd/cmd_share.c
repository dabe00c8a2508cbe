/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_share.c - maui share: usage against the fairshare target, and when it is met again
 *
 * Rules: CMD-26, CMD-27.
 */

#include <getopt.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "answers/verbs.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "model/when.h"

static const char usage[] =
	"usage: maui share [-u|-g|-a|-q|-c] [NAME] [-o COLUMN,...] [--noheader] [--json]\n"
	"\n"
	"Shows what a user used in the fairshare windows, the target, what this does to the priority\n"
	"of jobs now, and when usage is back at the target. Without NAME: your own share.\n"
	"\n"
	"  -u, -g, -a, -q, -c   NAME is a user, group, account, QOS or class (partition);\n"
	"                       without NAME: all of this kind, one a line\n" MAUI_TABLE_USAGE
	"  --json               one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such NAME.\n";

enum { CELL = 48 };

struct options {
	struct maui_cmd_common common;
	bool user, group, account, qos, class;
	const char *kind; /* NULL: user */
	const char *name; /* NULL: all of the kind */
	bool own;
};

static bool is_true(json_object *object, const char *key)
{
	return json_object_get_boolean(maui_cmd_member(object, key));
}

static const char *plural(double count)
{
	return count == 1 ? "" : "s";
}

/* ---- one credential ---- */

static void print_windows(const struct maui_cmd_common *common, json_object *result,
			  json_object *row)
{
	static const struct maui_column columns[] = {
		{ "Window", true }, { "Begins", false }, { "Weight", true },
		{ "Used", true },   { "Of", true },      { "%", true },
	};
	struct maui_table *table = maui_table_create(columns, sizeof(columns) / sizeof(columns[0]));
	int64_t now_s = maui_cmd_number(result, "time", 0);
	char cell[5][CELL];

	for (size_t i = 0; i < maui_cmd_length(result, "windows"); i++) {
		json_object *window = maui_cmd_element(result, "windows", i);
		double used = json_object_get_double(maui_cmd_element(row, "used", i));
		double total = maui_cmd_double(window, "total");
		char begins[MAUI_CMD_TIME_SIZE];
		const char *cells[] = { cell[0], begins, cell[1], cell[2], cell[3], cell[4] };

		snprintf(cell[0], CELL, "%zu", i);
		maui_cmd_moment(maui_cmd_number(window, "start", 0), now_s, begins, sizeof(begins));
		snprintf(cell[1], CELL, "%.4f", maui_cmd_double(window, "weight"));
		snprintf(cell[2], CELL, "%.2f", used / 3600);
		snprintf(cell[3], CELL, "%.2f", total / 3600);
		snprintf(cell[4], CELL, "%.2f", total > 0 ? 100 * used / total : 0);
		maui_table_add(table, cells);
	}
	maui_cmd_print_table(common, table);
}

static void print_target(json_object *row)
{
	json_object *target = maui_cmd_member(row, "target");
	const char *kind = maui_cmd_text(target, "kind");
	double value = maui_cmd_double(target, "value");

	if (!target)
		printf("Target: none\n");
	else if (strcmp(kind, "target") == 0)
		printf("Target: %g %%; usage above it lowers the priority, usage below raises it\n",
		       value);
	else if (strcmp(kind, "floor") == 0)
		printf("Target: at least %g %% (%g+); usage below it raises the priority\n", value,
		       value);
	else if (strcmp(kind, "ceiling") == 0)
		printf("Target: at most %g %% (%g-); usage above it lowers the priority\n", value,
		       value);
	else if (strcmp(kind, "relative_cap") == 0)
		printf("Cap: %g %% (%g%%); at the cap no further job starts\n", value, value);
	else
		printf("Cap: %.2f processor-hours (%.0f^); at the cap no further job starts\n",
		       value / 3600, value);
}

static void print_effect(json_object *result, json_object *row)
{
	double component = maui_cmd_double(maui_cmd_member(result, "weights"), "component");
	double weight = maui_cmd_double(row, "weight");
	const char *kind = maui_cmd_text(row, "kind");
	char name[CELL];
	size_t i;

	for (i = 0; kind[i] && i + 1 < sizeof(name); i++)
		name[i] = (char)(kind[i] - 'a' + 'A');
	name[i] = '\0';
	printf("Priority now: %+.0f points", maui_cmd_double(row, "points"));
	if (component != 0)
		printf(" (%+.2f x FS%sWEIGHT %g x FSWEIGHT %g)", maui_cmd_double(row, "delta"),
		       name, weight / component, component);
	else
		printf(" (FSWEIGHT is 0)");
	printf("\n");
}

/* "Thursday 14:00", with the date when it is a week away or more. */
static const char *day(int64_t when_s, int64_t now_s, char *buf, size_t size)
{
	time_t when = (time_t)when_s;
	struct tm tm;

	if (!localtime_r(&when, &tm) ||
	    !strftime(buf, size, when_s - now_s < 6 * 86400 ? "%A %H:%M" : "%A %e %B %H:%M", &tm))
		snprintf(buf, size, "%" PRId64, when_s);
	return buf;
}

static void print_moment(const char *condition, json_object *forecast, const char *key,
			 json_object *result)
{
	int64_t when_s = maui_cmd_number(forecast, key, MAUI_NEVER);
	int64_t now_s = maui_cmd_number(result, "time", 0);
	char buf[CELL];

	if (when_s == MAUI_NEVER)
		printf("  %s: not within %" PRId64 " windows\n", condition,
		       maui_cmd_number(result, "depth", 0));
	else
		printf("  %s: %s\n", condition, day(when_s, now_s, buf, sizeof(buf)));
}

static void print_forecast(json_object *result, json_object *row)
{
	json_object *forecast = maui_cmd_member(row, "forecast");
	double rate = maui_cmd_double(row, "rate");
	char condition[2 * CELL];

	if (!forecast)
		return;
	printf("%s\n", is_true(row, "held")       ? "Below the cap again:" :
		       is_true(forecast, "above") ? "Back at the target:" :
						    "Reaches the target:");
	snprintf(condition, sizeof(condition), "at the present rate (%g of %g processor%s in use)",
		 rate, maui_cmd_double(result, "rate"), plural(maui_cmd_double(result, "rate")));
	if (rate > 0 || !is_true(forecast, "above"))
		print_moment(condition, forecast, "at_present_rate", result);
	if (is_true(forecast, "above"))
		print_moment("if you run nothing", forecast, "running_nothing", result);
}

static void print_one(const struct maui_cmd_common *common, json_object *result, json_object *row)
{
	double effective = maui_cmd_double(row, "effective");

	printf("Share of %s", maui_cmd_text(row, "kind"));
	printf(" %s", maui_cmd_text(row, "name"));
	printf(", in processor-hours\n\n");
	print_windows(common, result, row);
	printf("\nEffective usage: %.2f of %.2f processor-hours, %.2f %%\n", effective / 3600,
	       maui_cmd_double(result, "total") / 3600, maui_cmd_double(row, "percent"));
	if (strcmp(maui_cmd_text(result, "policy"), "NONE") == 0) {
		printf("FSPOLICY is NONE: usage is not charged, and targets have no effect.\n");
		return;
	}
	print_target(row);
	if (strcmp(maui_cmd_text(maui_cmd_member(row, "target"), "kind"), "relative_cap") == 0 ||
	    strcmp(maui_cmd_text(maui_cmd_member(row, "target"), "kind"), "absolute_cap") == 0) {
		printf("%s", is_true(row, "held") ? "Waiting jobs are held back by the cap.\n" :
						    "No job is held back by the cap now.\n");
	} else if (maui_cmd_member(row, "target")) {
		print_effect(result, row);
	}
	print_forecast(result, row);
}

/* ---- all of a kind ---- */

static int print_all(const struct maui_cmd_common *common, json_object *result)
{
	static const struct maui_column columns[] = {
		{ "Name", false }, { "%", true },        { "Target", true }, { "Hours", true },
		{ "Procs", true }, { "Priority", true }, { "State", false },
	};
	struct maui_table *table =
		maui_cmd_table(common, columns, sizeof(columns) / sizeof(columns[0]));
	char cell[5][CELL];

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < maui_cmd_length(result, "credentials"); i++) {
		json_object *row = maui_cmd_element(result, "credentials", i);
		json_object *target = maui_cmd_member(row, "target");
		const char *cells[] = { maui_cmd_text(row, "name"),
					cell[0],
					cell[1],
					cell[2],
					cell[3],
					cell[4],
					is_true(row, "held")       ? "at its cap" :
					is_true(row, "off_target") ? "off target" :
								     "" };

		snprintf(cell[0], CELL, "%.2f", maui_cmd_double(row, "percent"));
		snprintf(cell[1], CELL, target ? "%g%s" : "-", maui_cmd_double(target, "value"),
			 maui_cmd_text(target, "suffix"));
		snprintf(cell[2], CELL, "%.2f", maui_cmd_double(row, "effective") / 3600);
		snprintf(cell[3], CELL, "%g", maui_cmd_double(row, "rate"));
		snprintf(cell[4], CELL, "%+.0f", maui_cmd_double(row, "points"));
		maui_table_add(table, cells);
	}
	maui_cmd_print_table(common, table);
	if (!maui_cmd_rows_only(common) && is_true(result, "hidden"))
		printf("\nPrivateData=usage hides the usage of others.\n");
	return MAUI_EXIT_OK;
}

/* ---- both ---- */

/* Sets kind and name of the credential asked for. -1: more than one kind. */
static int choose(struct options *options)
{
	const struct {
		bool set;
		const char *kind;
	} kinds[] = {
		{ options->user, "user" },       { options->group, "group" },
		{ options->account, "account" }, { options->qos, "qos" },
		{ options->class, "class" },
	};
	const struct passwd *own;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].set && options->kind)
			return -1;
		if (kinds[i].set)
			options->kind = kinds[i].kind;
	}
	if (options->kind)
		return 0;
	options->kind = "user";
	if (options->name)
		return 0;
	own = getpwuid(getuid());
	options->name = own ? own->pw_name : NULL;
	options->own = options->name;
	return 0;
}

static int print_answer(const struct options *options, json_object *result)
{
	int rc = MAUI_EXIT_OK;

	if (options->common.json) {
		maui_cmd_print_json(&options->common, result);
		return rc;
	}
	if (options->name && maui_cmd_length(result, "credentials") == 1 &&
	    !maui_cmd_rows_only(&options->common))
		print_one(&options->common, result, maui_cmd_element(result, "credentials", 0));
	else
		rc = print_all(&options->common, result);
	json_object_put(result);
	return rc;
}

int maui_cmd_share(int argc, char **argv)
{
	struct options options = { .common = { .tool = "maui share", .usage = usage } };
	const struct maui_cmd_flag flags[] = {
		{ 'u', &options.user }, { 'g', &options.group }, { 'a', &options.account },
		{ 'q', &options.qos },  { 'c', &options.class }, { 0, NULL },
	};
	int rc = maui_cmd_flags(&options.common, argc, argv, flags, true);
	json_object *args, *result;

	if (options.common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (argc - optind > 1)
		return maui_cmd_misuse(&options.common, "one NAME at most");
	options.name = argv[optind];
	if (choose(&options))
		return maui_cmd_misuse(&options.common, "one of -u, -g, -a, -q, -c at a time");
	args = json_object_new_object();
	json_object_object_add(args, "kind", json_object_new_string(options.kind));
	if (options.name)
		json_object_object_add(args, "name", json_object_new_string(options.name));
	json_object_object_add(args, "own", json_object_new_boolean(options.own));
	result = maui_cmd_ask(&options.common, MAUI_VERB_FAIRSHARE, args, &rc);
	return result ? print_answer(&options, result) : rc;
}
