/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_query_server.c - the query server and clients who mean no good
 *
 * Rules: CMD-10.
 */
#include "query/server.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"

/* Much more than any answer takes on a loaded machine; what is waited for to happen is shorter. */
enum { PATIENCE_MS = 30000 };

static json_object *echo(const struct maui_query_call *call, struct maui_query_error *error)
{
	json_object *result;
	int64_t size, slow_ms, lists;

	if (maui_message_number(call->args, "size", 0, &size, error) ||
	    maui_message_number(call->args, "lists", 0, &lists, error) ||
	    maui_message_number(call->args, "slow_ms", 0, &slow_ms, error))
		return NULL;
	poll(NULL, 0, (int)slow_ms);
	if (size < 0) {
		maui_query_fail(error, MAUI_QUERY_NOT_FOUND, "as you wish");
		return NULL;
	}
	result = json_object_new_object();
	if (size > 0) {
		char *text = malloc((size_t)size + 1);

		memset(text, 'x', (size_t)size);
		text[size] = '\0';
		json_object_object_add(result, "text", json_object_new_string(text));
		free(text);
	}
	if (lists > 0) {
		json_object *all = json_object_new_array(), *empty = json_object_new_array();

		for (int64_t i = 0; i < lists; i++)
			json_object_array_add(all, json_object_get(empty));
		json_object_put(empty);
		json_object_object_add(result, "lists", all);
	}
	json_object_object_add(result, "uid", json_object_new_int64(call->peer.uid));
	json_object_object_add(result, "time",
			       json_object_new_int64(*(const int64_t *)call->published));
	return result;
}

static const struct maui_query_verb verbs[] = { { "echo", echo, NULL }, { "change", NULL, NULL } };

/* What is published: a number, and how many hold it. */
struct value {
	int64_t number;
	int refs; /* atomic */
};

static int values; /* that somebody holds; atomic */

static void ref_value(void *published)
{
	struct value *value = published;

	__atomic_add_fetch(&value->refs, 1, __ATOMIC_RELAXED);
}

static void unref_value(void *published)
{
	struct value *value = published;

	if (__atomic_sub_fetch(&value->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	free(value);
	__atomic_sub_fetch(&values, 1, __ATOMIC_RELAXED);
}

static struct value *new_value(int64_t number)
{
	struct value *value = malloc(sizeof(*value));

	*value = (struct value){ .number = number, .refs = 1 };
	__atomic_add_fetch(&values, 1, __ATOMIC_RELAXED);
	return value;
}

/* Negative numbers know no user. */
static bool knows_user(const void *published, uid_t uid)
{
	(void)uid;
	return ((const struct value *)published)->number >= 0;
}

static const struct maui_query_service service = { .verbs = verbs,
						   .verb_count = 2,
						   .ref = ref_value,
						   .unref = unref_value,
						   .knows = knows_user };

static int wake_pipe[2];

static void wake(void *arg)
{
	(void)arg;
	cr_assert(write(wake_pipe[1], "", 1) == 1);
}

static struct maui_query_server *begin(struct maui_query_options options, bool published)
{
	struct maui_query_server *server;
	struct maui_err err = { .text = "" };

	cr_assert(pipe(wake_pipe) == 0);
	options.service = &service;
	options.wake = wake;
	server = maui_query_start(&options, &err);
	cr_assert(server, "%s", err.text);
	if (published)
		maui_query_publish(server, new_value(77));
	return server;
}

static int connected(struct maui_query_server *server)
{
	int ends[2];

	cr_assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	maui_query_adopt(server, ends[1], NULL);
	return ends[0];
}

/* Sends as much as possible; a closed connection is no error here. */
static void tell(int fd, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);

		if (sent < 0)
			return;
		text += sent;
		length -= (size_t)sent;
	}
}

/* Up to a line's end, or the end. */
static char *hear(int fd)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };
	size_t length = 0, alloc = 1 << 16;
	char *text = malloc(alloc);

	for (;;) {
		ssize_t got;

		cr_assert(poll(&one, 1, PATIENCE_MS) == 1, "no answer in time");
		if (length + 1 >= alloc)
			text = realloc(text, alloc *= 2);
		got = recv(fd, text + length, 1, 0);
		if (got <= 0 || text[length] == '\n')
			break;
		length++;
	}
	text[length] = '\0';
	return text;
}

static void expect_line(int fd, const char *part)
{
	char *line = hear(fd);

	cr_expect(strstr(line, part), "no '%s' in '%.200s'", part, line);
	free(line);
}

