/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_file.c - whole files in and out, on disks that are full and paths that are traps
 *
 * Each test has a directory of its own. What needs a mount is skipped where that is not allowed;
 * the limit of a file's size then stands for the full disk alone.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h> /* for unshare() */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "rows.h"

static char dir[64];

static void enter(void)
{
	strcpy(dir, "/tmp/test_file.XXXXXX");
	cr_assert(mkdtemp(dir) && chdir(dir) == 0, "no directory to test in");
}

/* Also after a test that failed half-way. */
static void leave(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	cr_expect(seteuid(getuid()) == 0 && chdir("/") == 0, "cannot go back");
	umount2(dir, MNT_DETACH);
	cr_expect(system(command) == 0, "%s stays behind", dir);
}

TestSuite(file, .init = enter, .fini = leave);

/* A disk of 128 KiB in the test's directory, seen by this process alone. */
static void mount_small_disk(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", dir, "tmpfs", 0, "size=128k") < 0)
		cr_skip_test("cannot mount a small disk here");
	cr_assert(chdir(dir) == 0, "no directory");
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0, "cannot write %s", path);
}

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static void expect_content(const char *path, const char *expected)
{
	char *text = NULL;
	size_t length;
	struct maui_err err = {""};

	cr_assert(maui_file_read(path, 1 << 20, &text, &length, &err) == 0, "%s", err.text);
	cr_expect(!strcmp(text, expected), "%s: expected '%s', got '%s'", path, expected, text);
	free(text);
}

/* ---- reading ---- */

struct sized {
	const char *name;
	size_t size;
	size_t max;
	bool fits;
};

static const struct sized sizes[] = {
	{"empty", 0, 100, true},	    {"empty, nothing allowed", 0, 0, true},
	{"one byte too many", 1, 0, false}, {"just fits", 100, 100, true},
	{"one more", 101, 100, false},	    {"a page", 4096, 4096, true},
	{"over a page", 4097, 4096, false}, {"several pages", 300000, 1 << 20, true},
	{"no bound", 5000, (size_t)-1, true},
};

