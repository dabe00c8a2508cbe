/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showconfig.c - showconfig: the maui.cfg that slurmctld has in force, and one that it refused
 *
 * The lines have the form of a maui.cfg; what is not a setting is a comment.
 *
 * Rules: CMD-32.
 */

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "answers/verbs.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "cmd/table.h"

static const char usage[] =
	"usage: showconfig [-v] [-o COLUMN,...] [--noheader] [--json] [NAME]\n"
	"\n"
	"Shows each parameter that slurmctld has in force, as maui.cfg would say it, and the line it\n"
	"comes from; whether maui.cfg was refused, and why. NAME is a parameter or an attribute\n"
	"(USERCFG, MAXJOB). maui config show does the same for a file, without slurmctld.\n"
	"\n"
	"  -v          also what has no value, or no effect in slurm-maui\n" MAUI_TABLE_USAGE
	"  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 5 no such parameter.\n";

enum { NAME_SIZE = 1024 };

static bool flag(json_object *object, const char *key)
{
	return maui_cmd_number(object, key, 0) != 0;
}

/* "USERCFG[amy] MAXJOB" and "4": an attribute's name stands with its value. */
static void add_parameter(struct maui_table *table, json_object *parameter)
{
	const char *name = maui_cmd_text(parameter, "name"),
		   *value = maui_cmd_text(parameter, "value");
	const char *blank = flag(parameter, "attribute") ? strrchr(name, ' ') : NULL;
	const char *def = maui_cmd_text(parameter, "default");
	char origin[NAME_SIZE], first[NAME_SIZE], second[2 * NAME_SIZE];
	const char *cells[] = { first, second, origin, *def ? def : "-",
				maui_cmd_text(parameter, "status") };

	snprintf(first, sizeof(first), "%.*s", blank ? (int)(blank - name) : (int)strlen(name),
		 name);
	if (blank)
		snprintf(second, sizeof(second), "%s=%s", blank + 1, value);
	else
		snprintf(second, sizeof(second), "%s", *value ? value : "-");
	snprintf(origin, sizeof(origin), "# %s", maui_cmd_text(parameter, "origin"));
	maui_table_add(table, cells);
}

static void print_head(json_object *result)
{
	int64_t now_s = maui_cmd_number(result, "time", 0);
	char when[MAUI_CMD_TIME_SIZE];
	json_object *refused;

	printf("# slurm-maui %s", maui_cmd_text(result, "version"));
	if (*maui_cmd_text(result, "slurm_version"))
		printf(" in slurmctld %s", maui_cmd_text(result, "slurm_version"));
	if (*maui_cmd_text(result, "cluster"))
		printf(", cluster %s", maui_cmd_text(result, "cluster"));
	maui_cmd_moment(maui_cmd_number(result, "read", 0), now_s, when, sizeof(when));
	if (json_object_object_get_ex(result, "refused", &refused) && flag(refused, "kept_copy"))
		printf("\n# in force: the kept copy of the last good maui.cfg, read %s\n", when);
	else
		printf("\n# in force: %s, read %s\n", maui_cmd_text(result, "path"), when);
	maui_cmd_print_refused(result, "# ");
	printf("\n");
}

static int print_parameters(const struct maui_cmd_common *common, json_object *result, bool verbose,
			    bool named)
{
	static const struct maui_column columns[] = {
		{ "# Name", false },  { "Value", false },  { "Origin", false },
		{ "Default", false }, { "Status", false },
	};
	enum { BRIEF = 3, ALL = 5 };
	struct maui_table *table =
		maui_cmd_table(common, columns, verbose || common->format ? ALL : BRIEF);

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < maui_cmd_length(result, "parameters"); i++) {
		json_object *one = maui_cmd_element(result, "parameters", i);
		bool in_force = flag(one, "honoured") && *maui_cmd_text(one, "value");

		if (verbose || named || in_force)
			add_parameter(table, one);
	}
	if (!maui_cmd_rows_only(common))
		print_head(result);
	maui_cmd_print_table(common, table);
	return MAUI_EXIT_OK;
}

int maui_cmd_showconfig(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "showconfig", .usage = usage };
	bool verbose = false;
	const struct maui_cmd_flag flags[] = { { 'v', &verbose }, { 0, NULL } };
	json_object *args, *result;
	const char *name;
	int rc = maui_cmd_flags(&common, argc, argv, flags, true);

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (argc - optind > 1)
		return maui_cmd_misuse(&common, "one NAME at most");
	name = argv[optind];
	args = json_object_new_object();
	if (name)
		json_object_object_add(args, "name", json_object_new_string(name));
	result = maui_cmd_ask(&common, MAUI_VERB_CONFIG, args, &rc);
	if (!result)
		return rc;
	if (common.json) {
		maui_cmd_print_json(&common, result);
		return MAUI_EXIT_OK;
	}
	rc = print_parameters(&common, result, verbose, name != NULL);
	json_object_put(result);
	return rc;
}
