/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_changeparam.c - changeparam: a line of maui.cfg is in force until the file is read again
 *
 * Rules: CMD-46.
 */

#include <stdio.h>

#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/warnings.h"
#include "verbs/changeparam.h"

static const struct maui_command command = {
	.synopsis = "changeparam [--json] NAME VALUE...",
	.numbers = true,
	.about = "Puts a line of maui.cfg in force, as if it stood at the end of the file, until "
		 "slurmctld reads the file again: changeparam RESERVATIONDEPTH 4; changeparam "
		 "'USERCFG[ann]' MAXJOB=8. A line with an error changes nothing. showconfig shows "
		 "the value with the user who set it. Needs ADMIN1 of maui.cfg, root or SlurmUser.",
	.operands = MAUI_OPERANDS_ANY,
	.notes = "Exit status: 0 done, 1 error, 2 usage or not accepted, 3 slurmctld cannot be "
		 "reached, 4 not permitted.",
};

static int run_changeparam(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "changeparam", .command = &command };
	const struct maui_changeparam *done;
	struct maui_changeparam_args args;
	struct maui_cmd_answer answer;
	struct maui_strbuf line = { 0 };
	int rc = maui_cmd_read(&common, NULL, argc, argv);

	if (common.done)
		return rc;
	if (common.operand_count < 2)
		return maui_tool_misuse(&common, "which parameter, which value?");
	for (int i = 0; i < common.operand_count; i++)
		maui_strbuf_addf(&line, "%s%s", i > 0 ? " " : "", common.operands[i]);
	args = (struct maui_changeparam_args){ .line = line.text };
	rc = maui_cmd_ask_verb(&common, &maui_verb_changeparam, &args, &answer);
	maui_strbuf_finish(&line);
	if (rc != MAUI_EXIT_OK)
		return rc;
	done = answer.record;
	maui_cmd_warn(&common, done->warned);
	if (common.json)
		maui_cmd_answer_print_json(&common, &answer);
	else
		printf("in force until maui.cfg is read again: %s\n", done->line);
	maui_cmd_answer_finish(&answer);
	return MAUI_EXIT_OK;
}

MAUI_COMMAND(changeparam, "put a line of maui.cfg in force for now");
