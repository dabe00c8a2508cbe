/* SPDX-License-Identifier: GPL-2.0-or-later */
/* when.h - moments and lengths of time in a plan
 *
 * Whole seconds of one clock (the epoch, or any other zero). Intervals are half open: what ends at
 * t is no longer there at t, so a job may begin in the second in which another one ends.
 */
#ifndef MAUI_MODEL_WHEN_H
#define MAUI_MODEL_WHEN_H

#include <stdint.h>

/* A moment that never comes; a length without end. */
#define MAUI_NEVER INT64_MAX

/* A year without leap days: what "without end" means to Slurm, and the horizon for everything that
 * is shown to Slurm or requested from it. */
#define MAUI_YEAR_S (INT64_C(365) * 24 * 3600)

/* t + length; MAUI_NEVER if either is MAUI_NEVER or the sum overflows. length >= 0. */
static inline int64_t maui_when_add(int64_t t, int64_t length)
{
	return t > 0 && length > MAUI_NEVER - t ? MAUI_NEVER :
	       length == MAUI_NEVER             ? MAUI_NEVER :
						  t + length;
}

/* The time from t to `until`, which is not before t. */
static inline int64_t maui_when_length(int64_t t, int64_t until)
{
	return until == MAUI_NEVER ? MAUI_NEVER : until - t;
}

/* A length in whole seconds; MAUI_NEVER if it is longer than that. length_s >= 0. */
static inline int64_t maui_when_of(double length_s)
{
	return length_s < 0x1p63 ? (int64_t)length_s : MAUI_NEVER;
}

#endif
