/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairshare.c - diagnose -f: usage in each window and targets, in Maui's layout
 *
 * Rules: CMD-26.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/verbs.h"
#include "base/limits.h"
#include "cmd/diagnose/diagnose.h"

/* Type stands before Maui's columns when only rows are wanted: no section names the kind then. */
enum { TYPE, NAME, PERCENT, TARGET, WINDOWS };

static const struct {
	const char *kind, *title;
} sections[] = {
	{ "user", "USER" }, { "group", "GROUP" }, { "account", "ACCT" },
	{ "qos", "QOS" },   { "class", "CLASS" },
};
enum { SECTIONS = sizeof(sections) / sizeof(sections[0]), CELL = 32 };

struct layout {
	struct maui_table *table;
	struct maui_column *columns;
	char (*titles)[CELL];
	char (*cells)[CELL];
	const char **row;
	size_t windows;
	bool rows_only;
};

/* A row of empty cells but for its name. */
static void begin_row(struct layout *l, const char *name)
{
	for (size_t i = 0; i < WINDOWS + l->windows; i++) {
		l->cells[i][0] = '\0';
		l->row[i] = l->cells[i];
	}
	l->row[NAME] = name;
}

static void end_row(struct layout *l)
{
	maui_table_add(l->table, l->rows_only ? l->row : l->row + NAME);
}

static void add_weights(struct layout *l, json_object *result)
{
	begin_row(l, "FSWeight");
	l->row[PERCENT] = l->row[TARGET] = "-------";
	for (size_t i = 0; i < l->windows; i++)
		snprintf(l->cells[WINDOWS + i], CELL, "%.4f",
			 maui_cmd_double(maui_cmd_element(result, "windows", i), "weight"));
	end_row(l);
	begin_row(l, "TotalUsage");
	l->row[PERCENT] = "100.00";
	l->row[TARGET] = "-------";
	for (size_t i = 0; i < l->windows; i++)
		snprintf(l->cells[WINDOWS + i], CELL, "%.1f",
			 maui_cmd_double(maui_cmd_element(result, "windows", i), "total") / 3600);
	end_row(l);
}

/* "25.00+"; a cap in processor-seconds is a whole number. */
static void print_target(json_object *row, char *buf)
{
	json_object *target = maui_cmd_member(row, "target");
	const char *suffix = maui_cmd_text(target, "suffix");

	if (!target)
		snprintf(buf, CELL, "-------");
	else
		snprintf(buf, CELL, *suffix == '^' ? "%.0f%s" : "%.2f%s",
			 maui_cmd_double(target, "value"), suffix);
}

static void add_credential(struct layout *l, json_object *row, const char *type)
{
	json_object *used = maui_cmd_member(row, "used");
	char name[MAUI_NAME_MAX + 2];

	snprintf(name, sizeof(name), "%s%s", maui_cmd_text(row, "name"),
		 json_object_get_boolean(maui_cmd_member(row, "off_target")) ? "*" : "");
	begin_row(l, name);
	l->row[TYPE] = type;
	snprintf(l->cells[PERCENT], CELL, "%.2f", maui_cmd_double(row, "percent"));
	print_target(row, l->cells[TARGET]);
	for (size_t i = 0; i < l->windows; i++) {
		double value = json_object_get_double(json_object_array_get_idx(used, i));

		snprintf(l->cells[WINDOWS + i], CELL, value > 0 ? "%.2f" : "-------", value / 3600);
	}
	end_row(l);
}

static void add_section(struct layout *l, json_object *result, size_t section)
{
	size_t found = 0;

	for (size_t i = 0; i < maui_cmd_length(result, "credentials"); i++) {
		json_object *row = maui_cmd_element(result, "credentials", i);

		if (strcmp(maui_cmd_text(row, "kind"), sections[section].kind) != 0)
			continue;
		if (found++ == 0 && !l->rows_only) {
			begin_row(l, "");
			end_row(l);
			begin_row(l, sections[section].title);
			end_row(l);
			begin_row(l, "-------------");
			end_row(l);
		}
		add_credential(l, row, sections[section].title);
	}
}

