/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_reservation.h - a job started on nodes of our mirrors
 *
 * slurmctld keeps a job out of every reservation that it does not name. Where the plan lets it into
 * ours, it gets a reservation of no consequence for the time of select_nodes(): FLEX and OVERLAP,
 * on any node, at any time, for anybody. With that slurmctld respects maintenance alone, so it is
 * lent only when no reservation of somebody else's is on the job's nodes while the job may run, but
 * for reservations of cores: with one of these what is lent is not FLEX, and has all cores but
 * theirs. Nothing of it is left in the record, in the database or in the job; where slurmctld calls
 * out when the job has its nodes (maui_compat_begun()), nothing is left for its prolog to see.
 *
 * A job in a reservation of Slurm's own that stands on the same nodes as one of ours gets past ours
 * likewise: its reservation may overlap for the time of the call.
 *
 * A reservation of some cores keeps a job on these. So the one of no consequence also hides cores
 * (keep_off.h); then it is a fixed one of any nodes, since with FLEX slurmctld does not look at
 * cores.
 */
#ifndef MAUI_SLURM_START_START_RESERVATION_H
#define MAUI_SLURM_START_START_RESERVATION_H

#include "slurm/compat.h"

#include "slurm/mirror/mirror.h"

/* Reservations during one hold of the locks. */
struct maui_known_reservations {
	slurmctld_resv_t **ours, **foreign, **shares; /* with nodes; shares: somebody's cores */
	uint32_t our_count, foreign_count, share_count;
};

/* One job's. */
struct maui_start_reservation {
	slurmctld_resv_t resv;
	slurmctld_resv_t *lent; /* whose OVERLAP is ours */
	bool on;                /* the job has it */
};

/* All under the locks of a start (job and node WRITE, conf and part READ), in one hold. */
void maui_known_reservations_open(const struct maui_mirrors *mirrors,
				  struct maui_known_reservations *ret);
void maui_known_reservations_close(struct maui_known_reservations *known);

/* The cores that others have reserved of these nodes while the job may run, to be freed; NULL:
 * none. */
bitstr_t *maui_start_reservation_shares(const struct maui_known_reservations *known,
					const job_record_t *job_ptr, const bitstr_t *planned);

/* Before a start on these nodes, once the job's time limit is set. `shares`: the result of
 * maui_start_reservation_shares(). `cores`: the only cores of the cluster that the job shall see;
 * NULL: all. Nothing happens when no reservation of ours is in the job's way and it sees all cores,
 * or when another reservation is in its way; no cores are hidden from a job with a reservation of
 * Slurm's own. maui_start_reservation_leave() must follow before the job is launched. `resv` must
 * not move until then. */
void maui_start_reservation_enter(const struct maui_known_reservations *known,
				  job_record_t *job_ptr, const bitstr_t *planned, bitstr_t *shares,
				  bitstr_t *cores, struct maui_start_reservation *resv);
/* For the question whether a job could ever run: mirrors shall not be the answer. */
void maui_start_reservation_enter_any(const struct maui_known_reservations *known,
				      job_record_t *job_ptr, struct maui_start_reservation *resv);
void maui_start_reservation_leave(job_record_t *job_ptr, struct maui_start_reservation *resv);

/* The rest of an array is a copy made meanwhile. */
void maui_start_reservation_mend(job_record_t *rest, const struct maui_start_reservation *resv);

#endif
