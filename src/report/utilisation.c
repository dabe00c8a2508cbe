/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utilisation.c - the picture of the last day, or of a simulation: processors and waiting jobs
 *
 * Two charts with the same time from left to right. The first has all processors: used, idle and
 * kept by reservations, idle, on nodes that are down. Where nothing is known there is a gap.
 *
 * Rules: CMD-38.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/pictures.h"
#include "report/svg.h"
#include "chart/words.h"

enum {
	DAY_S = 24 * 3600,
	LEFT = 130,
	RIGHT = MAUI_SVG_WIDTH - 12,
	TOP = 38,
	PROCS = 180, /* height of the chart of processors */
	GAP = 24,
	JOBS = 90, /* height of the chart of jobs */
};

struct chart {
	struct maui_strbuf *out;
	const struct maui_report_span *spans;
	size_t count;
	int64_t from_s, until_s;
};

/* From the bottom to the top. */
static const struct layer {
	size_t at; /* in the span */
	const char *id, *class, *name;
} layers[] = {
	{ offsetof(struct maui_report_span, used), "used", "running", "used by jobs" },
	{ offsetof(struct maui_report_span, reserved), "reserved", "standing",
	  "idle, kept by reservations" },
	{ offsetof(struct maui_report_span, idle), "idle", "free", "idle" },
	{ offsetof(struct maui_report_span, down), "down", "down", "not usable" },
};

enum { LAYERS = sizeof(layers) / sizeof(layers[0]) };

static double positive(double value)
{
	return value > 0 ? value : 0;
}

static double value_of(const struct maui_report_span *span, const struct layer *layer)
{
	return positive(*(const double *)((const char *)span + layer->at));
}

static int x_of(const struct chart *c, int64_t when_s)
{
	double share = (double)(when_s - c->from_s) / (double)(c->until_s - c->from_s);

	share = share < 0 ? 0 : share > 1 ? 1 : share;
	return LEFT + (int)(share * (RIGHT - LEFT));
}

/* What is below layers[count] in this span. */
static double below(const struct maui_report_span *span, int count)
{
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += value_of(span, &layers[i]);
	return sum;
}

static int y_of(double value, double most, int bottom, int height)
{
	double share = most > 0 ? value / most : 0;

	return bottom - (int)((share < 1 ? share : 1) * height);
}

/* A column of the area between two heights. */
static void add_column(struct maui_strbuf *out, int x1, int x2, int low, int high)
{
	if (x2 > x1 && low > high)
		maui_strbuf_addf(out, "M%d %dV%dH%dV%dZ", x1, low, high, x2, low);
}

static void draw_layer(const struct chart *c, int layer, double most)
{
	double mean = 0, all = 0;
	char title[96];

	for (size_t i = 0; i < c->count; i++) {
		mean += value_of(&c->spans[i], &layers[layer]);
		all += below(&c->spans[i], LAYERS);
	}
	snprintf(title, sizeof(title), "%s: %.1f %%", layers[layer].name,
		 all > 0 ? 100 * mean / all : 0);
	maui_svg_group(c->out, layers[layer].class, layers[layer].id, title);
	maui_strbuf_addf(c->out, "<path d=\"M0 0");
	for (size_t i = 0; i < c->count; i++) {
		const struct maui_report_span *span = &c->spans[i];

		add_column(c->out, x_of(c, span->start), x_of(c, span->end),
			   y_of(below(span, layer), most, TOP + PROCS, PROCS),
			   y_of(below(span, layer + 1), most, TOP + PROCS, PROCS));
	}
	maui_strbuf_addf(c->out, "\"/>");
	maui_svg_group_end(c->out);
}

static void draw_jobs(const struct chart *c, double most)
{
	int bottom = TOP + PROCS + GAP + JOBS;

	maui_svg_group(c->out, "k2", "waiting", "jobs that wait");
	maui_strbuf_addf(c->out, "<path d=\"M0 0");
	for (size_t i = 0; i < c->count; i++)
		add_column(c->out, x_of(c, c->spans[i].start), x_of(c, c->spans[i].end), bottom,
			   y_of(positive(c->spans[i].waiting), most, bottom, JOBS));
	maui_strbuf_addf(c->out, "\"/>");
	maui_svg_group_end(c->out);
}

