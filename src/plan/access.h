/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.h - which reservations each job of this plan may use, for src/plan only */
#ifndef MAUI_PLAN_ACCESS_H
#define MAUI_PLAN_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/access.h"
#include "model/snapshot.h"

struct maui_access_job;
struct maui_planner;
struct maui_standing_input;
struct maui_rsv;
struct maui_timeline;

/* Lists the reservations; *ret NULL: none. -1 without memory. */
int maui_plan_list_rsvs(struct maui_planner *p, struct maui_standing_input **ret);
/* Places them, and puts the active jobs that they admit inside. -1 without memory. */
int maui_plan_place_rsvs(struct maui_planner *p, struct maui_standing_input *input);

/* The reservations that were placed. They do not change as long as the plan exists. NULL: none. */
const struct maui_standing_input *maui_plan_standing(const struct maui_planner *p);
/* The reservation with this index, and the number of reservations. */
const struct maui_rsv *maui_plan_rsv(const struct maui_planner *p, uint32_t rsv);
uint32_t maui_plan_rsv_count(const struct maui_planner *p);

/* The access table of an idle job in one of its rows; NULL: no reservation admits the job. Equal
 * tables have one address during the whole plan. */
const struct maui_access_table *maui_plan_access(struct maui_planner *p, uint32_t job,
						 uint32_t row);
/* The table of a job that was active when the plan began. */
const struct maui_access_table *maui_plan_access_active(const struct maui_planner *p,
							uint32_t active);
/* The table of any active job of the snapshot, jobs started by this plan included. */
const struct maui_access_table *maui_plan_access_started(struct maui_planner *p, uint32_t active);
/* Puts an active job inside the reservations that its table lists, on a timeline that contains
 * both: the reservations no longer keep what the job uses. -1 without memory. */
int maui_plan_admit_active(struct maui_planner *p, struct maui_timeline *t, uint32_t active,
			   const struct maui_access_table *table);
/* The table of a job that every reservation would admit; NULL: there are no reservations. */
const struct maui_access_table *maui_plan_access_all(const struct maui_planner *p);

/* access_tables.c: sets up the store of tables, once instances are placed. */
int maui_plan_tables_begin(struct maui_planner *p);
/* The stored table that is equal to this one. The table's list must live as long as the plan. NULL:
 * the table admits nowhere, or there is no memory. */
const struct maui_access_table *maui_plan_table_keep(struct maui_planner *p,
						     const struct maui_access_table *table);
/* The table that backfill uses: it gives a job that begins now the same access. All tables that do
 * so have one such table. */
const struct maui_access_table *maui_plan_table_now(struct maui_planner *p,
						    const struct maui_access_table *table);
/* For a table with `only`: the same table with one own reservation, the one that has most nodes
 * now. */
const struct maui_access_table *maui_plan_table_one(struct maui_planner *p,
						    const struct maui_access_table *table);
/* For a table with `only`: the nodes of the pool, busy or idle, on which a job with this table may
 * begin now. Ascending, owned by the plan. NULL without memory. */
const uint32_t *maui_plan_table_nodes(struct maui_planner *p, const struct maui_access_table *table,
				      uint32_t pool, uint32_t *ret_count);

/* owner.c: lists the reservations with OWNERPREEMPT that have begun, after all reservations are
 * placed and active jobs are inside. -1 without memory. */
int maui_plan_list_owned(struct maui_planner *p);
/* Whether jobs with these credentials are the owner's jobs of a listed reservation. */
bool maui_plan_owns(const struct maui_planner *p, uint32_t creds);
/* Whether they are the owner's jobs of this instance. */
bool maui_plan_owns_instance(const struct maui_planner *p, uint32_t instance, uint32_t creds);
/* Whether these credentials are an owner's, and the active job is another user's that occupies the
 * owner's reservation. */
bool maui_plan_is_occupying(const struct maui_planner *p, uint32_t creds,
			    const struct maui_active *active);

/* An instance of which an active job uses resources. */
struct maui_plan_occupied {
	uint32_t instance;
	const struct maui_plan_occupied *next;
};
/* occupying_jobs.c: finds the jobs that use resources of the instances that maui_plan_list_owned()
 * has listed. -1 without memory. */
int maui_plan_find_occupying(struct maui_planner *p);

#endif
