/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - results as text: start times, jobs, summaries */

#include "sim/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "base/words.h"
#include "policy/fairshare.h"
#include "rows/estimate_errors.h"
#include "sim/args.h"
#include "tool/estimate_table.h"
#include "tool/option.h"
#include "tool/print.h"

enum {
	SHOWN = 12, /* credentials of each kind, those with the most work */
	CELL = 64,
};

static const struct maui_tool_common plain = { .tool = "maui-sim" };

void maui_sim_write_start(FILE *out, const struct maui_sim_job *job)
{
	if (job->start_s >= 0)
		fprintf(out, "%" PRIu64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
			job->number, job->submit_s, job->start_s, job->run_s,
			maui_sim_job_procs(job));
}

void maui_sim_write_starts(FILE *out, const struct maui_sim_trace *trace)
{
	fputs(MAUI_SIM_STARTS_TITLE, out);
	for (size_t i = 0; i < trace->count; i++)
		maui_sim_write_start(out, &trace->jobs[i]);
}

/* The reason in one word, for a column. */
static void write_why(FILE *out, const struct maui_sim_job *job)
{
	const char *text = job->limit                      ? job->limit :
			   job->waited != MAUI_REASON_NONE ? maui_reason_text(job->waited) :
			   job->backfilled                 ? "backfilled" :
							     "-";

	for (; *text; text++)
		fputc(*text == ' ' ? '_' : *text, out);
}

void maui_sim_write_jobs(FILE *out, const struct maui_sim_trace *trace)
{
	fputs("# job user submit reserved start end nodes procs why\n", out);
	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_sim_job *job = &trace->jobs[i];
		const char *user = job->cred[MAUI_CRED_USER];
		char label[MAUI_SIM_LABEL_SIZE];

		fprintf(out, "%s %s %" PRId64 " ", maui_sim_job_label(job, label),
			user ? user : "-", job->submit_s);
		if (job->reserved_s < 0)
			fputs("- ", out);
		else
			fprintf(out, "%" PRId64 " ", job->reserved_s);
		if (job->start_s < 0)
			fputs("- - - ", out);
		else
			fprintf(out, "%" PRId64 " %" PRId64 " %u ", job->start_s,
				job->start_s + job->run_s, job->nodes_used);
		fprintf(out, "%" PRId64 " ", maui_sim_job_procs(job));
		write_why(out, job);
		fputc('\n', out);
	}
}

static const struct {
	const char *name;
	const char *form; /* of a double */
} rows[] = {
	{ "jobs started", "%.0f" },         { "jobs that never started", "%.0f" },
	{ "backfilled", "%.0f" },           { "preempted", "%.0f" },
	{ "utilisation %", "%.2f" },        { "mean wait s", "%.0f" },
	{ "median wait s", "%.0f" },        { "p95 wait s", "%.0f" },
	{ "longest wait s", "%.0f" },       { "bounded slowdown", "%.2f" },
	{ "wallclock accuracy %", "%.2f" }, { "plans", "%.0f" },
};

static double value_of(const struct maui_sim_outcome *o, size_t row)
{
	const struct maui_sim_figures *all = &o->results.all;
	const double values[] = {
		(double)all->jobs,         (double)o->run->unstarted,    (double)o->run->backfilled,
		(double)o->run->preempted, 100 * o->results.utilisation, all->wait_mean_s,
		(double)all->wait_p50_s,   (double)all->wait_p95_s,      (double)all->wait_max_s,
		all->bounded_slowdown,     100 * all->accuracy,          (double)o->run->plans,
	};

	return values[row];
}

static bool has_more_work(const struct maui_sim_figures *one, const struct maui_sim_figures *two)
{
	if (one->proc_seconds != two->proc_seconds)
		return one->proc_seconds > two->proc_seconds;
	return strcmp(one->name, two->name) < 0;
}

/* Lists the first SHOWN credentials by their work. Returns how many these are. */
static size_t list_creds(const struct maui_sim_figures *creds, size_t count,
			 const struct maui_sim_figures **ret)
{
	size_t listed = 0;

	for (size_t i = 0; i < count; i++) {
		size_t at = listed;

		while (at > 0 && has_more_work(&creds[i], ret[at - 1]))
			at--;
		if (at == SHOWN)
			continue;
		listed += listed < SHOWN;
		memmove(&ret[at + 1], &ret[at], (listed - at - 1) * sizeof(*ret));
		ret[at] = &creds[i];
	}
	return listed;
}

static void add_creds_row(struct maui_table *table, const struct maui_sim_figures *f, double all)
{
	char jobs[CELL], hours[CELL], mean[CELL], p95[CELL], slowdown[CELL], share[CELL];

	snprintf(jobs, CELL, "%" PRIu64, f->jobs);
	snprintf(hours, CELL, "%.1f", f->proc_seconds / 3600);
	snprintf(mean, CELL, "%.0f", f->wait_mean_s);
	snprintf(p95, CELL, "%" PRId64, f->wait_p95_s);
	snprintf(slowdown, CELL, "%.2f", f->bounded_slowdown);
	snprintf(share, CELL, "%.2f", all > 0 ? 100 * f->proc_seconds / all : 0);
	maui_table_add(table,
		       (const char *const[]){ f->name, jobs, hours, mean, p95, slowdown, share });
}

