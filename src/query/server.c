/* SPDX-License-Identifier: GPL-2.0-or-later */
/* server.c - the thread: one poll() for the socket, for wake-ups from other threads, and for all
 * connections */
#include "query/server_private.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/monotonic.h"
#include "base/thread.h"

enum {
	/* Then connected clients are served, even in a storm of new ones. All that the kernel
	 * queues, so that root waits in it for one round. */
	ACCEPT_ROUND = MAUI_QUERY_BACKLOG,
	ACCEPT_PAUSE_MS = 500, /* without descriptors or memory */
	LOG_EVERY_MS = 3600000,
	TURNS_MS = 20, /* of others, until root is looked for */
	/* so many clients of root and SlurmUser at once have so long to read an answer before others
	 * are answered again */
	READ_FIRST = 8,
	READ_FIRST_MS = 100,
	FIXED_POLLS = 2,
	NICE = 19,
};

static void wake(struct maui_query_server *server)
{
	uint64_t one = 1;
	ssize_t rc = write(server->wake_fd, &one, sizeof(one));

	(void)rc; /* full: it will wake anyway */
}

static void log_fault(struct maui_query_server *server, const char *text, int64_t now_ms)
{
	if (!server->options.log_fault ||
	    (server->logged_ms != 0 && now_ms - server->logged_ms < LOG_EVERY_MS))
		return;
	server->logged_ms = now_ms;
	server->options.log_fault(text, server->options.arg);
}

/* ---- new clients ---- */

static void accept_some(struct maui_query_server *server, int64_t now_ms)
{
	char text[128];

	for (int i = 0; i < ACCEPT_ROUND; i++) {
		int fd = accept4(server->listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0) {
			maui_query_welcome_local(server, fd, now_ms);
			continue;
		}
		if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
			return;
		snprintf(text, sizeof(text), "the query socket takes no connection: %s",
			 strerror(errno));
		server->accept_from_ms = now_ms + ACCEPT_PAUSE_MS;
		log_fault(server, text, now_ms);
		return;
	}
}

/* ---- requests of other threads ---- */

static struct maui_query_conn *find_waiting(struct maui_query_server *server, uint64_t id)
{
	for (unsigned i = 0; i < server->conn_count; i++)
		if (server->conns[i]->id == id && server->conns[i]->state == MAUI_CONN_WAITING)
			return server->conns[i];
	return NULL;
}

static void send_answers(struct maui_query_server *server, struct maui_query_pending *answered,
			 int64_t now_ms)
{
	while (answered) {
		struct maui_query_pending *next = answered->next;
		struct maui_query_conn *conn = find_waiting(server, answered->conn);

		if (conn) {
			maui_conn_finish(server, conn, answered->line, answered->length, now_ms);
			answered->line = NULL;
			maui_conn_work(server, conn, 0, now_ms);
		}
		maui_pending_free(answered);
		answered = next;
	}
}

/* false: stop. */
static bool look_at_wishes(struct maui_query_server *server, int64_t now_ms)
{
	struct maui_query_adopted adopted[MAUI_QUERY_MAX_REMOTE];
	struct maui_query_pending *answered;
	unsigned adopted_count;
	uint64_t count;
	bool stop;

	if (read(server->wake_fd, &count, sizeof(count)) < 0)
		count = 0; /* no wake-up: one more look does no harm */
	pthread_mutex_lock(&server->lock);
	stop = server->stop;
	answered = server->changes.answered;
	server->changes.answered = NULL;
	adopted_count = server->adopted_count;
	memcpy(adopted, server->adopted, sizeof(adopted));
	server->adopted_count = 0;
	pthread_mutex_unlock(&server->lock);
	send_answers(server, answered, now_ms);
	for (unsigned i = 0; i < adopted_count; i++)
		if (adopted[i].has_peer)
			maui_query_welcome(server, adopted[i].fd, &adopted[i].peer, now_ms);
		else
			maui_query_welcome_local(server, adopted[i].fd, now_ms);
	return !stop;
}

/* ---- the loop ---- */

static int64_t ends_at(const struct maui_query_server *server, const struct maui_query_conn *conn)
{
	int64_t life_ms = conn->born_ms + server->options.life_ms;

	/* a client that waits for a change gets its answer, by a deadline of its own */
	if (conn->state == MAUI_CONN_WAITING)
		return conn->deadline_ms;
	return conn->deadline_ms < life_ms ? conn->deadline_ms : life_ms;
}

