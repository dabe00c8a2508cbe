/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines.c - reads lines by zlib, which also reads plain files; without zlib plain files only */

#include "base/lines.h"

#include "maui_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

#ifdef MAUI_HAVE_ZLIB
#include <zlib.h>

static void *open_file(const char *path)
{
	gzFile file = gzopen(path, "rb");

	if (file)
		gzbuffer(file, 128 * 1024);
	return file;
}

/* Reads at most size - 1 bytes, not beyond the end of a line; NULL: none. */
static char *read_some(void *file, char *buf, int size)
{
	return gzgets(file, buf, size);
}

static int read_failed(void *file)
{
	int code;

	gzerror(file, &code);
	return code != Z_OK && code != Z_STREAM_END;
}

static void close_file(void *file)
{
	gzclose_r(file);
}
#else
#include <stdio.h>

static void *open_file(const char *path)
{
	size_t length = strlen(path);

	if (length > 3 && strcmp(path + length - 3, ".gz") == 0) {
		errno = ENOTSUP; /* built without zlib */
		return NULL;
	}
	return fopen(path, "r");
}

static char *read_some(void *file, char *buf, int size)
{
	return fgets(buf, size, file);
}

static int read_failed(void *file)
{
	return ferror(file);
}

static void close_file(void *file)
{
	fclose(file);
}
#endif

int maui_lines_open(struct maui_lines *lines, const char *path, struct maui_err *err)
{
	errno = ENOMEM; /* zlib leaves errno alone when it has no memory */
	*lines = (struct maui_lines){ .path = path, .file = open_file(path) };
	return lines->file ? 0 : maui_err_errno(err, "%s", path);
}

static int make_room(struct maui_lines *lines, size_t length)
{
	size_t wanted = lines->alloc ? lines->alloc : 4096;
	char *grown;

	if (lines->alloc - length > 1)
		return 0;
	while (wanted - length <= 1)
		wanted *= 2;
	grown = realloc(lines->text, wanted);
	if (!grown)
		return -1;
	lines->text = grown;
	lines->alloc = wanted;
	return 0;
}

int maui_lines_too_long(const struct maui_lines *lines, struct maui_err *err)
{
	return maui_err_set(err, "%s:%llu: the line is longer than %u bytes", lines->path,
			    (unsigned long long)lines->number + 1, MAUI_LINE_MAX_BYTES);
}

int maui_lines_next(struct maui_lines *lines, struct maui_err *err)
{
	size_t length = 0;

	for (;;) {
		if (length > MAUI_LINE_MAX_BYTES)
			return maui_lines_too_long(lines, err);
		if (make_room(lines, length))
			return maui_err_no_memory_for(err, lines->path);
		errno = 0;
		if (!read_some(lines->file, lines->text + length, (int)(lines->alloc - length)))
			break;
		length += strlen(lines->text + length);
		if (length > 0 && lines->text[length - 1] == '\n')
			break;
		if (lines->alloc - length > 1)
			break; /* a NUL byte, or the end without a newline */
	}
	if (read_failed(lines->file) && errno)
		return maui_err_errno(err, "%s", lines->path);
	if (read_failed(lines->file))
		return maui_err_set(err, "%s: damaged after line %llu", lines->path,
				    (unsigned long long)lines->number);
	if (length == 0)
		return 0;
	while (length > 0 && strchr("\r\n", lines->text[length - 1]))
		length--;
	lines->text[length] = '\0';
	lines->number++;
	return 1;
}

void maui_lines_close(struct maui_lines *lines)
{
	if (lines->file)
		close_file(lines->file);
	free(lines->text);
	*lines = (struct maui_lines){ 0 };
}
