/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts.h - searches the cluster's nodes for the HOSTLIST of a setres */
#ifndef MAUI_ADMIN_HOSTS_H
#define MAUI_ADMIN_HOSTS_H

#include "answers/document.h"
#include "query/message.h"

/* Appends to *warning (NULL: none so far; the caller frees it) the hosts that match no node, or
 * other nodes than intended (maui_hostexpr_doubt()). An unknown host is an error, beside known ones
 * only a warning with best_effort. Returns 0; -1 with error also if the search costs more than
 * MAUI_ADMIN_MAX_VISITS. `published` NULL: nodes are not known,
 * nothing is checked. */
int maui_admin_hosts(const struct maui_document *published, const char *hosts, bool best_effort,
		     char **warning, struct maui_query_error *error);

#endif
