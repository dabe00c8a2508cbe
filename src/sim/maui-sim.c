/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui-sim.c - the command: runs a workload under a maui.cfg, without a cluster
 *
 * stdout has data only; messages and progress go to stderr. Exit status: 0 done, 1 an error, 2
 * usage.
 *
 * Rules: CMD-13.
 */

#include "maui_config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_print.h"
#include "base/limits.h"
#include "base/masked.h"
#include "base/monotonic.h"
#include "base/need.h"
#include "base/terminal.h"
#include "model/when.h"
#include "record/write.h"
#include "sim/args.h"
#include "sim/cluster.h"
#include "sim/compare.h"
#include "sim/future.h"
#include "sim/output.h"
#include "sim/report.h"
#include "sim/report_page.h"
#include "sim/settle.h"
#include "sim/stream.h"
#include "sim/summary.h"
#include "sim/swf.h"
#include "sim/tally.h"
#include "sim/warnings.h"
#include "tool/print.h"

/* ---- the cluster and its jobs ---- */

enum { SHOWN_JOBS = 30 }; /* of --compare */

static int fail(const char *text)
{
	fprintf(stderr, "maui-sim: error: %s\n", text);
	return 1;
}

static void print_bad_line(void *data, const char *path, uint64_t line, const char *what)
{
	(void)data;
	fprintf(stderr, "%s:%llu: warning: %s\n", path, (unsigned long long)line, what);
}

static void show_progress(void *data, size_t ended, size_t count)
{
	static size_t shown = SIZE_MAX;
	size_t mille = count ? 1000 * ended / count : 1000;

	if (mille == shown)
		return;
	shown = mille;
	fprintf(stderr, "\r%s: %zu.%zu%% ", (const char *)data, mille / 10, mille % 10);
	if (mille == 1000)
		fputc('\n', stderr);
}

/* Of one simulation, where stderr is no terminal. */
struct progress {
	const char *policy;
	int64_t every_s, begun_s, next_s;
};

static void log_progress(void *data, size_t ended, size_t count)
{
	struct progress *p = data;
	int64_t now_s = maui_monotonic_s();

	if (now_s < p->next_s)
		return;
	p->next_s = now_s + p->every_s;
	fprintf(stderr, "maui-sim: %s: after %lld s %zu of %zu jobs have ended\n", p->policy,
		(long long)(now_s - p->begun_s), ended, count);
}

static void begin_progress(const struct maui_sim_args *options, const char *policy,
			   struct progress *progress, struct maui_sim_options *run)
{
	const int64_t now_s = maui_monotonic_s();

	if (options->quiet)
		return;
	*progress = (struct progress){ .policy = policy,
				       .every_s = options->progress_s ? options->progress_s : 30,
				       .begun_s = now_s };
	progress->next_s = now_s + progress->every_s;
	run->progress = isatty(STDERR_FILENO) ? show_progress : log_progress;
	run->progress_data = isatty(STDERR_FILENO) ? (void *)policy : progress;
}

static void clear_progress(const struct maui_sim_args *options)
{
	if (!options->quiet && isatty(STDERR_FILENO))
		fputs("\r                                        \r", stderr);
}

static struct maui_config *load_config(const char *path)
{
	struct maui_diags diags = { 0 };
	struct maui_config *config = maui_config_load(path, NULL, &diags);
	char text[2048];

	for (size_t i = 0; i < diags.count; i++)
		if (diags.list[i].severity == MAUI_ERROR) {
			maui_diag_format(&diags.list[i], text, sizeof(text));
			fprintf(stderr, "%s\n", text);
		}
	maui_diags_finish(&diags);
	return config;
}

static int read_jobs(const struct maui_sim_args *options,
		     const struct maui_sim_complaints *complaints, struct maui_sim_trace *trace,
		     struct maui_err *err)
{
	const char *path = options->trace ? options->trace : options->sacct;
	int rc = options->trace ? maui_swf_read(trace, path, complaints, err) :
				  maui_sacct_read(trace, path, complaints, err);

	if (rc == 0 && trace->count == 0 && trace->junk > 0)
		return maui_err_set(err, "%s: no job could be read: every line was skipped%s", path,
				    options->trace ? "; --trace reads Standard Workload Format, "
						     "not Maui's own traces" :
						     "");
	return rc;
}

static int make_cluster(const struct maui_sim_args *options, const struct maui_sim_trace *trace,
			struct maui_sim_cluster *cluster, struct maui_err *err)
{
	if (options->cluster)
		return maui_sim_cluster_read(cluster, options->cluster, err);
	return maui_sim_cluster_pool(cluster,
				     options->procs > 0 ? options->procs : trace->max_procs, err);
}

