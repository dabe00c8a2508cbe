/* SPDX-License-Identifier: GPL-2.0-or-later */
/* case_answers.c - requests on the query socket: from the bytes of a request to those of its answer
 *
 * By the server's own connection code, without its thread. A client without an answer knows that
 * the connection has ended; an answer is the right one, or says that there is no memory.
 */

#include "cases.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../cmd/diagnose-world.h"
#include "../cmd/fits-world.h"
#include "../cmd/query-world.h"
#include "answers/verbs.h"
#include "query/server_private.h"

enum document { QUERY, PLANNED, REFUSED, HOSTILE, TRIAL, FITS };

static const struct request {
	enum document document;
	uid_t uid;
	const char *verb, *args;
} requests[] = {
	{ PLANNED, 0, "config", "{}" },
	{ PLANNED, 0, "config", "{\"name\":\"BACKFILLPOLICY\"}" },
	{ PLANNED, 0, "credentials", "{\"kind\":\"user\"}" },
	{ PLANNED, 1001, "credentials", "{\"kind\":\"qos\"}" },
	{ PLANNED, 0, "credentials", "{\"kind\":\"account\",\"name\":\"physics\"}" },
	{ PLANNED, 0, "fairshare", "{}" },
	{ HOSTILE, 0, "fairshare", "{}" },
	{ PLANNED, 1001, "fairshare", "{\"kind\":\"user\",\"name\":\"ann\",\"own\":true}" },
	{ FITS, 0, "fits", "{\"user\":\"bob\",\"horizon\":86400,\"parts\":24}" },
	{ FITS, 0, "fits",
	  "{\"user\":\"bob\",\"nodes\":3,\"tasks\":48,\"limit\":7200,\"partition\":\"batch\"}" },
	{ FITS, 1001, "fits",
	  "{\"user\":\"ann\",\"tasks\":9,\"features\":\"big\",\"gres\":\"gpu:1\",\"memory\":"
	  "{\"mem\":100,\"mem_per_cpu\":0}}" },
	{ PLANNED, 0, "fits", "{\"user\":\"ann\",\"nodes\":1,\"least\":60}" },
	{ PLANNED, 0, "job", "{\"job\":201}" },
	{ PLANNED, 1002, "job", "{\"job\":205}" },
	{ PLANNED, 0, "job", "{\"job\":101}" },
	{ PLANNED, 0, "job", "{\"job\":208}" },
	{ PLANNED, 0, "job", "{\"job\":4711}" },
	{ FITS, 0, "job", "{\"job\":21}" },
	{ PLANNED, 0, "jobs", "{}" },
	{ PLANNED, 1001, "jobs", "{\"blocked\":true}" },
	{ PLANNED, 0, "metrics", "{}" },
	{ QUERY, 0, "metrics", "{}" },
	{ TRIAL, 0, "metrics", "{}" },
	{ PLANNED, 0, "nodes", "{}" },
	{ PLANNED, 1001, "nodes", "{\"name\":\"n2\"}" },
	{ QUERY, 0, "nodes", "{\"name\":\"n1\"}" },
	{ PLANNED, 0, "priorities", "{}" },
	{ PLANNED, 0, "priorities", "{\"job\":206}" },
	{ PLANNED, 0, "queue", "{}" },
	{ PLANNED, 1001, "queue", "{\"wide\":true,\"user\":\"ann,bob\"}" },
	{ FITS, 0, "queue", "{\"wide\":true,\"block\":\"idle\"}" },
	{ PLANNED, 0, "report", "{}" },
	{ FITS, 1001, "report", "{\"schedule_only\":true,\"horizon\":36000}" },
	{ QUERY, 0, "reservations", "{}" },
	{ QUERY, 1000, "reservations", "{\"nodes\":true}" },
	{ QUERY, 0, "reservations", "{\"name\":\"biz\",\"nodes\":true}" },
	{ PLANNED, 0, "reservations", "{\"summary\":true}" },
	{ PLANNED, 0, "snapshot", "{}" },
	{ FITS, 0, "snapshot", "{}" },
	{ PLANNED, 0, "start", "{\"job\":202}" },
	{ PLANNED, 1003, "start", "{\"job\":203}" },
	{ FITS, 0, "start", "{\"job\":21}" },
	{ PLANNED, 0, "state", "{}" },
	{ REFUSED, 0, "state", "{}" },
	{ QUERY, 1000, "state", "{}" },
	{ PLANNED, 0, "statistics", "{}" },
	{ PLANNED, 0, "statistics", "{\"kind\":\"user\"}" },
	{ TRIAL, 0, "trial", "{}" },
	{ QUERY, 0, "changejob", "{\"job\":17,\"action\":\"run\",\"run\":{\"force\":true}}" },
	{ QUERY, 0, "changejob", "{\"job\":19,\"action\":\"hold\"}" },
	{ QUERY, 0, "changeparam", "{\"line\":\"RESERVATIONDEPTH 4\"}" },
	{ QUERY, 0, "keeptrial", "{}" },
	{ QUERY, 0, "releaseres", "{\"names\":[\"SYSTEM.1\",\"biz.0\",\"nix\"]}" },
	{ QUERY, 0, "restoreres", "{\"names\":[\"biz.0\"]}" },
	{ QUERY, 0, "resetstats", "{}" },
	{ QUERY, 0, "setres",
	  "{\"attributes\":{\"HOSTLIST\":\"n1\",\"USERLIST\":\"amy,steve-\"},\"duration\":3600}" },
	{ QUERY, 0, "setres",
	  "{\"name\":\"steve.1\",\"end\":1795600000,\"attributes\":{\"CLASSLIST\":\"main\"}}" },
	{ QUERY, 0, "setres", "{\"name\":\"nix.4\",\"attributes\":{}}" },
	{ QUERY, 0, "reservations", "{\"name\":\"\u00e9\"}" },
	{ QUERY, 0, "nonsense", "{}" },
};