static void print_creds(const struct maui_sim_results *results, enum maui_cred_kind kind)
{
	const struct maui_column columns[] = {
		{ maui_cred_name(kind), false },
		{ "jobs", true },
		{ "proc-hours", true },
		{ "mean wait s", true },
		{ "p95 wait s", true },
		{ "slowdown", true },
		{ "share %", true },
	};
	static const unsigned widths[] = { 16, 8, 12, 12, 12, 10, 8 };
	const struct maui_sim_figures *list[SHOWN];
	size_t count = results->by_count[kind], listed = list_creds(results->by[kind], count, list);
	struct maui_table *table;

	if (count == 0)
		return;
	table = maui_tool_table(&plain, columns, sizeof(columns) / sizeof(columns[0]));
	maui_table_widen(table, widths);
	for (size_t i = 0; i < listed; i++)
		add_creds_row(table, list[i], results->all.proc_seconds);
	printf("\n");
	maui_tool_print_table(&plain, table);
	if (count > SHOWN)
		printf("... and %zu more\n", count - SHOWN);
}

bool maui_sim_share_of(const struct maui_sim_outcome *o, enum maui_cred_kind kind, const char *name,
		       struct maui_sim_share *ret)
{
	const struct maui_usage *usage = &o->run->usage;

	ret->target = maui_config_cred(o->config, kind, name)->fstarget;
	if (o->config->fs_policy.metric == MAUI_FS_NONE || ret->target.kind == MAUI_FS_TARGET_NONE)
		return false;
	ret->used = maui_fairshare_usage(usage, o->config, o->run->last_s, kind, name);
	ret->percent = maui_fairshare_percent(
		ret->used, maui_fairshare_total(usage, o->config, o->run->last_s));
	return true;
}

struct shown {
	const char *name;
	struct maui_sim_share share;
};

static int by_use(const void *a, const void *b)
{
	const struct shown *one = a, *two = b;

	if (one->share.used != two->share.used)
		return one->share.used > two->share.used ? -1 : 1;
	return strcmp(one->name, two->name);
}

/* An absolute cap is compared with the usage, any other target with the share. A target without a
 * mark has a blank in its place, so that numbers stand below each other. */
static void add_share(struct maui_table *table, enum maui_cred_kind kind, const struct shown *shown)
{
	static const char *const mark[] = { "", " ", "+", "-", "^", "%" };
	const struct maui_fs_target *target = &shown->share.target;
	bool absolute = target->kind == MAUI_FS_CAP_ABSOLUTE;
	char *name = maui_need_text("%-8s %s", maui_cred_name(kind), shown->name);
	char wanted[CELL], reached[CELL];

	snprintf(wanted, CELL, "%g%s", target->value, mark[target->kind]);
	snprintf(reached, CELL, "%.2f%s", absolute ? shown->share.used : shown->share.percent,
		 absolute ? "^" : "%");
	maui_table_add(table, (const char *const[]){ name, wanted, reached });
	free(name);
}

/* The titles stand above the first kind that has rows. */
static void print_shares(enum maui_cred_kind kind, const struct shown *list, size_t count,
			 bool titles)
{
	static const struct maui_column columns[] = { { "fairshare at the end", false },
						      { "target", true },
						      { "reached", true } };
	static const unsigned widths[] = { 28, 12, 12 };
	const struct maui_tool_common common = { .tool = "maui-sim", .noheader = !titles };
	struct maui_table *table =
		maui_tool_table(&common, columns, sizeof(columns) / sizeof(columns[0]));

	maui_table_widen(table, widths);
	for (size_t i = 0; i < count && i < SHOWN; i++)
		add_share(table, kind, &list[i]);
	if (titles)
		printf("\n");
	maui_tool_print_table(&common, table);
	if (count > SHOWN)
		printf("... and %zu more\n", count - SHOWN);
}

static void print_kind(const struct maui_sim_outcome *o, enum maui_cred_kind kind, bool *any)
{
	struct shown *list = maui_need_list(o->results.by_count[kind], sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < o->results.by_count[kind]; i++) {
		list[count].name = o->results.by[kind][i].name;
		count += maui_sim_share_of(o, kind, list[count].name, &list[count].share);
	}
	if (count > 0) {
		qsort(list, count, sizeof(*list), by_use);
		print_shares(kind, list, count, !*any);
		*any = true;
	}
	free(list);
}

/* Prints fairshare targets beside the shares at the end. */
static void print_targets(const struct maui_sim_outcome *o)
{
	bool any = false;

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		print_kind(o, (enum maui_cred_kind)k, &any);
}

