/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_request.h - what a job can ask for: what differs between releases of Slurm
 *
 * Part of slurm/compat.h, which includes it.
 */
#ifndef MAUI_SLURM_COMPAT_REQUEST_H
#define MAUI_SLURM_COMPAT_REQUEST_H

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#include "src/common/node_features.h"
#else
#include "src/interfaces/node_features.h"
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#include "src/common/job_features.h"
#endif

/* Whether the user gave a number of nodes: since 26.05 slurmctld sets the highest number itself, to
 * the number of tasks. */
static inline bool maui_compat_names_nodes(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
	if (job_ptr->bit_flags & JOB_IMPLICIT_MAX_NODES)
		return false;
#endif
	return job_ptr->details->max_nodes != 0;
}

/* Whether the job takes certain numbers of nodes only (-N 2,4,8). */
static inline bool maui_compat_has_size_list(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	(void)job_ptr;
	return false;
#else
	return job_ptr->details->job_size_bitmap;
#endif
}

/* --exclusive=mcs, and --exclusive=topo or a partition with Exclusive=topo. */
static inline bool maui_compat_is_exclusive_to_group(const job_record_t *job_ptr,
						     const part_record_t *part_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	(void)part_ptr;
	return job_ptr->details->whole_node == WHOLE_NODE_MCS;
#else
	return (job_ptr->details->whole_node & (WHOLE_NODE_MCS | WHOLE_TOPO)) ||
	       (part_ptr->flags & PART_FLAG_EXCLUSIVE_TOPO);
#endif
}

/* --spread-segments, --consolidate-segments */
static inline bool maui_compat_moves_segments(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	(void)job_ptr;
	return false;
#else
	return job_ptr->bit_flags & (SPREAD_SEGMENTS | CONSOLIDATE_SEGMENTS);
#endif
}

/* sbatch --requeue=expedite: the job has failed, and goes ahead of all others until it runs. */
static inline bool maui_compat_is_expedited(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	(void)job_ptr;
	return false;
#else
	return IS_JOB_EXPEDITING(job_ptr);
#endif
}

/* Whether the partition's nodes lie in a network that place() does not describe: one of their own
 * (Topology= of the partition), a torus, a ring. */
static inline bool maui_compat_has_other_network(const part_record_t *part_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
	(void)part_ptr;
	return false;
#elif SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
	return part_ptr->topology_idx > 0;
#else
	int plugin = topology_get_plugin_id();

	return part_ptr->topology_idx > 0 || plugin == TOPOLOGY_PLUGIN_3DTORUS ||
	       plugin == TOPOLOGY_PLUGIN_RING;
#endif
}

/* Whether the job takes any one of several licences (-L "a|b"), or the licence belongs to a
 * hierarchy of resources, of which nodes in different places have different amounts. */
static inline bool maui_compat_is_plain_license(const licenses_t *license)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
	(void)license;
	return true;
#else
	return !license->op_or && license->id.hres_id == NO_VAL16;
#endif
}

/* Whether the reservation keeps certain gres of its nodes. */
static inline bool maui_compat_keeps_gres(const slurmctld_resv_t *resv_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	(void)resv_ptr;
	return false;
#else
	return resv_ptr->gres_list_alloc;
#endif
}

/* MaxCPUsPerSocket */
static inline bool maui_compat_limits_sockets(const part_record_t *part_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	(void)part_ptr;
	return false;
#else
	return part_ptr->max_cpus_per_socket != INFINITE && part_ptr->max_cpus_per_socket != NO_VAL;
#endif
}

/* Whether the job must end with the magnetic reservation that attracts it. */
static inline bool maui_compat_must_end_in_magnet(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	(void)job_ptr;
	return false;
#else
	return !job_ptr->resv_name || (job_ptr->bit_flags & JOB_MAGNETIC);
#endif
}

#endif /* MAUI_SLURM_COMPAT_REQUEST_H */
