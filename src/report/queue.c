/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.c - the picture of the queue: jobs and their processors by state
 *
 * Rules: CMD-38.
 */

#include <inttypes.h>
#include <stdio.h>

#include "report/parts.h"
#include "report/pictures.h"
#include "report/read.h"

enum { NAMES = 130, BAR = 40, GAP = 12, STATES = 6 };

static const struct {
	const char *key, *class, *name;
} states[STATES] = {
	{ "running", "running", "running" },
	{ "starting", "starting", "starting now" },
	{ "suspended", "suspended", "suspended" },
	{ "reserved", "reserved", "waiting, with a job reservation" },
	{ "eligible", "k2", "waiting" },
	{ "blocked", "down", "not eligible" },
};

static int64_t fill(json_object *queue, const char *what, struct maui_part *parts)
{
	int64_t sum = 0;

	for (int i = 0; i < STATES; i++) {
		parts[i] = (struct maui_part){
			.class = states[i].class,
			.name = states[i].name,
			.amount = maui_read_number(maui_read(queue, states[i].key), what),
		};
		sum += parts[i].amount;
	}
	return sum;
}

static void draw_bar(struct maui_strbuf *out, int y, const char *name,
		     const struct maui_part *parts)
{
	maui_svg_name(out, (struct maui_svg_box){ 0, y, NAMES, BAR }, MAUI_SVG_FONT, MAUI_SVG_END,
		      name);
	maui_parts_bar(out, (struct maui_svg_box){ NAMES, y, MAUI_SVG_WIDTH - NAMES - 12, BAR },
		       parts, STATES);
}

/* "In use: 6 of 12 gpu, 2 of 4 gpu:a100." */
static void add_gres(struct maui_strbuf *out, json_object *list)
{
	for (size_t i = 0; i < maui_read_length(list); i++) {
		json_object *gres = maui_read_element(list, i);
		int64_t total = maui_read_number(gres, "total");

		maui_strbuf_addf(out, "%s%" PRId64 " of %" PRId64 " ",
				 i == 0 ? "<p>In use: " : ", ",
				 total - maui_read_number(gres, "unused"), total);
		maui_svg_escape(out, maui_read_text(gres, "name"));
	}
	if (maui_read_length(list) > 0)
		maui_strbuf_addf(out, ".</p>\n");
}

void maui_picture_queue(struct maui_strbuf *out, const char *id, json_object *report)
{
	json_object *queue = maui_read(report, "queue");
	struct maui_part jobs[STATES], procs[STATES];
	struct maui_svg_legend legend = { NAMES, 2 * (BAR + GAP) + GAP, NAMES, MAUI_SVG_WIDTH };
	int lines;

	add_gres(out, maui_read(queue, "gres"));
	if (fill(queue, "jobs", jobs) == 0) {
		maui_strbuf_addf(out, "<p>No job runs or waits.</p>\n");
		return;
	}
	fill(queue, "procs", procs);
	for (int i = 0; i < STATES; i++)
		jobs[i].unit = jobs[i].amount == 1 ? "job" : "jobs";
	lines = maui_parts_lines(jobs, STATES, MAUI_SVG_WIDTH - NAMES);
	maui_svg_begin(out, id, "The queue by state",
		       "Jobs, and the processors that they use or request",
		       legend.y + lines * MAUI_SVG_LINE + GAP);
	draw_bar(out, GAP, "jobs", jobs);
	draw_bar(out, 2 * GAP + BAR, "processors", procs);
	maui_parts_legend(out, &legend, jobs, STATES);
	maui_svg_end(out);
}
