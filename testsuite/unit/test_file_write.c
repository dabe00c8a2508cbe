/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_file_write.c - writes whole files, also on full disks, and sets files aside
 *
 * Tests that need a mount are skipped where mounting is not allowed. Then only the limit of a
 * file's size stands for a full disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h> /* for unshare() */
#include <signal.h>
#include <sys/resource.h>

#include "base/file.h"
#include "rows.h"
#include "scratch.h"

TestSuite(file_write, .init = scratch_enter, .fini = scratch_leave);

/* A disk of 128 KiB in the test's directory, visible to this process only. */
static void mount_small_disk(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", scratch, "tmpfs", 0, "size=128k") < 0)
		cr_skip_test("cannot mount a small disk here");
	cr_assert(chdir(scratch) == 0, "no directory");
}

/* ---- writing ---- */

Test(file_write, new)
{
	struct stat st;

	umask(0);
	cr_assert(maui_file_write("f", "one", 3, 1, NULL) == 0, "not written");
	expect_content("f", "one");
	cr_assert(stat("f", &st) == 0, "no file");
	cr_expect((st.st_mode & 07777) == 0600, "mode %o", st.st_mode & 07777u);
	cr_expect(!exists("f.old") && !exists("f.new") && !exists("f.old.new"), "left-overs");
}

Test(file_write, the_mode_is_there_before_the_name)
{
	struct stat st;

	umask(077);
	put("f", "one");
	cr_assert(maui_file_write_as("f", "two", 3, 1, 0644, NULL) == 0, "not written");
	cr_assert(stat("f", &st) == 0, "no file");
	cr_expect((st.st_mode & 07777) == 0644, "mode %o", st.st_mode & 07777u);
	expect_content("f.old", "one");
}

Test(file_write, keeps_the_one_before)
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

/* When the present file is missing, the kept old file is all there is, and stays. */
Test(file_write, keeps_the_old_when_there_is_no_present)
{
	put("f.old", "good");
	cr_assert(maui_file_write("f", "one", 3, 1, NULL) == 0, "not written");
	expect_content("f.old", "good");
}

/* A crash between the link and the rename leaves two names of one file. */
Test(file_write, after_a_crash_half_way)
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

/* A user who puts a link there must not make us write through it. */
Test(file_write, does_not_follow_a_link)
{
	put("victim", "mine");
	cr_assert(symlink("victim", "f.new") == 0, "no link");
	cr_assert(maui_file_write("f", "two", 3, 0, NULL) == 0, "not written");
	expect_content("victim", "mine");
	expect_content("f", "two");
}

struct obstacle {
	const char *name;
	const char *directory; /* a directory with this name exists */
	const char *reason;
};

static const struct obstacle obstacles[] = {
	{ "f.new", "f.new/x", "cannot write f.new: File exists" },
	{ "f.old", "f.old/x", "cannot keep f as f.old: Is a directory" },
	{ "f.old.new", "f.old.new/x", "cannot keep f as f.old: File exists" },
};

TEST_ROWS(file_write, obstacle, obstacles, row)
{
	struct maui_err err = { .text = "" };

	put("f", "one");
	cr_assert(maui_file_mkdir(row->directory, &err) == 0, "%s: %s", row->name, err.text);
	cr_expect(maui_file_write("f", "two", 3, 1, &err) == -1, "%s: written", row->name);
	cr_expect(!strcmp(err.text, row->reason), "%s: got '%s'", row->name, err.text);
	expect_content("f", "one");
	cr_expect(!exists("f.new") || !strcmp(row->name, "f.new"), "%s: f.new left", row->name);
}

Test(file_write, over_a_directory)
{
	struct maui_err err = { .text = "" };

	cr_assert(maui_file_mkdir("f/x", NULL) == 0, "no directory");
	cr_expect(maui_file_write("f", "two", 3, 0, &err) == -1, "written");
	cr_expect(!strcmp(err.text, "cannot rename f.new to f: Is a directory"), "got '%s'",
		  err.text);
	cr_expect(!exists("f.new"), "f.new left");
	cr_expect(maui_file_write("none/f", "two", 3, 0, &err) == -1, "written nowhere");
	cr_expect(!strcmp(err.text, "cannot write none/f.new: No such file or directory"),
		  "got '%s'", err.text);
}

