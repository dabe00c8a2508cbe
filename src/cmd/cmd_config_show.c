/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_config_show.c - maui config show: every parameter with value, default and origin */

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/need.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "config/config.h"
#include "config/show.h"

struct options {
	struct maui_cmd_options files;
	bool set_only;
};

static const struct maui_option known[] = {
	MAUI_FLAG(0, "set", options, set_only, "leaves out what the file does not set"),
	MAUI_SLURM_CONF_OPTION(options, files.slurm_conf),
	{ 0 },
};

const struct maui_command maui_config_show_usage = {
	.synopsis = "maui config show [FILE] [--set] [--json] [--slurm-conf FILE]",
	.about =
		"Prints one line a parameter, and one for each attribute that the file sets: name, "
		"the value that the file gives it, default, the line it comes from, and what "
		"becomes of it (maui config explain NAME). What a running slurmctld has in force "
		"may be an earlier file: that is in its log.",
	.options = known,
	.operands = 1,
	.notes = "Exit status: 0 no error, 1 errors, 2 usage.",
};

#define ROW_FIELDS(F, R)                                      \
	F(R, TEXT, name, "`FSPOLICY`, `USERCFG[amy] MAXJOB`") \
	F(R, TEXT, value, "as in maui.cfg; empty: none")      \
	F(R, TEXT_AS, def, "empty: none", "default")          \
	F(R, TEXT, origin, "`maui.cfg:3`, `default`")         \
	F(R, TEXT, status, "honoured, different, ignored, not yet ...")
MAUI_RECORD(maui_config_shown_row, ROW_FIELDS);
MAUI_RECORD_TYPE(maui_config_shown_row, ROW_FIELDS);

#define SHOWN_FIELDS(F, R) \
	F(R, LIST, parameters, "in the order of the schema", maui_config_shown_row)
MAUI_RECORD(maui_config_shown, SHOWN_FIELDS);
MAUI_RECORD_TYPE(maui_config_shown, SHOWN_FIELDS);

struct listing {
	struct maui_config_shown_row *rows;
	size_t count, alloc;
	struct maui_arena arena;
};

static void row_to_list(const struct maui_config_row *row, void *arg)
{
	struct listing *listing = arg;

	listing->rows = maui_need_more(listing->rows, listing->count, &listing->alloc,
				       sizeof(*listing->rows));
	listing->rows[listing->count++] = (struct maui_config_shown_row){
		.name = maui_need(maui_arena_strdup(&listing->arena, row->name)),
		.value = maui_need(maui_arena_strdup(&listing->arena, row->value)),
		.def = row->def,
		.origin = maui_need(maui_arena_strdup(&listing->arena, row->origin)),
		.status = row->status,
	};
}

static void print_json(const struct maui_tool_common *common, const struct maui_config *config,
		       bool set_only)
{
	struct listing listing = { 0 };
	struct maui_config_shown shown;

	maui_config_show(config, set_only, row_to_list, &listing);
	shown.parameters = listing.rows;
	shown.parameters_count = listing.count;
	maui_cmd_print_report_json(common, &maui_config_shown_type, &shown);
	free(listing.rows);
	maui_arena_finish(&listing.arena);
}

static void row_to_table(const struct maui_config_row *row, void *arg)
{
	maui_table_add(arg, (const char *const[]){ row->name, *row->value ? row->value : "-",
						   *row->def ? row->def : "-", row->origin,
						   row->status });
}

static void print_table(const struct maui_tool_common *common, const struct maui_config *config,
			bool set_only)
{
	static const struct maui_column columns[] = { { "NAME", false },
						      { "VALUE", false },
						      { "DEFAULT", false },
						      { "ORIGIN", false },
						      { "STATUS", false } };
	struct maui_table *table =
		maui_tool_table(common, columns, sizeof(columns) / sizeof(columns[0]));

	maui_config_show(config, set_only, row_to_table, table);
	maui_tool_print_table(common, table);
}

static void print_errors(const struct maui_diags *diags)
{
	char text[2048];

	for (size_t i = 0; i < diags->count; i++) {
		if (diags->list[i].severity != MAUI_ERROR)
			continue;
		maui_diag_format(&diags->list[i], text, sizeof(text));
		fprintf(stderr, "%s\n", text);
	}
}

int maui_cmd_config_show(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui config show",
					   .command = &maui_config_show_usage };
	struct options options = { 0 };
	struct maui_diags diags = { 0 };
	struct maui_config *config;
	char *path;
	int rc = maui_cmd_read(&common, &options, argc, argv);

	if (!common.done)
		rc = maui_cmd_slurm_conf_check(&options.files);
	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	options.files.operand = *common.operands;
	path = maui_cmd_config_path(&options.files);
	config = maui_config_load(path, NULL, &diags);
	if (!config) {
		print_errors(&diags);
		rc = MAUI_EXIT_ERROR;
	} else if (common.json) {
		print_json(&common, config, options.set_only);
	} else {
		print_table(&common, config, options.set_only);
	}
	maui_config_unref(config);
	maui_diags_finish(&diags);
	free(path);
	return rc;
}
