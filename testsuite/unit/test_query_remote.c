/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_query_remote.c - questions over TCP, and clients with credentials of others
 *
 * A stand-in takes munged's place: its credentials name the user that the test chooses, carry a
 * key, and decode for their reader only, once.
 *
 * Rules: CMD-15.
 */
#include "query/remote.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/monotonic.h"
#include "query/client.h"
#include "query/stream.h"

enum { SERVER = 64030, ANN = 1001, BOB = 1002, SUBORDINATE = 100000 };

/* ---- the stand-in ---- */

struct test_auth {
	int key;
	uid_t me;
	int *used; /* serial numbers of decoded credentials, shared */
};

static int serial; /* atomic */
static int sealed; /* by the server; atomic */
static int used_by_server[4096], used_by_client[4096];

static char *encode(const struct maui_query_auth *auth, const char *bytes, size_t length,
		    uid_t reader, struct maui_err *err)
{
	const struct test_auth *t = auth->context;
	char *text = malloc(2 * length + 64);
	int at = sprintf(text, "%d %u %u %d ", t->key, t->me, reader,
			 __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED));

	(void)err;
	if (t->me == SERVER)
		__atomic_add_fetch(&sealed, 1, __ATOMIC_RELAXED);
	for (size_t i = 0; i < length; i++)
		at += sprintf(text + at, "%02x", (unsigned char)bytes[i]);
	return text;
}

static char *decode(const struct maui_query_auth *auth, const char *credential, size_t *ret_length,
		    uid_t *ret_uid, gid_t *ret_gid, struct maui_err *err)
{
	const struct test_auth *t = auth->context;
	unsigned uid, reader, byte;
	int key, number, at = 0;
	char *bytes;
	size_t length = 0;

	if (sscanf(credential, "%d %u %u %d %n", &key, &uid, &reader, &number, &at) < 4 ||
	    key != t->key || reader != t->me || number <= 0 || number >= 4096 ||
	    __atomic_exchange_n(&t->used[number], 1, __ATOMIC_RELAXED)) {
		maui_err_set(err, "test: Invalid credential");
		return NULL;
	}
	bytes = malloc(strlen(credential));
	for (const char *hex = credential + at; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		bytes[length++] = (char)byte;
	bytes[length] = '\0';
	*ret_length = length;
	*ret_uid = uid;
	*ret_gid = uid;
	return bytes;
}

static struct test_auth server_auth = { 7, SERVER, used_by_server };
static struct test_auth ann_auth = { 7, ANN, used_by_client };
static struct test_auth bob_auth = { 7, BOB, used_by_client };
static struct test_auth foreign_auth = { 8, ANN, used_by_client };

static struct maui_query_auth auth_of(const struct test_auth *t)
{
	return (struct maui_query_auth){ .context = t, .encode = encode, .decode = decode };
}

/* ---- the server ---- */

static json_object *who(const struct maui_query_call *call, struct maui_query_error *error)
{
	json_object *result = json_object_new_object();

	(void)error;
	json_object_object_add(result, "uid", json_object_new_int64(call->peer.uid));
	return result;
}

static void keep(void *published)
{
	(void)published;
}

/* An answer of twenty megabytes. */
static json_object *large(const struct maui_query_call *call, struct maui_query_error *error)
{
	enum { BYTES = 20 * 1000 * 1000 };
	char *text = malloc(BYTES + 1);
	json_object *result = json_object_new_object();

	(void)call;
	(void)error;
	memset(text, 'x', BYTES);
	text[BYTES] = '\0';
	json_object_object_add(result, "text", json_object_new_string(text));
	free(text);
	return result;
}

/* "change" waits until a thread takes it. */
static const struct maui_query_verb verbs[] = { { "who", who, NULL },
						{ "large", large, NULL },
						{ "change", NULL, NULL } };
static const struct maui_query_service service = { verbs, 3, keep, keep, NULL };

static struct maui_query_server *server;
static struct maui_query_remote *remote;
static uint16_t port;

/* Subordinate uids have no name. */
static enum maui_query_naming get_naming(uid_t uid, void *arg)
{
	(void)arg;
	return uid >= SUBORDINATE ? MAUI_QUERY_WITHOUT_NAME : MAUI_QUERY_NAMED;
}

static struct maui_remote_options remote_options;
static const char *local_path; /* of the Unix socket; NULL: there is none */

/* The port is there, and nobody accepts its connections yet. */
static void begin_port(int request_ms)
{
	struct maui_query_options options = {
		.path = local_path, .cluster = "mini", .service = &service, .naming = get_naming
	};
	struct sockaddr_in address;
	socklen_t size = sizeof(address);
	struct maui_err err = { .text = "" };
	static int published;

	server = maui_query_start(&options, &err);
	cr_assert(server, "%s", err.text);
	maui_query_publish(server, &published);
	remote_options = (struct maui_remote_options){ .request_ms = request_ms, .server = server };
	remote_options.auth = auth_of(&server_auth);
	cr_assert(maui_remote_listen("127.0.0.1", 0, NULL, &remote_options.sockets, &err) == 0,
		  "%s", err.text);
	cr_expect(remote_options.sockets.count == 1 &&
		  maui_remote_is_local(&remote_options.sockets));
	cr_assert(getsockname(remote_options.sockets.fds[0], (void *)&address, &size) == 0);
	port = ntohs(address.sin_port);
}

static void begin_remote(void)
{
	struct maui_err err = { .text = "" };

	remote = maui_remote_start(&remote_options, &err);
	cr_assert(remote, "%s", err.text);
}

static void begin(int request_ms)
{
	begin_port(request_ms);
	begin_remote();
}

static void end(void)
{
	maui_remote_stop(remote);
	maui_query_stop(server);
}

/* Slurm takes ClusterName in any case. */
static const char *wanted_cluster = "Mini";

static json_object *ask_verb(const struct test_auth *user, const char *verb, uid_t server_uid,
			     struct maui_query_error *error)
{
	static const char *const hosts[] = { "127.0.0.1" };
	struct maui_query_remote_hosts to = { .hosts = hosts,
					      .count = 1,
					      .port = port,
					      .cluster = wanted_cluster,
					      .server = server_uid,
					      .auth = auth_of(user),
					      .is_change = strcmp(verb, "change") == 0 };

	return maui_client_ask_remote(&to, verb, NULL, error);
}

static json_object *ask(const struct test_auth *user, uid_t server_uid,
			struct maui_query_error *error)
{
	return ask_verb(user, "who", server_uid, error);
}

static void expect_answer(const struct test_auth *user)
{
	struct maui_query_error error = { 0 };
	json_object *result = ask(user, SERVER, &error), *uid = NULL;

	cr_assert(result, "%s", error.err.text);
	cr_expect(json_object_object_get_ex(result, "uid", &uid));
	cr_expect_eq(json_object_get_int64(uid), user->me);
	json_object_put(result);
}

/* From a host of the loopback network. */
static struct maui_query_stream connected_from(uint32_t address)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(port),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_in from = { .sin_family = AF_INET, .sin_addr = { address } };
	struct maui_query_stream s = { .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
				       .deadline_ms = maui_monotonic_ms() + 20000 };

	cr_assert(bind(s.fd, (void *)&from, sizeof(from)) == 0);
	cr_assert(connect(s.fd, (void *)&to, sizeof(to)) == 0);
	return s;
}

