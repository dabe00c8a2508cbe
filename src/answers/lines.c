/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines.c - the lines of a text as a list */

#include "answers/lines.h"

#include <string.h>

int maui_lines_list(const struct maui_question *q, const char *text, const char *const **ret,
		    size_t *ret_count)
{
	char *copy = maui_arena_strdup(q->arena, text ? text : "");
	size_t most = 1, count = 0;
	const char **lines;

	for (const char *at = copy; at && *at; at++)
		most += *at == '\n';
	*ret = lines = maui_question_alloc(q, most, sizeof(*lines));
	if (!copy)
		maui_question_no_memory(q);
	if (!copy || !lines)
		return -1;
	for (char *line = copy; line && *line;) {
		lines[count++] = line;
		line = strchr(line, '\n');
		if (line)
			*line++ = '\0';
	}
	*ret_count = count;
	return 0;
}
