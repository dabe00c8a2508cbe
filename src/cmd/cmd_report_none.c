/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_report_none.c - maui report in a build without the page
 *
 * Rules: CMD-38.
 */

#include <stdio.h>

#include "cmd/cmd.h"

static int run_report(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	fputs("maui report: error: this build has no report (configure --disable-report)\n",
	      stderr);
	return MAUI_EXIT_ERROR;
}

MAUI_SUBCOMMAND(report, NULL);
