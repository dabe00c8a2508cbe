/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_setspri.c - setspri: the system priority of a job
 *
 * Rules: CMD-45.
 */

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "cmd/change_job.h"
#include "cmd/cmd.h"

static const char usage[] =
	"usage: setspri [-r] [--json] PRIORITY JOB...\n"
	"\n"
	"Sets the system priority of waiting jobs: 1 to 1000, above every job without one. 0 takes it\n"
	"away. It stays until the job ends, also when slurmctld restarts. Needs ADMIN1 or ADMIN2 of\n"
	"maui.cfg, or the rights of an operator of Slurm.\n"
	"\n"
	"  -r          PRIORITY is added to the job's own: -1000000000 to 1000000000\n"
	"  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such job.\n";

static int read_priority(const char *text, bool relative, int64_t *ret)
{
	int64_t low = relative ? -(int64_t)MAUI_PRIORITY_MAX : 0;
	int64_t high = relative ? (int64_t)MAUI_PRIORITY_MAX : MAUI_SYSPRIO_MAX;
	char *end;

	errno = 0;
	*ret = strtoll(text, &end, 10);
	return *text && *end == '\0' && errno == 0 && *ret >= low && *ret <= high ? 0 : -1;
}

/* "-5" is a number, and "-r" an option: getopt() is told of the operands by "--" before them. */
static int parse(struct maui_cmd_common *common, int argc, char **argv, bool *ret_relative)
{
	static const struct option known[] = { MAUI_COMMON_OPTIONS, { 0 } };
	int option, rc;

	maui_cmd_begin(common, argc, argv);
	while (optind < argc &&
	       !(argv[optind][0] == '-' && argv[optind][1] >= '0' && argv[optind][1] <= '9') &&
	       (option = getopt_long(argc, argv, "+rhV", known, NULL)) != -1) {
		if (option == 'r') {
			*ret_relative = true;
			continue;
		}
		rc = maui_cmd_common_option(common, option);
		if (common->done || rc != MAUI_EXIT_OK)
			return rc;
	}
	return MAUI_EXIT_OK;
}

int maui_cmd_setspri(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "setspri", .usage = usage };
	struct maui_changejob_priority priority = { 0 };
	const struct maui_changejob_args args = {
		.action = maui_changejob_actions[MAUI_JOB_PRIORITY],
		.priority = &priority,
	};
	int rc = parse(&common, argc, argv, &priority.relative);

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (optind >= argc)
		return maui_cmd_misuse(&common, "which priority, which job?");
	if (read_priority(argv[optind], priority.relative, &priority.priority))
		return maui_cmd_misuse(&common, "%s: not a priority from %s", argv[optind],
				       priority.relative ? "-1000000000 to 1000000000" :
							   "0 to 1000");
	optind++;
	return maui_cmd_change_jobs(&common, argc, argv, &args,
				    priority.priority ? "system priority of job %s adjusted" :
							"system priority of job %s cleared");
}
