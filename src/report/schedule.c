/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule.c - the picture of the schedule: a row for each node, time from left to right
 *
 * One group for each item, with a box for each of its runs of rows. The label stands in the widest
 * box; that of a reservation, which is behind jobs, where no job hides it.
 *
 * Rules: CMD-38.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/layout.h"
#include "base/need.h"
#include "report/pictures.h"
#include "report/svg.h"
#include "chart/words.h"

enum {
	LEFT = 180, /* names of nodes end here */
	RIGHT = MAUI_SVG_WIDTH - 12,
	TOP = 40, /* times stand above */
	FEW_ROWS = 60,
	HIGH = 34, /* of a row, when there are few */
	LOW = 22,
	LANE = 22, /* of a lane, where a row has several */
	INSET = 3,
};

struct picture {
	struct maui_strbuf *out;
	struct maui_layout layout;
	int64_t now_s;
	int *tops; /* of each row; one more: the end of the last one */
	int font;
	bool rounded;
	/* the label of each reservation's item */
	struct maui_svg_box *labels;
};

/* ---- rows ---- */

static int row_height(const struct picture *p, size_t row)
{
	int single = p->layout.row_count <= FEW_ROWS ? HIGH : LOW;
	int lanes = p->layout.lanes[row] > 1 ? p->layout.lanes[row] * LANE : 0;

	return lanes > single ? lanes : single;
}

static void draw_names(const struct picture *p)
{
	for (size_t i = 0; i < p->layout.row_count; i++) {
		const struct maui_report_row *row = &p->layout.rows[i];
		struct maui_strbuf text = { 0 };

		if (row->node_count > 1)
			maui_strbuf_addf(&text, "%" PRId64 ": %s", row->node_count, row->nodes);
		else
			maui_strbuf_addf(&text, "%s", row->nodes);
		maui_strbuf_addf(p->out, "<g class=\"node\"><title>");
		maui_svg_escape(p->out, row->nodes);
		maui_strbuf_addf(p->out, "</title>");
		maui_svg_name(
			p->out,
			(struct maui_svg_box){ 0, p->tops[i], LEFT, p->tops[i + 1] - p->tops[i] },
			p->font, MAUI_SVG_END, text.text ? text.text : "");
		maui_strbuf_addf(p->out, "</g>\n");
		maui_strbuf_finish(&text);
	}
}

static void draw_axis(const struct picture *p)
{
	struct maui_ticks ticks = maui_ticks_make(p->now_s, p->layout.horizon_s);
	int bottom = p->tops[p->layout.row_count], last = LEFT;
	int64_t at;
	char text[32];

	while (maui_ticks_next(&ticks, &at, text, sizeof(text))) {
		const char *const texts[] = { text, NULL };
		int x = LEFT + (int)((double)(at - p->now_s) / (double)p->layout.horizon_s *
				     (RIGHT - LEFT));
		int width = maui_svg_text_width(text, MAUI_SVG_SMALL) + 14, left = x - width / 2;

		maui_svg_line(p->out, "grid", x, TOP - 6, x, bottom);
		if (left < last || left + width > MAUI_SVG_WIDTH)
			continue;
		maui_svg_label(p->out, (struct maui_svg_box){ left, TOP - 34, width, 28 },
			       MAUI_SVG_SMALL, MAUI_SVG_MIDDLE, texts);
		maui_strbuf_addf(p->out, "\n");
		last = left + width;
	}
	for (size_t i = 1; i < p->layout.row_count; i++)
		maui_svg_line(p->out, "grid", LEFT, p->tops[i], RIGHT, p->tops[i]);
}

/* ---- boxes ---- */

static struct maui_svg_box rect_of(const struct picture *p, const struct maui_layout_box *box)
{
	int top = p->tops[box->row], height = p->tops[box->row + 1] - top;
	int lanes = p->layout.lanes[box->row], inset = p->layout.row_count <= FEW_ROWS ? INSET : 1;
	struct maui_svg_box rect = { LEFT + box->from, top + 1, box->until - box->from,
				     height - 1 };

	if (box->lane < 0)
		return rect;
	rect.y = top + box->lane * height / lanes + inset;
	rect.height = height / lanes - 2 * inset + 1;
	return rect;
}

