/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_setspri.c - setspri: the system priority of a job
 *
 * Rules: CMD-45.
 */

#include <errno.h>
#include <stdlib.h>

#include "base/limits.h"
#include "cmd/change_job.h"
#include "cmd/cmd.h"

static const struct maui_option options[] = {
	MAUI_FLAG('r', NULL, maui_changejob_priority, relative,
		  "PRIORITY is added to the job's own: -1000000000 to 1000000000"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "setspri [-r] [--json] PRIORITY JOB...",
	.about =
		"Sets the system priority of waiting jobs: 1 to 1000, above every job without one. "
		"0 takes it away. It stays until the job ends, also when slurmctld restarts. Needs "
		"ADMIN1 or ADMIN2 of maui.cfg, or the rights of an operator of Slurm.",
	.options = options,
	.numbers = true,
	.operands = MAUI_OPERANDS_ANY,
	.missing = "which priority, which job?",
	.notes = MAUI_EXITS ", 4 not permitted, 5 no such job.",
};

static int read_priority(const char *text, bool relative, int64_t *ret)
{
	int64_t low = relative ? -(int64_t)MAUI_PRIORITY_MAX : 0;
	int64_t high = relative ? (int64_t)MAUI_PRIORITY_MAX : MAUI_SYSPRIO_MAX;
	char *end;

	errno = 0;
	*ret = strtoll(text, &end, 10);
	return *text && *end == '\0' && errno == 0 && *ret >= low && *ret <= high ? 0 : -1;
}

static int run_setspri(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "setspri", .command = &command };
	struct maui_changejob_priority priority = { 0 };
	const struct maui_changejob_args args = {
		.action = maui_changejob_actions[MAUI_JOB_PRIORITY],
		.priority = &priority,
	};
	const char *text;
	int rc = maui_cmd_read(&common, &priority, argc, argv);

	if (common.done)
		return rc;
	text = *common.operands++;
	common.operand_count--;
	if (read_priority(text, priority.relative, &priority.priority))
		return maui_tool_misuse(&common, "%s: not a priority from %s", text,
					priority.relative ? "-1000000000 to 1000000000" :
							    "0 to 1000");
	return maui_cmd_change_jobs(&common, &args,
				    priority.priority ? "system priority of job %s adjusted" :
							"system priority of job %s cleared");
}

MAUI_COMMAND(setspri, "set the system priority of jobs");
