/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_reservation.h - starts a job on nodes of our mirrors
 *
 * slurmctld keeps a job out of every reservation that the job does not name. When the plan admits
 * a job to one of our reservations, the job gets a temporary reservation for the duration of
 * select_nodes(): FLEX and OVERLAP, on any node, at any time, for every user. With it slurmctld
 * respects maintenance only. So the job gets it only when no other reservation is on its nodes
 * while it may run. Reservations of cores are an exception: then the temporary reservation is not
 * FLEX, and has all cores but theirs. It leaves no trace in the record, in the database or in the
 * job, nor in the prolog that slurmctld starts when the job has its nodes (maui_compat_begun()).
 *
 * A job in a Slurm reservation that shares nodes with a mirror is admitted to both: its reservation
 * may overlap the mirror for the duration of the call.
 *
 * A reservation of cores confines a job to these cores. So the temporary reservation also hides
 * cores (hide_cores.h); then it is a fixed one of any nodes, because slurmctld does not look at
 * the cores of a FLEX one.
 */
#ifndef MAUI_SLURM_START_START_RESERVATION_H
#define MAUI_SLURM_START_START_RESERVATION_H

#include "slurm/compat.h"

#include "slurm/mirror/mirror.h"

/* The reservations of one hold of the locks. */
struct maui_known_reservations {
	/* with nodes; shares: reservations of cores */
	slurmctld_resv_t **ours, **foreign, **shares;
	uint32_t our_count, foreign_count, share_count;
};

/* The temporary reservation of one job. */
struct maui_start_reservation {
	slurmctld_resv_t resv;
	slurmctld_resv_t *lent; /* the job's own reservation while we have set its OVERLAP */
	bool on;                /* the job has it */
};

/* All under the locks of a start (job and node WRITE, conf and part READ), in one hold. */
void maui_known_reservations_open(const struct maui_mirrors *mirrors,
				  struct maui_known_reservations *ret);
void maui_known_reservations_close(struct maui_known_reservations *known);

/* The cores of these nodes that Slurm's core reservations have while the job may run; the caller
 * frees it. NULL: none. */
bitstr_t *maui_start_reservation_shares(const struct maui_known_reservations *known,
					const job_record_t *job_ptr, const bitstr_t *planned);

/* Call before a start on these nodes, after the job's time limit is set. `shares`: the result of
 * maui_start_reservation_shares(). `cores`: the only cores of the cluster that the job may see;
 * NULL: all. Does nothing when none of our reservations is on the nodes and the job may see all
 * cores, or when another reservation is on the nodes; hides no cores from a job with a Slurm
 * reservation. maui_start_reservation_leave() must follow before the job is launched. `resv` must
 * not move until then. */
void maui_start_reservation_enter(const struct maui_known_reservations *known,
				  job_record_t *job_ptr, const bitstr_t *planned, bitstr_t *shares,
				  bitstr_t *cores, struct maui_start_reservation *resv);
/* Admits the job to all mirrors, for the question whether the job could ever run. */
void maui_start_reservation_enter_any(const struct maui_known_reservations *known,
				      job_record_t *job_ptr, struct maui_start_reservation *resv);
void maui_start_reservation_leave(job_record_t *job_ptr, struct maui_start_reservation *resv);

/* Takes the temporary reservation from the rest of an array, which is a copy made meanwhile. */
void maui_start_reservation_mend(job_record_t *rest, const struct maui_start_reservation *resv);

#endif
