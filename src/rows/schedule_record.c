/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule_record.c - a schedule as the verb "report" has it */

#include "rows/schedule.h"

#include <stdlib.h>

#include "base/hostrange.h"

/* NULL without memory. */
static void *allocate(const struct maui_schedule *s, size_t count, size_t size)
{
	return maui_arena_alloc(s->arena, (count + 1) * size);
}

static const struct maui_report_item *list_items(const struct maui_schedule *s)
{
	struct maui_report_item *list = allocate(s, s->item_count, sizeof(*list));
	struct maui_report_rounded *rounded = allocate(s, s->item_count, sizeof(*rounded));

	for (size_t i = 0; list && rounded && i < s->item_count; i++) {
		const struct maui_schedule_item *item = &s->items[i];

		rounded[i].count = item->count;
		list[i] = (struct maui_report_item){
			.kind = maui_schedule_kind_name(item->kind),
			.id = item->id,
			.user = item->user,
			.account = item->account,
			.start = item->start_s,
			.end = item->end_s,
			.nodes = item->nodes,
			.procs = item->procs,
			.rounded = item->count > 0 ? &rounded[i] : NULL,
		};
	}
	return rounded ? list : NULL;
}

/* "n[1-4]"; NULL without memory. */
static const char *row_name(const struct maui_schedule *s, const struct maui_schedule_row *row)
{
	const char **names = malloc((row->node_count + 1) * sizeof(*names));
	const char *ret;
	char *text;

	for (uint32_t i = 0; names && i < row->node_count; i++)
		names[i] = s->names[row->nodes[i]] ? s->names[row->nodes[i]] : "?";
	text = names ? maui_hostrange_fold(names, row->node_count) : NULL;
	free(names);
	ret = maui_arena_strdup(s->arena, text);
	free(text);
	return ret;
}

static const struct maui_report_box *list_boxes(const struct maui_schedule *s,
						const struct maui_schedule_row *row)
{
	struct maui_report_box *list = allocate(s, row->box_count, sizeof(*list));

	for (uint32_t i = 0; list && i < row->box_count; i++)
		list[i] = (struct maui_report_box){ .item = row->boxes[i].item,
						    .from = row->boxes[i].from_s - s->now_s,
						    .until = row->boxes[i].until_s - s->now_s };
	return list;
}

static const struct maui_report_row *list_rows(const struct maui_schedule *s)
{
	struct maui_report_row *list = allocate(s, s->row_count, sizeof(*list));

	for (uint32_t i = 0; list && i < s->row_count; i++) {
		const struct maui_schedule_row *row = &s->rows[i];

		list[i] = (struct maui_report_row){ .nodes = row_name(s, row),
						    .node_count = row->node_count,
						    .boxes = list_boxes(s, row),
						    .boxes_count = row->box_count };
		if (!list[i].nodes || !list[i].boxes)
			return NULL;
	}
	return list;
}

int maui_schedule_record(const struct maui_schedule *s, struct maui_report_schedule *ret)
{
	*ret = (struct maui_report_schedule){
		.horizon = s->until_s - s->now_s,
		.node_count = s->node_count,
		.step = s->step_s,
		.items = list_items(s),
		.items_count = s->item_count,
		.rows = list_rows(s),
		.rows_count = s->row_count,
	};
	return ret->items && ret->rows ? 0 : -1;
}
