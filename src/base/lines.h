/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines.h - reads a text file line by line, gzipped or not */
#ifndef MAUI_BASE_LINES_H
#define MAUI_BASE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct maui_lines {
	const char *path;
	uint64_t number; /* of the last line, from 1 */
	char *text;      /* the last line without its newline; any bytes but NUL */
	size_t alloc;
	void *file;
};

/* -1: the file cannot be opened. */
int maui_lines_open(struct maui_lines *lines, const char *path, struct maui_err *err);
/* 1: a line was read. 0: end of the file. -1: read error, no memory, or a line of more than
 * MAUI_LINE_MAX_BYTES. */
int maui_lines_next(struct maui_lines *lines, struct maui_err *err);
/* -1 with the error of a line that is too long, the one after the last line. */
int maui_lines_too_long(const struct maui_lines *lines, struct maui_err *err);
void maui_lines_close(struct maui_lines *lines);

#endif
