/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_config_show.c - maui config show: every parameter with value, default and origin */

#include <libsmartcols.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_print.h"
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

static const struct maui_command command = {
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

static void row_to_json(const struct maui_config_row *row, void *arg)
{
	json_object *object = json_object_new_object();

	json_object_object_add(object, "name", json_object_new_string(row->name));
	json_object_object_add(object, "value", json_object_new_string(row->value));
	json_object_object_add(object, "default", json_object_new_string(row->def));
	json_object_object_add(object, "origin", json_object_new_string(row->origin));
	json_object_object_add(object, "status",
			       json_object_new_string(maui_status_name(row->row->status)));
	json_object_array_add(arg, object);
}

static void print_json(const struct maui_config *config, bool set_only)
{
	json_object *root = json_object_new_object(), *list = json_object_new_array();

	json_object_object_add(root, "meta", maui_cmd_json_meta("config show"));
	json_object_object_add(root, "parameters", list);
	maui_config_show(config, set_only, row_to_json, list);
	maui_json_print(stdout, root);
}

static void row_to_table(const struct maui_config_row *row, void *arg)
{
	struct libscols_line *line = scols_table_new_line(arg, NULL);

	if (!line)
		return;
	scols_line_set_data(line, 0, row->name);
	scols_line_set_data(line, 1, *row->value ? row->value : "-");
	scols_line_set_data(line, 2, *row->def ? row->def : "-");
	scols_line_set_data(line, 3, row->origin);
	scols_line_set_data(line, 4, maui_status_name(row->row->status));
}

static int print_table(const struct maui_config *config, bool set_only)
{
	struct libscols_table *table;

	/* only for printing, since case means another thing to strcasecmp() in some locales:
	 * libsmartcols escapes what the locale does not know */
	setlocale(LC_CTYPE, "");
	table = scols_new_table();
	if (!table)
		return MAUI_EXIT_ERROR;
	scols_table_new_column(table, "NAME", 0, 0);
	scols_table_new_column(table, "VALUE", 0, 0);
	scols_table_new_column(table, "DEFAULT", 0, 0);
	scols_table_new_column(table, "ORIGIN", 0, 0);
	scols_table_new_column(table, "STATUS", 0, 0);
	if (!isatty(STDOUT_FILENO))
		scols_table_enable_nowrap(table, 1);
	maui_config_show(config, set_only, row_to_table, table);
	scols_print_table(table);
	scols_unref_table(table);
	return MAUI_EXIT_OK;
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
	struct maui_cmd_common common = { .tool = "maui config show", .command = &command };
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
		print_json(config, options.set_only);
	} else {
		rc = print_table(config, options.set_only);
	}
	maui_config_unref(config);
	maui_diags_finish(&diags);
	free(path);
	return rc;
}
