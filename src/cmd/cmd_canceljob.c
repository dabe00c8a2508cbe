/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_canceljob.c - canceljob: scancel, under Maui's name
 *
 * Rules: CMD-47.
 */

#include "cmd/change_job.h"
#include "cmd/cmd.h"

static const struct maui_command command = {
	.synopsis = "canceljob [--json] JOB...",
	.about = "Cancels jobs, waiting or running. The same as scancel JOB.",
	.operands = MAUI_OPERANDS_ANY,
	.notes = MAUI_EXITS ", 4 not permitted, 5 no such job.",
};

static int run_canceljob(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "canceljob", .command = &command };
	const struct maui_changejob_args cancel = {
		.action = maui_changejob_actions[MAUI_JOB_CANCEL],
	};
	int rc = maui_cmd_read(&common, NULL, argc, argv);

	if (common.done)
		return rc;
	return maui_cmd_change_jobs(&common, &cancel, "job %s cancelled");
}

MAUI_COMMAND(canceljob, "cancel jobs, as scancel does");
