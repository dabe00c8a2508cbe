/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer_threads.c - clients ask a query server while an agent publishes one finished plan after
 * another
 *
 * Each client asks each question. An answer comes from one document: the one that was published
 * last, or one before it that is held until the answer is made. Run under ThreadSanitizer by
 * answer-threads, which reports what the agent, the server's threads and its workers share.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answers/document_publish.h"
#include "answers/verbs.h"
#include "query/client.h"
#include "query/server.h"
#include "../cmd/diagnose-world.h"
#include "../cmd/fits-world.h"

enum { CLIENTS = 4, ROUNDS = 6, WORLDS = 4, PAUSE_US = 2000 };

/* What each question is asked with; the others need nothing. */
static const struct {
	const char *verb, *args;
} arguments[] = {
	{ "job", "{\"job\": 201}" },
	{ "start", "{\"job\": 202}" },
	{ "fits", "{\"user\": \"ann\", \"tasks\": 4, \"nodes\": 1, \"limit\": 600}" },
	{ "credentials", "{\"kind\": \"user\"}" },
	{ "report", "{\"horizon\": 0}" },
};

static char path[128];
static struct maui_query_server *server;
static unsigned answered, refused, running = CLIENTS;

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "answer_threads: %s\n", what);
	exit(1);
}

static json_object *args_of(const char *verb)
{
	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++)
		if (strcmp(arguments[i].verb, verb) == 0)
			return json_tokener_parse(arguments[i].args);
	return NULL;
}

/* Whether each document has an answer: one of them has no such job, no trial, no report ... */
static bool is_always_answered(const char *verb)
{
	static const char *const verbs[] = { "queue", "jobs", "nodes", "reservations", "state" };

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(verbs[i], verb) == 0)
			return true;
	return false;
}

static void ask_one(const char *verb)
{
	struct maui_query_error error = { 0 };
	json_object *result = maui_client_ask(path, NULL, verb, args_of(verb), &error);

	if (!result && is_always_answered(verb)) {
		fprintf(stderr, "answer_threads: %s: %s\n", verb, error.err.text);
		exit(1);
	}
	__atomic_add_fetch(result ? &answered : &refused, 1, __ATOMIC_RELAXED);
	json_object_put(result);
}

static void *ask(void *data)
{
	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < maui_answers.verb_count; i++)
			if (maui_answers.verbs[i].answer)
				ask_one(maui_answers.verbs[i].name);
	__atomic_sub_fetch(&running, 1, __ATOMIC_RELEASE);
	return data;
}

/* Each has a plan of its own, made now. */
static struct maui_document *make_document(unsigned turn)
{
	switch (turn % WORLDS) {
	case 0:
		return diagnose_world_publish(false);
	case 1:
		return diagnose_world_publish_directory();
	case 2:
		return fits_world_publish("");
	default:
		return diagnose_world_publish_large();
	}
}

static unsigned publish_while_asked(void)
{
	unsigned turn = 0;

	while (__atomic_load_n(&running, __ATOMIC_ACQUIRE) > 0) {
		struct maui_document *document = make_document(turn++);

		check(document != NULL, "no document");
		maui_query_publish(server, document);
		usleep(PAUSE_US);
	}
	return turn;
}

int main(void)
{
	struct maui_query_options options = { .path = path, .service = &maui_answers };
	char directory[] = "/tmp/answer_threads.XXXXXX";
	pthread_t clients[CLIENTS];
	struct maui_err err = { 0 };
	unsigned turns;

	check(mkdtemp(directory) != NULL, "no directory");
	snprintf(path, sizeof(path), "%s/socket", directory);
	server = maui_query_start(&options, &err);
	check(server != NULL, err.text);
	maui_query_publish(server, make_document(0));
	for (int i = 0; i < CLIENTS; i++)
		check(pthread_create(&clients[i], NULL, ask, NULL) == 0, "no thread");
	turns = publish_while_asked();
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(clients[i], NULL);
	maui_query_stop(server);
	rmdir(directory);
	printf("%u answers, %u refusals, %u plans\n", answered, refused, turns);
	check(answered > refused, "more refusals than answers");
	return 0;
}
