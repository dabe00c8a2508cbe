/* SPDX-License-Identifier: GPL-2.0-or-later */
/* seeds.h - random numbers by seed for property tests and fuzz targets, and last words that name
 * the seed
 *
 * Each run draws fresh seeds. If a failed check, a crash, a sanitizer or a limit of processor time
 * ends the program early, the last line on stderr says how to run the same again.
 */
#ifndef MAUI_TESTSUITE_SEEDS_H
#define MAUI_TESTSUITE_SEEDS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static uint64_t seeds_state;
static char seeds_last_words[1024];

/* splitmix64: any seed does, 0 included */
static inline uint64_t seeds_random(void)
{
	uint64_t z = seeds_state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Short enough to type. */
static inline uint64_t seeds_fresh(void)
{
	uint32_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed)) {
		perror("getrandom");
		exit(EXIT_FAILURE);
	}
	return seed;
}

static inline const char *seeds_program(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void seeds_say_last_words(void)
{
	if (write(STDERR_FILENO, seeds_last_words, strlen(seeds_last_words)) < 0)
		_exit(EXIT_FAILURE);
}

static void seeds_die(int number)
{
	seeds_say_last_words();
	signal(number, SIG_DFL);
	raise(number);
}

/* The sanitizers' own; missing without them. They report a crash better than seeds_die(). */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static inline void seeds_watch(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	static const int ends[] = { SIGABRT, SIGTERM, SIGXCPU };

	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(seeds_say_last_words);
	for (size_t i = 0; !__sanitizer_set_death_callback && i < sizeof(crashes) / sizeof(int);
	     i++)
		signal(crashes[i], seeds_die);
	for (size_t i = 0; i < sizeof(ends) / sizeof(int); i++)
		signal(ends[i], seeds_die);
}

#endif
