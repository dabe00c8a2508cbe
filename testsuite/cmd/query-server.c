/* SPDX-License-Identifier: GPL-2.0-or-later */
/* query-server.c - stands in for slurmctld: publishes one fixed document on a query socket
 *
 *	query-server SOCKET [MODE [UID]]
 *
 * Monday 2026-11-23 10:00:00 UTC, four nodes of four processors. Changes are answered by what an
 * agent would answer. Modes: "silent" never answers a change, "unplanned" has published nothing,
 * "crowded" takes one client at a time, "empty" has no reservation, "planned" has the cluster of
 * diagnose-world.c, "idle" the same without a job, "refused" with an error in maui.cfg, "changed"
 * with a maui.cfg that is not read, "hostile" with users of odd names, "directory" with names of a
 * directory, "trial" with the score of a trial, "large" with 300 nodes, "fits" and "closed" have
 * the cluster of fits-world.c, "reserved" the same with reservations, "limited" with a limit.
 * "private" and "planned-private" have PrivateData=jobs,reservations. With UID, questions are
 * answered as to this user. Prints "ready" when it listens; ends at the end of its input, so it
 * never outlives the test.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/decision.h"
#include "model/rsv.h"
#include "model/snapshot.h"
#include "query/server.h"
#include "answers/document_publish.h"
#include "answers/verbs.h"
#include "verbs/verb.h"
#include "diagnose-world.h"
#include "fits-world.h"
#include "query-world.h"

static struct maui_query_server *server;
static int wake_pipe[2];

static void wake(void *arg)
{
	(void)arg;
	if (write(wake_pipe[1], "", 1) < 0)
		perror("query-server: wake");
}

static void log_fault(const char *text, void *arg)
{
	(void)arg;
	fprintf(stderr, "query-server: %s\n", text);
}

/* The service whose questions are answered as to one user, whoever asks. */
static struct {
	uid_t uid;
	struct maui_query_verb verbs[MAUI_VERB_COUNT];
	struct maui_query_service service;
} as_user;

static json_object *answer_as_user(const struct maui_query_call *call,
				   struct maui_query_error *error)
{
	struct maui_query_call asked = *call;

	asked.peer.uid = as_user.uid;
	return maui_answers.verbs[call->verb - as_user.verbs].answer(&asked, error);
}

static const struct maui_query_service *service_as_user(const char *uid)
{
	as_user.uid = (uid_t)atoi(uid);
	as_user.service = maui_answers;
	as_user.service.verbs = as_user.verbs;
	for (size_t i = 0; i < maui_answers.verb_count; i++) {
		as_user.verbs[i] = maui_answers.verbs[i];
		if (as_user.verbs[i].answer)
			as_user.verbs[i].answer = answer_as_user;
	}
	return &as_user.service;
}

/* PrivateData=jobs,reservations, for a user whose name slurmctld knows. */
static void hide_others(struct maui_document *p)
{
	static const struct maui_document_user ann = { 1001, "ann", "ann" };

	p->privacy.hide_jobs = p->privacy.hide_rsvs = true;
	maui_document_know_users(p, &ann, 1);
}