static void ask(int fd, const char *line)
{
	tell(fd, line, strlen(line));
}

#define ECHO   "{\"version\":1,\"verb\":\"echo\"}\n"
#define CHANGE "{\"version\":1,\"verb\":\"change\",\"args\":{\"a\":1}}\n"

/* Somebody else, meanwhile. */
static void expect_served(struct maui_query_server *server)
{
	int fd = connected(server);

	ask(fd, ECHO);
	expect_line(fd, "\"time\":77");
	close(fd);
}

Test(server, answers_from_what_is_published)
{
	struct maui_query_server *server = begin((struct maui_query_options){ 0 }, false);
	int fd = connected(server);
	char uid[32];

	ask(fd, ECHO);
	expect_line(fd, "planned nothing yet");
	maui_query_publish(server, new_value(77));
	ask(fd, ECHO);
	snprintf(uid, sizeof(uid), "\"uid\":%u,\"time\":77", (unsigned)getuid());
	expect_line(fd, uid);
	maui_query_publish(server, new_value(78));
	ask(fd, ECHO ECHO);
	expect_line(fd, "\"time\":78");
	expect_line(fd, "\"time\":78");
	close(fd);
	maui_query_stop(server);
	cr_expect(__atomic_load_n(&values, __ATOMIC_RELAXED) == 0, "%d values are held", values);
}

static void look_up(uid_t uid, void *arg)
{
	*(uid_t *)arg = uid;
}

Test(server, a_user_who_is_not_known_asks_again)
{
	uid_t met = getuid() + 1;
	struct maui_query_server *server =
		begin((struct maui_query_options){ .look_up = look_up, .arg = &met }, false);
	int fd = connected(server);

	maui_query_publish(server, new_value(-1));
	ask(fd, ECHO);
	expect_line(fd, "\"code\":6");
	cr_expect(met == getuid(), "the owner of the value gets the uid of the client");
	maui_query_publish(server, new_value(77));
	ask(fd, ECHO);
	expect_line(fd, "\"time\":77");
	close(fd);
	maui_query_stop(server);
}

Test(server, errors_have_codes)
{
	struct maui_query_server *server = begin((struct maui_query_options){ 0 }, true);
	int fd = connected(server);

	ask(fd, "{\"version\":1,\"verb\":\"echo\",\"args\":{\"size\":-1}}\n");
	expect_line(fd, "\"error\":\"as you wish\",\"code\":5");
	ask(fd, "{\"version\":1,\"verb\":\"echo\",\"args\":{\"size\":\"big\"}}\n");
	expect_line(fd, "\"code\":2");
	ask(fd, "{\"version\":1,\"verb\":\"shutdown\"}\n");
	expect_line(fd, "no verb 'shutdown'");
	ask(fd, "GET / HTTP/1.1\r\n");
	expect_line(fd, "not a request");
	ask(fd, "\n");
	expect_line(fd, "not a request");
	ask(fd, "{\"version\":1,\"verb\":\"echo\"} \r\n");
	expect_line(fd, "\"time\":77");
	tell(fd, "{\"version\":1,\0\"verb\":\"echo\"}\n", 29);
	expect_line(fd, "NUL");
	ask(fd, "{\"version\":1,\"verb\":\"\xff\"}\n");
	expect_line(fd, "not a request");
	close(fd);
	maui_query_stop(server);
}

Test(server, byte_by_byte_is_a_request)
{
	struct maui_query_server *server = begin((struct maui_query_options){ 0 }, true);
	int fd = connected(server);

	for (const char *p = ECHO; *p != '\0'; p++)
		tell(fd, p, 1);
	expect_line(fd, "\"time\":77");
	close(fd);
	maui_query_stop(server);
}

Test(server, an_endless_line_is_refused)
{
	struct maui_query_server *server = begin((struct maui_query_options){ 0 }, true);
	int fd = connected(server);
	char *text = malloc(MAUI_QUERY_MAX_REQUEST * 2);

	memset(text, 'x', MAUI_QUERY_MAX_REQUEST * 2);
	tell(fd, text, MAUI_QUERY_MAX_REQUEST * 2);
	expect_line(fd, "longer than 65536 bytes");
	expect_served(server);
	free(text);
	close(fd);
	maui_query_stop(server);
}