/* Jobs larger than the pool can never start, so they are dropped. */
static void drop_too_large(struct maui_sim_trace *trace, int64_t procs)
{
	size_t kept = 0;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->jobs[i].procs <= procs)
			trace->jobs[kept++] = trace->jobs[i];
	trace->dropped += trace->count - kept;
	trace->count = kept;
}

static int write_file(const char *path, const struct maui_sim_trace *trace,
		      void (*write)(FILE *out, const struct maui_sim_trace *trace))
{
	struct maui_sim_output_file file;
	struct maui_err err = { .text = "" };

	maui_sim_output_open(&file, path);
	write(file.out, trace);
	return maui_sim_output_close(&file, &err) ? fail(err.text) : 0;
}

static int write_outputs(const struct maui_sim_args *options, const struct maui_sim_trace *trace)
{
	if (options->starts && write_file(options->starts, trace, maui_sim_write_starts))
		return -1;
	return options->jobs ? write_file(options->jobs, trace, maui_sim_write_jobs) : 0;
}

/* Simulates one policy. */
struct simulation {
	struct maui_sim_trace trace;
	struct maui_sim_stream *stream; /* NULL: the trace is in memory as a whole */
	struct maui_sim_cluster cluster;
	struct maui_config *config;
	struct maui_sim_run run;
	struct maui_sim_future future; /* with --plan, in place of all above but config */
	struct maui_sim_outcome outcome;
};

/* From a saved plan on; path NULL: under its own maui.cfg. */
static int simulate_plan(const struct maui_sim_args *options, const char *path,
			 const struct maui_sim_options *run, struct simulation *s)
{
	const struct maui_sim_question question = { .text = options->plan_text,
						    .length = options->plan_length,
						    .label = path ? path : "(saved)",
						    .config = s->config,
						    .for_s = options->for_s,
						    .ends_at = options->ends_at,
						    .options = *run };
	struct maui_err err = { .text = "" };

	if (maui_sim_future_run(&question, &s->future, &err))
		return fail(err.text);
	clear_progress(options);
	s->outcome = s->future.outcome;
	return write_outputs(options, &s->future.trace) ? 1 : 0;
}

/* Reads the file that was a stream again, as a whole. Its bad lines have been told. */
static int keep_all(const struct maui_sim_args *options, const char *why, struct simulation *s,
		    struct maui_err *err)
{
	if (why)
		fprintf(stderr, "maui-sim: note: %s: %s; maui-sim keeps the whole file in memory\n",
			options->trace, why);
	maui_sim_stream_close(s->stream);
	s->stream = NULL;
	maui_sim_trace_finish(&s->trace);
	return read_jobs(options, NULL, &s->trace, err);
}

/* Every policy of a comparison needs the jobs, and so does what is written about each of them. */
static int open_jobs(const struct maui_sim_args *options, const struct maui_sim_options *run,
		     struct simulation *s, struct maui_err *err)
{
	static const struct maui_sim_complaints complaints = { .complain = print_bad_line };
	bool may_stream = options->trace && !options->cluster && !options->compare &&
			  options->config_count == 1 && !run->compare_plans;

	if (may_stream &&
	    maui_sim_stream_open(options->trace, &complaints, &s->trace, &s->stream, err))
		return -1;
	if (!s->stream)
		return read_jobs(options, &complaints, &s->trace, err);
	return s->trace.count > 0 ? 0 : keep_all(options, NULL, s, err);
}

/* What is wanted of the jobs of a stream. */
struct taken {
	struct maui_sim_tally *tally;
	struct maui_sim_output_file starts;
};

static void take_job(void *data, const struct maui_sim_job *job, int64_t last_submit_s)
{
	struct taken *taken = data;

	maui_sim_tally_add(taken->tally, job, last_submit_s);
	if (taken->starts.out)
		maui_sim_write_start(taken->starts.out, job);
}

static int run_stream(const struct maui_sim_args *options, struct maui_sim_options *run,
		      struct simulation *s, struct maui_err *err)
{
	struct taken taken = { .tally = maui_sim_tally_create(&s->trace, 0) };
	int64_t procs = (int64_t)s->cluster.conf.snapshot->totals.procs;
	int rc;

	if (options->starts) {
		maui_sim_output_open(&taken.starts, options->starts);
		fputs(MAUI_SIM_STARTS_TITLE, taken.starts.out);
	}
	run->stream = s->stream;
	rc = maui_sim_stream_begin(s->stream, &s->cluster, s->config, take_job, &taken, err) ||
	     maui_sim_run(&s->cluster, &s->trace, s->config, run, &s->run, err);
	maui_sim_tally_close(taken.tally, procs, maui_sim_stream_last_submit(s->stream),
			     &s->outcome.results);
	if (rc == 0 && taken.starts.out)
		rc = maui_sim_output_close(&taken.starts, err);
	maui_sim_output_discard(&taken.starts);
	return rc ? -1 : 0;
}

