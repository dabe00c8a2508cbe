/* SPDX-License-Identifier: GPL-2.0-or-later */
/* query-world.h - the cluster that query-server and the unit tests of src/query show
 *
 * Monday 2026-11-23 10:00:00 UTC; nodes n1 to n4 of four processors; job 17 runs on n1 and n2, job
 * 18 is suspended on n3, job 19 has a reservation on n4; SRCFG[biz] 9:00 to 17:00 on two tasks of
 * two processors, today's short of one; SRCFG[night] without an end and without jobs; setres:
 * SYSTEM.1 on n3, steve.1 on n1 tomorrow.
 */
#ifndef MAUI_TESTSUITE_QUERY_WORLD_H
#define MAUI_TESTSUITE_QUERY_WORLD_H

#include "admin/admin.h"
#include "query/server.h"

#define QUERY_WORLD_NOW INT64_C(1795428000)

/* Reservations made by command, as their owner forgets them: all, or one. */
void query_world_admin_finish(struct maui_admin *admin);
void query_world_admin_remove(struct maui_admin *admin, size_t index);

struct query_world;
struct query_world *query_world_create(void);
void query_world_destroy(struct query_world *world);

/* What is so now; NULL without memory. */
struct maui_document *query_world_publish(const struct query_world *world, bool empty);

/* A change as an agent makes it: NULL with error. Root and ourselves are administrators. */
json_object *query_world_change(struct query_world *world, const struct maui_query_change *change,
				struct maui_query_error *error);

#endif
