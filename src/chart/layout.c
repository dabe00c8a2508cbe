/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout.c - gives the boxes of each row their lanes */

#include "chart/layout.h"
#include "base/need.h"

#include <stdlib.h>
#include <string.h>

bool maui_layout_is_behind(const char *kind)
{
	return strcmp(kind, "system") == 0 || strcmp(kind, "user") == 0 ||
	       strcmp(kind, "standing") == 0 || strcmp(kind, "slurm") == 0;
}

static int column(int64_t seconds, int64_t horizon_s, int columns)
{
	if (seconds <= 0)
		return 0;
	return seconds >= horizon_s ? columns :
				      (int)((double)seconds / (double)horizon_s * columns);
}

static void add(struct maui_layout *l, const struct maui_layout_box *box)
{
	l->boxes = maui_need_more(l->boxes, l->box_count, &l->box_alloc, sizeof(*l->boxes));
	l->boxes[l->box_count++] = *box;
}

/* Boxes that do not overlap in time may share a column: the later one then begins a column later.
 * False: nothing of it would be left. */
static bool can_part(const struct maui_layout_box *one, const struct maui_layout_box *two)
{
	const struct maui_layout_box *early = one->from_s < two->from_s ? one : two;
	const struct maui_layout_box *late = early == one ? two : one;

	return early->until <= late->from || early->until < late->until;
}

static void part(struct maui_layout_box *one, struct maui_layout_box *two)
{
	struct maui_layout_box *early = one->from_s < two->from_s ? one : two;
	struct maui_layout_box *late = early == one ? two : one;

	if (late->from < early->until)
		late->from = early->until;
}

/* Whether the box finds room in its lane; it or others may begin somewhat later then. */
static bool fits_lane(struct maui_layout *l, size_t first, struct maui_layout_box *box)
{
	for (size_t i = first; i < l->box_count; i++) {
		const struct maui_layout_box *other = &l->boxes[i];

		if (other->lane == box->lane &&
		    ((other->from_s < box->until_s && box->from_s < other->until_s) ||
		     !can_part(other, box)))
			return false;
	}
	for (size_t i = first; i < l->box_count; i++)
		if (l->boxes[i].lane == box->lane)
			part(&l->boxes[i], box);
	return true;
}

/* Joins the box to those in the last lane that it overlaps. */
static void add_several(struct maui_layout *l, size_t first, struct maui_layout_box box)
{
	box.lane = MAUI_LAYOUT_LANES - 1;
	box.item = MAUI_LAYOUT_SEVERAL;
	box.count = 1;
	for (size_t i = l->box_count; i > first; i--) {
		struct maui_layout_box *other = &l->boxes[i - 1];

		if (other->lane != box.lane || other->from >= box.until || box.from >= other->until)
			continue;
		box.from = other->from < box.from ? other->from : box.from;
		box.until = other->until > box.until ? other->until : box.until;
		box.from_s = other->from_s < box.from_s ? other->from_s : box.from_s;
		box.until_s = other->until_s > box.until_s ? other->until_s : box.until_s;
		box.count += other->count ? other->count : 1;
		*other = l->boxes[--l->box_count];
		i = l->box_count + 1; /* it may overlap with others now */
	}
	add(l, &box);
}

static void place(struct maui_layout *l, uint32_t row, size_t first, const char *kind,
		  struct maui_layout_box box)
{
	box.row = row;
	box.lane = -1;
	if (maui_layout_is_behind(kind)) {
		add(l, &box);
		return;
	}
	for (box.lane = 0; box.lane < MAUI_LAYOUT_LANES - 1; box.lane++)
		if (fits_lane(l, first, &box)) {
			add(l, &box);
			return;
		}
	/* what is left of a node has no lane of its own */
	if (strcmp(kind, "free") != 0 && strcmp(kind, "held") != 0)
		add_several(l, first, box);
}

/* The boxes of a row come by item, and items by importance. */
static void place_row(struct maui_layout *l, uint32_t row, int columns)
{
	const struct maui_report_row *of = &l->rows[row];
	size_t first = l->box_count;

	l->row_first[row] = first;
	l->lanes[row] = 1;
	for (size_t i = 0; i < of->boxes_count; i++) {
		size_t item = (size_t)of->boxes[i].item;
		struct maui_layout_box box = {
			.item = (uint32_t)item,
			.from_s = of->boxes[i].from,
			.until_s = of->boxes[i].until,
			.from = column(of->boxes[i].from, l->horizon_s, columns),
			.until = column(of->boxes[i].until, l->horizon_s, columns),
		};

		if (item >= l->item_count || box.from >= columns)
			continue;
		if (box.until <= box.from)
			box.until = box.from + 1;
		place(l, row, first, l->items[item].kind, box);
	}
	for (size_t i = first; i < l->box_count; i++)
		if (l->boxes[i].lane >= l->lanes[row])
			l->lanes[row] = l->boxes[i].lane + 1;
}

void maui_layout_make(const struct maui_report_schedule *schedule, int columns,
		      struct maui_layout *ret)
{
	*ret = (struct maui_layout){ .items = schedule->items,
				     .item_count = schedule->items_count,
				     .rows = schedule->rows,
				     .row_count = schedule->rows_count,
				     .horizon_s = schedule->horizon < 1 ? 1 : schedule->horizon };
	ret->row_first = maui_need_list(ret->row_count + 1, sizeof(*ret->row_first));
	ret->lanes = maui_need_list(ret->row_count, sizeof(*ret->lanes));
	for (size_t row = 0; row < ret->row_count; row++)
		place_row(ret, (uint32_t)row, columns);
	ret->row_first[ret->row_count] = ret->box_count;
}

void maui_layout_finish(struct maui_layout *layout)
{
	free(layout->boxes);
	free(layout->row_first);
	free(layout->lanes);
	*layout = (struct maui_layout){ 0 };
}

bool maui_layout_gap(const struct maui_layout *layout, uint32_t row, int from, int until,
		     int *ret_from, int *ret_until)
{
	int best = 0, at = from;

	while (at < until) {
		int next = until, behind = at;

		/* the box that covers `at`, or the next one */
		for (size_t i = layout->row_first[row]; i < layout->row_first[row + 1]; i++) {
			const struct maui_layout_box *box = &layout->boxes[i];

			if (box->lane < 0 || box->until <= at)
				continue;
			if (box->from <= at)
				behind = box->until > behind ? box->until : behind;
			else if (box->from < next)
				next = box->from;
		}
		if (behind > at) {
			at = behind;
			continue;
		}
		if (next - at > best) {
			best = next - at;
			*ret_from = at;
			*ret_until = next;
		}
		at = next;
	}
	return best > 0;
}