static void print_head(json_object *result)
{
	json_object *weights = maui_cmd_member(result, "weights");
	char interval[MAUI_CMD_TIME_SIZE];
	bool ratio = json_object_get_boolean(maui_cmd_member(result, "ratio"));

	printf("FairShare Information\n\n");
	printf("Depth: %" PRId64 " intervals   Interval Length: %s   Decay Rate: %.2f\n\n",
	       maui_cmd_number(result, "depth", 0),
	       maui_cmd_span(maui_cmd_number(result, "interval", 0), interval, sizeof(interval)),
	       maui_cmd_double(result, "decay"));
	printf("FS Policy: %s%s\n", maui_cmd_text(result, "policy"), ratio ? "%" : "");
	printf("System FS Settings:  Target Usage: 0.00    Flags: 0\n");
	printf("FS Weights:  FSWEIGHT %g  USER %g  GROUP %g  ACCOUNT %g  QOS %g  CLASS %g\n\n",
	       maui_cmd_double(weights, "component"), maui_cmd_double(weights, "user"),
	       maui_cmd_double(weights, "group"), maui_cmd_double(weights, "account"),
	       maui_cmd_double(weights, "qos"), maui_cmd_double(weights, "class"));
}

static int make_layout(struct layout *l, const struct maui_cmd_common *common, json_object *result)
{
	l->windows = maui_cmd_length(result, "windows");
	l->rows_only = maui_cmd_rows_only(common);
	l->columns = calloc(WINDOWS + l->windows, sizeof(*l->columns));
	l->titles = calloc(l->windows + 1, sizeof(*l->titles));
	l->cells = calloc(WINDOWS + l->windows, sizeof(*l->cells));
	l->row = calloc(WINDOWS + l->windows, sizeof(*l->row));
	if (!l->columns || !l->titles || !l->cells || !l->row) {
		fprintf(stderr, "%s: error: out of memory\n", common->tool);
		return MAUI_EXIT_ERROR;
	}
	l->columns[TYPE].title = "Type";
	l->columns[NAME].title = "FSInterval";
	l->columns[PERCENT] = (struct maui_column){ "%", true };
	l->columns[TARGET] = (struct maui_column){ "Target", true };
	for (size_t i = 0; i < l->windows; i++) {
		snprintf(l->titles[i], CELL, "%zu", i);
		l->columns[WINDOWS + i] = (struct maui_column){ l->titles[i], true };
	}
	l->table = maui_cmd_table(common, l->rows_only ? l->columns : l->columns + NAME,
				  WINDOWS + l->windows - (l->rows_only ? 0 : NAME));
	return l->table ? MAUI_EXIT_OK : MAUI_EXIT_USAGE;
}

static void print_notes(json_object *result)
{
	int64_t left_out = maui_cmd_number(result, "left_out", 0);

	if (json_object_get_boolean(maui_cmd_member(result, "hidden")))
		printf("\nPrivateData=usage hides the usage of others.\n");
	if (left_out > 0)
		printf("\n%" PRId64 " names with less usage are left out.\n", left_out);
	if (json_object_get_boolean(maui_cmd_member(result, "partition_weights")))
		printf("\nSome partitions have weights of their own: maui config show.\n");
}

static int print_fairshare(const struct maui_cmd_common *common, json_object *result)
{
	struct layout l = { 0 };
	int rc = make_layout(&l, common, result);

	if (rc == MAUI_EXIT_OK) {
		if (!l.rows_only) {
			print_head(result);
			add_weights(&l, result);
		}
		for (size_t i = 0; i < SECTIONS; i++)
			add_section(&l, result, i);
		maui_cmd_print_table(common, l.table);
		if (!l.rows_only)
			print_notes(result);
	}
	free(l.columns);
	free(l.titles);
	free(l.cells);
	free(l.row);
	return rc;
}

int maui_diagnose_fairshare(const struct maui_cmd_common *common, const char *name)
{
	json_object *args = json_object_new_object(), *result;
	int rc;

	if (name)
		json_object_object_add(args, "name", json_object_new_string(name));
	result = maui_cmd_ask(common, MAUI_VERB_FAIRSHARE, args, &rc);
	if (!result)
		return rc;
	if (common->json) {
		maui_cmd_print_json(common, result);
		return MAUI_EXIT_OK;
	}
	rc = print_fairshare(common, result);
	json_object_put(result);
	return rc;
}
