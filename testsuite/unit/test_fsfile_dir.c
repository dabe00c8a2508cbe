/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fsfile_dir.c - a directory of fairshare files: loading, setting aside, saving */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "scratch.h"
#include "state/fsfile.h"

TestSuite(fsdir, .init = scratch_enter, .fini = scratch_leave);

static char *get(const char *name)
{
	static char text[4096];
	FILE *file = fopen(name, "r");
	size_t length;

	cr_assert(file != NULL, "%s", name);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	return text;
}

static size_t load(struct maui_usage *usage, char *said, size_t size)
{
	struct maui_diags diags = { 0 };
	size_t errors, at = 0;

	said[0] = '\0';
	cr_assert(maui_fsfile_load_all(scratch, 3600, usage, &diags) == 0);
	errors = diags.seen[MAUI_ERROR];
	for (size_t i = 0; i < diags.count && at + 512 < size; i++) {
		at += maui_diag_format(&diags.list[i], said + at, size - at - 1);
		said[at++] = '\n';
		said[at] = '\0';
	}
	maui_diags_finish(&diags);
	return errors;
}

Test(fsdir, all_good)
{
	struct maui_usage usage = { 0 };
	char said[4096];

	put("FS.100", "# (Duration: 50 seconds)\nuser amy 1\nTOTAL 10\n");
	put("FS.300", "user amy 3\nsched x 30\n");
	put("FS.200", "User amy 2\nTOTAL 20\n");
	put("notes", "user amy 1000\nTOTAL 1000\n");
	put("FS.200.bad", "user amy 1000\nTOTAL 1000\n");
	put("FS.200.new", "user amy 1000\nTOTAL 1000\n");
	cr_expect(load(&usage, said, sizeof(said)) == 0, "%s", said);
	cr_assert(usage.count == 3, "%zu", usage.count);
	for (int i = 0; i < 3; i++) {
		const struct maui_usage_window *w = &usage.windows[i];

		cr_expect(w->start_s == 300 - 100 * i && w->total == 30 - 10 * i && !w->dirty);
		cr_expect(w->interval_s == (i == 2 ? 50 : 3600));
		cr_expect(maui_usage_get(w, MAUI_CRED_USER, "amy") == 3 - i);
	}
	maui_usage_finish(&usage);
}

/* A damaged file is renamed unchanged; its valid lines count and are written again. */
Test(fsdir, damaged)
{
	static const char junk[] = "user amy 5\nuser bob -3\nTOTAL 9\n";
	struct maui_usage usage = { 0 };
	char said[4096];

	put("FS.100", "user amy 1\nTOTAL 10\n");
	put("FS.200", junk);
	cr_expect(load(&usage, said, sizeof(said)) > 0);
	cr_expect(strstr(said, "FS.200:2: error: not an amount of usage") != NULL, "%s", said);
	cr_expect(strstr(said, "set aside as") != NULL && strstr(said, "FS.200.bad") != NULL, "%s",
		  said);
	cr_expect(!exists("FS.200") && exists("FS.200.bad") && exists("FS.100"));
	cr_expect_str_eq(get("FS.200.bad"), junk, "%s", get("FS.200.bad"));
	cr_assert(usage.count == 2);
	cr_expect(maui_usage_get(&usage.windows[0], MAUI_CRED_USER, "amy") == 5);
	cr_expect(usage.windows[0].total == 9 && usage.windows[0].dirty);
	cr_expect(!usage.windows[1].dirty);
	cr_assert(maui_fsfile_save(scratch, &usage.windows[0], NULL) == 0);
	maui_usage_finish(&usage);
	/* the next start finds nothing to report */
	cr_expect(load(&usage, said, sizeof(said)) == 0, "%s", said);
	cr_expect(usage.count == 2 && usage.windows[0].total == 9);
	maui_usage_finish(&usage);
}