/* The largest value at the top, 0 at the bottom. */
static void draw_scale(const struct chart *c, const char *name, double most, int top, int bottom)
{
	char text[32];

	snprintf(text, sizeof(text), "%.0f",
		 ceil(most - 1e-6)); /* a whole number that rounding raised stays */
	maui_svg_name(c->out, (struct maui_svg_box){ 0, top - 12, LEFT - 2, 24 }, MAUI_SVG_SMALL,
		      MAUI_SVG_END, text);
	maui_svg_name(c->out, (struct maui_svg_box){ 0, (top + bottom) / 2 - 12, LEFT - 2, 24 },
		      MAUI_SVG_SMALL, MAUI_SVG_END, name);
	maui_svg_name(c->out, (struct maui_svg_box){ 0, bottom - 12, LEFT - 2, 24 }, MAUI_SVG_SMALL,
		      MAUI_SVG_END, "0");
	maui_svg_line(c->out, "grid", LEFT, top, RIGHT, top);
	maui_svg_line(c->out, "grid", LEFT, bottom, RIGHT, bottom);
}

static void draw_axis(const struct chart *c, int bottom)
{
	struct maui_ticks ticks = maui_ticks_make(c->from_s, c->until_s - c->from_s);
	int64_t at;
	char text[32];

	while (maui_ticks_next(&ticks, &at, text, sizeof(text))) {
		int x = x_of(c, at);

		maui_svg_line(c->out, "grid", x, TOP - 4, x, bottom);
		if (x < LEFT + 40 || x > RIGHT - 40)
			continue;
		maui_svg_name(c->out, (struct maui_svg_box){ x - 40, 4, 80, 26 }, MAUI_SVG_SMALL,
			      MAUI_SVG_MIDDLE, text);
	}
}

static int draw_legend(struct maui_strbuf *out, int y)
{
	struct maui_svg_legend legend = { LEFT, y, LEFT, RIGHT };

	for (int i = 0; i < LAYERS; i++)
		maui_svg_legend(out, &legend, layers[i].class, layers[i].name);
	maui_svg_legend(out, &legend, "k2", "waiting jobs");
	return legend.y + MAUI_SVG_LINE + 4;
}

/* The last day, or the time of a simulation. */
static void set_period(struct chart *c, const struct maui_report *report)
{
	c->until_s = report->period ? report->period->utilisation_until : report->time;
	c->from_s = report->period ? report->period->utilisation_from : c->until_s - DAY_S;
	if (c->until_s <= c->from_s)
		c->until_s = c->from_s + 1;
}

void maui_picture_utilisation(struct maui_strbuf *out, const char *id,
			      const struct maui_report *report)
{
	struct chart c = { .out = out,
			   .spans = report->utilisation,
			   .count = report->utilisation_count };
	int bottom = TOP + PROCS + GAP + JOBS;
	struct maui_strbuf nowhere = { 0 };
	double procs = 0, waiting = 0;

	if (c.count == 0) {
		maui_strbuf_addf(out, "<p>Nothing is recorded yet.</p>\n");
		return;
	}
	set_period(&c, report);
	for (size_t i = 0; i < c.count; i++) {
		procs = fmax(procs, fmax(c.spans[i].procs, below(&c.spans[i], LAYERS)));
		waiting = fmax(waiting, c.spans[i].waiting);
	}
	maui_svg_begin(out, id, "Utilisation over time",
		       "What the processors did, and below how many jobs waited",
		       draw_legend(&nowhere, bottom + 20));
	maui_strbuf_finish(&nowhere);
	draw_axis(&c, bottom);
	draw_scale(&c, "processors", procs, TOP, TOP + PROCS);
	draw_scale(&c, "waiting", waiting, TOP + PROCS + GAP, bottom);
	for (int i = 0; i < LAYERS; i++)
		draw_layer(&c, i, procs);
	draw_jobs(&c, waiting);
	draw_legend(out, bottom + 20);
	maui_svg_end(out);
}
