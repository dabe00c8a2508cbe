/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ends.h - the next end of a running job, by a heap */
#ifndef MAUI_SIM_ENDS_H
#define MAUI_SIM_ENDS_H

#include <stddef.h>
#include <stdint.h>

struct maui_sim_end {
	int64_t at;
	uint64_t job;
};

struct maui_sim_ends { /* a zeroed struct is empty */
	struct maui_sim_end *heap;
	size_t count, alloc;
};

void maui_sim_ends_add(struct maui_sim_ends *ends, int64_t at, uint64_t job);
/* The earliest end; MAUI_NEVER: no job runs. */
int64_t maui_sim_ends_next(const struct maui_sim_ends *ends);
/* Removes the job with the earliest end, of several the lowest. The heap must not be empty. */
uint64_t maui_sim_ends_take(struct maui_sim_ends *ends);
void maui_sim_ends_finish(struct maui_sim_ends *ends);

#endif
