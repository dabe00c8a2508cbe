/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parts.c - a bar that is divided into parts, and the same numbers as text below */

#include "report/parts.h"

#include <inttypes.h>
#include <stdio.h>

enum { NAME = 200 };

static void name_part(const struct maui_part *part, char *text)
{
	snprintf(text, NAME, "%.120s: %" PRId64 "%s%.40s", part->name, part->amount,
		 part->unit ? " " : "", part->unit ? part->unit : "");
}

void maui_parts_bar(struct maui_strbuf *out, struct maui_svg_box box, const struct maui_part *parts,
		    size_t count)
{
	int64_t sum = 0, before = 0;
	char text[NAME], amount[32];

	for (size_t i = 0; i < count; i++)
		sum += parts[i].amount;
	for (size_t i = 0; i < count && sum > 0; i++) {
		const char *const texts[] = { text, parts[i].name, amount, NULL };
		int x1 = box.x + (int)((double)before / (double)sum * box.width), x2;
		struct maui_svg_box part = box;

		before += parts[i].amount;
		x2 = box.x + (int)((double)before / (double)sum * box.width);
		if (x2 <= x1)
			continue;
		part.x = x1;
		part.width = x2 - x1;
		name_part(&parts[i], text);
		snprintf(amount, sizeof(amount), "%" PRId64, parts[i].amount);
		maui_strbuf_addf(out, "<g class=\"%s\"><title>", parts[i].class);
		maui_svg_escape(out, text);
		maui_strbuf_addf(out, "</title>");
		maui_svg_rect(out, part);
		maui_svg_label(out, part, MAUI_SVG_SMALL, MAUI_SVG_START, texts);
		maui_strbuf_addf(out, "</g>\n");
	}
}

void maui_parts_legend(struct maui_strbuf *out, struct maui_svg_legend *legend,
		       const struct maui_part *parts, size_t count)
{
	char text[NAME];

	for (size_t i = 0; i < count; i++) {
		if (parts[i].amount <= 0)
			continue;
		name_part(&parts[i], text);
		maui_svg_legend(out, legend, parts[i].class, text);
	}
	legend->x = legend->left;
	legend->y += MAUI_SVG_LINE;
}

int maui_parts_lines(const struct maui_part *parts, size_t count, int width)
{
	struct maui_strbuf nowhere = { 0 };
	struct maui_svg_legend legend = { 0, 0, 0, width };

	maui_parts_legend(&nowhere, &legend, parts, count);
	maui_strbuf_finish(&nowhere);
	return legend.y / MAUI_SVG_LINE;
}
