/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_usage.c - windows of usage as plain storage */
#include "state/usage.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(usage, windows_newest_first)
{
	static const int64_t starts[] = { 300, 100, 500, 200, 400, 300 };
	struct maui_usage usage = { 0 };

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		struct maui_usage_window *w = maui_usage_window(&usage, starts[i], 100);

		cr_assert(w && w->start_s == starts[i] && w->interval_s == 100);
		w->total += 1;
	}
	cr_expect(usage.count == 5);
	for (size_t i = 0; i < usage.count; i++) {
		cr_expect(usage.windows[i].start_s == 500 - 100 * (int64_t)i);
		cr_expect(usage.windows[i].total == (usage.windows[i].start_s == 300 ? 2 : 1));
	}
	maui_usage_finish(&usage);
	cr_expect(usage.count == 0 && usage.windows == NULL);
}

/* Same start, another length: another window. */
Test(usage, windows_of_two_lengths)
{
	struct maui_usage usage = { 0 };

	maui_usage_window(&usage, 100, 100)->total = 1;
	maui_usage_window(&usage, 100, 50)->total = 2;
	maui_usage_window(&usage, 200, 50)->total = 3;
	cr_expect(usage.count == 3);
	cr_expect(maui_usage_window(&usage, 100, 100)->total == 1);
	cr_expect(maui_usage_window(&usage, 100, 50)->total == 2);
	cr_expect(usage.count == 3);
	maui_usage_finish(&usage);
}

Test(usage, remove)
{
	struct maui_usage usage = { 0 };

	for (int64_t start = 1; start <= 4; start++)
		cr_assert(maui_usage_add(maui_usage_window(&usage, start, 1), MAUI_CRED_USER, "a",
					 (double)start) == 0);
	maui_usage_remove(&usage, 1);
	cr_expect(usage.count == 3);
	cr_expect(usage.windows[0].start_s == 4 && usage.windows[1].start_s == 2 &&
		  usage.windows[2].start_s == 1);
	cr_expect(maui_usage_get(&usage.windows[1], MAUI_CRED_USER, "a") == 2);
	maui_usage_remove(&usage, 2);
	maui_usage_remove(&usage, 0);
	maui_usage_remove(&usage, 0);
	cr_expect(usage.count == 0);
	maui_usage_finish(&usage);
}

Test(usage, kinds_are_apart)
{
	struct maui_usage_window w = { 0 };

	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, "x") == 0);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		cr_assert(maui_usage_add(&w, (enum maui_cred_kind)k, "x", k + 1) == 0);
	cr_assert(maui_usage_add(&w, MAUI_CRED_QOS, "x", 10) == 0);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		cr_expect(maui_usage_get(&w, (enum maui_cred_kind)k, "x") ==
			  k + 1 + (k == MAUI_CRED_QOS ? 10 : 0));
	cr_expect(w.used == MAUI_CRED_COUNT && w.dirty && w.total == 0);
	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, "X") == 0);
	maui_usage_window_finish(&w);
}

/* The table grows many times; the name is the caller's only until the call returns. */
Test(usage, many_names)
{
	struct maui_usage_window w = { 0 }, copy;
	char name[32];

	for (int i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "user%d", i);
		cr_assert(maui_usage_add(&w, (enum maui_cred_kind)(i % MAUI_CRED_COUNT), name, i) ==
			  0);
	}
	cr_expect(w.used == 20000);
	cr_assert(maui_usage_window_copy(&w, &copy) == 0);
	maui_usage_window_finish(&w);
	for (int i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "user%d", i);
		cr_assert(maui_usage_get(&copy, (enum maui_cred_kind)(i % MAUI_CRED_COUNT), name) ==
				  i,
			  "%s", name);
	}
	cr_expect(maui_usage_get(&copy, MAUI_CRED_USER, "user20000") == 0);
	cr_expect(copy.used == 20000);
	maui_usage_window_finish(&copy);
}

Test(usage, copy_is_its_own)
{
	struct maui_usage_window w = { .start_s = 7, .interval_s = 9, .total = 11 }, copy;

	cr_assert(maui_usage_add(&w, MAUI_CRED_USER, "a", 5) == 0);
	w.dirty = false;
	cr_assert(maui_usage_window_copy(&w, &copy) == 0);
	cr_expect(copy.start_s == 7 && copy.interval_s == 9 && copy.total == 11 && !copy.dirty);
	cr_assert(maui_usage_add(&copy, MAUI_CRED_USER, "a", 1) == 0);
	cr_expect(copy.dirty && !w.dirty);
	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, "a") == 5);
	cr_expect(maui_usage_get(&copy, MAUI_CRED_USER, "a") == 6);
	maui_usage_window_finish(&w);
	maui_usage_window_finish(&copy);
}
