/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminal.c - whether the terminal of this program shows UTF-8 */

#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool maui_terminal_is_utf8(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return strcasestr(value, "UTF-8") || strcasestr(value, "UTF8");
	}
	return false;
}

enum maui_display maui_terminal_display(void)
{
	return !maui_terminal_is_utf8() && (isatty(STDOUT_FILENO) || isatty(STDERR_FILENO)) ?
		       MAUI_DISPLAY_BYTES :
		       MAUI_DISPLAY_CHARACTERS;
}
