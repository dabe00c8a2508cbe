/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines.h - a text file line by line, gzipped or not */
#ifndef MAUI_BASE_LINES_H
#define MAUI_BASE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct maui_lines {
	const char *path;
	uint64_t number; /* of the line last read, from 1 */
	char *text;      /* that line, without its end; any bytes but NUL */
	size_t alloc;
	void *file;
};

/* -1: it cannot be opened. */
int maui_lines_open(struct maui_lines *lines, const char *path, struct maui_err *err);
/* 1: there is a line. 0: the end. -1: it cannot be read, or no memory. */
int maui_lines_next(struct maui_lines *lines, struct maui_err *err);
void maui_lines_close(struct maui_lines *lines);

#endif