static struct maui_query_stream connected(void)
{
	return connected_from(htonl(INADDR_LOOPBACK));
}

/* Reads the challenge of a new connection. */
static void read_challenge(struct maui_query_stream *s, char ret[MAUI_QUERY_CHALLENGE])
{
	size_t length;
	const char *line = maui_stream_read(s, 4096, &length);

	cr_assert(line && sscanf(line, "{\"version\":1,\"challenge\":\"%64[0-9a-f]\"}", ret) == 1);
}

static void expect_refused(struct maui_query_stream *s, const char *line, const char *part)
{
	const char *answer;
	size_t length;

	maui_stream_send(s, line, strlen(line));
	answer = maui_stream_read(s, 4096, &length);
	cr_expect(answer && strstr(answer, part), "no '%s' in '%s'", part, answer ? answer : "");
	cr_expect_null(maui_stream_read(s, 4096, &length));
	maui_stream_close(s);
}

/* The line that sends a user's request for a challenge. */
static char *request_line_of(const struct test_auth *user, const char *verb, const char *challenge)
{
	struct maui_query_auth auth = auth_of(user);
	char request[64], *line, *credential;
	struct maui_err err;
	size_t length;

	snprintf(request, sizeof(request), "{\"version\":1,\"verb\":\"%s\"}", verb);
	credential = maui_request_seal(&auth, challenge, request, strlen(request), SERVER, &err);
	line = maui_message_format_text("credential", credential, &length);
	free(credential);
	return line;
}

static char *request_line(const char *challenge)
{
	return request_line_of(&ann_auth, "who", challenge);
}

/* A connection on which a user asks for something, and nobody reads the answer. */
static struct maui_query_stream asked(const struct test_auth *user, const char *verb)
{
	struct maui_query_stream s = connected();
	char challenge[MAUI_QUERY_CHALLENGE], *line;

