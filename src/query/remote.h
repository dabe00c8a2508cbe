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

#include "query/credential.h"
#include "query/server.h"

struct maui_query_remote;

enum { MAUI_REMOTE_ADDRESSES = 8 };

/* The sockets that listen, one for each address of the host. */
struct maui_remote_sockets {
	int fds[MAUI_REMOTE_ADDRESSES];
	unsigned count;
	bool loopback; /* only this machine reaches them */
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

/* Listens at the addresses of a host, which is looked up: may wait for a name server. Addresses
 * that this machine does not have are left out: a name may have one of IPv6 that only others use,
 * and clients may have IPv4 alone. -1 with err: it has none. */
int maui_remote_listen(const char *host, uint16_t port, struct maui_remote_sockets *ret,
		       struct maui_err *err);
/* The same at the addresses of getaddrinfo(). -1 with errno of the first. */
struct addrinfo;
int maui_remote_listen_at(const struct addrinfo *addresses, struct maui_remote_sockets *ret);
void maui_remote_close_sockets(struct maui_remote_sockets *sockets);

/* NULL with err. */
struct maui_query_remote *maui_remote_start(const struct maui_remote_options *options,
					    struct maui_err *err);
/* Ends every connection and returns when its threads have ended. NULL is fine. */
void maui_remote_stop(struct maui_query_remote *remote);

#endif
