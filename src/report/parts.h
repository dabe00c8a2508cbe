/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parts.h - a bar that is divided into parts, and the same numbers as text below */
#ifndef MAUI_REPORT_PARTS_H
#define MAUI_REPORT_PARTS_H

#include <stdint.h>

#include "base/strbuf.h"
#include "report/svg.h"

struct maui_part {
	const char *class, *name;
	int64_t amount;
	const char *unit; /* behind the amount: "jobs"; NULL: none */
};

/* Parts in proportion to their amounts, as wide as the box together; a label where it fits. */
void maui_parts_bar(struct maui_strbuf *out, struct maui_svg_box box, const struct maui_part *parts,
		    size_t count);
/* A legend with the amounts; moves legend->y to below it. */
void maui_parts_legend(struct maui_strbuf *out, struct maui_svg_legend *legend,
		       const struct maui_part *parts, size_t count);
/* How many lines the legend will have. */
int maui_parts_lines(const struct maui_part *parts, size_t count, int width);

#endif
