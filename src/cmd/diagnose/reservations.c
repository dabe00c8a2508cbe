/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.c - diagnose -r: reservations with all that is known of them */

#include "cmd/diagnose/diagnose.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/moment.h"
#include "cmd/list.h"
#include "cmd/missing.h"
#include "model/when.h"
#include "verbs/reservations.h"

/* "    Flags: A B", nothing when there is none. */
static void print_list(const char *title, const char *const *texts, size_t count)
{
	if (count == 0)
		return;
	printf("    %s:", title);
	for (size_t i = 0; i < count; i++)
		printf(" %s", texts[i]);
	printf("\n");
}

/* CL: what a job is. */
static void print_job(const char *name, const struct maui_rsv_job *job)
{
	const struct {
		const char *title, *text;
	} creds[] = {
		{ "USER", job->user }, { "GROUP", job->group }, { "ACCT", job->account },
		{ "QOS", job->qos },   { "CLASS", job->class },
	};

	printf("    ACL: JOB==%s=\n", name);
	printf("    CL: JOB==%s", name);
	for (size_t i = 0; i < sizeof(creds) / sizeof(creds[0]); i++) {
		/* as in access lists: a blank ends no name in quotes */
		const char *quote = strchr(creds[i].text, ' ') ? "\"" : "";

		if (*creds[i].text)
			printf(" %s==%s%s%s", creds[i].title, quote, creds[i].text, quote);
	}
	printf("\n");
}

static void print_task(const struct maui_rsv_ours *ours)
{
	printf("    Task Resources: PROCS: ");
	if (ours->task_procs < 0)
		printf("[ALL]");
	else
		printf("%" PRId64, ours->task_procs);
	if (ours->task_mem_mb > 0)
		printf("  MEM: %" PRId64 "M", ours->task_mem_mb);
	if (ours->task_disk_mb > 0)
		printf("  DISK: %" PRId64 "M", ours->task_disk_mb);
	printf("\n");
}

static void print_attributes(const struct maui_rsv_row *rsv, const struct maui_rsv_ours *ours)
{
	const struct {
		const char *title, *text;
	} texts[] = {
		{ "HostList", ours->host_list }, { "Features", ours->features },
		{ "Owner", ours->owner },        { "ChargeAccount", ours->charge_account },
		{ "SubType", ours->subtype },    { "Stable", rsv->stable_name },
	};
	const char *gap = "";

	printf("    Attributes (");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (*texts[i].text && strcmp(texts[i].text, rsv->name) != 0) {
			printf("%s%s='%s'", gap, texts[i].title, texts[i].text);
			gap = "  ";
		}
	if (ours->task_count > 0)
		printf("%sTaskCount='%" PRId64 "'", gap, ours->task_count);
	printf(")\n");
}

/* Processor-hours used, of those that there were since it began. */
static void print_use(const struct maui_rsv_ours *ours)
{
	double used = ours->used_proc_seconds / 3600, idle = ours->idle_proc_seconds / 3600;

	printf("    Active PH: %.2f/%.2f (%.2f%%)\n", used, used + idle,
	       used + idle > 0 ? 100 * used / (used + idle) : 0.0);
}

static void print_missing(const struct maui_rsv_row *rsv)
{
	char buf[MAUI_MISSING_SIZE];
	const char *missing = maui_missing(rsv, buf, sizeof(buf));

	if (missing)
		printf("    WARNING: partial: %s\n", missing);
}

static void print_detail(const struct maui_rsv_row *rsv)
{
	const struct maui_rsv_ours *ours = rsv->ours;

	if (rsv->job)
		print_job(rsv->name, rsv->job);
	else if (strcmp(rsv->type, "Slurm") == 0)
		printf("    (scontrol show reservation %s)\n", rsv->name);
	if (!ours)
		return;
	print_list("Flags", ours->flags, ours->flags_count);
	print_list("ACL", ours->acl, ours->acl_count);
	printf("    CL: RSV==%s\n", rsv->name);
	print_task(ours);
	print_attributes(rsv, ours);
	print_list("Triggers", ours->triggers, ours->triggers_count);
	print_use(ours);
	print_missing(rsv);
}

/* ---- the table ---- */

