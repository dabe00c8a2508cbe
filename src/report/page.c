/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page.c - the page around the pictures
 *
 * Rules: CMD-38.
 */

#include "maui_config.h"

#include "report/page.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/moment.h"
#include "base/need.h"
#include "base/strbuf.h"
#include "report/pictures.h"
#include "report/svg.h"
#include "chart/words.h"

static bool has_schedule(const struct maui_report *report)
{
	return report->schedule;
}

static bool has_shares(const struct maui_report *report)
{
	return report->shares;
}

static bool has_utilisation(const struct maui_report *report)
{
	return report->utilisation;
}

static bool has_queue(const struct maui_report *report)
{
	return report->now;
}

static bool has_estimates(const struct maui_report *report)
{
	return report->estimates_count > 0;
}

static const struct {
	const char *id, *heading;
	bool (*has)(const struct maui_report *report);
	void (*draw)(struct maui_strbuf *out, const char *id, const struct maui_report *report);
} sections[] = {
	{ "schedule", "Schedule", has_schedule, maui_picture_schedule },
	{ "priority", "Priority of waiting jobs", has_queue, maui_picture_priority },
	{ "fairshare", "Fairshare", has_shares, maui_picture_fairshare },
	{ "queue", "Queue", has_queue, maui_picture_queue },
	{ "free", "What is free", has_queue, maui_table_free },
	{ "utilisation", "Utilisation", has_utilisation, maui_picture_utilisation },
	{ "why", "Why jobs wait", has_queue, maui_picture_why },
	{ "estimates", "How true estimates were", has_estimates, maui_table_estimates },
};

static void add_head(struct maui_strbuf *out, const struct maui_page *page, const char *name)
{
	maui_strbuf_addf(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
			      "lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
			      "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
			      "<meta http-equiv=\"Content-Security-Policy\" "
			      "content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n");
	if (page->refresh_s > 0)
		maui_strbuf_addf(out, "<meta http-equiv=\"refresh\" content=\"%d\"/>\n",
				 page->refresh_s);
	maui_strbuf_addf(out, "<title>");
	maui_svg_escape(out, name);
	maui_strbuf_addf(out, ": schedule report</title>\n<style>\n%s</style>\n</head>\n",
			 maui_picture_style);
}

static const char *name_of(const struct maui_page_run *run)
{
	const char *cluster = run->report->cluster;

	return run->title ? run->title : *cluster ? cluster : "cluster";
}

static void add_moment(struct maui_strbuf *out, const struct maui_report *report)
{
	char text[MAUI_MOMENT_SIZE];

	maui_svg_escape(out, maui_moment_full(report->time, text, sizeof(text)));
}

/* Each run's name and moment. */
static void add_title(struct maui_strbuf *out, const struct maui_page *page)
{
	maui_strbuf_addf(out, "<h1>Schedule report: ");
	for (size_t i = 0; i < page->run_count; i++) {
		maui_strbuf_addf(out, "%s", i ? " and " : "");
		maui_svg_escape(out, name_of(&page->runs[i]));
	}
	maui_strbuf_addf(out, "</h1>\n");
	for (size_t i = 0; i < page->run_count; i++) {
		maui_strbuf_addf(out, "<p>");
		if (page->run_count > 1) {
			maui_svg_escape(out, name_of(&page->runs[i]));
			maui_strbuf_addf(out, ": ");
		}
		add_moment(out, page->runs[i].report);
		maui_strbuf_addf(out, ". Times are local.</p>\n");
	}
}

/* A simulation has no queue of now. */
static bool has_section(const struct maui_page *page, size_t index)
{
	for (size_t i = 0; i < page->run_count; i++)
		if (sections[index].has(page->runs[i].report))
			return true;
	return false;
}

static void add_section(struct maui_strbuf *out, const struct maui_page *page, size_t index)
{
	char id[64];

	maui_strbuf_addf(out, "<section>\n<h2>%s</h2>\n<div>\n", sections[index].heading);
	for (size_t i = 0; i < page->run_count; i++) {
		snprintf(id, sizeof(id), "%s-%zu", sections[index].id, i + 1);
		maui_strbuf_addf(out, "<figure>\n");
		if (page->run_count > 1) {
			maui_strbuf_addf(out, "<figcaption>");
			maui_svg_escape(out, name_of(&page->runs[i]));
			maui_strbuf_addf(out, "</figcaption>\n");
		}
		sections[index].draw(out, id, page->runs[i].report);
		maui_strbuf_addf(out, "</figure>\n");
	}
	maui_strbuf_addf(out, "</div>\n</section>\n");
}

char *maui_page_make(const struct maui_page *page, size_t *ret_length)
{
	struct maui_strbuf out = { 0 };

	add_head(&out, page, page->run_count ? name_of(&page->runs[0]) : "cluster");
	maui_strbuf_addf(&out, "<body%s>\n", page->run_count > 1 ? " class=\"pair\"" : "");
	maui_picture_patterns(&out);
	add_title(&out, page);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (has_section(page, i))
			add_section(&out, page, i);
	maui_strbuf_addf(&out, "<p>Made by slurm-maui %s.</p>\n</body>\n</html>\n", MAUI_VERSION);
	*ret_length = out.length;
	return maui_need(maui_strbuf_steal(&out));
}
