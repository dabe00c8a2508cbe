/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui-sim.c - the command: runs a workload under a maui.cfg, without a cluster
 *
 * stdout has data only; messages and progress go to stderr. Exit status: 0 done, 1 an error, 2
 * usage.
 *
 * Rules: CMD-13, PRIO-18.
 */

#include "maui_config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_print.h"
#include "base/limits.h"
#include "base/masked.h"
#include "base/need.h"
#include "model/when.h"
#include "policy/time_limit.h"
#include "record/write.h"
#include "sim/args.h"
#include "sim/cluster.h"
#include "sim/compare.h"
#include "sim/future.h"
#include "sim/report.h"
#include "sim/report_page.h"
#include "sim/summary.h"
#include "sim/warnings.h"

/* ---- what the jobs of a trace are on the cluster ---- *
 *
 * A job without a limit is planned with SYSTEMDEFAULTJOBWALLTIME, as by sched/maui, and runs as
 * long as it ran. A partition takes a job by Slurm's rules: MinNodes, MaxNodes, MaxTime, State.
 */

/* "batch,fast": the class of a job is one partition. */
static void settle_class(struct maui_sim_trace *trace, const struct maui_sim_cluster *cluster,
			 struct maui_sim_job *job)
{
	const char *list = job->cred[MAUI_CRED_CLASS];
	const struct maui_snapshot *s = cluster->conf.snapshot;
	size_t length = list ? strcspn(list, ",") : 0;
	uint32_t partition;
	char *first;
	bool known;

	if (!list || list[length] == '\0')
		return;
	partition = maui_sim_cluster_partition(cluster, list, &known);
	if (known) {
		job->cred[MAUI_CRED_CLASS] = s->partitions[partition].name;
		return;
	}
	first = maui_need(maui_arena_strdup(&trace->arena, list));
	first[length] = '\0';
	job->cred[MAUI_CRED_CLASS] = first;
}

/* Whether a job may start in a partition. `limit_s`: what it asks for; 0: not known. */
static bool is_taken(const struct maui_sim_cluster *cluster, uint32_t partition, uint32_t nodes,
		     int64_t limit_s)
{
	const struct maui_conf_limits *limits = &cluster->conf.limits[partition];

	if (cluster->conf.snapshot->partitions[partition].down || limit_s > limits->max_s ||
	    limits->min_nodes > limits->max_nodes || limits->max_s == 0)
		return false;
	return nodes == 0 || (nodes >= limits->min_nodes && nodes <= limits->max_nodes);
}

/* The limit of a job that names none, or none that ends. */
static void settle_limit(const struct maui_config *config, const struct maui_partition *partition,
			 struct maui_sim_job *job)
{
	bool of_partition = job->limit_kind == MAUI_SIM_LIMIT_PARTITION;
	struct maui_time_limit limit =
		maui_time_limit_in(config, partition, of_partition ? 0 : MAUI_NEVER);

	job->limit_s = limit.seconds;
	job->limit_kind = of_partition && strcmp(limit.from, "SYSTEMDEFAULTJOBWALLTIME") != 0 ?
				  MAUI_SIM_LIMIT_NAMED :
				  MAUI_SIM_LIMIT_NONE;
}

static void settle_job(const struct maui_sim_cluster *cluster, const struct maui_config *config,
		       struct maui_sim_job *job)
{
	uint32_t at = maui_sim_cluster_partition(cluster, job->cred[MAUI_CRED_CLASS], NULL);
	int64_t asked_s = job->limit_kind == MAUI_SIM_LIMIT_NAMED ? job->limit_s :
			  job->limit_kind == MAUI_SIM_LIMIT_NONE  ? MAUI_NEVER :
								    0;

	job->refused = !cluster->pool && !is_taken(cluster, at, job->nodes, asked_s);
	if (job->limit_kind != MAUI_SIM_LIMIT_NAMED)
		settle_limit(config, &cluster->conf.snapshot->partitions[at], job);
	if (job->limit_kind == MAUI_SIM_LIMIT_NAMED && job->limit_s < job->run_s)
		job->limit_s = job->run_s; /* slurmctld let it run over its limit */
}

