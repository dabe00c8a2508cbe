/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_start.h - what differs when jobs start, stop and array tasks split
 *
 * Part of compat.h, which includes it; include that.
 */
#ifndef MAUI_SLURM_COMPAT_START_H
#define MAUI_SLURM_COMPAT_START_H

#include "base/hash.h"

/* Chooses the nodes of a pending job and, unless test_only, allocates them. scheduler_flag:
 * SLURMDB_JOB_FLAG_*. */
static inline int maui_compat_select_nodes(job_record_t *job_ptr, bool test_only,
					   uint32_t scheduler_flag)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	return select_nodes(job_ptr, test_only, NULL, NULL, false, scheduler_flag);
#else
	job_node_select_t job_node_select = { .job_ptr = job_ptr };

	return select_nodes(&job_node_select, test_only, false, scheduler_flag);
#endif
}

/* Codes of select_nodes() that earlier releases lack: no call returns them there. */
enum {
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	MAUI_COMPAT_LICENSES_UNAVAILABLE = -101,
	MAUI_COMPAT_MAX_POWERED_NODES = -102,
	MAUI_COMPAT_REQUESTED_TOPO_CONFIG_UNAVAILABLE = -103,
#else
	MAUI_COMPAT_LICENSES_UNAVAILABLE = ESLURM_LICENSES_UNAVAILABLE,
	MAUI_COMPAT_MAX_POWERED_NODES = ESLURM_MAX_POWERED_NODES,
	MAUI_COMPAT_REQUESTED_TOPO_CONFIG_UNAVAILABLE = ESLURM_REQUESTED_TOPO_CONFIG_UNAVAILABLE,
#endif
};
/* Whether the topology plugin found the free nodes in the wrong places of the network. */
static inline bool maui_compat_is_topology_refusal(int code)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
	(void)code;
	return false;
#else
	return IS_TOPO_ERROR(code);
#endif
}

/* What squeue shows of a job whose free nodes are in the wrong places of the network; NULL: the
 * code of its reason. */
static inline const char *maui_compat_network_text(void)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
	return NULL;
#else
	return slurm_strerror(ESLURM_TOPO_NO_FIT);
#endif
}

/* The hook that select_nodes() calls when the job has its nodes, before the credential of its
 * prolog is made; another plugin may have set it. NULL: later releases have no hook. Under job
 * WRITE. */
typedef void (*maui_compat_begun_fn)(job_record_t *job_ptr);
static inline maui_compat_begun_fn *maui_compat_begun(void)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	return &nonstop_ops.job_begin;
#else
	return NULL;
#endif
}

/* When a job could run on these nodes, if active jobs end by their limits: job_ptr->start_time.
 * `nodes` is changed. `now_only`: no job is let end but those of `candidates`.
 *
 * `candidates` are handed over as Slurm's candidates for preemption. With PreemptType they are
 * gone. Without it their mode is PREEMPT_MODE_OFF: the select plugin neither preempts them nor
 * counts with their ends. NULL: none. */
static inline int maui_compat_will_run_beside(job_record_t *job_ptr, bitstr_t *nodes,
					      uint32_t min_nodes, uint32_t max_nodes,
					      uint32_t req_nodes, maui_compat_list_t candidates,
					      bool now_only)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	uint64_t flags = job_ptr->bit_flags;
	int code;
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	resv_exc_t none = { 0 }; /* must be there since 23.11 */
#endif

	if (now_only)
		job_ptr->bit_flags |= TEST_NOW_ONLY;
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	code = select_g_job_test(job_ptr, nodes, min_nodes, max_nodes, req_nodes,
				 SELECT_MODE_WILL_RUN, candidates, NULL, NULL);
#else
	code = select_g_job_test(job_ptr, nodes, min_nodes, max_nodes, req_nodes,
				 SELECT_MODE_WILL_RUN, candidates, NULL, &none);
#endif
	job_ptr->bit_flags = flags;
	return code;
#else
	/* the flag is not looked at any more where there are candidates */
	will_run_data_t bounds = { .end = time(NULL) };
	resv_exc_t none = { 0 };

	return select_g_job_test(job_ptr, nodes, min_nodes, max_nodes, req_nodes,
				 SELECT_MODE_WILL_RUN, candidates, NULL, &none,
				 now_only ? &bounds : NULL);
