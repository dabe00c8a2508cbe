/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule.c - a schedule step by step: items, their boxes, and at the end a row for each node */

#include "rows/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const char *maui_schedule_kind_name(enum maui_schedule_kind kind)
{
	static const char *const names[MAUI_SCHEDULE_KIND_COUNT] = {
		[MAUI_SCHEDULE_RUNNING] = "running",     [MAUI_SCHEDULE_STARTING] = "starting",
		[MAUI_SCHEDULE_SUSPENDED] = "suspended", [MAUI_SCHEDULE_RESERVED] = "reserved",
		[MAUI_SCHEDULE_DOWN] = "down",           [MAUI_SCHEDULE_SYSTEM] = "system",
		[MAUI_SCHEDULE_USER] = "user",           [MAUI_SCHEDULE_STANDING] = "standing",
		[MAUI_SCHEDULE_SLURM] = "slurm",         [MAUI_SCHEDULE_HELD] = "held",
		[MAUI_SCHEDULE_FREE] = "free",
	};

	return kind < MAUI_SCHEDULE_KIND_COUNT ? names[kind] : "?";
}

void maui_schedule_begin(struct maui_schedule *schedule, struct maui_arena *arena, int64_t now_s,
			 int64_t horizon_s, const char *const *names, uint32_t node_count)
{
	*schedule = (struct maui_schedule){ .arena = arena,
					    .now_s = now_s,
					    .until_s = now_s + horizon_s,
					    .names = names,
					    .node_count = node_count };
}

uint32_t maui_schedule_add_item(struct maui_schedule *schedule,
				const struct maui_schedule_item *item)
{
	struct maui_schedule_item *grown;

	if (item->end_s <= schedule->now_s || item->start_s >= schedule->until_s)
		return UINT32_MAX;
	grown = maui_array_grow(schedule->items, schedule->item_count, &schedule->item_alloc,
				sizeof(*grown));
	if (!grown) {
		schedule->failed = true;
		return UINT32_MAX;
	}
	schedule->items = grown;
	grown[schedule->item_count] = *item;
	return (uint32_t)schedule->item_count++;
}

void maui_schedule_add_box(struct maui_schedule *schedule, uint32_t item, uint32_t node)
{
	const struct maui_schedule_item *of;
	struct maui_schedule_draft *grown;

	if (item == UINT32_MAX || node >= schedule->node_count)
		return;
	of = &schedule->items[item];
	grown = maui_array_grow(schedule->drafts, schedule->draft_count, &schedule->draft_alloc,
				sizeof(*grown));
	if (!grown) {
		schedule->failed = true;
		return;
	}
	schedule->drafts = grown;
	grown[schedule->draft_count++] = (struct maui_schedule_draft){
		.node = node,
		.box = { .item = item,
			 .from_s = of->start_s > schedule->now_s ? of->start_s : schedule->now_s,
			 .until_s = of->end_s < schedule->until_s ? of->end_s : schedule->until_s },
	};
}

static int compare_drafts(const void *a, const void *b)
{
	const struct maui_schedule_draft *one = a, *two = b;

	if (one->node != two->node)
		return one->node < two->node ? -1 : 1;
	if (one->box.item != two->box.item)
		return one->box.item < two->box.item ? -1 : 1;
	return (one->box.from_s > two->box.from_s) - (one->box.from_s < two->box.from_s);
}

/* A row for each node. */
static int make_rows(struct maui_schedule *s)
{
	struct maui_schedule_box *boxes =
		maui_arena_alloc(s->arena, (s->draft_count + 1) * sizeof(*boxes));
	uint32_t *nodes = maui_arena_alloc(s->arena, (s->node_count + 1) * sizeof(*nodes));
	size_t at = 0;

	s->rows = maui_arena_alloc(s->arena, (s->node_count + 1) * sizeof(*s->rows));
	if (!boxes || !nodes || !s->rows)
		return -1;
	if (s->draft_count > 1)
		qsort(s->drafts, s->draft_count, sizeof(*s->drafts), compare_drafts);
	for (uint32_t i = 0; i < s->node_count; i++) {
		struct maui_schedule_row *row = &s->rows[i];

		nodes[i] = i;
		*row = (struct maui_schedule_row){ &nodes[i], 1, &boxes[at], 0 };
		for (; at < s->draft_count && s->drafts[at].node == i; at++, row->box_count++)
			boxes[at] = s->drafts[at].box;
	}
	s->row_count = s->node_count;
	return 0;
}

int maui_schedule_end(struct maui_schedule *schedule, const uint32_t *classes)
{
	int rc = schedule->failed || make_rows(schedule) ? -1 : 0;

	free(schedule->drafts);
	schedule->drafts = NULL;
	return rc == 0 ? maui_schedule_fold(schedule, classes) : -1;
}

void maui_schedule_finish(struct maui_schedule *schedule)
{
	free(schedule->items);
	free(schedule->drafts);
	*schedule = (struct maui_schedule){ 0 };
}
