/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waits.h - how many jobs waited how many seconds, exactly, in the memory of the distinct times
 *
 * A list of all waits would need eight bytes for each job of a year; most jobs wait as long as
 * many others do.
 */
#ifndef MAUI_SIM_WAITS_H
#define MAUI_SIM_WAITS_H

#include <stddef.h>
#include <stdint.h>

struct maui_sim_wait {
	int64_t wait_s;
	uint64_t jobs; /* 0: a free slot */
};

struct maui_sim_waits { /* a zeroed struct is empty */
	struct maui_sim_wait *slots;
	size_t slot_count, used;
	uint64_t jobs; /* of all slots */
};

void maui_sim_waits_add(struct maui_sim_waits *waits, int64_t wait_s);
/* Puts the times in ascending order, for maui_sim_waits_at(). No more are added after that. */
void maui_sim_waits_sort(struct maui_sim_waits *waits);
/* The wait at this index of all waits in ascending order. The index is less than `jobs`. */
int64_t maui_sim_waits_at(const struct maui_sim_waits *waits, uint64_t index);
void maui_sim_waits_finish(struct maui_sim_waits *waits);

#endif
