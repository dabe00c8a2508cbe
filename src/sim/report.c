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
#include "verbs/estimate_cells.h"

enum { SHOWN = 12 }; /* credentials of each kind, those with the most work */

void maui_sim_write_starts(FILE *out, const struct maui_sim_trace *trace)
{
	fputs("# index submit start run procs\n", out);
	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_sim_job *job = &trace->jobs[i];

		if (job->start_s >= 0)
			fprintf(out,
				"%" PRIu64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
				job->number, job->submit_s, job->start_s, job->run_s,
				maui_sim_job_procs(job));
	}
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

static void print_creds(FILE *out, const struct maui_sim_results *results, enum maui_cred_kind kind)
{
	const struct maui_sim_figures *list[SHOWN];
	size_t count = results->by_count[kind], listed = list_creds(results->by[kind], count, list);

	if (count == 0)
		return;
	fprintf(out, "\n%-16s %8s %12s %12s %12s %10s %8s\n", maui_cred_name(kind), "jobs",
		"proc-hours", "mean wait s", "p95 wait s", "slowdown", "share %");
	for (size_t i = 0; i < listed; i++)
		fprintf(out, "%-16s %8" PRIu64 " %12.1f %12.0f %12" PRId64 " %10.2f %8.2f\n",
			list[i]->name, list[i]->jobs, list[i]->proc_seconds / 3600,
			list[i]->wait_mean_s, list[i]->wait_p95_s, list[i]->bounded_slowdown,
			results->all.proc_seconds > 0 ?
				100 * list[i]->proc_seconds / results->all.proc_seconds :
				0);
	if (count > SHOWN)
		fprintf(out, "... and %zu more\n", count - SHOWN);
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

/* An absolute cap is compared with the usage, any other target with the share. */
static void print_share(FILE *out, enum maui_cred_kind kind, const struct shown *shown)
{
	static const char *const mark[] = { "", "", "+", "-", "^", "%" };
	const struct maui_fs_target *target = &shown->share.target;
	bool absolute = target->kind == MAUI_FS_CAP_ABSOLUTE;

	fprintf(out, "%-8s %-19s %11g%-1s %11.2f%s\n", maui_cred_name(kind), shown->name,
		target->value, mark[target->kind],
		absolute ? shown->share.used : shown->share.percent, absolute ? "^" : "%");
}

static void print_kind(FILE *out, const struct maui_sim_outcome *o, enum maui_cred_kind kind,
		       bool *any)
{
	struct shown *list = maui_need_list(o->results.by_count[kind], sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < o->results.by_count[kind]; i++) {
		list[count].name = o->results.by[kind][i].name;
		count += maui_sim_share_of(o, kind, list[count].name, &list[count].share);
	}
	if (count > 0 && !*any) {
		fprintf(out, "\n%-28s %12s %12s\n", "fairshare at the end", "target", "reached");
		*any = true;
	}
	if (count > 0)
		qsort(list, count, sizeof(*list), by_use);
	for (size_t i = 0; i < count && i < SHOWN; i++)
		print_share(out, kind, &list[i]);
	if (count > SHOWN)
		fprintf(out, "... and %zu more\n", count - SHOWN);
	free(list);
}

/* Prints fairshare targets beside the shares at the end. */
static void print_targets(FILE *out, const struct maui_sim_outcome *o)
{
	bool any = false;

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		print_kind(out, o, (enum maui_cred_kind)k, &any);
}

/* Jobs of a saved plan that become eligible at an unknown time. */
static void print_left_out(FILE *out, const struct maui_sim_results *results)
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
		fprintf(out, "%s %" PRIu64 " %s", lead, results->left_out[kinds[i].reason],
			kinds[i].text);
		lead = ",";
	}
	if (*lead == ',')
		fputs(".\n", out);
}

static void print_note(FILE *out, const struct maui_sim_outcome *outcomes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (outcomes[i].results.all.waiting > 0) {
			fputs("Waits count jobs that do not start up to the end.\n", out);
			break;
		}
	print_left_out(out, &outcomes[0].results);
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

void maui_sim_print_estimates(FILE *out, const struct maui_sim_outcome *o)
{
	struct maui_arena arena = { 0 };
	size_t count;
	const struct maui_statistics_estimate *list = maui_sim_list_estimates(&arena, o, &count);

	for (size_t i = 0; i < count; i++) {
		struct maui_estimate_cells row;

		if (i == 0)
			fprintf(out,
				"\nStarts that were expected, and how much later they came"
				" (-: earlier)\n%-16s %8s %12s %8s %12s %12s %12s\n",
				"partition", "estimate", "ahead", "jobs", "10%", "50%", "90%");
		maui_estimate_cells(&list[i], &row);
		fprintf(out, "%-16s %8s %12s %8s %12s %12s %12s\n", row.partition, row.estimate,
			row.ahead, row.jobs, row.p10, row.p50, row.p90);
	}
	maui_arena_finish(&arena);
}

void maui_sim_print_summary(FILE *out, const struct maui_sim_outcome *o)
{
	fprintf(out,
		"%-24s %" PRId64 " processors, %zu jobs, %" PRIu64 " dropped, %" PRIu64
		" junk line%s\n",
		o->config_path, o->results.procs, o->trace->count, o->trace->dropped,
		o->trace->junk, maui_plural(o->trace->junk));
	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		fprintf(out, "%-24s ", rows[r].name);
		fprintf(out, rows[r].form, value_of(o, r));
		fputc('\n', out);
	}
	print_note(out, o, 1);
	print_creds(out, &o->results, MAUI_CRED_USER);
	print_creds(out, &o->results, MAUI_CRED_GROUP);
	print_creds(out, &o->results, MAUI_CRED_ACCOUNT);
	print_creds(out, &o->results, MAUI_CRED_CLASS);
	print_targets(out, o);
	maui_sim_print_estimates(out, o);
}

void maui_sim_print_comparison(FILE *out, const struct maui_sim_outcome *outcomes, size_t count)
{
	char text[32];

	fprintf(out, "%-24s", "");
	for (size_t i = 0; i < count; i++)
		fprintf(out, " %20s", outcomes[i].config_path);
	fprintf(out, "%s\n", count == 2 ? "     change" : "");
	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		double first = value_of(&outcomes[0], r), last = value_of(&outcomes[count - 1], r);

		fprintf(out, "%-24s", rows[r].name);
		for (size_t i = 0; i < count; i++) {
			snprintf(text, sizeof(text), rows[r].form, value_of(&outcomes[i], r));
			fprintf(out, " %20s", text);
		}
		if (count == 2 && first != 0)
			fprintf(out, " %+9.1f%%", 100 * (last - first) / first);
		fputc('\n', out);
	}
	print_note(out, outcomes, count);
}
