/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule.h - nodes by time: what each node does from now until a horizon, for pictures
 *
 * In: items and the nodes that each is on, one by one. Out: rows of nodes with boxes. A box is the
 * part of an item (a job, a reservation, a backfill window) on the nodes of its row. Above
 * MAUI_REPORT_MAX_ROWS nodes, equal nodes share a row. If the rows are still too many, jobs are no
 * longer distinguished, and times are rounded to ever longer steps until the rows suffice.
 *
 * Rules: CMD-37.
 */
#ifndef MAUI_ROWS_SCHEDULE_H
#define MAUI_ROWS_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "verbs/report.h"

/* In the order of importance: where several overlap in a rounded step, the first one is shown. */
enum maui_schedule_kind {
	MAUI_SCHEDULE_RUNNING,
	MAUI_SCHEDULE_STARTING, /* the plan has just started it */
	MAUI_SCHEDULE_SUSPENDED,
	MAUI_SCHEDULE_RESERVED, /* a job reservation */
	MAUI_SCHEDULE_DOWN,
	MAUI_SCHEDULE_SYSTEM, /* an administrative reservation that admits nobody */
	MAUI_SCHEDULE_USER,   /* an administrative reservation */
	MAUI_SCHEDULE_STANDING,
	MAUI_SCHEDULE_SLURM, /* a Slurm reservation */
	MAUI_SCHEDULE_HELD,  /* BFCHUNKSIZE collects these processors for larger jobs */
	MAUI_SCHEDULE_FREE,  /* a backfill window */
	MAUI_SCHEDULE_KIND_COUNT
};

/* "running", "reserved", ... */
const char *maui_schedule_kind_name(enum maui_schedule_kind kind);

struct maui_schedule_item {
	enum maui_schedule_kind kind;
	const char *id;             /* a job's number, a reservation's name, "w1" */
	const char *user, *account; /* of jobs; NULL: none */
	int64_t start_s, end_s;     /* not cut by the horizon */
	uint32_t nodes;
	int64_t procs;
	uint32_t count; /* of a rounded schedule: how many items it stands for */
};

struct maui_schedule_box {
	uint32_t item;
	int64_t from_s, until_s; /* within [now, horizon] */
};

struct maui_schedule_row {
	const uint32_t *nodes; /* indices */
	uint32_t node_count;
	const struct maui_schedule_box *boxes; /* by item */
	uint32_t box_count;
};

/* A box and its node. */
struct maui_schedule_draft {
	uint32_t node;
	struct maui_schedule_box box;
};

struct maui_schedule {
	int64_t now_s, until_s;
	int64_t step_s; /* times are rounded to this, and items stand for a kind; 0: exact */
	struct maui_schedule_item *items;
	size_t item_count, item_alloc;
	struct maui_schedule_row *rows;
	uint32_t row_count, node_count;
	const char *const *names;           /* of nodes; borrowed */
	struct maui_schedule_draft *drafts; /* boxes that are in no row yet */
	size_t draft_count, draft_alloc;
	bool failed;              /* an addition found no memory */
	struct maui_arena *arena; /* what records of it have is there, too */
};

/* The texts of an item must live as long as the arena. Returns the item's index, by importance of
 * the kind as the order of additions has it; UINT32_MAX: it is outside of the picture, or there is
 * no memory. */
void maui_schedule_begin(struct maui_schedule *schedule, struct maui_arena *arena, int64_t now_s,
			 int64_t horizon_s, const char *const *names, uint32_t node_count);
uint32_t maui_schedule_add_item(struct maui_schedule *schedule,
				const struct maui_schedule_item *item);
void maui_schedule_add_box(struct maui_schedule *schedule, uint32_t item, uint32_t node);
/* Makes the rows. `classes`: nodes of different classes are not equal; NULL: all are alike. -1 if
 * any step found no memory; the caller finishes the schedule in any case. */
int maui_schedule_end(struct maui_schedule *schedule, const uint32_t *classes);
void maui_schedule_finish(struct maui_schedule *schedule);

/* schedule_record.c: the schedule as a record of its arena. -1 without memory. */
int maui_schedule_record(const struct maui_schedule *schedule, struct maui_report_schedule *ret);

#endif
