/* SPDX-License-Identifier: GPL-2.0-or-later */
/* masked.c - a stream that lets no control character through */

#include "base/masked.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"

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

static void mask_lines(char *text, size_t length, enum maui_display display)
{
	for (size_t i = 0; i < length; i++) {
		size_t from = i;

		while (i < length && text[i] != '\n' && text[i] != '\t')
			i++;
		maui_utf8_mask(text + from, i - from, display);
	}
}

/* Bytes at the end that begin a character and are not all of it. */
static size_t unfinished(const char *text, size_t length)
{
	for (size_t back = 1; back <= 3 && back <= length; back++) {
		unsigned char byte = (unsigned char)text[length - back];
		size_t needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;

		if (byte < 0x80 || byte >= 0xc0)
			return needed > back ? back : 0;
	}
	return 0;
}

/* A stream: what it writes to, how that is shown, and the beginning of a character that the next
 * write ends. */
struct masked {
	int fd;
	enum maui_display display;
	char kept[4];
	size_t kept_length;
	int error; /* of the first write that failed; stdio forgets it */
};

static ssize_t write_masked(void *cookie, const char *text, size_t length)
{
	struct masked *m = cookie;
	size_t all = m->kept_length + length;
	char *copy = malloc(all + 1);
	int rc = -1;

	if (copy) {
		memcpy(copy, m->kept, m->kept_length);
		memcpy(copy + m->kept_length, text, length);
		m->kept_length = unfinished(copy, all);
		all -= m->kept_length;
		memcpy(m->kept, copy + all, m->kept_length);
		mask_lines(copy, all, m->display);
		rc = write_all(m->fd, copy, all);
	}
	if (rc && !m->error)
		m->error = errno;
	free(copy);
	return rc ? 0 : (ssize_t)length; /* 0: an error */
}

static int close_masked(void *cookie)
{
	const struct masked *m = cookie;
	int rc = close(m->fd);

	if (m->error)
		errno = m->error;
	return m->error ? -1 : rc;
}

void maui_mask_stream(FILE **stream, int fd)
{
	const cookie_io_functions_t functions = { .write = write_masked, .close = close_masked };
	static struct masked outputs[2]; /* they last as long as the process */
	struct masked *cookie = &outputs[fd == STDERR_FILENO];
	FILE *masked = fopencookie(cookie, "w", functions);

	if (!masked)
		return;
	cookie->fd = fd;
	cookie->display = maui_terminal_display();
	fflush(*stream);
	/* by lines: a block would come after what stderr says later */
	setvbuf(masked, NULL, fd == STDERR_FILENO ? _IONBF : _IOLBF, 0);
	*stream = masked;
}