static void publish(struct query_world *world, const char *mode)
{
	struct maui_document *p;

	if (strcmp(mode, "unplanned") == 0)
		return;
	if (strcmp(mode, "planned") == 0 || strcmp(mode, "planned-private") == 0 ||
	    strcmp(mode, "refused") == 0 || strcmp(mode, "changed") == 0 ||
	    strcmp(mode, "hostile") == 0 || strcmp(mode, "trial") == 0)
		p = diagnose_world_publish(strcmp(mode, "refused") == 0);
	else if (strcmp(mode, "directory") == 0)
		p = diagnose_world_publish_directory();
	else if (strcmp(mode, "large") == 0)
		p = diagnose_world_publish_large();
	else if (strcmp(mode, "idle") == 0)
		p = diagnose_world_publish_idle();
	else if (strcmp(mode, "fits") == 0)
		p = fits_world_publish("");
	else if (strcmp(mode, "limited") == 0)
		p = fits_world_publish("USERCFG[ann] MAXPROC=48\nQOSCFG[high] PRIORITY=1\n");
	else if (strcmp(mode, "reserved") == 0)
		p = fits_world_publish(
			"SRCFG[ann] HOSTLIST=n4 PERIOD=INFINITY USERLIST=ann\n"
			"SRCFG[short] HOSTLIST=n5 PERIOD=INFINITY TIMELIMIT=2:00:00\n"
			"SRCFG[gpu] HOSTLIST=n6 PERIOD=INFINITY CLASSLIST=gpu\n");
	else if (strcmp(mode, "closed") == 0)
		p = fits_world_publish_closed();
	else
		p = query_world_publish(world, strcmp(mode, "empty") == 0);
	if (!p) {
		fprintf(stderr, "query-server: cannot make the document\n");
		exit(EXIT_FAILURE);
	}
	if (strcmp(mode, "private") == 0 || strcmp(mode, "planned-private") == 0)
		hide_others(p);
	if (strcmp(mode, "hostile") == 0)
		diagnose_world_set_hostile_usage(p);
	if (strcmp(mode, "changed") == 0)
		diagnose_world_change_file(p, "/etc/slurm/maui.cfg has been changed");
	if (strcmp(mode, "trial") == 0)
		diagnose_world_set_trial(p);
	maui_query_publish(server, p);
}

/* As if the plan did not have it yet: another object, of the same members. */
static json_object *without_reservation(json_object *result)
{
	json_object *read = json_tokener_parse(json_object_to_json_string(result));

	json_object_put(result);
	json_object_object_add(read, "reservation", NULL);
	return read;
}

static void make_changes(struct query_world *world, const char *mode)
{
	struct maui_query_change *change;

	while ((change = maui_query_take(server))) {
		struct maui_query_error error;
		json_object *result = query_world_change(world, change, &error);

		if (result && strcmp(mode, "unplanned") == 0)
			result = without_reservation(result);
		if (result)
			publish(world, mode);
		maui_query_answer(server, change, result, &error);
	}
}

/* Waits for changes, and for the end of the input. */
static void serve(struct query_world *world, const char *mode)
{
	struct pollfd polls[] = { { .fd = STDIN_FILENO, .events = POLLIN },
				  { .fd = wake_pipe[0], .events = POLLIN } };
	char byte[64];

	for (;;) {
		poll(polls, 2, -1);
		if (polls[0].revents && read(STDIN_FILENO, byte, sizeof(byte)) <= 0)
			return;
		if (!(polls[1].revents & POLLIN))
			continue;
		if (read(wake_pipe[0], byte, sizeof(byte)) > 0 && strcmp(mode, "silent") != 0)
			make_changes(world, mode);
	}
}

int main(int argc, char **argv)
{
	struct maui_query_options options = { .path = argc > 1 ? argv[1] : NULL,
					      .service = &maui_answers,
					      .wake = wake,
					      .log_fault = log_fault,
					      .change_ms = 1000 };
	const char *mode = argc > 2 ? argv[2] : "";
	struct query_world *world;
	struct maui_err err;

	if (!options.path) {
		fprintf(stderr, "usage: query-server SOCKET [MODE [UID]]\n");
		return 2;
	}
	if (argc > 3)
		options.service = service_as_user(argv[3]);
	options.max_connections = strcmp(mode, "crowded") == 0 ? 1 : 0;
	world = query_world_create();
	if (!world || pipe(wake_pipe) != 0) {
		fprintf(stderr, "query-server: cannot make its world\n");
		return EXIT_FAILURE;
	}
	server = maui_query_start(&options, &err);
	if (!server) {
		fprintf(stderr, "query-server: %s\n", err.text);
		return EXIT_FAILURE;
	}
	publish(world, mode);
	puts("ready");
	fflush(stdout);
	serve(world, mode);
	maui_query_stop(server);
	query_world_destroy(world);
	return EXIT_SUCCESS;
}