	read_challenge(&s, challenge);
	line = request_line_of(user, verb, challenge);
	cr_assert(maui_stream_send(&s, line, strlen(line)));
	free(line);
	return s;
}

Test(query_remote, a_request_is_answered_in_the_name_of_the_user_of_its_credential)
{
	begin(0);
	expect_answer(&ann_auth);
	expect_answer(&bob_auth);
	end();
}

/* The error has no seal, so its code is not believed. */
Test(query_remote, a_credential_of_another_key_is_refused)
{
	struct maui_query_error error = { 0 };

	begin(0);
	cr_expect_null(ask(&foreign_auth, SERVER, &error));
	cr_expect_eq(error.code, MAUI_QUERY_ERROR, "%s", error.err.text);
	expect_answer(&ann_auth);
	end();
}

Test(query_remote, an_answer_of_another_user_than_SlurmUser_is_refused)
{
	struct maui_query_auth mallory = auth_of(&bob_auth), ann = auth_of(&ann_auth);
	struct maui_err err = { .text = "" };
	char *seal = maui_answer_seal(&mallory, "request", "answer", 6, ANN, &err);

	cr_expect(maui_answer_check(&ann, "request", seal, "answer", 6, SERVER, &err) < 0);
	cr_expect(strstr(err.text, "user 1002 sealed the answer"), "%s", err.text);
	free(seal);
}

Test(query_remote, a_seal_holds_for_its_request_and_its_answer_only)
{
	struct maui_query_auth from = auth_of(&server_auth), ann = auth_of(&ann_auth);
	static const char *const heard[][2] = { { "request", "answer" },
						{ "request", "answeR" },
						{ "another", "answer" } };
	struct maui_err err;

	for (int i = 0; i < 3; i++) {
		char *seal = maui_answer_seal(&from, "request", "answer", 6, ANN, &err);

		cr_expect_eq(
			maui_answer_check(&ann, heard[i][0], seal, heard[i][1], 6, SERVER, &err),
			i == 0 ? 0 : -1, "case %d", i);
		free(seal);
	}
}

Test(query_remote, a_credential_is_worth_nothing_on_another_connection_or_a_second_time)
{
	char challenge[MAUI_QUERY_CHALLENGE], other[MAUI_QUERY_CHALLENGE], *line;
	struct maui_query_stream first, second, third;
	const char *answer;
	size_t length;

	begin(0);
	first = connected();
	second = connected();
	read_challenge(&first, challenge);
	read_challenge(&second, other);
	cr_expect_str_neq(challenge, other);
	line = request_line(challenge);
	expect_refused(&second, line, "made for another connection");
	free(line);

	line = request_line(challenge);
	cr_assert(maui_stream_send(&first, line, strlen(line)));
	answer = maui_stream_read(&first, 4096, &length);
	cr_expect(answer && strstr(answer, "\"seal\""), "%s", answer);
	maui_stream_close(&first);
	third = connected();
	read_challenge(&third, other);
	expect_refused(&third, line, "Invalid credential");
	free(line);
	end();
}

Test(query_remote, bytes_that_are_no_request_are_refused)
{
	static const char *const lines[] = { "\n", "{}\n", "GET / HTTP/1.0\r\n\r\n",
					     "{\"credential\":7}\n",
					     "{\"credential\":\"MUNGE:x:\"}\n" };
	char challenge[MAUI_QUERY_CHALLENGE];

	begin(0);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct maui_query_stream s = connected();

		read_challenge(&s, challenge);
		expect_refused(&s, lines[i], "\"error\"");
	}
	expect_answer(&ann_auth);
	end();
}

Test(query_remote, silent_clients_keep_others_waiting_for_a_while_only)
{
	struct maui_query_stream silent[MAUI_QUERY_MAX_REMOTE];
	int64_t start_ms;

	begin(0);
	for (int i = 0; i < MAUI_QUERY_MAX_REMOTE; i++)
		silent[i] = connected_from(htonl(INADDR_LOOPBACK + 1u + (uint32_t)i / 8));
	start_ms = maui_monotonic_ms();
	expect_answer(&ann_auth);
	cr_expect_lt(maui_monotonic_ms() - start_ms, MAUI_QUERY_IDLE_MS - 1000);
	for (int i = 0; i < MAUI_QUERY_MAX_REMOTE; i++)
		maui_stream_close(&silent[i]);
	end();
}

