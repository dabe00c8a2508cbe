/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_releaseres.c - releaseres: takes reservations away */

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/query.h"
#include "answers/verbs.h"

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

static void print_done(json_object *result, const char *key)
{
	for (size_t i = 0; i < maui_cmd_length(result, key); i++) {
		json_object *one = maui_cmd_element(result, key, i);

		printf("%s %s reservation '%s'\n", key, maui_cmd_text(one, "type"),
		       maui_cmd_text(one, "name"));
	}
}

/* Prints what became of each; returns the exit status. */
static int print_reply(const struct maui_cmd_common *common, json_object *result)
{
	int rc = MAUI_EXIT_OK;

	if (!common->json) {
		print_done(result, "released");
		print_done(result, "restored");
	}
	maui_cmd_print_warnings(common, result);
	for (size_t i = 0; i < maui_cmd_length(result, "errors"); i++) {
		json_object *one = maui_cmd_element(result, "errors", i);

		fprintf(stderr, "%s: error: %s\n", common->tool, maui_cmd_text(one, "error"));
		if (rc == MAUI_EXIT_OK)
			rc = (int)maui_cmd_number(one, "code", MAUI_EXIT_ERROR);
	}
	return rc;
}

int maui_cmd_releaseres(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "releaseres", .usage = usage };
	json_object *args, *names, *result;
	bool undo = false;
	int rc = parse(argc, argv, &common, &undo);

	if (rc != MAUI_EXIT_OK || common.done)
		return rc;
	args = json_object_new_object();
	names = json_object_new_array();
	for (int i = optind; i < argc; i++)
		json_object_array_add(names, json_object_new_string(argv[i]));
	json_object_object_add(args, "names", names);
	result = maui_cmd_ask(&common, undo ? MAUI_VERB_RESTORERES : MAUI_VERB_RELEASERES, args,
			      &rc);
	if (!result)
		return rc;
	rc = print_reply(&common, result);
	if (common.json)
		maui_cmd_print_json(&common, result);
	else
		json_object_put(result);
	return rc;
}
