/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hold.h - how long we hold slurmctld's locks, measured and bounded */
#ifndef MAUI_SLURM_HOLD_H
#define MAUI_SLURM_HOLD_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A walk over many jobs gives the locks back after this long; checked every few dozen jobs. */
enum { MAUI_HOLD_MAX_US = 2000, MAUI_HOLD_CHECK_EVERY = 32 };

static inline int64_t maui_hold_clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Whether a walk that began at `since_us` and did `done` jobs should let others in. */
static inline bool maui_hold_is_over(int64_t since_us, unsigned done)
{
	return done % MAUI_HOLD_CHECK_EVERY == 0 &&
	       maui_hold_clock_us() - since_us > MAUI_HOLD_MAX_US;
}

#endif