static void drop_closed(struct maui_query_server *server, int64_t now_ms)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < server->conn_count; i++) {
		struct maui_query_conn *conn = server->conns[i];

		if (conn->state != MAUI_CONN_CLOSED && now_ms >= ends_at(server, conn))
			maui_conn_expire(server, conn, now_ms);
		if (conn->state == MAUI_CONN_CLOSED)
			maui_query_keep_turn(server, conn);
	}
	for (unsigned i = 0; i < server->conn_count; i++) {
		struct maui_query_conn *conn = server->conns[i];

		if (conn->state == MAUI_CONN_CLOSED)
			maui_conn_destroy(server, conn);
		else
			server->conns[kept++] = conn;
	}
	server->conn_count = kept;
}

/* Fills the list; returns how long poll() may wait. */
static int prepare(struct maui_query_server *server, struct pollfd *polls, int64_t now_ms)
{
	int64_t until_ms = now_ms + 60000;
	bool pauses = server->accept_from_ms > now_ms;

	polls[0] = (struct pollfd){ .fd = server->wake_fd, .events = POLLIN };
	polls[1] = (struct pollfd){ .fd = pauses ? -1 : server->listener.fd, .events = POLLIN };
	if (pauses && server->accept_from_ms < until_ms)
		until_ms = server->accept_from_ms;
	for (unsigned i = 0; i < server->conn_count; i++) {
		const struct maui_query_conn *conn = server->conns[i];
		int64_t end_ms = ends_at(server, conn);

		polls[FIXED_POLLS + i] = (struct pollfd){
			.fd = conn->fd,
			.events = conn->state == MAUI_CONN_READING ? POLLIN :
				  conn->state == MAUI_CONN_WRITING ? POLLOUT :
								     0,
		};
		if (maui_conn_is_ready(conn))
			until_ms = now_ms;
		else if (end_ms < until_ms)
			until_ms = end_ms;
	}
	return until_ms > now_ms ? (int)(until_ms - now_ms) : 0;
}

/* An answer may take a second, and a user may have many connections. */
static bool had_turn(const struct maui_query_server *server, uid_t payer)
{
	for (unsigned i = 0; i < server->conn_count; i++)
		if (server->conns[i]->round == server->round && server->conns[i]->payer == payer)
			return true;
	return false;
}

static bool is_due(const struct maui_query_server *server, const struct pollfd *polls, unsigned i)
{
	return polls[FIXED_POLLS + i].revents || maui_conn_is_ready(server->conns[i]);
}

/* A client of root or SlurmUser that has not read its answer yet, and has time to. */
static bool reads_first(const struct maui_query_conn *conn)
{
	return maui_query_is_ours(conn->peer.uid) && conn->state == MAUI_CONN_WRITING &&
	       !conn->reads_late;
}

static unsigned list_first(const struct maui_query_server *server, struct pollfd *polls,
			   struct maui_query_conn **conns)
{
	unsigned count = 0;

	for (unsigned i = 0; i < server->conn_count && count < READ_FIRST; i++)
		if (reads_first(server->conns[i])) {
			conns[count] = server->conns[i];
			polls[count] = (struct pollfd){ .fd = conns[count]->fd, .events = POLLOUT };
			count++;
		}
	return count;
}

/* A socket takes a small part of a long answer at once. Root and SlurmUser need not wait for an
 * answer to others before each part, as long as their clients go on reading. */
static void write_ours(struct maui_query_server *server)
{
	struct maui_query_conn *conns[READ_FIRST];
	struct pollfd polls[READ_FIRST];
	int64_t now_ms = maui_monotonic_ms(), until_ms = now_ms + READ_FIRST_MS;
	unsigned count;

	while ((count = list_first(server, polls, conns)) > 0 && now_ms < until_ms &&
	       poll(polls, count, (int)(until_ms - now_ms)) > 0) {
		now_ms = maui_monotonic_ms();
		for (unsigned i = 0; i < count; i++)
			if (polls[i].revents)
				maui_conn_work(server, conns[i], polls[i].revents, now_ms);
	}
	for (unsigned i = 0; i < count; i++)
		conns[i]->reads_late = true;
}

