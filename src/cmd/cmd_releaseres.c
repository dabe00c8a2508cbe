/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_releaseres.c - releaseres: takes reservations away */

#include <getopt.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/warnings.h"
#include "verbs/releaseres.h"

static const char usage[] =
	"usage: releaseres [--undo] [--json] ID...\n"
	"\n"
	"Releases reservations that setres made, and cancels instances of standing reservations:\n"
	"releaseres class.1 cancels tomorrow's instance only, until its period ends, its SRCFG line\n"
	"changes, or --undo. Of a waiting job it drops the job reservation; the job may get another\n"
	"one at once. A job that has started keeps its nodes. Users may release reservations that\n"
	"they made or own.\n"
	"\n"
	"  --undo  takes back a release of one instance (class.1), or of all (class), also one that\n"
	"          IDLETIME, SINGLEUSE or a trigger made\n"
	"  --json  one JSON object\n"
	"\n"
	"Exit status: 0 all released, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not\n"
	"permitted, 5 no such reservation; of several ids the first that failed.\n";

static int parse(int argc, char **argv, struct maui_cmd_common *common, bool *ret_undo)
{
	static const struct option longs[] = {
		MAUI_COMMON_OPTIONS,
		{ "undo", no_argument, NULL, MAUI_OPT_OWN },
		{ 0 },
	};
	int option, rc;

	maui_cmd_begin(common, argc, argv);
	while ((option = getopt_long(argc, argv, "hV", longs, NULL)) != -1) {
		if (option == MAUI_OPT_OWN) {
			*ret_undo = true;
			continue;
		}
		rc = maui_cmd_common_option(common, option);
		if (common->done)
			return rc;
	}
	if (optind >= argc)
		return maui_cmd_misuse(common, "which ID? showres lists them");
	return MAUI_EXIT_OK;
}

static void print_done(const char *what, const struct maui_releaseres_done *done, size_t count)
{
	for (size_t i = 0; i < count; i++)
		printf("%s %s reservation '%s'\n", what, done[i].type, done[i].name);
}

/* Prints what became of each; returns the exit status. */
static int print_answer(const struct maui_cmd_common *common, const struct maui_releaseres *answer)
{
	int rc = MAUI_EXIT_OK;

	if (!common->json) {
		print_done("released", answer->released, answer->released_count);
		print_done("restored", answer->restored, answer->restored_count);
	}
	maui_cmd_warn(common, answer->warned);
	for (size_t i = 0; i < answer->errors_count; i++) {
		const struct maui_releaseres_error *one = &answer->errors[i];

		fprintf(stderr, "%s: error: %s\n", common->tool, one->error);
		if (rc == MAUI_EXIT_OK)
			rc = one->code ? (int)one->code : MAUI_EXIT_ERROR;
	}
	return rc;
}

int maui_cmd_releaseres(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "releaseres", .usage = usage };
	struct maui_releaseres_args args;
	struct maui_cmd_answer answer;
	bool undo = false;
	int rc = parse(argc, argv, &common, &undo);

	if (rc != MAUI_EXIT_OK || common.done)
		return rc;
	args = (struct maui_releaseres_args){
		.names = (const char *const *)&argv[optind],
		.names_count = (size_t)(argc - optind),
	};
	rc = maui_cmd_ask_verb(&common, undo ? &maui_verb_restoreres : &maui_verb_releaseres, &args,
			       &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	rc = print_answer(&common, answer.record);
	if (common.json)
		maui_cmd_answer_print_json(&common, &answer);
	maui_cmd_answer_finish(&answer);
	return rc;
}