/* As many from one host as one host may have, again and again: a user of that host is answered. */
Test(query_remote, silent_clients_of_one_host_keep_its_users_waiting_for_a_while_only)
{
	struct maui_query_stream silent[2 * MAUI_QUERY_MAX_PER_ADDRESS];
	int64_t start_ms;

	begin(0);
	for (int i = 0; i < MAUI_QUERY_MAX_PER_ADDRESS; i++)
		silent[i] = connected_from(htonl(INADDR_LOOPBACK));
	poll(NULL, 0, 2 * MAUI_QUERY_SILENT_MS);
	for (int i = MAUI_QUERY_MAX_PER_ADDRESS; i < 2 * MAUI_QUERY_MAX_PER_ADDRESS - 2; i++)
		silent[i] = connected_from(htonl(INADDR_LOOPBACK));
	start_ms = maui_monotonic_ms();
	expect_answer(&ann_auth);
	cr_expect_lt(maui_monotonic_ms() - start_ms, MAUI_QUERY_IDLE_MS - 1000);
	for (int i = 0; i < 2 * MAUI_QUERY_MAX_PER_ADDRESS - 2; i++)
		maui_stream_close(&silent[i]);
	end();
}

static void *expect_answer_of_ann(void *arg)
{
	(void)arg;
	expect_answer(&ann_auth);
	return NULL;
}

/* An address that takes no more connections, because its backlog is full. */
static void fill_backlog(struct maui_query_stream ret[2])
{
	cr_assert(listen(remote_options.sockets.fds[0], 1) == 0);
	for (int i = 0; i < 2; i++)
		ret[i] = connected();
}

/* The kernel drops what finds the backlog full: a command tries again as long as it waits. */
Test(query_remote, a_full_backlog_is_waited_for)
{
	struct maui_query_stream silent[2];
	pthread_t asks;

	begin_port(0);
	fill_backlog(silent);
	cr_assert(pthread_create(&asks, NULL, expect_answer_of_ann, NULL) == 0);
	poll(NULL, 0, 4000); /* longer than one attempt */
	begin_remote();
	pthread_join(asks, NULL);
	for (int i = 0; i < 2; i++)
		maui_stream_close(&silent[i]);
	end();
}

static int flood_stops;

