/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.c - the picture of the queue: jobs and their processors by state
 *
 * Rules: CMD-38.
 */

#include <inttypes.h>
#include <stdio.h>

#include "report/parts.h"
#include "report/pictures.h"

enum { STATES = 6 };

/* pixels: the width of names, the height of a bar, the room between bars */
enum { NAMES = 130, BAR = 40, GAP = 12 };

static const struct {
	const char *class, *name;
} states[STATES] = {
	{ "running", "running" },     { "starting", "starting now" },
	{ "suspended", "suspended" }, { "reserved", "waiting, with a job reservation" },
	{ "k2", "waiting" },          { "down", "not eligible" },
};

/* Returns how many jobs there are. */
static int64_t fill(const struct maui_report_queue *queue, struct maui_part *jobs,
		    struct maui_part *procs)
{
	const struct maui_report_sum *const sums[STATES] = { queue->running,   queue->starting,
							     queue->suspended, queue->reserved,
							     queue->eligible,  queue->blocked };
	int64_t all = 0;

	for (int i = 0; i < STATES; i++) {
		jobs[i] = (struct maui_part){ .class = states[i].class,
					      .name = states[i].name,
					      .amount = sums[i]->jobs,
					      .unit = sums[i]->jobs == 1 ? "job" : "jobs" };
		procs[i] = (struct maui_part){ .class = states[i].class,
					       .name = states[i].name,
					       .amount = sums[i]->procs };
		all += sums[i]->jobs;
	}
	return all;
}

static void draw_bar(struct maui_strbuf *out, int y, const char *name,
		     const struct maui_part *parts)
{
	maui_svg_name(out, (struct maui_svg_box){ 0, y, NAMES, BAR }, MAUI_SVG_FONT, MAUI_SVG_END,
		      name);
	maui_parts_bar(out, (struct maui_svg_box){ NAMES, y, MAUI_SVG_WIDTH - NAMES - GAP, BAR },
		       parts, STATES);
}

/* "In use: 6 of 12 gpu, 2 of 4 gpu:a100." */
static void add_gres(struct maui_strbuf *out, const struct maui_report_queue *queue)
{
	for (size_t i = 0; i < queue->gres_count; i++) {
		const struct maui_gres *gres = &queue->gres[i];

		maui_strbuf_addf(out, "%s%" PRId64 " of %" PRId64 " ",
				 i == 0 ? "<p>In use: " : ", ", gres->total - gres->unused,
				 gres->total);
		maui_svg_escape(out, gres->name);
	}
	if (queue->gres_count > 0)
		maui_strbuf_addf(out, ".</p>\n");
}

void maui_picture_queue(struct maui_strbuf *out, const char *id, const struct maui_report *report)
{
	struct maui_part jobs[STATES], procs[STATES];
	struct maui_svg_legend legend = { NAMES, 2 * (BAR + GAP) + GAP, NAMES, MAUI_SVG_WIDTH };
	int lines;

	if (report->now)
		add_gres(out, report->now->queue);
	if (!report->now || fill(report->now->queue, jobs, procs) == 0) {
		maui_strbuf_addf(out, "<p>No job runs or waits.</p>\n");
		return;
	}
	lines = maui_parts_lines(jobs, STATES, MAUI_SVG_WIDTH - NAMES);
	maui_svg_begin(out, id, "The queue by state",
		       "Jobs, and the processors that they use or request",
		       legend.y + lines * MAUI_SVG_LINE + GAP);
	draw_bar(out, GAP, "jobs", jobs);
	draw_bar(out, 2 * GAP + BAR, "processors", procs);
	maui_parts_legend(out, &legend, jobs, STATES);
	maui_svg_end(out);
}
