/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - diagnose -n: nodes, available and configured resources, reservations, and totals
 *
 * Rules: CMD-33.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd/diagnose/diagnose.h"
#include "verbs/nodes.h"

enum { CELL = 48 };

/* "2:4" */
static const char *ratio(int64_t available, int64_t configured, char *buf)
{
	snprintf(buf, CELL, "%" PRId64 ":%" PRId64, available, configured);
	return buf;
}

static void add_node(struct maui_table *table, const struct maui_nodes_node *node)
{
	char procs[CELL], mem[CELL], disk[CELL], load[CELL], reservations[CELL];
	struct maui_strbuf classes = { 0 };

	snprintf(load, sizeof(load), "%.2f", node->load);
	snprintf(reservations, sizeof(reservations), "%" PRId64, node->reservations);
	for (size_t i = 0; i < node->classes_count; i++)
		maui_strbuf_addf(&classes, "[%s]", node->classes[i]);
	maui_table_add(table, (const char *const[]){
				      node->name, maui_node_state_words[node->state],
				      ratio(node->procs_available, node->procs, procs),
				      ratio(node->mem_mb_available, node->mem_mb, mem),
				      ratio(node->disk_mb_available, node->disk_mb, disk), load,
				      reservations, classes.text ? classes.text : "[NONE]",
				      *node->features ? node->features : "[NONE]" });
	maui_strbuf_finish(&classes);
}

/* The line of sums below the nodes. */
static void add_totals(struct maui_table *table, const struct maui_nodes *nodes)
{
	struct maui_nodes_node sum = { 0 };
	char procs[CELL], mem[CELL], disk[CELL];

	for (size_t i = 0; i < nodes->nodes_count; i++) {
		const struct maui_nodes_node *node = &nodes->nodes[i];

		sum.procs_available += node->procs_available;
		sum.procs += node->procs;
		sum.mem_mb_available += node->mem_mb_available;
		sum.mem_mb += node->mem_mb;
		sum.disk_mb_available += node->disk_mb_available;
		sum.disk_mb += node->disk_mb;
	}
	maui_table_add(table,
		       (const char *const[]){
			       "-----", "---", ratio(sum.procs_available, sum.procs, procs),
			       ratio(sum.mem_mb_available, sum.mem_mb, mem),
			       ratio(sum.disk_mb_available, sum.disk_mb, disk), "", "", "", "" });
}

static void print_counts(const struct maui_nodes *nodes)
{
	size_t count = nodes->nodes_count, active = 0, idle = 0;

	for (size_t i = 0; i < count; i++) {
		enum maui_node_state state = nodes->nodes[i].state;

		active += state == MAUI_NODE_BUSY || state == MAUI_NODE_RUNNING;
		idle += state == MAUI_NODE_IDLE;
	}
	printf("\nTotal Nodes: %zu  (Active: %zu  Idle: %zu  Down: %zu)\n", count, active, idle,
	       count - active - idle);
}

/* What administrators wrote about nodes that are down or drained. */
static void print_notes(const struct maui_nodes *nodes)
{
	const char *gap = "\n";

	for (size_t i = 0; i < nodes->nodes_count; i++) {
		const struct maui_nodes_node *node = &nodes->nodes[i];

		if (!*node->note)
			continue;
		printf("%sWARNING: node %s: %s\n", gap, node->name, node->note);
		gap = "";
	}
}

static int print_nodes(const struct maui_tool_common *common, const void *options,
		       const void *record)
{
	const struct maui_nodes *nodes = record;
	static const struct maui_column columns[] = {
		{ "Name", false },  { "State", true },    { "Procs", true },
		{ "Memory", true }, { "Disk", true },     { "Load", true },
		{ "Res", true },    { "Classes", false }, { "Features", false },
	};
	struct maui_table *table =
		maui_tool_table(common, columns, sizeof(columns) / sizeof(columns[0]));

	(void)options;
	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < nodes->nodes_count; i++)
		add_node(table, &nodes->nodes[i]);
	if (maui_tool_rows_only(common)) {
		maui_tool_print_table(common, table);
		return MAUI_EXIT_OK;
	}
	add_totals(table, nodes);
	printf("diagnosing node table (%zu slots)\n\n", nodes->nodes_count);
	maui_tool_print_table(common, table);
	print_counts(nodes);
	print_notes(nodes);
	maui_diagnose_show_refused(nodes->refused, nodes->time);
	return MAUI_EXIT_OK;
}

int maui_diagnose_nodes(const struct maui_tool_common *common, const char *name)
{
	const struct maui_nodes_args args = { .name = name };

	return maui_cmd_show(common, &maui_verb_nodes, &args, print_nodes, NULL);
}
