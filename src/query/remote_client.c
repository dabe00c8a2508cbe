/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote_client.c - asks slurmctld on another host, for commands on login nodes
 *
 * The hosts are tried in turn until one takes the request; after that no other host is asked, since
 * a change might be made twice.
 */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/monotonic.h"
#include "query/client.h"
#include "query/stream.h"

enum { CONNECT_MS = 3000, RETRY_MS = 100 };

/* What one host answered. One that is not heard of is TOO_BUSY, too: where the backlog is full, its
 * kernel drops connections without a word, or keeps them. */
enum outcome { ASKED, NOT_REACHED, TOO_BUSY };

static int connect_to(const struct addrinfo *to, int64_t deadline_ms)
{
	struct maui_query_stream s = { .deadline_ms = maui_monotonic_ms() + CONNECT_MS };
	int fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int failure = ETIMEDOUT;
	socklen_t size = sizeof(failure);

	if (fd < 0)
		return -1;
	if (connect(fd, to->ai_addr, to->ai_addrlen) == 0)
		return fd;
	s.fd = fd;
	if (s.deadline_ms > deadline_ms)
		s.deadline_ms = deadline_ms;
	if (errno == EINPROGRESS && maui_stream_wait(&s, POLLOUT))
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &failure, &size);
	else if (errno != EINPROGRESS)
		failure = errno;
	if (failure == 0)
		return fd;
	close(fd);
	errno = failure;
	return -1;
}

int maui_client_connect(const struct addrinfo *addresses, int64_t deadline_ms)
{
	int fd = -1, failure = 0;

	for (; addresses && fd < 0; addresses = addresses->ai_next) {
		fd = connect_to(addresses, deadline_ms);
		if (fd < 0 && (failure == 0 || errno == ETIMEDOUT))
			failure = errno;
	}
	errno = failure;
	return fd;
}

/* -1 with error; *ret_dropped: nothing was heard of the host. */
static int dial(const char *host, uint16_t port, int64_t deadline_ms, bool *ret_dropped,
		struct maui_query_error *error)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	char service[8];
	int fd, rc;

	*ret_dropped = false;
	snprintf(service, sizeof(service), "%u", port);
	rc = getaddrinfo(host, service, &hints, &found);
	if (rc)
		return maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "%.128s: %s", host,
				       gai_strerror(rc));
	fd = maui_client_connect(found, deadline_ms);
	if (fd < 0) {
		*ret_dropped = errno == ETIMEDOUT;
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"cannot reach slurmctld at port %u of %.128s: %s", port, host,
				strerror(errno));
	}
	freeaddrinfo(found);
	return fd;
}

/* An error without a seal may come from any host: only its printable ASCII is shown, and it means
 * no more than that slurmctld is busy, or that the request failed. */
static void distrust(struct maui_query_error *error)
{
	for (char *at = error->err.text; *at; at++)
		if (*at < ' ' || *at > '~')
			*at = '?';
	if (error->code != MAUI_QUERY_BUSY)
		error->code = MAUI_QUERY_ERROR;
}

/* The request is on its way, and a host may have let it pass and kept the answer. A code that
 * commands repeat would have the change made again and again, and a user may do the same who reads
 * only that it failed. */
static void doubt_failure(struct maui_query_error *error)
{
	size_t length = strlen(error->err.text);

	error->code = MAUI_QUERY_ERROR;
	snprintf(error->err.text + length, sizeof(error->err.text) - length,
		 " (without a seal of slurmctld: the change may have been made)");
}

/* The text of a member in the next line; the caller frees it. NULL with error. */
static char *read_text(struct maui_query_stream *s, const char *key, struct maui_query_error *error)
{
	size_t length;
	const char *line = maui_stream_read(s, (size_t)2 * MAUI_QUERY_MAX_REQUEST, &length);
	struct maui_err err;
	json_object *message = NULL, *ignored = NULL;
	const char *text = NULL;
	char *copy = NULL;

	maui_query_fail(error, MAUI_QUERY_ERROR, "%s",
			line ? "slurmctld's answer is not understood" :
			       "slurmctld hung up, or did not answer in time");
	if (line)
		message = maui_message_parse(line, length, MAUI_MESSAGE_TEXT, &err);
	if (message && maui_message_text(message, key, &text, error) == 0 && text)
		copy = strdup(text);
	else if (message && maui_message_answer(message, &ignored, error) == 0)
		maui_query_fail(error, MAUI_QUERY_ERROR, "slurmctld sent no %s", key);
	if (!copy && message)
		distrust(error);
	json_object_put(ignored);
	json_object_put(message);
	return copy;
}

