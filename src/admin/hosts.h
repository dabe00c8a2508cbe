/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts.h - searches the cluster's nodes for the HOSTLIST of a setres */
#ifndef MAUI_ADMIN_HOSTS_H
#define MAUI_ADMIN_HOSTS_H

#include "answers/document.h"
#include "query/message.h"

/* Appends to *warning (NULL: none so far; the caller frees it) the hosts that match no node, or
 * other nodes than intended (maui_hostexpr_doubt()). As in maui.cfg, unknown hosts beside known
 * ones are no error: the nodes may be added later. Returns 0; -1 with error if no host matches, or
 * if the search costs more than MAUI_ADMIN_MAX_VISITS. `published` NULL: nodes are not known,
 * nothing is checked. */
int maui_admin_hosts(const struct maui_document *published, const char *hosts, char **warning,
		     struct maui_query_error *error);

#endif
