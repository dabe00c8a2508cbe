/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why.c - the pictures of reasons: waiting jobs by reason, nodes by reason for the first jobs
 *
 * Each is a bar with all jobs or nodes, and below it the same numbers as text.
 *
 * Rules: CMD-38.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/words.h"
#include "model/reason.h"
#include "report/parts.h"
#include "report/pictures.h"

enum { BAR = 40, GAP = 10, MOST = 64, LEFT = 12 };

/* Reasons with a colour that is the same in all bars, and words for a reader who sees nothing
 * else. */
static const struct shown_reason {
	const char *class, *words; /* words NULL: the reason says it */
} shown_reasons[MAUI_REASON_COUNT] = {
	[MAUI_REASON_NONE] = { "free", NULL },
	/* of nodes */
	[MAUI_REASON_NODE_BUSY] = { "running", NULL },
	[MAUI_REASON_NODE_RESERVED] = { "reserved", NULL },
	[MAUI_REASON_NODE_CLAIMED] = { "standing", "kept by a reservation" },
	[MAUI_REASON_NODE_STATE] = { "down", "down or drained" },
	[MAUI_REASON_NODE_UNANSWERED] = { "k6", NULL },
	[MAUI_REASON_NODE_PARTITION] = { "k1", "in another partition" },
	[MAUI_REASON_NODE_FEATURES] = { "k3", "other features" },
	[MAUI_REASON_NODE_EXCLUDED] = { "k4", "excluded by the job" },
	[MAUI_REASON_NODE_PROCS] = { "k5", "too few processors" },
	[MAUI_REASON_NODE_MEM] = { "k2", "too little memory" },
	[MAUI_REASON_NODE_DISK] = { "k4", "too little disk" },
	[MAUI_REASON_NODE_OTHER] = { "k1", "other GRES" },
	/* of jobs */
	[MAUI_REASON_RESOURCES] = { "running", NULL },
	[MAUI_REASON_PRIORITY] = { "k2", NULL },
	[MAUI_REASON_LIMIT] = { "k3", NULL },
	[MAUI_REASON_HELD] = { "k1", NULL },
	[MAUI_REASON_DEPENDENCY] = { "k4", NULL },
	[MAUI_REASON_BEGIN_TIME] = { "k5", NULL },
	[MAUI_REASON_ACCESS] = { "standing", NULL },
	[MAUI_REASON_RESERVED] = { "reserved", NULL },
	[MAUI_REASON_CHUNKING] = { "held", NULL },
	[MAUI_REASON_NEVER_FITS] = { "down", NULL },
};

static struct maui_part part_of(const char *text, size_t index)
{
	static const char *const others[] = { "k1", "k3", "k4", "k5", "k6" };
	enum maui_reason reason = maui_reason_find(text);

	if (reason < MAUI_REASON_COUNT && shown_reasons[reason].class)
		return (struct maui_part){ .class = shown_reasons[reason].class,
					   .name = shown_reasons[reason].words ?
							   shown_reasons[reason].words :
							   text };
	return (struct maui_part){ .class = others[index % (sizeof(others) / sizeof(others[0]))],
				   .name = text };
}

/* Waiting jobs by reason. */
static size_t fill_jobs(const struct maui_report_now *now, struct maui_part *parts)
{
	size_t count = now->reasons_count < MOST ? now->reasons_count : MOST;

	for (size_t i = 0; i < count; i++) {
		parts[i] = part_of(now->reasons[i].reason, i);
		parts[i].amount = now->reasons[i].jobs;
	}
	return count;
}

static size_t fill_nodes(const struct maui_report_why *why, struct maui_part *parts)
{
	size_t count = why->nodes_count < MOST ? why->nodes_count : MOST;

	for (size_t i = 0; i < count; i++) {
		parts[i] = part_of(why->nodes[i].key, i);
		parts[i].amount = why->nodes[i].value;
	}
	return count;
}

/* A heading, a bar, a legend; returns where the next one begins. */
static int draw_strip(struct maui_strbuf *out, int y, const char *id, const char *heading,
		      const struct maui_part *parts, size_t count)
{
	struct maui_svg_legend legend = { LEFT, y + MAUI_SVG_LINE + BAR + GAP, LEFT,
					  MAUI_SVG_WIDTH };

	maui_svg_group(out, "why", id, heading);
	maui_svg_name(out,
		      (struct maui_svg_box){ LEFT - 6, y, MAUI_SVG_WIDTH - LEFT, MAUI_SVG_LINE },
		      MAUI_SVG_FONT, MAUI_SVG_START, heading);
	maui_parts_bar(
		out,
		(struct maui_svg_box){ LEFT, y + MAUI_SVG_LINE, MAUI_SVG_WIDTH - 2 * LEFT, BAR },
		parts, count);
	maui_parts_legend(out, &legend, parts, count);
	maui_svg_group_end(out);
	return legend.y + 2 * GAP;
}

static int strip_height(const struct maui_part *parts, size_t count)
{
	return MAUI_SVG_LINE + BAR + 3 * GAP +
	       MAUI_SVG_LINE * maui_parts_lines(parts, count, MAUI_SVG_WIDTH - 2 * LEFT);
}

static void why_heading(const struct maui_report_why *why, char *text, size_t size)
{
	snprintf(text, size, "Nodes for job %" PRId64 ", which needs %" PRId64 " node%s (%.100s)",
		 why->id, why->wanted, maui_plural(why->wanted), why->reason);
}

/* All strips; only their height when out is NULL. */
static int draw_all(struct maui_strbuf *out, const struct maui_report_now *now)
{
	struct maui_part parts[MOST];
	size_t count = fill_jobs(now, parts);
	int y = GAP;

	y = out ? draw_strip(out, y, "reasons", "Waiting jobs by reason", parts, count) :
		  y + strip_height(parts, count);
	for (size_t i = 0; i < now->why_not_count; i++) {
		const struct maui_report_why *why = &now->why_not[i];
		char heading[256], id[32];

		count = fill_nodes(why, parts);
		if (count == 0)
			continue;
		why_heading(why, heading, sizeof(heading));
		snprintf(id, sizeof(id), "%" PRId64, why->id);
		y = out ? draw_strip(out, y, id, heading, parts, count) :
			  y + strip_height(parts, count);
	}
	return y;
}

void maui_picture_why(struct maui_strbuf *out, const char *id, const struct maui_report *report)
{
	if (!report->now || report->now->reasons_count == 0) {
		maui_strbuf_addf(out, "<p>No job waits.</p>\n");
		return;
	}
	maui_svg_begin(out, id, "Why jobs wait",
		       "Waiting jobs by reason, and for the first ones the nodes by reason",
		       draw_all(NULL, report->now));
	draw_all(out, report->now);
	maui_svg_end(out);
}