static int run_whole(const struct maui_sim_args *options, const struct maui_sim_options *run,
		     struct simulation *s, struct maui_err *err)
{
	int64_t procs = (int64_t)s->cluster.conf.snapshot->totals.procs;

	if (s->cluster.pool)
		drop_too_large(&s->trace, procs);
	else
		maui_sim_warn_of_cluster(options->cluster, &s->trace, &s->cluster);
	for (size_t i = 0; i < s->trace.count; i++)
		maui_sim_settle(&s->trace.jobs[i], &s->cluster, s->config, &s->trace.arena);
	if (maui_sim_run(&s->cluster, &s->trace, s->config, run, &s->run, err))
		return -1;
	maui_sim_results_make(&s->trace, procs, &s->outcome.results);
	return 0;
}

static int simulate_trace(const struct maui_sim_args *options, const char *path,
			  struct maui_sim_options *run, struct simulation *s)
{
	struct maui_err err = { .text = "" };
	const char *why = NULL;

	if (open_jobs(options, run, s, &err) || make_cluster(options, &s->trace, &s->cluster, &err))
		return fail(err.text);
	if (maui_sim_cluster_share_pool(&s->cluster, s->config))
		maui_sim_warn_of_sharing(path);
	maui_sim_warn_of_policy(s->config, s->cluster.conf.snapshot);
	if (s->stream && !maui_sim_stream_suits(s->stream, &s->cluster, s->config, run, &why) &&
	    keep_all(options, why, s, &err))
		return fail(err.text);
	s->outcome = (struct maui_sim_outcome){
		.config_path = path, .config = s->config, .trace = &s->trace, .run = &s->run
	};
	if (s->stream ? run_stream(options, run, s, &err) : run_whole(options, run, s, &err))
		return fail(err.text);
	clear_progress(options);
	if (run->compare_plans)
		fprintf(stderr, "maui-sim: compared %llu plans\n",
			(unsigned long long)s->run.compared);
	return !s->stream && write_outputs(options, &s->trace) ? 1 : 0;
}

static int simulate(const struct maui_sim_args *options, const char *path, struct simulation *s)
{
	struct maui_sim_options run = { .want_reasons = options->jobs != NULL,
					.want_estimates = options->estimates,
					.polls = options->polls,
					.want_nodes = options->report != NULL,
					.compare_plans = getenv("MAUI_COMPARE_PLANS") != NULL };

	struct progress progress;

	begin_progress(options, path ? path : options->plan, &progress, &run);
	s->config = path ? load_config(path) : NULL;
	if (path && !s->config)
		return fail("the configuration is not accepted");
	if (options->plan)
		return simulate_plan(options, path, &run, s);
	return simulate_trace(options, path, &run, s);
}

static void finish_simulation(struct simulation *s)
{
	if (s->outcome.trace == &s->trace)
		maui_sim_results_finish(&s->outcome.results);
	maui_sim_future_finish(&s->future);
	maui_sim_run_finish(&s->run);
	maui_sim_cluster_finish(&s->cluster);
	maui_sim_stream_close(s->stream);
	maui_sim_trace_finish(&s->trace);
	maui_config_unref(s->config);
}

/* ---- --json ---- */

#define OUTPUT_FIELDS(F, R)                    \
	F(R, TEXT, version, "")                \
	F(R, LIST, runs, "", maui_sim_summary) \
	F(R, PART, changes, "from the first of two runs to the second", maui_sim_comparison)
MAUI_RECORD(maui_sim_output, OUTPUT_FIELDS);
MAUI_RECORD_TYPE(maui_sim_output, OUTPUT_FIELDS);

static void compare(struct maui_arena *arena, const struct maui_sim_outcome *outcomes,
		    struct maui_sim_comparison *ret)
{
	struct maui_sim_changes changes;

	maui_sim_changes_make(&outcomes[0], &outcomes[1], &changes);
	maui_sim_changes_record(arena, &changes, ret);
	maui_sim_changes_finish(&changes);
}