/* Connections of one host without a pause, of which none says anything. */
static void *flood(void *arg)
{
	enum { OPEN = 100 };
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(port),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct sockaddr_in from = { .sin_family = AF_INET,
				    .sin_addr = { htonl(INADDR_LOOPBACK + 9) } };
	int fds[OPEN], *count = arg;

	for (int i = 0; i < OPEN; i++)
		fds[i] = -1;
	while (!__atomic_load_n(&flood_stops, __ATOMIC_RELAXED)) {
		int *fd = &fds[*count % OPEN];

		if (*fd >= 0)
			close(*fd);
		*fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (bind(*fd, (void *)&from, sizeof(from)) == 0)
			connect(*fd, (void *)&to, sizeof(to)); /* or it is under way */
		++*count;
	}
	for (int i = 0; i < OPEN; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return NULL;
}

/* What finds the backlog full is dropped by the kernel, whoever it is. On the host of slurmctld the
 * other socket answers, and over TCP, others are answered when the flood is over. */
Test(query_remote, a_flood_of_connections_ends_with_itself)
{
	char directory[] = "/tmp/maui-flood.XXXXXX", path[64];
	struct maui_query_error error = { 0 };
	int64_t start_ms;
	json_object *result;
	pthread_t thread;
	int count = 0;

	cr_assert(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/socket", directory);
	local_path = path;
	begin(0);
	cr_assert(pthread_create(&thread, NULL, flood, &count) == 0);
	poll(NULL, 0, 500);
	start_ms = maui_monotonic_ms();
	for (int i = 0; i < 5; i++) {
		result = maui_client_ask(path, NULL, "who", NULL, &error);
		cr_expect(result, "%s", error.err.text);
		json_object_put(result);
	}
	cr_expect_lt(maui_monotonic_ms() - start_ms, 5000);
	__atomic_store_n(&flood_stops, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	cr_expect_gt(count, MAUI_QUERY_MAX_REMOTE);
	expect_answer(&ann_auth);
	end();
	rmdir(directory);
}

static void expect_large(const struct test_auth *user)
{
	struct maui_query_error error = { 0 };
	json_object *result = ask_verb(user, "large", SERVER, &error);

	cr_expect(result, "uid %u: %s", user->me, error.err.text);
	json_object_put(result);
}

Test(query_remote, a_user_who_does_not_read_leaves_memory_to_others)
{
	struct maui_query_stream greedy[8];
	static struct test_auth root_auth = { 7, 0, used_by_client };

	begin(0);
	for (int i = 0; i < 8; i++)
		greedy[i] = asked(&ann_auth, "large");
	poll(NULL, 0, 1000); /* all that has room is under way */
	expect_large(&bob_auth);
	expect_large(&root_auth);
	for (int i = 0; i < 8; i++)
		maui_stream_close(&greedy[i]);
	expect_large(&ann_auth);
	end();
}

/* One account has thousands of subordinate uids, which have together what one user has. */
Test(query_remote, users_without_a_name_who_do_not_read_leave_memory_to_others)
{
	static struct test_auth nameless[4];
	struct maui_query_stream greedy[4];

	begin(0);
	for (int i = 0; i < 4; i++) {
		nameless[i] = ann_auth;
		nameless[i].me = SUBORDINATE + (uid_t)i;
		greedy[i] = asked(&nameless[i], "large");
		greedy[i].deadline_ms = maui_monotonic_ms() + 2000;
		maui_stream_wait(&greedy[i], POLLIN); /* the answer is there, if it has room */
	}
	expect_large(&bob_auth);
	for (int i = 0; i < 4; i++)
		maui_stream_close(&greedy[i]);
	end();
}

/* Commands repeat what was busy, so a change would be made again. */
Test(query_remote, a_change_whose_answer_is_lost_is_not_busy)
{
	struct maui_query_stream s;
	const char *answer;
	char code[32];
	size_t length;

	begin(0);
	s = asked(&ann_auth, "change");
	for (int i = 0; i < 100 && !maui_query_has_changes(server); i++)
		poll(NULL, 0, 50);
	cr_assert(maui_query_has_changes(server));
	maui_query_stop(server);                      /* its connections end without an answer */
	answer = maui_stream_read(&s, 4096, &length); /* the seal */
	cr_expect(answer && strstr(answer, "seal"), "%s", answer ? answer : "");
	answer = maui_stream_read(&s, 4096, &length);
	snprintf(code, sizeof(code), "\"code\":%d", MAUI_QUERY_ERROR);
	cr_expect(answer && strstr(answer, code) && strstr(answer, "may have been made"), "%s",
		  answer ? answer : "");
	maui_stream_close(&s);
	maui_remote_stop(remote);
}

/* Other hosts cannot write the refusal of a change, which commands repeat; a user who opens too
 * many connections for questions gives munged nothing to seal. */
Test(query_remote, only_changes_of_a_user_with_too_many_connections_are_refused_with_a_seal)
{
	struct maui_query_stream held[MAUI_QUERY_MAX_PER_USER];
	struct maui_query_error error = { 0 };
	struct maui_query_stream s;
	const char *line;
	size_t length;

	begin(0);
	for (int i = 0; i < MAUI_QUERY_MAX_PER_USER; i++)
		held[i] = asked(&ann_auth, "change");
	poll(NULL, 0, 500); /* all are admitted */
	s = asked(&ann_auth, "who");
	line = maui_stream_read(&s, 4096, &length);
	cr_expect(line && strstr(line, "too many connections of this user"), "%s",
		  line ? line : "");
	maui_stream_close(&s);
	cr_expect_null(ask_verb(&ann_auth, "who", SERVER, &error));
	cr_expect(error.code == MAUI_QUERY_BUSY, "%s", error.err.text);
	cr_expect_eq(__atomic_load_n(&sealed, __ATOMIC_RELAXED), 0);
	s = asked(&ann_auth, "change");
	line = maui_stream_read(&s, 4096, &length);
	cr_assert(line && strstr(line, "\"seal\":"), "%s", line ? line : "");
	line = maui_stream_read(&s, 4096, &length);
	cr_expect(line && strstr(line, "too many connections of this user"), "%s",
		  line ? line : "");
	maui_stream_close(&s);
	cr_expect_null(ask_verb(&ann_auth, "change", SERVER, &error));
	cr_expect(error.code == MAUI_QUERY_BUSY, "%s", error.err.text);
	for (int i = 0; i < MAUI_QUERY_MAX_PER_USER; i++)
		maui_stream_close(&held[i]);
	end();
}

/* What a host says that lets the request pass, and keeps slurmctld's answer. */
static const char *said_instead;

static void *answer_falsely(void *arg)
{
	static const char challenge[] =
		"{\"version\":1,\"challenge\":"
		"\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\"}\n";
	struct pollfd listener = { .fd = *(int *)arg, .events = POLLIN };
	struct maui_query_stream s = { .fd = -1, .deadline_ms = maui_monotonic_ms() + 20000 };
	size_t length;

	poll(&listener, 1, 20000);
	s.fd = accept(listener.fd, NULL, NULL);
	maui_stream_send(&s, challenge, strlen(challenge));
	maui_stream_read(&s, 65536, &length);
	maui_stream_send(&s, said_instead, strlen(said_instead));
	maui_stream_close(&s);
	return NULL;
}

/* Commands repeat what was busy: that host could have a change made many times. Their users repeat
 * what they take for refused. */
Test(query_remote, a_change_without_a_seal_may_have_been_made)
{
	static const struct {
		const char *verb, *said, *part;
		enum maui_query_code code;
	} asks[] = {
		{ "who", "{\"version\":1,\"error\":\"later\",\"code\":6}\n", "later",
		  MAUI_QUERY_BUSY },
		{ "change", "{\"version\":1,\"error\":\"later\",\"code\":6}\n", "later",
		  MAUI_QUERY_ERROR },
		{ "change", "{\"version\":1,\"error\":\"refused\",\"code\":4}\n", "refused",
		  MAUI_QUERY_ERROR },
		{ "change", "", "hung up", MAUI_QUERY_ERROR },
		{ "change", "hello\n", "not understood", MAUI_QUERY_ERROR },
		{ "change", "{\"version\":1,\"seal\":\"7 64030 1001 1 00\"}\n", "too early",
		  MAUI_QUERY_ERROR },
		{ "change", "{\"version\":1,\"seal\":\"7 64030 1001 4000 00\"}\n{}\n",
		  "not slurmctld's", MAUI_QUERY_ERROR },
	};
	pthread_t says;

	begin_port(0);
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++) {
		struct maui_query_error error = { 0 };
		bool is_change = strcmp(asks[i].verb, "change") == 0;

		said_instead = asks[i].said;
		cr_assert(pthread_create(&says, NULL, answer_falsely,
					 &remote_options.sockets.fds[0]) == 0);
		cr_expect_null(ask_verb(&ann_auth, asks[i].verb, SERVER, &error));
		cr_expect(error.code == asks[i].code && strstr(error.err.text, asks[i].part),
			  "%s: %d %s", asks[i].said, error.code, error.err.text);
		cr_expect((strstr(error.err.text, "may have been made") != NULL) == is_change,
			  "%s: %s", asks[i].said, error.err.text);
		pthread_join(says, NULL);
	}
	close(remote_options.sockets.fds[0]);
	maui_query_stop(server);
}

/* Clusters often have one MUNGE key, and a host between may connect a command to the slurmctld of
 * another one, with that one's challenge. */
Test(query_remote, a_request_for_another_cluster_is_refused)
{
	static const char *const verbs_asked[] = { "who", "change" };
	struct maui_query_error error = { 0 };

	begin(0);
	wanted_cluster = "other";
	for (size_t i = 0; i < 2; i++) {
		cr_expect_null(ask_verb(&ann_auth, verbs_asked[i], SERVER, &error));
		cr_expect(
			error.code == MAUI_QUERY_ERROR &&
				strstr(error.err.text, "of cluster mini, the request is for other"),
			"%d %s", error.code, error.err.text);
	}
	cr_expect(!maui_query_has_changes(server));
	wanted_cluster = NULL; /* a command of an older release */
	expect_answer(&ann_auth);
	end();
}

/* The kernel of a controller that hangs takes connections for it. */
Test(query_remote, a_controller_that_hangs_is_passed_over)
{
	static const char *const hosts[] = { "127.0.0.2", "127.0.0.1" };
	struct maui_query_remote_hosts to = { .hosts = hosts, .count = 2, .server = SERVER };
	int64_t start_ms = maui_monotonic_ms();
	struct maui_query_error error = { 0 };
	struct maui_err err;
	json_object *result;
	struct maui_remote_sockets hung;

	begin(0);
	cr_assert(maui_remote_listen("127.0.0.2", port, NULL, &hung, &err) == 0, "%s", err.text);
	to.port = port;
	to.auth = auth_of(&ann_auth);
	result = maui_client_ask_remote(&to, "who", NULL, &error);
	cr_expect(result, "%s", error.err.text);
	cr_expect_lt(maui_monotonic_ms() - start_ms, MAUI_QUERY_CLIENT_MS * 2 / 3);
	json_object_put(result);
	maui_remote_close_sockets(&hung);
	end();
}

Test(query_remote, a_stop_ends_open_connections)
{
	struct maui_query_stream s;
	char challenge[MAUI_QUERY_CHALLENGE];
	size_t length;

	begin(0);
	s = connected();
	read_challenge(&s, challenge);
	end();
	maui_stream_read(&s, 4096, &length); /* the error, or the end */
	cr_expect_null(maui_stream_read(&s, 4096, &length));
	maui_stream_close(&s);
}

Test(query_remote, maui_port_is_read_from_SchedulerParameters)
{
	struct maui_err err;
	uint16_t found;

	cr_expect(maui_remote_port(NULL, &found, &err) == 0 && found == 0);
	cr_expect(maui_remote_port("defer,bf_continue", &found, &err) == 0 && found == 0);
	cr_expect(maui_remote_port("defer,maui_port=6820,x", &found, &err) == 0 && found == 6820);
	cr_expect(maui_remote_port("maui_port=0", &found, &err) < 0);
	cr_expect(maui_remote_port("maui_port=65536", &found, &err) < 0);
	cr_expect(maui_remote_port("maui_port=68x", &found, &err) < 0);
}

/* ---- names with several addresses ---- */

static bool accepts(const struct sockaddr *address, socklen_t size)
{
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool connected = fd >= 0 && connect(fd, address, size) == 0;

	close(fd);
	return connected;
}

static bool has_address(const struct sockaddr *address, socklen_t size)
{
	int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool ret = fd >= 0 && bind(fd, address, size) == 0;

	if (fd >= 0)
		close(fd);
	return ret;
}

/* A name may have an address of IPv6 that this machine does not have, and clients IPv4 alone. */
Test(remote, the_port_is_open_on_each_address_that_the_machine_has)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
	struct sockaddr_in others = { .sin_family = AF_INET }, four = { .sin_family = AF_INET };
	struct addrinfo third = { .ai_family = AF_INET,
				  .ai_addr = (void *)&four,
				  .ai_addrlen = sizeof(four) };
	struct addrinfo second = { .ai_family = AF_INET6,
				   .ai_addr = (void *)&six,
				   .ai_addrlen = sizeof(six),
				   .ai_next = &third };
	struct addrinfo first = { .ai_family = AF_INET,
				  .ai_addr = (void *)&others,
				  .ai_addrlen = sizeof(others),
				  .ai_next = &second };
	struct maui_remote_sockets sockets;
	unsigned missing;
	struct maui_err err;

	inet_pton(AF_INET6, "::1", &six.sin6_addr);
	inet_pton(AF_INET, "192.0.2.1", &others.sin_addr);
	inet_pton(AF_INET, "127.0.0.1", &four.sin_addr);
	missing = has_address((void *)&six, sizeof(six)) ? 0 : 1;
	cr_assert(maui_remote_listen_at(&first, NULL, &sockets, &err) == -1);
	cr_expect_str_eq(err.text, "", "another machine's address is no error");
	cr_expect(maui_remote_is_local(&sockets));
	for (unsigned i = 0; i < sockets.count; i++) {
		struct sockaddr_storage own;
		socklen_t size = sizeof(own);

		cr_assert(getsockname(sockets.fds[i], (void *)&own, &size) == 0);
		cr_expect(accepts((void *)&own, size));
	}
	cr_expect_eq(sockets.count, 2 - missing);
	maui_remote_close_sockets(&sockets);
	third.ai_addr = first.ai_addr;
	cr_expect(maui_remote_listen_at(&third, NULL, &sockets, &err) == -1 && sockets.count == 0);
	cr_expect_str_eq(err.text, "cannot listen on port 0 of 192.0.2.1: "
				   "Cannot assign requested address");
}

/* Addresses 127.0.1.1, 127.0.1.2 ... as of one name. */
static void name_addresses(struct sockaddr_in *ret_in, struct addrinfo *ret, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		ret_in[i] = (struct sockaddr_in){ .sin_family = AF_INET,
						  .sin_port = htons(port),
						  .sin_addr = { htonl(0x7f000101 + i) } };
		ret[i] = (struct addrinfo){ .ai_family = AF_INET,
					    .ai_addr = (void *)&ret_in[i],
					    .ai_addrlen = sizeof(ret_in[i]),
					    .ai_next = i + 1 < count ? &ret[i + 1] : NULL };
	}
}

