/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_hint.c - which reservations a name means without its number */

#include "answers/rsv_hint.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "answers/document.h"
#include "answers/privacy.h"

enum { NAMED = 5 }; /* in the hint */

/* Whether it is `name` with the number that setres adds: course.2. */
static bool is_numbered(const struct maui_document_rsv *row, const char *name)
{
	size_t length = strlen(name);
	const char *number;

	if ((row->type != MAUI_DOCUMENT_SYSTEM && row->type != MAUI_DOCUMENT_USER) ||
	    strncmp(row->name, name, length) != 0 || row->name[length] != '.')
		return false;
	number = row->name + length + 1;
	return *number && number[strspn(number, "0123456789")] == '\0';
}

char *maui_rsv_hint(const struct maui_document *p, const char *name, uid_t uid, char *buf,
		    size_t size)
{
	const char *found[NAMED];
	size_t count = 0, length;

	buf[0] = '\0';
	for (size_t i = 0; p && i < p->rsv_count; i++) {
		if (!is_numbered(&p->rsvs[i], name) || !maui_document_shows(p, &p->rsvs[i], uid))
			continue;
		if (count < NAMED)
			found[count] = p->rsvs[i].name;
		count++;
	}
	if (count == 0)
		return buf;
	length = (size_t)snprintf(buf, size, ": there %s", count == 1 ? "is" : "are");
	for (size_t i = 0; i < count && i < NAMED && length < size; i++)
		length += (size_t)snprintf(buf + length, size - length, "%s %.64s",
					   i > 0 ? "," : "", found[i]);
	if (count > NAMED && length < size)
		snprintf(buf + length, size - length, " and %zu more", count - NAMED);
	return buf;
}
