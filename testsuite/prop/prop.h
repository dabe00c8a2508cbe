/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop.h - for all property tests: random numbers by seed, and a failure that names the seed
 *
 * A property test is a plain main: PROGRAM [ROUNDS [SEED]]. Each round has its own seed, so that a
 * failing round can be run alone: PROGRAM 1 SEED.
 */
#ifndef MAUI_TESTSUITE_PROP_H
#define MAUI_TESTSUITE_PROP_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t prop_seed, prop_state;

/* splitmix64: any seed does, 0 included */
static inline uint64_t prop_random(void)
{
	uint64_t z = prop_state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline unsigned prop_pick(unsigned below)
{
	return (unsigned)(prop_random() % below);
}

#define PROP_CHECK(condition, ...)                                                    \
	do {                                                                          \
		if (!(condition)) {                                                   \
			fprintf(stderr, "%s:%d: seed %llu: %s: ", __FILE__, __LINE__, \
				(unsigned long long)prop_seed, #condition);           \
			fprintf(stderr, __VA_ARGS__);                                 \
			fputc('\n', stderr);                                          \
			abort();                                                      \
		}                                                                     \
	} while (0)

/* Calls `round` so many times, with `seed` for the first one and one more for each next. */
static inline int prop_main(int argc, char **argv, unsigned rounds, void (*round)(void))
{
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;

	if (argc > 1)
		rounds = (unsigned)strtoul(argv[1], NULL, 10);
	for (unsigned i = 0; i < rounds; i++) {
		prop_state = prop_seed = seed + i;
		round();
	}
	printf("%s: %u rounds from seed %llu\n", argv[0], rounds, (unsigned long long)seed);
	return rounds == 0;
}

#endif
