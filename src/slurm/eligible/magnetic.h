/* SPDX-License-Identifier: GPL-2.0-or-later */
/* magnetic.h - which reservation a job is for, where that is not a plain --reservation=NAME
 *
 * Slurm tries a job in each reservation of a list, and in magnetic ones that let it in, one at a
 * time, never in two. So does a plan: of a list, the job is planned in the one that suits best at
 * the moment; into a magnetic one it goes when this has enough idle nodes now, or one with room
 * for it beside others, else it is planned outside of it. Chosen anew by each capture.
 */
#ifndef MAUI_SLURM_ELIGIBLE_MAGNETIC_H
#define MAUI_SLURM_ELIGIBLE_MAGNETIC_H

#include <stdint.h>

#include "slurm/capture/cluster.h"

struct maui_request_site;

/* What is free of each node of the snapshot now: made when it is first needed, for many jobs. */
struct maui_magnetic_room {
	const struct maui_request_site *site;
	struct maui_arena *arena;
	int64_t *procs, *memory; /* NULL: not made */
};

/* Name of the reservation the job is planned in, NULL: none. "Room" is what certainly suffices. Of
 * a list it becomes the record's current one, and job_ptr->part_ptr its partition if the job named
 * none. Under job WRITE, node READ, part READ. */
const char *maui_magnetic_choose(void *job_ptr, uint32_t nodes_min,
				 struct maui_magnetic_room *room);

#endif
