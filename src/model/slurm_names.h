/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_names.h - which accounts and QOS slurmdbd has, so that another name does not exist
 *
 * A site has thousands, and they change rarely: all published documents share one list.
 *
 * Thread safety: does not change once it is shared; references are counted atomically.
 */
#ifndef MAUI_MODEL_SLURM_NAMES_H
#define MAUI_MODEL_SLURM_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct maui_slurm_names {
	const char **accounts, **qos;
	size_t account_count, qos_count;
	/* AccountingStorageEnforce: a job with another is refused */
	bool account_needed, qos_needed;
	struct maui_arena arena; /* of the names */
	int refs;                /* atomic */
};

/* Without names, with one reference. NULL: no memory. */
struct maui_slurm_names *maui_slurm_names_create(void);
/* NULL is fine for both. */
struct maui_slurm_names *maui_slurm_names_ref(struct maui_slurm_names *names);
void maui_slurm_names_unref(struct maui_slurm_names *names);

#endif
