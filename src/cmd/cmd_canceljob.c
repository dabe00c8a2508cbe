/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_canceljob.c - canceljob: scancel, under Maui's name
 *
 * Rules: CMD-47.
 */

#include <getopt.h>
#include <stdio.h>

#include "cmd/change_job.h"
#include "cmd/cmd.h"

static const char usage[] =
	"usage: canceljob [--json] JOB...\n"
	"\n"
	"Cancels jobs, waiting or running. The same as scancel JOB.\n"
	"\n"
	"  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such job.\n";

int maui_cmd_canceljob(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "canceljob", .usage = usage };
	const struct maui_changejob_args cancel = {
		.action = maui_changejob_actions[MAUI_JOB_CANCEL],
	};
	const struct maui_cmd_flag none[] = { { 0, NULL } };
	int rc = maui_cmd_flags(&common, argc, argv, none, false);

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	return maui_cmd_change_jobs(&common, argc, argv, &cancel, "job %s cancelled");
}
