/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_gres.h - generic resources in a job's record: what it asks for, and what it was given
 *
 * To be called under slurmctld's locks for jobs and partitions.
 *
 * Rules: BF-28, THR-1.
 */
#ifndef MAUI_SLURM_REQUEST_JOB_GRES_H
#define MAUI_SLURM_REQUEST_JOB_GRES_H

#include "config/config.h"
#include "slurm/compat.h"

/* CPUs, and MB of memory, that come with each one of a gres in a partition: of the job, or else
 * DefCpuPerGPU, DefMemPerGPU. 0: none, or the job names CPUs or memory otherwise. */
uint64_t maui_job_gres_cpus(const job_record_t *job_ptr, const part_record_t *part_ptr,
			    const char *name, const gres_job_state_t *gres);
uint64_t maui_job_gres_memory(const job_record_t *job_ptr, const part_record_t *part_ptr,
			      const char *name, const gres_job_state_t *gres);

/* What a job asks for of one gres: by node, or else by task; and for the whole job. Slurm's own
 * total is that of the nodes on which it last looked for a place. */
struct maui_gres_ask {
	int64_t by_node, by_task, by_job; /* 0: not so */
	bool consumed;                    /* false: nodes must have it, but do not give it away */
};
struct maui_gres_ask maui_job_gres_ask(const job_record_t *job_ptr, const gres_job_state_t *gres);

struct maui_job_gres {
	double gpus, weighed; /* of all nodes */
	double mem_mb;        /* that comes with what the job asks for; 0: none does */
};

/* Of what the job was given, or else of what it asks for, which is a minimum. */
struct maui_job_gres maui_job_gres_sum(const job_record_t *job_ptr,
				       const struct maui_config *config);

#endif
