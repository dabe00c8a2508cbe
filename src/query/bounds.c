/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bounds.c - the bounds that keep one user from taking all of the server */
#include "query/server_private.h"

uid_t maui_query_payer(const struct maui_query_server *server, uid_t uid)
{
	const struct maui_query_options *o = &server->options;

	if (maui_query_is_ours(uid) || !o->naming)
		return uid;
	switch (o->naming(uid, o->arg)) {
	case MAUI_QUERY_WITHOUT_NAME:
		return MAUI_QUERY_NAMELESS;
	case MAUI_QUERY_NOT_LOOKED_UP:
		return MAUI_QUERY_NEWCOMER;
	default:
		return uid;
	}
}

bool maui_query_has_share(uid_t uid, size_t most, size_t all, size_t others, size_t own)
{
	if (maui_query_is_ours(uid))
		return all <= most;
	return all <= most - most / 4 && (others == 0 || others + own <= most / 4);
}

void maui_query_keep_turn(struct maui_query_server *server, const struct maui_query_conn *gone)
{
	for (unsigned i = 0; i < server->conn_count && gone->round == server->round; i++)
		if (server->conns[i] != gone && server->conns[i]->state != MAUI_CONN_CLOSED &&
		    server->conns[i]->payer == gone->payer) {
			server->conns[i]->round = server->round;
			return;
		}
}
