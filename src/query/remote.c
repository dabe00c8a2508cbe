/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote.c - answers commands of other hosts over TCP, with MUNGE credentials both ways */
#include "query/remote.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/monotonic.h"
#include "base/thread.h"
#include "query/server_private.h"
#include "query/stream.h"

enum {
	STACK_BYTES = 256 * 1024,
	PAUSE_MS = 200,     /* without descriptors or threads; the most that the listener waits */
	ROOM_PAUSE_MS = 50, /* until there may be memory for an answer */
	/* of each connection: the buffers of the longest request and of a small answer */
	ALWAYS_BYTES = 8 * MAUI_QUERY_SMALL_ANSWER,
};

struct client {
	struct maui_query_remote *remote;
	struct maui_query_stream outside; /* to the client */
	struct maui_query_stream inside;  /* to the query server; fd -1: not yet */
	unsigned char address[16];
	int64_t born_ms;
	bool has_asked; /* its request is here */
	bool is_known;  /* MUNGE has named the user */
	bool is_evicted;
	uid_t uid, payer; /* payer: maui_query_payer() */
	gid_t gid;
	size_t held; /* bytes of both buffers */
	bool has_thread;
	pthread_t thread;
	struct client *next;
};

struct maui_query_remote {
	struct maui_remote_options options;
	char *munge_socket;
	int wake_fd;
	unsigned turn; /* of the addresses, so that none waits for the clients of another one */
	pthread_t thread;

	/* of what follows; of the clients' descriptors, users and bytes; of the open sockets */
	pthread_mutex_t lock;
	pthread_cond_t ended; /* a client's thread */
	struct client *clients;
	struct client *over; /* their threads end, or have ended */
	unsigned count;
	bool stop;
};

static void wake_listener(struct maui_query_remote *r)
{
	uint64_t one = 1;
	ssize_t rc = write(r->wake_fd, &one, sizeof(one));

	(void)rc; /* full: the thread wakes up anyway */
}

/* ---- one client ---- */

/* Whether the buffers of the client may take so many more bytes. Under the lock. */
static bool has_room(const struct client *client, size_t bytes)
{
	size_t all = bytes, of_user = 0;

	if (client->held + bytes <= ALWAYS_BYTES)
		return true;
	for (const struct client *other = client->remote->clients; other; other = other->next) {
		all += other->held;
		if (other != client && other->is_known && other->payer == client->payer)
			of_user += other->held;
	}
	/* before its credential is read a client has the uid of root */
	return client->is_known &&
	       maui_query_has_share(client->payer, MAUI_QUERY_MAX_PENDING, all,
				    of_user <= ALWAYS_BYTES ? 0 : of_user, client->held + bytes);
}

/* Waits for memory, because a request that was passed on may have changed something; but not longer
 * than the server lets its answer wait. */
static bool may_grow(void *context, size_t bytes)
{
	struct client *client = context;
	struct maui_query_remote *r = client->remote;
	int64_t until_ms = maui_monotonic_ms() + MAUI_QUERY_IDLE_MS;
	bool granted, stop;

	if (until_ms > client->outside.deadline_ms)
		until_ms = client->outside.deadline_ms;
	for (;;) {
		pthread_mutex_lock(&r->lock);
		stop = r->stop;
		granted = has_room(client, bytes);
		if (granted)
			client->held += bytes;
		pthread_mutex_unlock(&r->lock);
		if (granted || stop || maui_monotonic_ms() >= until_ms)
			return granted;
		poll(NULL, 0, ROOM_PAUSE_MS);
	}
}

/* Without a seal: for a client that did not prove who it is, or without munged. */
static void send_error(struct client *client, enum maui_query_code code, const char *text)
{
	struct maui_query_error error;
	size_t length;
	char *line;

	maui_query_fail(&error, code, "%s", text);
	line = maui_message_format_error(&error, &length);
	if (line)
		maui_stream_send(&client->outside, line, length);
	free(line);
}

