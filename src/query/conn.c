/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conn.c - one connection: reads a line, has it answered, writes the answer, and again
 *
 * A request must be complete by a deadline that further bytes do not extend, so that a client that
 * sends one byte a second is no better off than a silent one. Of several requests in the buffer one
 * is answered a round, so that others have their turn.
 */
#include "query/server_private.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"

enum { READ_SIZE = 4096 };

struct maui_query_conn *maui_conn_create(int fd, const struct maui_query_peer *peer, uid_t payer,
					 uint64_t id, int64_t now_ms, int idle_ms)
{
	struct maui_query_conn *conn = calloc(1, sizeof(*conn));

	if (!conn)
		return NULL;
	conn->fd = fd;
	conn->id = id;
	conn->peer = *peer;
	conn->payer = payer;
	conn->born_ms = conn->silent_since_ms = now_ms;
	conn->deadline_ms = now_ms + idle_ms;
	return conn;
}

static void drop_answer(struct maui_query_server *server, struct maui_query_conn *conn)
{
	server->pending -= conn->out_length;
	free(conn->out);
	conn->out = NULL;
	conn->out_length = conn->out_sent = 0;
}

void maui_conn_destroy(struct maui_query_server *server, struct maui_query_conn *conn)
{
	if (conn->state == MAUI_CONN_WAITING || conn->state == MAUI_CONN_CLOSED) {
		pthread_mutex_lock(&server->lock);
		maui_changes_cancel(&server->changes, conn->id);
		pthread_mutex_unlock(&server->lock);
	}
	drop_answer(server, conn);
	close(conn->fd);
	free(conn->in);
	free(conn);
}

bool maui_conn_is_ready(const struct maui_query_conn *conn)
{
	return conn->state == MAUI_CONN_READING && conn->in_length > 0 &&
	       memchr(conn->in, '\n', conn->in_length);
}

/* The answer begins to be written; without memory the connection ends. */
static void set_answer(struct maui_query_server *server, struct maui_query_conn *conn, char *line,
		       size_t length, int64_t now_ms)
{
	conn->out = line;
	conn->out_length = line ? length : 0;
	conn->out_sent = 0;
	conn->reads_late = false;
	server->pending += conn->out_length;
	conn->state = line ? MAUI_CONN_WRITING : MAUI_CONN_CLOSED;
	conn->deadline_ms = now_ms + server->options.idle_ms;
}

static void set_error(struct maui_query_server *server, struct maui_query_conn *conn,
		      const struct maui_query_error *error, int64_t now_ms)
{
	size_t length = 0;
	char *line = maui_message_format_error(error, &length);

	set_answer(server, conn, line, length, now_ms);
}

/* Whether an answer of this length may wait to be read. */
static bool has_room(const struct maui_query_server *server, const struct maui_query_conn *conn,
		     size_t length)
{
	size_t of_user = 0;

	if (length <= MAUI_QUERY_SMALL_ANSWER)
		return true;
	for (unsigned i = 0; i < server->conn_count; i++)
		if (server->conns[i]->payer == conn->payer)
			of_user += server->conns[i]->out_length;
	return maui_query_has_share(conn->payer, server->options.max_pending,
				    server->pending + length, of_user, length);
}

void maui_conn_finish(struct maui_query_server *server, struct maui_query_conn *conn, char *line,
		      size_t length, int64_t now_ms)
{
	struct maui_query_error error;
	int rc = line ? maui_message_check_result(line, length, &error) :
			maui_query_no_memory(&error);

	if (rc == 0 && has_room(server, conn, length)) {
		set_answer(server, conn, line, length, now_ms);
		return;
	}
	if (rc == 0 && conn->state == MAUI_CONN_WAITING) /* BUSY would have the change made again */
		maui_query_fail(
			&error, MAUI_QUERY_ERROR,
			"the change was handled, but its answer is lost: too many are under way");
	else if (rc == 0)
		maui_query_fail(&error, MAUI_QUERY_BUSY,
				"too many answers are under way: try again");
	free(line);
	set_error(server, conn, &error, now_ms);
}

/* Whether the user can be answered; if not, asks for what is missing. */
static bool knows(const struct maui_query_server *server, const void *published, uid_t uid)
{
	const struct maui_query_options *o = &server->options;

	if (!o->service->knows || o->service->knows(published, uid))
		return true;
	if (o->look_up)
		o->look_up(uid, o->arg);
	return false;
}

