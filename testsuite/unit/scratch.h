/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scratch.h - a directory of its own for each test of a suite
 *
 *	TestSuite(file, .init = scratch_enter, .fini = scratch_leave);
 */
#ifndef MAUI_TESTSUITE_SCRATCH_H
#define MAUI_TESTSUITE_SCRATCH_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h> /* for umount2() */
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char scratch[64];

static inline void scratch_enter(void)
{
	strcpy(scratch, "/tmp/maui_test.XXXXXX");
	cr_assert(mkdtemp(scratch) && chdir(scratch) == 0, "no directory to test in");
}

/* Also after a test that failed half-way. */
static inline void scratch_leave(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", scratch);
	cr_expect(seteuid(getuid()) == 0 && chdir("/") == 0, "cannot go back");
	umount2(scratch, MNT_DETACH);
	cr_expect(system(command) == 0, "%s stays behind", scratch);
}

static inline void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0, "cannot write %s", path);
}

static inline bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static inline void expect_content(const char *path, const char *expected)
{
	char *text = NULL;
	size_t length;
	struct maui_err err = { .text = "" };

	cr_assert(maui_file_read(path, 1 << 20, &text, &length, &err) == 0, "%s", err.text);
	cr_expect(!strcmp(text, expected), "%s: expected '%s', got '%s'", path, expected, text);
	free(text);
}

#endif
