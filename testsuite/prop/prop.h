/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop.h - for all property tests: rounds with a seed each, and a failure that names the seed
 *
 * A property test is a plain main: PROGRAM [ROUNDS [SEED]]. Each round has its own seed, so that a
 * failing round can be run alone: PROGRAM 1 SEED. Without SEED the program runs the seeds of
 * failed_seeds.h that are its own, and then as many rounds from a fresh seed.
 */
#ifndef MAUI_TESTSUITE_PROP_H
#define MAUI_TESTSUITE_PROP_H

#include "../seeds.h"
#include "failed_seeds.h"

static uint64_t prop_seed;

static inline uint64_t prop_random(void)
{
	return seeds_random();
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

static inline void prop_round(const char *path, uint64_t seed, void (*round)(void))
{
	snprintf(seeds_last_words, sizeof(seeds_last_words),
		 "seed %llu failed; again: %s 1 %llu\n"
		 "to keep it, in testsuite/prop/failed_seeds.h: { \"%s\", %llu },\n",
		 (unsigned long long)seed, path, (unsigned long long)seed, seeds_program(path),
		 (unsigned long long)seed);
	seeds_state = prop_seed = seed;
	round();
}

/* Runs the seeds of this program that once failed. Returns how many. */
static inline unsigned prop_run_failed(const char *path, void (*round)(void))
{
	unsigned count = 0;

	for (size_t i = 0; i < sizeof(failed_seeds) / sizeof(*failed_seeds); i++) {
		if (strcmp(failed_seeds[i].program, seeds_program(path)) != 0)
			continue;
		prop_round(path, failed_seeds[i].seed, round);
		count++;
	}
	return count;
}

/* Calls `round` so many times, with one seed more each time. */
static inline int prop_main(int argc, char **argv, unsigned rounds, void (*round)(void))
{
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : seeds_fresh();
	unsigned failed = 0;

	if (argc > 1)
		rounds = (unsigned)strtoul(argv[1], NULL, 10);
	seeds_watch();
	printf("%s: %u rounds from seed %llu\n", argv[0], rounds, (unsigned long long)seed);
	fflush(stdout);
	if (argc < 3)
		failed = prop_run_failed(argv[0], round);
	for (unsigned i = 0; i < rounds; i++)
		prop_round(argv[0], seed + i, round);
	printf("%u rounds, and %u seeds that failed before\n", rounds, failed);
	return rounds == 0;
}

#endif
