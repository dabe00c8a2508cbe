/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - for the files of this folder only */
#ifndef MAUI_SLURM_ASSOCIATIONS_PRIVATE_H
#define MAUI_SLURM_ASSOCIATIONS_PRIVATE_H

#include "slurm/compat.h"

#include "policy/slurm_usage.h"

/* record.c: the numbers of one association or QOS. Under the association manager's WRITE locks. */
struct maui_job_usage {
	job_record_t *job_ptr;
	struct maui_slurm_usage_span span;
	double billing; /* billable TRES of one second */
	double factor;  /* UsageFactor of the job's QOS */
	bool limits;    /* AccountingStorageEnforce has limits: TRES are counted, too */
};

void maui_association_add(slurmdb_assoc_rec_t *assoc, const struct maui_job_usage *used);
void maui_qos_add(slurmdb_qos_rec_t *qos, const struct maui_job_usage *used);
/* factor 0: a reset. */
void maui_association_decay(slurmdb_assoc_rec_t *assoc, double factor);
void maui_qos_decay(slurmdb_qos_rec_t *qos, double factor);

/* last_count.c: the file. Both times 0: none, or it cannot be read, which is logged. */
struct maui_last_count {
	int64_t counted_s, reset_s;
};

struct maui_last_count maui_last_count_read(void);
void maui_last_count_write(const struct maui_last_count *last);

/* As in shares.h, for all associations, under the association manager's WRITE lock. */
void maui_shares_rank_all(void);

#endif
