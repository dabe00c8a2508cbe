/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - what has figures and no picture: free resources, how true estimates were
 *
 * Rules: CMD-38, CMD-67.
 */

#include <inttypes.h>

#include "report/pictures.h"
#include "report/svg.h"
#include "verbs/estimate_cells.h"

static void begin(struct maui_strbuf *out, const char *const *titles, size_t count)
{
	maui_strbuf_addf(out, "<table>\n<tr>");
	for (size_t i = 0; i < count; i++)
		maui_strbuf_addf(out, "<th>%s</th>", titles[i]);
	maui_strbuf_addf(out, "</tr>\n");
}

static void add_cell(struct maui_strbuf *out, const char *text)
{
	maui_strbuf_addf(out, "<td>");
	maui_svg_escape(out, text);
	maui_strbuf_addf(out, "</td>");
}

void maui_table_free(struct maui_strbuf *out, const char *id, const struct maui_report *report)
{
	static const char *const titles[] = {
		"partition", "", "free", "reserved", "in use", "down"
	};

	(void)id;
	if (!report->now || report->now->partitions_count == 0) {
		maui_strbuf_addf(out, "<p>No node is known yet.</p>\n");
		return;
	}
	begin(out, titles, sizeof(titles) / sizeof(titles[0]));
	for (size_t i = 0; i < report->now->partitions_count; i++) {
		const struct maui_partition_share *row = &report->now->partitions[i];

		maui_strbuf_addf(out, "<tr>");
		add_cell(out, row->partition);
		add_cell(out, row->gres ? row->gres : "processors");
		maui_strbuf_addf(out,
				 "<td>%" PRId64 "</td><td>%" PRId64 "</td><td>%" PRId64
				 "</td><td>%" PRId64 "</td></tr>\n",
				 row->idle, row->reserved, row->used, row->down);
	}
	maui_strbuf_addf(out, "</table>\n");
}

static void add_estimate(struct maui_strbuf *out, const struct maui_estimate_cells *cells)
{
	const char *const texts[] = { cells->partition, cells->estimate, cells->ahead, cells->jobs,
				      cells->p10,       cells->p50,      cells->p90 };

	maui_strbuf_addf(out, "<tr>");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		add_cell(out, texts[i]);
	maui_strbuf_addf(out, "</tr>\n");
}

void maui_table_estimates(struct maui_strbuf *out, const char *id, const struct maui_report *report)
{
	static const char *const titles[] = { "partition", "estimate", "ahead", "jobs",
					      "10 %",      "50 %",     "90 %" };

	(void)id;
	maui_strbuf_addf(out, "<p>How much later than expected jobs started; -: earlier. So many "
			      "percent of them came at most so late.</p>\n");
	begin(out, titles, sizeof(titles) / sizeof(titles[0]));
	for (size_t i = 0; i < report->estimates_count; i++) {
		struct maui_estimate_cells cells;

		maui_estimate_cells(&report->estimates[i], &cells);
		add_estimate(out, &cells);
	}
	maui_strbuf_addf(out, "</table>\n");
}