static void expect_answer_at(const char *host)
{
	struct maui_query_remote_hosts to = { .hosts = &host,
					      .count = 1,
					      .port = port,
					      .server = SERVER,
					      .auth = auth_of(&ann_auth) };
	struct maui_query_error error = { 0 };
	json_object *result = maui_client_ask_remote(&to, "who", NULL, &error);

	cr_expect(result, "%s: %s", host, error.err.text);
	json_object_put(result);
}

/* What is open stays open, and is not opened a second time. */
Test(remote, an_address_that_is_free_later_is_opened_beside_the_others)
{
	struct sockaddr_in in[3];
	struct addrinfo addresses[3];
	struct maui_remote_sockets sockets, more, taken;
	struct maui_err err;
	char expected[200];

	begin(0); /* it draws a port */
	name_addresses(in, addresses, 2);
	addresses[1].ai_next = &addresses[2]; /* files of hosts may name an address twice */
	addresses[2] = addresses[0];
	addresses[2].ai_next = NULL;
	cr_assert(maui_remote_listen("127.0.1.2", port, NULL, &taken, &err) == 0);
	cr_expect(maui_remote_listen_at(addresses, NULL, &sockets, &err) == -1);
	snprintf(expected, sizeof(expected),
		 "cannot listen on port %u of 127.0.1.2: Address already in use", port);
	cr_expect_str_eq(err.text, expected);
	cr_assert_eq(sockets.count, 1);
	maui_remote_add(remote, &sockets);
	expect_answer_at("127.0.1.1");

	maui_remote_close_sockets(&taken);
	cr_expect(maui_remote_listen_at(addresses, maui_remote_open(remote), &more, &err) == 0);
	cr_expect_str_eq(err.text, "");
	cr_assert_eq(more.count, 1);
	maui_remote_add(remote, &more);
	expect_answer_at("127.0.1.2");
	expect_answer_at("127.0.1.1");
	expect_answer_at("127.0.0.1");
	cr_expect(maui_remote_listen_at(addresses, maui_remote_open(remote), &more, &err) == 0 &&
		  more.count == 0);
	end();
}

