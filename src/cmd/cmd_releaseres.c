/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_releaseres.c - releaseres: takes reservations away */

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/query.h"
#include "query/verbs.h"

static const char usage[] =
	"usage: releaseres [--json] ID...\n"
	"\n"
	"Removes reservations that setres made, and sets aside what a standing reservation has today\n"
	"(biz.0) until its period ends. A job that waits with a reservation may get another one at\n"
	"once; one that has started keeps its nodes. Users may release what they made or own.\n"
	"\n"
	"  --json  one JSON object\n"
	"\n"
	"Exit status: 0 all released, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not\n"
	"permitted, 5 no such reservation; of several ids the first that failed.\n";

static int parse(int argc, char **argv, struct maui_cmd_common *common)
{
	static const struct maui_cmd_flag none = { 0 };
	int rc = maui_cmd_flags(common, argc, argv, &none);

	if (common->done)
		return rc;
	if (optind >= argc)
		return maui_cmd_misuse(common, "which ID? showres lists them");
	return MAUI_EXIT_OK;
}

/* Prints what became of each; returns the exit status. */
static int print_reply(const struct maui_cmd_common *common, json_object *result)
{
	int rc = MAUI_EXIT_OK;

	for (size_t i = 0; i < maui_cmd_length(result, "released") && !common->json; i++) {
		json_object *one = maui_cmd_element(result, "released", i);

		printf("released %s reservation '%s'\n", maui_cmd_text(one, "type"),
		       maui_cmd_text(one, "name"));
	}
	for (size_t i = 0; i < maui_cmd_length(result, "warnings"); i++)
		fprintf(stderr, "%s: warning: %s\n", common->tool,
			json_object_get_string(maui_cmd_element(result, "warnings", i)));
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
	int rc = parse(argc, argv, &common);

	if (rc != MAUI_EXIT_OK || common.done)
		return rc;
	args = json_object_new_object();
	names = json_object_new_array();
	for (int i = optind; i < argc; i++)
		json_object_array_add(names, json_object_new_string(argv[i]));
	json_object_object_add(args, "names", names);
	result = maui_cmd_ask(&common, MAUI_VERB_RELEASERES, args, &rc);
	if (!result)
		return rc;
	rc = print_reply(&common, result);
	if (common.json)
		maui_cmd_print_json(&common, result);
	else
		json_object_put(result);
	return rc;
}
