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
