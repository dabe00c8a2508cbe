/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limit_memory.h - lets a test run out of memory */
#ifndef MAUI_TEST_LIMIT_MEMORY_H
#define MAUI_TEST_LIMIT_MEMORY_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Limits the address space to the present size and this much more, for the rest of the test. */
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

#endif
