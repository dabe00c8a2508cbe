/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_publish.c - Maui's priority as squeue and sprio show it
 *
 * Rules: PRIO-14, PRIO-15.
 */
#include "policy/publish.h"

#include <inttypes.h>
#include <math.h>

#include "base/limits.h"
#include "rows.h"

/* Slurm's own bounds of nice (slurm.h: NICE_OFFSET - 3) */
#define NICE_MAX INT64_C(2147483645)

struct row {
	double value;
	bool negative; /* ENABLENEGJOBPRIORITY */
	int64_t nice;
	uint32_t priority;
};

static const struct row rows[] = {
	{ 1, false, 0, 2 }, /* nice can still lower it, so `scontrol top` works */
	{ 1, false, 1, 1 },
	{ 2, false, 0, 2 },
	{ 5, false, 0, 5 },
	{ 5.999, false, 0, 5 },
	{ 0.5, false, 0, 2 }, /* REJECTNEGPRIOJOBS keeps [0, 1) as it is */
	{ 0, false, 0, 2 },
	{ -5, false, 0, 2 }, /* rejected: 0 would be "held" to Slurm */
	{ 1e9, false, 0, 1000000000 },
	{ 1e9 + 1000, false, 0, 1000001000 }, /* setspri 1000 */
	{ 2e9, false, 0, 2000000000 },        /* setspri -r 1e9 at the ceiling */
	{ 1e300, false, 0, 4000000000 },
	{ INFINITY, false, 0, 4000000000 },
	{ -INFINITY, false, 0, 2 },
	{ NAN, false, 0, 2 },
	/* offset by 1,000,000,001 */
	{ 0, true, 0, 1000000001 },
	{ 0.9, true, 0, 1000000001 },
	{ -0.9, true, 0, 1000000001 },
	{ -1, true, 0, 1000000000 },
	{ -5.9, true, 0, 999999996 },
	{ 5, true, 0, 1000000006 },
	{ -1e9, true, 0, 1 },
	{ -2e9, true, 0, 1 },
	{ 1e9 + 1000, true, 0, 2000001001 },
	{ -INFINITY, true, 0, 1 },
	{ NAN, true, 0, 1000000001 },
	/* nice lowers, at least 1 stays */
	{ 500, false, 100, 400 },
	{ 500, false, -100, 600 },
	{ 500, false, 500, 1 },
	{ 500, false, 1000, 1 },
	{ 500, false, NICE_MAX, 1 },
	{ 500, false, -NICE_MAX, 2147484145 },
	{ 5, true, 100, 999999906 },
	{ 1e300, false, -NICE_MAX, 4294967293 }, /* above stand NO_VAL and INFINITE */
	{ 1e300, true, -NICE_MAX, 4294967293 },
};

static void expect_sum(const struct maui_published *p, int64_t nice)
{
	int64_t sum = p->site - nice;

	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		sum += p->column[c];
	cr_expect(sum == p->priority, "sum %" PRId64 ", priority %u", sum, p->priority);
}

TEST_ROWS(publish, priority, rows, row)
{
	struct maui_priority priority = { .value = row->value, .component = { 1.5, -2.5, 3e5 } };
	struct maui_published got;

	maui_publish(&priority, row->negative, row->nice, &got);
	cr_expect(got.priority == row->priority,
		  "%g, negative %d, nice %" PRId64 ": expected %u, got %u", row->value,
		  row->negative, row->nice, row->priority, got.priority);
	cr_expect(got.column[0] == 1 && got.column[1] == -2 && got.column[2] == 300000);
	expect_sum(&got, row->nice);
}

/* Columns that no integer holds are cut; SITE makes the row sum all the same. */
Test(publish, columns)
{
	static const double values[MAUI_COMP_COUNT] = { 1e300,     -1e300, INFINITY,
							-INFINITY, NAN,    2.9e9 };
	static const int32_t expected[MAUI_COMP_COUNT] = { 2000000000,  -2000000000, 2000000000,
							   -2000000000, 0,           2000000000 };
	struct maui_priority priority = { .value = 77 };
	struct maui_published got;

	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		priority.component[c] = values[c];
	maui_publish(&priority, false, -5, &got);
	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		cr_expect(got.column[c] == expected[c], "%d: %d", c, got.column[c]);
	cr_expect(got.priority == 82);
	expect_sum(&got, -5);
}

static uint64_t seed = 99;

static double pick(double low, double high)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return low + (double)(seed >> 11) / 0x1p53 * (high - low);
}

/* Rounding of six columns and the whole never shows. */
Test(publish, rows_sum)
{
	for (int round = 0; round < 100000; round++) {
		struct maui_priority priority = { .raw = 0 };
		double scale = pow(10, pick(-2, 11));
		int64_t nice = (int64_t)pick(-2e9, 2e9);
		struct maui_published got;

		for (int c = 0; c < MAUI_COMP_COUNT; c++) {
			priority.component[c] = pick(-scale, scale);
			priority.raw += priority.component[c];
		}
		priority.value = fmin(priority.raw, MAUI_PRIORITY_MAX);
		maui_publish(&priority, round % 2, round % 3 ? nice % 1000 : nice, &got);
		expect_sum(&got, round % 3 ? nice % 1000 : nice);
		cr_assert(got.priority >= 1 && got.priority <= 0xfffffffd);
	}
}

/* The offset keeps the order of all priorities that occur, negative ones among them. */
Test(publish, order)
{
	for (int round = 0; round < 100000; round++) {
		double scale = pow(10, pick(0, 9));
		struct maui_priority a = { .value = pick(-scale, scale) };
		struct maui_priority b = { .value = pick(-scale, scale) };
		struct maui_published low, high;

		if (a.value > b.value)
			continue;
		maui_publish(&a, true, 0, &low);
		maui_publish(&b, true, 0, &high);
		cr_assert(low.priority <= high.priority, "%g %g", a.value, b.value);
		cr_assert((low.priority < high.priority) == (trunc(a.value) < trunc(b.value)),
			  "%.17g %.17g: %u %u", a.value, b.value, low.priority, high.priority);
	}
}

/* A priority that is not ours: set by scontrol, or copied to a split array. */
Test(publish, site)
{
	static const int32_t column[MAUI_COMP_COUNT] = { 10, -20, 30, 0, 2000000000, 5 };

	cr_expect(maui_publish_site(column, 4294967293, 0) == INT64_C(4294967293) - 2000000025);
	cr_expect(maui_publish_site(column, 1, -100) == 1 - 100 - INT64_C(2000000025));
	cr_expect(maui_publish_site(column, 0, 0) == -INT64_C(2000000025));
}
