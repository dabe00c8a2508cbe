/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strbuf.c - a growing text */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ALLOC 64

/* Reserves room for `extra` bytes and the NUL. False (and failed) without memory. */
static bool reserve(struct maui_strbuf *buf, size_t extra)
{
	size_t wanted = buf->alloc ? buf->alloc : FIRST_ALLOC;
	char *grown;

	if (extra > SIZE_MAX / 2 - buf->length - 1) {
		buf->failed = true;
		return false;
	}
	while (wanted < buf->length + extra + 1)
		wanted *= 2;
	if (wanted == buf->alloc)
		return true;
	grown = realloc(buf->text, wanted);
	if (!grown) {
		buf->failed = true;
		return false;
	}
	buf->text = grown;
	buf->alloc = wanted;
	return true;
}

void maui_strbuf_finish(struct maui_strbuf *buf)
{
	free(buf->text);
	*buf = (struct maui_strbuf){ 0 };
}

void maui_strbuf_clear(struct maui_strbuf *buf)
{
	buf->length = 0;
	buf->failed = false;
	if (buf->text)
		buf->text[0] = '\0';
}

void maui_strbuf_add(struct maui_strbuf *buf, const char *data, size_t length)
{
	if (!reserve(buf, length))
		return;
	if (length)
		memcpy(buf->text + buf->length, data, length);
	buf->length += length;
	buf->text[buf->length] = '\0';
}

void maui_strbuf_addf(struct maui_strbuf *buf, const char *fmt, ...)
{
	va_list args;
	int length;

	va_start(args, fmt);
	length = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (length < 0) {
		buf->failed = true;
		return;
	}
	if (!reserve(buf, (size_t)length))
		return;
	va_start(args, fmt);
	vsnprintf(buf->text + buf->length, (size_t)length + 1, fmt, args);
	va_end(args);
	buf->length += (size_t)length;
}

char *maui_strbuf_steal(struct maui_strbuf *buf)
{
	char *text;

	maui_strbuf_add(buf, NULL, 0);
	text = buf->text;
	if (buf->failed) {
		free(text);
		text = NULL;
	}
	*buf = (struct maui_strbuf){ 0 };
	return text;
}
