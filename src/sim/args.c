/* SPDX-License-Identifier: GPL-2.0-or-later */
/* args.c - the options of maui-sim, and which of them go together */

#include "maui_config.h"

#include "sim/args.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tool/option.h"

static const struct maui_option known[] = {
	MAUI_TEXT(0, "trace", "FILE", maui_sim_args, trace,
		  "jobs in Standard Workload Format, gzipped or not"),
	MAUI_TEXT(0, "sacct", "FILE", maui_sim_args, sacct,
		  "jobs as `sacct -P` prints them; needs Submit, Start, End and one of AllocCPUS, "
		  "ReqCPUS, AllocTRES and ReqTRES; reads JobID, JobIDRaw, User, Group, Account, "
		  "Partition, QOS, Timelimit, NNodes, ReqMem"),
	MAUI_TEXT(0, "cluster", "FILE", maui_sim_args, cluster,
		  "nodes and partitions of this slurm.conf instead of a pool of processors"),
	MAUI_COUNT(0, "procs", "N", maui_sim_args, procs,
		   "processors of the pool; default: from the header of the trace"),
	MAUI_TEXT(0, "config", "FILE", maui_sim_args, config, "the maui.cfg to simulate"),
	MAUI_FLAG(0, "compare", maui_sim_args, compare,
		  "compare several maui.cfg files, A B..., with the same jobs"),
	MAUI_TEXT(
		0, "plan", "FILE", maui_sim_args, plan,
		"go on from a plan that `maui snapshot` saved; no other workload; without --config "
		"under the saved maui.cfg, which --compare compares with"),
	MAUI_SPAN(0, "for", "TIME", maui_sim_args, for_s,
		  "of a plan: no longer than this, [[DD:]HH:]MM:SS"),
	MAUI_PART(0, "ends-at", "PART", maui_sim_args, ends_at,
		  "of a plan: jobs end at this part of their limits; default 1"),
	MAUI_TEXT(0, "starts", "FILE", maui_sim_args, starts,
		  "write `index submit start run procs` for each job; - is stdout"),
	MAUI_TEXT(0, "jobs", "FILE", maui_sim_args, jobs,
		  "write `job user submit reserved start end nodes procs why` for each job"),
	MAUI_FLAG(0, "estimates", maui_sim_args, estimates,
		  "how true the estimates of starts were, as showstats --estimates"),
	MAUI_FLAG(0, "polls", maui_sim_args, polls,
		  "plan each RMPOLLINTERVAL as well, as slurmctld does, while jobs wait"),
	MAUI_TEXT(0, "report", "FILE", maui_sim_args, report,
		  MAUI_HAS_REPORT ? "write a page with pictures; with --compare side by side" : ""),
	MAUI_SPAN(0, "progress", "TIME", maui_sim_args, progress_s,
		  "without a terminal: a line of progress each TIME; default 30"),
	MAUI_FLAG(0, "quiet", maui_sim_args, quiet, "no progress"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "maui-sim --trace FILE.swf[.gz] --config FILE [OPTION]...\n"
		    "maui-sim --cluster slurm.conf --sacct FILE --config FILE [OPTION]...\n"
		    "maui-sim --compare A.cfg B.cfg... --trace FILE [OPTION]...\n"
		    "maui-sim --plan FILE [--config FILE | --compare FILE...] [OPTION]...",
	.about = "Runs a workload through the scheduler that maui.cfg describes and prints the "
		 "results.",
	.options = known,
	.operands = MAUI_OPERANDS_ANY,
	.json = "the summary as JSON",
	.notes = "Exit status: 0 done, 1 error, 2 usage.",
};

static void print_version(void)
{
	puts("maui-sim " MAUI_VERSION);
}

/* Devices, such as /dev/null, are no files to be spoilt. */
static bool is_same_file(const char *one, const char *two)
{
	struct stat a, b;

	if (stat(one, &a) == 0 && stat(two, &b) == 0)
		return !S_ISCHR(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
	return strcmp(one, two) == 0;
}

/* Nothing that is read is written, and nothing is written twice. */
static const char *find_output_fault(const struct maui_sim_args *o)
{
	const char *const outputs[] = { o->starts, o->jobs, o->report };
	const char *const inputs[] = { o->trace, o->sacct, o->cluster, o->plan };

	if (o->report && !MAUI_HAS_REPORT)
		return "--report: this build has no report (configure --disable-report)";
	if (o->report && (!*o->report || strcmp(o->report, "-") == 0))
		return "--report: name a file";
	if (o->starts && !*o->starts)
		return "--starts: name a file";
	if (o->jobs && !*o->jobs)
		return "--jobs: name a file";
	if (o->compare &&
	    ((o->starts && strcmp(o->starts, "-") != 0) || (o->jobs && strcmp(o->jobs, "-") != 0)))
		return "--starts and --jobs write one file, for one policy: not with --compare";
	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
		bool same = false;

		if (!outputs[i] || strcmp(outputs[i], "-") == 0)
			continue;
		for (size_t k = 0; k < sizeof(inputs) / sizeof(inputs[0]); k++)
			same |= inputs[k] && is_same_file(outputs[i], inputs[k]);
		for (size_t k = 0; k < o->config_count; k++)
			same |= o->configs[k] && is_same_file(outputs[i], o->configs[k]);
		if (same)
			return "a file that is read cannot be written to";
		for (size_t k = 0; k < i; k++)
			if (outputs[k] && is_same_file(outputs[i], outputs[k]))
				return "each output needs a file of its own";
	}
	return NULL;
}

static const char *find_plan_fault(const struct maui_sim_args *options, bool more)
{
	if (options->trace || options->sacct || options->cluster || options->procs)
		return "--plan is workload and cluster: not with --trace, --sacct, --cluster, --procs";
	if (options->compare && options->config_count == 0)
		return "--compare needs a policy to compare with the saved one";
	if (!options->compare && (more || options->config_count > 1))
		return "more than one policy: name one with --config FILE, several with --compare";
	return more ? "too many policies" : NULL;
}

/* `more`: there are more files than fit. */
static const char *find_fault(const struct maui_sim_args *options, bool more)
{
	if (find_output_fault(options))
		return find_output_fault(options);
	if (options->plan)
		return find_plan_fault(options, more);
	if (options->for_s || options->ends_at > 0)
		return "--for and --ends-at are for --plan";
	if (!options->trace && !options->sacct)
		return "no workload: name it with --trace FILE or --sacct FILE";
	if (options->trace && options->sacct)
		return "give either --trace or --sacct, not both";
	if (options->config_count == 0)
		return "no policy: name it with --config FILE, or several with --compare A B";
	if (options->compare && options->config_count < 2)
		return "--compare needs at least two policies";
	if (!options->compare && (more || options->config_count > 1))
		return "more than one policy: name one with --config FILE, several with --compare";
	return more ? "too many policies" : NULL;
}

int maui_sim_args_read(int argc, char **argv, struct maui_sim_args *ret, bool *ret_done)
{
	static const struct maui_program program = { .print_version = print_version };
	struct maui_tool_common common = { .tool = "maui-sim",
					   .program = &program,
					   .command = &command };
	const char *fault;
	int rc = maui_options_read(&common, ret, argc, argv), i = 0;

	*ret_done = common.done;
	if (common.done)
		return rc;
	ret->json = common.json;
	if (ret->config)
		ret->configs[ret->config_count++] = ret->config;
	while (i < common.operand_count && ret->config_count < MAUI_SIM_MOST_CONFIGS)
		ret->configs[ret->config_count++] = common.operands[i++];
	fault = find_fault(ret, i < common.operand_count);
	*ret_done = fault;
	return fault ? maui_tool_misuse(&common, "%s", fault) : MAUI_EXIT_OK;
}
