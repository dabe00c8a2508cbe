/* SPDX-License-Identifier: GPL-2.0-or-later */
/* args.c - the options of maui-sim, and which of them go together */

#include "maui_config.h"

#include "sim/args.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/duration.h"
#include "model/when.h"

static const char usage_text[] =
	"usage: maui-sim --trace FILE.swf[.gz] --config FILE [OPTION]...\n"
	"       maui-sim --cluster slurm.conf --sacct FILE --config FILE [OPTION]...\n"
	"       maui-sim --compare a.cfg b.cfg --trace FILE [OPTION]...\n"
	"       maui-sim --plan FILE [--config FILE | --compare FILE...] [OPTION]...\n"
	"\n"
	"Runs a workload through the scheduler that maui.cfg describes and prints the results.\n"
	"  --trace FILE     jobs in Standard Workload Format, gzipped or not\n"
	"  --sacct FILE     jobs as `sacct -P` prints them; needs Submit, Start, End and AllocCPUS\n"
	"                   or ReqCPUS; reads JobID, JobIDRaw, User, Group, Account, Partition,\n"
	"                   QOS, Timelimit, NNodes, ReqMem, ReqTRES\n"
	"  --cluster FILE   nodes and partitions of this slurm.conf instead of a pool of processors\n"
	"  --procs N        processors of the pool; default: from the header of the trace\n"
	"  --config FILE    the maui.cfg to simulate\n"
	"  --compare A B... compare several maui.cfg files with the same jobs\n"
	"  --plan FILE      go on from a plan that `maui snapshot` saved; no other workload;\n"
	"                   without --config under the saved maui.cfg, which --compare compares with\n"
	"  --for TIME       of a plan: no longer than this ([[[D:]H:]M:]S)\n"
	"  --ends-at PART   of a plan: jobs end at this part of their limits; default 1\n"
	"  --starts FILE    write `index submit start run procs` for each job; - is stdout\n"
	"  --jobs FILE      write `job user submit reserved start end nodes procs why` for each job\n"
	"  --estimates      how true the estimates of starts were, as showstats --estimates\n"
#if MAUI_HAS_REPORT
	"  --report FILE    write a page with pictures; with --compare side by side\n"
#endif
	"  --json           the summary as JSON\n"
	"  --quiet          no progress\n"
	"  --version, --help\n";

int maui_sim_args_usage(void)
{
	fputs(usage_text, stderr);
	return 2;
}

static const struct option long_options[] = {
	{ "trace", required_argument, NULL, 't' },   { "sacct", required_argument, NULL, 'a' },
	{ "cluster", required_argument, NULL, 'm' }, { "procs", required_argument, NULL, 'p' },
	{ "plan", required_argument, NULL, 'P' },    { "for", required_argument, NULL, 'F' },
	{ "ends-at", required_argument, NULL, 'E' }, { "config", required_argument, NULL, 'c' },
	{ "compare", no_argument, NULL, 'C' },       { "starts", required_argument, NULL, 's' },
	{ "jobs", required_argument, NULL, 'j' },    { "estimates", no_argument, NULL, 'e' },
	{ "json", no_argument, NULL, 'J' },          { "report", required_argument, NULL, 'r' },
	{ "quiet", no_argument, NULL, 'q' },         { "version", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },          { NULL, 0, NULL, 0 },
};

/* A number of processors; -1: invalid. */
static int64_t procs_of(const char *value)
{
	char *end;
	long long procs;

	errno = 0;
	procs = strtoll(value, &end, 10);
	return errno || end == value || *end != '\0' || procs < 1 ? -1 : procs;
}

static void read_for(struct maui_sim_args *ret, const char *value)
{
	if (maui_duration_parse(value, &ret->for_s, NULL) || ret->for_s <= 0 ||
	    ret->for_s > MAUI_YEAR_S)
		ret->fault = "--for: not a time between a second and a year";
}

static void read_ends_at(struct maui_sim_args *ret, const char *value)
{
	char *end;

	ret->ends_at = strtod(value, &end);
	if (end == value || *end != '\0' || !(ret->ends_at > 0 && ret->ends_at <= 1))
		ret->fault = "--ends-at: not a part above 0 and at most 1";
}

/* Stores an option; false: an option without a value or flag. */
static bool store_option(struct maui_sim_args *ret, int option, const char *value)
{
	const char **texts[] = { ['t'] = &ret->trace,  ['a'] = &ret->sacct,  ['m'] = &ret->cluster,
				 ['c'] = ret->configs, ['s'] = &ret->starts, ['j'] = &ret->jobs,
				 ['r'] = &ret->report, ['P'] = &ret->plan };
	bool *flags[] = { ['C'] = &ret->compare,
			  ['J'] = &ret->json,
			  ['q'] = &ret->quiet,
			  ['e'] = &ret->estimates };

	if (option == 'p')
		ret->procs = procs_of(value);
	else if (option == 'F')
		read_for(ret, value);
	else if (option == 'E')
		read_ends_at(ret, value);
	else if ((size_t)option < sizeof(flags) / sizeof(flags[0]) && flags[option])
		*flags[option] = true;
	else if ((size_t)option < sizeof(texts) / sizeof(texts[0]) && texts[option])
		*texts[option] = value;
	else
		return false;
	if (option == 'c')
		ret->config_count = 1;
	return true;
}

int maui_sim_args_parse(int argc, char **argv, struct maui_sim_args *ret)
{
	int option;

	while ((option = getopt_long(argc, argv, "hV", long_options, NULL)) != -1) {
		if (store_option(ret, option, optarg))
			continue;
		if (option != 'v' && option != 'V' && option != 'h')
			return maui_sim_args_usage() + 1;
		fputs(option != 'h' ? "maui-sim " MAUI_VERSION "\n" : usage_text, stdout);
		return 1;
	}
	for (; optind < argc && ret->config_count < MAUI_SIM_MOST_CONFIGS; optind++)
		ret->configs[ret->config_count++] = argv[optind];
	return 0;
}

static bool is_same_file(const char *one, const char *two)
{
	struct stat a, b;

	if (strcmp(one, two) == 0)
		return true;
	return stat(one, &a) == 0 && stat(two, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* Nothing that is read is written, and nothing is written twice. */
static const char *find_output_fault(const struct maui_sim_args *o)
{
	const char *const outputs[] = { o->starts, o->jobs, o->report };
	const char *const inputs[] = { o->trace, o->sacct, o->cluster, o->plan };

	if (o->report && !MAUI_HAS_REPORT)
		return "--report: this build has no report (configure --disable-report)";
	if (o->report && strcmp(o->report, "-") == 0)
		return "--report: name a file";
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

/* The error in the options; NULL: none. */
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

const char *maui_sim_args_fault(const struct maui_sim_args *options, bool more)
{
	if (options->procs < 0)
		return "--procs: not a number of processors";
	if (options->fault)
		return options->fault;
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