static void expect_untouched(const char *text, size_t length, const char *reason)
{
	struct maui_err err = { .text = "" };

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
			  maui_file_write("f", "precious", 8, 1, NULL) == 0,
		  "not written");
}

/* As on a full disk: the first part is written, the rest is refused. */
Test(file_write, past_the_limit_of_size)
{
	static char text[100000];
	struct rlimit limit = { 10000, 10000 };

	put_present();
	signal(SIGXFSZ, SIG_IGN);
	cr_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0, "no limit");
	memset(text, 't', sizeof(text) - 1);
	expect_untouched(text, sizeof(text), "File too large");
	cr_expect(maui_file_write("f", "short", 5, 1, NULL) == 0, "a short one is refused too");
	expect_content("f", "short");
}

Test(file_write, on_a_full_disk)
{
	static char text[1 << 20];

	mount_small_disk();
	put_present();
	memset(text, 't', sizeof(text) - 1);
	expect_untouched(text, sizeof(text), "No space left on device");
	/* a failed write takes no room: the next one that fits succeeds */
	cr_expect(maui_file_write("f", "short", 5, 1, NULL) == 0, "a short one is refused too");
	expect_content("f", "short");
	expect_content("f.old", "precious");
}

Test(file_write, on_a_read_only_disk)
{
	struct maui_err err = { .text = "" };

	mount_small_disk();
	put_present();
	cr_assert(mount("none", scratch, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) == 0,
		  "not read-only");
	expect_untouched("x", 1, "Read-only file system");
	cr_expect(maui_file_set_aside("f", NULL, &err) == -1 &&
			  strstr(err.text, "cannot set f aside as f.bad: Read-only file system"),
		  "got '%s'", err.text);
}

/* fs.protected_hardlinks: user nobody may not link root's file, so the file is copied. */
Test(file_write, copies_where_links_are_refused)
{
	if (geteuid() != 0)
		cr_skip_test("needs a file of somebody else");
	put("f", "of root");
	cr_assert(chmod("f", 0644) == 0 && chmod(scratch, 0777) == 0, "no chmod");
	cr_assert(seteuid(65534) == 0, "cannot become nobody");
	cr_expect(maui_file_write("f", "of nobody", 9, 1, NULL) == 0, "not written");
	expect_content("f", "of nobody");
	expect_content("f.old", "of root");
	cr_expect(!exists("f.new") && !exists("f.old.new"), "left-overs");
}

/* ---- setting aside ---- */

static void set_age(const char *path, time_t written)
{
	struct timespec times[2] = { { .tv_sec = written }, { .tv_sec = written } };

	cr_assert(utimensat(AT_FDCWD, path, times, 0) == 0, "cannot set the time of %s", path);
}

static void expect_set_aside(const char *content, const char *expected)
{
	char *name = NULL;
	struct maui_err err = { .text = "" };

	put("f", content);
	cr_assert(maui_file_set_aside("f", &name, &err) == 0, "%s: %s", content, err.text);
	cr_expect(!strcmp(name, expected), "%s: got %s", content, name);
	expect_content(expected, content);
	cr_expect(!exists("f"), "%s: still there", content);
	free(name);
}

Test(file_write, set_aside_names)
{
	static const char *const names[] = {
		"f.bad",   "f.bad.1", "f.bad.2", "f.bad.3", "f.bad.4",
		"f.bad.5", "f.bad.6", "f.bad.7", "f.bad.8", "f.bad.9",
	};

	for (size_t i = 0; i < 10; i++) {
		expect_set_aside(names[i], names[i]);
		set_age(names[i], (time_t)(1000 + i));
	}
	/* all names are taken: the oldest file is replaced, and then the next one */
	set_age("f.bad.4", 500);
	expect_set_aside("eleventh", "f.bad.4");
	expect_set_aside("twelfth", "f.bad");
	cr_assert(unlink("f.bad.7") == 0, "no f.bad.7");
	expect_set_aside("into the gap", "f.bad.7");
}

Test(file_write, set_aside_nothing)
{
	struct maui_err err = { .text = "" };
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
	const char *reason; /* NULL: the directory is made */
};

