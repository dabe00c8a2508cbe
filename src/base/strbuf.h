/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strbuf.h - a growing text
 *
 * When an append finds no memory, it sets `failed` and leaves the text unchanged. The caller checks
 * `failed` once at the end.
 */
#ifndef MAUI_BASE_STRBUF_H
#define MAUI_BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

struct maui_strbuf {
	char *text; /* terminated once anything was appended; NULL before */
	size_t length;
	size_t alloc;
	bool failed;
};

void maui_strbuf_finish(struct maui_strbuf *buf);
void maui_strbuf_clear(struct maui_strbuf *buf); /* keeps the memory */
void maui_strbuf_add(struct maui_strbuf *buf, const char *data, size_t length);
void maui_strbuf_addf(struct maui_strbuf *buf, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Returns the text, which the caller frees (NULL only when memory failed); the buffer is empty
 * afterwards. */
char *maui_strbuf_steal(struct maui_strbuf *buf);

#endif
