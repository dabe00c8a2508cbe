/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remote.h - answers commands of other hosts over TCP, with MUNGE credentials both ways
 *
 * A login node's command connects to a TCP port. A thread of its own serves each connection: it
 * sends a challenge, reads one request, has MUNGE tell whose it is, passes the request to the
 * query server over a socket pair, and sends the answer with a seal (credential.h). So munged, the
 * network and slow clients delay nobody but their own connection: the query server's thread and the
 * agent never wait for them.
 *
 * base/limits.h bounds connections (together, of one address, of one user), the bytes of a request,
 * the bytes that all answers buffer, and the time of each step. When all connections are taken,
 * further clients wait in the kernel's backlog.
 *
 * Rules: CMD-15.
 */
#ifndef MAUI_QUERY_REMOTE_H
#define MAUI_QUERY_REMOTE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h> /* for struct sockaddr_storage */

#include "base/limits.h"
#include "query/credential.h"
#include "query/server.h"

struct maui_query_remote;

enum { MAUI_REMOTE_ADDRESS_TEXT = 64 };

/* The sockets that listen, and the address of each. */
struct maui_remote_sockets {
	struct sockaddr_storage addresses[MAUI_REMOTE_MAX_ADDRESSES];
	int fds[MAUI_REMOTE_MAX_ADDRESSES];
	unsigned count;
};

struct maui_remote_options {
	struct maui_query_server *server;   /* must stay until maui_remote_stop() returns */
	struct maui_remote_sockets sockets; /* taken over */
	struct maui_query_auth auth;        /* its socket's name is copied */
	int request_ms, life_ms;            /* 0: as in base/limits.h */
};

/* The port of "...,maui_port=N,..." (SchedulerParameters; may be NULL); 0: none. -1 with err: N is
 * no port. */
int maui_remote_port(const char *parameters, uint16_t *ret, struct maui_err *err);

/* Listens at those addresses of a host that are not in `open` (may be NULL) yet. Looks the host up:
 * may wait for a name server. -1: not all addresses are open, try again later; `ret` has those that
 * were opened nevertheless. err says which are not and why. As long as any is open, addresses that
 * this machine does not have are no error (text ""): a virtual one may come with a takeover, and
 * one of IPv6 may be another machine's. */
int maui_remote_listen(const char *host, uint16_t port, const struct maui_remote_sockets *open,
		       struct maui_remote_sockets *ret, struct maui_err *err);
/* The same at the addresses of getaddrinfo(). */
struct addrinfo;
int maui_remote_listen_at(const struct addrinfo *addresses, const struct maui_remote_sockets *open,
			  struct maui_remote_sockets *ret, struct maui_err *err);
/* Whether only this machine reaches the sockets. */
bool maui_remote_is_local(const struct maui_remote_sockets *sockets);
/* "10.0.0.1", "fd00::1". */
void maui_remote_address(const struct sockaddr_storage *address,
			 char ret[MAUI_REMOTE_ADDRESS_TEXT]);
void maui_remote_close_sockets(struct maui_remote_sockets *sockets);

/* NULL with err. */
struct maui_query_remote *maui_remote_start(const struct maui_remote_options *options,
					    struct maui_err *err);
/* Listens there as well. Takes the sockets over, which maui_remote_listen() has opened beside those
 * of `remote`. By the thread that has started it. */
void maui_remote_add(struct maui_query_remote *remote, const struct maui_remote_sockets *sockets);
/* What is open; for the same thread. */
const struct maui_remote_sockets *maui_remote_open(const struct maui_query_remote *remote);
/* Ends every connection and returns when its threads have ended. NULL is fine. */
void maui_remote_stop(struct maui_query_remote *remote);

#endif
