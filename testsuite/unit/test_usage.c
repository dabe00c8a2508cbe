/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_usage.c - usage windows store what was added
 *
 * Rules: FS-12.
 */
#include "base/limits.h"
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

Test(usage, equal_names_of_two_kinds_are_apart)
{
	struct maui_usage_window w = { 0 };

	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, "x") == 0);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		cr_assert(maui_usage_add(&w, (enum maui_cred_kind)k, "x", k + 1) == 0);
	cr_assert(maui_usage_add(&w, MAUI_CRED_QOS, "x", 10) == 0);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		cr_expect(maui_usage_get(&w, (enum maui_cred_kind)k, "x") ==
			  k + 1 + (k == MAUI_CRED_QOS ? 10 : 0));
	cr_expect(w.entries.used == MAUI_CRED_COUNT && w.dirty && w.total == 0);
	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, "X") == 0);
	maui_usage_window_finish(&w);
}

/* The table grows many times, and copies the names. */
Test(usage, many_names)
{
	struct maui_usage_window w = { 0 };
	char name[32];

	for (int i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "user%d", i);
		cr_assert(maui_usage_add(&w, (enum maui_cred_kind)(i % MAUI_CRED_COUNT), name, i) ==
			  0);
	}
	cr_expect(w.entries.used == 20000);
	for (int i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "user%d", i);
		cr_assert(maui_usage_get(&w, (enum maui_cred_kind)(i % MAUI_CRED_COUNT), name) == i,
			  "%s", name);
	}
	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, "user20000") == 0);
	maui_usage_window_finish(&w);
}

/* A window that begins at the same moment is the same window, of any length, because there
 * is one file for each start. */
Test(usage, one_window_for_each_start)
{
	struct maui_usage usage = { 0 };
	struct maui_usage_window *w = maui_usage_window(&usage, 86400, 43200);

	cr_assert(w && maui_usage_add(w, MAUI_CRED_USER, "amy", 10) == 0);
	cr_assert(maui_usage_window(&usage, 86400, 86400) == w);
	cr_expect(w->interval_s == 86400, "the longer length holds");
	cr_assert(maui_usage_window(&usage, 86400, 3600) == w);
	cr_expect(w->interval_s == 86400, "a shorter window does not cut it");
	cr_expect(usage.count == 1);
	cr_expect(maui_usage_get(w, MAUI_CRED_USER, "amy") == 10);
	maui_usage_finish(&usage);
}

/* Without slurmdbd users can invent accounts: one user's inventions change nothing for others. */
Test(usage, claims_beyond_the_bound_share_one_name)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "amy" };
	struct maui_usage_window w = { 0 };
	char name[32];

	for (unsigned i = 0; i < MAUI_CLAIMS_OF_A_USER + 5; i++) {
		snprintf(name, sizeof(name), "a%u", i);
		cred[MAUI_CRED_ACCOUNT] = name;
		cr_assert(maui_usage_charge(&w, cred, MAUI_CRED_IDS, 1) == 0);
	}
	cr_expect(w.entries.used == MAUI_CLAIMS_OF_A_USER + 2, "amy, her accounts, [others]");
	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, "amy") == MAUI_CLAIMS_OF_A_USER + 5);
	cr_expect(maui_usage_get(&w, MAUI_CRED_ACCOUNT, MAUI_USAGE_OTHERS) == 5);
	cred[MAUI_CRED_ACCOUNT] = "a0";
	cr_assert(maui_usage_charge(&w, cred, MAUI_CRED_IDS, 1) == 0);
	cr_expect(maui_usage_get(&w, MAUI_CRED_ACCOUNT, "a0") == 2, "known names go on");
	cred[MAUI_CRED_ACCOUNT] = "phys";
	cr_assert(maui_usage_charge(&w, cred, MAUI_CRED_IDS | 1u << MAUI_CRED_ACCOUNT, 1) == 0);
	cr_expect(maui_usage_get(&w, MAUI_CRED_ACCOUNT, "phys") == 1, "maui.cfg names it");
	cred[MAUI_CRED_USER] = "bob";
	cred[MAUI_CRED_ACCOUNT] = "bio";
	cr_assert(maui_usage_charge(&w, cred, MAUI_CRED_IDS, 1) == 0);
	cr_expect(maui_usage_get(&w, MAUI_CRED_ACCOUNT, "bio") == 1, "bob's own");
	maui_usage_window_finish(&w);
}

/* Who has subordinate ids has no more claims than another user, whatever they are: ids, groups,
 * accounts. */
Test(usage, claims_of_ids_without_a_name_are_one_users)
{
	const char *cred[MAUI_CRED_COUNT] = { 0 };
	struct maui_usage_window w = { 0 };
	char id[32], name[32];

	cred[MAUI_CRED_USER] = cred[MAUI_CRED_GROUP] = id;
	cred[MAUI_CRED_ACCOUNT] = name;
	for (unsigned i = 0; i < 2 * MAUI_CLAIMS_OF_A_USER; i++) {
		snprintf(id, sizeof(id), "%u", 100000 + i);
		snprintf(name, sizeof(name), "a%u", i);
		cr_assert(maui_usage_charge(&w, cred, 0, 1) == 0);
	}
	cr_expect(w.entries.used <= MAUI_CLAIMS_OF_A_USER + 3, "%zu names", w.entries.used);
	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, "100000") == 1);
	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, MAUI_USAGE_OTHERS) > MAUI_CLAIMS_OF_A_USER);
	cred[MAUI_CRED_USER] = "bob";
	cred[MAUI_CRED_ACCOUNT] = "bio";
	cr_assert(maui_usage_charge(&w, cred, MAUI_CRED_IDS, 1) == 0);
	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, "bob") == 1);
	cr_expect(maui_usage_get(&w, MAUI_CRED_ACCOUNT, "bio") == 1);
	/* a login of digits has a name */
	cred[MAUI_CRED_USER] = "20261130";
	cr_assert(maui_usage_charge(&w, cred, MAUI_CRED_IDS, 1) == 0);
	cr_expect(maui_usage_get(&w, MAUI_CRED_USER, "20261130") == 1);
	maui_usage_window_finish(&w);
}

/* Users and groups are never charged together. */
Test(usage, a_full_window_has_every_user)
{
	const char *cred[MAUI_CRED_COUNT] = { 0 };
	struct maui_usage_window w = { 0 };
	char name[32];

	for (unsigned i = 0; i < MAUI_FS_MAX_NAMES + 5; i++) {
		snprintf(name, sizeof(name), "u%u", i);
		cred[MAUI_CRED_USER] = name;
		cr_assert(maui_usage_charge(&w, cred, MAUI_CRED_IDS, 1) == 0);
	}
	cr_expect(w.entries.used == MAUI_FS_MAX_NAMES + 5);
	cred[MAUI_CRED_ACCOUNT] = "bio";
	cr_assert(maui_usage_charge(&w, cred, MAUI_CRED_IDS, 1) == 0);
	cr_expect(maui_usage_get(&w, MAUI_CRED_ACCOUNT, MAUI_USAGE_OTHERS) == 1);
	maui_usage_window_finish(&w);
}
