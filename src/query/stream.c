/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.c - whole lines over a non-blocking socket, before a deadline */
#include "query/stream.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/monotonic.h"

enum {
	FIRST_SIZE = 4096,
	LARGE_SIZE = 1024 * 1024, /* a buffer that does not double any more */
};

bool maui_stream_wait(const struct maui_query_stream *s, short events)
{
	struct pollfd one = { .fd = s->fd, .events = events };

	for (;;) {
		int64_t left_ms = s->deadline_ms - maui_monotonic_ms();
		int rc = left_ms > 0 ? poll(&one, 1, (int)left_ms) : 0;

		if (rc > 0 || (rc < 0 && errno != EINTR))
			return true;
		if (rc == 0)
			return false;
	}
}

/* Makes place for more bytes and for a NUL behind them. */
static bool grow_buffer(struct maui_query_stream *s)
{
	size_t more = s->alloc ? s->alloc : FIRST_SIZE;
	char *grown;

	if (s->length + 1 < s->alloc)
		return true;
	if (more > LARGE_SIZE)
		more = s->alloc / 4;
	if (s->may_grow && !s->may_grow(s->context, more))
		return false;
	grown = realloc(s->buffer, s->alloc + more);
	if (!grown)
		return false;
	s->buffer = grown;
	s->alloc += more;
	return true;
}

/* false: the peer hung up. */
static bool receive(struct maui_query_stream *s)
{
	ssize_t got = recv(s->fd, s->buffer + s->length, s->alloc - s->length - 1, MSG_DONTWAIT);

	if (got < 0)
		return errno == EAGAIN || errno == EINTR;
	s->length += (size_t)got;
	return got > 0;
}

static void drop_used(struct maui_query_stream *s)
{
	if (s->used > 0 && s->length > s->used)
		memmove(s->buffer, s->buffer + s->used, s->length - s->used);
	s->length -= s->used;
	s->used = 0;
}

const char *maui_stream_read(struct maui_query_stream *s, size_t max, size_t *ret_length)
{
	size_t searched = 0;
	char *end = NULL;

	drop_used(s);
	for (;;) {
		if (s->length > searched)
			end = memchr(s->buffer + searched, '\n', s->length - searched);
		if (end || s->length > max)
			break;
		searched = s->length;
		if (!grow_buffer(s) || !maui_stream_wait(s, POLLIN) || !receive(s))
			return NULL;
	}
	if (!end || (size_t)(end - s->buffer) > max)
		return NULL;
	*end = '\0';
	*ret_length = (size_t)(end - s->buffer);
	s->used = *ret_length + 1;
	return s->buffer;
}

bool maui_stream_send(struct maui_query_stream *s, const char *data, size_t length)
{
	while (length > 0) {
		ssize_t sent;

		if (!maui_stream_wait(s, POLLOUT))
			return false;
		sent = send(s->fd, data, length, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && errno != EAGAIN && errno != EINTR)
			return false;
		data += sent > 0 ? sent : 0;
		length -= sent > 0 ? (size_t)sent : 0;
	}
	return true;
}

void maui_stream_close(struct maui_query_stream *s)
{
	free(s->buffer);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct maui_query_stream){ .fd = -1 };
}
