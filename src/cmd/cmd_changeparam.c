/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_changeparam.c - changeparam: a line of maui.cfg is in force until the file is read again
 *
 * Rules: CMD-46.
 */

#include <getopt.h>
#include <stdio.h>

#include "answers/verbs.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/query.h"

static const char usage[] =
	"usage: changeparam [--json] NAME VALUE...\n"
	"\n"
	"Puts a line of maui.cfg in force, as if it stood at the end of the file, until slurmctld reads\n"
	"the file again: changeparam RESERVATIONDEPTH 4; changeparam 'USERCFG[ann]' MAXJOB=8. A line\n"
	"with an error changes nothing. showconfig shows the value with the user who set it. Needs\n"
	"ADMIN1 of maui.cfg, root or SlurmUser.\n"
	"\n"
	"  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage or not accepted, 3 slurmctld cannot be reached, 4 not\n"
	"permitted.\n";

int maui_cmd_changeparam(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "changeparam", .usage = usage };
	const struct maui_cmd_flag none[] = { { 0, NULL } };
	json_object *args, *result;
	struct maui_strbuf line = { 0 };
	int rc = maui_cmd_flags(&common, argc, argv, none, false);

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (argc - optind < 2)
		return maui_cmd_misuse(&common, "which parameter, which value?");
	for (int i = optind; i < argc; i++)
		maui_strbuf_addf(&line, "%s%s", i > optind ? " " : "", argv[i]);
	args = json_object_new_object();
	json_object_object_add(args, "line", json_object_new_string(line.text));
	maui_strbuf_finish(&line);
	result = maui_cmd_ask(&common, MAUI_VERB_CHANGEPARAM, args, &rc);
	if (!result)
		return rc;
	maui_cmd_print_warnings(&common, result);
	if (common.json) {
		maui_cmd_print_json(&common, result);
		return MAUI_EXIT_OK;
	}
	printf("in force until maui.cfg is read again: %s\n", maui_cmd_text(result, "line"));
	json_object_put(result);
	return MAUI_EXIT_OK;
}
