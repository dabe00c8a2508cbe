/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_mirror.c - decides what to do about a mirror, chooses the instances to mirror, and lists
 * our mirrors
 *
 * Rules: RSV-17, RSV-18.
 */
#include "slurm/mirror/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/mirror.h"
#include "rows.h"

enum { NOW = 1000000, HOUR = 3600 };

/* ---- one mirror ---- */

#define KNOWN(number)                                                                          \
	{                                                                                      \
		.name = (char *)"m", .id = number, .start_s = NOW - HOUR, .end_s = NOW + HOUR, \
		.nodes = 5                                                                     \
	}
#define SEEN(number)                                                                  \
	{                                                                             \
		.id = number, .start_s = NOW - HOUR, .end_s = NOW + HOUR, .nodes = 5, \
		.same_nodes = true, .form = true                                      \
	}
#define WANT                                                                                    \
	{                                                                                       \
		.name = "m", .rsv = "r", .start_s = NOW - HOUR, .end_s = NOW + HOUR, .count = 1 \
	}

static const struct maui_mirror_known known_one = KNOWN(7);
static const struct maui_mirror_known waiting = { .name = (char *)"m",
						  .id = 7,
						  .retry_s = NOW + 5,
						  .start_s = NOW - HOUR,
						  .end_s = NOW + HOUR,
						  .nodes = 5 };
static const struct maui_mirror_known ended = { .name = (char *)"m",
						.id = 7,
						.nodes = 5,
						.start_s = NOW - HOUR,
						.end_s = NOW - 1 };
static const struct maui_mirror_known year = { .name = (char *)"m",
					       .id = 7,
					       .nodes = 5,
					       .start_s = NOW - HOUR,
					       .end_s = NOW + MAUI_YEAR_S - 99 };
static const struct maui_mirror_known buried = { .name = (char *)"m",
						 .id = 7,
						 .nodes = 5,
						 .start_s = NOW - HOUR,
						 .end_s = NOW + HOUR,
						 .deleted_s = NOW - MAUI_MIRROR_LINGER_S + 1 };
static const struct maui_mirror_known long_buried = { .name = (char *)"m",
						      .id = 7,
						      .nodes = 5,
						      .start_s = NOW - HOUR,
						      .end_s = NOW + HOUR,
						      .deleted_s = NOW - MAUI_MIRROR_LINGER_S };
static const struct maui_mirror_known ended_buried = { .name = (char *)"m",
						       .id = 7,
						       .nodes = 5,
						       .start_s = NOW - HOUR,
						       .end_s = NOW,
						       .deleted_s = NOW - 1 };
static const struct maui_mirror_want want_one = WANT;
static const struct maui_mirror_want want_later = { .name = "m",
						    .rsv = "r",
						    .start_s = NOW + 9,
						    .end_s = NOW + HOUR,
						    .count = 1 };
static const struct maui_mirror_want want_endless = { .name = "m",
						      .rsv = "r",
						      .count = 1,
						      .start_s = NOW - HOUR,
						      .end_s = MAUI_NEVER };
static const struct maui_mirror_want want_admin = { .name = "m",
						    .rsv = "r",
						    .count = 1,
						    .start_s = NOW - HOUR,
						    .end_s = NOW + HOUR,
						    .administrative = true };

