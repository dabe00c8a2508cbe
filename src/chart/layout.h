/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout.h - where the boxes of a schedule are: rows, lanes, edges
 *
 * In: the schedule of a report, and columns that the time until the horizon is divided into
 * (units of a picture, letters of a terminal). Out: the edges of each box in columns, its row, and
 * its lane within the row. Boxes of jobs never overlap: where several jobs share a node, each has a
 * lane. What finds no lane is collected in a box that stands for several jobs. Reservations have no
 * lane: they are behind the jobs, as high as the row.
 */
#ifndef MAUI_CHART_LAYOUT_H
#define MAUI_CHART_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verbs/report.h"

enum { MAUI_LAYOUT_LANES = 4 };

#define MAUI_LAYOUT_SEVERAL UINT32_MAX

struct maui_layout_box {
	uint32_t item; /* index of the schedule's items; SEVERAL: the last lane has several */
	uint32_t row;
	uint32_t count;          /* of SEVERAL: how many */
	int64_t from_s, until_s; /* seconds from now */
	int from, until;         /* columns; until > from */
	int lane;                /* -1: behind the jobs */
};

struct maui_layout {
	const struct maui_report_item *items; /* borrowed of the schedule */
	const struct maui_report_row *rows;
	size_t item_count, row_count;
	int64_t horizon_s;
	struct maui_layout_box *boxes; /* by row */
	size_t box_count, box_alloc;
	size_t *row_first; /* of each row its first box; row_count + 1 elements */
	int *lanes;        /* of each row how many it has, at least 1 */
};

void maui_layout_make(const struct maui_report_schedule *schedule, int columns,
		      struct maui_layout *ret);
void maui_layout_finish(struct maui_layout *layout);

/* The widest part of [from, until) in which no box of the row is in front, except `itself`. False:
 * there is none. */
bool maui_layout_gap(const struct maui_layout *layout, uint32_t row, int from, int until,
		     int *ret_from, int *ret_until);

/* Whether items of this kind are behind the jobs. */
bool maui_layout_is_behind(const char *kind);

#endif