Test(server, deep_nesting_is_refused)
{
	struct maui_query_server *server = begin((struct maui_query_options){ 0 }, true);
	int fd = connected(server);
	char text[20002];

	memset(text, '[', 20000);
	text[20000] = '\n';
	tell(fd, text, 20001);
	expect_line(fd, "not a request: nesting too deep");
	close(fd);
	maui_query_stop(server);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* One byte now and then does not move the deadline, and keeps no other client waiting. */
Test(server, a_slow_loris_is_hung_up_on)
{
	struct maui_query_server *server =
		begin((struct maui_query_options){ .idle_ms = 300 }, true);
	int slow = connected(server), silent = connected(server);
	int64_t since_ms = now_ms();
	char byte;

	while (now_ms() - since_ms < PATIENCE_MS) {
		if (send(slow, "{", 1, MSG_NOSIGNAL) < 0)
			break;
		expect_served(server);
		poll(NULL, 0, 20);
	}
	cr_expect(now_ms() - since_ms >= 300 && now_ms() - since_ms < PATIENCE_MS, "%lld ms",
		  (long long)(now_ms() - since_ms));
	expect_line(silent, "no whole request within");
	cr_expect(recv(silent, &byte, 1, 0) == 0);
	close(slow);
	close(silent);
	maui_query_stop(server);
}

/* Asks for much and reads nothing: the deadline comes, others are served, memory is bounded. */
/* The answer took longer than a client may wait: it is sent once, and other requests are
 * answered. */
Test(server, a_slow_answer_is_the_only_one)
{
	const struct maui_query_options options = { .idle_ms = 100 };
	struct maui_query_server *server = begin(options, true);
	int one = connected(server), other = connected(server), late;
	char *rest;

	ask(one, "{\"version\":1,\"verb\":\"echo\",\"args\":{\"slow_ms\":500}}\n");
	poll(NULL, 0, 50); /* it is at it, most likely */
	ask(other, ECHO);
	late = connected(server);
	ask(late, ECHO);
	expect_line(one, "\"result\":{");
	expect_line(other, "\"time\":77");
	expect_line(late, "\"time\":77");
	rest = hear(one);
	cr_expect_str_eq(rest, "", "a second answer");
	free(rest);
	close(one);
	close(other);
	close(late);
	maui_query_stop(server);
}

/* A socket has the credentials of the moment when it is made. */
static int connected_as(struct maui_query_server *server, uid_t uid)
{
	int fd, ends[2];

	cr_assert(seteuid(uid) == 0);
	cr_assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	cr_assert(seteuid(0) == 0);
	fd = ends[0];
	maui_query_adopt(server, ends[1], NULL);
	return fd;
}

Test(server, who_does_not_read_is_hung_up_on)
{
	struct maui_query_options options = { .idle_ms = 500, .max_pending = 3000000 };
	struct maui_query_server *server = begin(options, true);
	int greedy = connected(server), second;

	ask(greedy, "{\"version\":1,\"verb\":\"echo\",\"args\":{\"size\":2000000}}\n");
	second = connected(server);
	poll(NULL, 0, 100); /* the first answer is under way */
	ask(second, "{\"version\":1,\"verb\":\"echo\",\"args\":{\"size\":2000000}}\n");
	expect_line(second, "too many answers are under way");
	expect_served(server);
	poll(NULL, 0, 700);
	ask(second, "{\"version\":1,\"verb\":\"echo\",\"args\":{\"size\":2000000}}\n");
	close(second);
	second = connected(server);
	ask(second, "{\"version\":1,\"verb\":\"echo\",\"args\":{\"size\":2000000}}\n");
	expect_line(second, "xxxxx");
	close(second);
	close(greedy);
	maui_query_stop(server);
}

/* A user whose connections do not read leaves memory to other users and to root. */
Test(server, unread_answers_of_a_user_are_bounded)
{
	static const char large[] =
		"{\"version\":1,\"verb\":\"echo\",\"args\":{\"size\":900000}}\n";
	struct maui_query_options options = { .max_pending = 4000000, .idle_ms = 60000 };
	struct maui_query_server *server = begin(options, true);
	int greedy[4], other, more;

	for (int i = 0; i < 4; i++) {
		greedy[i] = connected_as(server, 1001);
		ask(greedy[i], large);
		poll(NULL, 0, 100); /* the answer is under way */
	}
	other = connected_as(server, 1002);
	ask(other, large);
	expect_line(other, "xxxxx");
	more = connected_as(server, 1001);
	ask(more, large);
	expect_line(more, "too many answers are under way");
	expect_served(server);
	for (int i = 0; i < 4; i++)
		close(greedy[i]);
	close(other);
	close(more);
	maui_query_stop(server);
}

Test(server, connections_are_bounded)
{
	struct maui_query_options options = {
		.max_connections = 8, .max_per_user = 3, .kept_free = 2, .silent_ms = PATIENCE_MS
	};
	struct maui_query_server *server = begin(options, true);
	int fds[9];

	for (int i = 0; i < 8; i++) {
		fds[i] = connected(server);
		ask(fds[i], ECHO);
		expect_line(fds[i], "\"time\":77");
	}
	fds[8] = connected(server);
	expect_line(fds[8], "too many connections");
	close(fds[8]);
	close(fds[0]);
	/* the place is free as soon as the server has looked */
	for (int i = 0; i < 200; i++) {
		char *line;
		bool served;

		fds[0] = connected(server);
		ask(fds[0], ECHO);
		line = hear(fds[0]);
		served = strstr(line, "\"time\"");
		free(line);
		if (served)
			break;
		close(fds[0]);
		cr_assert(i < 199, "never served again");
		poll(NULL, 0, 20);
	}
	for (int i = 0; i < 8; i++)
		close(fds[i]);
	maui_query_stop(server);
}

static void expect_as(int fd, const char *part)
{
	ask(fd, ECHO);
	expect_line(fd, part);
}

/* One user cannot keep others out, all users together cannot keep root out. */
Test(server, a_users_connections_are_bounded)
{
	struct maui_query_options options = {
		.max_connections = 8, .max_per_user = 3, .kept_free = 2, .silent_ms = PATIENCE_MS
	};
	struct maui_query_server *server;
	int fds[8];

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	server = begin(options, true);
	for (int i = 0; i < 6; i++) {
		fds[i] = connected_as(server, i < 3 ? 1001 : 1002);
		expect_as(fds[i], i < 3 ? "\"uid\":1001" : "\"uid\":1002");
		if (i == 2) {
			fds[7] = connected_as(server, 1001);
			expect_as(fds[7], "too many connections of this user");
			close(fds[7]);
		}
	}
	fds[7] = connected_as(server, 1003);
	expect_as(fds[7], "too many connections: try again");
	close(fds[7]);
	fds[6] = connected(server);
	expect_as(fds[6], "\"uid\":0");
	for (int i = 0; i < 7; i++)
		close(fds[i]);
	maui_query_stop(server);
}

static struct maui_query_change *taken(struct maui_query_server *server)
{
	struct pollfd one = { .fd = wake_pipe[0], .events = POLLIN };
	char byte;

	cr_assert(poll(&one, 1, PATIENCE_MS) == 1 && read(wake_pipe[0], &byte, 1) == 1,
		  "nobody was woken");
	return maui_query_take(server);
}

static int count_answered(const int *fds, int count)
{
	int answered = 0;

	for (int i = 0; i < count; i++) {
		struct pollfd one = { .fd = fds[i], .events = POLLIN };

		answered += poll(&one, 1, 0) == 1;
	}
	return answered;
}

enum { GREEDY = 6 };

/* Those who ask on many connections at once, as these users, keep another user waiting for one
 * answer of theirs. */
static void take_turns(const struct maui_query_options *options, const uid_t *users)
{
	static const char slow[] = "{\"version\":1,\"verb\":\"echo\",\"args\":{\"slow_ms\":150}}\n";
	struct maui_query_server *server;
	int greedy[GREEDY], other, answered;

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	server = begin(*options, true);
	for (int i = 0; i < GREEDY; i++)
		greedy[i] = connected_as(server, users[i]);
	other = connected_as(server, 1002);
	ask(other, ECHO);
	expect_line(other, "\"uid\":1002"); /* all are known */
	for (int i = 0; i < GREEDY; i++)
		ask(greedy[i], slow);
	poll(NULL, 0, 50); /* the first answer is being made */
	ask(other, ECHO);
	expect_line(other, "\"uid\":1002");
	answered = count_answered(greedy, GREEDY);
	cr_expect(answered <= 2, "%d answers of one user came first", answered);
	for (int i = 0; i < GREEDY; i++) {
		expect_line(greedy[i], "\"uid\":");
		close(greedy[i]);
	}
	close(other);
	maui_query_stop(server);
}

Test(server, users_take_turns)
{
	take_turns(&(struct maui_query_options){ 0 },
		   (const uid_t[GREEDY]){ 1001, 1001, 1001, 1001, 1001, 1001 });
}

/* ---- subordinate ids of one user ---- */

enum { NEW_USER = 2000 };

static enum maui_query_naming get_naming(uid_t uid, void *arg)
{
	(void)arg;
	return uid == NEW_USER ? MAUI_QUERY_NOT_LOOKED_UP :
	       uid < 100000    ? MAUI_QUERY_NAMED :
				 MAUI_QUERY_WITHOUT_NAME;
}

Test(server, ids_without_a_name_have_one_turn)
{
	take_turns(&(struct maui_query_options){ .naming = get_naming },
		   (const uid_t[GREEDY]){ 100001, 100002, 100003, 100004, 100005, 100006 });
}

Test(server, ids_without_a_name_have_the_places_of_one_user)
{
	const struct maui_query_options options = { .naming = get_naming };
	struct maui_query_server *server;
	int fds[MAUI_QUERY_MAX_PER_USER + 1], named;

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	server = begin(options, true);
	for (unsigned i = 0; i <= MAUI_QUERY_MAX_PER_USER; i++)
		fds[i] = connected_as(server, 100000 + i);
	expect_line(fds[MAUI_QUERY_MAX_PER_USER], "too many connections of users without a name");
	named = connected_as(server, 1001);
	ask(named, ECHO);
	expect_line(named, "\"uid\":1001");
	ask(fds[0], ECHO);
	expect_line(fds[0], "\"uid\":100000");
	close(named);
	for (unsigned i = 0; i <= MAUI_QUERY_MAX_PER_USER; i++)
		close(fds[i]);
	maui_query_stop(server);
}

/* Such a user may have a name. */
Test(server, a_user_not_looked_up_yet_has_a_place_beside_ids_without_a_name)
{
	const struct maui_query_options options = { .naming = get_naming };
	struct maui_query_server *server;
	int fds[MAUI_QUERY_MAX_PER_USER], newcomer;

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	server = begin(options, true);
	for (unsigned i = 0; i < MAUI_QUERY_MAX_PER_USER; i++)
		fds[i] = connected_as(server, 100000 + i);
	newcomer = connected_as(server, NEW_USER);
	ask(newcomer, ECHO);
	expect_line(newcomer, "\"uid\":2000");
	close(newcomer);
	for (unsigned i = 0; i < MAUI_QUERY_MAX_PER_USER; i++)
		close(fds[i]);
	maui_query_stop(server);
}

Test(server, ids_without_a_name_have_the_changes_of_one_user)
{
	const struct maui_query_options options = { .naming = get_naming, .max_per_user = 2 };
	struct maui_query_server *server;
	struct maui_query_change *left[2];
	int fds[2], named;

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	server = begin(options, true);
	for (int i = 0; i < 2; i++) {
		fds[i] = connected_as(server, 100000 + (uid_t)i);
		ask(fds[i], CHANGE);
		maui_query_answer(server, taken(server), json_object_new_object(), NULL);
		expect_line(fds[i], "result");
		ask(fds[i], CHANGE);
		left[i] = taken(server);
	}
	named = connected_as(server, 1001);
	ask(named, CHANGE);
	maui_query_answer(server, taken(server), json_object_new_object(), NULL);
	expect_line(named, "result");
	close(fds[0]);
	close(named);
	poll(NULL, 0, 100); /* the connection's place is free, but its change still counts */
	fds[0] = connected_as(server, 100007);
	ask(fds[0], CHANGE);
	expect_line(fds[0], "2 changes of this user wait already");
	for (int i = 0; i < 2; i++)
		maui_query_answer(server, left[i], json_object_new_object(), NULL);
	close(fds[0]);
	close(fds[1]);
	maui_query_stop(server);
}

/* Silent connections of many users give their places up to who has something to ask. */
Test(server, who_is_silent_makes_room)
{
	struct maui_query_options options = {
		.max_connections = 8, .max_per_user = 3, .kept_free = 2, .silent_ms = 50
	};
	struct maui_query_server *server;
	int fds[6], other;

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	server = begin(options, true);
	for (int i = 0; i < 6; i++)
		fds[i] = connected_as(server, 1001 + (uid_t)i / 3);
	tell(fds[0], "{", 1); /* a part of a request is none */
	poll(NULL, 0, 200);
	other = connected_as(server, 1003);
	expect_as(other, "\"uid\":1003");
	expect_line(fds[0], "too many connections: try again");
	close(other);
	for (int i = 0; i < 6; i++)
		close(fds[i]);
	maui_query_stop(server);
}

/* Many users who ask for long answers keep root waiting for one of them. */
Test(server, root_is_first)
{
	static const char slow[] = "{\"version\":1,\"verb\":\"echo\",\"args\":{\"slow_ms\":100}}\n";
	enum { USERS = 12 };
	struct maui_query_options options = { 0 };
	struct maui_query_server *server;
	int users[USERS], root, answered;

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	server = begin(options, true);
	for (int i = 0; i < USERS; i++)
		users[i] = connected_as(server, 1001 + (uid_t)i);
	root = connected_as(server, 0);
	ask(root, ECHO);
	expect_line(root, "\"uid\":0"); /* all are known */
	for (int i = 0; i < USERS; i++)
		ask(users[i], slow);
	poll(NULL, 0, 50); /* the first answer is being made */
	answered = -count_answered(users, USERS);
	ask(root, ECHO);
	expect_line(root, "\"uid\":0");
	answered += count_answered(users, USERS);
	cr_expect(answered <= 2, "%d answers to others came first", answered);
	for (int i = 0; i < USERS; i++) {
		expect_line(users[i], "\"uid\":10");
		close(users[i]);
	}
	close(root);
	maui_query_stop(server);
}

/* Reads a long line in large parts, as commands do. Returns its length. */
static size_t hear_long(int fd)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };
	static char part[1 << 16];
	size_t length = 0;
	ssize_t got;

	do {
		cr_assert(poll(&one, 1, PATIENCE_MS) == 1, "no answer in time");
		got = recv(fd, part, sizeof(part), 0);
		cr_assert(got > 0, "hung up after %zu bytes", length);
		length += (size_t)got;
	} while (part[got - 1] != '\n');
	return length;
}