static const struct decision {
	const char *what;
	const struct maui_mirror_want *want;
	const struct maui_mirror_known *known;
	struct maui_mirror_seen seen; /* id 0: none */
	bool first;
	enum maui_mirror_step step;
} decisions[] = {
	{ "neither wanted, known nor in Slurm", NULL, NULL, { 0 }, false, MAUI_MIRROR_KEEP },
	{ "foreign, not wanted", NULL, NULL, SEEN(3), false, MAUI_MIRROR_KEEP },
	{ "new", &want_one, NULL, { 0 }, false, MAUI_MIRROR_CREATE },
	{ "unchanged", &want_one, &known_one, SEEN(7), false, MAUI_MIRROR_KEEP },
	{ "deleted with scontrol", &want_one, &known_one, { 0 }, false, MAUI_MIRROR_CREATE },
	{ "deleted, and made again with scontrol", &want_one, &known_one, SEEN(8), false,
	  MAUI_MIRROR_NAMESAKE },
	{ "foreign, of another form",
	  &want_one,
	  NULL,
	  { .id = 3, .start_s = NOW - 5, .end_s = NOW + HOUR, .same_nodes = true },
	  false,
	  MAUI_MIRROR_NAMESAKE },
	{ "foreign, with another end",
	  &want_one,
	  NULL,
	  { .id = 3, .start_s = NOW - 5, .end_s = NOW + 1, .same_nodes = true, .form = true },
	  false,
	  MAUI_MIRROR_NAMESAKE },
	{ "equal to what we would make", &want_one, NULL, SEEN(3), false, MAUI_MIRROR_ADOPT },
	{ "equal, but on other nodes",
	  &want_one,
	  NULL,
	  { .id = 3, .start_s = NOW - 5, .end_s = NOW + HOUR, .form = true },
	  false,
	  MAUI_MIRROR_ADOPT },
	{ "its nodes not read",
	  &want_one,
	  &known_one,
	  { .id = 7, .start_s = NOW - HOUR, .end_s = NOW + 5, .unread = true, .form = true },
	  false,
	  MAUI_MIRROR_LOOK },
	{ "its nodes not read, no longer wanted",
	  NULL,
	  &known_one,
	  { .id = 7, .start_s = NOW - HOUR, .end_s = NOW + 5, .unread = true },
	  false,
	  MAUI_MIRROR_DELETE },
	{ "another end",
	  &want_one,
	  &known_one,
	  { .id = 7, .start_s = NOW - HOUR, .end_s = NOW + 5, .same_nodes = true, .form = true },
	  false,
	  MAUI_MIRROR_UPDATE },
	{ "other nodes",
	  &want_one,
	  &known_one,
	  { .id = 7, .start_s = NOW - HOUR, .end_s = NOW + HOUR, .form = true },
	  false,
	  MAUI_MIRROR_UPDATE },
	{ "another form",
	  &want_one,
	  &known_one,
	  { .id = 7, .start_s = NOW - HOUR, .end_s = NOW + HOUR, .same_nodes = true },
	  false,
	  MAUI_MIRROR_REMAKE },
	{ "our form under another slurm.conf",
	  &want_one,
	  &known_one,
	  { .id = 7,
	    .start_s = NOW - HOUR,
	    .end_s = NOW + HOUR,
	    .same_nodes = true,
	    .old_form = true },
	  false,
	  MAUI_MIRROR_REMAKE },
	{ "equal to what we would have made, list lost",
	  &want_one,
	  NULL,
	  { .id = 3, .start_s = NOW - HOUR, .end_s = NOW + HOUR, .old_form = true },
	  false,
	  MAUI_MIRROR_ADOPT },
	{ "created after its instance began",
	  &want_one,
	  &known_one,
	  { .id = 7, .start_s = NOW - 5, .end_s = NOW + HOUR, .same_nodes = true, .form = true },
	  false,
	  MAUI_MIRROR_KEEP },
	{ "moved into the future with scontrol",
	  &want_one,
	  &known_one,
	  { .id = 7, .start_s = NOW + 5, .end_s = NOW + HOUR, .same_nodes = true, .form = true },
	  false,
	  MAUI_MIRROR_UPDATE },
	{ "in force, and must begin later", &want_later, &known_one, SEEN(7), false,
	  MAUI_MIRROR_REMAKE },
	{ "refused a moment ago", &want_later, &waiting, SEEN(7), false, MAUI_MIRROR_KEEP },
	{ "refused a moment ago, and gone meanwhile",
	  &want_later,
	  &waiting,
	  { 0 },
	  false,
	  MAUI_MIRROR_CREATE },
	{ "without an end, a year",
	  &want_endless,
	  &year,
	  { .id = 7,
	    .start_s = NOW - HOUR,
	    .end_s = NOW + MAUI_YEAR_S - 99,
	    .nodes = 5,
	    .same_nodes = true,
	    .form = true },
	  false,
	  MAUI_MIRROR_KEEP },
	{ "without an end, a month later",
	  &want_endless,
	  &known_one,
	  { .id = 7,
	    .start_s = NOW - HOUR,
	    .end_s = NOW + MAUI_MIRROR_RENEW_S - 1,
	    .same_nodes = true,
	    .form = true },
	  false,
	  MAUI_MIRROR_UPDATE },
	{ "shortened with scontrol, over",
	  &want_one,
	  &known_one,
	  { .id = 7, .start_s = NOW - HOUR, .end_s = NOW - 5, .same_nodes = true, .form = true },
	  false,
	  MAUI_MIRROR_UPDATE },
	{ "no longer wanted", NULL, &known_one, SEEN(7), false, MAUI_MIRROR_DELETE },
	{ "not wanted, waiting", NULL, &waiting, SEEN(7), false, MAUI_MIRROR_KEEP },
	{ "not wanted, gone", NULL, &known_one, { 0 }, false, MAUI_MIRROR_FORGET },
	{ "not wanted, foreign", NULL, &known_one, SEEN(8), false, MAUI_MIRROR_FORGET },
	{ "deleted by us", NULL, &buried, { 0 }, false, MAUI_MIRROR_KEEP },
	{ "deleted by us, and over", NULL, &ended_buried, { 0 }, false, MAUI_MIRROR_FORGET },
	{ "deleted by us a while ago", NULL, &long_buried, { 0 }, false, MAUI_MIRROR_FORGET },
	{ "deleted by us, and back after a crash", NULL, &buried, SEEN(7), true,
	  MAUI_MIRROR_DELETE },
	{ "deleted by us, and made with scontrol", NULL, &buried, SEEN(8), false,
	  MAUI_MIRROR_KEEP },
	{ "deleted by us, and wanted again", &want_one, &buried, { 0 }, false, MAUI_MIRROR_CREATE },
	{ "over",
	  NULL,
	  &ended,
	  { .id = 7, .start_s = NOW - HOUR, .end_s = NOW - 1, .form = true },
	  false,
	  MAUI_MIRROR_OVER },
	{ "over in this second",
	  NULL,
	  &ended,
	  { .id = 7, .start_s = NOW - HOUR, .end_s = NOW, .form = true },
	  false,
	  MAUI_MIRROR_KEEP },
	{ "administrative, unchanged", &want_admin, &known_one, SEEN(7), false, MAUI_MIRROR_KEEP },
	{ "administrative, deleted", &want_admin, &known_one, { 0 }, false, MAUI_MIRROR_GONE },
	{ "administrative, deleted by us and wanted again",
	  &want_admin,
	  &buried,
	  { 0 },
	  false,
	  MAUI_MIRROR_CREATE },
	{ "administrative, deleted and made again", &want_admin, &known_one, SEEN(8), false,
	  MAUI_MIRROR_GONE },
	{ "administrative, missing at the first look",
	  &want_admin,
	  &known_one,
	  { 0 },
	  true,
	  MAUI_MIRROR_CREATE },
	{ "administrative, over and purged",
	  &want_admin,
	  &ended,
	  { 0 },
	  false,
	  MAUI_MIRROR_CREATE },
	{ "administrative, changed",
	  &want_admin,
	  &known_one,
	  { .id = 7, .start_s = NOW - HOUR, .end_s = NOW + 5, .nodes = 5, .form = true },
	  false,
	  MAUI_MIRROR_CHANGED },
	{ "administrative, without nodes",
	  &want_admin,
	  &known_one,
	  { .id = 7,
	    .start_s = NOW - HOUR,
	    .end_s = NOW + HOUR,
	    .nodes = 6,
	    .empty = true,
	    .form = true },
	  false,
	  MAUI_MIRROR_UPDATE },
	{ "administrative, only the form differs",
	  &want_admin,
	  &known_one,
	  { .id = 7, .start_s = NOW - HOUR, .end_s = NOW + HOUR, .nodes = 5, .same_nodes = true },
	  false,
	  MAUI_MIRROR_REMAKE },
};

