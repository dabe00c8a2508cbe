/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_releaseres.c - releaseres: takes reservations away */

#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/warnings.h"
#include "verbs/releaseres.h"

struct options {
	bool undo;
};

static const struct maui_option options[] = {
	MAUI_FLAG(
		0, "undo", options, undo,
		"takes back a release of one instance (class.1), or of all (class), also one that "
		"IDLETIME, SINGLEUSE or a trigger made"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "releaseres [--undo] [--json] ID...",
	.about =
		"Releases reservations that setres made, and cancels instances of standing "
		"reservations: releaseres class.1 cancels tomorrow's instance only, until its "
		"period ends, its SRCFG line changes, or --undo. Of a waiting job it drops the job "
		"reservation; the job may get another one at once. A job that has started keeps "
		"its nodes. Users may release reservations that they made or own.",
	.options = options,
	.operands = MAUI_OPERANDS_ANY,
	.missing = "which ID? showres lists them",
	.notes = "Exit status: 0 all released, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 "
		 "not permitted, 5 no such reservation; of several ids the first that failed.",
};

static void print_done(const char *what, const struct maui_releaseres_done *done, size_t count)
{
	for (size_t i = 0; i < count; i++)
		printf("%s %s reservation '%s'\n", what, done[i].type, done[i].name);
}

/* Prints what became of each; returns the exit status. */
static int print_answer(const struct maui_tool_common *common, const struct maui_releaseres *answer)
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
			rc = one->code > MAUI_EXIT_OK && one->code <= MAUI_QUERY_NOT_FOUND ?
				     (int)one->code :
				     MAUI_EXIT_ERROR;
	}
	return rc;
}

static int run_releaseres(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "releaseres", .command = &command };
	struct maui_releaseres_args args;
	struct maui_cmd_answer answer;
	struct options o = { 0 };
	int rc = maui_cmd_read(&common, &o, argc, argv);

	if (common.done)
		return rc;
	args = (struct maui_releaseres_args){
		.names = (const char *const *)common.operands,
		.names_count = (size_t)common.operand_count,
	};
	rc = maui_cmd_ask_verb(&common, o.undo ? &maui_verb_restoreres : &maui_verb_releaseres,
			       &args, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	rc = print_answer(&common, answer.record);
	if (common.json)
		maui_cmd_answer_print_json(&common, &answer);
	maui_cmd_answer_finish(&answer);
	return rc;
}

MAUI_COMMAND(releaseres, "remove reservations");
