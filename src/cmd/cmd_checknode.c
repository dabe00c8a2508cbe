/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_checknode.c - checknode: one node, why it is down or drained, and who holds it until when
 *
 * Rules: CMD-65.
 */

#include <inttypes.h>
#include <stdio.h>

#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/list.h"
#include "cmd/query.h"
#include "verbs/nodes.h"

static const struct maui_command command = {
	.synopsis = "checknode [--json] NODE",
	.about =
		"Shows a node as the scheduler sees it: its state, and why it is down or drained; "
		"what jobs may use, and what is free now; its jobs and reservations, also those to "
		"come. diagnose -n lists all nodes.",
	.operands = 1,
	.missing = "name one node",
	.notes = MAUI_EXITS ", 4 not permitted, 5 no such node.",
};

/* "Configured:  4 processors, 2000 MB memory"; `has_disk`: a disk is configured. */
static void print_amounts(const char *title, int64_t procs, int64_t mem_mb, bool has_disk,
			  int64_t disk_mb)
{
	printf("%s %" PRId64 " processor%s, %" PRId64 " MB memory", title, procs,
	       maui_plural(procs), mem_mb);
	if (has_disk)
		printf(", %" PRId64 " MB disk", disk_mb);
	printf("\n");
}

static void print_node(const struct maui_nodes_node *node)
{
	bool has_disk = node->disk_mb > 0;

	printf("node %s\n\nState:      %s\n", node->name, maui_node_state_words[node->state]);
	if (*node->note)
		printf("Reason:     %s\n", node->note);
	print_amounts("Configured:", node->procs, node->mem_mb, has_disk, node->disk_mb);
	print_amounts("Available: ", node->procs_available, node->mem_mb_available, has_disk,
		      node->disk_mb_available);
	maui_cmd_show_gres(node->gres, node->gres_count, "Generic:    ", " free");
	printf("Load:       %.2f\n", node->load);
	printf("Classes:    ");
	for (size_t i = 0; i < node->classes_count; i++)
		printf("[%s]", node->classes[i]);
	printf("%s\n", node->classes_count ? "" : "[NONE]");
	printf("Features:   %s\n", *node->features ? node->features : "[NONE]");
}

#define HOLDER(member) offsetof(struct maui_nodes_holder, member)

static const struct maui_shown columns[] = {
	{ { "ReservationID", false }, MAUI_SHOWN_TEXT, HOLDER(name), 0, NULL },
	{ { "Type", true }, MAUI_SHOWN_TEXT, HOLDER(type), 0, NULL },
	{ { "State", true }, MAUI_SHOWN_STATE, HOLDER(state), 0, NULL },
	{ { "User", false }, MAUI_SHOWN_TEXT, HOLDER(user), 0, NULL },
	{ { "Procs", true }, MAUI_SHOWN_NUMBER, HOLDER(procs), 0, NULL },
	{ { "Start", true }, MAUI_SHOWN_REMAINING, HOLDER(start), 0, NULL },
	{ { "End", true }, MAUI_SHOWN_REMAINING, HOLDER(end), 0, NULL },
	{ { "StartTime", false }, MAUI_SHOWN_DATE, HOLDER(start), 0, NULL },
	{ { "Gres", false }, MAUI_SHOWN_TEXT, HOLDER(gres), 0, NULL },
};

/* Jobs and reservations. The last column is for nodes that have any. */
static void print_reserved(const struct maui_tool_common *common,
			   const struct maui_nodes_node *node, int64_t now_s)
{
	const struct maui_shown_list shown = { columns, sizeof(columns) / sizeof(columns[0]) -
								(node->gres_count > 0 ? 0 : 1) };
	struct maui_table *table;

	if (node->reserved_count == 0) {
		printf("\nNo job and no reservation holds it\n");
		return;
	}
	table = maui_shown_table(common, &shown);
	maui_shown_add(table, &shown, node->reserved, node->reserved_count, sizeof(*node->reserved),
		       now_s);
	printf("\nReservations\n\n");
	maui_tool_print_table(common, table);
}

static int print_answer(const struct maui_tool_common *common, const void *options,
			const void *record)
{
	const struct maui_nodes *nodes = record;

	(void)options;
	if (nodes->nodes_count > 0) {
		print_node(&nodes->nodes[0]);
		print_reserved(common, &nodes->nodes[0], nodes->time);
	}
	return MAUI_EXIT_OK;
}

static int run_checknode(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "checknode", .command = &command };
	int rc = maui_cmd_read(&common, NULL, argc, argv);
	struct maui_nodes_args args;

	if (common.done)
		return rc;
	args.name = *common.operands;
	if (!*args.name)
		return maui_tool_misuse(&common, "name one node");
	return maui_cmd_show(&common, &maui_verb_nodes, &args, print_answer, NULL);
}

MAUI_COMMAND(checknode, "show a node, and who holds it until when");