/* A question: answered from what was published. */
static void answer(struct maui_query_server *server, struct maui_query_conn *conn,
		   const struct maui_query_verb *verb, json_object *args, int64_t now_ms)
{
	struct maui_query_error error = { .code = MAUI_QUERY_ERROR,
					  .err = { .text = "no answer" } };
	struct maui_query_call call = { .verb = verb, .peer = conn->peer, .args = args };
	const struct maui_query_service *service = server->options.service;
	void *published;
	json_object *result = NULL;
	size_t length = 0;
	char *line;

	pthread_mutex_lock(&server->lock);
	published = server->published;
	if (published)
		service->ref(published);
	pthread_mutex_unlock(&server->lock);
	call.published = published;
	if (published && !knows(server, published, conn->peer.uid))
		maui_query_unnamed(&error, conn->peer.uid);
	else if (published)
		result = verb->answer(&call, &error);
	else
		maui_query_unplanned(&error);
	line = result ? maui_message_format_result(result, &length) :
			maui_message_format_error(&error, &length);
	if (published)
		service->unref(published);
	maui_conn_finish(server, conn, line, length, now_ms);
}

static void queue(struct maui_query_server *server, struct maui_query_conn *conn,
		  const struct maui_query_verb *verb, json_object *args, int64_t now_ms)
{
	struct maui_query_change change = { .peer = conn->peer,
					    .verb = verb,
					    .args = json_object_get(args) };
	unsigned of_user = maui_query_is_ours(conn->peer.uid) ? 0 : server->options.max_per_user;
	struct maui_query_error error;
	int rc;

	pthread_mutex_lock(&server->lock);
	rc = maui_changes_add(&server->changes, &change, conn->id, conn->payer, of_user,
			      server->options.kept_free, &error);
	pthread_mutex_unlock(&server->lock);
	if (rc) {
		json_object_put(change.args);
		set_error(server, conn, &error, now_ms);
		return;
	}
	conn->state = MAUI_CONN_WAITING;
	conn->deadline_ms = now_ms + server->options.change_ms;
	if (server->options.wake)
		server->options.wake(server->options.arg);
}

static const struct maui_query_verb *find_verb(const struct maui_query_server *server,
					       const char *name)
{
	const struct maui_query_service *service = server->options.service;

	for (size_t i = 0; i < service->verb_count; i++)
		if (strcmp(service->verbs[i].name, name) == 0)
			return &service->verbs[i];
	return NULL;
}

bool maui_query_asks_change(const struct maui_query_server *server, const char *line, size_t length)
{
	const struct maui_query_verb *verb = NULL;
	struct maui_query_error error;
	json_object *args, *message = NULL;
	struct maui_err err;
	const char *name;

	if (length <= MAUI_QUERY_MAX_REQUEST)
		message = maui_message_parse(line, length, MAUI_MESSAGE_REQUEST, &err);
	if (message && maui_message_request(message, &name, &args, &error) == 0)
		verb = find_verb(server, name);
	json_object_put(message);
	return verb && !verb->answer;
}

/* One line without its end. */
static void serve(struct maui_query_server *server, struct maui_query_conn *conn, const char *line,
		  size_t length, int64_t now_ms)
{
	struct maui_query_error error;
	struct maui_err err;
	const struct maui_query_verb *verb;
	const char *name;
	json_object *args = NULL;
	json_object *message = maui_message_parse(line, length, MAUI_MESSAGE_REQUEST, &err);

	if (!message) {
		if (err.no_memory)
			maui_query_no_memory(&error);
		else
			maui_query_fail(&error, MAUI_QUERY_BAD, "not a request: %s", err.text);
		set_error(server, conn, &error, now_ms);
		return;
	}
	if (maui_message_request(message, &name, &args, &error) ||
	    (server->cluster && maui_message_cluster(message, server->cluster, &error))) {
		set_error(server, conn, &error, now_ms);
	} else if (!(verb = find_verb(server, name))) {
		maui_query_fail(&error, MAUI_QUERY_BAD, "no verb '%.64s' in this slurmctld", name);
		set_error(server, conn, &error, now_ms);
	} else if (verb->answer) {
		answer(server, conn, verb, args, now_ms);
	} else {
		queue(server, conn, verb, args, now_ms);
	}
	json_object_put(message);
}

static void serve_next(struct maui_query_server *server, struct maui_query_conn *conn,
		       int64_t now_ms)
{
	char *end = memchr(conn->in, '\n', conn->in_length);
	size_t length = (size_t)(end - conn->in), text = length;

	while (text > 0 && (conn->in[text - 1] == '\r' || conn->in[text - 1] == ' '))
		text--;
	serve(server, conn, conn->in, text, now_ms);
	conn->in_length -= length + 1;
	memmove(conn->in, end + 1, conn->in_length);
}

