/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_line.c - writes a line of bounded length, with moments in local time */

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "explain/text_private.h"
#include "model/when.h"

enum { DAYS_WITHOUT_YEAR = 300 };

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
	static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	time_t now = (time_t)now_s, when = (time_t)when_s;
	struct tm today, then;

	if (!localtime_r(&now, &today) || !localtime_r(&when, &then))
		return;
	if (then.tm_yday != today.tm_yday || then.tm_year != today.tm_year)
		maui_text_append(line, "%d %s ", then.tm_mday, months[then.tm_mon]);
	if ((when_s - now_s) / 86400 > DAYS_WITHOUT_YEAR)
		maui_text_append(line, "%d", then.tm_year + 1900);
	else
		maui_text_append(line, "%02d:%02d", then.tm_hour, then.tm_min);
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
