/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showconfig.c - showconfig: the maui.cfg that slurmctld has in force, and one that it refused
 *
 * The lines have the form of a maui.cfg; what is not a setting is a comment.
 *
 * Rules: CMD-32.
 */

#include <stdio.h>
#include <string.h>

#include "base/moment.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "verbs/config.h"

struct options {
	bool verbose;
	struct maui_config_args args;
};

static const struct maui_option options[] = {
	MAUI_FLAG('v', NULL, options, verbose,
		  "also what has no value, or no effect in slurm-maui"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "showconfig [-v] [-o COLUMN,...] [--noheader] [--json] [NAME]",
	.about =
		"Shows each parameter that slurmctld has in force, as maui.cfg would say it, and "
		"the line it comes from; whether maui.cfg was refused, and why. NAME is a "
		"parameter or an attribute (USERCFG, MAXJOB). maui config show does the same for a "
		"file, without slurmctld.",
	.options = options,
	.table = true,
	.operands = 1,
	.notes = MAUI_EXITS ", 5 no such parameter.",
};

enum { NAME_SIZE = 1024 };

/* The blank before the attribute; a blank between quotes belongs to an index. NULL: none. */
static const char *find_attribute(const char *name)
{
	size_t length = maui_word_length(name, " ");

	return name[length] == ' ' ? name + length : NULL;
}

/* "USERCFG[amy] MAXJOB" and "4": an attribute's name stands with its value. */
static void add_parameter(struct maui_table *table, const struct maui_config_parameter *parameter)
{
	const char *name = parameter->name, *value = parameter->value;
	const char *blank = parameter->attribute ? find_attribute(name) : NULL;
	char origin[NAME_SIZE], first[NAME_SIZE], second[2 * NAME_SIZE];
	const char *cells[] = { first, second, origin, *parameter->def ? parameter->def : "-",
				parameter->status };

	snprintf(first, sizeof(first), "%.*s", blank ? (int)(blank - name) : (int)strlen(name),
		 name);
	if (blank)
		snprintf(second, sizeof(second), "%s=%s", blank + 1, value);
	else
		snprintf(second, sizeof(second), "%s", *value ? value : "-");
	snprintf(origin, sizeof(origin), "# %s", parameter->origin);
	maui_table_add(table, cells);
}

static void print_head(const struct maui_config_answer *config)
{
	char when[MAUI_MOMENT_SIZE];

	printf("# slurm-maui %s", config->version);
	if (*config->slurm_version)
		printf(" in slurmctld %s", config->slurm_version);
	if (*config->cluster)
		printf(", cluster %s", config->cluster);
	maui_moment_as_maui(config->read, config->time, when, sizeof(when));
	if (config->refused && config->refused->kept_copy)
		printf("\n# in force: the kept copy of the last good maui.cfg, read %s\n", when);
	else
		printf("\n# in force: %s, read %s\n", config->path, when);
	maui_cmd_show_refused(config->refused, config->time, "# ");
	if (*config->unread)
		printf("# NOT READ, since %s at the latest: %s. maui reconfigure has slurmctld read "
		       "it.\n",
		       maui_moment_as_maui(config->unread_since, config->time, when, sizeof(when)),
		       config->unread);
	printf("\n");
}

static int print_config(const struct maui_tool_common *common, const void *opts, const void *record)
{
	const struct options *o = opts;
	const struct maui_config_answer *config = record;
	static const struct maui_column columns[] = {
		{ "# Name", false },  { "Value", false },  { "Origin", false },
		{ "Default", false }, { "Status", false },
	};
	enum { BRIEF = 3, ALL = 5 };
	struct maui_table *table =
		maui_tool_table(common, columns, o->verbose || common->format ? ALL : BRIEF);

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < config->parameters_count; i++) {
		const struct maui_config_parameter *one = &config->parameters[i];

		if (o->verbose || o->args.name || (one->honoured && *one->value))
			add_parameter(table, one);
	}
	if (!maui_tool_rows_only(common))
		print_head(config);
	maui_tool_print_table(common, table);
	return MAUI_EXIT_OK;
}

static int run_showconfig(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "showconfig", .command = &command };
	struct options o = { 0 };
	int rc = maui_cmd_read(&common, &o, argc, argv);

	if (common.done)
		return rc;
	o.args.name = *common.operands;
	return maui_cmd_show(&common, &maui_verb_config, &o.args, print_config, &o);
}

MAUI_COMMAND(showconfig, "show the configuration in force");