Test(mirror, decide)
{
	for (size_t i = 0; i < sizeof(decisions) / sizeof(decisions[0]); i++) {
		const struct decision *d = &decisions[i];
		enum maui_mirror_step step = maui_mirror_decide(
			d->want, d->known, d->seen.id ? &d->seen : NULL, NOW, d->first);

		cr_expect(step == d->step, "%s: step %d, not %d", d->what, (int)step, (int)d->step);
	}
}

Test(mirror, tampered)
{
	struct maui_mirror_seen seen = SEEN(7);

	cr_expect(!maui_mirror_is_tampered(NULL, &seen, NOW));
	cr_expect(!maui_mirror_is_tampered(&known_one, &seen, NOW));
	cr_expect(maui_mirror_is_tampered(&known_one, NULL, NOW));
	cr_expect(!maui_mirror_is_tampered(&ended, NULL, NOW), "its end has passed");
	cr_expect(!maui_mirror_is_tampered(&buried, NULL, NOW), "slurm-maui deleted it");
	seen.nodes = 6;
	cr_expect(maui_mirror_is_tampered(&known_one, &seen, NOW));
	seen.nodes = 5;
	seen.form = false;
	cr_expect(maui_mirror_is_tampered(&known_one, &seen, NOW));
	seen.old_form = true;
	cr_expect(!maui_mirror_is_tampered(&known_one, &seen, NOW), "slurm.conf was changed");
}

