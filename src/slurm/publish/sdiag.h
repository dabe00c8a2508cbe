/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sdiag.h - cycles of sched/maui as sdiag shows them: in its block of the backfill scheduler */
#ifndef MAUI_SLURM_PUBLISH_SDIAG_H
#define MAUI_SLURM_PUBLISH_SDIAG_H

#include <stdint.h>

/* One cycle. */
struct maui_sdiag_cycle {
	int64_t began_s;
	uint32_t queue_length; /* jobs that Slurm admits, once for each partition */
	uint32_t considered;   /* jobs: "last depth cycle" */
	uint32_t tried;        /* jobs that limits let into the plan: "try sched" */
	uint32_t started_backfilled;
	uint32_t table_size; /* different moments in the plan */
	uint64_t duration_us;
};

/* Counts a cycle. For the agent only; takes no lock, as sdiag takes none. */
void maui_publish_sdiag(const struct maui_sdiag_cycle *cycle);

#endif
