/* SPDX-License-Identifier: GPL-2.0-or-later */
/* magnetic.h - the reservation in which a job is planned, for lists and magnetic reservations
 *
 * Slurm tries a job in each reservation of a list, and in each magnetic reservation that admits
 * it, one at a time, and never in two. A plan does the same. From a list it takes the reservation
 * that suits best now. A magnetic reservation is taken when it has enough idle nodes now, or one
 * node with enough free resources; otherwise the job is planned outside of it. A reservation in
 * which Slurm has just refused the job is left out for a while. Each capture chooses again.
 */
#ifndef MAUI_SLURM_ELIGIBLE_MAGNETIC_H
#define MAUI_SLURM_ELIGIBLE_MAGNETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/capture/cluster.h"

struct job_record; /* of slurmctld */
struct maui_eligible_questions;
struct maui_request_site;

/* Free resources of each node now, made at the first use and shared by many jobs. */
struct maui_idle_resources {
	const struct maui_request_site *site;
	struct maui_arena *arena;
	int64_t *procs, *memory; /* NULL: not made */
};

/* What a choice of a reservation has to know. */
struct maui_reservation_choice {
	struct maui_idle_resources *room;
	const struct maui_eligible_questions *questions;
};

/* Whether slurmctld has a magnetic reservation. Under node READ. */
bool maui_magnetic_exist(void);

/* The name of the reservation in which the job is planned; NULL: none. From a list, the choice
 * becomes the record's current reservation, and job_ptr->part_ptr its partition if the job named
 * none. Under job WRITE, node READ, part READ. */
const char *maui_magnetic_choose(struct job_record *job_ptr, uint32_t nodes_min,
				 const struct maui_reservation_choice *choice);

#endif