/* ---- a mirror that a crash brings back ---- */

static const struct comeback {
	const char *what;
	struct maui_mirror_seen seen; /* at the first look; of end NOW + .. * HOUR and `nodes` */
	bool standing;                /* the mirror shows a SRCFG */
	bool accepted;
	enum maui_mirror_step step;
} comebacks[] = {
#define BACK(number, hours, hash)                                                                \
	{                                                                                        \
		.id = number, .start_s = NOW - HOUR, .end_s = NOW + (hours)*HOUR, .nodes = hash, \
		.form = true, .same_nodes = (hash) == 5                                          \
	}
	{ "unchanged", BACK(7, 1, 5), false, false, MAUI_MIRROR_KEEP },
	{ "with another end", BACK(7, 3, 5), false, true, MAUI_MIRROR_UPDATE },
	{ "on other nodes", BACK(7, 1, 6), false, true, MAUI_MIRROR_UPDATE },
	{ "with other times, of a SRCFG", BACK(7, 3, 5), true, false, MAUI_MIRROR_UPDATE },
	{ "with another number", BACK(6, 3, 5), false, false, MAUI_MIRROR_REMAKE },
#undef BACK
};

TEST_ROWS(mirror, a_difference_at_the_first_look_is_restored, comebacks, row)
{
	struct maui_mirror_want want = row->standing ? want_one : want_admin;
	struct maui_mirror_known known = KNOWN(7);

	known.administrative = !row->standing;
	cr_expect_eq(maui_mirror_accept(&known, &row->seen), row->accepted, "%s", row->what);
	cr_expect_eq(maui_mirror_decide(&want, &known, &row->seen, NOW, true), row->step, "%s",
		     row->what);
	if (!row->accepted)
		return;
	/* when Slurm refuses the update, the second look does not take the difference for a change
	 * by scontrol either */
	cr_expect_eq(maui_mirror_decide(&want, &known, &row->seen, NOW, false), MAUI_MIRROR_UPDATE,
		     "%s", row->what);
}

Test(mirror, unread_nodes_are_not_restored)
{
	struct maui_mirror_seen seen = SEEN(7);
	struct maui_mirror_known known = KNOWN(7);

	known.administrative = true;
	seen.nodes = 6;
	seen.unread = true;
	cr_expect_not(maui_mirror_accept(&known, &seen));
	cr_expect_not(maui_mirror_accept(NULL, &seen));
	cr_expect_eq(known.nodes, 5);
}

/* ---- which instances are mirrored ---- */

Test(mirror, select)
{
	static const struct maui_mirror_want wants[] = {
		{ .name = "far", .start_s = NOW + 5 * HOUR, .end_s = NOW + 6 * HOUR, .count = 1 },
		{ .name = "soon", .start_s = NOW + HOUR, .end_s = NOW + 6 * HOUR, .count = 1 },
		{ .name = "on", .start_s = NOW - HOUR, .end_s = MAUI_NEVER, .count = 1 },
		{ .name = "empty", .start_s = NOW - HOUR, .end_s = NOW + HOUR },
		{ .name = "over", .start_s = NOW - HOUR, .end_s = NOW, .count = 1 },
		{ .name = "a", .start_s = NOW + HOUR, .end_s = NOW + 6 * HOUR, .count = 1 },
		{ .name = "backwards", .start_s = NOW + HOUR + 1, .end_s = NOW + HOUR, .count = 1 },
		{ .name = "no time", .start_s = NOW + HOUR, .end_s = NOW + HOUR, .count = 1 },
	};
	const struct maui_mirror_want *ret[8];
	size_t left;

	cr_assert_eq(maui_mirror_select(wants, 8, MAUI_MIRROR_ALL, NOW, 2 * HOUR, ret, &left), 3);
	cr_expect_str_eq(ret[0]->name, "on");
	cr_expect_str_eq(ret[1]->name, "a");
	cr_expect_str_eq(ret[2]->name, "soon");
	cr_expect_eq(left, 0);
	cr_expect_eq(maui_mirror_select(wants, 8, MAUI_MIRROR_ALL, NOW, MAUI_NEVER, ret, &left), 4);
	cr_expect_eq(maui_mirror_select(wants, 8, MAUI_MIRROR_CURRENT, NOW, HOUR, ret, &left), 1);
	cr_expect_eq(maui_mirror_select(wants, 8, MAUI_MIRROR_NONE, NOW, HOUR, ret, &left), 0);
}