static const char *format_partition(const void *row, int64_t now_s, char *buf)
{
	const struct maui_rsv_row *rsv = row;

	(void)now_s;
	(void)buf;
	return *rsv->partition ? rsv->partition : "ALL";
}

#define RSV(member) offsetof(struct maui_rsv_row, member)

static const struct maui_shown columns[] = {
	{ { "ResID", false }, MAUI_SHOWN_TEXT, RSV(name), 0, NULL },
	{ { "Type", true }, MAUI_SHOWN_TEXT, RSV(type), 0, NULL },
	{ { "Par", true }, MAUI_SHOWN_FORMATTED, 0, 0, format_partition },
	{ { "StartTime", true }, MAUI_SHOWN_REMAINING, RSV(start), 0, NULL },
	{ { "EndTime", true }, MAUI_SHOWN_REMAINING, RSV(end), 0, NULL },
	{ { "Duration", true }, MAUI_SHOWN_SPAN, RSV(duration), 0, NULL },
	{ { "Node", true }, MAUI_SHOWN_NUMBER, RSV(node_count), 0, NULL },
	{ { "Task", true }, MAUI_SHOWN_NUMBER, RSV(tasks), 0, NULL },
	{ { "Proc", true }, MAUI_SHOWN_NUMBER, RSV(procs), 0, NULL },
};
static const struct maui_shown_list shown = MAUI_SHOWN_LIST(columns);

/* The table's lines, each with what belongs to it. */
static void print_rows(const struct maui_reservations *answer, char *text)
{
	char *rest = text, *line;

	for (int head = 0; head < 2 && (line = strsep(&rest, "\n")); head++)
		printf("%s\n", line);
	for (size_t i = 0; i < answer->reservations_count && (line = strsep(&rest, "\n")); i++) {
		printf("%s\n", line);
		print_detail(&answer->reservations[i]);
	}
}

static int64_t active_procs(const struct maui_reservations *answer)
{
	int64_t procs = 0;

	for (size_t i = 0; i < answer->reservations_count; i++)
		if (answer->reservations[i].start <= answer->time)
			procs += answer->reservations[i].procs;
	return procs;
}

/* What releaseres --undo takes back. */
static void print_released(const struct maui_reservations *answer)
{
	char start[MAUI_MOMENT_SIZE], end[MAUI_MOMENT_SIZE];

	for (size_t i = 0; i < answer->released_count; i++) {
		const struct maui_reservations_released *one = &answer->released[i];

		printf("%s%s is released", i == 0 ? "\n" : "", one->stable_name);
		if (one->end != MAUI_NEVER)
			printf(", from %s to %s",
			       maui_moment_as_maui(one->start, answer->time, start, sizeof(start)),
			       maui_moment_as_maui(one->end, answer->time, end, sizeof(end)));
		printf(": releaseres --undo %s takes it back\n", one->stable_name);
	}
}

static int print_reservations(const struct maui_tool_common *common, const void *options,
			      const void *record)
{
	const struct maui_reservations *answer = record;
	static const char *const rule[] = { "-----",    "----", "---",  "---------", "-------",
					    "--------", "----", "----", "----" };
	struct maui_table *table = maui_shown_table(common, &shown);
	bool rows_only = maui_tool_rows_only(common);
	char *text;

	(void)options;
	if (!table)
		return MAUI_EXIT_USAGE;
	if (!rows_only)
		maui_table_add(table, rule);
	maui_shown_add(table, &shown, answer->reservations, answer->reservations_count,
		       sizeof(*answer->reservations), answer->time);
	if (rows_only) {
		maui_tool_print_table(common, table);
		return MAUI_EXIT_OK;
	}
	text = maui_table_text(table, false, false);
	printf("Diagnosing Reservations\n");
	if (text)
		print_rows(answer, text);
	printf("\nActive Reserved Processors: %" PRId64 "\n", active_procs(answer));
	print_released(answer);
	maui_diagnose_show_warnings(answer->warnings, answer->warnings_count);
	maui_diagnose_show_refused(answer->refused, answer->time);
	free(text);
	maui_table_destroy(table);
	return MAUI_EXIT_OK;
}

int maui_diagnose_reservations(const struct maui_tool_common *common, const char *name)
{
	const struct maui_reservations_args args = { .name = name, .nodes = common->json };

	return maui_cmd_show(common, &maui_verb_reservations, &args, print_reservations, NULL);
}
