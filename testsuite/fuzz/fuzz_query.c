/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_query.c - any bytes on the query socket are answered by whole lines, or by hanging up
 *
 * The server's own connection code, without its thread, on the cluster that query-server shows.
 * Changes are made as an agent makes them, by an administrator and by a user in turn.
 */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../cmd/query-world.h"
#include "fuzz.h"
#include "query/server_private.h"
#include "answers/verbs.h"

static void answer_changes(struct maui_query_server *server, struct query_world *world,
			   struct maui_query_conn *conn)
{
	struct maui_query_pending *pending;
	unsigned count = 0;

	while ((pending = maui_changes_take(&server->changes))) {
		struct maui_query_error error = { 0 };
		json_object *result;

		pending->change.peer.uid = count++ % 2 ? geteuid() : 65534;
		result = query_world_change(world, &pending->change, &error);
		FUZZ_CHECK(result || (error.code != MAUI_QUERY_DONE && *error.err.text &&
				      !error.err.no_memory));
		pending->line = result ? maui_message_format_result(result, &pending->length) :
					 maui_message_format_error(&error, &pending->length);
		maui_conn_finish(server, conn, pending->line, pending->length, 0);
		pending->line = NULL;
		maui_pending_free(pending);
	}
}

/* Each line is an answer. */
static void check_answers(int fd)
{
	static char text[1 << 20];
	ssize_t got = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT);
	char *rest = text, *line;

	if (got <= 0)
		return;
	text[got] = '\0';
	FUZZ_CHECK(text[got - 1] == '\n');
	text[got - 1] = '\0';
	while ((line = strsep(&rest, "\n"))) {
		struct maui_query_error error = { 0 };
		json_object *result = NULL, *message = maui_message_parse(
						    line, strlen(line), MAUI_MESSAGE_ANSWER, NULL);

		FUZZ_CHECK(message);
		if (maui_message_answer(message, &result, &error))
			FUZZ_CHECK(error.code != MAUI_QUERY_DONE && *error.err.text &&
				   strcmp(error.err.text, "no memory") != 0);
		json_object_put(result);
		json_object_put(message);
	}
}

static void feed(struct maui_query_server *server, struct query_world *world,
		 struct maui_query_conn *conn, int fd, const uint8_t *data, size_t size)
{
	/* at most so many rounds as there may be lines, and one for each piece that is read */
	for (size_t round = 0; round < 2 * size + 8 && conn->state != MAUI_CONN_CLOSED; round++) {
		ssize_t sent = size ? send(fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL) : 0;

		data += sent > 0 ? sent : 0;
		size -= sent > 0 ? (size_t)sent : 0;
		if (size == 0)
			shutdown(fd, SHUT_WR);
		maui_conn_work(server, conn, POLLIN | POLLOUT, 0);
		answer_changes(server, world, conn);
		maui_conn_work(server, conn, POLLOUT, 0);
		check_answers(fd);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct maui_query_server server = {
		.options = { .service = &maui_answers,
			     .max_pending = 1 << 20,
			     .idle_ms = 1000,
			     .life_ms = 1000,
			     .change_ms = 1000 },
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	const struct maui_query_peer peer = { .uid = 65534 };
	struct query_world *world = query_world_create();
	struct maui_document *document;
	struct maui_query_conn *conn;
	int ends[2];

	FUZZ_CHECK(world && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	server.published = document = query_world_publish(world, false);
	conn = maui_conn_create(ends[1], &peer, peer.uid, 1, 0, 1000);
	FUZZ_CHECK(document && conn);
	/* bytes to Slurm, and no character */
	for (size_t i = 0; i < document->rsv_count; i++)
		document->rsvs[i].cred[MAUI_CRED_ACCOUNT] = "phys\xff";
	feed(&server, world, conn, ends[0], data, size);
	maui_conn_destroy(&server, conn);
	FUZZ_CHECK(server.pending == 0 && !server.changes.queue);
	close(ends[0]);
	maui_changes_finish(&server.changes);
	maui_document_unref(document);
	query_world_destroy(world);
	return 0;
}