/* The line that slurmctld has sealed. NULL with error. */
static const char *read_sealed(struct maui_query_stream *s,
			       const struct maui_query_remote_hosts *hosts, const char *credential,
			       size_t *ret_length, struct maui_query_error *error)
{
	char *seal = read_text(s, "seal", error);
	const char *line;
	struct maui_err err;

	if (!seal)
		return NULL;
	line = maui_stream_read(s, MAUI_QUERY_MAX_ANSWER + 1, ret_length);
	if (!line) {
		maui_query_fail(error, MAUI_QUERY_ERROR, "slurmctld's answer ended too early");
	} else if (maui_answer_check(&hosts->auth, credential, seal, line, *ret_length,
				     hosts->server, &err)) {
		maui_query_fail(error, MAUI_QUERY_ERROR, "the answer is not slurmctld's: %s",
				err.text);
		line = NULL;
	}
	free(seal);
	return line;
}

static json_object *read_answer(struct maui_query_stream *s,
				const struct maui_query_remote_hosts *hosts, const char *credential,
				struct maui_query_error *error)
{
	size_t length = 0;
	const char *line = read_sealed(s, hosts, credential, &length, error);

	if (line)
		return maui_client_understand(line, length, error);
	if (hosts->is_change)
		doubt_failure(error);
	return NULL;
}

/* A controller that hangs takes connections, but sends no challenge: that is waited for as long as
 * leaves the other hosts, `others`, as much. */
static int64_t challenge_deadline(int64_t deadline_ms, size_t others)
{
	int64_t now_ms = maui_monotonic_ms();

	return deadline_ms > now_ms ? now_ms + (deadline_ms - now_ms) / (int64_t)(others + 1) :
				      deadline_ms;
}

static enum outcome ask_host(const struct maui_query_remote_hosts *hosts, size_t host,
			     const char *request, size_t length, int64_t deadline_ms,
			     json_object **ret_result, struct maui_query_error *error)
{
	struct maui_query_stream s = { .deadline_ms = challenge_deadline(deadline_ms,
									 hosts->count - host - 1) };
	char *challenge, *credential = NULL, *line = NULL;
	enum outcome outcome = NOT_REACHED;
	size_t size = 0;
	bool dropped;

	s.fd = dial(hosts->hosts[host], hosts->port, s.deadline_ms, &dropped, error);
	if (s.fd < 0)
		return dropped ? TOO_BUSY : NOT_REACHED;
	challenge = read_text(&s, "challenge", error);
	if (!challenge && (error->code == MAUI_QUERY_BUSY || maui_monotonic_ms() >= s.deadline_ms))
		outcome = TOO_BUSY;
	s.deadline_ms = deadline_ms;
	if (challenge) {
		outcome = ASKED;
		credential = maui_request_seal(&hosts->auth, challenge, request, length,
					       hosts->server, &error->err);
		error->code = MAUI_QUERY_ERROR;
	}
	if (credential)
		line = maui_message_format_text("credential", credential, &size);
	if (line && maui_stream_send(&s, line, size))
		*ret_result = read_answer(&s, hosts, credential, error);
	else if (credential)
		maui_query_fail(error, MAUI_QUERY_ERROR, "slurmctld hung up");
	free(line);
	free(credential);
	free(challenge);
	maui_stream_close(&s);
	return outcome;
}

json_object *maui_client_ask_remote(const struct maui_query_remote_hosts *hosts, const char *verb,
				    json_object *args, struct maui_query_error *error)
{
	int64_t deadline_ms = maui_monotonic_ms() + MAUI_QUERY_CLIENT_MS;
	size_t length = 0;
	char *request = maui_message_format_request(verb, args, hosts->cluster, &length);
	json_object *result = NULL;
	bool busy;

	if (!request) {
		maui_query_no_memory(error);
		return NULL;
	}
	do {
		busy = false;
		for (size_t i = 0; i < hosts->count; i++) {
			enum outcome outcome = ask_host(hosts, i, request, length - 1, deadline_ms,
							&result, error);

			if (outcome == ASKED)
				goto done;
			busy |= outcome == TOO_BUSY;
		}
		if (busy)
			poll(NULL, 0, RETRY_MS);
	} while (busy && maui_monotonic_ms() < deadline_ms);
	error->code = MAUI_QUERY_UNAVAILABLE;
done:
	free(request);
	return result;
}