/* A command would not read it, and could not say why. */
Test(server, an_answer_of_more_parts_than_commands_read_is_refused)
{
	struct maui_query_server *server = begin((struct maui_query_options){ 0 }, true);
	const int most = MAUI_QUERY_MAX_ANSWER_PARENTS - 3; /* the message, the result, the list */
	int fd = connected(server);
	char request[100];

	snprintf(request, sizeof(request),
		 "{\"version\":1,\"verb\":\"echo\",\"args\":{\"lists\":%d}}\n", most + 1);
	ask(fd, request);
	expect_line(fd, "\"the answer has more than 2097152 lists and objects: ask for less\"");
	snprintf(request, sizeof(request),
		 "{\"version\":1,\"verb\":\"echo\",\"args\":{\"lists\":%d}}\n", most);
	ask(fd, request);
	cr_expect(hear_long(fd) > 3 * (size_t)most);
	close(fd);
	maui_query_stop(server);
}

/* A socket takes a fifth of a megabyte at once: others are not answered between these parts. */
Test(server, root_reads_a_long_answer_without_waiting_for_others)
{
	static const char slow[] = "{\"version\":1,\"verb\":\"echo\",\"args\":{\"slow_ms\":100}}\n";
	static const char large[] =
		"{\"version\":1,\"verb\":\"echo\",\"args\":{\"size\":4000000}}\n";
	enum { USERS = 12 };
	struct maui_query_options options = { 0 };
	struct maui_query_server *server;
	int users[USERS], root, answered;

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	server = begin(options, true);
	for (int i = 0; i < USERS; i++)
		users[i] = connected_as(server, 1001 + (uid_t)i);
	root = connected_as(server, 0);
	ask(root, ECHO);
	expect_line(root, "\"uid\":0"); /* all are known */
	for (int i = 0; i < USERS; i++)
		ask(users[i], slow);
	poll(NULL, 0, 50); /* the first answer is being made */
	answered = -count_answered(users, USERS);
	ask(root, large);
	cr_expect(hear_long(root) > 4000000);
	answered += count_answered(users, USERS);
	cr_expect(answered <= 6, "%d answers to others came first", answered);
	/* a client of root that does not read keeps others waiting for a moment only */
	ask(root, large);
	for (int i = 0; i < USERS; i++) {
		expect_line(users[i], "\"uid\":10");
		close(users[i]);
	}
	close(root);
	maui_query_stop(server);
}

