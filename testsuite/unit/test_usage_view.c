/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_usage_view.c - copies of fairshare windows that share what did not change
 *
 * Rules: CMD-26.
 */

#include <criterion/criterion.h>
#include <stdio.h>

#include "policy/fairshare.h"
#include "state/usage_view.h"

static struct maui_config config = { .fs_interval_s = 100, .fs_depth = 4, .fs_decay = 1 };

static void charge(struct maui_usage *usage, const char *user, int64_t from_s, int64_t to_s)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = user };

	cr_assert(maui_fairshare_charge(usage, &config, cred, 1, from_s, to_s) == 0);
}

Test(usage_view, a_copy_keeps_its_values_when_the_windows_go)
{
	struct maui_usage usage = { 0 };
	struct maui_usage_view *view;

	charge(&usage, "ann", 150, 210);
	view = maui_usage_view_create(&usage, NULL);
	charge(&usage, "bob", 210, 220);
	maui_usage_finish(&usage);
	cr_assert(view && view->count == 2);
	cr_expect(view->windows[0]->start_s == 200 && view->windows[0]->total == 10);
	cr_expect(view->windows[0]->count == 1);
	cr_expect_str_eq(view->windows[0]->entries[0].name, "ann");
	cr_expect(view->windows[1]->entries[0].value == 50);
	maui_usage_view_unref(view);
}

Test(usage_view, only_changed_windows_are_copied)
{
	struct maui_usage usage = { 0 };
	struct maui_usage_view *first, *same, *next;

	charge(&usage, "ann", 150, 210);
	first = maui_usage_view_create(&usage, NULL);
	same = maui_usage_view_create(&usage, first);
	cr_expect_eq(same, first);
	charge(&usage, "ann", 210, 220);
	next = maui_usage_view_create(&usage, first);
	cr_expect_neq(next, first);
	cr_expect_neq(next->windows[0], first->windows[0]);
	cr_expect_eq(next->windows[1], first->windows[1]);
	maui_usage_view_unref(first);
	maui_usage_view_unref(same);
	cr_expect(next->windows[1]->entries[0].value == 50);
	cr_expect(next->windows[0]->entries[0].value == 20);
	maui_usage_view_unref(next);
	maui_usage_finish(&usage);
}

Test(usage_view, a_window_that_left_is_left_out)
{
	struct maui_usage usage = { 0 };
	struct maui_usage_view *first, *next;

	charge(&usage, "ann", 150, 210);
	first = maui_usage_view_create(&usage, NULL);
	maui_fairshare_expire(&usage, &config, 500);
	next = maui_usage_view_create(&usage, first);
	cr_expect(next->count == 1 && next->windows[0] == first->windows[0]);
	maui_usage_view_unref(first);
	maui_usage_view_unref(next);
	maui_usage_finish(&usage);
}

Test(usage_view, no_window_at_all)
{
	struct maui_usage usage = { 0 };
	struct maui_usage_view *view = maui_usage_view_create(&usage, NULL);

	cr_expect(view && view->count == 0);
	maui_usage_view_unref(view);
	maui_usage_view_unref(NULL);
}
