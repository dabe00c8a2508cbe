/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_sethold.c - sethold and releasehold: Slurm's holds, under Maui's names
 *
 * Rules: CMD-47.
 */

#include <getopt.h>
#include <stdio.h>

#include "cmd/change_job.h"
#include "cmd/cmd.h"

static const char set_usage[] =
	"usage: sethold [-b | -s | -u] [--json] JOB...\n"
	"\n"
	"Keeps waiting jobs from starting. Slurm has two kinds of holds: an administrator's (-b, -s),\n"
	"which only an administrator releases, and a user's (-u). Without an option the hold is an\n"
	"administrator's; a user's own, if you are none. The same as scontrol hold JOB and scontrol\n"
	"uhold JOB.\n"
	"\n"
	"  -b, -s      batch or system hold: an administrator's\n"
	"  -u          user hold\n"
	"  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such job.\n";

static const char release_usage[] =
	"usage: releasehold [-a | -b | -s | -u] [--json] JOB...\n"
	"\n"
	"Takes holds off waiting jobs. The same as scontrol release JOB.\n"
	"\n"
	"  -a          every hold (default)\n"
	"  -b, -s      an administrator's hold only\n"
	"  -u          a user's hold only\n"
	"  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such job.\n";

int maui_cmd_sethold(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "sethold", .usage = set_usage };
	struct maui_changejob_args hold = { 0 };
	bool batch = false, system = false, user = false;
	const struct maui_cmd_flag flags[] = {
		{ 'b', &batch }, { 's', &system }, { 'u', &user }, { 0, NULL }
	};
	int rc = maui_cmd_flags(&common, argc, argv, flags, false);

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (user && (batch || system))
		return maui_cmd_misuse(&common, "one kind of hold at a time");
	hold.action = maui_changejob_actions[user ? MAUI_JOB_HOLD_USER : MAUI_JOB_HOLD];
	return maui_cmd_change_jobs(&common, argc, argv, &hold, "system hold placed on job %s");
}

int maui_cmd_releasehold(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "releasehold", .usage = release_usage };
	struct maui_changejob_args release = { 0 };
	bool all = false, batch = false, system = false, user = false;
	const struct maui_cmd_flag flags[] = {
		{ 'a', &all }, { 'b', &batch }, { 's', &system }, { 'u', &user }, { 0, NULL }
	};
	int rc = maui_cmd_flags(&common, argc, argv, flags, false);
	bool admin = batch || system;

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	release.action = maui_changejob_actions[all || user == admin ? MAUI_JOB_RELEASE :
						user                 ? MAUI_JOB_RELEASE_USER :
								       MAUI_JOB_RELEASE_ADMIN];
	return maui_cmd_change_jobs(&common, argc, argv, &release, "hold released on job %s");
}
