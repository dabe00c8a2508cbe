/* SPDX-License-Identifier: GPL-2.0-or-later */
/* welcome.c - which new clients the server takes: bounds of each user, and of all together */
#include "query/server_private.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

void maui_query_refuse(int fd, const char *why)
{
	struct maui_query_error error;
	size_t length;
	char *line;

	maui_query_fail(&error, MAUI_QUERY_BUSY, "%s", why);
	line = maui_message_format_error(&error, &length);
	if (line && send(fd, line, length, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		errno = 0;
	free(line);
}

static void turn_away(int fd, const char *why)
{
	maui_query_refuse(fd, why);
	close(fd);
}

/* Whether the client has sent no whole request for options.silent_ms, and nothing of it waits to be
 * read. */
static bool is_silent(const struct maui_query_server *server, const struct maui_query_conn *conn,
		      int64_t now_ms)
{
	int bytes = 0;

	return conn->state == MAUI_CONN_READING && !maui_conn_is_ready(conn) &&
	       now_ms - conn->silent_since_ms >= server->options.silent_ms &&
	       ioctl(conn->fd, FIONREAD, &bytes) == 0 && bytes == 0;
}

/* When all places are taken, the client that has been silent for longest loses its place, unless it
 * is root's or SlurmUser's. */
static bool make_room(struct maui_query_server *server, int64_t now_ms)
{
	unsigned oldest = server->conn_count;

	for (unsigned i = 0; i < server->conn_count; i++) {
		const struct maui_query_conn *conn = server->conns[i];

		if (!maui_query_is_ours(conn->peer.uid) && is_silent(server, conn, now_ms) &&
		    (oldest == server->conn_count ||
		     conn->silent_since_ms < server->conns[oldest]->silent_since_ms))
			oldest = i;
	}
	if (oldest == server->conn_count)
		return false;
	maui_query_refuse(server->conns[oldest]->fd, "too many connections: try again");
	maui_query_keep_turn(server, server->conns[oldest]);
	maui_conn_destroy(server, server->conns[oldest]);
	server->conns[oldest] = server->conns[--server->conn_count];
	return true;
}

/* NULL: the client is accepted; else why not. */
static const char *unwelcome(struct maui_query_server *server, uid_t payer, int64_t now_ms)
{
	const struct maui_query_options *o = &server->options;
	bool ours = maui_query_is_ours(payer);
	unsigned same = 0;

	for (unsigned i = 0; i < server->conn_count && !ours; i++)
		same += server->conns[i]->payer == payer;
	if (same >= o->max_per_user)
		return payer == MAUI_QUERY_NEWCOMER ?
			       "too many connections of users whose names are not known yet: try again" :
		       payer == MAUI_QUERY_NAMELESS ?
			       "too many connections of users without a name: try again" :
			       "too many connections of this user: try again";
	if (server->conn_count + (ours ? 0 : o->kept_free) >= o->max_connections &&
	    !make_room(server, now_ms))
		return "too many connections: try again";
	return NULL;
}

void maui_query_welcome(struct maui_query_server *server, int fd,
			const struct maui_query_peer *peer, int64_t now_ms)
{
	uid_t payer = maui_query_payer(server, peer->uid);
	const char *why = unwelcome(server, payer, now_ms);
	struct maui_query_conn *conn;

	if (why) {
		turn_away(fd, why);
		return;
	}
	conn = maui_conn_create(fd, peer, payer, ++server->next_id, now_ms,
				server->options.idle_ms);
	if (conn)
		server->conns[server->conn_count++] = conn;
	else
		close(fd);
}

void maui_query_welcome_local(struct maui_query_server *server, int fd, int64_t now_ms)
{
	struct ucred cred = { 0 };
	socklen_t size = sizeof(cred);
	struct maui_query_peer peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size) != 0 || size != sizeof(cred)) {
		close(fd);
		return;
	}
	peer = (struct maui_query_peer){ cred.uid, cred.gid, cred.pid };
	maui_query_welcome(server, fd, &peer, now_ms);
}
