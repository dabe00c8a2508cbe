/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.c - diagnose -r: reservations with all that is known of them */

#include "cmd/diagnose/diagnose.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/verbs.h"
#include "model/when.h"

enum { CELL = 32 };

/* "    Flags: A B", nothing when there is none. */
static void print_list(const char *title, json_object *rsv, const char *key)
{
	size_t count = maui_cmd_length(rsv, key);

	if (count == 0)
		return;
	printf("    %s:", title);
	for (size_t i = 0; i < count; i++)
		printf(" %s", json_object_get_string(maui_cmd_element(rsv, key, i)));
	printf("\n");
}

/* CL: what a job is. */
static void print_job(json_object *rsv)
{
	static const struct {
		const char *title, *key;
	} creds[] = {
		{ "USER", "user" }, { "GROUP", "group" }, { "ACCT", "account" },
		{ "QOS", "qos" },   { "CLASS", "class" },
	};

	printf("    ACL: JOB==%s=\n", maui_cmd_text(rsv, "name"));
	printf("    CL: JOB==%s", maui_cmd_text(rsv, "name"));
	for (size_t i = 0; i < sizeof(creds) / sizeof(creds[0]); i++)
		if (*maui_cmd_text(rsv, creds[i].key))
			printf(" %s==%s", creds[i].title, maui_cmd_text(rsv, creds[i].key));
	printf("\n");
}

static void print_task(json_object *rsv)
{
	int64_t procs = maui_cmd_number(rsv, "task_procs", 0);
	int64_t mem = maui_cmd_number(rsv, "task_mem_mb", 0);
	int64_t disk = maui_cmd_number(rsv, "task_disk_mb", 0);

	printf("    Task Resources: PROCS: ");
	if (procs < 0)
		printf("[ALL]");
	else
		printf("%" PRId64, procs);
	if (mem > 0)
		printf("  MEM: %" PRId64 "M", mem);
	if (disk > 0)
		printf("  DISK: %" PRId64 "M", disk);
	printf("\n");
}

static void print_attributes(json_object *rsv)
{
	static const struct {
		const char *title, *key;
	} texts[] = {
		{ "HostList", "host_list" }, { "Features", "features" },
		{ "Owner", "owner" },        { "ChargeAccount", "charge_account" },
		{ "SubType", "subtype" },    { "Stable", "stable_name" },
	};
	int64_t tasks = maui_cmd_number(rsv, "task_count", 0);
	const char *gap = "";

	printf("    Attributes (");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *text = maui_cmd_text(rsv, texts[i].key);

		if (*text && strcmp(text, maui_cmd_text(rsv, "name")) != 0) {
			printf("%s%s='%s'", gap, texts[i].title, text);
			gap = "  ";
		}
	}
	if (tasks > 0)
		printf("%sTaskCount='%" PRId64 "'", gap, tasks);
	printf(")\n");
}

/* Processor-hours used, of those that there were since it began. */
static void print_use(json_object *rsv)
{
	json_object *value;
	double used = 0, idle = 0;

	if (json_object_object_get_ex(rsv, "used_proc_seconds", &value))
		used = json_object_get_double(value) / 3600;
	if (json_object_object_get_ex(rsv, "idle_proc_seconds", &value))
		idle = json_object_get_double(value) / 3600;
	printf("    Active PH: %.2f/%.2f (%.2f%%)\n", used, used + idle,
	       used + idle > 0 ? 100 * used / (used + idle) : 0.0);
}

static void print_missing(json_object *rsv)
{
	char buf[MAUI_CMD_MISSING_SIZE];
	const char *missing = maui_cmd_missing(rsv, buf, sizeof(buf));

	if (missing)
		printf("    WARNING: partial: %s\n", missing);
}

static void print_detail(json_object *rsv)
{
	print_list("Flags", rsv, "flags");
	if (strcmp(maui_cmd_text(rsv, "type"), "Job") == 0) {
		print_job(rsv);
		return;
	}
	if (strcmp(maui_cmd_text(rsv, "type"), "Slurm") == 0) {
		printf("    (scontrol show reservation %s)\n", maui_cmd_text(rsv, "name"));
		return;
	}
	print_list("ACL", rsv, "acl");
	printf("    CL: RSV==%s\n", maui_cmd_text(rsv, "name"));
	print_task(rsv);
	print_attributes(rsv);
	print_list("Triggers", rsv, "triggers");
	print_use(rsv);
	print_missing(rsv);
}

