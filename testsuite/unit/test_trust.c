/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trust.c - files that other users could have changed are refused */
#include "base/trust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rows.h"

static char base[] = "/tmp/maui-trust-XXXXXX";

static const char *in(const char *name)
{
	static char path[2][256];
	static unsigned turn;

	turn ^= 1;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", base, name);
	return path[turn];
}

static void make(const char *name, mode_t mode)
{
	FILE *file = fopen(in(name), "w");

	cr_assert(file);
	fclose(file);
	cr_assert(chmod(in(name), mode) == 0);
}

static void make_dir(const char *name, mode_t mode)
{
	cr_assert(mkdir(in(name), 0700) == 0 && chmod(in(name), mode) == 0);
}

static void begin(void)
{
	cr_assert(mkdtemp(base));
	make_dir("open", 0777);
	make_dir("sticky", 01777);
	make_dir("group", 0775);
	make_dir("sticky-group", 01775);
	make("good", 0755);
	make("others", 0757);
	make("grouped", 0775);
	make("open/good", 0755);
	make("sticky/good", 0755);
	make("group/good", 0755);
	make("sticky-group/good", 0755);
	cr_assert(symlink("good", in("link")) == 0);
	cr_assert(symlink("others", in("link-to-others")) == 0);
	cr_assert(symlink("../good", in("open/link")) == 0);
	cr_assert(symlink("open", in("dir-link")) == 0);
	cr_assert(symlink("../good", in("group/link")) == 0);
	cr_assert(symlink("group/link", in("link-to-link")) == 0);
	cr_assert(symlink("sticky/../link", in("good-links")) == 0);
	cr_assert(symlink("circle", in("circle")) == 0);
}

static void end(void)
{
	static const char *const files[] = { "good",
					     "others",
					     "grouped",
					     "open/good",
					     "sticky/good",
					     "group/good",
					     "link",
					     "link-to-others",
					     "open/link",
					     "dir-link",
					     "sticky-group/good",
					     "group/link",
					     "link-to-link",
					     "good-links",
					     "circle" };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(in(files[i]));
	rmdir(in("open"));
	rmdir(in("sticky"));
	rmdir(in("group"));
	rmdir(in("sticky-group"));
	rmdir(base);
}

static const struct {
	const char *name, *says; /* NULL: fine */
} files[] = {
	{ "good", NULL },
	{ "link", NULL },
	{ "sticky/good", NULL },
	{ "sticky-group/good", NULL },
	{ "good-links", NULL },
	{ ".//./good", NULL },
	{ "group/good", "its group may write to that directory" },
	{ "group/../good", "its group may write to that directory" },
	{ "link-to-link", "its group may write to that directory" },
	{ "circle", "symbolic links" },
	{ "open/../good", "everybody may write to that directory" },
	{ "others", "may write to it" },
	{ "grouped", "may write to it" },
	{ "link-to-others", "may write to it" },
	{ "open/good", "everybody may write to that directory" },
	{ "open/link", "everybody may write to that directory" },
	{ "dir-link/good", "everybody may write to that directory" },
	{ "sticky", "not a regular file" },
	{ "none", "No such file" },
	{ "good/none", "Not a directory" },
};

Test(trust, files, .init = begin, .fini = end)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct maui_err err = { .text = "" };
		int rc = maui_trust_file(in(files[i].name), geteuid(), &err);

		cr_expect((rc == 0) == !files[i].says, "%s: %s", files[i].name, err.text);
		cr_expect(rc == 0 || strstr(err.text, files[i].says), "%s: %s", files[i].name,
			  err.text);
	}
}

static const struct {
	const char *name, *says; /* NULL: fine */
} directories[] = {
	{ "", NULL },
	{ "new", NULL },
	{ "new/below", NULL },
	{ "open", "everybody may write to that directory" },
	{ "open/new", "everybody may write to that directory" },
	{ "dir-link", "everybody may write to that directory" },
	{ "sticky", "everybody may write to that directory" },
	{ "sticky/new", NULL },
	{ "group", "its group may write to that directory" },
	{ "sticky-group", "its group may write to that directory" },
	{ "good", "not a directory" },
	{ "circle", "symbolic links" },
};

Test(trust, directories, .init = begin, .fini = end)
{
	struct maui_err err = { .text = "" };

	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		int rc = maui_trust_directory(in(directories[i].name), true, &err);

		cr_expect((rc == 0) == !directories[i].says, "%s: %s", directories[i].name,
			  err.text);
		cr_expect(rc == 0 || strstr(err.text, directories[i].says), "%s: %s",
			  directories[i].name, err.text);
	}
	cr_expect(maui_trust_directory(in("new"), false, &err) == -1 &&
		  strstr(err.text, "No such file"));
	cr_assert(chdir(base) == 0);
	cr_expect(maui_trust_directory("new/below", true, &err) == 0, "%s", err.text);
	cr_expect(maui_trust_directory("open", true, &err) == -1);
	if (geteuid() != 0)
		cr_skip_test("not root");
	cr_assert(chown(in("group"), 4711, 0) == 0);
	cr_expect(maui_trust_directory(in("group"), true, &err) == -1 &&
			  strstr(err.text, "uid 4711, who is neither root nor you"),
		  "%s", err.text);
}

/* Trusted owners. Only root can make files of other users. */
Test(trust, owners, .init = begin, .fini = end)
{
	struct maui_err err = { .text = "" };

	cr_expect(maui_trust_file("good", 0, &err) == -1 && strstr(err.text, "absolute"));
	cr_expect(maui_trust_file("/usr/bin/env", 4711, &err) == 0, "%s", err.text);
	if (geteuid() != 0)
		cr_skip_test("not root");
	cr_assert(chown(in("good"), 4711, 0) == 0);
	cr_expect(maui_trust_file(in("good"), 4711, &err) == 0, "%s", err.text);
	cr_expect(maui_trust_file(in("good"), 4712, &err) == -1 && strstr(err.text, "uid 4711"));
	cr_assert(chown(in("group"), 4711, 0) == 0);
	cr_expect(maui_trust_file(in("group/good"), 0, &err) == -1 && strstr(err.text, "uid 4711"));
	cr_assert(lchown(in("link-to-others"), 4711, 0) == 0 && chmod(in("others"), 0755) == 0);
	cr_expect(maui_trust_file(in("link-to-others"), 0, &err) == -1 &&
		  strstr(err.text, "uid 4711"));
}
