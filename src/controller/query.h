/* SPDX-License-Identifier: GPL-2.0-or-later */
/* query.h - the query socket of this slurmctld, which the agent opens, closes and feeds
 *
 * The socket exists while jobs are planned (sched/maui, or SERVERMODE TEST). For the agent only,
 * without locks.
 */
#ifndef MAUI_CONTROLLER_QUERY_H
#define MAUI_CONTROLLER_QUERY_H

#include "controller/private.h"
#include "answers/document.h"
#include "admin/rights.h"
#include "query/server.h"

/* Opens the socket when jobs are planned, closes it when not, and moves it when `reloaded` and
 * QUERYSOCKET has changed. Logs each cause of a failure once; commands then get no answer, and
 * nothing else changes. */
void maui_controller_query_check(struct maui_controller *c, bool reloaded);
/* Whether there is something to open, and it is time to try. */
bool maui_controller_query_is_due(struct maui_controller *c);
void maui_controller_query_close(struct maui_controller *c);

/* What PrivateData hides: PRIVATE_DATA_*; nothing where maui.cfg lets everybody see all. */
uint16_t maui_controller_private_data(const struct maui_controller *c);

/* Begins a document with PrivateData, administrators and the snapshot's nodes. NULL without a
 * socket or memory. Add rows, then call maui_query_publish(c->query, p). */
struct maui_document *maui_controller_query_begin(struct maui_controller *c,
						  const struct maui_snapshot *snapshot,
						  int64_t now_s);

/* Finds what the user who sends a change may do. Looks up the name of a new user; a user whose id
 * has no name has none here. The name lives as long as the controller. -1 with error: the name
 * service has not answered. */
int maui_controller_query_who(struct maui_controller *c, const struct maui_query_peer *peer,
			      struct maui_rights *ret, struct maui_query_error *error);

#endif
