/* SPDX-License-Identifier: GPL-2.0-or-later */
/* svg.c - the writer of SVG elements
 *
 * Rules: CMD-38.
 */

#include "report/svg.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum {
	PAD = 6, /* between a label and the edge of its box */
	ELLIPSIS = 0x2026,
	LONGEST = 300, /* characters of a text that is shown; longer ones are cut */
};

/* ---- text ---- */

/* The next character; *text moves behind it. 0: the end; '?': it must not be shown. */
static uint32_t next_character(const char **text)
{
	uint32_t c;
	size_t length;

	if (**text == '\0')
		return 0;
	length = maui_utf8_decode(*text, strnlen(*text, 4), &c);
	*text += length ? length : 1;
	if (length == 0 || maui_utf8_is_hidden(c) || c == 0xfeff || c == 0xfffe || c == 0xffff)
		return '?';
	return c;
}

static void add_character(struct maui_strbuf *out, uint32_t c)
{
	if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'')
		maui_strbuf_addf(out, "&#%u;", c);
	else if (c < 0x80)
		maui_strbuf_add(out, &(char){ (char)c }, 1);
	else if (c < 0x800)
		maui_strbuf_add(out, (char[]){ (char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f)) },
				2);
	else if (c < 0x10000)
		maui_strbuf_add(out,
				(char[]){ (char)(0xe0 | c >> 12), (char)(0x80 | (c >> 6 & 0x3f)),
					  (char)(0x80 | (c & 0x3f)) },
				3);
	else
		maui_strbuf_add(out,
				(char[]){ (char)(0xf0 | c >> 18), (char)(0x80 | (c >> 12 & 0x3f)),
					  (char)(0x80 | (c >> 6 & 0x3f)),
					  (char)(0x80 | (c & 0x3f)) },
				4);
}

void maui_svg_escape(struct maui_strbuf *out, const char *text)
{
	uint32_t c;

	for (int count = 0; (c = next_character(&text)); count++) {
		if (count == LONGEST) {
			add_character(out, ELLIPSIS);
			return;
		}
		add_character(out, c);
	}
}

/* Hundredths of the font size: somewhat more than DejaVu Sans, which is wide. */
static int character_width(uint32_t c)
{
	if (c >= 0x1f000)
		return 150;
	if (c >= 0x1100)
		return c == ELLIPSIS ? 102 : 110;
	if (c >= 0x80)
		return 90;
	if (strchr("mMW@%", (int)c))
		return 104;
	if (strchr("ijl.,:;'| !I", (int)c))
		return 42;
	if (strchr("()[]frt-/\\\"", (int)c))
		return 48;
	if (c >= 'A' && c <= 'Z')
		return 82;
	return c == '+' || c == '=' || c == '#' || c == '<' || c == '>' || c == 'w' ? 86 : 66;
}

static int units(int hundredths, int font)
{
	return (hundredths * font + 99) / 100;
}

int maui_svg_text_width(const char *text, int font)
{
	int sum = 0;
	uint32_t c;

	for (int count = 0; count < LONGEST && (c = next_character(&text)); count++)
		sum += character_width(c);
	return units(sum, font);
}

/* ---- elements ---- */

void maui_svg_begin(struct maui_strbuf *out, const char *id, const char *title, const char *desc,
		    int height)
{
	maui_strbuf_addf(out,
			 "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"%s\" role=\"img\" "
			 "viewBox=\"0 0 %d %d\" font-size=\"%d\" "
			 "aria-labelledby=\"%s-title %s-desc\">\n<title id=\"%s-title\">",
			 id, MAUI_SVG_WIDTH, height, MAUI_SVG_FONT, id, id, id);
	maui_svg_escape(out, title);
	maui_strbuf_addf(out, "</title>\n<desc id=\"%s-desc\">", id);
	maui_svg_escape(out, desc);
	maui_strbuf_addf(out, "</desc>\n");
}

void maui_svg_end(struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "</svg>\n");
}