static void add_row(struct maui_table *table, json_object *rsv, int64_t now_s)
{
	char start[MAUI_CMD_TIME_SIZE], end[MAUI_CMD_TIME_SIZE], duration[MAUI_CMD_TIME_SIZE];
	char nodes[CELL], tasks[CELL], procs[CELL];
	const char *partition = maui_cmd_text(rsv, "partition");
	int64_t end_s = maui_cmd_number(rsv, "end", MAUI_NEVER);
	const char *cells[] = {
		maui_cmd_text(rsv, "name"),
		maui_cmd_text(rsv, "type"),
		*partition ? partition : "ALL",
		start,
		end,
		duration,
		nodes,
		tasks,
		procs,
	};

	maui_cmd_span(maui_cmd_number(rsv, "start", 0) - now_s, start, sizeof(start));
	maui_cmd_span(end_s == MAUI_NEVER ? end_s : end_s - now_s, end, sizeof(end));
	maui_cmd_span(maui_cmd_number(rsv, "duration", MAUI_NEVER), duration, sizeof(duration));
	snprintf(nodes, sizeof(nodes), "%" PRId64, maui_cmd_number(rsv, "node_count", 0));
	snprintf(tasks, sizeof(tasks), "%" PRId64, maui_cmd_number(rsv, "tasks", 0));
	snprintf(procs, sizeof(procs), "%" PRId64, maui_cmd_number(rsv, "procs", 0));
	maui_table_add(table, cells);
}

/* The table's lines, each with what belongs to it. */
static void print_rows(json_object *result, char *text)
{
	size_t count = maui_cmd_length(result, "reservations");
	char *rest = text, *line;

	for (int head = 0; head < 2 && (line = strsep(&rest, "\n")); head++)
		printf("%s\n", line);
	for (size_t i = 0; i < count && (line = strsep(&rest, "\n")); i++) {
		printf("%s\n", line);
		print_detail(maui_cmd_element(result, "reservations", i));
	}
}

static int64_t active_procs(json_object *result, int64_t now_s)
{
	int64_t procs = 0;

	for (size_t i = 0; i < maui_cmd_length(result, "reservations"); i++) {
		json_object *rsv = maui_cmd_element(result, "reservations", i);

		if (maui_cmd_number(rsv, "start", 0) <= now_s)
			procs += maui_cmd_number(rsv, "procs", 0);
	}
	return procs;
}

/* What releaseres --undo takes back. */
static void print_released(json_object *result, int64_t now_s)
{
	char start[MAUI_CMD_TIME_SIZE], end[MAUI_CMD_TIME_SIZE];
	const char *gap = "\n";

	for (size_t i = 0; i < maui_cmd_length(result, "released"); i++) {
		json_object *one = maui_cmd_element(result, "released", i);
		int64_t end_s = maui_cmd_number(one, "end", MAUI_NEVER);

		printf("%s%s is released", gap, maui_cmd_text(one, "stable_name"));
		if (end_s != MAUI_NEVER)
			printf(", from %s to %s",
			       maui_cmd_moment(maui_cmd_number(one, "start", 0), now_s, start,
					       sizeof(start)),
			       maui_cmd_moment(end_s, now_s, end, sizeof(end)));
		printf(": releaseres --undo %s takes it back\n", maui_cmd_text(one, "stable_name"));
		gap = "";
	}
}

static int print_reservations(const struct maui_cmd_common *common, json_object *result)
{
	static const struct maui_column columns[] = {
		{ "ResID", false },    { "Type", true },    { "Par", true },
		{ "StartTime", true }, { "EndTime", true }, { "Duration", true },
		{ "Node", true },      { "Task", true },    { "Proc", true },
	};
	static const char *const rule[] = { "-----",    "----", "---",  "---------", "-------",
					    "--------", "----", "----", "----" };
	struct maui_table *table =
		maui_cmd_table(common, columns, sizeof(columns) / sizeof(columns[0]));
	bool rows_only = maui_cmd_rows_only(common);
	int64_t now_s = maui_cmd_number(result, "time", 0);
	char *text;

	if (!table)
		return MAUI_EXIT_USAGE;
	if (!rows_only)
		maui_table_add(table, rule);
	for (size_t i = 0; i < maui_cmd_length(result, "reservations"); i++)
		add_row(table, maui_cmd_element(result, "reservations", i), now_s);
	if (rows_only) {
		maui_cmd_print_table(common, table);
		return MAUI_EXIT_OK;
	}
	text = maui_table_text(table, false, false);
	printf("Diagnosing Reservations\n");
	if (text)
		print_rows(result, text);
	printf("\nActive Reserved Processors: %" PRId64 "\n", active_procs(result, now_s));
	print_released(result, now_s);
	maui_diagnose_print_warnings(result);
	maui_diagnose_print_refused(result);
	free(text);
	maui_table_destroy(table);
	return MAUI_EXIT_OK;
}

int maui_diagnose_reservations(const struct maui_cmd_common *common, const char *name)
{
	json_object *args = json_object_new_object(), *result;
	int rc;

	if (name)
		json_object_object_add(args, "name", json_object_new_string(name));
	if (common->json)
		json_object_object_add(args, "nodes", json_object_new_boolean(1));
	result = maui_cmd_ask(common, MAUI_VERB_RESERVATIONS, args, &rc);
	if (!result)
		return rc;
	if (common->json) {
		maui_cmd_print_json(common, result);
		return MAUI_EXIT_OK;
	}
	rc = print_reservations(common, result);
	json_object_put(result);
	return rc;
}
