/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench.h - random numbers for benchmarks: the same on every machine */
#ifndef MAUI_TESTSUITE_BENCH_H
#define MAUI_TESTSUITE_BENCH_H

#include <stdint.h>

/* xorshift64; the seed must not be 0. */
static inline uint64_t bench_pick(uint64_t *seed, uint64_t below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed % below;
}

#endif