Test(remote, an_address_beyond_the_most_is_named)
{
	enum { COUNT = MAUI_REMOTE_MAX_ADDRESSES + 1 };
	struct sockaddr_in in[COUNT];
	struct addrinfo addresses[COUNT];
	struct maui_remote_sockets sockets;
	struct maui_err err;

	port = 0;
	name_addresses(in, addresses, COUNT);
	cr_expect(maui_remote_listen_at(addresses, NULL, &sockets, &err) == -1);
	cr_expect_eq(sockets.count, MAUI_REMOTE_MAX_ADDRESSES);
	cr_expect_str_eq(err.text, "cannot listen on port 0 of 127.0.1.9: "
				   "8 other addresses are open, which is the most");
	maui_remote_close_sockets(&sockets);
}

Test(remote, each_address_that_cannot_be_opened_is_named)
{
	struct sockaddr_in in[3];
	struct addrinfo addresses[3];
	struct maui_remote_sockets sockets, taken[2];
	struct maui_err err;

	begin(0);
	name_addresses(in, addresses, 3);
	cr_assert(maui_remote_listen("127.0.1.1", port, NULL, &taken[0], &err) == 0);
	cr_assert(maui_remote_listen("127.0.1.3", port, NULL, &taken[1], &err) == 0);
	cr_expect(maui_remote_listen_at(addresses, NULL, &sockets, &err) == -1);
	cr_expect(strstr(err.text, "of 127.0.1.1: Address already in use, "
				   "of 127.0.1.3: Address already in use"),
		  "%s", err.text);
	maui_remote_close_sockets(&sockets);
	for (int i = 0; i < 2; i++)
		maui_remote_close_sockets(&taken[i]);
	end();
}

