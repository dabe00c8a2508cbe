/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_checknode.c - checknode: one node, why it is down or drained, and who holds it until when
 *
 * Rules: CMD-65.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answers/verbs.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "model/when.h"

static const char usage[] =
	"usage: checknode [--json] NODE\n"
	"\n"
	"Shows a node as the scheduler sees it: its state, and why it is down or drained; what jobs\n"
	"may use, and what is free now; its jobs and reservations, also those to come.\n"
	"diagnose -n lists all nodes.\n"
	"\n"
	"  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such node.\n";

enum { CELL = 32 };

/* "Configured:  4 processors, 2000 MB memory" */
static void print_amounts(const char *title, json_object *node, const char *procs, const char *mem,
			  const char *disk)
{
	printf("%s %" PRId64 " processor%s, %" PRId64 " MB memory", title,
	       maui_cmd_number(node, procs, 0), maui_cmd_number(node, procs, 0) == 1 ? "" : "s",
	       maui_cmd_number(node, mem, 0));
	if (maui_cmd_number(node, "disk_mb", 0) > 0)
		printf(", %" PRId64 " MB disk", maui_cmd_number(node, disk, 0));
	printf("\n");
}

static void print_node(json_object *node)
{
	const char *features = maui_cmd_text(node, "features"), *note = maui_cmd_text(node, "note");

	printf("node %s\n\nState:      ", maui_cmd_text(node, "name"));
	printf("%s\n", maui_cmd_text(node, "state"));
	if (*note)
		printf("Reason:     %s\n", note);
	print_amounts("Configured:", node, "procs", "mem_mb", "disk_mb");
	print_amounts("Available: ", node, "procs_available", "mem_mb_available",
		      "disk_mb_available");
	maui_cmd_print_gres(node, "Generic:    ", " free");
	printf("Load:       %.2f\n", maui_cmd_double(node, "load"));
	printf("Classes:    ");
	for (size_t i = 0; i < maui_cmd_length(node, "classes"); i++)
		printf("[%s]", json_object_get_string(maui_cmd_element(node, "classes", i)));
	printf("%s\n", maui_cmd_length(node, "classes") ? "" : "[NONE]");
	printf("Features:   %s\n", *features ? features : "[NONE]");
}

static void add_reserved(struct maui_table *table, json_object *one, int64_t now_s)
{
	char start[MAUI_CMD_TIME_SIZE], end[MAUI_CMD_TIME_SIZE], procs[CELL];
	char moment[MAUI_CMD_TIME_SIZE];
	int64_t start_s = maui_cmd_number(one, "start", 0);
	int64_t end_s = maui_cmd_number(one, "end", MAUI_NEVER);
	const char *gres = maui_cmd_text(one, "gres");
	const char *user = maui_cmd_text(one, "user"), *state = maui_cmd_text(one, "state");

	snprintf(procs, sizeof(procs), "%" PRId64, maui_cmd_number(one, "procs", 0));
	maui_table_add(table, (const char *const[]){
				      maui_cmd_text(one, "name"), maui_cmd_text(one, "type"),
				      *state ? state : "-", *user ? user : "-", procs,
				      maui_cmd_span(start_s - now_s, start, sizeof(start)),
				      maui_cmd_span(end_s == MAUI_NEVER ? end_s : end_s - now_s,
						    end, sizeof(end)),
				      maui_cmd_moment(start_s, now_s, moment, sizeof(moment)),
				      *gres ? gres : "-" });
}

/* Jobs and reservations. */
static void print_reserved(const struct maui_cmd_common *common, json_object *node, int64_t now_s)
{
	static const struct maui_column columns[] = {
		{ "ReservationID", false },
		{ "Type", true },
		{ "State", true },
		{ "User", false },
		{ "Procs", true },
		{ "Start", true },
		{ "End", true },
		{ "StartTime", false },
		{ "Gres", false },
	};
	/* the last column only where the node has any */
	size_t shown =
		sizeof(columns) / sizeof(columns[0]) - (maui_cmd_length(node, "gres") > 0 ? 0 : 1);
	size_t count = maui_cmd_length(node, "reserved");
	struct maui_table *table = maui_cmd_table(common, columns, shown);

	if (count == 0) {
		printf("\nNo job and no reservation holds it\n");
		maui_table_destroy(table);
		return;
	}
	for (size_t i = 0; table && i < count; i++)
		add_reserved(table, maui_cmd_element(node, "reserved", i), now_s);
	printf("\nReservations\n\n");
	maui_cmd_print_table(common, table);
}

int maui_cmd_checknode(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "checknode", .usage = usage };
	const struct maui_cmd_flag none[] = { { 0, NULL } };
	json_object *args, *result, *node;
	int rc = maui_cmd_flags(&common, argc, argv, none, false);

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (argc - optind != 1 || !*argv[optind])
		return maui_cmd_misuse(&common, "name one node");
	args = json_object_new_object();
	json_object_object_add(args, "name", json_object_new_string(argv[optind]));
	result = maui_cmd_ask(&common, MAUI_VERB_NODES, args, &rc);
	if (!result)
		return rc;
	if (common.json) {
		maui_cmd_print_json(&common, result);
		return MAUI_EXIT_OK;
	}
	node = maui_cmd_element(result, "nodes", 0);
	print_node(node);
	print_reserved(&common, node, maui_cmd_number(result, "time", 0));
	json_object_put(result);
	return MAUI_EXIT_OK;
}