/* A connection through the kernel's queue, as this user; -1: the queue is full. */
static int connect_as(const char *path, uid_t uid)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), rc;

	strcpy(address.sun_path, path);
	/* of this thread alone, unlike seteuid() */
	cr_assert(syscall(SYS_setresuid, -1, uid, -1) == 0);
	rc = connect(fd, (struct sockaddr *)&address, sizeof(address));
	cr_assert(syscall(SYS_setresuid, -1, 0, -1) == 0);
	if (rc) {
		close(fd);
		return -1;
	}
	fcntl(fd, F_SETFL, 0);
	return fd;
}

/* Others who connect again and again keep root waiting for one answer, too. */
Test(server, root_is_accepted_soon)
{
	static const char slow[] = "{\"version\":1,\"verb\":\"echo\",\"args\":{\"slow_ms\":100}}\n";
	enum { USERS = 12, STORM = 120 };
	char dir[] = "/tmp/test-query.XXXXXX", path[64];
	int users[USERS], storm[STORM], root, answered;
	struct maui_query_server *server;

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	cr_assert(mkdtemp(dir) && chmod(dir, 0755) == 0);
	snprintf(path, sizeof(path), "%s/q/socket", dir);
	server = begin((struct maui_query_options){ .path = path }, true);
	for (int i = 0; i < USERS; i++)
		users[i] = connected_as(server, 1001 + (uid_t)i);
	expect_served(server); /* all are known */
	for (int i = 0; i < USERS; i++)
		ask(users[i], slow);
	poll(NULL, 0, 50); /* the first answer is being made */
	answered = -count_answered(users, USERS);
	for (int i = 0; i < STORM; i++)
		storm[i] = connect_as(path, 1001);
	root = connect_as(path, 0);
	cr_assert(root >= 0);
	ask(root, ECHO);
	expect_line(root, "\"uid\":0");
	answered += count_answered(users, USERS);
	cr_expect(answered <= 3, "%d answers to others came first", answered);
	for (int i = 0; i < USERS; i++)
		close(users[i]);
	for (int i = 0; i < STORM; i++)
		close(storm[i]);
	close(root);
	maui_query_stop(server);
	path[strlen(dir) + 2] = '\0';
	cr_expect(rmdir(path) == 0 && rmdir(dir) == 0);
}

