/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocks.c - the schedule of a report as block characters
 *
 * Each node becomes a text with a letter for each column: the most important kind of item that is
 * there. Nodes with the same text share a line.
 *
 * Rules: CMD-39.
 */

#include "chart/blocks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostrange.h"
#include "base/need.h"
#include "base/strbuf.h"
#include "chart/layout.h"
#include "chart/words.h"

enum {
	NAMES = 20, /* columns of names, at most */
	LEAST = 20, /* columns of time, at least */
	NOTHING = '~',
};

/* In the order of importance, which is that of the schedule's items. */
static const struct {
	const char *kind, *block, *ascii;
} kinds[] = {
	{ "running", "\u2588", "#" },   /* full block */
	{ "starting", "\u2588", "#" },  /* a job that runs in a moment */
	{ "suspended", "\u259a", "z" }, /* quadrants */
	{ "reserved", "\u2593", "=" },  /* dark shade */
	{ "down", "\u2573", "x" },      /* cross */
	{ "system", "\u256c", "X" },    /* double cross */
	{ "user", "\u2591", "u" },      /* light shade */
	{ "standing", "\u2592", ":" },  /* medium shade */
	{ "slurm", "\u2550", "%" },     /* double line */
	{ "held", "\u2022", "o" },      /* bullet */
	{ "free", "\u00b7", "." },      /* dot */
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

struct line {
	char *text;       /* a character for each column */
	size_t row;       /* the first row with this text */
	size_t row_count; /* how many rows have it */
	char *name;
};

struct chart {
	const struct maui_blocks_options *options;
	struct maui_layout layout;
	struct line *lines;
	size_t line_count;
	int columns, names; /* of time, of names */
	int64_t now_s;
};

static int kind_index(const char *kind)
{
	for (int i = 0; i < KINDS; i++)
		if (strcmp(kinds[i].kind, kind) == 0)
			return i;
	return KINDS - 1;
}

/* The columns of a text in UTF-8, as far as names of nodes have such. */
static int text_columns(const char *text)
{
	int count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

/* ---- lines ---- */

static void write_text(const struct chart *c, size_t row, char *text)
{
	memset(text, NOTHING, (size_t)c->columns);
	text[c->columns] = '\0';
	for (size_t i = c->layout.row_first[row]; i < c->layout.row_first[row + 1]; i++) {
		const struct maui_layout_box *box = &c->layout.boxes[i];
		const char *kind = box->item == MAUI_LAYOUT_SEVERAL ?
					   "running" :
					   c->layout.items[box->item].kind;
		char letter = (char)('A' + kind_index(kind));

		for (int x = box->from; x < box->until; x++)
			if (letter < text[x])
				text[x] = letter;
	}
}

/* The line with this text, or a new one. Rows are few: 200 at most. */
static void add_row(struct chart *c, size_t row)
{
	char *text = maui_need_list((size_t)c->columns + 1, 1);

	write_text(c, row, text);
	for (size_t i = 0; i < c->line_count; i++)
		if (strcmp(c->lines[i].text, text) == 0) {
			c->lines[i].row_count++;
			free(text);
			return;
		}
	c->lines[c->line_count++] = (struct line){ .text = text, .row = row, .row_count = 1 };
}

/* All nodes of the line: "n[1-4]". */
static void name_line(struct chart *c, struct line *line, char *scratch)
{
	const char **names = maui_need_list(line->row_count, sizeof(*names));
	size_t count = 0;

	for (size_t row = line->row; count < line->row_count && row < c->layout.row_count; row++) {
		write_text(c, row, scratch);
		if (strcmp(scratch, line->text) == 0)
			names[count++] = c->layout.rows[row].nodes;
	}
	line->name = maui_need(maui_hostrange_fold(names, count));
	free(names);
}

static void make_lines(struct chart *c)
{
	char *scratch = maui_need_list((size_t)c->columns + 1, 1);

	c->lines = maui_need_list(c->layout.row_count, sizeof(*c->lines));
	for (size_t row = 0; row < c->layout.row_count; row++)
		add_row(c, row);
	for (size_t i = 0; i < c->line_count; i++)
		name_line(c, &c->lines[i], scratch);
	free(scratch);
}

/* ---- text ---- */

static void add_name(struct maui_strbuf *out, const struct chart *c, const char *name)
{
	const char *dots = c->options->ascii ? "..." : "\u2026";
	int room = c->names, width = text_columns(name), shown = width;
	const char *end = name;

	if (width > room)
		shown = room - text_columns(dots);
	for (int i = 0; i < shown; i++)
		do
			end++;
		while (((unsigned char)*end & 0xc0) == 0x80);
	maui_strbuf_add(out, name, (size_t)(end - name));
	if (width > room)
		maui_strbuf_addf(out, "%s", dots);
	else
		room -= width;
	maui_strbuf_addf(out, "%*s ", width > c->names ? 0 : room, "");
}

static void add_times(struct maui_strbuf *out, const struct chart *c)
{
	struct maui_ticks ticks = maui_ticks_make(c->now_s, c->layout.horizon_s);
	char text[32];
	int at = 0;
	int64_t when_s;

	maui_strbuf_addf(out, "%*s", c->names + 1, "");
	while (maui_ticks_next(&ticks, &when_s, text, sizeof(text))) {
		int x = (int)((double)(when_s - c->now_s) / (double)c->layout.horizon_s *
			      c->columns);

		if (x < at || x + (int)strlen(text) > c->columns)
			continue;
		maui_strbuf_addf(out, "%*s%s", x - at, "", text);
		at = x + (int)strlen(text);
		maui_strbuf_addf(out, " ");
		at++;
	}
	while (out->length > 0 && out->text[out->length - 1] == ' ')
		out->text[--out->length] = '\0';
	maui_strbuf_addf(out, "\n");
}

static void add_line(struct maui_strbuf *out, const struct chart *c, const struct line *line)
{
	size_t length = strlen(line->text);

	while (length > 0 && line->text[length - 1] == NOTHING)
		length--;
	add_name(out, c, line->name);
	for (size_t i = 0; i < length; i++) {
		int kind = line->text[i] - 'A';

		maui_strbuf_addf(out, "%s",
				 line->text[i] == NOTHING ? " " :
				 c->options->ascii        ? kinds[kind].ascii :
							    kinds[kind].block);
	}
	while (length == 0 && out->text && out->text[out->length - 1] == ' ')
		out->text[--out->length] = '\0';
	maui_strbuf_addf(out, "\n");
}

static bool is_used(const struct chart *c, int kind)
{
	for (size_t i = 0; i < c->line_count; i++)
		if (strchr(c->lines[i].text, 'A' + kind))
			return true;
	return false;
}

/* What the characters mean, in lines of the width. */
static void add_legend(struct maui_strbuf *out, const struct chart *c)
{
	unsigned at = 0;

	for (int k = 0; k < KINDS; k++) {
		const char *words = maui_words_kind(kinds[k].kind);
		unsigned width = (unsigned)strlen(words) + 2;

		if (!is_used(c, k))
			continue;
		if (at > 0 && at + 3 + width > c->options->width)
			at = 0;
		maui_strbuf_addf(out, "%s%s %s",
				 at > 0      ? "   " :
				 out->length ? "\n" :
					       "",
				 c->options->ascii ? kinds[k].ascii : kinds[k].block, words);
		at += width + (at > 0 ? 3 : 0);
	}
	maui_strbuf_addf(out, "\n");
}

static void add_all(struct maui_strbuf *out, const struct chart *c)
{
	if (!c->options->bare)
		add_times(out, c);
	for (size_t i = 0; i < c->line_count; i++)
		add_line(out, c, &c->lines[i]);
	if (!c->options->bare)
		add_legend(out, c);
}

/* Names are as wide as the longest one, up to NAMES. Lines depend on how many columns of time
 * there are, so rows' own names decide. */
static int names_width(const struct maui_report_schedule *schedule)
{
	int width = 1;

	for (size_t i = 0; i < schedule->rows_count; i++) {
		int own = text_columns(schedule->rows[i].nodes);

		width = own > width ? own : width;
	}
	width += 6; /* a range of such names: n[01-04] */
	return width < NAMES ? width : NAMES;
}

char *maui_blocks_make(const struct maui_report *report, const struct maui_blocks_options *options)
{
	static const struct maui_report_schedule none;
	const struct maui_report_schedule *schedule = report->schedule ? report->schedule : &none;
	struct chart c = { .options = options,
			   .now_s = report->time,
			   .names = names_width(schedule) };
	struct maui_strbuf out = { 0 };

	c.columns = (int)options->width - c.names - 1;
	if (c.columns < LEAST)
		c.columns = LEAST;
	maui_layout_make(schedule, c.columns, &c.layout);
	make_lines(&c);
	if (c.line_count == 0)
		maui_strbuf_addf(&out, "no node is known yet\n");
	else
		add_all(&out, &c);
	for (size_t i = 0; i < c.line_count; i++) {
		free(c.lines[i].text);
		free(c.lines[i].name);
	}
	free(c.lines);
	maui_layout_finish(&c.layout);
	return maui_need(maui_strbuf_steal(&out));
}
