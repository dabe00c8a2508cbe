/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_snapshot.c - maui snapshot: saves the last plan's input in a file, for maui-sim
 *
 * Rules: CMD-35.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_print.h"
#include "base/need.h"
#include "base/strbuf.h"
#include "base/terminal.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "record/write.h"
#include "verbs/snapshot.h"

static const struct maui_command command = {
	.synopsis = "maui snapshot FILE",
	.about = "Saves what the last plan was made from: nodes, jobs, reservations, fairshare and "
		 "maui.cfg. maui-sim --plan FILE goes on from there. FILE - is stdout. What "
		 "PrivateData hides from you is there without names.",
	.operands = 1,
	.json = "prints the answer instead of a file",
	.notes = MAUI_EXITS ", 4 not permitted.",
};

/* The file has one member a line at the outer level, so that people find their way. */
static char *file_text(json_object *snapshot, size_t *ret_length)
{
	struct maui_strbuf text = { 0 };
	const char *comma = "{\n";

	json_object_object_foreach(snapshot, key, value)
	{
		const char *json = json_object_to_json_string_ext(
			value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);

		maui_strbuf_addf(&text, "%s", comma);
		maui_record_write_text(&text, key);
		maui_strbuf_addf(&text, ": ");
		maui_json_escape(&text, maui_need((void *)json), maui_terminal_display());
		comma = ",\n";
	}
	maui_strbuf_addf(&text, "\n}\n");
	*ret_length = text.length;
	return maui_need(maui_strbuf_steal(&text));
}

static int save(const char *path, json_object *snapshot)
{
	struct maui_err err;
	size_t length;
	char *text = NULL;
	int rc = MAUI_EXIT_OK;

	if (json_object_is_type(snapshot, json_type_object))
		text = file_text(snapshot, &length);
	else
		maui_err_set(&err, "the answer has no snapshot");
	if (text && strcmp(path, "-") == 0) {
		fwrite(text, 1, length, stdout);
	} else if (!text || maui_file_publish(path, text, length, true, &err)) {
		fprintf(stderr, "maui snapshot: error: %s\n", err.text);
		rc = MAUI_EXIT_ERROR;
	}
	free(text);
	return rc;
}

static int run_snapshot(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui snapshot", .command = &command };
	const struct maui_snapshot_answer *saved;
	struct maui_cmd_answer answer;
	int rc = maui_cmd_read(&common, NULL, argc, argv);

	if (common.done)
		return rc;
	if (common.operand_count != (common.json ? 0 : 1))
		return maui_tool_misuse(&common, common.json ?
							 "--json prints the answer: name no file" :
							 "name one file");
	rc = maui_cmd_ask_verb_exact(&common, &maui_verb_snapshot, NULL, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	saved = answer.record;
	if (!common.json && !saved->complete)
		fprintf(stderr, "maui snapshot: note: what PrivateData hides from you has no "
				"names\n");
	if (common.json)
		maui_cmd_answer_print_json(&common, &answer);
	else
		rc = save(*common.operands, saved->snapshot.json);
	maui_cmd_answer_finish(&answer);
	return rc;
}

MAUI_SUBCOMMAND(snapshot, "save the last plan in a file, for maui-sim");
