/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_report.c - maui report: the schedule as one HTML file with pictures
 *
 * The file is written beside its place and then renamed, so that a web server never shows half of
 * it.
 *
 * Rules: CMD-38.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/limits.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "report/page.h"
#include "verbs/report.h"

static const char usage[] =
	"usage: maui report [-o FILE] [-t TIME] [--refresh SECONDS] [--json]\n"
	"\n"
	"Writes one HTML file with pictures: nodes over time, priorities of waiting jobs, the queue,\n"
	"and why jobs wait. The file has no script and needs no other file.\n"
	"\n"
	"  -o, --output FILE    where to; -: stdout (default: report.html)\n"
	"  -t, --time TIME      how far to look ahead, [[DD:]HH:]MM:SS (default: 24:00:00)\n"
	"  --refresh SECONDS    browsers load the page again after so long\n"
	"  --json               one JSON object on stdout instead of the page\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not for this user.\n";

struct options {
	struct maui_cmd_common common;
	struct maui_report_args args;
	const char *output;
	int refresh_s;
};

enum { OPT_REFRESH = MAUI_OPT_OWN, REFRESH_MAX_S = 86400 };

static int take_option(struct options *options, int option)
{
	struct maui_err err;
	long seconds;
	char *end;

	switch (option) {
	case 'o':
		options->output = optarg;
		return MAUI_EXIT_OK;
	case 't':
		if (maui_duration_parse(optarg, &options->args.horizon, &err) ||
		    options->args.horizon < 1 || options->args.horizon > MAUI_REPORT_MAX_HORIZON_S)
			return maui_cmd_misuse(&options->common,
					       "-t '%s' must be between 1 second and 1 year",
					       optarg);
		return MAUI_EXIT_OK;
	case OPT_REFRESH:
		seconds = strtol(optarg, &end, 10);
		if (end == optarg || *end || seconds < 1 || seconds > REFRESH_MAX_S)
			return maui_cmd_misuse(&options->common,
					       "--refresh '%s' must be 1 to %d seconds", optarg,
					       REFRESH_MAX_S);
		options->refresh_s = (int)seconds;
		return MAUI_EXIT_OK;
	default:
		return maui_cmd_common_option(&options->common, option);
	}
}

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "time", required_argument, NULL, 't' },
		{ "refresh", required_argument, NULL, OPT_REFRESH },
		MAUI_COMMON_OPTIONS,
		{ 0 },
	};
	int option;

	maui_cmd_begin(&options->common, argc, argv);
	while ((option = getopt_long(argc, argv, "hVo:t:", longs, NULL)) != -1) {
		int rc = take_option(options, option);

		if (rc != MAUI_EXIT_OK || options->common.done)
			return rc;
	}
	if (optind < argc)
		return maui_cmd_misuse(&options->common, "unexpected argument '%s'", argv[optind]);
	return MAUI_EXIT_OK;
}

static int write_file(const struct options *options, const char *page, size_t length)
{
	const char *path = options->output ? options->output : "report.html";
	int rc = maui_cmd_write_file(&options->common, path, page, length);

	if (rc == MAUI_EXIT_OK && !options->output)
		printf("%s\n", path);
	return rc;
}

static int write_page(const struct options *options, const struct maui_report *report)
{
	const struct maui_page_run run = { .report = report };
	const struct maui_page page = { .runs = &run,
					.run_count = 1,
					.refresh_s = options->refresh_s };
	size_t length;
	char *text = maui_page_make(&page, &length);
	int rc = MAUI_EXIT_OK;

	if (!text) {
		fprintf(stderr, "%s: error: out of memory\n", options->common.tool);
		return MAUI_EXIT_ERROR;
	}
	if (options->output && strcmp(options->output, "-") == 0)
		fwrite(text, 1, length, stdout);
	else
		rc = write_file(options, text, length);
	free(text);
	return rc;
}

int maui_cmd_report(int argc, char **argv)
{
	struct options options = { .common = { .tool = "maui report", .usage = usage } };
	struct maui_cmd_answer answer;
	int rc = parse(argc, argv, &options);

	if (rc != MAUI_EXIT_OK || options.common.done)
		return rc;
	rc = maui_cmd_ask_verb(&options.common, &maui_verb_report, &options.args, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	if (options.common.json)
		maui_cmd_answer_print_json(&options.common, &answer);
	else
		rc = write_page(&options, answer.record);
	maui_cmd_answer_finish(&answer);
	return rc;
}