/* By item; boxes of the same span and lane one below the other. */
static int compare(const void *a, const void *b)
{
	const struct maui_layout_box *one = a, *two = b;

	if (one->item != two->item)
		return one->item < two->item ? -1 : 1;
	if (one->from != two->from)
		return one->from < two->from ? -1 : 1;
	if (one->until != two->until)
		return one->until < two->until ? -1 : 1;
	return (one->row > two->row) - (one->row < two->row);
}

/* Whether the second box goes on with the first one in the next row. */
static bool goes_on(const struct picture *p, const struct maui_layout_box *one,
		    const struct maui_layout_box *two)
{
	return one->item == two->item && one->from == two->from && one->until == two->until &&
	       two->row == one->row + 1 &&
	       (one->lane < 0 ||
		(p->layout.lanes[one->row] == 1 && p->layout.lanes[two->row] == 1));
}

/* The rectangle of boxes[at] with all rows below that it goes on in; *ret_next: the box behind. */
static struct maui_svg_box run_of(const struct picture *p, const struct maui_layout_box *boxes,
				  size_t count, size_t at, size_t *ret_next)
{
	struct maui_svg_box rect = rect_of(p, &boxes[at]), last;

	for (*ret_next = at + 1;
	     *ret_next < count && goes_on(p, &boxes[*ret_next - 1], &boxes[*ret_next]);
	     (*ret_next)++) {
		last = rect_of(p, &boxes[*ret_next]);
		rect.height = last.y + last.height - rect.y;
	}
	return rect;
}

static void label_item(const struct picture *p, struct maui_svg_box box,
		       const struct maui_report_item *item)
{
	char words[3][MAUI_WORDS_SIZE];
	const char *texts[] = { words[0], words[1], words[2], NULL };
	int font = p->layout.row_count <= FEW_ROWS ? MAUI_SVG_SMALL : MAUI_SVG_SMALL - 2;

	maui_words_labels(item, p->now_s, words);
	if (box.height > 3 * HIGH)
		box.height = HIGH - 2 * INSET; /* at the top of a high box */
	if (box.width > 0)
		maui_svg_label(p->out, box, font, MAUI_SVG_START, texts);
}

static void draw_several(const struct picture *p, const struct maui_layout_box *box)
{
	struct maui_svg_box rect = rect_of(p, box);
	char title[64], id[64];
	const char *const texts[] = { title, NULL };

	snprintf(title, sizeof(title), "%u more jobs", box->count);
	snprintf(id, sizeof(id), "more-%u-%d", box->row, box->from);
	maui_svg_group(p->out, "running several", id, title);
	maui_svg_rect(p->out, rect);
	maui_svg_label(p->out, rect, MAUI_SVG_SMALL - 2, MAUI_SVG_START, texts);
	maui_svg_group_end(p->out);
}

/* The boxes of one item, from boxes[at] on; returns the first of the next item. */
static size_t draw_item(const struct picture *p, const struct maui_layout_box *boxes, size_t count,
			size_t at)
{
	uint32_t index = boxes[at].item;
	const struct maui_report_item *item = &p->layout.items[index];
	struct maui_svg_box widest = { 0 };
	const char *class = maui_words_class(item->kind);
	char title[MAUI_WORDS_SIZE];
	size_t next;

	maui_words_title(item, p->now_s, p->rounded, title);
	maui_svg_group(p->out, class, item->id, title);
	for (; at < count && boxes[at].item == index; at = next) {
		struct maui_svg_box rect = run_of(p, boxes, count, at, &next);

		maui_svg_rect(p->out, rect);
		if (rect.width > widest.width ||
		    (rect.width == widest.width && rect.height > widest.height))
			widest = rect;
	}
	label_item(p, maui_layout_is_behind(class) ? p->labels[index] : widest, item);
	maui_svg_group_end(p->out);
	return at;
}

static void draw_boxes(const struct picture *p, bool behind)
{
	struct maui_layout_box *boxes = maui_need_list(p->layout.box_count, sizeof(*boxes));
	size_t count = 0, at = 0;

	for (size_t i = 0; i < p->layout.box_count; i++)
		if ((p->layout.boxes[i].lane < 0) == behind)
			boxes[count++] = p->layout.boxes[i];
	if (count > 1)
		qsort(boxes, count, sizeof(*boxes), compare);
	while (at < count && boxes[at].item != MAUI_LAYOUT_SEVERAL)
		at = draw_item(p, boxes, count, at);
	for (; at < count; at++)
		draw_several(p, &boxes[at]);
	free(boxes);
}

