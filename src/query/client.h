/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client.h - asks slurmctld over the query socket; for commands */
#ifndef MAUI_QUERY_CLIENT_H
#define MAUI_QUERY_CLIENT_H

#include <json-c/json.h>

#include "query/message.h"

/* One question, one answer, within MAUI_QUERY_CLIENT_MS in all. args (NULL: none) is taken over.
 * The caller puts the result. NULL with error: what the server said, or UNAVAILABLE when none does
 * at `path`. */
json_object *maui_client_ask(const char *path, const char *verb, json_object *args,
			     struct maui_query_error *error);

#endif
