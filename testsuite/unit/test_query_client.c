/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands believe slurmctld's answers only if root or SlurmUser listens at the socket.
 *
 * Rules: CMD-15.
 */
#include <criterion/criterion.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "query/client.h"

enum { NOBODY = 65534, SLURM_USER = 64030 };

static char dir[] = "/tmp/maui-client.XXXXXX", path[64];

/* A process of user NOBODY, or of the one who runs the test, that answers one request. */
static pid_t listen_as(uid_t uid)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	static const char answer[] = "{\"v\":1,\"result\":{\"yes\":true}}\n";
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), one, ready[2];
	char byte = 0, request[1000];
	pid_t pid;

	cr_assert(mkdtemp(dir) && chmod(dir, 0777) == 0 && pipe(ready) == 0);
	snprintf(path, sizeof(path), "%s/socket", dir);
	strcpy(address.sun_path, path);
	pid = fork();
	if (pid == 0) {
		if ((geteuid() == 0 && setuid(uid)) ||
		    bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 1) ||
		    chmod(path, 0666) || write(ready[1], &byte, 1) != 1)
			_exit(1);
		one = accept(fd, NULL, NULL);
		if (read(one, request, sizeof(request)) > 0)
			(void)!write(one, answer, sizeof(answer) - 1);
		_exit(0);
	}
	cr_assert(pid > 0 && read(ready[0], &byte, 1) == 1, "nobody listens");
	close(fd);
	return pid;
}

static void clean_up(pid_t pid)
{
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	unlink(path);
	rmdir(dir);
}

Test(query_client, another_user_is_not_believed)
{
	struct maui_query_error error = { 0 };
	uid_t server = SLURM_USER;
	pid_t pid;

	if (geteuid() != 0)
		cr_skip_test("only root can listen as another user");
	pid = listen_as(NOBODY);
	cr_expect_null(maui_client_ask(path, &server, "queue", NULL, &error));
	cr_expect(strstr(error.err.text, "user 65534 listens there"), "%s", error.err.text);
	cr_expect_eq(error.code, MAUI_QUERY_UNAVAILABLE);
	clean_up(pid);
}

Test(query_client, slurm_user_and_a_named_socket_are)
{
	struct maui_query_error error = { 0 };
	uid_t server = geteuid() == 0 ? NOBODY : geteuid();
	pid_t pid = listen_as(NOBODY);
	json_object *result = maui_client_ask(path, &server, "queue", NULL, &error);

	cr_expect(result, "%s", error.err.text);
	json_object_put(result);
	clean_up(pid);
	strcpy(dir, "/tmp/maui-client.XXXXXX");
	pid = listen_as(NOBODY);
	result = maui_client_ask(path, NULL, "queue", NULL, &error);
	cr_expect(result, "%s", error.err.text);
	json_object_put(result);
	clean_up(pid);
}

/* ---- a full queue ---- */

/* Waits until the process sleeps, and still does a moment later. */
static void wait_until_asleep(pid_t pid)
{
	char name[64], text[512];
	int seen = 0;

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)pid);
	for (int i = 0; i < 500 && seen < 3; i++) {
		FILE *file = fopen(name, "r");
		const char *end;

		usleep(20000);
		cr_assert(file && fgets(text, sizeof(text), file));
		fclose(file);
		end = strrchr(text, ')');
		seen = end && end[2] == 'S' ? seen + 1 : 0;
	}
	cr_assert(seen == 3);
}

static pid_t next_client(int listener)
{
	struct ucred cred = { 0 };
	socklen_t size = sizeof(cred);
	int fd = accept(listener, NULL, NULL);

	cr_assert(fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size) == 0);
	close(fd);
	return cred.pid;
}

/* The queue of a busy server is full most of the time. A command that came first gets the place. */
Test(query_client, who_waits_for_a_full_queue_keeps_the_turn, .timeout = 60)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), first, last;
	pid_t command, later;

	cr_assert(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/socket", dir);
	strcpy(address.sun_path, path);
	cr_assert(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0 &&
		  listen(listener, 0) == 0);
	first = socket(AF_UNIX, SOCK_STREAM, 0);
	cr_assert(connect(first, (struct sockaddr *)&address, sizeof(address)) == 0);
	command = fork();
	if (command == 0) {
		json_object_put(maui_client_ask(path, NULL, "queue", NULL, NULL));
		_exit(0);
	}
	wait_until_asleep(command);
	later = fork();
	if (later == 0) {
		last = socket(AF_UNIX, SOCK_STREAM, 0);
		_exit(connect(last, (struct sockaddr *)&address, sizeof(address)) ? 1 : 0);
	}
	wait_until_asleep(later);
	cr_expect(next_client(listener) == getpid());
	cr_expect(next_client(listener) == command, "a later one has the place");
	cr_expect(next_client(listener) == later);
	close(first);
	waitpid(later, NULL, 0);
	waitpid(command, NULL, 0);
	close(listener);
	unlink(path);
	rmdir(dir);
}
