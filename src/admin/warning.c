/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warning.c - what a change is warned of, in one line */
#include "admin/warning.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void maui_admin_warn(char **warning, const char *format, ...)
{
	char *text, *all;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		return;
	length = asprintf(&all, "%s%s%s", *warning ? *warning : "", *warning ? "; " : "", text);
	free(text);
	if (length < 0)
		return;
	free(*warning);
	*warning = all;
}
