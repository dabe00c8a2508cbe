/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.c - the picture of priorities: a bar for each waiting job, by component
 *
 * Contributions are right of zero, penalties left of zero, the total stands behind. Jobs come in
 * the order of the queue. Sentences below say what else is in a total.
 *
 * Rules: CMD-38.
 */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "report/pictures.h"
#include "report/svg.h"
#include "chart/words.h"

enum {
	LEFT = 220,                   /* jobs' names end here */
	RIGHT = MAUI_SVG_WIDTH - 170, /* totals begin here */
	TOP = 10,
	HEIGHT = 32,
	BAR = 22,
};

struct scale {
	double least, most; /* least <= 0 <= most */
};

static const char *const components[] = { "CRED", "FS", "SERV", "TARG", "RES", "USAGE" };
static const char *const classes[] = { "k0", "k1", "k2", "k3", "k4", "k5" };

enum { COUNT = sizeof(components) / sizeof(components[0]) };

static double value_of(const struct maui_report_waiting *job, int component)
{
	for (size_t i = 0; i < job->components_count; i++)
		if (strcmp(job->components[i].key, components[component]) == 0)
			return job->components[i].value;
	return 0;
}

static struct scale scale_of(const struct maui_report_now *now)
{
	struct scale s = { 0, 0 };

	for (size_t i = 0; i < now->waiting_count; i++) {
		const struct maui_report_waiting *job = &now->waiting[i];
		double plus = 0, minus = 0;

		for (int c = 0; c < COUNT; c++)
			*(value_of(job, c) > 0 ? &plus : &minus) += value_of(job, c);
		if (!job->components)
			plus = (double)job->priority;
		s.least = minus < s.least ? minus : s.least;
		s.most = plus > s.most ? plus : s.most;
	}
	if (s.most <= s.least)
		s.most = s.least + 1;
	return s;
}

static int x_of(struct scale s, double value)
{
	return LEFT + (int)((value - s.least) / (s.most - s.least) * (RIGHT - LEFT));
}

static void draw_part(struct maui_strbuf *out, struct scale s, const char *class, const char *name,
		      int y, double from, double value)
{
	int x1 = x_of(s, value < 0 ? from + value : from);
	int x2 = x_of(s, value < 0 ? from : from + value);
	char title[96];
	const char *const texts[] = { name, NULL };
	struct maui_svg_box box = { x1, y + (HEIGHT - BAR) / 2, x2 - x1, BAR };

	if (x2 <= x1)
		return;
	snprintf(title, sizeof(title), "%s %+.0f", name, value);
	maui_strbuf_addf(out, "<g class=\"%s\"><title>%s</title>", class, title);
	maui_svg_rect(out, box);
	maui_svg_label(out, box, MAUI_SVG_SMALL, MAUI_SVG_START, texts);
	maui_strbuf_addf(out, "</g>");
}

static void draw_job(struct maui_strbuf *out, struct scale s, const struct maui_report_waiting *job,
		     int y)
{
	double plus = 0, minus = 0;
	char name[MAUI_WORDS_SIZE], title[MAUI_WORDS_SIZE], id[32], total[32];

	snprintf(id, sizeof(id), "%" PRId64, job->id);
	snprintf(name, sizeof(name), "%s %.600s", id, job->user);
	snprintf(total, sizeof(total), "= %" PRId64, job->priority);
	snprintf(title, sizeof(title), "job %s of %.600s: priority %" PRId64 ", waits for: %.200s",
		 id, job->user, job->priority, job->reason);
	maui_svg_group(out, "job priority", id, title);
	maui_svg_name(out, (struct maui_svg_box){ 0, y, LEFT - 10, HEIGHT }, MAUI_SVG_SMALL,
		      MAUI_SVG_END, name);
	for (int c = 0; c < COUNT; c++) {
		double value = value_of(job, c), *from = value > 0 ? &plus : &minus;

		draw_part(out, s, classes[c], components[c], y, *from, value);
		*from += value;
	}
	if (!job->components) {
		plus = (double)job->priority;
		draw_part(out, s, "k6", "set directly", y, 0, plus);
	}
	maui_svg_name(out, (struct maui_svg_box){ x_of(s, plus), y, 160, HEIGHT }, MAUI_SVG_SMALL,
		      MAUI_SVG_START, total);
	maui_svg_group_end(out);
}

/* Why the priority is not the sum of the bar's parts. */
static void add_note(struct maui_strbuf *out, const struct maui_report_waiting *job)
{
	enum { LEAST = 2 }; /* PRIO-14 */
	int64_t added = job->besides ? job->besides->system_priority_added : 0;
	int64_t nice = job->besides ? job->besides->nice : 0;
	double sum = 0;

	if (!job->components || (!job->clip && added == 0 && nice == 0))
		return;
	for (int c = 0; c < COUNT; c++)
		sum += value_of(job, c);
	maui_strbuf_addf(out, "<p>Job %" PRId64 " of ", job->id);
	maui_svg_escape(out, job->user);
	maui_strbuf_addf(out, ": the components sum to %.0f", sum);
	if (job->clip)
		maui_strbuf_addf(out, ", which counts as %.0f", job->clip->clipped);
	if (added != 0)
		maui_strbuf_addf(out, "; setspri adds %" PRId64, added);
	if (nice != 0)
		maui_strbuf_addf(out, "; nice subtracts %" PRId64, nice);
	if (job->clip && job->clip->clipped + (double)added < LEAST &&
	    job->priority + nice == LEAST)
		maui_strbuf_addf(out, "; slurmctld gets at least %d", LEAST);
	maui_strbuf_addf(out, "; the priority is %" PRId64 ".</p>\n", job->priority);
}

/* Returns where the picture ends. */
static int draw_legend(struct maui_strbuf *out, const struct maui_report_now *now, int y)
{
	static const char *const names[COUNT] = { "CRED credentials", "FS fairshare",
						  "SERV service",     "TARG targets",
						  "RES resources",    "USAGE usage" };
	struct maui_svg_legend legend = { 20, y, 20, MAUI_SVG_WIDTH - 10 };

	for (int c = 0; c < COUNT; c++) {
		bool used = false;

		for (size_t i = 0; i < now->waiting_count && !used; i++)
			used = value_of(&now->waiting[i], c) != 0;
		if (used)
			maui_svg_legend(out, &legend, classes[c], names[c]);
	}
	return legend.y + MAUI_SVG_LINE + 4;
}

void maui_picture_priority(struct maui_strbuf *out, const char *id,
			   const struct maui_report *report)
{
	const struct maui_report_now *now = report->now;
	int count = now ? (int)now->waiting_count : 0, bottom = TOP + count * HEIGHT;
	struct maui_strbuf nowhere = { 0 };
	struct scale s;
	char desc[128];

	if (count == 0) {
		maui_strbuf_addf(out, "<p>No job waits for its turn.</p>\n");
		return;
	}
	s = scale_of(now);
	snprintf(desc, sizeof(desc), "The first %d waiting job%s in the order of the queue", count,
		 maui_plural(count));
	maui_svg_begin(out, id, "Priority of waiting jobs by component", desc,
		       draw_legend(&nowhere, now, bottom + 14));
	maui_strbuf_finish(&nowhere);
	for (int i = 0; i < count; i++)
		draw_job(out, s, &now->waiting[i], TOP + i * HEIGHT);
	maui_svg_line(out, "zero", x_of(s, 0), TOP - 4, x_of(s, 0), bottom + 4);
	draw_legend(out, now, bottom + 14);
	maui_svg_end(out);
	for (int i = 0; i < count; i++)
		add_note(out, &now->waiting[i]);
}
