/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hide_cores.h - cores that a start shall not take
 *
 * The plan says how many free processors of a node are not for a job: a reservation keeps them for
 * others, or they are promised to them. Slurm only knows of the job's nodes and shares its tasks
 * out over them itself, by the cores that it sees idle. So as many idle ones are hidden,
 * less those that somebody has reserved as cores: Slurm knows of these.
 *
 * Rules: RSV-35.
 */
#ifndef MAUI_SLURM_START_HIDE_CORES_H
#define MAUI_SLURM_START_HIDE_CORES_H

#include "slurm/compat.h"

#include "slurm/start/start.h"

/* The cores of the cluster as slurmctld's reservations have them (cr_get_coremap_offset()), all but
 * the hidden ones; to be freed. NULL: there are none. `reserved`: those that are not seen anyway;
 * NULL: none. Whole cores: what is kept is rounded up to them. Those from the end of a node go
 * first, so that what is left lies together. Under the locks of a start; walks the queue. */
bitstr_t *maui_hide_cores(const struct maui_start_order *order, bitstr_t *reserved);

/* Says at debug level on which nodes a job that has just started got something else than
 * planned. */
void maui_hide_cores_check(const struct maui_start_order *order, const job_record_t *job_ptr);

#endif
