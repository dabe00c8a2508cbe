/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - one walk over the pending jobs, for the files of this folder only */
#ifndef MAUI_SLURM_ELIGIBLE_PRIVATE_H
#define MAUI_SLURM_ELIGIBLE_PRIVATE_H

#include "slurm/compat.h"

#include "slurm/eligible/eligible.h"
#include "slurm/eligible/magnetic.h"
#include "slurm/request/request.h"

struct maui_eligible_walk {
	struct maui_cluster *cluster;
	struct maui_captured_jobs *jobs;
	struct maui_eligible *ret;
	struct maui_request_site site;
	struct maui_idle_resources room;
	struct maui_reservation_choice choice;
	uint32_t *ids;
	size_t id_count, id_alloc, at;
	const struct maui_put_back *put_back;
	size_t put_back_at;
	part_record_t **parts; /* of the job in hand */
	size_t part_count, part_alloc;
	struct maui_chosen *tried; /* of each row of the current job, once it is placed */
	struct maui_kept *kept;
	struct maui_kept_job **found; /* of the first ids, the job as it is kept; NULL elements */
	size_t found_count;
	bool no_memory, changed;
};

/* A partition of a job, with what a request there and the limits are taken from. */
struct maui_chosen {
	part_record_t *part_ptr;
	unsigned qos;
	struct maui_request_bounds bounds;
	bool no_reservation; /* by Slurm's QOS */
};

/* Lists the partitions of a pending job in walk->parts; sets part_ptr when it is missing. None:
 * the partition does not exist, or no memory. */
void maui_eligible_list_parts(struct maui_eligible_walk *walk, job_record_t *job_ptr);

/* Adds a row for each partition that admits the job, and lists them in walk->tried; the limits are
 * those of the first. When none does, returns why; the record then has the reason of the last. */
enum maui_reason maui_eligible_place(struct maui_eligible_walk *walk, job_record_t *job_ptr,
				     struct maui_pending *pending);

/* Adds a row for each partition of a job that may not run. */
void maui_eligible_list_rows(struct maui_eligible_walk *walk, const job_record_t *job_ptr,
			     struct maui_pending *pending);

#endif
