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

/* Puts reservations in place, and active jobs inside them. -1 without memory. */
int maui_plan_place_standing(struct maui_planner *p);

/* The table of an idle job in one of its rows; NULL: no reservation lets it in. Equal tables are one
 * for the whole plan. */
const struct maui_access_table *maui_plan_access(struct maui_planner *p, uint32_t job,
						 uint32_t row);
/* Of an active one. */
const struct maui_access_table *maui_plan_access_active(const struct maui_planner *p,
							uint32_t active);
/* Of somebody whom every reservation lets in; NULL: there are none. */
const struct maui_access_table *maui_plan_access_all(const struct maui_planner *p);

/* Lists the reservations with OWNERPREEMPT that have begun, once all are placed. -1 without memory. */
int maui_plan_owned(struct maui_planner *p);
/* Whether jobs with these credentials are the owner's of one of them. */
bool maui_plan_owns(const struct maui_planner *p, uint32_t creds);
/* Whether, besides, an active job of somebody else's is on its nodes. */
bool maui_plan_is_squatter(const struct maui_planner *p, uint32_t creds,
			   const struct maui_active *active);

/* An idle job as lists see it. With reservations only. */
void maui_plan_access_job(struct maui_planner *p, uint32_t job, uint32_t row,
			  struct maui_access_job *ret);

#endif
