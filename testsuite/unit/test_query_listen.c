/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_query_listen.c - the query socket's place: made, taken over, refused */
#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "query/path.h"
#include "query/server_private.h"
#include "scratch.h"

TestSuite(listen, .init = scratch_enter, .fini = scratch_leave);

static char path[128];

static const char *in(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	return path;
}

static int attempt(const char *where, struct maui_err *err)
{
	struct maui_query_listener l;
	int rc = maui_query_listen(&l, where, err);

	maui_query_unlisten(&l);
	return rc;
}

static void expect_refused(const char *where, const char *says)
{
	struct maui_err err = { .text = "" };

	cr_expect(attempt(where, &err) == -1, "%s: accepted", where);
	cr_expect(strstr(err.text, says), "%s: says '%s'", where, err.text);
}

Test(listen, makes_directory_and_socket_for_everybody)
{
	struct maui_query_listener l;
	struct maui_err err = { .text = "" };
	struct stat st;
	mode_t before = umask(0077);

	cr_assert(maui_query_listen(&l, in("d/socket"), &err) == 0, "%s", err.text);
	umask(before);
	cr_expect(stat("d", &st) == 0 && (st.st_mode & 07777) == 0755, "mode %o", st.st_mode);
	cr_expect(lstat("d/socket", &st) == 0 && S_ISSOCK(st.st_mode) &&
			  (st.st_mode & 07777) == 0666,
		  "mode %o", st.st_mode);
	maui_query_unlisten(&l);
	cr_expect(!exists("d/socket"));
}

Test(listen, a_stale_socket_is_replaced)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "d/socket" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct maui_err err = { .text = "" };

	mkdir("d", 0755);
	cr_assert(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	close(fd);
	cr_assert(exists("d/socket"));
	cr_expect(attempt(in("d/socket"), &err) == 0, "%s", err.text);
}

Test(listen, one_that_is_answered_is_not)
{
	struct maui_query_listener l;
	struct maui_err err = { .text = "" };

	cr_assert(maui_query_listen(&l, in("d/socket"), &err) == 0, "%s", err.text);
	expect_refused(in("d/socket"), "another process answers");
	cr_expect(exists("d/socket"), "the other's socket is gone");
	maui_query_unlisten(&l);
}

/* Another file that took the place meanwhile stays. */
Test(listen, only_its_own_socket_is_removed)
{
	struct maui_query_listener l;
	struct maui_err err = { .text = "" };

	cr_assert(maui_query_listen(&l, in("d/socket"), &err) == 0, "%s", err.text);
	unlink("d/socket");
	put("d/socket", "another's");
	maui_query_unlisten(&l);
	cr_expect(exists("d/socket"));
}

Test(listen, never_through_a_link)
{
	mkdir("real", 0755);
	cr_assert(symlink("real", "d") == 0);
	expect_refused(in("d/socket"), "cannot open the directory");
	cr_expect(!exists("real/socket"));
	put("target", "x");
	cr_assert(symlink("../target", "real/socket") == 0);
	expect_refused(in("real/socket"), "not a socket: not touched");
	expect_content("target", "x");
	cr_expect(unlink("real/socket") == 0 && symlink("../nowhere", "real/socket") == 0);
	expect_refused(in("real/socket"), "not a socket: not touched");
	cr_expect(!exists("nowhere"));
}

Test(listen, a_file_is_no_socket)
{
	mkdir("d", 0755);
	put("d/socket", "data");
	expect_refused(in("d/socket"), "not a socket: not touched");
	expect_content("d/socket", "data");
}

Test(listen, a_directory_of_others_is_refused)
{
	mkdir("d", 0755);
	cr_assert(chmod("d", 0777) == 0);
	expect_refused(in("d/socket"), "users other than its owner may write");
	cr_assert(chmod("d", 0775) == 0);
	expect_refused(in("d/socket"), "users other than its owner may write");
	if (geteuid() != 0)
		return;
	cr_assert(chmod("d", 0755) == 0 && chown("d", 12345, 0) == 0);
	expect_refused(in("d/socket"), "belongs to user 12345");
}

Test(listen, paths_that_are_none)
{
	char text[200];

	expect_refused("socket", "absolute");
	expect_refused("/socket", "in a directory of its own");
	expect_refused(in("d/"), "absolute");
	expect_refused(in("d/.."), "absolute");
	expect_refused(in("no/such/socket"), "cannot open the directory");
	memset(text, 'x', sizeof(text));
	text[0] = '/';
	text[108] = '\0';
	expect_refused(text, "at most 107 bytes, this one has 108");
	text[107] = '\0';
	expect_refused(text, "absolute"); /* its length is fine */
}

Test(listen, the_place_follows_slurm_conf)
{
	struct maui_err err = { .text = "" };
	char *found, *expected, pid[128], state[128];
	uid_t me = geteuid();

	mkdir("run", 0755);
	snprintf(pid, sizeof(pid), "%s/run/slurmctld.pid", scratch);
	snprintf(state, sizeof(state), "%s/state//", scratch);
	found = maui_query_path(pid, state, me, &err);
	cr_expect(found && !strcmp(found, in("run/maui.query/socket")), "%s", found);
	free(found);
	/* somebody else's directory: /run */
	found = maui_query_path(pid, state, me + 1, &err);
	expected = strdup(in("state/maui.query/socket"));
	cr_expect(found && !strcmp(found, expected), "%s", found);
	free(found);
	found = maui_query_path(NULL, state, me, &err);
	cr_expect(found && !strcmp(found, expected), "%s", found);
	free(found);
	free(expected);
	cr_expect(!maui_query_path("x.pid", "", me, &err) && strstr(err.text, "QUERYSOCKET"));
}

Test(listen, who_is_kept_out_is_told)
{
	char *dir = NULL;

	mkdir("state", 0700);
	mkdir("state/q", 0755);
	chmod(scratch, 0755);
	cr_expect(!maui_query_path_is_open(in("state/q/socket"), &dir));
	cr_expect(dir && strstr(dir, "/state") && !strstr(dir, "/q"), "%s", dir);
	free(dir);
	chmod("state", 0711);
	cr_expect(maui_query_path_is_open(in("state/q/socket"), &dir) && !dir);
}