static bool send_text(struct maui_query_stream *s, const char *key, const char *value)
{
	size_t length;
	char *line = maui_message_format_text(key, value, &length);
	bool sent = line && maui_stream_send(s, line, length);

	free(line);
	return sent;
}

/* What MUNGE has decoded. */
struct request {
	const char *credential; /* what it was decoded from */
	uid_t uid;
	gid_t gid;
	const char *text; /* the request itself */
	size_t length;
};

/* A line that only slurmctld can have written for this request. -1 with err: no seal. */
static int send_sealed(struct client *client, const struct request *request, const char *line,
		       size_t length, struct maui_err *err)
{
	char *seal = maui_answer_seal(&client->remote->options.auth, request->credential, line,
				      length, request->uid, err);

	if (!seal)
		return -1;
	if (send_text(&client->outside, "seal", seal) &&
	    maui_stream_send(&client->outside, line, length))
		maui_stream_send(&client->outside, "\n", 1);
	free(seal);
	return 0;
}

/* To a user who is known. BUSY has a seal only if a change was asked for: commands repeat a
 * question without one, and users could have munged seal as many refusals as they open
 * connections. */
static void refuse(struct client *client, const struct request *request, enum maui_query_code code,
		   const char *text)
{
	struct maui_query_error error;
	struct maui_err err;
	size_t length;
	char *line = NULL;

	maui_query_fail(&error, code, "%s", text);
	if (code != MAUI_QUERY_BUSY ||
	    maui_query_asks_change(client->remote->options.server, request->text, request->length))
		line = maui_message_format_error(&error, &length);
	if (!line || send_sealed(client, request, line, length - 1, &err))
		send_error(client, code, text);
	free(line);
}

/* Sends the challenge, reads the request's message. NULL: the connection ends. */
static json_object *read_request(struct client *client, const char *challenge)
{
	struct maui_err err;
	const char *line;
	size_t length;
	json_object *message;
	bool evicted;

	if (!send_text(&client->outside, "challenge", challenge))
		return NULL;
	line = maui_stream_read(&client->outside, (size_t)2 * MAUI_QUERY_MAX_REQUEST, &length);
	if (!line) {
		send_error(client, MAUI_QUERY_BAD, "no whole request in time");
		return NULL;
	}
	pthread_mutex_lock(&client->remote->lock);
	client->has_asked = true;
	evicted = client->is_evicted;
	pthread_mutex_unlock(&client->remote->lock);
	if (evicted) /* the client has been asked to try again */
		return NULL;
	message = maui_message_parse(line, length, MAUI_MESSAGE_TEXT, &err);
	if (!message)
		send_error(client, MAUI_QUERY_BAD, "the request is not a message");
	return message;
}

/* Whether the user has a connection left; notes whose the connection is. */
static bool admit_user(struct client *client, const struct request *request)
{
	struct maui_query_remote *r = client->remote;
	uid_t payer = maui_query_payer(r->options.server, request->uid);
	unsigned same = 0;

	pthread_mutex_lock(&r->lock);
	for (struct client *other = r->clients; other; other = other->next)
		same += other->is_known && other->payer == payer;
	if (same < MAUI_QUERY_MAX_PER_USER || maui_query_is_ours(request->uid)) {
		client->is_known = true;
		client->payer = payer;
		client->uid = request->uid;
		client->gid = request->gid;
	}
	pthread_mutex_unlock(&r->lock);
	return client->is_known;
}

/* A connection to the query server in the user's name. false: no descriptors. */
static bool connect_inside(struct client *client)
{
	struct maui_query_remote *r = client->remote;
	struct maui_query_peer peer = { .uid = client->uid, .gid = client->gid };
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair))
		return false;
	pthread_mutex_lock(&r->lock);
	client->inside.fd = pair[0];
	if (r->stop)
		shutdown(pair[0], SHUT_RDWR);
	pthread_mutex_unlock(&r->lock);
	client->inside.deadline_ms = client->outside.deadline_ms;
	client->inside.may_grow = may_grow;
	client->inside.context = client;
	maui_query_adopt(r->options.server, pair[1], &peer);
	return true;
}