/* A user who hangs up frees connections, but not the changes that were taken. */
Test(server, a_users_changes_are_bounded)
{
	struct maui_query_options options = { .max_per_user = 2 };
	struct maui_query_change *changes[2], *of_root;
	struct maui_query_server *server;
	int fd, root;

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	server = begin(options, true);
	for (int i = 0; i < 2; i++) {
		fd = connected_as(server, 1001);
		ask(fd, CHANGE);
		changes[i] = taken(server);
		cr_assert(changes[i]);
		close(fd);
	}
	fd = connected_as(server, 1001);
	for (;;) { /* until the server has seen that they are gone */
		char *line;
		bool served;

		ask(fd, ECHO);
		line = hear(fd);
		served = strstr(line, "\"uid\":1001");
		free(line);
		if (served)
			break;
		close(fd);
		poll(NULL, 0, 20);
		fd = connected_as(server, 1001);
	}
	ask(fd, CHANGE);
	expect_line(fd, "2 changes of this user wait already");
	root = connected(server);
	ask(root, CHANGE);
	of_root = taken(server);
	cr_assert(of_root && of_root->peer.uid == 0);
	for (int i = 0; i < 2; i++)
		maui_query_answer(server, changes[i], json_object_new_object(), NULL);
	maui_query_answer(server, of_root, json_object_new_object(), NULL);
	expect_line(root, "result");
	ask(fd, CHANGE);
	maui_query_answer(server, taken(server), json_object_new_object(), NULL);
	expect_line(fd, "result");
	close(fd);
	close(root);
	maui_query_stop(server);
}

