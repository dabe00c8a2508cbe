/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts.h - the HOSTLIST of a setres, searched for in the nodes that there are */
#ifndef MAUI_ADMIN_HOSTS_H
#define MAUI_ADMIN_HOSTS_H

#include "answers/document.h"
#include "query/message.h"

/* 0; what matches no node, or others than it seems to (maui_hostexpr_doubt()), is said behind
 * *warning (NULL: nothing so far; the caller frees): hosts that are not there are no error beside
 * others, as in maui.cfg, they may come. -1 with error: none of them is there; it costs more than
 * MAUI_ADMIN_MAX_VISITS to tell. `published` NULL: nodes are not known, nothing is said. */
int maui_admin_hosts(const struct maui_document *published, const char *hosts, char **warning,
		     struct maui_query_error *error);

#endif
