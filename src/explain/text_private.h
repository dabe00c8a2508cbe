/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text_private.h - the parts of a line, for advice.c and text*.c only */
#ifndef MAUI_EXPLAIN_TEXT_PRIVATE_H
#define MAUI_EXPLAIN_TEXT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/moment.h"
#include "base/strbuf.h"
#include "explain/blocking_reservation.h"
#include "explain/explain.h"

enum { MAUI_TEXT_PREFERRED = 80 }; /* a line should not be longer than this */

/* A line being written. What does not fit is cut off. */
struct maui_text_line {
	char *text;
	size_t size, length;
};

void maui_text_append(struct maui_text_line *line, const char *form, ...)
	__attribute__((format(printf, 2, 3)));
/* Drops the last parts of the line, one by one, until it has at most MAUI_TEXT_PREFERRED
 * characters; at least so many stay. */
void maui_text_shorten(struct maui_text_line *line, size_t least);
/* "14:05", "22 Nov 14:05", "22 Nov 2027" in local time. */
void maui_text_moment(struct maui_text_line *line, int64_t now_s, int64_t when_s,
		      enum maui_moment_minutes minutes);
/* Writes `before` and the moment, not before which something happens, if the text gives moments and
 * there is room. */
void maui_text_when(struct maui_text_line *line, int64_t now_s, const char *before, int64_t when_s);

/* ": 22 Nov 2026 14:05:00" */
void maui_text_exact(struct maui_text_line *line, int64_t when_s);
/* Makes names of the site harmless: no character may break a line or a column. */
void maui_text_clean(char *text);
/* Adds the clean text as a line, unless it is empty. */
void maui_text_add(struct maui_strbuf *ret, char *text);
/* Adds a line with what the function appends to it, unless that is nothing. */
void maui_text_add_part(struct maui_strbuf *ret, const struct maui_explanation *e,
			void (*append)(struct maui_text_line *line,
				       const struct maui_explanation *e));
/* Writes "; starts about 14:05", unless the start is left to maui_explain_outlook(). */
void maui_text_start(struct maui_text_line *line, const struct maui_explanation *e);

/* Whether as many tasks of its array run as may (%N). */
bool maui_text_at_array_limit(const struct maui_explanation *e);
/* Appends what slurmctld knows of one of its own reasons; false: it is none, or nothing is
 * known. */
bool maui_text_known(struct maui_text_line *line, const struct maui_explanation *e,
		     const struct maui_block *block);

/* ---- text_resources.c ---- */

/* A reason of a job, and what else is known about the job. */
struct maui_text_reason {
	const struct maui_explanation *e;
	const struct maui_block *block;
};

/* The lines of these reasons. */
void maui_text_priority(struct maui_text_line *line, const struct maui_text_reason *reason);
void maui_text_resources(struct maui_text_line *line, const struct maui_text_reason *reason);
void maui_text_reserved(struct maui_text_line *line, const struct maui_text_reason *reason);
void maui_text_never(struct maui_text_line *line, const struct maui_text_reason *reason);
void maui_text_down(struct maui_text_line *line, const struct maui_text_reason *reason);
void maui_text_blocking(struct maui_text_line *line, const struct maui_text_reason *reason);
void maui_text_licences(struct maui_text_line *line, const struct maui_text_reason *reason);

/* The reason of this explanation in Slurm's terms: maui_explain_kind(). */
enum maui_reason maui_text_kind(enum maui_reason reason, const struct maui_explanation *e);
/* The number of nodes with this reason; 0 for reasons that are not of nodes. `nodes` NULL: 0. */
uint32_t maui_text_count(const struct maui_node_reasons *nodes, enum maui_reason reason);
/* "3 nodes lack memory", without the noun "3 lack memory". */
void maui_text_nodes(struct maui_text_line *line, const struct maui_node_reasons *nodes,
		     enum maui_reason reason, bool noun);

#endif
