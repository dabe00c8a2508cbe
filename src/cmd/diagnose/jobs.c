/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - diagnose -j: jobs and what is wrong with them; diagnose -q: what blocks each blocked job
 *
 * Rules: CMD-33.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "answers/verbs.h"
#include "cmd/diagnose/diagnose.h"
#include "model/when.h"

enum { CELL = 32 };

static const char *or_none(json_object *job, const char *key)
{
	const char *text = maui_cmd_text(job, key);

	return *text ? text : "-";
}

static void add_job(struct maui_table *table, json_object *job)
{
	char procs[CELL], limit[MAUI_CMD_TIME_SIZE], queued[MAUI_CMD_TIME_SIZE], mem[CELL];
	char disk[CELL];
	const char *cells[] = { maui_cmd_text(job, "job"),
				maui_cmd_text(job, "state"),
				or_none(job, "class"),
				procs,
				or_none(job, "qos"),
				limit,
				or_none(job, "user"),
				or_none(job, "group"),
				or_none(job, "account"),
				queued,
				mem,
				disk,
				or_none(job, "features") };

	snprintf(procs, sizeof(procs), "%" PRId64, maui_cmd_number(job, "procs", 0));
	snprintf(mem, sizeof(mem), "%" PRId64, maui_cmd_number(job, "mem_mb", 0));
	snprintf(disk, sizeof(disk), "%" PRId64, maui_cmd_number(job, "disk_mb", 0));
	maui_cmd_span(maui_cmd_number(job, "limit", MAUI_NEVER), limit, sizeof(limit));
	maui_cmd_span(maui_cmd_number(job, "queued", 0), queued, sizeof(queued));
	maui_table_add(table, cells);
}

/* "job 17 can never start: ...", `before` in front of the first; returns how many. */
static size_t print_texts(json_object *result, const char *key, const char *prefix,
			  const char *before)
{
	size_t count = 0;

	for (size_t i = 0; i < maui_cmd_length(result, "jobs"); i++) {
		json_object *job = maui_cmd_element(result, "jobs", i);

		for (size_t k = 0; k < maui_cmd_length(job, key); k++, count++) {
			printf("%s%sjob %s ", count == 0 ? before : "", prefix,
			       maui_cmd_text(job, "job"));
			printf("%s\n", json_object_get_string(maui_cmd_element(job, key, k)));
		}
	}
	return count;
}

static int print_jobs(const struct maui_cmd_common *common, json_object *result)
{
	static const struct maui_column columns[] = {
		{ "Name", false },     { "State", true },      { "Class", true }, { "Proc", true },
		{ "QOS", true },       { "WCLimit", true },    { "User", true },  { "Group", true },
		{ "Account", true },   { "QueuedTime", true }, { "Mem", true },   { "Disk", true },
		{ "Features", false },
	};
	struct maui_table *table =
		maui_cmd_table(common, columns, sizeof(columns) / sizeof(columns[0]));

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < maui_cmd_length(result, "jobs"); i++)
		add_job(table, maui_cmd_element(result, "jobs", i));
	maui_cmd_print_table(common, table);
	if (maui_cmd_rows_only(common))
		return MAUI_EXIT_OK;
	print_texts(result, "messages", "WARNING:  ", "\n");
	maui_diagnose_print_refused(result);
	return MAUI_EXIT_OK;
}

static int print_blocked(const struct maui_cmd_common *common, json_object *result)
{
	size_t count;

	if (common->format)
		return maui_cmd_misuse(common, "-q prints sentences, which have no columns");
	if (!common->noheader)
		printf("Diagnosing blocked jobs (policylevel SOFT  partition ALL)\n");
	count = print_texts(result, "blocked_by", "", common->noheader ? "" : "\n");
	if (count == 0 && !common->noheader)
		printf("\nno job is blocked\n");
	if (!common->noheader)
		maui_diagnose_print_refused(result);
	return MAUI_EXIT_OK;
}

static int diagnose(const struct maui_cmd_common *common, const char *name, bool blocked)
{
	json_object *args = json_object_new_object(), *result;
	int rc;

	if (name && maui_diagnose_put_job(common, args, name))
		return MAUI_EXIT_USAGE;
	json_object_object_add(args, "blocked", json_object_new_boolean(blocked));
	result = maui_cmd_ask(common, MAUI_VERB_JOBS, args, &rc);
	if (!result)
		return rc;
	if (common->json) {
		maui_cmd_print_json(common, result);
		return MAUI_EXIT_OK;
	}
	rc = blocked ? print_blocked(common, result) : print_jobs(common, result);
	json_object_put(result);
	return rc;
}

int maui_diagnose_jobs(const struct maui_cmd_common *common, const char *name)
{
	return diagnose(common, name, false);
}

int maui_diagnose_blocked(const struct maui_cmd_common *common, const char *name)
{
	return diagnose(common, name, true);
}
