/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_store_file.c - the state file on disk: damaged, missing, a name that is taken
 *
 * Rules: CFG-11.
 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "rows.h"
#include "scratch.h"
#include "state/store/store.h"

TestSuite(storefile, .init = scratch_enter, .fini = scratch_leave);

/* ---- what a load finds in place of state.json and state.json.old ---- */

enum kind { MISSING, GOOD, DAMAGED, CUT, FOLDER, TOO_LARGE };

static void make(const char *path, enum kind kind, int id)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "{\"schema\": \"maui.state.v1\", \"saved\": %d, \"jobs\": [\n"
		 "{\"id\": %d, \"submit\": 2, \"stamp\": 3, \"qos\": \"q\"}\n]}\n",
		 1000 + id, id);
	if (kind == DAMAGED)
		memset(text + 4, '#', 4);
	if (kind == CUT)
		text[strlen(text) / 2] = '\0';
	if (kind == FOLDER)
		cr_assert(mkdir(path, 0700) == 0);
	else if (kind != MISSING)
		put(path, text);
	if (kind == TOO_LARGE)
		cr_assert(truncate(path, (off_t)MAUI_STATE_MAX_BYTES + 1) == 0);
}

/* Folders that are not empty at every name to which the file could be moved: it cannot be moved. */
static void fence(const char *path)
{
	char name[64];

	for (int i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), i ? "%s.bad.%d" : "%s.bad", path, i);
		cr_assert(mkdir(name, 0700) == 0);
		strcat(name, "/x");
		put(name, "");
	}
}

struct load {
	const char *name;
	enum kind kind, old;
	bool fenced, old_fenced; /* cannot be moved */
	int id;                  /* of the job that is read, also in saved_s; 0: none */
	bool blocked, aside, old_aside;
	size_t errors, warnings;
	const char *said;
};

static const struct load loads[] = {
	{ "first start", MISSING, MISSING, false, false, 0, false, false, false, 0, 0, "" },
	{ "good", GOOD, GOOD, false, false, 1, false, false, false, 0, 0, "" },
	{ "a good file: the old file is not read", GOOD, DAMAGED, false, false, 1, false, false,
	  false, 0, 0, "" },
	{ "only the old file is there", MISSING, GOOD, false, false, 2, false, false, false, 0, 1,
	  "state.json.old: warning: taken in place of state.json" },
	{ "damaged", DAMAGED, MISSING, false, false, 0, false, true, false, 1, 1,
	  "(schema 'none'): set aside as state.json.bad" },
	{ "a damaged file: the old file is read", DAMAGED, GOOD, false, false, 2, false, true,
	  false, 1, 1, "state.json: error: not" },
	{ "a file that was cut off", CUT, GOOD, false, false, 2, false, true, false, 1, 1,
	  "state.json: error: not JSON" },
	{ "both files are damaged", DAMAGED, CUT, false, false, 0, false, true, true, 2, 1,
	  "state.json: warning: reservations of setres, releases, queue times" },
	{ "only the old file is there, damaged", MISSING, CUT, false, false, 0, false, false, true,
	  1, 1, "state.json: warning: reservations of setres, releases, queue times" },
	{ "a folder in place of the file", FOLDER, GOOD, false, false, 2, false, true, false, 1, 1,
	  "cannot read state.json: Is a directory" },
	{ "a file that is too large", TOO_LARGE, GOOD, false, false, 2, false, true, false, 1, 1,
	  "cannot read state.json: larger than" },
	{ "a damaged file that cannot be moved", DAMAGED, MISSING, true, false, 0, true, false,
	  false, 1, 1, "it stays, nothing is saved there" },
	{ "a damaged file that cannot be moved: the old file is read", DAMAGED, GOOD, true, false,
	  2, true, false, false, 1, 1, "it stays, nothing is saved there" },
	{ "only the damaged old file can be moved", DAMAGED, DAMAGED, true, false, 0, true, false,
	  true, 2, 1, "it stays, nothing is saved there" },
	{ "the damaged old file cannot be moved", MISSING, DAMAGED, false, true, 0, true, false,
	  false, 1, 1, "cannot set state.json.old aside" },
	{ "a good file needs no other name", GOOD, GOOD, true, true, 1, false, false, false, 0, 0,
	  "" },
};

static void expect_place(const char *name, const char *path, bool there, bool aside)
{
	char bad[64];
	struct stat st;

	snprintf(bad, sizeof(bad), "%s.bad", path);
	cr_expect(exists(path) == (there && !aside), "%s: %s is %sthere", name, path,
		  exists(path) ? "" : "not ");
	if (aside)
		cr_expect(stat(bad, &st) == 0, "%s: there is no %s", name, bad);
}

