/* SPDX-License-Identifier: GPL-2.0-or-later */
/* publish.c - from Maui's priority to Slurm's numbers (PRIO-14, PRIO-15) */

#include "policy/publish.h"

#include <math.h>
#include <stdbool.h>

#include "base/limits.h"

/* One above the largest magnitude, so that the lowest negative still publishes as 1. */
#define NEGATIVE_OFFSET (INT64_C(1) + MAUI_PRIORITY_MAX)
/* The published priority of a clipped job. `scontrol top` lowers a user's other jobs by one point
 * of nice, and leaves out jobs of priority 1, because 0 would mean held. */
#define CLIPPED 2
/* sprio's columns of a clipped job (exempt from summing) stay printable. */
#define COLUMN_MAX 2000000000.0

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* Truncates toward zero. A hostile weight can make the value NaN, or larger than any integer. */
static int64_t truncated(double value, double bound)
{
	if (isnan(value))
		return 0;
	return (int64_t)(value > bound ? bound : value < -bound ? -bound : value);
}

int64_t maui_publish_site(const int32_t *column, uint32_t priority, int64_t nice)
{
	int64_t sum = 0;

	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		sum += column[c];
	return (int64_t)priority + nice - sum;
}

uint32_t maui_publish_priority(double priority, bool enable_negative, int64_t nice)
{
	int64_t value = truncated(priority, (double)MAUI_PUBLISHED_MAX);

	if (enable_negative)
		value = clamp(value, -MAUI_PRIORITY_MAX, UINT32_MAX) + NEGATIVE_OFFSET;
	else if (value < CLIPPED)
		value = CLIPPED;
	/* 0 is "held" to Slurm; the two highest numbers are its NO_VAL and INFINITE */
	return (uint32_t)clamp(value - nice, 1, INT64_C(0xfffffffd));
}

void maui_publish(const struct maui_priority *priority, bool enable_negative, int64_t nice,
		  struct maui_published *ret)
{
	ret->priority = maui_publish_priority(priority->value, enable_negative, nice);
	for (int c = 0; c < MAUI_COMP_COUNT; c++)
		ret->column[c] = (int32_t)truncated(priority->component[c], COLUMN_MAX);
	ret->site = maui_publish_site(ret->column, ret->priority, nice);
}
