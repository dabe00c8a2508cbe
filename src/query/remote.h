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

#include <stdint.h>

#include "query/credential.h"
#include "query/server.h"

struct maui_query_remote;

struct maui_remote_options {
	struct maui_query_server *server; /* must stay until maui_remote_stop() returns */
	int fd;                           /* of maui_remote_listen(); taken over */
	struct maui_query_auth auth;      /* its socket's name is copied */
	int request_ms, life_ms;          /* 0: as in base/limits.h */
};

/* The port of "...,maui_port=N,..." (SchedulerParameters; may be NULL); 0: none. -1 with err: N is
 * no port. */
int maui_remote_port(const char *parameters, uint16_t *ret, struct maui_err *err);

/* A listening socket at the address of a host, which is looked up: may wait for a name server.
 * *ret_loopback: only this machine reaches the address. -1 with err. */
int maui_remote_listen(const char *host, uint16_t port, bool *ret_loopback, struct maui_err *err);

/* NULL with err. */
struct maui_query_remote *maui_remote_start(const struct maui_remote_options *options,
					    struct maui_err *err);
/* Ends every connection and returns when its threads have ended. NULL is fine. */
void maui_remote_stop(struct maui_query_remote *remote);

#endif
