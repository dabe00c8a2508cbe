/* SPDX-License-Identifier: GPL-2.0-or-later */
/* need.c - memory that a program of its own cannot do without */

#include "base/need.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void maui_out_of_memory(void)
{
	fprintf(stderr, "%s: error: no memory\n", program_invocation_short_name);
	exit(EXIT_FAILURE);
}

void *maui_need(void *memory)
{
	if (!memory)
		maui_out_of_memory();
	return memory;
}

void *maui_need_list(size_t count, size_t size)
{
	return maui_need(calloc(count ? count : 1, size));
}

void *maui_need_more(void *list, size_t count, size_t *alloc, size_t size)
{
	return maui_need(maui_array_grow(list, count, alloc, size));
}

char *maui_need_copy(const char *text)
{
	return maui_need(strdup(text));
}

char *maui_need_text(const char *fmt, ...)
{
	va_list args;
	char *text;
	int rc;

	va_start(args, fmt);
	rc = vasprintf(&text, fmt, args);
	va_end(args);
	return maui_need(rc < 0 ? NULL : text);
}
