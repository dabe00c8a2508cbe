/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_sethold.c - sethold and releasehold: Slurm's holds, under Maui's names
 *
 * Rules: CMD-47.
 */

#include "cmd/change_job.h"
#include "cmd/cmd.h"

struct options {
	bool all, batch, system, user;
};

static const struct maui_option of_sethold[] = {
	MAUI_FLAG('b', NULL, options, batch, NULL),
	MAUI_FLAG('s', NULL, options, system, "batch or system hold: an administrator's"),
	MAUI_FLAG('u', NULL, options, user, "user hold"),
	{ 0 },
};

static const struct maui_command sethold = {
	.synopsis = "sethold [-b | -s | -u] [--json] JOB...",
	.about = "Keeps waiting jobs from starting. Slurm has two kinds of holds: an "
		 "administrator's (-b, -s), which only an administrator releases, and a user's "
		 "(-u). Without an option the hold is an administrator's; a user's own, if you are "
		 "none. The same as scontrol hold JOB and scontrol uhold JOB.",
	.options = of_sethold,
	.operands = MAUI_OPERANDS_ANY,
	.notes = MAUI_EXITS ", 4 not permitted, 5 no such job.",
};

static const struct maui_option of_releasehold[] = {
	MAUI_FLAG('a', NULL, options, all, "every hold (default)"),
	MAUI_FLAG('b', NULL, options, batch, NULL),
	MAUI_FLAG('s', NULL, options, system, "an administrator's hold only"),
	MAUI_FLAG('u', NULL, options, user, "a user's hold only"),
	{ 0 },
};

static const struct maui_command releasehold = {
	.synopsis = "releasehold [-a | -b | -s | -u] [--json] JOB...",
	.about = "Takes holds off waiting jobs. The same as scontrol release JOB.",
	.options = of_releasehold,
	.operands = MAUI_OPERANDS_ANY,
	.notes = MAUI_EXITS ", 4 not permitted, 5 no such job.",
};

static int run_sethold(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "sethold", .command = &sethold };
	struct maui_changejob_args hold = { 0 };
	struct options o = { 0 };
	int rc = maui_cmd_read(&common, &o, argc, argv);

	if (common.done)
		return rc;
	if (o.user && (o.batch || o.system))
		return maui_tool_misuse(&common, "one kind of hold at a time");
	hold.action = maui_changejob_actions[o.user ? MAUI_JOB_HOLD_USER : MAUI_JOB_HOLD];
	return maui_cmd_change_jobs(&common, &hold, "system hold placed on job %s");
}

MAUI_COMMAND(sethold, "hold jobs, as scontrol does");

static int run_releasehold(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "releasehold", .command = &releasehold };
	struct maui_changejob_args release = { 0 };
	struct options o = { 0 };
	int rc = maui_cmd_read(&common, &o, argc, argv);
	bool admin = o.batch || o.system;

	if (common.done)
		return rc;
	release.action = maui_changejob_actions[o.all || o.user == admin ? MAUI_JOB_RELEASE :
						o.user                   ? MAUI_JOB_RELEASE_USER :
									   MAUI_JOB_RELEASE_ADMIN];
	return maui_cmd_change_jobs(&common, &release, "hold released on job %s");
}

MAUI_COMMAND(releasehold, "take holds off jobs, as scontrol does");
