/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.c - the virtual clock, in place of the C library's
 *
 * Time passes when the world lets it, and a little with every look at it, so that holds of locks
 * have a length and break off at every place.
 */

#include "world.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int64_t world_now_us, world_offset_us;

int64_t world_real_us(void)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * WORLD_SECOND + now.tv_nsec / 1000;
}

/* A look at the clock takes a moment, and rarely a long one. */
static void pass(void)
{
	if (!world_in_fiber())
		return;
	world_now_us += (int64_t)(world_random(40) ? 1 + world_random(30) : 2500);
}

int clock_gettime(clockid_t clock, struct timespec *ret)
{
	int64_t now_us;

	if (!world.dir)
		return (int)syscall(SYS_clock_gettime, clock, ret);
	pass();
	now_us = world_now_us + (clock == CLOCK_REALTIME ? world_offset_us : 0);
	ret->tv_sec = now_us / WORLD_SECOND;
	ret->tv_nsec = now_us % WORLD_SECOND * 1000;
	return 0;
}

time_t time(time_t *ret)
{
	time_t now = world_wall_s();

	if (ret)
		*ret = now;
	return now;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	(void)left;
	world_now_us += (int64_t)time->tv_sec * WORLD_SECOND + time->tv_nsec / 1000;
	world_mortal();
	world_gap();
	return 0;
}
