/* SPDX-License-Identifier: GPL-2.0-or-later */
/* err.h - one error text in the caller's memory
 *
 * A function that can fail returns -1 and fills the caller's `err`; it has no side effects then.
 * `err` may be NULL everywhere. Library code never logs, exits or aborts.
 */
#ifndef MAUI_BASE_ERR_H
#define MAUI_BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>

struct maui_err {
	char text[512];
	/* it is no fault of what was read or asked: the same may succeed later */
	bool no_memory;
};

/* Formats into err (may be NULL; cut at its size) and returns -1: `return maui_err_set(err, ...);`
 * errno is kept. */
int maui_err_set(struct maui_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* maui_err_set() with ": <strerror(errno)>" behind the text. A text that is too long is cut
 * before that. ENOMEM sets no_memory. */
int maui_err_errno(struct maui_err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* maui_err_set() with "no memory", or "WHAT: no memory", and no_memory. */
int maui_err_no_memory(struct maui_err *err);
int maui_err_no_memory_for(struct maui_err *err, const char *what);

#endif
