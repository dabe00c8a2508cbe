/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_standing_many.c - thousands of instances: what they cost does not grow with their square */

#include "standing_world.h"
#include "rows.h"

#include <sys/resource.h>
#include <unistd.h>

/* So much more address space than there is now, and no more. */
static void limit_memory(rlim_t more)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;
	struct rlimit limit;

	cr_assert(file && fscanf(file, "%lu", &pages) == 1);
	fclose(file);
	cr_assert(getrlimit(RLIMIT_AS, &limit) == 0);
	limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
	cr_assert(setrlimit(RLIMIT_AS, &limit) == 0);
}

/* Thousands that miss some: it is told who holds what the first ones miss, and what it takes to find
 * that out is not kept. */
Test(standing_many, told)
{
	const char *first = "1 of 1 tasks missing: reservation a.", *last = "1 of 1 tasks missing";
	struct standing_world s;
	const char **texts;
	uint32_t told = 0;

	standing_make(&s, "1 procs=4", NULL, NULL,
		      "a day tasks=1 depth=1500 from=10 to=12; b day tasks=1 depth=1500 from=9 to=11;"
		      "c day tasks=1 depth=1500 from=11 to=13", 0);
	free(standing_place(&s));
	cr_assert(s.count == 4500, "%u", s.count);
	limit_memory(16 << 20);
	texts = maui_standing_explain_all(s.w.snapshot, &s.input, s.instances, s.count, 0, 9,
					  &s.arena);
	cr_assert(texts);
	for (uint32_t i = 0; i < s.count; i++) {
		bool full = texts[i] && strncmp(texts[i], first, strlen(first)) == 0;
		uint32_t day = i % 1500;

		cr_expect((i >= 1500) == (texts[i] != NULL), "%u", i);
		cr_expect(!texts[i] || full == (day < MAUI_STANDING_EXPLAINED / 2), "%u: %s", i,
			  texts[i]);
		cr_expect(!texts[i] || full || strcmp(texts[i], last) == 0, "%u: %s", i, texts[i]);
		told += full;
	}
	cr_expect(told == MAUI_STANDING_EXPLAINED, "%u", told);
	standing_finish(&s);
}

/* The greatest DEPTH there is. */
Test(standing_many, placed)
{
	struct standing_world s;
	int64_t missing = 0;

	standing_make(&s, "4 procs=4", NULL, NULL,
		      "a day tasks=2 procs=1 depth=3660 from=1 to=4;"
		      "b day tasks=2 procs=1 depth=3660 from=2 to=5;"
		      "c day tasks=2 procs=1 depth=3660 from=3 to=6;"
		      "d day tasks=2 procs=1 depth=3660 from=4 to=7;"
		      "e day tasks=2 procs=1 depth=3660 from=5 to=8", 0);
	limit_memory(128 << 20);
	for (int turn = 0; turn < 2; turn++) {
		free(standing_place(&s));
		s.input.before = s.instances;
		s.input.before_count = s.count;
	}
	cr_assert(s.count == 5 * 3660, "%u", s.count);
	for (uint32_t i = 0; i < s.count; i++)
		missing += s.instances[i].missing;
	cr_expect(missing == 0);
	standing_finish(&s);
}