/* Jobs of a saved plan that become eligible at an unknown time. */
static void print_left_out(const struct maui_sim_results *results)
{
	static const struct {
		enum maui_reason reason;
		const char *text;
	} kinds[] = {
		{ MAUI_REASON_HELD, "held" },
		{ MAUI_REASON_DEPENDENCY, "with a dependency that cannot be foreseen" },
		{ MAUI_REASON_BEGIN_TIME, "to begin later" },
		{ MAUI_REASON_SLURM, "refused by Slurm" },
		{ MAUI_REASON_HET, "of het jobs" },
		{ MAUI_REASON_PARTITION, "in a partition that starts no jobs" },
	};
	const char *lead = "Left out of the simulation:";

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (results->left_out[kinds[i].reason] == 0)
			continue;
		printf("%s %" PRIu64 " %s", lead, results->left_out[kinds[i].reason],
		       kinds[i].text);
		lead = ",";
	}
	if (*lead == ',')
		fputs(".\n", stdout);
}

static void print_note(const struct maui_sim_outcome *outcomes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (outcomes[i].results.all.waiting > 0) {
			fputs("Waits count jobs that do not start up to the end.\n", stdout);
			break;
		}
	print_left_out(&outcomes[0].results);
}

const struct maui_statistics_estimate *maui_sim_list_estimates(struct maui_arena *arena,
							       const struct maui_sim_outcome *o,
							       size_t *ret_count)
{
	struct maui_statistics_view *view =
		maui_need(maui_statistics_view_create(&o->run->starts, NULL));
	const struct maui_statistics_estimate *list;

	for (size_t i = 0; i < view->error_count; i++)
		view->errors[i].partition =
			maui_need(maui_arena_strdup(arena, view->errors[i].partition));
	if (maui_estimate_error_rows(arena, view, &list, ret_count))
		maui_out_of_memory();
	maui_statistics_view_unref(view);
	return list;
}

void maui_sim_print_estimates(const struct maui_sim_outcome *o)
{
	struct maui_arena arena = { 0 };
	size_t count;
	const struct maui_statistics_estimate *list = maui_sim_list_estimates(&arena, o, &count);

	if (count > 0) {
		printf("\n");
		maui_estimate_table_print(&plain, list, count);
	}
	maui_arena_finish(&arena);
}

/* What a reader of the figures must know of the trace. */
static void print_source(const struct maui_sim_outcome *o)
{
	const struct {
		const char *what;
		uint64_t count;
	} lines[] = {
		{ "jobs without a limit", o->results.without_limit },
		{ "earlier runs of requeued jobs, left out", o->trace->reruns },
		{ "parts of jobs, joined or left out", o->trace->parts },
		{ "jobs that started before they were submitted", o->trace->early },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].count > 0)
			printf("%s: %" PRIu64 "\n", lines[i].what, lines[i].count);
}

void maui_sim_print_summary(const struct maui_sim_outcome *o)
{
	printf("%-24s %" PRId64 " processors, %zu jobs, %" PRIu64 " dropped, %" PRIu64
	       " junk line%s\n",
	       o->config_path, o->results.procs, o->trace->count, o->trace->dropped, o->trace->junk,
	       maui_plural(o->trace->junk));
	print_source(o);
	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		printf("%-24s ", rows[r].name);
		printf(rows[r].form, value_of(o, r));
		putchar('\n');
	}
	print_note(o, 1);
	print_creds(&o->results, MAUI_CRED_USER);
	print_creds(&o->results, MAUI_CRED_GROUP);
	print_creds(&o->results, MAUI_CRED_ACCOUNT);
	print_creds(&o->results, MAUI_CRED_CLASS);
	print_targets(o);
	maui_sim_print_estimates(o);
}

static void add_compared_row(struct maui_table *table, const struct maui_sim_outcome *outcomes,
			     size_t count, size_t row)
{
	double first = value_of(&outcomes[0], row), last = value_of(&outcomes[count - 1], row);
	const char *cells[MAUI_SIM_MOST_RUNS + 2] = { rows[row].name };
	char text[MAUI_SIM_MOST_RUNS][CELL], change[CELL] = "";

	for (size_t i = 0; i < count; i++) {
		snprintf(text[i], CELL, rows[row].form, value_of(&outcomes[i], row));
		cells[1 + i] = text[i];
	}
	if (first != 0)
		snprintf(change, CELL, "%+.1f%%", 100 * (last - first) / first);
	cells[1 + count] = change;
	maui_table_add(table, cells);
}

void maui_sim_print_comparison(const struct maui_sim_outcome *outcomes, size_t count)
{
	struct maui_column columns[MAUI_SIM_MOST_RUNS + 2] = { { "", false } };
	unsigned widths[MAUI_SIM_MOST_RUNS + 2] = { 24 };
	struct maui_table *table;

	for (size_t i = 0; i < count; i++) {
		columns[1 + i] = (struct maui_column){ outcomes[i].config_path, true };
		widths[1 + i] = 20;
	}
	columns[1 + count] = (struct maui_column){ "change", true };
	widths[1 + count] = 10;
	table = maui_tool_table(&plain, columns, 1 + count + (count == 2));
	maui_table_widen(table, widths);
	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
		add_compared_row(table, outcomes, count, r);
	maui_tool_print_table(&plain, table);
	print_note(outcomes, count);
	print_source(&outcomes[0]);
}
