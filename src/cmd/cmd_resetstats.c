/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_resetstats.c - resetstats: resets the statistics
 *
 * Rules: CMD-28.
 */

#include <stdio.h>

#include "base/moment.h"
#include "cmd/cmd.h"
#include "cmd/warnings.h"
#include "verbs/resetstats.h"

static const struct maui_command command = {
	.synopsis = "resetstats [--json]",
	.about = "Forgets the statistics that showstats shows; jobs that end from now on count. "
		 "Fairshare usage and the record of the last day stay. The log of slurmctld names "
		 "the user. Needs ADMIN1 of maui.cfg, root or SlurmUser.",
	.notes = MAUI_EXITS ", 4 not permitted.",
};

static int run_resetstats(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "resetstats", .command = &command };
	int rc = maui_cmd_read(&common, NULL, argc, argv);
	const struct maui_resetstats *done;
	char since[MAUI_MOMENT_SIZE];
	struct maui_cmd_answer answer;

	if (common.done)
		return rc;
	rc = maui_cmd_ask_verb(&common, &maui_verb_resetstats, NULL, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	done = answer.record;
	maui_cmd_warn(&common, done->warned);
	if (common.json)
		maui_cmd_answer_print_json(&common, &answer);
	else
		printf("statistics reset at %s\n",
		       maui_moment_as_maui(done->since, done->since, since, sizeof(since)));
	maui_cmd_answer_finish(&answer);
	return MAUI_EXIT_OK;
}

MAUI_COMMAND(resetstats, "reset the statistics");
