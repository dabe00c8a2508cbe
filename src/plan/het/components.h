/* SPDX-License-Identifier: GPL-2.0-or-later */
/* components.h - shared by the files of this folder: het jobs and their components */
#ifndef MAUI_PLAN_HET_COMPONENTS_H
#define MAUI_PLAN_HET_COMPONENTS_H

#include "plan/het/het.h"
#include "plan/limits.h"
#include "plan/private.h"

struct maui_het_component {
	uint64_t het_id;
	uint32_t offset, job;
	struct maui_plan_entry **rows; /* those in which it can start some day, best first */
	uint32_t row_count;
	uint32_t kind;                   /* needs.c */
	int64_t spare;                   /* nodes that serve it, less those that it needs */
	uint32_t admitted;               /* rows that limits allow beside no other component */
	struct maui_plan_entry *counted; /* the row that limits count */
	struct maui_plan_entry *chosen;  /* the row in which it is placed */
	const struct maui_place *places; /* while it is being placed */
	uint32_t place_count;
};

/* A place that limits refused. */
struct maui_het_refused {
	const struct maui_het_component *component; /* NULL: they refused none */
	const struct maui_plan_entry *row;
	struct maui_plan_violations violations; /* the hard limits among these */
};

/* A het job. */
struct maui_plan_het {
	struct maui_het_component *components; /* by offset; the first is the leader */
	/* in the order in which they are counted and placed: first those with the fewest rows
	 * within limits, of these those with the fewest nodes to spare, since the others can avoid
	 * what they need */
	struct maui_het_component **order;
	uint32_t count;
	/* of the places that limits refused in the last turn, beside those of the others, the first
	 * one */
	struct maui_het_refused refused;
	bool waited_for; /* by others of its partitions, as the last search says */
};

static inline struct maui_plan_het *maui_het_of(const struct maui_planner *p,
						const struct maui_plan_entry *e)
{
	return &p->hets.list[e->het - 1];
}

/* components.c: gives each component that has no other reason this one: all of them together need
 * more than there is. */
void maui_het_add_together(struct maui_planner *p, const struct maui_plan_het *het);
/* needs.c: whether all components together need more nodes that serve them, or more licences, than
 * there are. */
bool maui_het_needs_too_much(struct maui_planner *p, const struct maui_plan_het *het);

#endif
