/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - diagnose -n: nodes, available and configured resources, reservations, and totals
 *
 * Rules: CMD-33.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answers/verbs.h"
#include "base/strbuf.h"
#include "cmd/diagnose/diagnose.h"

enum { CELL = 48 };

static void add_node(struct maui_table *table, json_object *node)
{
	char procs[CELL], mem[CELL], disk[CELL], load[CELL], reservations[CELL];
	const char *features = maui_cmd_text(node, "features");
	struct maui_strbuf classes = { 0 };
	json_object *value = NULL;

	snprintf(procs, sizeof(procs), "%" PRId64 ":%" PRId64,
		 maui_cmd_number(node, "procs_available", 0), maui_cmd_number(node, "procs", 0));
	snprintf(mem, sizeof(mem), "%" PRId64 ":%" PRId64,
		 maui_cmd_number(node, "mem_mb_available", 0), maui_cmd_number(node, "mem_mb", 0));
	snprintf(disk, sizeof(disk), "%" PRId64 ":%" PRId64,
		 maui_cmd_number(node, "disk_mb_available", 0),
		 maui_cmd_number(node, "disk_mb", 0));
	json_object_object_get_ex(node, "load", &value);
	snprintf(load, sizeof(load), "%.2f", value ? json_object_get_double(value) : 0);
	snprintf(reservations, sizeof(reservations), "%" PRId64,
		 maui_cmd_number(node, "reservations", 0));
	for (size_t i = 0; i < maui_cmd_length(node, "classes"); i++)
		maui_strbuf_addf(&classes, "[%s]",
				 json_object_get_string(maui_cmd_element(node, "classes", i)));
	maui_table_add(table,
		       (const char *const[]){ maui_cmd_text(node, "name"),
					      maui_cmd_text(node, "state"), procs, mem, disk, load,
					      reservations, classes.text ? classes.text : "[NONE]",
					      *features ? features : "[NONE]" });
	maui_strbuf_finish(&classes);
}

/* The line of sums below the nodes. */
static void add_totals(struct maui_table *table, json_object *result)
{
	static const char *const keys[] = { "procs_available",   "procs",
					    "mem_mb_available",  "mem_mb",
					    "disk_mb_available", "disk_mb" };
	int64_t sums[sizeof(keys) / sizeof(keys[0])] = { 0 };
	char procs[CELL], mem[CELL], disk[CELL];

	for (size_t i = 0; i < maui_cmd_length(result, "nodes"); i++)
		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
			sums[k] +=
				maui_cmd_number(maui_cmd_element(result, "nodes", i), keys[k], 0);
	snprintf(procs, sizeof(procs), "%" PRId64 ":%" PRId64, sums[0], sums[1]);
	snprintf(mem, sizeof(mem), "%" PRId64 ":%" PRId64, sums[2], sums[3]);
	snprintf(disk, sizeof(disk), "%" PRId64 ":%" PRId64, sums[4], sums[5]);
	maui_table_add(table,
		       (const char *const[]){ "-----", "---", procs, mem, disk, "", "", "", "" });
}

static void print_counts(json_object *result)
{
	size_t count = maui_cmd_length(result, "nodes"), active = 0, idle = 0;

	for (size_t i = 0; i < count; i++) {
		const char *state = maui_cmd_text(maui_cmd_element(result, "nodes", i), "state");

		active += strcmp(state, "Busy") == 0 || strcmp(state, "Running") == 0;
		idle += strcmp(state, "Idle") == 0;
	}
	printf("\nTotal Nodes: %zu  (Active: %zu  Idle: %zu  Down: %zu)\n", count, active, idle,
	       count - active - idle);
}

/* What administrators wrote about nodes that are down or drained. */
static void print_notes(json_object *result)
{
	const char *gap = "\n";

	for (size_t i = 0; i < maui_cmd_length(result, "nodes"); i++) {
		json_object *node = maui_cmd_element(result, "nodes", i);

		if (!*maui_cmd_text(node, "note"))
			continue;
		printf("%sWARNING: node %s: ", gap, maui_cmd_text(node, "name"));
		printf("%s\n", maui_cmd_text(node, "note"));
		gap = "";
	}
}

static int print_nodes(const struct maui_cmd_common *common, json_object *result)
{
	static const struct maui_column columns[] = {
		{ "Name", false },  { "State", true },    { "Procs", true },
		{ "Memory", true }, { "Disk", true },     { "Load", true },
		{ "Res", true },    { "Classes", false }, { "Features", false },
	};
	struct maui_table *table =
		maui_cmd_table(common, columns, sizeof(columns) / sizeof(columns[0]));

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < maui_cmd_length(result, "nodes"); i++)
		add_node(table, maui_cmd_element(result, "nodes", i));
	if (maui_cmd_rows_only(common)) {
		maui_cmd_print_table(common, table);
		return MAUI_EXIT_OK;
	}
	add_totals(table, result);
	printf("diagnosing node table (%zu slots)\n\n", maui_cmd_length(result, "nodes"));
	maui_cmd_print_table(common, table);
	print_counts(result);
	print_notes(result);
	maui_diagnose_print_refused(result);
	return MAUI_EXIT_OK;
}

int maui_diagnose_nodes(const struct maui_cmd_common *common, const char *name)
{
	json_object *args = json_object_new_object(), *result;
	int rc;

	if (name)
		json_object_object_add(args, "name", json_object_new_string(name));
	result = maui_cmd_ask(common, MAUI_VERB_NODES, args, &rc);
	if (!result)
		return rc;
	if (common->json) {
		maui_cmd_print_json(common, result);
		return MAUI_EXIT_OK;
	}
	rc = print_nodes(common, result);
	json_object_put(result);
	return rc;
}