/* Until it is in the queue. */
static void ask_change(int fd)
{
	struct pollfd one = { .fd = wake_pipe[0], .events = POLLIN };
	char byte;

	ask(fd, CHANGE);
	cr_assert(poll(&one, 1, PATIENCE_MS) == 1 && read(wake_pipe[0], &byte, 1) == 1,
		  "nobody was woken");
}

/* All users together cannot keep root's changes out. */
Test(server, changes_of_root_have_places)
{
	enum { PLACES = MAUI_QUERY_MAX_CHANGES, USERS = PLACES - MAUI_QUERY_KEPT_FREE };
	struct maui_query_server *server;
	int fds[PLACES + 2];

	if (geteuid() != 0)
		cr_skip_test("only root can be several users");
	server = begin((struct maui_query_options){ 0 }, true);
	for (int i = 0; i < USERS; i++) {
		fds[i] = connected_as(server, (uid_t)(1001 + i / MAUI_QUERY_MAX_PER_USER));
		ask_change(fds[i]);
	}
	fds[PLACES] = connected_as(server, 1099);
	ask(fds[PLACES], CHANGE);
	expect_line(fds[PLACES], "changes wait already: try again");
	for (int i = USERS; i < PLACES; i++) {
		fds[i] = connected(server);
		ask_change(fds[i]);
	}
	fds[PLACES + 1] = connected(server);
	ask(fds[PLACES + 1], CHANGE);
	expect_line(fds[PLACES + 1], "64 changes wait already: try again");
	for (int i = 0; i < PLACES + 2; i++)
		close(fds[i]);
	maui_query_stop(server);
}

