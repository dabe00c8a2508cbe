/* SPDX-License-Identifier: GPL-2.0-or-later */
/* monotonic.h - how much time passes: a clock that nobody sets */
#ifndef MAUI_BASE_MONOTONIC_H
#define MAUI_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline int64_t maui_monotonic_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static inline int64_t maui_monotonic_ms(void)
{
	return maui_monotonic_us() / 1000;
}

static inline int64_t maui_monotonic_s(void)
{
	return maui_monotonic_us() / 1000000;
}

#endif
