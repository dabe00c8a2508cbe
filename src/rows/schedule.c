/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule.c - a schedule step by step: items, their boxes, and at the end a row for each node */

#include "rows/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/sort.h"

/* ---- equal nodes share a row ---- *
 *
 * First nodes of one class with the same boxes. If more than MAUI_REPORT_MAX_ROWS rows or
 * MAUI_REPORT_MAX_BOXES boxes remain: each node becomes a text of one letter for each step of time,
 * which names the most important kind of item at that step; nodes with equal texts share a row. The
 * steps become longer until the rows suffice. The last try has one step, and so at most as many
 * rows as there are kinds.
 */

enum { NOTHING = '~' }; /* sorts behind each kind */

/* How many steps the time until the horizon is divided into, try by try. */
static const unsigned steps[] = { 96, 48, 24, 12, 6, 3, 1 };

struct fold {
	struct maui_schedule *schedule;
	const uint32_t *classes; /* NULL: nodes of all classes may be equal */
	char *texts;             /* of each node; NULL: boxes are compared */
	unsigned length;         /* of a text */
};

static int compare_nodes(const void *a, const void *b, void *arg)
{
	const struct fold *f = arg;
	uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;
	const struct maui_schedule_row *x = &f->schedule->rows[one], *y = &f->schedule->rows[two];

	if (f->texts)
		return memcmp(f->texts + (size_t)one * f->length,
			      f->texts + (size_t)two * f->length, f->length);
	if (f->classes && f->classes[one] != f->classes[two])
		return f->classes[one] < f->classes[two] ? -1 : 1;
	if (x->box_count != y->box_count)
		return x->box_count < y->box_count ? -1 : 1;
	for (uint32_t i = 0; i < x->box_count; i++) {
		const struct maui_schedule_box *p = &x->boxes[i], *q = &y->boxes[i];

		if (p->item != q->item)
			return p->item < q->item ? -1 : 1;
		if (p->from_s != q->from_s)
			return p->from_s < q->from_s ? -1 : 1;
		if (p->until_s != q->until_s)
			return p->until_s < q->until_s ? -1 : 1;
	}
	return 0;
}

/* Equal nodes one behind the other, and within a row in their own order. */
static int compare_order(const void *a, const void *b, void *arg)
{
	int order = compare_nodes(a, b, arg);

	return order ? order : maui_sort_by_u32(a, b);
}

static int compare_rows(const void *a, const void *b)
{
	const struct maui_schedule_row *one = a, *two = b;

	return maui_sort_by_u32(one->nodes, two->nodes);
}

/* Rows of the sorted nodes, in the arena; *ret_count and *ret_boxes tell how many. */
static struct maui_schedule_row *group(struct fold *f, const uint32_t *nodes, uint32_t *ret_count,
				       uint64_t *ret_boxes)
{
	struct maui_schedule *s = f->schedule;
	struct maui_schedule_row *rows =
		maui_arena_alloc(s->arena, (s->node_count + 1) * sizeof(*rows));
	uint32_t count = 0;

	*ret_boxes = 0;
	for (uint32_t i = 0; rows && i < s->node_count; i++) {
		if (i > 0 && compare_nodes(&nodes[i - 1], &nodes[i], f) == 0) {
			rows[count - 1].node_count++;
			continue;
		}
		rows[count] = s->rows[nodes[i]];
		rows[count].nodes = &nodes[i];
		rows[count].node_count = 1;
		*ret_boxes += rows[count++].box_count;
	}
	*ret_count = count;
	return rows;
}

static struct maui_schedule_row *sort_and_group(struct fold *f, uint32_t *ret_count,
						uint64_t *ret_boxes)
{
	struct maui_schedule *s = f->schedule;
	uint32_t *nodes = maui_arena_alloc(s->arena, (s->node_count + 1) * sizeof(*nodes));

	for (uint32_t i = 0; nodes && i < s->node_count; i++)
		nodes[i] = i;
	if (nodes && s->node_count > 1)
		qsort_r(nodes, s->node_count, sizeof(*nodes), compare_order, f);
	return nodes ? group(f, nodes, ret_count, ret_boxes) : NULL;
}

static char letter(enum maui_schedule_kind kind)
{
	return (char)('A' + kind);
}

/* The text of each node: the most important kind at the beginning of each step. */
static void write_texts(struct fold *f, int64_t step_s)
{
	const struct maui_schedule *s = f->schedule;

	memset(f->texts, NOTHING, (size_t)s->node_count * f->length);
	for (uint32_t n = 0; n < s->node_count; n++) {
		char *text = f->texts + (size_t)n * f->length;

		for (uint32_t b = 0; b < s->rows[n].box_count; b++) {
			const struct maui_schedule_box *box = &s->rows[n].boxes[b];
			char kind = letter(s->items[box->item].kind);
			int64_t at = (box->from_s - s->now_s + step_s - 1) / step_s;

			for (; at < f->length && s->now_s + at * step_s < box->until_s; at++)
				if (kind < text[at])
					text[at] = kind;
		}
	}
}

