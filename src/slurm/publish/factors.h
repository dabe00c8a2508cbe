/* SPDX-License-Identifier: GPL-2.0-or-later */
/* factors.h - the rows of sprio
 *
 * sprio adds up the columns, so a row must sum to what squeue shows: SITE has the rest that the
 * six columns leave. Columns: AGE=SERV ASSOC=CRED FAIRSHARE=FS JOBSIZE=RES QOS=TARG
 * PARTITION=USAGE.
 *
 * Rules: PRIO-15, PRIO-19.
 */
#ifndef MAUI_SLURM_PUBLISH_FACTORS_H
#define MAUI_SLURM_PUBLISH_FACTORS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/factor.h"

/* Finds the columns last published for a job in a partition; false: none, and all are 0.
 * Called under slurmctld's job READ lock. */
typedef bool (*maui_factors_row_fn)(uint32_t job_id, uint32_t array_job_id, const char *partition,
				    int32_t *ret_columns, void *arg);

/* A list of priority_factors_object_t, or NULL when it is empty: one for each partition of each
 * pending and active job that is not held. `request` as Slurm passes it (NULL where it passes
 * none). Takes slurmctld's READ locks where this release leaves that to the plugin. */
void *maui_factors_list(const void *request, uid_t uid, maui_factors_row_fn row, void *arg);

#endif
