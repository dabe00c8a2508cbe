/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz.h - what a fuzz target is: one function that must survive any bytes
 *
 * Targets state their properties with FUZZ_CHECK, which holds in every build (assert() may not).
 */
#ifndef MAUI_TESTSUITE_FUZZ_H
#define MAUI_TESTSUITE_FUZZ_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called by libFuzzer or by fuzz_main.c; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                             \
	do {                                                                              \
		if (!(condition)) {                                                       \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, \
				#condition);                                              \
			abort();                                                          \
		}                                                                         \
	} while (0)

/* The caller of a target may limit its processor time (ulimit -t): an input that hangs then aborts,
 * and libFuzzer saves it. Its own limit is by the clock, also while the machine is suspended. */
static void fuzz_hangs(int number)
{
	(void)number;
	abort();
}

__attribute__((constructor)) static void fuzz_limit(void)
{
	signal(SIGXCPU, fuzz_hangs);
}

/* The input as a terminated text, to be freed. It ends at the first NUL byte for most readers. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	FUZZ_CHECK(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif
