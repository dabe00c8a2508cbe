/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client.c - asks slurmctld over the query socket */
#include "query/client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/strbuf.h"
#include "query/path.h"

static int64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* false: time is over. */
static bool wait_for(int fd, short events, int64_t deadline_ms)
{
	struct pollfd one = { .fd = fd, .events = events };

	for (;;) {
		int64_t left_ms = deadline_ms - clock_ms();
		int rc = left_ms > 0 ? poll(&one, 1, (int)left_ms) : 0;

		if (rc > 0 || (rc < 0 && errno != EINTR))
			return true;
		if (rc == 0)
			return false;
	}
}

static int no_server(const char *path, struct maui_query_error *error)
{
	if (errno == EACCES)
		return maui_query_fail(
			error, MAUI_QUERY_UNAVAILABLE,
			"cannot reach slurmctld at %s: permission denied (an "
			"administrator may set QUERYSOCKET in maui.cfg to a directory "
			"that users can enter)",
			path);
	if (errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR)
		return maui_query_fail(
			error, MAUI_QUERY_UNAVAILABLE,
			"no answer at %s: slurmctld does not run on this host, or runs without sched/maui",
			path);
	return maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "cannot reach slurmctld at %s: %s",
			       path, strerror(errno));
}

static int dial(const char *path, int64_t deadline_ms, struct maui_query_error *error)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	if (strlen(path) > MAUI_QUERY_PATH_MAX)
		return maui_query_fail(
			error, MAUI_QUERY_UNAVAILABLE,
			"%.128s: a socket's path has at most %d bytes, this one has %zu", path,
			MAUI_QUERY_PATH_MAX, strlen(path));
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return no_server(path, error);
	/* a full backlog is EAGAIN at once: others wait as well */
	while (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
		if ((errno == EAGAIN || errno == EINTR) && clock_ms() < deadline_ms) {
			poll(NULL, 0, 20);
			continue;
		}
		no_server(path, error);
		close(fd);
		return -1;
	}
	return fd;
}

/* A server that hangs up meanwhile may have said why: not an error here. */
static bool send_all(int fd, const char *line, size_t length, int64_t deadline_ms)
{
	while (length > 0) {
		ssize_t sent;

		if (!wait_for(fd, POLLOUT, deadline_ms))
			return false;
		sent = send(fd, line, length, MSG_NOSIGNAL);
		if (sent < 0 && errno != EAGAIN && errno != EINTR)
			return true;
		line += sent > 0 ? sent : 0;
		length -= sent > 0 ? (size_t)sent : 0;
	}
	return true;
}

/* Reads up to a line's end. -1: none came. */
static int read_line(int fd, struct maui_strbuf *line, int64_t deadline_ms)
{
	char piece[16384];

	while (wait_for(fd, POLLIN, deadline_ms)) {
		ssize_t got = recv(fd, piece, sizeof(piece), 0);
		const char *end;

		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (got <= 0)
			return -1;
		end = memchr(piece, '\n', (size_t)got); /* what follows is no answer to us */
		maui_strbuf_add(line, piece, end ? (size_t)(end - piece) : (size_t)got);
		if (line->failed || line->length > MAUI_QUERY_MAX_ANSWER + 1)
			return -1;
		if (end)
			return 0;
	}
	return -1;
}

static json_object *understand(const struct maui_strbuf *line, struct maui_query_error *error)
{
	json_object *message, *result = NULL;
	struct maui_err err;

	message = maui_message_parse(line->text, line->length, MAUI_QUERY_MAX_DEPTH * 2, &err);
	if (!message) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "not an answer: %s", err.text);
		return NULL;
	}
	if (maui_message_answer(message, &result, error))
		result = NULL;
	json_object_put(message);
	return result;
}

json_object *maui_client_ask(const char *path, const char *verb, json_object *args,
			     struct maui_query_error *error)
{
	int64_t deadline_ms = clock_ms() + MAUI_QUERY_CLIENT_MS;
	struct maui_strbuf answer = { 0 };
	json_object *result = NULL;
	size_t length = 0;
	char *line = maui_message_format_request(verb, args, &length);
	int fd;

	if (!line) {
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
		return NULL;
	}
	fd = dial(path, deadline_ms, error);
	if (fd >= 0) {
		if (!send_all(fd, line, length, deadline_ms) || read_line(fd, &answer, deadline_ms))
			maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
					clock_ms() < deadline_ms ?
						"slurmctld hung up without an answer at %s" :
						"no answer in time from slurmctld at %s",
					path);
		else
			result = understand(&answer, error);
		close(fd);
	}
	maui_strbuf_finish(&answer);
	free(line);
	return result;
}