static void expect_said(const struct load *row, const struct maui_diags *diags)
{
	char said[4096] = "";
	size_t at = 0;

	for (size_t i = 0; i < diags->count && at + 1024 < sizeof(said); i++) {
		at += maui_diag_format(&diags->list[i], said + at, sizeof(said) - at - 1);
		said[at++] = '\n';
		said[at] = '\0';
	}
	cr_expect(diags->seen[MAUI_ERROR] == row->errors &&
			  diags->seen[MAUI_WARNING] == row->warnings,
		  "%s: %zu errors, %zu warnings: %s", row->name, diags->seen[MAUI_ERROR],
		  diags->seen[MAUI_WARNING], said);
	cr_expect(strstr(said, row->said) != NULL, "%s: expected '%s', got '%s'", row->name,
		  row->said, said);
}

TEST_ROWS(storefile, load, loads, row)
{
	struct maui_store store = { .saved_s = 77, .blocked = true };
	struct maui_diags diags = { 0 };

	make("state.json", row->kind, 1);
	make("state.json.old", row->old, 2);
	if (row->fenced)
		fence("state.json");
	if (row->old_fenced)
		fence("state.json.old");
	cr_assert(maui_store_load("state.json", &store, &diags) == 0, "%s", row->name);
	expect_said(row, &diags);
	cr_expect(store.blocked == row->blocked, "%s: blocked is %d", row->name, store.blocked);
	cr_expect(store.saved_s == (row->id ? 1000 + row->id : 0), "%s: saved at %lld", row->name,
		  (long long)store.saved_s);
	cr_assert(store.count == (row->id ? 1u : 0u), "%s: %zu jobs", row->name, store.count);
	cr_expect(!row->id || (store.jobs[0].job_id == (uint32_t)row->id &&
			       !strcmp(store.jobs[0].qos, "q")),
		  "%s", row->name);
	expect_place(row->name, "state.json", row->kind != MISSING, row->aside);
	expect_place(row->name, "state.json.old", row->old != MISSING, row->old_aside);
	maui_diags_finish(&diags);
	maui_store_finish(&store);
}

/* A file that was set aside has all its bytes. */
Test(storefile, set_aside_as_it_was)
{
	struct maui_store store = { 0 };
	struct maui_diags diags = { 0 };

	put("state.json", "{\"schema\": \"mine\"}\n");
	put("state.json.bad", "an older one");
	cr_assert(maui_store_load("state.json", &store, &diags) == 0);
	expect_content("state.json.bad", "an older one");
	expect_content("state.json.bad.1", "{\"schema\": \"mine\"}\n");
	maui_diags_finish(&diags);
	maui_store_finish(&store);
}

/* ---- saving ---- */

static void save(int64_t saved_s, int rc)
{
	struct maui_store_job job = { .job_id = 17,
				      .submit_s = 2,
				      .stamp_s = 3,
				      .start_s = 4,
				      .charged_s = 5,
				      .qos = (char *)"a \"q\"" };
	struct maui_store store = { .saved_s = saved_s };
	struct maui_err err = { .text = "" };

	store.jobs = &job;
	store.count = 1;
	cr_expect(maui_store_save("dir/state.json", &store, &err) == rc, "%s", err.text);
	cr_expect(rc == 0 || strstr(err.text, "dir/state.json") != NULL, "%s", err.text);
	maui_store_finish(&store);
}

static void expect_saved(const char *path, int64_t saved_s)
{
	struct maui_store store = { 0 };
	struct maui_diags diags = { 0 };

	cr_assert(maui_store_load(path, &store, &diags) == 0 && diags.count == 0, "%s", path);
	cr_expect(store.saved_s == saved_s, "%s: saved at %lld", path, (long long)store.saved_s);
	cr_assert(store.count == 1, "%s", path);
	cr_expect(store.jobs[0].charged_s == 5 && !strcmp(store.jobs[0].qos, "a \"q\""));
	maui_diags_finish(&diags);
	maui_store_finish(&store);
}

Test(storefile, save_keeps_the_one_before)
{
	cr_assert(mkdir("dir", 0700) == 0);
	save(1001, 0);
	expect_saved("dir/state.json", 1001);
	cr_expect(!exists("dir/state.json.old"));
	save(1002, 0);
	expect_saved("dir/state.json", 1002);
	expect_saved("dir/state.json.old", 1001);
	save(1003, 0);
	expect_saved("dir/state.json", 1003);
	expect_saved("dir/state.json.old", 1002);
	cr_expect(!exists("dir/state.json.new"));
}

Test(storefile, save_fails)
{
	save(1001, -1); /* there is no dir */
	cr_assert(mkdir("dir", 0700) == 0);
	save(1002, 0);
	save(1003, 0);
	cr_assert(mkdir("dir/state.json.new", 0700) == 0);
	put("dir/state.json.new/x", "");
	save(1004, -1);
	expect_saved("dir/state.json", 1003);
	expect_saved("dir/state.json.old", 1002);
}
