/* SPDX-License-Identifier: GPL-2.0-or-later */
/* svg.h - writes SVG: integer coordinates, every text escaped, no label wider than its box
 *
 * Coordinates are in units of a picture that is MAUI_SVG_WIDTH units wide; the page scales it to
 * the screen. Colours and patterns are classes of style.c.
 *
 * Rules: CMD-38.
 */
#ifndef MAUI_REPORT_SVG_H
#define MAUI_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

enum {
	MAUI_SVG_WIDTH = 1000,
	MAUI_SVG_FONT = 18,  /* of names */
	MAUI_SVG_LINE = 30,  /* height of a line of text */
	MAUI_SVG_SMALL = 16, /* of axes and labels */
};

struct maui_svg_box {
	int x, y, width, height;
};

/* Appends a text escaped for XML. Control characters, characters that change the direction of
 * writing, and bytes that are not UTF-8 become "?". */
void maui_svg_escape(struct maui_strbuf *out, const char *text);

/* The width of a text in units, at this font size: never less than what a browser needs for a
 * common sans-serif font. */
int maui_svg_text_width(const char *text, int font);

/* `<svg role="img">` with title and description; ends with maui_svg_end(). `id` is unique in the
 * page. */
void maui_svg_begin(struct maui_strbuf *out, const char *id, const char *title, const char *desc,
		    int height);
void maui_svg_end(struct maui_strbuf *out);

/* `<g class="CLASS" data-id="ID"><title>TITLE</title>`; ends with maui_svg_group_end(). */
void maui_svg_group(struct maui_strbuf *out, const char *class, const char *id, const char *title);
void maui_svg_group_end(struct maui_strbuf *out);

void maui_svg_rect(struct maui_strbuf *out, struct maui_svg_box box);
void maui_svg_line(struct maui_strbuf *out, const char *class, int x1, int y1, int x2, int y2);

enum maui_svg_anchor { MAUI_SVG_START, MAUI_SVG_MIDDLE, MAUI_SVG_END };

/* The first of the texts (NULL behind the last) that fits into the box, in the middle of its
 * height, clipped to the box in any case. Returns whether one fits: otherwise nothing is
 * written. */
bool maui_svg_label(struct maui_strbuf *out, struct maui_svg_box box, int font,
		    enum maui_svg_anchor anchor, const char *const *texts);

/* The text, shortened with an ellipsis until it fits into the box. */
void maui_svg_name(struct maui_strbuf *out, struct maui_svg_box box, int font,
		   enum maui_svg_anchor anchor, const char *text);

/* A square of a class with its name behind it, in lines of MAUI_SVG_LINE. */
struct maui_svg_legend {
	int x, y, left, right; /* where the next entry comes; the margins */
};
void maui_svg_legend(struct maui_strbuf *out, struct maui_svg_legend *legend, const char *class,
		     const char *text);

#endif