/* Slurm reads an end before the begin as no end. */
Test(mirror, begins_in_years)
{
	struct maui_mirror_want want = { .name = "m",
					 .count = 1,
					 .end_s = MAUI_NEVER,
					 .start_s = NOW + INT64_C(300) * 24 * HOUR };
	struct maui_mirror_seen seen = {
		.id = 7, .start_s = want.start_s, .same_nodes = true, .form = true
	};
	struct maui_mirror_known known = { .name = (char *)"m", .id = 7, .start_s = want.start_s };
	const struct maui_mirror_want *ret[1];
	size_t left;

	cr_assert_eq(maui_mirror_select(&want, 1, MAUI_MIRROR_ALL, NOW, MAUI_NEVER, ret, &left), 1);
	seen.end_s = known.end_s = maui_mirror_end(&want, NOW);
	cr_expect_eq(seen.end_s, want.start_s + MAUI_YEAR_S);
	cr_expect_eq(maui_mirror_decide(&want, &known, &seen, NOW, false), MAUI_MIRROR_KEEP);
	want.start_s = NOW - HOUR;
	cr_expect_eq(maui_mirror_end(&want, NOW), NOW + MAUI_YEAR_S);
	want.start_s = NOW + MAUI_YEAR_S + 1;
	cr_expect_eq(maui_mirror_select(&want, 1, MAUI_MIRROR_ALL, NOW, MAUI_NEVER, ret, &left), 0);
	want.start_s = INT64_C(1) << 62;
	cr_expect_eq(maui_mirror_select(&want, 1, MAUI_MIRROR_ALL, NOW, MAUI_NEVER, ret, &left), 0);
}

Test(mirror, no_more_than_that)
{
	size_t count = MAUI_MIRROR_MAX + 7, left;
	struct maui_mirror_want *wants = calloc(count, sizeof(*wants));
	const struct maui_mirror_want **ret = calloc(count, sizeof(*ret));

	for (size_t i = 0; i < count; i++)
		wants[i] = (struct maui_mirror_want){ .name = "x",
						      .count = 1,
						      .end_s = MAUI_NEVER,
						      .start_s = NOW + (int64_t)(count - i) };
	cr_expect_eq(maui_mirror_select(wants, count, MAUI_MIRROR_ALL, NOW, MAUI_NEVER, ret, &left),
		     MAUI_MIRROR_MAX);
	cr_expect_eq(left, 7);
	cr_expect_eq(ret[0]->start_s, NOW + 1, "soonest first");
	cr_expect_eq(maui_mirror_select(wants, count, MAUI_MIRROR_ALL, NOW, count - 3, ret, &left),
		     MAUI_MIRROR_MAX);
	cr_expect_eq(left, 7, "those beyond are not shown either");
	cr_expect_eq(maui_mirror_select(wants, count, MAUI_MIRROR_ALL, NOW, 5, ret, &left), 5);
	cr_expect_eq(left, 0, "they need not be");
	free(wants);
	free(ret);
}

/* ---- the list ---- */

