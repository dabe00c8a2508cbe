/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts.h - searches the cluster's nodes for the HOSTLIST of a setres */
#ifndef MAUI_ADMIN_HOSTS_H
#define MAUI_ADMIN_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

#include "query/message.h"

/* The names of the cluster's nodes. Zeroed: not known. */
struct maui_admin_nodes {
	const char *const *names;
	size_t count;
};

/* Appends to *warning (NULL: none so far; the caller frees it) the hosts that match no node, or
 * other nodes than intended (maui_hostexpr_doubt()). An unknown host is an error, beside known ones
 * only a warning with best_effort. Returns 0; -1 with error also if the search costs more than
 * MAUI_ADMIN_MAX_VISITS. Without nodes nothing is checked. */
int maui_admin_hosts(struct maui_admin_nodes nodes, const char *hosts, bool best_effort,
		     char **warning, struct maui_query_error *error);

#endif
