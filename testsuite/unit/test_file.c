/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_file.c - reads whole files, also from paths that could block or lie */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "base/limits.h"
#include "rows.h"
#include "scratch.h"

TestSuite(file, .init = scratch_enter, .fini = scratch_leave);

/* ---- reading ---- */

struct sized {
	const char *name;
	size_t size;
	size_t max;
	bool fits;
};

static const struct sized sizes[] = {
	{ "empty", 0, 100, true },
	{ "empty, nothing allowed", 0, 0, true },
	{ "one byte too many", 1, 0, false },
	{ "just fits", 100, 100, true },
	{ "one more", 101, 100, false },
	{ "a page", 4096, 4096, true },
	{ "over a page", 4097, 4096, false },
	{ "several pages", 300000, 1 << 20, true },
	{ "no bound", 5000, (size_t)-1, true },
};

TEST_ROWS(file, read_size, sizes, row)
{
	char *data = calloc(row->size + 1, 1), *text = NULL;
	size_t length = 99;
	struct maui_err err = { .text = "" };
	int result;

	memset(data, 'd', row->size);
	put("f", data);
	result = maui_file_read("f", row->max, &text, &length, &err);
	if (row->fits) {
		cr_assert(result == 0, "%s: %s", row->name, err.text);
		cr_expect(length == row->size && !strcmp(text, data), "%s: %zu bytes", row->name,
			  length);
	} else {
		cr_expect(result == -1 && errno == EFBIG, "%s: %d, errno %d", row->name, result,
			  errno);
		cr_expect(!text && length == 99, "%s: results touched", row->name);
		cr_expect(strstr(err.text, "cannot read f: larger than") != NULL, "%s: '%s'",
			  row->name, err.text);
	}
	free(text);
	free(data);
}

Test(file, read_binary)
{
	char data[256 * 3], *text;
	size_t length;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (char)i;
	cr_assert(maui_file_write("f", data, sizeof(data), 0, NULL) == 0, "not written");
	cr_assert(maui_file_read("f", 4096, &text, &length, NULL) == 0, "not read");
	cr_expect(length == sizeof(data) && !memcmp(text, data, length), "not the same bytes");
	cr_expect(text[length] == '\0', "not terminated");
	free(text);
}

/* A file that root replaces keeps its owner: SlurmUser must be able to read it. */
Test(file, the_owner_stays)
{
	struct stat st;

	if (geteuid() != 0)
		cr_skip("only root gives files away");
	cr_assert(maui_file_write("f", "1", 1, 1, NULL) == 0);
	cr_assert(chown("f", 65534, 65534) == 0);
	cr_assert(maui_file_write("f", "2", 1, 1, NULL) == 0);
	cr_assert(stat("f", &st) == 0);
	cr_expect(st.st_uid == 65534 && st.st_gid == 65534, "owner %d", (int)st.st_uid);
}

/* Files of /proc report a size of 0 bytes. */
Test(file, read_of_unknown_size)
{
	char *text;
	size_t length;
	struct maui_err err = { .text = "" };

	cr_assert(maui_file_read("/proc/self/status", 1 << 20, &text, &length, &err) == 0, "%s",
		  err.text);
	cr_expect(length > 100 && strstr(text, "Name:"), "got %zu bytes", length);
	free(text);
	cr_expect(maui_file_read("/proc/self/status", 10, &text, &length, &err) == -1 &&
			  errno == EFBIG,
		  "the bound does not hold");
}

static void make_socket(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "socket" };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	cr_assert(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0, "no socket");
}

struct trap {
	const char *path;
	int expected;
	const char *reason;
};

static const struct trap traps[] = {
	{ "missing", ENOENT, "cannot read missing: No such file or directory" },
	{ "none/f", ENOENT, "No such file or directory" },
	{ "", ENOENT, "No such file or directory" },
	{ "directory", EISDIR, "cannot read directory: Is a directory" },
	{ "file/f", ENOTDIR, "Not a directory" },
	{ "loop", ELOOP, "Too many levels of symbolic links" },
	{ "dangling", ENOENT, "No such file or directory" },
	{ "/dev/zero", EINVAL, "cannot read /dev/zero: neither a file nor a pipe" },
	{ "socket", ENXIO, "cannot read socket" },
};

TEST_ROWS(file, read_trap, traps, row)
{
	char *text = NULL;
	size_t length;
	struct maui_err err = { .text = "" };
	int result;

	put("file", "x");
	cr_assert(mkdir("directory", 0700) == 0 && symlink("loop", "loop") == 0 &&
			  symlink("nowhere", "dangling") == 0,
		  "no traps");
	make_socket();
	result = maui_file_read(row->path, 100, &text, &length, &err);
	cr_expect(result == -1 && errno == row->expected, "'%s': %d, errno %d", row->path, result,
		  errno);
	cr_expect(strstr(err.text, row->reason) != NULL, "'%s': got '%s'", row->path, err.text);
	cr_expect(!text, "'%s': result touched", row->path);
}

Test(file, read_without_permission)
{
	char *text;
	size_t length;

	put("f", "x");
	cr_assert(chmod("f", 0) == 0 && chmod(scratch, 0755) == 0, "no chmod");
	if (geteuid() == 0)
		cr_assert(seteuid(65534) == 0, "cannot become nobody");
	cr_expect(maui_file_read("f", 100, &text, &length, NULL) == -1 && errno == EACCES,
		  "errno %d", errno);
}

/* ---- pipes ---- */

