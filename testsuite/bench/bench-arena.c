/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench-arena.c - what the memory of a cycle costs
 *
 * Takes 30 MB from an arena, as much as a cycle with 10,000 nodes and as many jobs, mostly in small
 * pieces, writes all of it and gives it back. Prints the processor time, the kernel's included.
 */

#include "base/arena.h"
#include "bench.h"

enum { CYCLES = 41, CYCLE_BYTES = 30 << 20, SMALL = 400, LARGE = 100 * 1024 };

int main(void)
{
	uint64_t seed = 20261130;
	double ms[CYCLES];

	for (int i = 0; i < CYCLES; i++) {
		struct maui_arena arena = { 0 };
		double began = bench_cpu_ms();

		for (size_t taken = 0; taken < CYCLE_BYTES;) {
			size_t size = 16 + bench_pick(&seed, bench_pick(&seed, 50) ? SMALL : LARGE);
			void *at = maui_arena_alloc(&arena, size);

			if (!at)
				bench_die("no memory");
			memset(at, 1, size);
			taken += size;
		}
		maui_arena_finish(&arena);
		ms[i] = bench_cpu_ms() - began;
	}
	qsort(ms, CYCLES, sizeof(*ms), bench_by_value);
	printf("%d MB: median %.1f ms\n", CYCLE_BYTES >> 20, ms[CYCLES / 2]);
	return 0;
}
