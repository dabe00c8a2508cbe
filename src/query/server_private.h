/* SPDX-License-Identifier: GPL-2.0-or-later */
/* server_private.h - the server's parts: socket, new clients, queue of changes, connections */
#ifndef MAUI_QUERY_SERVER_PRIVATE_H
#define MAUI_QUERY_SERVER_PRIVATE_H

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "base/limits.h"
#include "query/server.h"
#include "query/stream.h"

/* server.c: names the calling thread, and lets all other work of slurmctld go before its own */
void maui_query_begin_thread(const char *name);

/* welcome.c: sends BUSY with this text, in one attempt: the server never waits for a client
 * that does not read */
void maui_query_refuse(int fd, const char *why);
/* Serves the client from now on, or refuses it and closes its connection. */
void maui_query_welcome(struct maui_query_server *server, int fd,
			const struct maui_query_peer *peer, int64_t now_ms);
/* The same of a client of this host: the kernel says whose connection it is. */
void maui_query_welcome_local(struct maui_query_server *server, int fd, int64_t now_ms);

/* listen.c */
struct maui_query_listener {
	int fd; /* -1: none */
	char *path;
	uint64_t dev, ino; /* of the socket that we made: no other is removed */
};
/* Non-blocking, listening, mode 0666. -1 with err. */
int maui_query_listen(struct maui_query_listener *l, const char *path, struct maui_err *err);
void maui_query_unlisten(struct maui_query_listener *l);

/* changes.c: changes that wait, and changes whose answers are to be sent. */
struct maui_query_pending {
	struct maui_query_change change; /* first: the agent's pointer leads to this */
	uint64_t conn;                   /* who waits */
	uid_t payer;                     /* whose bounds it uses */
	struct maui_query_pending *next;
	char *line; /* the answer; NULL: not yet, or no memory for it */
	size_t length;
};

struct maui_query_changes {
	struct maui_query_pending *queue, *taken, *answered;
	unsigned count; /* of those that wait and those that were taken */
};

/* All under the server's lock. Takes args over; -1 with error (then they are not): too many changes
 * in all, or of this user; changes of clients that have gone count, too. `of_user` 0: no bound of
 * the user's own, and the places that are kept free (`kept_free`) may be used as well. */
int maui_changes_add(struct maui_query_changes *changes, const struct maui_query_change *change,
		     uint64_t conn, uid_t payer, unsigned of_user, unsigned kept_free,
		     struct maui_query_error *error);
struct maui_query_pending *maui_changes_take(struct maui_query_changes *changes);
/* A change that was taken has its answer. */
void maui_changes_answer(struct maui_query_changes *changes, struct maui_query_pending *pending);
/* Removes the change of this connection if it still waits; whether it did. */
bool maui_changes_cancel(struct maui_query_changes *changes, uint64_t conn);
void maui_changes_finish(struct maui_query_changes *changes);
void maui_pending_free(struct maui_query_pending *pending);

/* Connections that wait in the kernel until they are accepted. */
enum { MAUI_QUERY_BACKLOG = 128 };

enum maui_conn_state {
	MAUI_CONN_READING,
	MAUI_CONN_WAITING, /* for a change */
	MAUI_CONN_WRITING,
	MAUI_CONN_CLOSED,
};

struct maui_query_conn {
	int fd;
	uint64_t id;
	struct maui_query_peer peer;
	uid_t payer; /* whose bounds it uses: maui_query_payer() */
	enum maui_conn_state state;
	int64_t born_ms, deadline_ms;
	int64_t silent_since_ms; /* nothing was asked since */
	char *in;
	size_t in_length, in_alloc;
	char *out;
	size_t out_length, out_sent;
	bool closes;     /* after this answer */
	bool reads_late; /* this answer, so that others no longer wait for that */
	bool answered;   /* once, at least */
	uint64_t round;  /* of the server, in which it had its last turn */
};

/* A connection that the thread is to serve (maui_query_adopt()). */
struct maui_query_adopted {
	int fd;
	bool has_peer;
	struct maui_query_peer peer;
};

struct maui_query_server {
	struct maui_query_options options; /* with the limits that hold */
	char *cluster;                     /* NULL: any */
	struct maui_query_listener listener;
	int wake_fd;
	pthread_t thread;

	pthread_mutex_t lock; /* of what follows */
	bool stop;
	void *published; /* NULL: nothing yet */
	struct maui_query_changes changes;
	struct maui_query_adopted adopted[MAUI_QUERY_MAX_REMOTE];
	unsigned adopted_count;

	/* the thread's */
	struct maui_query_conn **conns;
	unsigned conn_count;
	uint64_t next_id;
	uint64_t round;         /* in which each user has one turn; from 0 */
	uint64_t round_last_id; /* connections with a greater id wait for the next round */
	unsigned next_turn;     /* index of the connection with which the round goes on */
	size_t pending;         /* bytes of answers that clients have not read yet */
	int64_t accept_from_ms; /* 0: now */
	int64_t logged_ms;      /* the last fault; 0: none yet */
};

/* Root and the user that slurmctld runs as: the bounds of users do not apply to them. */
static inline bool maui_query_is_ours(uid_t uid)
{
	return uid == 0 || uid == geteuid();
}

/* conn.c: whether the line asks for a change. */
bool maui_query_asks_change(const struct maui_query_server *server, const char *line,
			    size_t length);

/* bounds.c: the user whose bounds on connections, turns, bytes and changes the user uses:
 * MAUI_QUERY_NAMELESS for all ids without a name, MAUI_QUERY_NEWCOMER for those not looked up
 * yet. */
#define MAUI_QUERY_NAMELESS ((uid_t)-1)
#define MAUI_QUERY_NEWCOMER ((uid_t)-2)
uid_t maui_query_payer(const struct maui_query_server *server, uid_t uid);
/* The shares of `most` bytes for unread answers: one user has a quarter at most, but always one
 * answer (`others`, the bytes of the user's other ones, is 0 then); all users together leave a
 * quarter to root and SlurmUser. `own`: of the answer in hand; `all`: with everybody's. */
bool maui_query_has_share(uid_t uid, size_t most, size_t all, size_t others, size_t own);
/* A client that hangs up has still used its user's turn of this round. */
void maui_query_keep_turn(struct maui_query_server *server, const struct maui_query_conn *gone);

/* conn.c: one connection */
struct maui_query_conn *maui_conn_create(int fd, const struct maui_query_peer *peer, uid_t payer,
					 uint64_t id, int64_t now_ms, int idle_ms);
/* Closes it; what it still had to say is dropped. */
void maui_conn_destroy(struct maui_query_server *server, struct maui_query_conn *conn);
/* A whole request is in the buffer. */
bool maui_conn_is_ready(const struct maui_query_conn *conn);
/* Reads, answers, writes what is possible without waiting. `events` of poll(). */
void maui_conn_work(struct maui_query_server *server, struct maui_query_conn *conn, short events,
		    int64_t now_ms);
/* The answer to a change. Takes the line over. */
void maui_conn_finish(struct maui_query_server *server, struct maui_query_conn *conn, char *line,
		      size_t length, int64_t now_ms);
/* Its time is over. */
void maui_conn_expire(struct maui_query_server *server, struct maui_query_conn *conn,
		      int64_t now_ms);

#endif
