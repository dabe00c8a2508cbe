/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.h - who may use which reservation in this plan, for src/plan only */
#ifndef MAUI_PLAN_ACCESS_H
#define MAUI_PLAN_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/access.h"
#include "model/snapshot.h"

struct maui_access_job;
struct maui_planner;
struct maui_rsv;
struct maui_timeline;

/* Puts reservations in place, and active jobs inside them. -1 without memory. */
int maui_plan_place_standing(struct maui_planner *p);

/* What was put in place, with reservations that stay as they are as long as the plan; NULL: there
 * are none. */
const struct maui_standing_input *maui_plan_standing(const struct maui_planner *p);
/* The reservation of an index, and how many there are, as long as the plan may be asked. */
const struct maui_rsv *maui_plan_rsv(const struct maui_planner *p, uint32_t rsv);
uint32_t maui_plan_rsv_count(const struct maui_planner *p);

/* The table of an idle job in one of its rows; NULL: no reservation lets it in. Equal tables are
 * one for the whole plan. */
const struct maui_access_table *maui_plan_access(struct maui_planner *p, uint32_t job,
						 uint32_t row);
/* Of an active one that the plan found. */
const struct maui_access_table *maui_plan_access_active(const struct maui_planner *p,
							uint32_t active);
/* Of any that the snapshot has by now. */
const struct maui_access_table *maui_plan_access_started(struct maui_planner *p, uint32_t active);
/* Puts it inside, with its table, on a timeline that has it and reservations: no room is kept any
 * more for who runs inside. -1 without memory. */
int maui_plan_admit_active(struct maui_planner *p, struct maui_timeline *t, uint32_t active,
			   const struct maui_access_table *table);
/* Of somebody whom every reservation lets in; NULL: there are none. */
const struct maui_access_table *maui_plan_access_all(const struct maui_planner *p);

/* access_tables.c, of tables that it keeps: before the first, once instances are in place. */
int maui_plan_tables_begin(struct maui_planner *p);
/* The one that stands for all equal ones; NULL: it lets in nowhere, or there is no memory. The list
 * has to stay. */
const struct maui_access_table *maui_plan_table_keep(struct maui_planner *p,
						     const struct maui_access_table *table);
/* What backfill goes by: gives the same as the table to a job that begins now, and is one for all
 * tables that do so. */
const struct maui_access_table *maui_plan_table_now(struct maui_planner *p,
						    const struct maui_access_table *table);
/* Of one with `only`: no more than it, the home of its jobs being the one reservation with most
 * nodes now. */
const struct maui_access_table *maui_plan_table_one(struct maui_planner *p,
						    const struct maui_access_table *table);
/* Of one with `only`: nodes of the pool on which a job with it might begin now, whatever runs
 * there, ascending; the plan's. NULL without memory. */
const uint32_t *maui_plan_table_nodes(struct maui_planner *p, const struct maui_access_table *table,
				      uint32_t pool, uint32_t *ret_count);

/* owner.c: lists the reservations with OWNERPREEMPT that have begun, once all are placed and active
 * jobs are inside. -1 without memory. */
int maui_plan_owned(struct maui_planner *p);
/* Whether jobs with these credentials are the owner's of one of them. */
bool maui_plan_owns(const struct maui_planner *p, uint32_t creds);
/* Whether they are of this instance. */
bool maui_plan_owns_instance(const struct maui_planner *p, uint32_t instance, uint32_t creds);
/* Whether, besides, an active job of somebody else's uses what is reserved. */
bool maui_plan_is_occupying(const struct maui_planner *p, uint32_t creds,
			    const struct maui_active *active);

/* An instance that an active job uses something of. */
struct maui_plan_occupied {
	uint32_t instance;
	const struct maui_plan_occupied *next;
};
/* occupying_jobs.c: finds out who uses what of those that maui_plan_owned() has listed. -1 without
 * memory. */
int maui_plan_find_occupying(struct maui_planner *p);

#endif