/* ---- which address a failure is told of ---- */

/* Addresses: 127.0.0.1, which is busy, 127.0.1.1, at which nobody listens, and one of a family that
 * this machine does not have. */
enum { BUSY, CLOSED, IMPOSSIBLE, KINDS };

static int failure_of(int first, int second)
{
	struct sockaddr_in in[2];
	struct addrinfo list[2];
	const int kinds[2] = { first, second };

	name_addresses(in, list, 2);
	for (int i = 0; i < 2; i++) {
		in[i].sin_addr.s_addr = htonl(kinds[i] == BUSY ? INADDR_LOOPBACK : 0x7f000101);
		if (kinds[i] == IMPOSSIBLE)
			list[i].ai_family = AF_MAX;
	}
	cr_expect(maui_client_connect(list, maui_monotonic_ms() + 200) == -1);
	return errno;
}

Test(remote, a_busy_address_is_told_of_before_others_and_else_the_first)
{
	static const int expected[KINDS][KINDS] = {
		[BUSY] = { ETIMEDOUT, ETIMEDOUT, ETIMEDOUT },
		[CLOSED] = { ETIMEDOUT, ECONNREFUSED, ECONNREFUSED },
		[IMPOSSIBLE] = { ETIMEDOUT, EAFNOSUPPORT, EAFNOSUPPORT },
	};
	struct maui_query_stream silent[2];

	begin_port(0);
	fill_backlog(silent);
	for (int first = 0; first < KINDS; first++)
		for (int second = 0; second < KINDS; second++)
			cr_expect_eq(failure_of(first, second), expected[first][second],
				     "%d, then %d: %s", first, second,
				     strerror(failure_of(first, second)));
	for (int i = 0; i < 2; i++)
		maui_stream_close(&silent[i]);
	maui_remote_close_sockets(&remote_options.sockets);
	maui_query_stop(server);
}