/* Root and SlurmUser wait only for the client that is being answered. */
static void work_for_ours(struct maui_query_server *server, const struct pollfd *polls,
			  unsigned count, int64_t now_ms)
{
	for (unsigned i = 0; i < count; i++)
		if (is_due(server, polls, i) && maui_query_is_ours(server->conns[i]->peer.uid))
			maui_conn_work(server, server->conns[i], polls[FIXED_POLLS + i].revents,
				       now_ms);
	write_ours(server);
}

/* Other users take turns, one in each round; later requests wait for the next round. After TURNS_MS
 * the round is interrupted to serve root, and goes on with the users that had no turn yet. */
static void work_for_others(struct maui_query_server *server, const struct pollfd *polls,
			    unsigned count, int64_t now_ms)
{
	for (unsigned k = 0; k < count; k++) {
		unsigned i = (server->next_turn + k) % count;
		struct maui_query_conn *conn = server->conns[i];

		if (!is_due(server, polls, i) || maui_query_is_ours(conn->peer.uid) ||
		    conn->id > server->round_last_id || had_turn(server, conn->payer))
			continue;
		conn->round = server->round;
		maui_conn_work(server, conn, polls[FIXED_POLLS + i].revents, now_ms);
		if (maui_monotonic_ms() - now_ms > TURNS_MS) {
			server->next_turn = i + 1;
			return;
		}
	}
	server->round++;
	server->round_last_id = server->next_id;
	server->next_turn = (unsigned)server->round;
}

static void work(struct maui_query_server *server, const struct pollfd *polls, unsigned count,
		 int64_t now_ms)
{
	work_for_ours(server, polls, count, now_ms);
	work_for_others(server, polls, count, now_ms);
}

/* Reads what clients sent while an answer was made, before their deadlines are checked. Returns the
 * time. */
static int64_t give_back_time(struct maui_query_server *server, int64_t since_ms)
{
	int64_t now_ms = maui_monotonic_ms();

	for (unsigned i = 0; i < server->conn_count; i++)
		server->conns[i]->deadline_ms += now_ms - since_ms;
	return now_ms;
}

static void loop(struct maui_query_server *server, struct pollfd *polls)
{
	bool runs = true;

	while (runs) {
		unsigned count = server->conn_count;
		int timeout = prepare(server, polls, maui_monotonic_ms());
		int rc = poll(polls, FIXED_POLLS + count, timeout);
		int64_t now_ms = maui_monotonic_ms();

		if (rc < 0) {
			if (errno != EINTR)
				poll(NULL, 0, ACCEPT_PAUSE_MS); /* no memory: do not spin */
			continue;
		}
		work(server, polls, count, now_ms);
		now_ms = give_back_time(server, now_ms);
		if (polls[0].revents)
			runs = look_at_wishes(server, now_ms);
		if (polls[1].revents)
			accept_some(server, now_ms);
		drop_closed(server, now_ms);
	}
}

void maui_query_begin_thread(const char *name)
{
	prctl(PR_SET_NAME, name, 0, 0, 0);
	/* 0 is this thread: Linux has a priority for each */
	if (setpriority(PRIO_PROCESS, 0, NICE) != 0)
		errno = 0; /* answers then compete with slurmctld's work */
}

static void *thread_main(void *arg)
{
	struct maui_query_server *server = arg;
	struct pollfd *polls;

	maui_query_begin_thread("maui_query");
	polls = calloc(FIXED_POLLS + server->options.max_connections, sizeof(*polls));
	if (polls)
		loop(server, polls);
	else
		log_fault(server, "no memory for the query socket: no command is answered",
			  maui_monotonic_ms());
	free(polls);
	return NULL;
}

/* ---- the interface ---- */

static void set_defaults(struct maui_query_options *o)
{
	o->idle_ms = o->idle_ms ? o->idle_ms : MAUI_QUERY_IDLE_MS;
	o->silent_ms = o->silent_ms ? o->silent_ms : MAUI_QUERY_SILENT_MS;
	o->life_ms = o->life_ms ? o->life_ms : MAUI_QUERY_LIFE_MS;
	o->change_ms = o->change_ms ? o->change_ms : MAUI_QUERY_CHANGE_MS;
	o->max_connections = o->max_connections ? o->max_connections : MAUI_QUERY_MAX_CONNECTIONS;
	o->max_per_user = o->max_per_user ? o->max_per_user : MAUI_QUERY_MAX_PER_USER;
	o->kept_free = o->kept_free ? o->kept_free : MAUI_QUERY_KEPT_FREE;
	o->max_pending = o->max_pending ? o->max_pending : MAUI_QUERY_MAX_PENDING;
}