TEST_ROWS(file, read_size, sizes, row)
{
	char *data = calloc(row->size + 1, 1), *text = NULL;
	size_t length = 99;
	struct maui_err err = {""};
	int result;

	memset(data, 'd', row->size);
	put("f", data);
	result = maui_file_read("f", row->max, &text, &length, &err);
	if (row->fits) {
		cr_assert(result == 0, "%s: %s", row->name, err.text);
		cr_expect(length == row->size && !strcmp(text, data), "%s: %zu bytes", row->name, length);
	} else {
		cr_expect(result == -1 && errno == EFBIG, "%s: %d, errno %d", row->name, result, errno);
		cr_expect(!text && length == 99, "%s: results touched", row->name);
		cr_expect(strstr(err.text, "cannot read f: larger than") != NULL, "%s: '%s'", row->name,
			  err.text);
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

/* Files of /proc say they have 0 bytes. */
Test(file, read_of_unknown_size)
{
	char *text;
	size_t length;
	struct maui_err err = {""};

	cr_assert(maui_file_read("/proc/self/status", 1 << 20, &text, &length, &err) == 0, "%s",
		  err.text);
	cr_expect(length > 100 && strstr(text, "Name:"), "got %zu bytes", length);
	free(text);
	cr_expect(maui_file_read("/proc/self/status", 10, &text, &length, &err) == -1 &&
		  errno == EFBIG, "the bound does not hold");
}

static void make_socket(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	cr_assert(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0, "no socket");
}

struct trap {
	const char *path;
	int expected;
	const char *reason;
};

static const struct trap traps[] = {
	{"missing", ENOENT, "cannot read missing: No such file or directory"},
	{"none/f", ENOENT, "No such file or directory"},
	{"", ENOENT, "No such file or directory"},
	{"directory", EISDIR, "cannot read directory: Is a directory"},
	{"file/f", ENOTDIR, "Not a directory"},
	{"loop", ELOOP, "Too many levels of symbolic links"},
	{"dangling", ENOENT, "No such file or directory"},
	{"/dev/zero", EINVAL, "cannot read /dev/zero: neither a file nor a pipe"},
	{"socket", ENXIO, "cannot read socket"},
};

TEST_ROWS(file, read_trap, traps, row)
{
	char *text = NULL;
	size_t length;
	struct maui_err err = {""};
	int result;

	put("file", "x");
	cr_assert(mkdir("directory", 0700) == 0 && symlink("loop", "loop") == 0 &&
		  symlink("nowhere", "dangling") == 0, "no traps");
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
	cr_assert(chmod("f", 0) == 0 && chmod(dir, 0755) == 0, "no chmod");
	if (geteuid() == 0)
		cr_assert(seteuid(65534) == 0, "cannot become nobody");
	cr_expect(maui_file_read("f", 100, &text, &length, NULL) == -1 && errno == EACCES,
		  "errno %d", errno);
}

/* ---- pipes ---- */

/* Opens the fifo in a process of its own and writes there: `size` bytes, -1 without end. */
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
	{"nothing", 0, true},	       {"a line", 80, true},   {"several buffers", 200000, true},
	{"one too many", 300001, false}, {"no end", -1, false},
};

TEST_ROWS(file, read_fifo, pipe_sizes, row)
{
	char *text = NULL;
	size_t length = 0;
	struct maui_err err = {""};
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

/* A fifo that nobody writes to must not stop the daemon; signals must not shorten the wait. */
Test(file, read_silent_fifo)
{
	struct sigaction action = {.sa_handler = ignore};
	double start = now(), took;
	char *text = NULL;
	size_t length;
	struct maui_err err = {""};
	int result;

	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	cr_assert(mkfifo("fifo", 0600) == 0, "no fifo");
	result = maui_file_read("fifo", 1000, &text, &length, &err);
	took = now() - start;
	cr_expect(result == -1 && errno == ETIMEDOUT && !text, "%d, errno %d", result, errno);
	cr_expect(took > MAUI_FILE_MAX_WAIT_MS / 1e3 - 0.5, "gave up after %.1f s", took);
	cr_expect(took < MAUI_FILE_MAX_WAIT_MS / 1e3 + 20, "took %.1f s", took);
	cr_expect(strstr(err.text, "no end of it within") != NULL, "got '%s'", err.text);
}

/* As a shell passes it: cmd | maui config check /dev/stdin */
Test(file, read_pipe_by_descriptor)
{
	char path[32], *text = NULL;
	size_t length;
	struct maui_err err = {""};
	int ends[2];

	cr_assert(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3, "no pipe");
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	cr_assert(maui_file_read(path, 100, &text, &length, &err) == 0, "%s", err.text);
	cr_expect(length == 3 && !strcmp(text, "abc"), "got '%s'", text);
	free(text);
}

/* ---- writing ---- */

Test(file, write_new)
{
	struct stat st;

	umask(0);
	cr_assert(maui_file_write("f", "one", 3, 1, NULL) == 0, "not written");
	expect_content("f", "one");
	cr_assert(stat("f", &st) == 0, "no file");
	cr_expect((st.st_mode & 07777) == 0600, "mode %o", st.st_mode & 07777u);
	cr_expect(!exists("f.old") && !exists("f.new") && !exists("f.old.new"), "left-overs");
}

Test(file, write_keeps_the_one_before)
{
	maui_file_write("f", "one", 3, 1, NULL);
	maui_file_write("f", "two", 3, 1, NULL);
	expect_content("f", "two");
	expect_content("f.old", "one");
	maui_file_write("f", "three", 5, 1, NULL);
	expect_content("f", "three");
	expect_content("f.old", "two");
	maui_file_write("f", "four", 4, 0, NULL);
	expect_content("f.old", "two");
	cr_expect(!exists("f.new") && !exists("f.old.new"), "left-overs");
}

/* The present file is gone or set aside: what is kept is all there is, it stays. */
Test(file, write_keeps_the_old_when_there_is_no_present)
{
	put("f.old", "good");
	cr_assert(maui_file_write("f", "one", 3, 1, NULL) == 0, "not written");
	expect_content("f.old", "good");
}

/* A death between the link and the rename leaves two names of one file. */
Test(file, write_after_a_death_half_way)
{
	put("f", "one");
	cr_assert(link("f", "f.old") == 0, "no link");
	put("f.new", "torn");
	put("f.old.new", "torn");
	cr_assert(maui_file_write("f", "two", 3, 1, NULL) == 0, "not written");
	expect_content("f", "two");
	expect_content("f.old", "one");
	cr_expect(!exists("f.new") && !exists("f.old.new"), "left-overs");
}

/* Whoever can put a link there must not make us write through it. */
Test(file, write_does_not_follow_a_link)
{
	put("victim", "mine");
	cr_assert(symlink("victim", "f.new") == 0, "no link");
	cr_assert(maui_file_write("f", "two", 3, 0, NULL) == 0, "not written");
	expect_content("victim", "mine");
	expect_content("f", "two");
}

struct obstacle {
	const char *name;
	const char *directory; /* stands in the way */
	const char *reason;
};

static const struct obstacle obstacles[] = {
	{"f.new", "f.new/x", "cannot write f.new: File exists"},
	{"f.old", "f.old/x", "cannot keep f as f.old: Is a directory"},
	{"f.old.new", "f.old.new/x", "cannot keep f as f.old: File exists"},
};

TEST_ROWS(file, write_obstacle, obstacles, row)
{
	struct maui_err err = {""};

	put("f", "one");
	cr_assert(maui_file_mkdir(row->directory, &err) == 0, "%s: %s", row->name, err.text);
	cr_expect(maui_file_write("f", "two", 3, 1, &err) == -1, "%s: written", row->name);
	cr_expect(!strcmp(err.text, row->reason), "%s: got '%s'", row->name, err.text);
	expect_content("f", "one");
	cr_expect(!exists("f.new") || !strcmp(row->name, "f.new"), "%s: f.new left", row->name);
}

Test(file, write_over_a_directory)
{
	struct maui_err err = {""};

	cr_assert(maui_file_mkdir("f/x", NULL) == 0, "no directory");
	cr_expect(maui_file_write("f", "two", 3, 0, &err) == -1, "written");
	cr_expect(!strcmp(err.text, "cannot rename f.new to f: Is a directory"), "got '%s'", err.text);
	cr_expect(!exists("f.new"), "f.new left");
	cr_expect(maui_file_write("none/f", "two", 3, 0, &err) == -1, "written nowhere");
	cr_expect(!strcmp(err.text, "cannot write none/f.new: No such file or directory"), "got '%s'",
		  err.text);
}

static void expect_untouched(const char *text, size_t length, const char *reason)
{
	struct maui_err err = {""};

	cr_expect(maui_file_write("f", text, length, 1, &err) == -1, "written");
	cr_expect(strstr(err.text, "cannot write f.new: ") && strstr(err.text, reason), "got '%s'",
		  err.text);
	expect_content("f", "precious");
	expect_content("f.old", "older");
	cr_expect(!exists("f.new"), "half a file stays");
}

static void put_present(void)
{
	cr_assert(maui_file_write("f", "older", 5, 1, NULL) == 0 &&
		  maui_file_write("f", "precious", 8, 1, NULL) == 0, "not written");
}

/* As on a full disk: the first part is written, the rest is refused. */
Test(file, write_past_the_limit_of_size)
{
	static char text[100000];
	struct rlimit limit = {10000, 10000};

	put_present();
	signal(SIGXFSZ, SIG_IGN);
	cr_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0, "no limit");
	memset(text, 't', sizeof(text) - 1);
	expect_untouched(text, sizeof(text), "File too large");
	cr_expect(maui_file_write("f", "short", 5, 1, NULL) == 0, "a short one is refused too");
	expect_content("f", "short");
}

Test(file, write_on_a_full_disk)
{
	static char text[1 << 20];

	mount_small_disk();
	put_present();
	memset(text, 't', sizeof(text) - 1);
	expect_untouched(text, sizeof(text), "No space left on device");
	/* what failed takes no room: the next that fits is written */
	cr_expect(maui_file_write("f", "short", 5, 1, NULL) == 0, "a short one is refused too");
	expect_content("f", "short");
	expect_content("f.old", "precious");
}

Test(file, write_on_a_read_only_disk)
{
	struct maui_err err = {""};

	mount_small_disk();
	put_present();
	cr_assert(mount("none", dir, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) == 0, "not read-only");
	expect_untouched("x", 1, "Read-only file system");
	cr_expect(maui_file_set_aside("f", NULL, &err) == -1 &&
		  strstr(err.text, "cannot set f aside as f.bad: Read-only file system"), "got '%s'",
		  err.text);
}

/* fs.protected_hardlinks: nobody may not link root's file, so it is copied. */
Test(file, write_copies_where_links_are_refused)
{
	if (geteuid() != 0)
		cr_skip_test("needs a file of somebody else");
	put("f", "of root");
	cr_assert(chmod("f", 0644) == 0 && chmod(dir, 0777) == 0, "no chmod");
	cr_assert(seteuid(65534) == 0, "cannot become nobody");
	cr_expect(maui_file_write("f", "of nobody", 9, 1, NULL) == 0, "not written");
	expect_content("f", "of nobody");
	expect_content("f.old", "of root");
	cr_expect(!exists("f.new") && !exists("f.old.new"), "left-overs");
}

/* ---- setting aside ---- */

static void set_age(const char *path, time_t written)
{
	struct timespec times[2] = {{.tv_sec = written}, {.tv_sec = written}};

	cr_assert(utimensat(AT_FDCWD, path, times, 0) == 0, "cannot set the time of %s", path);
}

static void expect_set_aside(const char *content, const char *expected)
{
	char *name = NULL;
	struct maui_err err = {""};

	put("f", content);
	cr_assert(maui_file_set_aside("f", &name, &err) == 0, "%s: %s", content, err.text);
	cr_expect(!strcmp(name, expected), "%s: got %s", content, name);
	expect_content(expected, content);
	cr_expect(!exists("f"), "%s: still there", content);
	free(name);
}

Test(file, set_aside_names)
{
	static const char *const names[] = {
		"f.bad",   "f.bad.1", "f.bad.2", "f.bad.3", "f.bad.4",
		"f.bad.5", "f.bad.6", "f.bad.7", "f.bad.8", "f.bad.9",
	};

	for (size_t i = 0; i < 10; i++) {
		expect_set_aside(names[i], names[i]);
		set_age(names[i], (time_t)(1000 + i));
	}
	/* all taken: the oldest gives way, and then the next */
	set_age("f.bad.4", 500);
	expect_set_aside("eleventh", "f.bad.4");
	expect_set_aside("twelfth", "f.bad");
	cr_assert(unlink("f.bad.7") == 0, "no f.bad.7");
	expect_set_aside("into the gap", "f.bad.7");
}

Test(file, set_aside_nothing)
{
	struct maui_err err = {""};
	char *name = NULL;

	cr_expect(maui_file_set_aside("f", &name, &err) == -1, "set aside");
	cr_expect(!strcmp(err.text, "cannot set f aside as f.bad: No such file or directory"),
		  "got '%s'", err.text);
	cr_expect(!name, "result touched");
	put("f", "x");
	cr_expect(maui_file_set_aside("f", NULL, NULL) == 0, "the name is optional");
}

/* ---- directories ---- */

struct made {
	const char *path;
	const char *reason; /* NULL: is made */
};

static const struct made made[] = {
	{"a", NULL},
	{"a/b/c", NULL},
	{"a//b/./c/", NULL},
	{"./a/b", NULL},
	{".", NULL},
	{"/", NULL},
	{"present/x", NULL},
	{"linked/x", NULL},
	{"file", "cannot make directory file: Not a directory"},
	{"file/x", "cannot make directory file/x: Not a directory"},
	{"dangling/x", "cannot make directory dangling/x: "},
	{"/proc/nothing/x", "cannot make directory /proc/nothing/x: No such file or directory"},
};

TEST_ROWS(file, mkdir, made, row)
{
	struct maui_err err = {""};
	struct stat st;
	int result;

	put("file", "x");
	cr_assert(mkdir("present", 0755) == 0 && symlink("present", "linked") == 0 &&
		  symlink("nowhere", "dangling") == 0, "no things in the way");
	result = maui_file_mkdir(row->path, &err);
	if (row->reason) {
		cr_expect(result == -1 && strstr(err.text, row->reason), "'%s': %d '%s'", row->path,
			  result, err.text);
	} else {
		cr_expect(result == 0, "'%s': %s", row->path, err.text);
		cr_expect(stat(row->path, &st) == 0 && S_ISDIR(st.st_mode), "'%s': none", row->path);
	}
	cr_expect(stat("present", &st) == 0 && (st.st_mode & 0777) == 0755, "mode changed");
	if (exists("a"))
		cr_expect(stat("a", &st) == 0 && (st.st_mode & 0777) == 0700, "not private");
}
