/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_resetstats.c - resetstats: resets the statistics
 *
 * Rules: CMD-28.
 */

#include <getopt.h>
#include <stdio.h>

#include "answers/verbs.h"
#include "cmd/cmd.h"
#include "cmd/query.h"

static const char usage[] =
	"usage: resetstats [--json]\n"
	"\n"
	"Forgets the statistics that showstats shows; jobs that end from now on count. Fairshare\n"
	"usage stays. Needs ADMIN1 of maui.cfg, root or SlurmUser.\n"
	"\n"
	"  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted.\n";

int maui_cmd_resetstats(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "resetstats", .usage = usage };
	const struct maui_cmd_flag none[] = { { 0, NULL } };
	int rc = maui_cmd_flags(&common, argc, argv, none, false);
	char since[MAUI_CMD_TIME_SIZE];
	json_object *result;
	int64_t since_s;

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (argc > optind)
		return maui_cmd_misuse(&common, "no operand is expected");
	result = maui_cmd_ask(&common, MAUI_VERB_RESETSTATS, json_object_new_object(), &rc);
	if (!result)
		return rc;
	maui_cmd_print_warnings(&common, result);
	if (common.json) {
		maui_cmd_print_json(&common, result);
		return MAUI_EXIT_OK;
	}
	since_s = maui_cmd_number(result, "since", 0);
	printf("statistics reset at %s\n", maui_cmd_moment(since_s, since_s, since, sizeof(since)));
	json_object_put(result);
	return MAUI_EXIT_OK;
}