/* The message has the name that the file got. */
Test(fsdir, damaged_again)
{
	struct maui_usage usage = { 0 };
	char said[4096];

	put("FS.200.bad", "of yesterday");
	put("FS.200", "junk\n");
	cr_expect(load(&usage, said, sizeof(said)) > 0);
	cr_expect(exists("FS.200.bad.1") && !exists("FS.200"));
	cr_expect(strstr(said, "FS.200.bad.1") != NULL, "%s", said);
	cr_expect_str_eq(get("FS.200.bad"), "of yesterday", "%s", get("FS.200.bad"));
	maui_usage_finish(&usage);
}

Test(fsdir, empty_and_torn)
{
	struct maui_usage usage = { 0 };
	char said[4096];

	put("FS.100", "");
	put("FS.200", "# FS Data File (Duration: 50 seconds)\nuser amy 5\nus");
	cr_expect(load(&usage, said, sizeof(said)) > 0);
	cr_expect(exists("FS.100.bad") && exists("FS.200.bad"), "%s", said);
	maui_usage_finish(&usage);
}

/* A directory of that name and a file that is too large are reported and set aside, so that no
 * window overwrites them; the other files are read. */
Test(fsdir, unreadable_files_are_set_aside)
{
	struct maui_usage usage = { 0 };
	char said[4096];
	int rc;

	put("FS.100", "user amy 1\nTOTAL 10\n");
	cr_assert(mkdir("FS.400", 0700) == 0);
	put("FS.500", "");
	rc = truncate("FS.500", (off_t)MAUI_FS_FILE_MAX_BYTES + 1);
	cr_assert(rc == 0);
	cr_expect(load(&usage, said, sizeof(said)) == 2, "%s", said);
	cr_expect(strstr(said, "FS.400") && strstr(said, "FS.500"), "%s", said);
	cr_expect(exists("FS.400.bad") && exists("FS.500.bad"), "%s", said);
	cr_expect(usage.count == 1 && usage.windows[0].total == 10);
	maui_usage_finish(&usage);
}

Test(fsdir, another_spelling_of_the_same_start)
{
	struct maui_usage usage = { 0 };
	char said[4096];

	put("FS.200", "user amy 2\nTOTAL 20\n");
	put("FS.0200", "user amy 9\nTOTAL 90\n");
	cr_expect(load(&usage, said, sizeof(said)) == 0, "%s", said);
	cr_expect(usage.count == 1 && usage.windows[0].total == 20);
	maui_usage_finish(&usage);
}

Test(fsdir, no_directory)
{
	struct maui_usage usage = { 0 };
	struct maui_diags diags = { 0 };

	cr_expect(maui_fsfile_load_all("nowhere", 3600, &usage, &diags) == 0);
	cr_expect(diags.count == 0 && usage.count == 0);
	put("notes", "x");
	cr_expect(maui_fsfile_load_all("notes", 3600, &usage, &diags) == 0);
	cr_expect(diags.seen[MAUI_ERROR] == 1);
	maui_diags_finish(&diags);
}

/* Writing, reading and writing again gives the same bytes; a failure names the file and loses
 * nothing. */
Test(fsdir, save)
{
	struct maui_usage usage = { 0 }, again = { 0 };
	struct maui_usage_window *w = maui_usage_window(&usage, 200, 77);
	struct maui_err err = { .text = "" };
	char said[4096], *first;

	cr_assert(w && maui_usage_add(w, MAUI_CRED_QOS, "hi", 4.25) == 0);
	w->total = 8;
	cr_assert(maui_fsfile_save(scratch, w, &err) == 0, "%s", err.text);
	first = strdup(get("FS.200"));
	cr_expect(load(&again, said, sizeof(said)) == 0, "%s", said);
	cr_assert(again.count == 1 && again.windows[0].interval_s == 77);
	cr_assert(maui_fsfile_save(scratch, &again.windows[0], &err) == 0, "%s", err.text);
	cr_expect_str_eq(get("FS.200"), first, "%s", get("FS.200"));
	cr_expect(!exists("FS.200.new"));
	cr_expect(maui_fsfile_save("nowhere", w, &err) == -1);
	cr_expect(strstr(err.text, "FS.200") != NULL, "%s", err.text);
	free(first);
	maui_usage_finish(&usage);
	maui_usage_finish(&again);
}
