/* SPDX-License-Identifier: GPL-2.0-or-later */
/* query.h - the query socket of this slurmctld: opened, closed and fed by the agent
 *
 * There is one while jobs are planned (sched/maui, or SERVERMODE TEST). All of this is the agent's;
 * without locks.
 */
#ifndef MAUI_CONTROLLER_QUERY_H
#define MAUI_CONTROLLER_QUERY_H

#include "controller/private.h"
#include "answers/document.h"
#include "admin/rights.h"
#include "query/server.h"

/* Opens the socket when there is to be one, closes it when not, moves it when `reloaded` and the
 * configuration says so. What is wrong is logged once a cause; commands are then not answered, and
 * nothing else changes. */
void maui_controller_query_tend(struct maui_controller *c, bool reloaded);
void maui_controller_query_close(struct maui_controller *c);

/* Begins a document: PrivateData, administrators, the snapshot's nodes. NULL without a socket or
 * memory. Rows are added to it, then maui_query_publish(c->query, p). */
struct maui_document *maui_controller_query_begin(struct maui_controller *c,
						  const struct maui_snapshot *snapshot,
						  int64_t now_s);

/* What somebody who asks for a change may do; the name is the controller's, for good. */
void maui_controller_query_who(struct maui_controller *c, const struct maui_query_peer *peer,
			       struct maui_rights *ret);

#endif