enum { REQUESTS = sizeof(requests) / sizeof(requests[0]) };

static const struct request *request;
static struct maui_query_server server;
static struct query_world *world;
static struct maui_document *document;
static struct maui_query_conn *conn;
static int ends[2] = { -1, -1 };
static char line[1024], answer[1 << 20];
static size_t answer_length;

static struct maui_document *publish(void)
{
	struct maui_document *p;

	if (request->document == QUERY)
		return query_world_publish(world, false);
	if (request->document == FITS)
		return fits_world_publish("");
	p = diagnose_world_publish(request->document == REFUSED);
	if (p && request->document == HOSTILE)
		diagnose_world_set_hostile_usage(p);
	if (p && request->document == TRIAL)
		diagnose_world_set_trial(p);
	return p;
}

static void prepare(unsigned variant)
{
	request = &requests[variant];
	snprintf(line, sizeof(line), "{\"version\":1,\"verb\":\"%s\",\"args\":%s}\n", request->verb,
		 request->args);
	world = query_world_create();
	document = world ? publish() : NULL;
	if (!document || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		memory_broken("no document for %s", request->verb);
	server = (struct maui_query_server){
		.options = { .service = &maui_answers,
			     .max_pending = 1 << 20,
			     .idle_ms = 1000,
			     .life_ms = 1000,
			     .change_ms = 1000 },
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.published = document,
	};
}

static void answer_changes(void)
{
	struct maui_query_pending *pending;

	while ((pending = maui_changes_take(&server.changes))) {
		struct maui_query_error error = { 0 };
		json_object *result = query_world_change(world, &pending->change, &error);

		pending->line = result ? maui_message_format_result(result, &pending->length) :
					 maui_message_format_error(&error, &pending->length);
		maui_conn_finish(&server, conn, pending->line, pending->length, 0);
		pending->line = NULL;
		maui_pending_free(pending);
	}
}

static int act(struct maui_err *err)
{
	const struct maui_query_peer peer = { .uid = request->uid };
	ssize_t got;

	answer_length = 0;
	conn = maui_conn_create(dup(ends[1]), &peer, peer.uid, 1, 0, 1000);
	if (!conn)
		return maui_err_set(err, "no connection");
	if (send(ends[0], line, strlen(line), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		memory_broken("send");
	for (int round = 0; round < 4 && conn->state != MAUI_CONN_CLOSED; round++) {
		maui_conn_work(&server, conn, POLLIN | POLLOUT, 0);
		answer_changes();
		maui_conn_work(&server, conn, POLLOUT, 0);
		while ((got = recv(ends[0], answer + answer_length, sizeof(answer) - answer_length,
				   MSG_DONTWAIT)) > 0)
			answer_length += (size_t)got;
	}
	if (answer_length == 0)
		return maui_err_set(err, "the connection ended");
	if (answer[answer_length - 1] != '\n')
		return maui_err_set(err, "%s", ""); /* half an answer: an error without a text */
	answer[answer_length - 1] = '\0';
	return strstr(answer, "\"error\":\"no memory\"") ? maui_err_set(err, "no memory") : 0;
}

static void show(struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "%s", answer);
}

/* What the server did not read must not come before the next request. What a change
 * changed is made anew. */
static void drop(void)
{
	char rest[4096];

	if (conn)
		maui_conn_destroy(&server, conn);
	conn = NULL;
	while (recv(ends[1], rest, sizeof(rest), MSG_DONTWAIT) > 0)
		;
	if (request->document != QUERY)
		return;
	query_world_destroy(world);
	world = query_world_create();
}

static void end(void)
{
	close(ends[0]);
	close(ends[1]);
	maui_changes_finish(&server.changes);
	maui_document_unref(document);
	query_world_destroy(world);
}

const struct memory_case memory_answer_cases[] = {
	{ "answer", prepare, REQUESTS, act, show, drop, end },
	{ NULL, NULL, 0, NULL, NULL, NULL, NULL },
};