static const struct made made[] = {
	{ "a", NULL },
	{ "a/b/c", NULL },
	{ "a//b/./c/", NULL },
	{ "./a/b", NULL },
	{ ".", NULL },
	{ "/", NULL },
	{ "present/x", NULL },
	{ "linked/x", NULL },
	{ "file", "cannot make directory file: Not a directory" },
	{ "file/x", "cannot make directory file/x: Not a directory" },
	{ "dangling/x", "cannot make directory dangling/x: " },
	{ "/proc/nothing/x", "cannot make directory /proc/nothing/x: No such file or directory" },
};

TEST_ROWS(file_write, mkdir, made, row)
{
	struct maui_err err = { .text = "" };
	struct stat st;
	int result;

	put("file", "x");
	cr_assert(mkdir("present", 0755) == 0 && symlink("present", "linked") == 0 &&
			  symlink("nowhere", "dangling") == 0,
		  "no things in the way");
	result = maui_file_mkdir(row->path, &err);
	if (row->reason) {
		cr_expect(result == -1 && strstr(err.text, row->reason), "'%s': %d '%s'", row->path,
			  result, err.text);
	} else {
		cr_expect(result == 0, "'%s': %s", row->path, err.text);
		cr_expect(stat(row->path, &st) == 0 && S_ISDIR(st.st_mode), "'%s': none",
			  row->path);
	}
	cr_expect(stat("present", &st) == 0 && (st.st_mode & 0777) == 0755, "mode changed");
	if (exists("a"))
		cr_expect(stat("a", &st) == 0 && (st.st_mode & 0777) == 0700, "not private");
}

/* ---- files that a user names ---- */

/* Any user who can write to the directory could have made the link. */
Test(file_write, a_published_file_is_never_behind_a_link)
{
	struct maui_err err = { .text = "" };
	struct stat st;

	put("victim", "secret");
	cr_assert(symlink("victim", "link") == 0 && mkdir("dir", 0700) == 0);
	cr_expect(maui_file_publish("link", "page", 4, false, &err) == -1);
	cr_expect_str_eq(err.text, "link is a symbolic link; name the file itself");
	expect_content("victim", "secret");
	cr_expect(maui_file_publish("dir", "page", 4, false, &err) == -1);
	cr_expect_str_eq(err.text, "dir is a directory");
	for (int i = 0; i < 2; i++) {
		umask(i == 0 ? 077 : 022);
		cr_expect(maui_file_publish("page", "page", 4, false, &err) == 0, "%s", err.text);
		expect_content("page", "page");
		cr_expect(stat("page", &st) == 0 && (st.st_mode & 07777) == (i == 0 ? 0600 : 0644));
	}
	umask(0);
	cr_expect(maui_file_publish("page", "page", 4, true, &err) == 0, "%s", err.text);
	cr_expect(stat("page", &st) == 0 && (st.st_mode & 07777) == 0600);
}

Test(file_write, a_device_is_written_to)
{
	struct maui_err err = { .text = "" };
	struct stat st;

	cr_expect(maui_file_can_publish("/dev/null", &err) == 0, "%s", err.text);
	cr_expect(maui_file_publish("/dev/null", "page", 4, false, &err) == 0, "%s", err.text);
	cr_expect(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
	cr_expect(maui_file_publish("/dev/full", "page", 4, false, &err) == -1, "published");
	cr_expect_str_eq(err.text, "cannot write /dev/full: No space left on device");
}

Test(file_write, a_fifo_is_not_replaced)
{
	struct maui_err err = { .text = "" };
	struct stat st;

	cr_assert(mkfifo("f", 0600) == 0);
	cr_expect(maui_file_write("f", "two", 3, 1, &err) == -1, "written");
	cr_expect_str_eq(err.text, "f is not a regular file");
	cr_expect(maui_file_publish("f", "two", 3, 0600, &err) == -1, "published");
	cr_expect_str_eq(err.text, "f is not a regular file");
	cr_expect(stat("f", &st) == 0 && S_ISFIFO(st.st_mode));
	cr_expect(!exists("f.old") && !exists("f.new"));
}