Test(mirror, list)
{
	static const char *const names[] = { "m", "c", "x", "a", "k", "z", "b" };
	struct maui_mirrors mirrors = { 0 }, back = { 0 };
	struct maui_store store = { .saved_s = 1 };

	cr_expect_null(maui_mirrors_find(NULL, "m"));
	cr_expect_null(maui_mirrors_find(&mirrors, "m"));
	for (uint32_t i = 0; i < 7; i++) {
		struct maui_mirror_known one = { .name = (char *)names[i],
						 .id = i + 1,
						 .nodes = i,
						 .start_s = i,
						 .end_s = 10 * i,
						 .administrative = i % 2 };

		cr_assert(maui_mirrors_put(&mirrors, &one) == 0);
		cr_assert(maui_mirrors_put(&mirrors, &one) == 0, "again");
	}
	cr_expect_eq(mirrors.count, 7);
	for (uint32_t i = 0; i < 7; i++)
		cr_expect_eq(maui_mirrors_find(&mirrors, names[i])->id, i + 1);
	maui_mirrors_drop(&mirrors, "k");
	maui_mirrors_drop(&mirrors, "k");
	cr_expect_eq(mirrors.count, 6);
	cr_expect_null(maui_mirrors_find(&mirrors, "k"));
	cr_assert(maui_mirrors_to_store(&mirrors, &store) == 0);
	cr_assert(maui_mirrors_from_store(&back, &store) == 0);
	cr_expect_eq(back.count, 6);
	cr_expect(maui_mirrors_find(&back, "a")->administrative);
	cr_expect_eq(maui_mirrors_find(&back, "z")->end_s, 50);
	maui_store_finish(&store);
	maui_mirrors_finish(&back);
	maui_mirrors_finish(&mirrors);
}

static size_t released;

static void count_released(void *copy)
{
	released += copy != NULL;
}

Test(mirror, copies)
{
	struct maui_mirrors mirrors = { .release = count_released };
	struct maui_mirror_known one = { .name = (char *)"a", .id = 1 };
	char copy;

	cr_assert(maui_mirrors_put(&mirrors, &one) == 0);
	maui_mirrors_find(&mirrors, "a")->copy = one.copy = &copy;
	cr_assert(maui_mirrors_put(&mirrors, &one) == 0);
	cr_expect_eq(released, 1, "replaced");
	cr_expect_null(maui_mirrors_find(&mirrors, "a")->copy, "of what it was");
	maui_mirrors_find(&mirrors, "a")->copy = &copy;
	maui_mirrors_drop(&mirrors, "a");
	cr_expect_eq(released, 2, "dropped");
	cr_assert(maui_mirrors_put(&mirrors, &one) == 0);
	maui_mirrors_find(&mirrors, "a")->copy = &copy;
	maui_mirrors_finish(&mirrors);
	cr_expect_eq(released, 3, "at the end");
}

Test(mirror, notes)
{
	struct maui_mirrors mirrors = { 0 };
	bool is_new;

	cr_assert_not_null(maui_mirrors_note(&mirrors, "a", 3, 0, &is_new));
	cr_expect(is_new);
	cr_assert_not_null(maui_mirrors_note(&mirrors, "a", 3, 0, &is_new));
	cr_expect(!is_new, "said once");
	cr_assert_not_null(maui_mirrors_note(&mirrors, "a", 4, 0, &is_new));
	cr_expect(is_new, "another one");
	maui_mirrors_age_notes(&mirrors);
	cr_expect_eq(mirrors.note_count, 1);
	maui_mirrors_age_notes(&mirrors);
	cr_expect_eq(mirrors.note_count, 0, "not seen any more");
	maui_mirrors_finish(&mirrors);
}

Test(mirror, notes_are_found_and_kept)
{
	static const char *const names[] = { "m", "c", "x", "a", "z", "n" };
	struct maui_mirrors mirrors = { 0 };
	const struct maui_mirror_note *note;
	bool is_new;

	for (uint32_t i = 0; i < 6; i++)
		cr_assert_not_null(maui_mirrors_note(&mirrors, names[i], i, 7, &is_new));
	for (uint32_t i = 0; i < 6; i++) {
		note = maui_mirrors_note_find(&mirrors, names[i]);
		cr_assert(note && note->id == i, "%s", names[i]);
		cr_assert_null(maui_mirrors_note_find(&mirrors, names[i][0] == 'a' ? "b" : ""));
	}
	cr_assert_not_null(maui_mirrors_note(&mirrors, "z", 4, 7, &is_new));
	cr_expect(!is_new, "said already");
	maui_mirrors_finish(&mirrors);
}