static void destroy(struct maui_query_server *server)
{
	for (unsigned i = 0; i < server->conn_count; i++)
		maui_conn_destroy(server, server->conns[i]);
	for (unsigned i = 0; i < server->adopted_count; i++)
		close(server->adopted[i].fd);
	maui_query_unlisten(&server->listener);
	if (server->wake_fd >= 0)
		close(server->wake_fd);
	maui_changes_finish(&server->changes);
	if (server->published)
		server->options.service->unref(server->published);
	pthread_mutex_destroy(&server->lock);
	free(server->conns);
	free(server->cluster);
	free(server);
}

struct maui_query_server *maui_query_start(const struct maui_query_options *options,
					   struct maui_err *err)
{
	struct maui_query_server *server = calloc(1, sizeof(*server));

	if (!server) {
		maui_err_no_memory(err);
		return NULL;
	}
	server->options = *options;
	server->listener.fd = -1;
	set_defaults(&server->options);
	server->cluster = options->cluster ? strdup(options->cluster) : NULL;
	pthread_mutex_init(&server->lock, NULL);
	server->conns = calloc(server->options.max_connections, sizeof(struct maui_query_conn *));
	server->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!server->conns || server->wake_fd < 0 || (options->cluster && !server->cluster))
		maui_err_errno(err, "no memory or descriptor for the query socket");
	else if (options->path && maui_query_listen(&server->listener, options->path, err))
		;
	else if (maui_thread_start(&server->thread, thread_main, server))
		maui_err_set(err, "no thread for the query socket");
	else
		return server;
	destroy(server);
	return NULL;
}

void maui_query_stop(struct maui_query_server *server)
{
	if (!server)
		return;
	pthread_mutex_lock(&server->lock);
	server->stop = true;
	pthread_mutex_unlock(&server->lock);
	wake(server);
	pthread_join(server->thread, NULL);
	destroy(server);
}

void maui_query_publish(struct maui_query_server *server, void *published)
{
	void *old;

	pthread_mutex_lock(&server->lock);
	old = server->published;
	server->published = published;
	pthread_mutex_unlock(&server->lock);
	if (old)
		server->options.service->unref(old);
}

struct maui_query_change *maui_query_take(struct maui_query_server *server)
{
	struct maui_query_pending *pending;

	pthread_mutex_lock(&server->lock);
	pending = maui_changes_take(&server->changes);
	pthread_mutex_unlock(&server->lock);
	return pending ? &pending->change : NULL;
}

bool maui_query_has_changes(struct maui_query_server *server)
{
	bool has;

	pthread_mutex_lock(&server->lock);
	has = server->changes.queue;
	pthread_mutex_unlock(&server->lock);
	return has;
}

void maui_query_answer(struct maui_query_server *server, struct maui_query_change *change,
		       json_object *result, const struct maui_query_error *error)
{
	struct maui_query_pending *pending = (struct maui_query_pending *)change;

	pending->line = result ? maui_message_format_result(result, &pending->length) :
				 maui_message_format_error(error, &pending->length);
	pthread_mutex_lock(&server->lock);
	maui_changes_answer(&server->changes, pending);
	pthread_mutex_unlock(&server->lock);
	wake(server);
}

void maui_query_adopt(struct maui_query_server *server, int fd, const struct maui_query_peer *peer)
{
	bool room;

	pthread_mutex_lock(&server->lock);
	room = server->adopted_count < sizeof(server->adopted) / sizeof(server->adopted[0]);
	if (room)
		server->adopted[server->adopted_count++] = (struct maui_query_adopted){
			.fd = fd,
			.has_peer = peer,
			.peer = peer ? *peer : (struct maui_query_peer){ 0 },
		};
	pthread_mutex_unlock(&server->lock);
	if (!room)
		close(fd);
	wake(server);
}
