/* SPDX-License-Identifier: GPL-2.0-or-later */
/* masked.c - a stream that lets no control character through */

#include "cmd/masked.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

static int write_all(int fd, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t put = write(fd, text, length);

		if (put < 0 && errno != EINTR)
			return -1;
		if (put > 0) {
			text += put;
			length -= (size_t)put;
		}
	}
	return 0;
}

static void mask_lines(char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		size_t from = i;

		while (i < length && text[i] != '\n' && text[i] != '\t')
			i++;
		maui_utf8_mask(text + from, i - from);
	}
}

static ssize_t write_masked(void *fd, const char *text, size_t length)
{
	char *copy = malloc(length + 1);
	int rc = -1;

	if (copy) {
		memcpy(copy, text, length);
		mask_lines(copy, length);
		rc = write_all((int)(intptr_t)fd, copy, length);
	}
	free(copy);
	return rc ? 0 : (ssize_t)length; /* 0: an error */
}

static int close_fd(void *fd)
{
	return close((int)(intptr_t)fd);
}

void maui_cmd_mask(FILE **stream, int fd)
{
	const cookie_io_functions_t functions = { .write = write_masked, .close = close_fd };
	FILE *masked = fopencookie((void *)(intptr_t)fd, "w", functions);

	if (!masked)
		return;
	fflush(*stream);
	/* by lines: a block would end within a character, and come after what stderr says later */
	setvbuf(masked, NULL, fd == STDERR_FILENO ? _IONBF : _IOLBF, 0);
	*stream = masked;
}