/* ---- labels of reservations ---- */

static bool meets(struct maui_svg_box a, struct maui_svg_box b)
{
	return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
	       b.y < a.y + a.height;
}

/* Whether a label of another reservation is there. */
static bool is_taken(const struct picture *p, struct maui_svg_box box)
{
	for (size_t i = 0; i < p->layout.item_count; i++)
		if (p->labels[i].width > 0 && meets(p->labels[i], box))
			return true;
	return false;
}

/* The widest place of each reservation that neither a job nor another label hides. */
static void place_labels(const struct picture *p)
{
	for (size_t i = 0; i < p->layout.box_count; i++) {
		const struct maui_layout_box *box = &p->layout.boxes[i];
		struct maui_svg_box *label, found = rect_of(p, box);
		int from, until;

		if (box->lane >= 0 ||
		    !maui_layout_gap(&p->layout, box->row, box->from, box->until, &from, &until))
			continue;
		label = &p->labels[box->item];
		found.x = LEFT + from;
		found.width = until - from;
		if (found.width > label->width && !is_taken(p, found))
			*label = found;
	}
}

/* ---- the whole ---- */

static bool is_used(const struct picture *p, const char *kind)
{
	for (size_t i = 0; i < p->layout.box_count; i++) {
		uint32_t item = p->layout.boxes[i].item;
		const char *of =
			item == MAUI_LAYOUT_SEVERAL ? "running" : p->layout.items[item].kind;

		if (strcmp(kind, of) == 0)
			return true;
	}
	return false;
}

/* The kinds that the picture shows, from `y` on; returns where the picture ends. */
static int draw_legend(struct maui_strbuf *out, const struct picture *p, int y)
{
	static const char *const kinds[] = { "running", "starting", "suspended", "reserved",
					     "free",    "held",     "standing",  "user",
					     "system",  "slurm",    "down" };
	struct maui_svg_legend legend = { LEFT, y, LEFT, RIGHT };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		if (is_used(p, kinds[k]))
			maui_svg_legend(out, &legend, kinds[k], maui_words_kind(kinds[k]));
	return legend.y + MAUI_SVG_LINE + 4;
}

static void draw(const struct picture *p, const char *id, const char *desc)
{
	int bottom = p->tops[p->layout.row_count];
	struct maui_strbuf nowhere = { 0 };

	maui_svg_begin(p->out, id, "Schedule: nodes over time", desc,
		       draw_legend(&nowhere, p, bottom + 10));
	maui_strbuf_finish(&nowhere);
	draw_axis(p);
	draw_names(p);
	draw_boxes(p, true);
	draw_boxes(p, false);
	maui_svg_line(p->out, "now", LEFT - 2, TOP - 6, LEFT - 2, bottom);
	draw_legend(p->out, p, bottom + 10);
	maui_svg_end(p->out);
}

void maui_picture_schedule(struct maui_strbuf *out, const char *id,
			   const struct maui_report *report)
{
	const struct maui_report_schedule *schedule = report->schedule;
	struct picture p = { .out = out, .now_s = report->time };
	char desc[MAUI_WORDS_SIZE];

	if (!schedule || schedule->rows_count == 0) {
		maui_strbuf_addf(out, "<p>No node is known yet.</p>\n");
		return;
	}
	p.rounded = schedule->step > 0;
	maui_layout_make(schedule, RIGHT - LEFT, &p.layout);
	p.font = p.layout.row_count <= FEW_ROWS ? MAUI_SVG_FONT : MAUI_SVG_SMALL;
	p.tops = maui_need_list(p.layout.row_count + 1, sizeof(*p.tops));
	p.labels = maui_need_list(p.layout.item_count, sizeof(*p.labels));
	p.tops[0] = TOP;
	for (size_t i = 0; i < p.layout.row_count; i++)
		p.tops[i + 1] = p.tops[i] + row_height(&p, i);
	place_labels(&p);
	maui_words_schedule(schedule, desc);
	draw(&p, id, desc);
	free(p.tops);
	free(p.labels);
	maui_layout_finish(&p.layout);
}