/* Passes the request on and sends the sealed answer. */
static void answer(struct client *client, const struct request *request)
{
	const size_t length = request->length;
	const char *line = NULL;
	struct maui_err err;
	size_t size = 0;

	if (memchr(request->text, '\n', length) || length > MAUI_QUERY_MAX_REQUEST) {
		refuse(client, request, MAUI_QUERY_BAD,
		       "a request is one line, and not longer than 64 KiB");
		return;
	}
	if (!connect_inside(client)) {
		refuse(client, request, MAUI_QUERY_BUSY,
		       "slurmctld has too many requests under way: try again");
		return;
	}
	if (maui_stream_send(&client->inside, request->text, length) &&
	    maui_stream_send(&client->inside, "\n", 1))
		line = maui_stream_read(&client->inside, MAUI_QUERY_MAX_ANSWER + 1, &size);
	if (!line) { /* not BUSY: commands repeat what was BUSY, and a change would be made again */
		refuse(client, request, MAUI_QUERY_ERROR,
		       "slurmctld's answer is lost; a change may have been made");
		return;
	}
	if (send_sealed(client, request, line, size, &err))
		send_error(client, MAUI_QUERY_ERROR, err.text);
}

static void serve(struct client *client)
{
	const struct maui_remote_options *o = &client->remote->options;
	char challenge[MAUI_QUERY_CHALLENGE], *bytes = NULL;
	struct request request = { 0 };
	struct maui_query_error error;
	json_object *message = NULL;
	struct maui_err err;

	if (maui_query_challenge(challenge, &err) == 0)
		message = read_request(client, challenge);
	if (!message)
		return;
	if (maui_message_text(message, "credential", &request.credential, &error) ||
	    !request.credential)
		send_error(client, MAUI_QUERY_BAD, "the request has no credential");
	else if (!(bytes = maui_request_open(&o->auth, challenge, request.credential, &request.text,
					     &request.length, &request.uid, &request.gid, &err)))
		send_error(client, MAUI_QUERY_DENIED, err.text);
	else if (!admit_user(client, &request))
		refuse(client, &request, MAUI_QUERY_BUSY,
		       "too many connections of this user: try again");
	else {
		client->outside.deadline_ms = client->born_ms + o->life_ms;
		answer(client, &request);
	}
	free(bytes);
	json_object_put(message);
}

/* Removes the client from the list of served clients. reap() joins its thread. */
static void end_client(struct client *client)
{
	struct maui_query_remote *r = client->remote;
	struct client **at = &r->clients;

	pthread_mutex_lock(&r->lock);
	while (*at != client)
		at = &(*at)->next;
	*at = client->next;
	r->count--;
	maui_stream_close(&client->inside);
	maui_stream_close(&client->outside);
	client->next = r->over;
	r->over = client;
	wake_listener(r);
	pthread_cond_signal(&r->ended);
	pthread_mutex_unlock(&r->lock);
}

static void *client_main(void *arg)
{
	maui_query_begin_thread("maui_remote");
	serve(arg);
	end_client(arg);
	return NULL;
}

/* slurmctld unmaps this code behind maui_remote_stop(): no thread may be left in it. */
static void reap(struct maui_query_remote *r)
{
	struct client *over, *next;

	pthread_mutex_lock(&r->lock);
	over = r->over;
	r->over = NULL;
	pthread_mutex_unlock(&r->lock);
	for (; over; over = next) {
		next = over->next;
		if (over->has_thread)
			pthread_join(over->thread, NULL);
		free(over);
	}
}

/* ---- the listener ---- */