static void refuse_length(struct maui_query_server *server, struct maui_query_conn *conn,
			  int64_t now_ms)
{
	struct maui_query_error error;

	maui_query_fail(&error, MAUI_QUERY_BAD, "the request is longer than %u bytes",
			MAUI_QUERY_MAX_REQUEST);
	conn->closes = true;
	set_error(server, conn, &error, now_ms);
}

/* Room for another read; false: no memory. */
static bool make_room(struct maui_query_conn *conn)
{
	size_t wanted = conn->in_length + READ_SIZE;
	char *grown;

	if (wanted <= conn->in_alloc)
		return true;
	wanted = wanted < 2 * conn->in_alloc ? 2 * conn->in_alloc : wanted;
	grown = realloc(conn->in, wanted);
	if (!grown)
		return false;
	conn->in = grown;
	conn->in_alloc = wanted;
	return true;
}

static void read_some(struct maui_query_conn *conn)
{
	ssize_t got;

	if (!make_room(conn)) {
		conn->state = MAUI_CONN_CLOSED;
		return;
	}
	got = recv(conn->fd, conn->in + conn->in_length, READ_SIZE, MSG_DONTWAIT);
	if (got > 0)
		conn->in_length += (size_t)got;
	else if (got == 0 || (errno != EAGAIN && errno != EINTR))
		conn->state = MAUI_CONN_CLOSED;
}

static void write_some(struct maui_query_server *server, struct maui_query_conn *conn,
		       int64_t now_ms)
{
	ssize_t sent = send(conn->fd, conn->out + conn->out_sent, conn->out_length - conn->out_sent,
			    MSG_DONTWAIT | MSG_NOSIGNAL);

	if (sent < 0) {
		if (errno != EAGAIN && errno != EINTR)
			conn->state = MAUI_CONN_CLOSED;
		return;
	}
	conn->out_sent += (size_t)sent;
	conn->deadline_ms = now_ms + server->options.idle_ms;
	if (conn->out_sent < conn->out_length)
		return;
	drop_answer(server, conn);
	conn->answered = true;
	conn->silent_since_ms = now_ms;
	conn->state = conn->closes ? MAUI_CONN_CLOSED : MAUI_CONN_READING;
}

void maui_conn_work(struct maui_query_server *server, struct maui_query_conn *conn, short events,
		    int64_t now_ms)
{
	if (conn->state == MAUI_CONN_WAITING && (events & (POLLHUP | POLLERR)))
		conn->state = MAUI_CONN_CLOSED;
	if (conn->state == MAUI_CONN_READING && !maui_conn_is_ready(conn) &&
	    (events & (POLLIN | POLLHUP | POLLERR)))
		read_some(conn);
	if (maui_conn_is_ready(conn))
		serve_next(server, conn, now_ms);
	else if (conn->state == MAUI_CONN_READING && conn->in_length > MAUI_QUERY_MAX_REQUEST)
		refuse_length(server, conn, now_ms);
	if (conn->state == MAUI_CONN_WRITING)
		write_some(server, conn, now_ms);
}

/* The answer is tried once: the server never waits for a client that does not read. */
void maui_conn_expire(struct maui_query_server *server, struct maui_query_conn *conn,
		      int64_t now_ms)
{
	struct maui_query_error error;
	bool waiting;

	conn->closes = true;
	if (conn->state == MAUI_CONN_READING && conn->answered && conn->in_length == 0) {
		conn->state = MAUI_CONN_CLOSED; /* a client that has finished needs no error */
		return;
	}
	if (conn->state == MAUI_CONN_READING) {
		maui_query_fail(&error, MAUI_QUERY_BAD, "no whole request within %d s",
				server->options.idle_ms / 1000);
	} else if (conn->state == MAUI_CONN_WAITING) {
		pthread_mutex_lock(&server->lock);
		waiting = maui_changes_cancel(&server->changes, conn->id);
		pthread_mutex_unlock(&server->lock);
		maui_query_fail(
			&error, MAUI_QUERY_UNAVAILABLE,
			waiting ?
				"the scheduler did not handle the request within %d s: nothing was changed" :
				"the scheduler still handles the request after %d s: see showres for the result",
			server->options.change_ms / 1000);
	} else {
		conn->state = MAUI_CONN_CLOSED;
		return;
	}
	set_error(server, conn, &error, now_ms);
	if (conn->state == MAUI_CONN_WRITING)
		write_some(server, conn, now_ms);
	conn->state = MAUI_CONN_CLOSED;
}