void maui_svg_group(struct maui_strbuf *out, const char *class, const char *id, const char *title)
{
	maui_strbuf_addf(out, "<g class=\"%s\" data-id=\"", class);
	maui_svg_escape(out, id);
	maui_strbuf_addf(out, "\"><title>");
	maui_svg_escape(out, title);
	maui_strbuf_addf(out, "</title>");
}

void maui_svg_group_end(struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "</g>\n");
}

void maui_svg_rect(struct maui_strbuf *out, struct maui_svg_box box)
{
	maui_strbuf_addf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", box.x, box.y,
			 box.width, box.height);
}

void maui_svg_line(struct maui_strbuf *out, const char *class, int x1, int y1, int x2, int y2)
{
	maui_strbuf_addf(out, "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
			 class, x1, y1, x2, y2);
}

/* ---- labels ---- */

static int text_x(struct maui_svg_box box, enum maui_svg_anchor anchor)
{
	return anchor == MAUI_SVG_START  ? PAD :
	       anchor == MAUI_SVG_MIDDLE ? box.width / 2 :
					   box.width - PAD;
}

/* Up to the text itself, clipped by an inner svg of the box's size. */
static void begin_text(struct maui_strbuf *out, struct maui_svg_box box, int font,
		       enum maui_svg_anchor anchor)
{
	static const char *const anchors[] = { "", " text-anchor=\"middle\"",
					       " text-anchor=\"end\"" };

	maui_strbuf_addf(out,
			 "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" overflow=\"hidden\">"
			 "<text x=\"%d\" y=\"%d\"%s",
			 box.x, box.y, box.width, box.height, text_x(box, anchor),
			 box.height / 2 + font * 7 / 20, anchors[anchor]);
	if (font != MAUI_SVG_FONT)
		maui_strbuf_addf(out, " font-size=\"%d\"", font);
	maui_strbuf_addf(out, ">");
}

static void end_text(struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "</text></svg>");
}

bool maui_svg_label(struct maui_strbuf *out, struct maui_svg_box box, int font,
		    enum maui_svg_anchor anchor, const char *const *texts)
{
	for (; *texts; texts++) {
		if (maui_svg_text_width(*texts, font) + 2 * PAD > box.width || font > box.height)
			continue;
		begin_text(out, box, font, anchor);
		maui_svg_escape(out, *texts);
		end_text(out);
		return true;
	}
	return false;
}

void maui_svg_name(struct maui_strbuf *out, struct maui_svg_box box, int font,
		   enum maui_svg_anchor anchor, const char *text)
{
	const char *const whole[] = { text, NULL };
	int room = (box.width - 2 * PAD) * 100 / font - character_width(ELLIPSIS);
	uint32_t c;

	if (maui_svg_label(out, box, font, anchor, whole))
		return;
	begin_text(out, box, font, anchor);
	while ((c = next_character(&text)) && (room -= character_width(c)) >= 0)
		add_character(out, c);
	add_character(out, ELLIPSIS);
	maui_strbuf_addf(out, "</text></svg>");
}

void maui_svg_legend(struct maui_strbuf *out, struct maui_svg_legend *legend, const char *class,
		     const char *text)
{
	enum { SQUARE = 20, HEIGHT = MAUI_SVG_LINE, GAP = 18 };
	int width = maui_svg_text_width(text, MAUI_SVG_SMALL) + 2 * PAD;

	if (width > legend->right - legend->left - SQUARE)
		width = legend->right - legend->left - SQUARE;
	if (legend->x > legend->left && legend->x + SQUARE + width > legend->right) {
		legend->x = legend->left;
		legend->y += HEIGHT;
	}
	maui_strbuf_addf(out, "<g class=\"%s\">", class);
	maui_svg_rect(out, (struct maui_svg_box){ legend->x, legend->y + 5, SQUARE, SQUARE });
	maui_strbuf_addf(out, "</g>");
	maui_svg_name(out, (struct maui_svg_box){ legend->x + SQUARE, legend->y, width, HEIGHT },
		      MAUI_SVG_SMALL, MAUI_SVG_START, text);
	maui_strbuf_addf(out, "\n");
	legend->x += SQUARE + width + GAP;
}