/* Of IPv6 the network: a host may have all addresses of its network. */
static void note_address(const struct sockaddr_storage *from, unsigned char *ret)
{
	const struct sockaddr_in6 *six = (const void *)from;

	if (from->ss_family == AF_INET6)
		memcpy(ret, &six->sin6_addr, IN6_IS_ADDR_V4MAPPED(&six->sin6_addr) ? 16 : 8);
	else
		memcpy(ret, &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
}

/* Connections of this address whose users are not known yet. */
static unsigned count_unknown(const struct maui_query_remote *r, const unsigned char *address)
{
	unsigned count = 0;

	for (const struct client *c = r->clients; c; c = c->next)
		count += !c->is_known && !c->is_evicted &&
			 memcmp(c->address, address, sizeof(c->address)) == 0;
	return count;
}

static bool start_thread(struct client *client)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	/* signals are blocked already */
	client->has_thread = pthread_create(&client->thread, &attr, client_main, client) == 0;
	pthread_attr_destroy(&attr);
	return client->has_thread;
}

/* Ends the oldest connection without a request, of this address (NULL: of any), if its time is
 * over. Returns 0 if it did, else the milliseconds until it may; -1: there is no such connection.
 * Under the lock. */
static int evict_unknown(struct maui_query_remote *r, const unsigned char *address)
{
	struct client *oldest = NULL;
	int64_t left_ms;

	for (struct client *c = r->clients; c; c = c->next) /* the newest first */
		if (!c->has_asked && !c->is_evicted &&
		    (!address || memcmp(c->address, address, sizeof(c->address)) == 0))
			oldest = c;
	if (!oldest)
		return -1;
	left_ms = oldest->born_ms + MAUI_QUERY_SILENT_MS - maui_monotonic_ms();
	if (left_ms > 0)
		return (int)left_ms;
	oldest->is_evicted = true;
	/* its thread may be reading there */
	maui_query_refuse(oldest->outside.fd, "too many connections of this host: try again");
	shutdown(oldest->outside.fd, SHUT_RDWR);
	return 0;
}

/* Begins to serve a connection, or closes it. */
static void add_client(struct maui_query_remote *r, int fd, const struct sockaddr_storage *from)
{
	struct client *client = calloc(1, sizeof(*client));
	bool turned_away;

	if (!client) {
		close(fd);
		return;
	}
	client->remote = r;
	client->born_ms = maui_monotonic_ms();
	client->inside.fd = -1;
	client->outside = (struct maui_query_stream){
		.fd = fd,
		.deadline_ms = client->born_ms + r->options.request_ms,
		.may_grow = may_grow,
		.context = client,
	};
	note_address(from, client->address);
	pthread_mutex_lock(&r->lock);
	turned_away = count_unknown(r, client->address) >= MAUI_QUERY_MAX_PER_ADDRESS &&
		      evict_unknown(r, client->address) != 0;
	client->next = r->clients;
	r->clients = client;
	r->count++;
	pthread_mutex_unlock(&r->lock);
	if (turned_away) {
		client->outside.deadline_ms =
			client->born_ms + PAUSE_MS; /* a new socket takes it at once */
		send_error(client, MAUI_QUERY_BUSY, "too many connections of this host: try again");
	}
	if (turned_away || !start_thread(client))
		end_client(client);
}

/* One client, for which there is a place. */
static void accept_from(struct maui_query_remote *r, int listener)
{
	struct sockaddr_storage from = { 0 };
	socklen_t size = sizeof(from);
	int fd = accept4(listener, (struct sockaddr *)&from, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd >= 0)
		add_client(r, fd, &from);
	else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
		poll(NULL, 0, PAUSE_MS);
}

