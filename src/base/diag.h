/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diag.h - list of errors and warnings about a text file, with positions
 *
 * Parsers do not stop at the first fault: they add a diagnostic and continue. Diagnostics are
 * printed in GNU's form, so that editors jump to them: "maui.cfg:42:9: error: ...".
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
	MAUI_WARNING, /* the file is accepted without this setting */
	MAUI_ERROR,   /* the file is not accepted */
	MAUI_SEVERITY_COUNT
};

struct maui_diag {
	enum maui_severity severity;
	const char *file; /* owned by the list */
	uint32_t line;    /* from 1; 0 = the file as a whole */
	uint32_t column;  /* from 1, in bytes; 0 = the line as a whole */
	char *text;       /* without position and severity; printable ASCII or UTF-8 only */
	unsigned kind;    /* of the object that it is about, as of maui_diag_place; 0: none */
	char *name;       /* of that object; NULL: none */
};

/* A position in a file, and the object that a diagnostic there is about. */
struct maui_diag_place {
	const char *file; /* NULL: no file */
	uint32_t line, column;
	unsigned kind;    /* what the reader of the file calls it; 0: no object */
	const char *name; /* of the object */
};

struct maui_diags {
	struct maui_diag *list;
	size_t count;                     /* kept: at most MAUI_DIAG_MAX */
	size_t seen[MAUI_SEVERITY_COUNT]; /* all, kept or not */
	size_t kept[MAUI_SEVERITY_COUNT]; /* in the list */
	size_t alloc;
	char **files; /* interned names */
	size_t file_count;
	/* there was none for a diagnostic, or for what it is about: nothing is known of the text */
	bool no_memory;
};

/* A zeroed struct is an empty list. */
void maui_diags_finish(struct maui_diags *diags);

/* Adds a diagnostic. `file` is copied (NULL: no file). Control characters and bytes that are not
 * UTF-8 become '?'; a text of MAUI_DIAG_MAX_TEXT bytes or more ends in "...". When the list is
 * full, a graver diagnostic replaces the latest of the least grave ones, and others are only
 * counted. Never fails: without memory the diagnostic is only counted, and no_memory is set. */
void maui_diags_add(struct maui_diags *diags, enum maui_severity severity, const char *file,
		    uint32_t line, uint32_t column, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

/* The same with what it is about, which is copied. */
void maui_diags_add_at(struct maui_diags *diags, enum maui_severity severity,
		       const struct maui_diag_place *place, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Whether another diagnostic of this severity would be stored. If not, a caller can spare the
 * effort of finding it. */
bool maui_diags_keep(const struct maui_diags *diags, enum maui_severity severity);

/* Stable order by file (in order of first appearance), line, column. */
void maui_diags_sort(struct maui_diags *diags);

/* "file:line:col: severity: text", without the parts that are 0 or "", into buf (terminated unless
 * size is 0); returns the full length. */
size_t maui_diag_format(const struct maui_diag *diag, char *buf, size_t size);

/* A setting of maui.cfg that is left out is a warning, "..., ignoring"; in a command, which has
 * nothing else to put in force, it is an error. Returns the length of the text without these
 * words; 0: nothing is left out. */
size_t maui_diag_ignored(const struct maui_diag *diag);

#endif
