/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_crash_guard.c - deaths inside a plan are remembered over processes, and two of them hold
 *
 * Rules: CMD-5.
 */
#include "controller/crash_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#define NOW INT64_C(1763746622)

static char dir[] = "/tmp/test_crash_guard.XXXXXX";

static void make_dir(void)
{
	cr_assert(mkdtemp(dir) != NULL);
}

static void remove_dir(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/planning", dir);
	unlink(path);
	rmdir(dir);
}

TestSuite(guard, .init = make_dir, .fini = remove_dir);

/* A process that begins a plan at `when` and does not end it. */
static void die_at(int64_t when)
{
	struct maui_crash_guard guard;

	maui_crash_guard_open(&guard, dir);
	maui_crash_guard_enter(&guard, when);
	maui_crash_guard_close(&guard);
}

static bool holds_at(int64_t when)
{
	struct maui_crash_guard guard;
	bool holds;

	maui_crash_guard_open(&guard, dir);
	holds = maui_crash_guard_holds(&guard, when);
	maui_crash_guard_close(&guard);
	return holds;
}

Test(guard, a_plan_that_ends_is_no_death)
{
	struct maui_crash_guard guard;

	for (int i = 0; i < 3; i++) {
		maui_crash_guard_open(&guard, dir);
		maui_crash_guard_enter(&guard, NOW + i);
		maui_crash_guard_leave(&guard);
		maui_crash_guard_close(&guard);
	}
	cr_assert(!holds_at(NOW + 3));
}

/* In a directory that was removed and made again, in the middle of a plan. */
Test(guard, moves)
{
	struct maui_crash_guard guard;
	int64_t when[2] = { NOW, NOW + 10 };

	for (int i = 0; i < 2; i++) {
		maui_crash_guard_open(&guard, dir);
		maui_crash_guard_enter(&guard, when[i]);
		remove_dir();
		cr_assert(mkdir(dir, 0700) == 0);
		maui_crash_guard_move(&guard, dir);
		maui_crash_guard_close(&guard);
	}
	cr_expect(holds_at(NOW + 20));
}

Test(guard, one_death_is_not_enough)
{
	die_at(NOW);
	cr_assert(!holds_at(NOW + 1));
	cr_assert(!holds_at(NOW + 2), "a look is no death");
}

Test(guard, two_deaths_hold_for_ten_minutes)
{
	die_at(NOW);
	die_at(NOW + 300);
	cr_assert(holds_at(NOW + 301));
	cr_assert(holds_at(NOW + 300 + 599));
	cr_assert(!holds_at(NOW + 300 + 600));
}

Test(guard, deaths_far_apart_do_not)
{
	die_at(NOW);
	die_at(NOW + 600);
	cr_assert(!holds_at(NOW + 601));
	die_at(NOW + 700);
	cr_assert(holds_at(NOW + 701), "the last two count");
}

Test(guard, a_clock_set_back_does_not_hold_for_ever)
{
	die_at(NOW + 100000);
	die_at(NOW + 100001);
	cr_assert(!holds_at(NOW + 100001 + 600));
	cr_assert(!holds_at(NOW), "a death in the future is none");
}

Test(guard, garbage_is_an_empty_file)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/planning", dir);
	file = fopen(path, "w");
	cr_assert(file != NULL);
	for (int i = 0; i < 100; i++)
		fputc(0xff, file);
	fclose(file);
	cr_assert(!holds_at(NOW));
	die_at(NOW);
	die_at(NOW + 1);
	cr_assert(holds_at(NOW + 2));
}

Test(guard, no_directory_no_brake)
{
	struct maui_crash_guard guard;

	maui_crash_guard_open(&guard, "/nonexistent/maui");
	maui_crash_guard_enter(&guard, NOW);
	cr_assert(!maui_crash_guard_holds(&guard, NOW));
	maui_crash_guard_leave(&guard);
	maui_crash_guard_close(&guard);
}