#endif
}

static inline int maui_compat_will_run(job_record_t *job_ptr, bitstr_t *nodes, uint32_t min_nodes,
				       uint32_t max_nodes, uint32_t req_nodes)
{
	return maui_compat_will_run_beside(job_ptr, nodes, min_nodes, max_nodes, req_nodes, NULL,
					   false);
}

/* Suspends or resumes a job as root; op: SUSPEND_JOB, RESUME_JOB. Suspending frees processors, not
 * memory. */
static inline int maui_compat_suspend(uint32_t job_id, uint16_t op)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	suspend_msg_t message = { .op = op, .job_id = job_id };
#else
	suspend_msg_t message = { .op = op, .step_id = SLURM_STEP_ID_INITIALIZER };
	int rc;
#endif

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	return job_suspend(&message, 0, -1, true, SLURM_PROTOCOL_VERSION);
#elif SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	return job_suspend(NULL, &message, 0, true, SLURM_PROTOCOL_VERSION);
#else
	message.step_id.job_id = job_id;
	rc = job_suspend(NULL, &message, 0, true, SLURM_PROTOCOL_VERSION);
	xfree(message.job_id_str);
	return rc;
#endif
}

/* Requeues a job that is preempted, as root. */
static inline int maui_compat_requeue(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	return job_requeue(0, job_ptr->job_id, NULL, true, 0);
#else
	return job_requeue_internal(0, job_ptr, true, 0);
#endif
}

/* Whether the job has the core of its n-th node. */
static inline bool maui_compat_has_core(job_resources_t *resources, uint32_t node, uint16_t socket,
					uint16_t core)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
	return get_job_resources_bit(resources, node, socket, core) == 1;
#else
	int offset = get_job_resources_offset(resources, node, socket, core);

	return offset >= 0 && offset < bit_size(resources->core_bitmap) &&
	       bit_test(resources->core_bitmap, offset);
#endif
}

/* Bit flags, beside those of all releases, by which a user asks for a placement. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
#define MAUI_COMPAT_ASKED_FLAGS 0
#elif SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
#define MAUI_COMPAT_ASKED_FLAGS GRES_ONE_TASK_PER_SHARING
#elif SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
#define MAUI_COMPAT_ASKED_FLAGS (GRES_ONE_TASK_PER_SHARING | EXTERNAL_JOB)
#else
#define MAUI_COMPAT_ASKED_FLAGS \
	(GRES_ONE_TASK_PER_SHARING | EXTERNAL_JOB | SPREAD_SEGMENTS | CONSOLIDATE_SEGMENTS)
#endif

/* Mixes --nodes=2,4,8 into a hash. */
static inline uint64_t maui_compat_hash_sizes(uint64_t hash, const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	bitstr_t *sizes = job_ptr->details->job_size_bitmap;

	for (int64_t i = sizes ? bit_ffs(sizes) : -1; i >= 0 && i < bit_size(sizes); i++)
		if (bit_test(sizes, i))
			hash = maui_hash_mix(hash, (uint64_t)i);
#else
	(void)job_ptr;
#endif
	return hash;
}

/* --extra: with SchedulerParameters=extra_constraints what nodes must have. */
static inline const char *maui_compat_extra(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	return job_ptr->details->extra;
#else
	return job_ptr->extra;
#endif
}

/* --resv-ports: of jobs since 24.11 or before it, in 22.05 of steps alone. */
static inline uint16_t maui_compat_resv_ports(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	(void)job_ptr;
	return 0;
#else
	return job_ptr->resv_port_cnt;
#endif
}

/* Splits the first task of an array head off as a job. Returns the record of the rest, which keeps
 * the id, or NULL. */
static inline job_record_t *maui_compat_split_array(job_record_t *job_ptr)
{
	job_record_t *rest;

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	rest = job_array_split(job_ptr);
#else
	rest = job_array_split(job_ptr, true);
#endif
	if (!rest)
		return NULL;
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	rest->job_state = JOB_PENDING;
#else
	job_state_set(rest, JOB_PENDING);
#endif
	rest->start_time = 0;
	return rest;
}

/* An array head of one last task becomes this task. */
static inline void maui_compat_end_array(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	job_array_post_sched(job_ptr);
#else
	job_array_post_sched(job_ptr, true);
#endif
}

#endif
