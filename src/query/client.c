/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client.c - asks slurmctld over the query socket */
#include "query/client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/monotonic.h"
#include "query/path.h"
#include "query/stream.h"

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
			"no answer at %s: slurmctld does not run on this host, or runs neither "
			"sched/maui nor a trial",
			path);
	return maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "cannot reach slurmctld at %s: %s",
			       path, strerror(errno));
}

bool maui_client_is_answered(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = -1, rc = -1;

	if (strlen(path) <= MAUI_QUERY_PATH_MAX) {
		strcpy(address.sun_path, path);
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	}
	if (fd >= 0) {
		rc = connect(fd, (struct sockaddr *)&address, sizeof(address));
		rc = rc == 0 || errno == EAGAIN ? 0 : -1; /* EAGAIN: many clients wait */
		close(fd);
	}
	return rc == 0;
}

/* A user who can write to the socket's directory could answer in slurmctld's name. */
static int check_server(int fd, const char *path, const uid_t *server,
			struct maui_query_error *error)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (!server)
		return 0;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
		return no_server(path, error);
	if (peer.uid == 0 || peer.uid == *server)
		return 0;
	return maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
			       "%s: user %u listens there, neither root nor SlurmUser (%u)", path,
			       (unsigned)peer.uid, (unsigned)*server);
}

/* Where the backlog is full, the kernel lets in those who wait for it in their order; a client that
 * looks now and then comes behind those who look more often. */
static int wait_to_connect(int fd, const struct sockaddr_un *address, int64_t deadline_ms)
{
	int rc;

	do {
		int64_t left_ms = deadline_ms - maui_monotonic_ms();
		struct timeval left = { .tv_sec = left_ms / 1000,
					.tv_usec = left_ms % 1000 * 1000 };

		errno = EAGAIN;
		if (left_ms <= 0 || setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &left, sizeof(left)))
			return -1;
		rc = connect(fd, (const struct sockaddr *)address, sizeof(*address));
	} while (rc && errno == EINTR);
	return rc;
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
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return no_server(path, error);
	if (wait_to_connect(fd, &address, deadline_ms) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0)
		return fd;
	no_server(path, error);
	close(fd);
	return -1;
}

json_object *maui_client_understand(const char *line, size_t length, struct maui_query_error *error)
{
	json_object *message, *result = NULL;
	struct maui_err err;

	message = maui_message_parse(line, length, MAUI_MESSAGE_ANSWER, &err);
	if (!message) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "not an answer: %s", err.text);
		return NULL;
	}
	if (maui_message_answer(message, &result, error))
		result = NULL;
	json_object_put(message);
	return result;
}

/* A server that hangs up before it has read the request may have said why: its line is read. */
static json_object *exchange(const char *path, struct maui_query_stream *s, const char *request,
			     size_t length, struct maui_query_error *error)
{
	const char *answer = NULL;
	size_t size = 0;

	if (maui_stream_send(s, request, length) || maui_monotonic_ms() < s->deadline_ms)
		answer = maui_stream_read(s, MAUI_QUERY_MAX_ANSWER + 1, &size);
	if (answer)
		return maui_client_understand(answer, size, error);
	maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
			maui_monotonic_ms() < s->deadline_ms ?
				"slurmctld hung up without an answer at %s" :
				"no answer in time from slurmctld at %s",
			path);
	return NULL;
}

json_object *maui_client_ask(const char *path, const uid_t *server, const char *verb,
			     json_object *args, struct maui_query_error *error)
{
	struct maui_query_stream s = { .deadline_ms = maui_monotonic_ms() + MAUI_QUERY_CLIENT_MS };
	json_object *result = NULL;
	size_t length = 0;
	char *line = maui_message_format_request(verb, args, NULL, &length);

	if (!line) {
		maui_query_no_memory(error);
		return NULL;
	}
	s.fd = dial(path, s.deadline_ms, error);
	if (s.fd >= 0 && check_server(s.fd, path, server, error) == 0)
		result = exchange(path, &s, line, length, error);
	maui_stream_close(&s);
	free(line);
	return result;
}