Test(server, a_change_waits_for_the_agent)
{
	struct maui_query_server *server = begin((struct maui_query_options){ 0 }, true);
	struct maui_query_change *change;
	struct maui_query_error error;
	int fd = connected(server), other = connected(server);

	ask(fd, CHANGE);
	change = taken(server);
	cr_assert(change && !maui_query_has_changes(server));
	cr_expect(!strcmp(change->verb->name, "change") && change->peer.uid == getuid());
	cr_expect(json_object_get_int(json_object_object_get(change->args, "a")) == 1);
	expect_served(server);
	ask(other, CHANGE);
	maui_query_answer(server, change, json_object_new_object(), NULL);
	expect_line(fd, "{\"version\":1,\"result\":{}}");
	change = taken(server);
	maui_query_fail(&error, MAUI_QUERY_DENIED, "no");
	maui_query_answer(server, change, NULL, &error);
	expect_line(other, "\"error\":\"no\",\"code\":4");
	/* and again on the same connection */
	ask(fd, CHANGE);
	change = taken(server);
	maui_query_answer(server, change, json_object_new_object(), NULL);
	expect_line(fd, "result");
	close(fd);
	close(other);
	maui_query_stop(server);
}

Test(server, a_change_is_given_up_in_time)
{
	struct maui_query_server *server =
		begin((struct maui_query_options){ .change_ms = 200 }, true);
	struct maui_query_change *change;
	int queued = connected(server), taken_late;

	ask(queued, CHANGE);
	expect_line(queued, "nothing was changed");
	cr_expect(!maui_query_has_changes(server), "it is still in the queue");
	close(queued);
	cr_assert(!taken(server));
	taken_late = connected(server);
	ask(taken_late, CHANGE);
	change = taken(server);
	cr_assert(change);
	expect_line(taken_late, "still handles the request");
	maui_query_answer(server, change, json_object_new_object(), NULL); /* to nobody */
	expect_served(server);
	close(taken_late);
	maui_query_stop(server);
}

Test(server, who_leaves_changes_nothing)
{
	struct maui_query_server *server = begin((struct maui_query_options){ 0 }, true);
	int fd = connected(server);

	ask(fd, CHANGE);
	for (int i = 0; !maui_query_has_changes(server); i++) {
		cr_assert(i < PATIENCE_MS / 10);
		poll(NULL, 0, 10);
	}
	close(fd);
	for (int i = 0; maui_query_has_changes(server); i++) {
		cr_assert(i < PATIENCE_MS / 10);
		poll(NULL, 0, 10);
	}
	maui_query_stop(server);
}

Test(server, stops_with_everybody_connected)
{
	struct maui_query_server *server = begin((struct maui_query_options){ 0 }, true);
	int waiting = connected(server), reading = connected(server), greedy = connected(server);
	char byte;

	ask(waiting, CHANGE);
	ask(reading, "{");
	ask(greedy, "{\"version\":1,\"verb\":\"echo\",\"args\":{\"size\":2000000}}\n");
	poll(NULL, 0, 50);
	maui_query_stop(server);
	cr_expect(recv(waiting, &byte, 1, 0) <= 0);
	cr_expect(recv(reading, &byte, 1, 0) <= 0);
	close(waiting);
	close(reading);
	close(greedy);
}

/* Readers and an agent that publishes all the time: for the thread sanitizer, and for what is freed
 * too early. */
Test(server, publishing_meets_answering)
{
	struct maui_query_server *server = begin((struct maui_query_options){ 0 }, true);
	int fd = connected(server);

	for (int i = 0; i < 2000; i++) {
		maui_query_publish(server, new_value(1000000 + i));
		if (i % 10 == 0)
			ask(fd, ECHO);
		if (i % 10 == 9)
			expect_line(fd, "\"time\":1");
	}
	close(fd);
	maui_query_stop(server);
}
