/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.h - whole lines over a non-blocking socket, before a deadline
 *
 * The two ends that may wait use it: commands, and the threads that serve login nodes (remote.c).
 */
#ifndef MAUI_QUERY_STREAM_H
#define MAUI_QUERY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maui_query_stream {
	int fd;
	int64_t deadline_ms; /* of maui_monotonic_ms() */
	/* asked before the buffer grows by so many bytes; false: it must not. NULL: no bound */
	bool (*may_grow)(void *context, size_t bytes);
	void *context;
	char *buffer;
	size_t length, alloc;
	size_t used; /* bytes of the line that the last call returned, with its end */
};

/* Waits for poll()'s `events`. false: the deadline passed. */
bool maui_stream_wait(const struct maui_query_stream *s, short events);

/* Returns the next line without its end, valid until the next call; its bytes are followed by a
 * NUL. NULL: the peer hung up, the deadline passed, the line is longer than `max` bytes, or the
 * buffer may not grow. */
const char *maui_stream_read(struct maui_query_stream *s, size_t max, size_t *ret_length);

/* false: the deadline passed, or the peer hung up. */
bool maui_stream_send(struct maui_query_stream *s, const char *data, size_t length);

/* Frees the buffer and closes the socket. */
void maui_stream_close(struct maui_query_stream *s);

#endif
