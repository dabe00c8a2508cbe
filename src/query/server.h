/* SPDX-License-Identifier: GPL-2.0-or-later */
/* server.h - answers commands on a Unix socket, in a thread of its own
 *
 * The server frames JSON lines and calls a verb's handler; it does not know what a verb is about.
 * It answers a question from the value that the agent published last, so no question takes a lock
 * of slurmctld's or waits for a cycle. It queues a change, up to a bound, until the agent takes it;
 * it sends the answer when the agent has made the change, or gives up after a while.
 *
 * The kernel says who asks (SO_PEERCRED), so anybody may connect: the socket has mode 0666 in
 * a directory of the server's user with mode 0755. Everything that a client can make grow has a
 * bound in base/limits.h; a client may send any bytes.
 *
 * Thread safety: publish, take, answer and finish may be called from any thread; start and stop by
 * one at a time.
 *
 * Rules: CMD-10.
 */
#ifndef MAUI_QUERY_SERVER_H
#define MAUI_QUERY_SERVER_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "query/message.h"

struct maui_query_server;

struct maui_query_peer {
	uid_t uid;
	gid_t gid;
	pid_t pid;
};

/* What is known of the name of a user's id. */
enum maui_query_naming { MAUI_QUERY_NAMED, MAUI_QUERY_WITHOUT_NAME, MAUI_QUERY_NOT_LOOKED_UP };

struct maui_query_verb;

/* What an answer is made of. */
struct maui_query_call {
	const struct maui_query_verb *verb;
	struct maui_query_peer peer;
	json_object *args;     /* NULL: none */
	const void *published; /* the service's value, never NULL */
};

/* The result, which the server takes over; NULL with error. Runs in the server's thread: must not
 * block. */
typedef json_object *(*maui_query_fn)(const struct maui_query_call *call,
				      struct maui_query_error *error);

struct maui_query_verb {
	const char *name;
	maui_query_fn answer; /* NULL: a change, which the agent makes; it decides who may */
	const void *own;      /* the service's, for `answer` */
};

/* What a server answers. */
struct maui_query_service {
	const struct maui_query_verb *verbs; /* in any order */
	size_t verb_count;
	/* References to the published value: the server holds one, and one more during an answer. */
	void (*ref)(void *published);
	void (*unref)(void *published);
	/* Whether the value has all that an answer to this user needs. If not, the user is asked
	 * to try again (MAUI_QUERY_BUSY). NULL: it always has. */
	bool (*knows)(const void *published, uid_t uid);
};

/* 0 of a number is the limit of base/limits.h. */
struct maui_query_options {
	const char *path;
	/* requests for another one are refused; copied; NULL: none is */
	const char *cluster;
	const struct maui_query_service *service; /* must stay */
	void (*wake)(void *arg);                  /* a change waits; from the server's thread */
	/* the value does not know a user who asks; from the server's thread */
	void (*look_up)(uid_t uid, void *arg);
	/* Whether the user's id has a name, as far as is known by now. Ids without a name have
	 * together the bounds of one user: who has subordinate ids may ask as any of them; ids that
	 * nobody has looked up yet have those of another. NULL: each has a name. Must not block;
	 * from any thread. */
	enum maui_query_naming (*naming)(uid_t uid, void *arg);
	/* logs a fault for the administrator; from the server's thread; NULL: no log */
	void (*log_fault)(const char *text, void *arg);
	void *arg;
	int idle_ms, silent_ms, life_ms, change_ms;
	unsigned max_connections, max_per_user, kept_free;
	size_t max_pending;
};

/* Binds and starts the thread. NULL with err: another process answers at the path, the directory
 * is not ours, ... */
struct maui_query_server *maui_query_start(const struct maui_query_options *options,
					   struct maui_err *err);
/* Closes every connection, removes the socket, ends the thread. Changes that were taken must have
 * been answered. NULL is fine. */
void maui_query_stop(struct maui_query_server *server);

/* Takes over the caller's reference. */
void maui_query_publish(struct maui_query_server *server, void *published);

/* A change that a client asks for. */
struct maui_query_change {
	struct maui_query_peer peer;
	const struct maui_query_verb *verb;
	json_object *args; /* NULL: none; the agent's alone once taken */
};

/* The change that waits longest, of root and SlurmUser before others, or NULL. The agent has to
 * answer it. */
struct maui_query_change *maui_query_take(struct maui_query_server *server);
/* Sends the result (taken over), or with NULL the error; frees the change. Sends nothing to a
 * client that has stopped waiting. */
void maui_query_answer(struct maui_query_server *server, struct maui_query_change *change,
		       json_object *result, const struct maui_query_error *error);
/* Whether a change waits. */
bool maui_query_has_changes(struct maui_query_server *server);

/* Serves a connection that exists already, as if it had been accepted. `peer` says whose it is;
 * NULL: the kernel does. Takes fd over; closes it when too many wait for the server's thread. */
void maui_query_adopt(struct maui_query_server *server, int fd, const struct maui_query_peer *peer);

#endif
