/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_waits.c - counted waits are in the order of a sorted list of all of them
 *
 * Each run draws another seed; a failure names it.
 */
#include "sim/waits.h"

#include <stdlib.h>

#include "../seeds.h"
#include "base/sort.h"
#include "rows.h"

enum { MOST = 20000 };

static const struct row {
	const char *name;
	size_t count;
	uint64_t distinct; /* at most */
	int64_t step;
} rows[] = {
	{ "one", 1, 1, 0 },
	{ "all equal", MOST, 1, 1 },
	{ "few", MOST, 3, 86400 },
	{ "many", MOST, 100000, 1 },
	{ "all different, most likely", MOST, UINT64_C(1) << 50, 1 },
	{ "with the low bits equal", MOST, 5000, 1 << 20 },
};

TEST_ROWS(waits, in_order, rows, row)
{
	static int64_t list[MOST];
	struct maui_sim_waits waits = { 0 };
	uint64_t seed = seeds_state = seeds_fresh();

	for (size_t i = 0; i < row->count; i++) {
		list[i] = (int64_t)(seeds_random() % row->distinct) * row->step;
		maui_sim_waits_add(&waits, list[i]);
	}
	cr_assert(waits.jobs == row->count);
	cr_assert(waits.used <= row->distinct && waits.slot_count <= 4 * waits.used + 16,
		  "%s: %zu slots for %zu times", row->name, waits.slot_count, waits.used);
	qsort(list, row->count, sizeof(*list), maui_sort_by_i64);
	maui_sim_waits_sort(&waits);
	for (size_t i = 0; i < row->count; i += 1 + row->count / 1000)
		cr_assert(maui_sim_waits_at(&waits, i) == list[i], "%s, seed %llu: wait %zu",
			  row->name, (unsigned long long)seed, i);
	cr_assert(maui_sim_waits_at(&waits, row->count - 1) == list[row->count - 1]);
	maui_sim_waits_finish(&waits);
}

Test(waits, none)
{
	struct maui_sim_waits waits = { 0 };

	maui_sim_waits_sort(&waits);
	cr_assert(waits.jobs == 0);
	maui_sim_waits_finish(&waits);
}
