/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waiting.h - the job record behind each idle job of the snapshot
 *
 * The snapshot knows jobs by index. A start, a job reservation and a refusal need the record's own
 * numbers: an array of these, in the order of the snapshot's idle jobs.
 */
#ifndef MAUI_CYCLE_WAITING_H
#define MAUI_CYCLE_WAITING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/snapshot.h"

struct maui_waiting {
	uint32_t job_id, array_job_id; /* array_job_id 0: no array */
	int64_t submit_s;
	uint64_t fingerprint; /* fingerprint of the job's request; equal for equal jobs */
	uint32_t task_count;  /* of an array's head: all its waiting tasks; else 1 ... */
	uint32_t copies;      /* ... and how many the snapshot had at first */
	/* of each row: index in the snapshot; the request before Slurm's answers replace it */
	const uint32_t *requests;
	/* whose share of Slurm's answers and tries the job takes: maui_credentials.user; 0: users
	 * without a name, all together */
	uint32_t user;
	bool put_back; /* SERVERMODE TEST: it runs, as another scheduler started it */
};

/* What the job requests now in each of its rows, for `requests`. NULL without memory. */
static inline const uint32_t *maui_waiting_requests(const struct maui_idle *idle,
						    struct maui_arena *arena)
{
	uint32_t *ret = maui_arena_alloc(arena, idle->row_count * sizeof(*ret));

	for (uint32_t r = 0; ret && r < idle->row_count; r++)
		ret[r] = maui_idle_request(idle, r);
	return ret;
}

#endif
