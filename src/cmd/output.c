/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - sentences that several commands print; files */

#include <inttypes.h>
#include <stdio.h>

#include "base/file.h"
#include "base/moment.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "model/gres.h"
#include "verbs/gres.h"
#include "verbs/refused.h"

/* Whether types, "gpu:a100", make up all that there is of the resource, "gpu". */
static bool has_types(const struct maui_gres *list, size_t count, const struct maui_gres *resource)
{
	int64_t total = 0, unused = 0;

	for (size_t i = 0; i < count; i++) {
		if (!maui_gres_is_type_of(list[i].name, resource->name))
			continue;
		total += list[i].total;
		unused += list[i].unused;
	}
	return total == resource->total && unused == resource->unused;
}

void maui_cmd_show_gres(const struct maui_gres *list, size_t count, const char *before,
			const char *behind)
{
	size_t shown = 0;

	for (size_t i = 0; i < count; i++) {
		if (has_types(list, count, &list[i]))
			continue;
		printf("%s%" PRId64 " of %" PRId64 " %s%s", shown == 0 ? before : ", ",
		       list[i].unused, list[i].total, list[i].name, behind);
		shown++;
	}
	if (shown > 0)
		printf("\n");
}

void maui_cmd_show_refused(const struct maui_refused *refused, int64_t now_s, const char *prefix)
{
	char since[MAUI_MOMENT_SIZE];

	if (!refused)
		return;
	maui_moment_as_maui(refused->since, now_s, since, sizeof(since));
	printf("%sREFUSED since %s: %s has errors.\n", prefix, since, refused->path);
	for (size_t i = 0; i < refused->errors_count; i++)
		printf("%s  %s\n", prefix, refused->errors[i]);
	printf("%sThe running configuration is unchanged. Fix the file, then run maui reconfigure.\n",
	       prefix);
}

int maui_cmd_write_file(const struct maui_tool_common *common, const char *path, const char *text,
			size_t length)
{
	struct maui_err err;

	if (maui_file_publish(path, text, length, false, &err) == 0)
		return MAUI_EXIT_OK;
	fprintf(stderr, "%s: error: %s\n", common->tool, err.text);
	return MAUI_EXIT_ERROR;
}
