/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - for the files of this folder only: one pass over the queue */
#ifndef MAUI_SLURM_ELIGIBLE_PRIVATE_H
#define MAUI_SLURM_ELIGIBLE_PRIVATE_H

#include "slurm/compat.h"

#include "slurm/eligible/eligible.h"
#include "slurm/eligible/magnetic.h"
#include "slurm/eligible/request.h"

struct maui_eligible_walk {
	struct maui_cluster *cluster;
	struct maui_captured_jobs *jobs;
	struct maui_eligible *ret;
	struct maui_request_site site;
	struct maui_magnetic_room room;
	uint32_t *ids;
	size_t id_count, id_alloc, at;
	part_record_t **parts; /* of the job in hand */
	size_t part_count, part_alloc;
	bool no_memory, changed;
};

/* The partition of a job that the request and the limits are taken from. */
struct maui_chosen {
	part_record_t *part_ptr;
	unsigned qos;
	struct maui_request_bounds bounds;
};

/* The partitions of a job that is pending into walk->parts; its part_ptr is set when it was not.
 * None: its partition is not to be found, or no memory. */
void maui_eligible_list_parts(struct maui_eligible_walk *walk, job_record_t *job_ptr);

/* Rows of the partitions that Slurm lets it into; *chosen is the first of them. Why not, when there
 * is none; the reason in the record is then that of the last. */
enum maui_reason maui_eligible_place(struct maui_eligible_walk *walk, job_record_t *job_ptr,
				     struct maui_pending *pending, struct maui_chosen *chosen);

/* Rows of all partitions of a job that may not run. */
void maui_eligible_list_rows(struct maui_eligible_walk *walk, const job_record_t *job_ptr,
			     struct maui_pending *pending);

#endif