static void print_json(const struct maui_sim_outcome *outcomes, size_t count)
{
	struct maui_sim_summary runs[MAUI_SIM_MOST_RUNS];
	struct maui_sim_comparison comparison = { 0 };
	const struct maui_sim_output output = { .version = MAUI_VERSION,
						.runs = runs,
						.runs_count = count,
						.changes = count == 2 ? &comparison : NULL };
	struct maui_arena arena = { 0 };

	for (size_t i = 0; i < count; i++)
		maui_sim_summarise(&arena, &outcomes[i], &runs[i]);
	if (output.changes)
		compare(&arena, outcomes, &comparison);
	maui_json_print(stdout, maui_need(maui_record_object(&maui_sim_output_type, &output)),
			maui_terminal_display());
	maui_arena_finish(&arena);
}

/* ---- all of it ---- */

static int write_page(const struct maui_sim_args *options, const struct simulation *all,
		      const struct maui_sim_outcome *outcomes)
{
	const struct maui_sim_cluster *clusters[MAUI_SIM_MOST_RUNS] = { 0 };
	struct maui_err err;

	for (size_t i = 0; i < options->config_count; i++)
		clusters[i] = options->plan ? &all[i].future.cluster : &all[i].cluster;
	return maui_sim_write_page(options->report, outcomes, clusters, options->config_count,
				   &err) ?
		       fail(err.text) :
		       0;
}

/* Two policies: also what changes for whom. */
static void print_comparison(const struct maui_sim_outcome *outcomes, size_t count)
{
	struct maui_sim_changes changes;

	maui_sim_print_comparison(outcomes, count);
	for (size_t i = 0; i < count; i++)
		if (outcomes[i].run->starts.errors.used > 0) {
			printf("\n%s", outcomes[i].config_path);
			maui_sim_print_estimates(&outcomes[i]);
		}
	if (count != 2)
		return;
	maui_sim_changes_make(&outcomes[0], &outcomes[1], &changes);
	maui_sim_print_credentials(&outcomes[0], &outcomes[1]);
	maui_sim_print_changes(&changes, SHOWN_JOBS);
	maui_sim_changes_finish(&changes);
}

static int run_all(const struct maui_sim_args *options)
{
	struct simulation *all = maui_need_list(options->config_count, sizeof(*all));
	struct maui_sim_outcome outcomes[MAUI_SIM_MOST_RUNS] = { { 0 } };
	bool to_stdout = (options->starts && strcmp(options->starts, "-") == 0) ||
			 (options->jobs && strcmp(options->jobs, "-") == 0);
	int rc = 0;

	for (size_t i = 0; i < options->config_count && rc == 0; i++) {
		rc = simulate(options, options->configs[i], &all[i]);
		outcomes[i] = all[i].outcome;
	}
	if (rc == 0 && options->report)
		rc = write_page(options, all, outcomes);
	if (rc == 0 && options->json)
		print_json(outcomes, options->config_count);
	else if (rc == 0 && options->compare)
		print_comparison(outcomes, options->config_count);
	else if (rc == 0 && !to_stdout)
		maui_sim_print_summary(&outcomes[0]);
	for (size_t i = 0; rc == 0 && i < options->config_count && !options->plan; i++)
		rc = maui_sim_warn_of_starts(&outcomes[i], &all[i].cluster) ? 1 : 0;
	for (size_t i = 0; i < options->config_count; i++)
		finish_simulation(&all[i]);
	free(all);
	return rc;
}

/* The saved plan; its own maui.cfg comes first unless another one is named. */
static int read_plan(struct maui_sim_args *options)
{
	struct maui_err err;

	if (maui_file_read(options->plan, MAUI_STATE_MAX_BYTES, &options->plan_text,
			   &options->plan_length, &err))
		return fail(err.text);
	if (!options->compare && options->config_count > 0)
		return 0;
	memmove(options->configs + 1, options->configs,
		options->config_count * sizeof(options->configs[0]));
	options->configs[0] = NULL;
	options->config_count++;
	return 0;
}

/* Before hours of simulation. */
static int check_outputs(const struct maui_sim_args *options)
{
	const char *const paths[] = { options->starts, options->jobs, options->report };
	struct maui_err err;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (paths[i] && strcmp(paths[i], "-") != 0 && maui_file_can_publish(paths[i], &err))
			return fail(err.text);
	return 0;
}

int main(int argc, char **argv)
{
	struct maui_sim_args options = { 0 };
	bool done;
	int rc;

	/* users, accounts and file names are in what it prints */
	maui_mask_stream(&stdout, STDOUT_FILENO);
	maui_mask_stream(&stderr, STDERR_FILENO);
	rc = maui_sim_args_read(argc, argv, &options, &done);
	if (done)
		return maui_tool_end("maui-sim", rc);
	rc = check_outputs(&options);
	if (rc == 0 && options.plan)
		rc = read_plan(&options);
	if (rc == 0)
		rc = run_all(&options);
	free(options.plan_text);
	return maui_tool_end("maui-sim", rc);
}
