/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reading.c - the messages of one reading: why it failed, what is ignored */

#include "slurmconf/reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

int maui_conf_no_memory(const struct maui_conf_reading *r)
{
	return maui_err_no_memory_for(r->err, r->path);
}

int maui_conf_note(struct maui_conf_reading *r, const char *form, ...)
{
	struct maui_words *notes = &r->conf->notes;
	char **grown = maui_array_grow(notes->list, notes->count, &r->note_alloc, sizeof(*grown));
	char text[256];
	va_list args;

	if (!grown)
		return maui_conf_no_memory(r);
	notes->list = grown;
	va_start(args, form);
	vsnprintf(text, sizeof(text), form, args);
	va_end(args);
	grown[notes->count] = strdup(text);
	return grown[notes->count++] ? 0 : maui_conf_no_memory(r);
}
