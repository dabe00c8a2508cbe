/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_line.c - changeparam: what line may change the configuration */

#include "admin/config_line.h"

#include <string.h>

enum { LINE_MAX_BYTES = 4096 };

int maui_admin_config_line(const char *line, struct maui_query_error *error)
{
	const char *begin = line ? line + strspn(line, " \t") : "";

	if (*begin == '\0' || *begin == '#')
		return maui_query_fail(error, MAUI_QUERY_BAD, "no parameter is named");
	if (strlen(line) > LINE_MAX_BYTES)
		return maui_query_fail(error, MAUI_QUERY_BAD, "the line is longer than %d bytes",
				       LINE_MAX_BYTES);
	for (const char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\t')
			return maui_query_fail(error, MAUI_QUERY_BAD,
					       "expected a single line without control characters");
	return 0;
}