/* A child process opens the fifo and writes `size` bytes; -1: without end. */
static pid_t feed(const char *path, long size)
{
	pid_t pid = fork();
	char bytes[100];
	int fd;

	if (pid)
		return pid;
	signal(SIGPIPE, SIG_DFL);
	memset(bytes, 'p', sizeof(bytes));
	fd = open(path, O_WRONLY);
	while (fd >= 0 && size != 0) {
		long part = size < 0 || size > 100 ? 100 : size;

		if (write(fd, bytes, (size_t)part) != part)
			break;
		size -= size < 0 ? 0 : part;
	}
	_exit(0);
}

struct pipe_size {
	const char *name;
	long size;
	bool fits;
};

static const struct pipe_size pipe_sizes[] = {
	{ "nothing", 0, true },
	{ "a line", 80, true },
	{ "several buffers", 200000, true },
	{ "one too many", 300001, false },
	{ "no end", -1, false },
};

TEST_ROWS(file, read_fifo, pipe_sizes, row)
{
	char *text = NULL;
	size_t length = 0;
	struct maui_err err = { .text = "" };
	int result, saved;
	pid_t pid;

	cr_assert(mkfifo("fifo", 0600) == 0, "no fifo");
	pid = feed("fifo", row->size);
	result = maui_file_read("fifo", 300000, &text, &length, &err);
	saved = errno;
	waitpid(pid, NULL, 0);
	if (row->fits)
		cr_expect(result == 0 && length == (size_t)row->size && text[length] == '\0',
			  "%s: %zu bytes: %s", row->name, length, err.text);
	else
		cr_expect(result == -1 && saved == EFBIG && !text, "%s: %d, errno %d", row->name,
			  result, saved);
	free(text);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void ignore(int signal_number)
{
	(void)signal_number;
}

/* A fifo without a writer must not block the daemon; signals must not shorten the wait. */
Test(file, read_silent_fifo)
{
	struct sigaction action = { .sa_handler = ignore };
	double start = now(), took;
	char *text = NULL;
	size_t length;
	struct maui_err err = { .text = "" };
	int result;

	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	cr_assert(mkfifo("fifo", 0600) == 0, "no fifo");
	result = maui_file_read("fifo", 1000, &text, &length, &err);
	took = now() - start;
	cr_expect(result == -1 && errno == ETIMEDOUT && !text, "%d, errno %d", result, errno);
	cr_expect(took > MAUI_FILE_MAX_WAIT_MS / 1e3 - 0.5, "gave up after %.1f s", took);
	cr_expect(took < MAUI_FILE_MAX_WAIT_MS / 1e3 + 20, "took %.1f s", took);
	cr_expect(strstr(err.text, "incomplete after") != NULL, "got '%s'", err.text);
}

/* As a shell passes it: cmd | maui config check /dev/stdin */
Test(file, read_pipe_by_descriptor)
{
	char path[32], *text = NULL;
	size_t length;
	struct maui_err err = { .text = "" };
	int ends[2];

	cr_assert(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3, "no pipe");
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	cr_assert(maui_file_read(path, 100, &text, &length, &err) == 0, "%s", err.text);
	cr_expect(length == 3 && !strcmp(text, "abc"), "got '%s'", text);
	free(text);
}

/* ---- files that a user has named ---- */

enum { OTHER = 65534 };

static int publish(const char *path, struct maui_err *err)
{
	return maui_file_publish(path, "text", 4, false, err);
}

/* Who owns a directory decides what links are in it, not where root's files go. */
Test(file, no_other_users_link_leads_the_way)
{
	struct maui_err err;

	if (geteuid() != 0)
		cr_skip_test("only root can make another user's link");
	cr_assert(mkdir("theirs", 0755) == 0 && mkdir("ours", 0755) == 0 &&
		  mkdir("ours/deep", 0755) == 0);
	cr_assert(symlink("../ours", "theirs/link") == 0 && chown("theirs", OTHER, OTHER) == 0 &&
		  lchown("theirs/link", OTHER, OTHER) == 0);
	cr_expect(publish("theirs/link/f", &err) == -1 &&
		  publish("theirs/link/deep/f", &err) == -1);
	cr_expect_str_eq(err.text, "cannot write theirs/link/deep/f: a symbolic link of user id "
				   "65534 is on the way");
	cr_expect(access("ours/f", F_OK) != 0 && access("ours/deep/f", F_OK) != 0);
	cr_expect(publish("theirs/f", &err) == 0, "%s", err.text);
	cr_assert(symlink("../ours/./deep", "theirs/mine") == 0);
	cr_expect(publish("theirs/mine/f", &err) == 0 && access("ours/deep/f", F_OK) == 0, "%s",
		  err.text);
}

Test(file, a_way_ends_somewhere)
{
	struct maui_err err;

	cr_assert(mkdir("d", 0755) == 0 && symlink("round", "round") == 0 &&
		  publish("plain", &err) == 0);
	cr_expect(publish("round/f", &err) == -1 && strstr(err.text, "symbolic links"));
	cr_expect(publish("none/f", &err) == -1 && strstr(err.text, "No such file"));
	cr_expect(publish("plain/f", &err) == -1 && strstr(err.text, "Not a directory"));
	cr_expect(publish("d/", &err) == -1 && strstr(err.text, "d/ is a directory"));
	cr_expect(publish("d", &err) == -1 && strstr(err.text, "d is a directory"));
	cr_expect(publish("round", &err) == -1 && strstr(err.text, "name the file itself"));
	cr_expect(publish(".//d/..///d/f", &err) == 0 && access("d/f", F_OK) == 0, "%s", err.text);
	cr_expect(access("d/f.new", F_OK) != 0);
}