/* Counts what each kind has, as one item; the items of the exact schedule are replaced. -1 without
 * memory. */
static int sum_items(struct maui_schedule *s)
{
	struct maui_schedule_item sums[MAUI_SCHEDULE_KIND_COUNT] = { 0 };

	for (size_t i = 0; i < s->item_count; i++) {
		struct maui_schedule_item *sum = &sums[s->items[i].kind];

		sum->count++;
		sum->nodes += s->items[i].nodes;
		sum->procs += s->items[i].procs;
	}
	if (s->item_count < MAUI_SCHEDULE_KIND_COUNT) {
		struct maui_schedule_item *grown =
			realloc(s->items, MAUI_SCHEDULE_KIND_COUNT * sizeof(*grown));

		if (!grown)
			return -1;
		s->items = grown;
		s->item_alloc = MAUI_SCHEDULE_KIND_COUNT;
	}
	for (int k = 0; k < MAUI_SCHEDULE_KIND_COUNT; k++) {
		s->items[k] = sums[k];
		s->items[k].kind = (enum maui_schedule_kind)k;
		s->items[k].id = maui_schedule_kind_name((enum maui_schedule_kind)k);
		s->items[k].start_s = s->now_s;
		s->items[k].end_s = s->until_s;
	}
	s->item_count = MAUI_SCHEDULE_KIND_COUNT;
	return 0;
}

/* Boxes of a row's text: runs of the same letter. -1 without memory. */
static int write_boxes(struct fold *f, struct maui_schedule_row *row, int64_t step_s)
{
	struct maui_schedule *s = f->schedule;
	const char *text = f->texts + (size_t)row->nodes[0] * f->length;
	struct maui_schedule_box *boxes = maui_arena_alloc(s->arena, f->length * sizeof(*boxes));
	unsigned end;

	if (!boxes)
		return -1;
	row->boxes = boxes;
	row->box_count = 0;
	for (unsigned at = 0; at < f->length; at = end) {
		int64_t until_s;

		for (end = at + 1; end < f->length && text[end] == text[at];)
			end++;
		until_s = s->now_s + end * step_s;
		if (text[at] != NOTHING)
			boxes[row->box_count++] = (struct maui_schedule_box){
				(uint32_t)(text[at] - 'A'), s->now_s + at * step_s,
				until_s < s->until_s ? until_s : s->until_s
			};
	}
	return 0;
}

/* Rows of rounded times. -1 without memory. */
static int fold_rounded(struct maui_schedule *s)
{
	struct fold f = { .schedule = s,
			  .texts = maui_arena_alloc(s->arena,
						    (size_t)s->node_count * steps[0] + 1) };
	struct maui_schedule_row *rows = NULL;
	uint32_t count = UINT32_MAX;
	uint64_t boxes;

	for (size_t try = 0; f.texts && try < sizeof(steps) / sizeof(steps[0]); try++) {
		if (count <= MAUI_REPORT_MAX_ROWS &&
		    (uint64_t)count * f.length <= 2 * MAUI_REPORT_MAX_BOXES)
			break;
		f.length = steps[try];
		s->step_s = (s->until_s - s->now_s + f.length - 1) / f.length;
		write_texts(&f, s->step_s);
		rows = sort_and_group(&f, &count, &boxes);
		if (!rows)
			return -1;
	}
	for (uint32_t i = 0; rows && i < count; i++)
		if (write_boxes(&f, &rows[i], s->step_s))
			return -1;
	if (!rows || sum_items(s))
		return -1;
	s->rows = rows;
	s->row_count = count;
	return 0;
}

static int fold(struct maui_schedule *schedule, const uint32_t *classes)
{
	struct fold f = { .schedule = schedule, .classes = classes };
	struct maui_schedule_row *rows;
	uint64_t boxes = 0;
	uint32_t count;

	for (uint32_t i = 0; i < schedule->row_count; i++)
		boxes += schedule->rows[i].box_count;
	if (schedule->row_count > MAUI_REPORT_MAX_ROWS) {
		rows = sort_and_group(&f, &count, &boxes);
		if (!rows)
			return -1;
		if (count <= MAUI_REPORT_MAX_ROWS) {
			qsort(rows, count, sizeof(*rows), compare_rows);
			schedule->rows = rows;
			schedule->row_count = count;
		}
	}
	if (schedule->row_count <= MAUI_REPORT_MAX_ROWS && boxes <= MAUI_REPORT_MAX_BOXES)
		return 0;
	return fold_rounded(schedule);
}

/* ---- items and boxes ---- */

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
	return rc == 0 ? fold(schedule, classes) : -1;
}

void maui_schedule_finish(struct maui_schedule *schedule)
{
	free(schedule->items);
	free(schedule->drafts);
	*schedule = (struct maui_schedule){ 0 };
}
