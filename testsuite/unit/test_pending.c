/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pending.c - who pays for idle time, and lines that cannot be written at once
 *
 * Rules: RSV-24.
 */
#include "cycle/pending.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "rows.h"

static char dir[] = "/tmp/test_pending.XXXXXX";
static struct maui_rsv_lists saved;

enum { FROM_S = 1796100000 }; /* 2026-12-01 04:40:00 */

static void begin(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
	cr_assert(mkdtemp(dir));
}

static void end(void)
{
	char command[256];

	maui_rsv_lists_finish(&saved);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	cr_expect(system(command) == 0);
}

TestSuite(pending, .init = begin, .fini = end);

static struct maui_store_record *record(const char *account)
{
	const struct maui_store_record record = { .period = { (char *)"r", 0 },
						  .account = (char *)account,
						  .end_s = MAUI_NEVER,
						  .from_s = FROM_S,
						  .until_s = FROM_S };

	cr_assert(maui_rsv_lists_add_record(&saved, &record) == 0);
	return &saved.records[saved.record_count - 1];
}

static void idle(struct maui_store_record *r, int64_t seconds)
{
	r->until_s += seconds;
	r->idle_ps += seconds;
	r->all_idle_ps += seconds;
}

static int write_all(size_t *ret_lost)
{
	struct maui_err err;

	return maui_pending_write(&saved, dir, ret_lost, &err);
}

/* The lines of the file without its heading; "-": no file. */
static char *written(void)
{
	char path[256], *text, *lines;
	size_t length;

	snprintf(path, sizeof(path), "%s/idle.202612", dir);
	if (maui_file_read(path, 1 << 20, &text, &length, NULL))
		return strdup("-");
	lines = strdup(strchr(text, '\n') + 1);
	free(text);
	return lines;
}

static void expect_written(const char *expected)
{
	char *lines = written();

	EXPECT_TEXT("lines", lines, expected);
	free(lines);
}

Test(pending, a_change_of_account_settles_the_record)
{
	struct maui_store_record *r = record("physics");
	size_t lost;

	idle(r, 4);
	cr_assert(maui_pending_set_payers(&saved, r, "physics", NULL) == 0 &&
		  saved.pending_count == 0);
	cr_assert(maui_pending_set_payers(&saved, r, "chemistry", NULL) == 0);
	idle(r, 6);
	cr_assert(maui_pending_set_payers(&saved, r, "chemistry", "USER:ann") == 0);
	idle(r, 1);
	cr_assert(maui_pending_set_payers(&saved, r, NULL, NULL) == 0);
	idle(r, 8); /* no account pays */
	cr_assert(maui_pending_set_payers(&saved, r, "maths", NULL) == 0);
	idle(r, 2);
	cr_assert(maui_pending_add(&saved, r) == 0 && maui_pending_add(&saved, r) == 0);
	cr_expect(r->all_idle_ps == 21 && r->idle_ps == 0 && r->from_s == FROM_S + 21);
	cr_assert(write_all(&lost) == 0 && saved.pending_count == 0 && lost == 0);
	expect_written("1796100000\t1796100004\tr\t0\tphysics\t-\t0\t0\t4\n"
		       "1796100004\t1796100010\tr\t0\tchemistry\t-\t0\t0\t6\n"
		       "1796100010\t1796100011\tr\t0\tchemistry\tUSER:ann\t0\t0\t1\n"
		       "1796100019\t1796100021\tr\t0\tmaths\t-\t0\t0\t2\n");
}

/* Pending lines survive a restart, until they can be written. */
Test(pending, lines_that_cannot_be_written_are_kept)
{
	struct maui_store_record *r = record("physics");
	struct maui_strbuf text = { 0 };
	struct maui_store store = { .saved_s = 1 }, back;
	char path[256];
	size_t lost;

	snprintf(path, sizeof(path), "%s/idle.202612", dir);
	cr_assert(mkdir(path, 0700) == 0);
	idle(r, 4);
	cr_assert(maui_pending_add(&saved, r) == 0);
	cr_assert(write_all(&lost) == -1 && lost == 0 && saved.pending_count == 1);
	idle(r, 3);
	cr_assert(maui_pending_set_payers(&saved, r, "chemistry", "USER:ann") == 0);
	cr_assert(write_all(&lost) == -1 && lost == 0 && saved.pending_count == 2);
	maui_rsv_lists_to_store(&saved, &store);
	maui_store_format(&store, &text);
	maui_rsv_lists_finish(&saved);
	cr_assert(maui_store_parse(text.text, text.length, &back, NULL) == 0);
	maui_strbuf_finish(&text);
	cr_expect_eq(back.skipped, 0);
	cr_expect_str_eq(back.records[0].owner, "USER:ann");
	cr_assert(maui_rsv_lists_from_store(&saved, &back) == 0);
	maui_store_finish(&back);
	cr_assert(rmdir(path) == 0);
	cr_assert(write_all(&lost) == 0 && saved.pending_count == 0);
	expect_written("1796100000\t1796100004\tr\t0\tphysics\t-\t0\t0\t4\n"
		       "1796100004\t1796100007\tr\t0\tphysics\t-\t0\t0\t3\n");
	cr_assert(write_all(&lost) == 0);
}

/* Of too many pending lines the oldest are dropped. */
Test(pending, the_oldest_of_too_many_are_dropped)
{
	struct maui_store_record *r = record("physics");
	char path[256];
	size_t lost;

	snprintf(path, sizeof(path), "%s/idle.202612", dir);
	cr_assert(mkdir(path, 0700) == 0);
	for (int i = 0; i < MAUI_PENDING_MAX + 7; i++) {
		idle(r, 1);
		cr_assert(maui_pending_add(&saved, r) == 0);
	}
	cr_assert(write_all(&lost) == -1 && lost == 7 && saved.pending_count == MAUI_PENDING_MAX);
	cr_expect_eq(saved.pending[0].from_s, FROM_S + 7);
	cr_expect_eq(saved.pending[MAUI_PENDING_MAX - 1].until_s, r->until_s);
}

Test(pending, an_invalid_element_is_skipped)
{
	static const char text[] =
		"{\"schema\": \"maui.state.v1\", \"saved\": 1, \"jobs\": [], \"due\": ["
		"{\"rsv\": \"a\", \"from\": 3, \"until\": 3}, {\"from\": 3, \"until\": 4}, 7, "
		"{\"rsv\": \"a\", \"from\": 3, \"until\": 4, \"idle\": -1}, "
		"{\"rsv\": \"a\", \"from\": 3, \"until\": 4, \"idle\": 1}]}";
	struct maui_store store;
	struct maui_err err;

	cr_assert(maui_store_parse(text, strlen(text), &store, &err) == 0, "%s", err.text);
	cr_expect(store.pending_count == 1 && store.skipped == 4, "%zu %zu", store.pending_count,
		  store.skipped);
	maui_store_finish(&store);
}
