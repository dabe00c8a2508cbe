/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_line.c - writes a line of bounded length, with moments in local time */

#include <stdarg.h>
#include <stdio.h>

#include "base/moment.h"
#include "explain/text_private.h"
#include "model/when.h"

void maui_text_append(struct maui_text_line *line, const char *form, ...)
{
	va_list args;
	int length;

	va_start(args, form);
	length = vsnprintf(line->text + line->length, line->size - line->length, form, args);
	va_end(args);
	if (length > 0)
		line->length += (size_t)length;
	if (line->length >= line->size)
		line->length = line->size - 1;
}

void maui_text_shorten(struct maui_text_line *line, size_t least)
{
	while (line->length > MAUI_TEXT_PREFERRED && line->length > least) {
		size_t length = line->length - 1;

		while (length > least && line->text[length] != ',' && line->text[length] != ';')
			length--;
		line->text[line->length = length] = '\0';
	}
}

void maui_text_moment(struct maui_text_line *line, int64_t now_s, int64_t when_s)
{
	char moment[MAUI_MOMENT_SIZE];

	maui_text_append(line, "%s", maui_moment_brief(when_s, now_s, moment, sizeof(moment)));
}

void maui_text_when(struct maui_text_line *line, int64_t now_s, const char *before, int64_t when_s)
{
	size_t length = line->length;

	if (now_s <= 0 || when_s <= now_s || when_s == MAUI_NEVER)
		return;
	maui_text_append(line, "%s", before);
	maui_text_moment(line, now_s, when_s);
	if (line->length > MAUI_TEXT_PREFERRED)
		line->text[line->length = length] = '\0';
}