static void settle(struct maui_sim_trace *trace, const struct maui_sim_cluster *cluster,
		   const struct maui_config *config)
{
	for (size_t i = 0; i < trace->count; i++) {
		settle_class(trace, cluster, &trace->jobs[i]);
		settle_job(cluster, config, &trace->jobs[i]);
	}
}

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
	size_t percent = count ? 100 * ended / count : 100;

	if (percent == shown)
		return;
	shown = percent;
	fprintf(stderr, "\r%s: %zu%% ", (const char *)data, percent);
	if (percent == 100)
		fputc('\n', stderr);
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

static int read_jobs(const struct maui_sim_args *options, struct maui_sim_trace *trace,
		     struct maui_err *err)
{
	static const struct maui_sim_complaints complaints = { .tell = print_bad_line };
	const char *path = options->trace ? options->trace : options->sacct;
	int rc = options->trace ? maui_swf_read(trace, path, &complaints, err) :
				  maui_sacct_read(trace, path, &complaints, err);

	if (rc == 0 && trace->count == 0 && trace->junk > 0)
		return maui_err_set(err, "%s: no job could be read: every line was skipped", path);
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

static int write_stdout(const struct maui_sim_trace *trace,
			void (*write)(FILE *out, const struct maui_sim_trace *trace))
{
	write(stdout, trace);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return fail("cannot write to the standard output");
}

static int write_file(const char *path, const struct maui_sim_trace *trace,
		      void (*write)(FILE *out, const struct maui_sim_trace *trace))
{
	struct maui_err err = { "" };
	char *text = NULL;
	size_t length;
	FILE *out;
	int rc;

	if (strcmp(path, "-") == 0)
		return write_stdout(trace, write);
	out = maui_need(open_memstream(&text, &length));
	write(out, trace);
	rc = fclose(out) == 0 ? maui_file_publish(path, text, length, false, &err) :
				maui_err_errno(&err, "cannot write %s", path);
	free(text);
	return rc ? fail(err.text) : 0;
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
	struct maui_err err = { "" };

	if (maui_sim_future_run(&question, &s->future, &err))
		return fail(err.text);
	clear_progress(options);
	s->outcome = s->future.outcome;
	return write_outputs(options, &s->future.trace) ? 1 : 0;
}

static int simulate(const struct maui_sim_args *options, const char *path, struct simulation *s)
{
	struct maui_sim_options run = { .want_reasons = options->jobs != NULL,
					.want_estimates = options->estimates,
					.want_nodes = options->report != NULL };
	struct maui_err err = { "" };
	int64_t procs;

	if (!options->quiet && isatty(STDERR_FILENO)) {
		run.progress = show_progress;
		run.progress_data = (void *)(path ? path : options->plan);
	}
	s->config = path ? load_config(path) : NULL;
	if (path && !s->config)
		return fail("the configuration is not accepted");
	if (options->plan)
		return simulate_plan(options, path, &run, s);
	if (read_jobs(options, &s->trace, &err) ||
	    make_cluster(options, &s->trace, &s->cluster, &err))
		return fail(err.text);
	maui_sim_warn_of_policy(s->config, s->cluster.conf.snapshot);
	procs = (int64_t)s->cluster.conf.snapshot->totals.procs;
	if (s->cluster.pool)
		drop_too_large(&s->trace, procs);
	else
		maui_sim_warn_of_cluster(options->cluster, &s->trace, &s->cluster);
	settle(&s->trace, &s->cluster, s->config);
	if (maui_sim_run(&s->cluster, &s->trace, s->config, &run, &s->run, &err))
		return fail(err.text);
	clear_progress(options);
	s->outcome = (struct maui_sim_outcome){
		.config_path = path, .config = s->config, .trace = &s->trace, .run = &s->run
	};
	maui_sim_results_make(&s->trace, procs, &s->outcome.results);
	return write_outputs(options, &s->trace) ? 1 : 0;
}

static void finish_simulation(struct simulation *s)
{
	if (s->outcome.trace == &s->trace)
		maui_sim_results_finish(&s->outcome.results);
	maui_sim_future_finish(&s->future);
	maui_sim_run_finish(&s->run);
	maui_sim_cluster_finish(&s->cluster);
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
	maui_json_print(stdout, maui_need(maui_record_object(&maui_sim_output_type, &output)));
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
		return rc;
	if (options.plan)
		rc = read_plan(&options);
	if (rc == 0)
		rc = run_all(&options);
	free(options.plan_text);
	return rc;
}
