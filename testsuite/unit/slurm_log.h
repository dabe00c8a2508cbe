/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_log.h - what slurmctld logs, as a text, for tests of src/controller; fatal() fails */
#ifndef MAUI_TESTSUITE_SLURM_LOG_H
#define MAUI_TESTSUITE_SLURM_LOG_H

#include "slurm/compat.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char log_text[4096];

static void add_to_log(const char *format, va_list list)
{
	size_t length = strlen(log_text);

	vsnprintf(log_text + length, sizeof(log_text) - length, format, list);
}

int get_log_level(void)
{
	return LOG_LEVEL_VERBOSE;
}

void log_var(const log_level_t level, const char *format, ...)
{
	va_list list;

	(void)level;
	va_start(list, format);
	add_to_log(format, list);
	va_end(list);
}

/* the C library has another one */
int error(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	add_to_log(format, list);
	va_end(list);
	return -1;
}

void fatal(const char *format, ...)
{
	cr_assert_fail("fatal: %s", format);
	abort();
}

/* what slurmctld's lock macros call since 24.11 */
void fatal_abort(const char *format, ...)
{
	cr_assert_fail("fatal: %s", format);
	abort();
}

#endif
