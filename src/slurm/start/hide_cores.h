/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hide_cores.h - hides cores from select_nodes() that a start must leave idle
 *
 * The plan says how many free processors of a node a job must not use, because a reservation keeps
 * them for other jobs. Slurm knows only the job's nodes, and spreads its tasks over their idle
 * cores. So that many idle cores are hidden during the start. Cores of Slurm's own core
 * reservations count as hidden already, because Slurm keeps the job off them.
 *
 * Rules: RSV-35.
 */
#ifndef MAUI_SLURM_START_HIDE_CORES_H
#define MAUI_SLURM_START_HIDE_CORES_H

#include "slurm/compat.h"

#include "slurm/start/start.h"

/* All cores of the cluster in the layout of slurmctld's reservations (cr_get_coremap_offset()),
 * without the hidden ones; the caller frees it. NULL: nothing is hidden. `reserved`: cores that
 * the job cannot see anyway; NULL: none. On nodes that give out whole cores, the number to leave
 * is rounded up to cores. The last cores of a node are hidden first, so that the visible ones lie
 * together. Under the locks of a start; walks the queue. */
bitstr_t *maui_hide_cores(const struct maui_start_order *order, bitstr_t *reserved);

/* Logs at debug level the nodes on which a job that has just started got other processors than
 * planned. */
void maui_hide_cores_check(const struct maui_start_order *order, const job_record_t *job_ptr);

#endif
