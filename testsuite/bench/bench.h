/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench.h - what benchmarks share: random numbers, the same on every machine; clocks; medians */
#ifndef MAUI_TESTSUITE_BENCH_H
#define MAUI_TESTSUITE_BENCH_H

#include <errno.h> /* for program_invocation_short_name */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config/config.h"

/* xorshift64; the seed must not be 0. */
static inline uint64_t bench_pick(uint64_t *seed, uint64_t below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed % below;
}

static inline double bench_clock_ms(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Of the process alone, since other programs may run, too. */
static inline double bench_cpu_ms(void)
{
	return bench_clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double bench_wall_ms(void)
{
	return bench_clock_ms(CLOCK_MONOTONIC);
}

/* For qsort() of doubles. */
static inline int bench_by_value(const void *a, const void *b)
{
	const double one = *(const double *)a, two = *(const double *)b;

	return (one > two) - (one < two);
}

static inline void bench_die(const char *what)
{
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
	exit(1);
}

static inline struct maui_config *bench_config(const char *text)
{
	struct maui_diags diags = { 0 };
	struct maui_config *config =
		maui_config_parse("maui.cfg", text, strlen(text), NULL, &diags);

	if (!config)
		bench_die("the configuration is not accepted");
	maui_diags_finish(&diags);
	return config;
}

#endif
