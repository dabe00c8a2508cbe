/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_report.c - maui report: the schedule as one HTML file with pictures
 *
 * The file is written beside its place and then renamed, so that a web server never shows half of
 * it.
 *
 * Rules: CMD-38.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/query.h"
#include "report/page.h"
#include "verbs/report.h"

enum { REFRESH_MAX_S = 86400 };

struct options {
	struct maui_report_args args;
	const char *output;
	int refresh_s;
};

static int read_refresh(struct maui_tool_common *common, void *opts,
			const struct maui_option *option, const char *text)
{
	struct options *o = opts;
	int64_t seconds;

	(void)option;
	if (maui_option_count(text, 1, &seconds) || seconds > REFRESH_MAX_S)
		return maui_tool_misuse(common, "--refresh '%s' must be 1 to %d seconds", text,
					REFRESH_MAX_S);
	o->refresh_s = (int)seconds;
	return MAUI_EXIT_OK;
}

static const struct maui_option options[] = {
	MAUI_TEXT('o', "output", "FILE", options, output,
		  "where to; -: stdout (default: report.html)"),
	MAUI_SPAN('t', "time", "TIME", options, args.horizon,
		  "how far to look ahead, [[DD:]HH:]MM:SS (default: 24:00:00)"),
	MAUI_READ(0, "refresh", "SECONDS", NULL, read_refresh,
		  "browsers load the page again after so long"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "maui report [-o FILE] [-t TIME] [--refresh SECONDS] [--json]",
	.about = "Writes one HTML file with pictures: nodes over time, priorities of waiting jobs, "
		 "the queue, and why jobs wait. The file has no script and needs no other file.",
	.options = options,
	.json = "one JSON object on stdout instead of the page",
	.notes = MAUI_EXITS ", 4 not for this user.",
};

static int write_file(const struct maui_tool_common *common, const struct options *o,
		      const char *page, size_t length)
{
	const char *path = o->output ? o->output : "report.html";
	int rc = maui_cmd_write_file(common, path, page, length);

	if (rc == MAUI_EXIT_OK && !o->output)
		printf("%s\n", path);
	return rc;
}

static int write_page(const struct maui_tool_common *common, const void *opts, const void *record)
{
	const struct options *o = opts;
	const struct maui_page_run run = { .report = record };
	const struct maui_page page = { .runs = &run, .run_count = 1, .refresh_s = o->refresh_s };
	size_t length;
	char *text = maui_page_make(&page, &length);
	int rc = MAUI_EXIT_OK;

	if (o->output && strcmp(o->output, "-") == 0)
		fwrite(text, 1, length, stdout);
	else
		rc = write_file(common, o, text, length);
	free(text);
	return rc;
}

static int run_report(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui report", .command = &command };
	struct options o = { 0 };
	int rc = maui_cmd_read(&common, &o, argc, argv);

	return common.done ? rc :
			     maui_cmd_show(&common, &maui_verb_report, &o.args, write_page, &o);
}

MAUI_SUBCOMMAND(report, "write the schedule as an HTML page with pictures");
