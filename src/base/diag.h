/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diag.h - all that is to be said about a text file, with positions
 *
 * Parsers never stop at the first fault: they add here and go on.
 * Printed as GNU does, so that editors jump: "maui.cfg:42:9: error: ...".
 *
 * Rules: CFG-8.
 */
#ifndef MAUI_BASE_DIAG_H
#define MAUI_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum maui_severity {
	MAUI_NOTE,    /* worth knowing */
	MAUI_WARNING, /* the daemon goes on, ignoring it */
	MAUI_ERROR,   /* the file is not accepted */
	MAUI_SEVERITY_COUNT
};

struct maui_diag {
	enum maui_severity severity;
	const char *file; /* owned by the list */
	uint32_t line;    /* from 1; 0 = the file as a whole */
	uint32_t column;  /* from 1, in bytes; 0 = the line as a whole */
	char *text;       /* without position and severity; printable ASCII or UTF-8 only */
};

struct maui_diags {
	struct maui_diag *list;
	size_t count;                     /* kept: at most MAUI_DIAG_MAX */
	size_t seen[MAUI_SEVERITY_COUNT]; /* all, kept or not */
	size_t kept[MAUI_SEVERITY_COUNT]; /* in the list */
	size_t alloc;
	char **files; /* interned names */
	size_t file_count;
};

/* A zeroed struct is an empty list. */
void maui_diags_finish(struct maui_diags *diags);

/* Adds one. `file` is copied (NULL: no file). Bytes of the text that are control characters or no
 * UTF-8 become '?', a text of MAUI_DIAG_MAX_TEXT bytes or more ends in "...". When the list is
 * full, a graver entry takes the place of the latest of the least grave, others are only counted.
 * Never fails: without memory the entry is only counted. */
void maui_diags_add(struct maui_diags *diags, enum maui_severity severity, const char *file,
		    uint32_t line, uint32_t column, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

/* Whether another of this severity would be kept, not counted alone: what it takes long to say need
 * not be said otherwise. */
bool maui_diags_keep(const struct maui_diags *diags, enum maui_severity severity);

/* Stable order by file (in order of first appearance), line, column. */
void maui_diags_sort(struct maui_diags *diags);

/* "file:line:col: severity: text", without the parts that are 0 or "", into buf (terminated unless
 * size is 0); returns the full length. */
size_t maui_diag_format(const struct maui_diag *diag, char *buf, size_t size);

const char *maui_severity_name(enum maui_severity severity);

#endif
