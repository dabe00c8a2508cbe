/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_line.c - changeparam: who may change the configuration, and by what line */

#include "admin/config_line.h"

#include <string.h>

enum { LINE_MAX_BYTES = 4096 };

int maui_admin_config_line(json_object *args, const struct maui_rights *who, const char **ret,
			   struct maui_query_error *error)
{
	if (maui_message_text(args, "line", ret, error))
		return -1;
	if (!who->admin)
		return maui_query_fail(error, MAUI_QUERY_DENIED,
				       "not permitted: changeparam needs ADMIN1 of maui.cfg");
	if (!*ret || (*ret)[strspn(*ret, " \t")] == '\0' || (*ret)[strspn(*ret, " \t")] == '#')
		return maui_query_fail(error, MAUI_QUERY_BAD, "no parameter is named");
	if (strlen(*ret) > LINE_MAX_BYTES)
		return maui_query_fail(error, MAUI_QUERY_BAD, "the line is longer than %d bytes",
				       LINE_MAX_BYTES);
	for (const char *c = *ret; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\t')
			return maui_query_fail(error, MAUI_QUERY_BAD,
					       "expected a single line without control characters");
	return 0;
}
