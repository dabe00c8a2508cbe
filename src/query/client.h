/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client.h - asks slurmctld over the query socket or over TCP; for commands */
#ifndef MAUI_QUERY_CLIENT_H
#define MAUI_QUERY_CLIENT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <sys/types.h>

#include "query/credential.h"
#include "query/message.h"

/* One question, one answer, within MAUI_QUERY_CLIENT_MS in all. args (NULL: none) is taken over.
 * The caller puts the result. NULL with error: what the server said, or UNAVAILABLE when none does
 * at `path`, or when neither root nor `server` (SlurmUser; NULL: anybody) listens there. */
json_object *maui_client_ask(const char *path, const uid_t *server, const char *verb,
			     json_object *args, struct maui_query_error *error);

/* Where slurmctld answers login nodes. */
struct maui_query_remote_hosts {
	const char *const *hosts; /* of SlurmctldHost, in turn */
	size_t count;
	uint16_t port;
	/* whose slurmctld is asked; NULL: of any. Another one that has the same MUNGE key may stand
	 * at the end of the connection. */
	const char *cluster;
	uid_t server; /* SlurmUser, who reads the request and seals the answer */
	struct maui_query_auth auth;
	/* the request changes something: it is not worth repeating because of an answer that may be
	 * another host's */
	bool is_change;
};

/* Whether a server takes connections at the path. */
bool maui_client_is_answered(const char *path);

/* Connects to the first of a host's addresses that takes it, those of getaddrinfo(). -1 with errno:
 * ETIMEDOUT if any did not answer, for the host may be busy; else the first one's. A host may have
 * an address that this machine has no way to, as of IPv6: the last one says nothing of the
 * others. */
struct addrinfo;
int maui_client_connect(const struct addrinfo *addresses, int64_t deadline_ms);

/* The same over TCP with credentials: asks the first host that answers. */
json_object *maui_client_ask_remote(const struct maui_query_remote_hosts *hosts, const char *verb,
				    json_object *args, struct maui_query_error *error);

/* The result in an answer's line; NULL with error. */
json_object *maui_client_understand(const char *line, size_t length,
				    struct maui_query_error *error);

#endif