/* false: stop. */
static bool accept_client(struct maui_query_remote *r)
{
	const struct maui_remote_sockets *sockets = &r->options.sockets;
	struct pollfd polls[1 + MAUI_REMOTE_MAX_ADDRESSES] = { { .fd = r->wake_fd,
								 .events = POLLIN } };
	nfds_t count = 1;
	uint64_t ignored;
	int wait_ms = -1;
	bool stop;

	reap(r);
	pthread_mutex_lock(&r->lock);
	stop = r->stop;
	if (r->count >= MAUI_QUERY_MAX_REMOTE) { /* the others wait in the backlog */
		wait_ms = evict_unknown(r, NULL);
		if (wait_ms == 0)
			wait_ms = PAUSE_MS; /* its thread ends */
	} else {
		for (unsigned i = 0; i < sockets->count; i++)
			polls[count++] = (struct pollfd){ sockets->fds[i], POLLIN, 0 };
	}
	pthread_mutex_unlock(&r->lock);
	if (stop)
		return false;
	if (poll(polls, count, wait_ms) < 0 && errno != EINTR)
		poll(NULL, 0, PAUSE_MS);
	if (polls[0].revents && read(r->wake_fd, &ignored, sizeof(ignored)) < 0)
		return true;
	for (nfds_t i = 1; i < count; i++) {
		const struct pollfd *next = &polls[1 + (r->turn + i) % (count - 1)];

		if (next->revents) {
			r->turn += (unsigned)i;
			accept_from(r, next->fd);
			break;
		}
	}
	return true;
}

static void *listener_main(void *arg)
{
	maui_query_begin_thread("maui_listener");
	while (accept_client(arg))
		;
	return NULL;
}

static void destroy(struct maui_query_remote *r)
{
	maui_remote_close_sockets(&r->options.sockets);
	if (r->wake_fd >= 0)
		close(r->wake_fd);
	pthread_cond_destroy(&r->ended);
	pthread_mutex_destroy(&r->lock);
	free(r->munge_socket);
	free(r);
}

struct maui_query_remote *maui_remote_start(const struct maui_remote_options *options,
					    struct maui_err *err)
{
	struct maui_query_remote *r = calloc(1, sizeof(*r));
	const char *socket = options->auth.socket ? options->auth.socket : "";
	struct maui_remote_sockets sockets = options->sockets;

	if (!r) {
		maui_remote_close_sockets(&sockets);
		maui_err_no_memory(err);
		return NULL;
	}
	r->options = *options;
	r->options.request_ms = options->request_ms ? options->request_ms : MAUI_QUERY_IDLE_MS;
	r->options.life_ms = options->life_ms ? options->life_ms : MAUI_QUERY_LIFE_MS;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->ended, NULL);
	r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r->munge_socket = strdup(socket);
	r->options.auth.socket = r->munge_socket;
	if (r->wake_fd >= 0 && r->munge_socket &&
	    maui_thread_start(&r->thread, listener_main, r) == 0)
		return r;
	maui_err_set(err, "no memory, descriptor or thread for the clients of other hosts");
	destroy(r);
	return NULL;
}

void maui_remote_add(struct maui_query_remote *r, const struct maui_remote_sockets *sockets)
{
	struct maui_remote_sockets *open = &r->options.sockets;

	pthread_mutex_lock(&r->lock);
	for (unsigned i = 0; i < sockets->count; i++) {
		open->addresses[open->count] = sockets->addresses[i];
		open->fds[open->count++] = sockets->fds[i];
	}
	pthread_mutex_unlock(&r->lock);
	wake_listener(r);
}

const struct maui_remote_sockets *maui_remote_open(const struct maui_query_remote *r)
{
	return &r->options.sockets;
}

void maui_remote_stop(struct maui_query_remote *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_mutex_unlock(&r->lock);
	wake_listener(r);
	pthread_join(r->thread, NULL);
	pthread_mutex_lock(&r->lock);
	for (struct client *client = r->clients; client; client = client->next) {
		shutdown(client->outside.fd, SHUT_RDWR);
		if (client->inside.fd >= 0)
			shutdown(client->inside.fd, SHUT_RDWR);
	}
	while (r->count > 0)
		pthread_cond_wait(&r->ended, &r->lock);
	pthread_mutex_unlock(&r->lock);
	reap(r);
	destroy(r);
}
