/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat.h - slurmctld's internal headers, and all that differs between its releases
 *
 * With the other compat_*.h, which it includes, the only file that asks for SLURM_VERSION_NUMBER.
 * Built against the exact release it will be loaded into; abi.h proves that at run time.
 */
#ifndef MAUI_SLURM_COMPAT_H
#define MAUI_SLURM_COMPAT_H

#include "config.h"

#include "slurm/slurm_errno.h"
#include "slurm/slurm_version.h"

#include "src/common/log.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#include "src/common/select.h"
#include "src/common/slurm_mcs.h"
#include "src/common/slurm_priority.h"
#include "src/common/slurm_topology.h"
#else
#include "src/interfaces/mcs.h"
#include "src/interfaces/priority.h"
#include "src/interfaces/select.h"
#include "src/interfaces/topology.h"
#endif
#include "src/slurmctld/acct_policy.h"
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#include "src/common/gres.h"
#include "src/slurmctld/burst_buffer.h"
#include "src/slurmctld/preempt.h"
#else
#include "src/interfaces/burst_buffer.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/preempt.h"
#endif
#include "src/slurmctld/reservation.h"
#include "src/common/assoc_mgr.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/proc_req.h"
#include "src/slurmctld/state_save.h"
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
#include "src/slurmctld/srun_comm.h"
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
#include "src/interfaces/conn.h"
#endif
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#include "src/slurmctld/slurmctld_plugstack.h"
#endif

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
/* SelectTypeParameters as they were called before */
enum {
	CR_CPU = SELECT_CPU,
	CR_SOCKET = SELECT_SOCKET,
	CR_CORE = SELECT_CORE,
	CR_MEMORY = SELECT_MEMORY,
	CR_ONE_TASK_PER_CORE = SELECT_ONE_TASK_PER_CORE,
	CR_LLN = SELECT_LLN,
};
#endif

/* The name of a reason, as in squeue: a constant. NULL: there is no reason. */
static inline const char *maui_compat_reason_name(uint32_t reason)
{
	if (reason == WAIT_NO_REASON)
		return NULL;
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	return job_reason_string((enum job_state_reason)reason);
#else
	return job_state_reason_string((enum job_state_reason)reason);
#endif
}

/* Where they are, since 24.05 */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
#define MAUI_COMPAT_PRIORITIES part_prio
#else
#define MAUI_COMPAT_PRIORITIES prio_mult
#endif
/* A job in several partitions keeps a priority for each of them and of its QOS. NULL: none yet. */
static inline uint32_t *maui_compat_priority_array(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	return job_ptr->priority_array;
#else
	return job_ptr->MAUI_COMPAT_PRIORITIES ? job_ptr->MAUI_COMPAT_PRIORITIES->priority_array :
						 NULL;
#endif
}

/* Since 24.11 a job may name several QOS; its priorities are by partition and QOS. */
static inline unsigned maui_compat_qos_count(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	(void)job_ptr;
	return 1;
#else
	int count = job_ptr->qos_list ? list_count(job_ptr->qos_list) : 0;

	return count > 0 ? (unsigned)count : 1;
#endif
}

/* Grows the array to `count` numbers: the list may have grown since the array was made or
 * copied. */
static inline void maui_compat_fit_array(uint32_t **array, size_t count)
{
	if (!*array)
		*array = xcalloc(count + 1, sizeof(**array));
	else if (xsize(*array) < count * sizeof(**array))
		xrecalloc(*array, count + 1, sizeof(**array));
}

/* Since 24.11 clients get the partitions' names in the order of the array, and read past its end,
 * or without names crash, when the two differ. Slurm sorts the list when partitions change. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
static inline void maui_compat_name_priorities(job_record_t *job_ptr)
{
	priority_mult_t *priorities = job_ptr->MAUI_COMPAT_PRIORITIES;

	if (priorities->priority_array && priorities->priority_array_names &&
	    priorities->last_update > last_part_update)
		return;
	xfree(priorities->priority_array_names);
	priorities->priority_array_names = part_list_to_xstr(job_ptr->part_ptr_list);
	priorities->last_update = time(NULL);
}
#endif

/* The priorities of a job with a list of partitions, as many as partitions times QOS, made when
 * missing. Needs job WRITE. */
static inline uint32_t *maui_compat_make_priority_array(job_record_t *job_ptr)
{
	size_t count = (size_t)list_count(job_ptr->part_ptr_list) * maui_compat_qos_count(job_ptr);

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	maui_compat_fit_array(&job_ptr->priority_array, count);
#else
	if (!job_ptr->MAUI_COMPAT_PRIORITIES)
		job_ptr->MAUI_COMPAT_PRIORITIES = xmalloc(sizeof(*job_ptr->MAUI_COMPAT_PRIORITIES));
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	maui_compat_name_priorities(job_ptr);
#endif
	maui_compat_fit_array(&job_ptr->MAUI_COMPAT_PRIORITIES->priority_array, count);
#endif
	return maui_compat_priority_array(job_ptr);
}

/* Takes them away from a job that names one partition again: squeue -P would list the others. Needs
 * job WRITE. */
static inline void maui_compat_drop_priorities(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	priority_mult_t *priorities = job_ptr->MAUI_COMPAT_PRIORITIES;

	if (!priorities || job_ptr->part_ptr_list || job_ptr->qos_list)
		return;
	xfree(priorities->priority_array);
	xfree(priorities->priority_array_names);
	xfree(job_ptr->MAUI_COMPAT_PRIORITIES);
#else
	(void)job_ptr;
#endif
}

/* The QOS text of a job whose QOS slurmctld could not resolve; NULL: this release drops it. */
static inline const char *maui_compat_qos_text(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	(void)job_ptr;
	return NULL;
#else
	return job_ptr->details->qos_req;
#endif
}

/* Privacy of sprio's rows: an account's coordinator sees its jobs. */
static inline bool maui_compat_is_coordinator(uid_t uid, const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	return assoc_mgr_is_user_acct_coord(acct_db_conn, uid, job_ptr->account);
#else
	return assoc_mgr_is_user_acct_coord(acct_db_conn, uid, job_ptr->account, false);
#endif
}

/* Until 23.02 sprio's row was one flat struct. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
#define MAUI_COMPAT_FLAT_FACTORS 1
#endif

/* sprio's request: filters travelled in it until 23.02; since 24.05 the caller holds the locks. */
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
#define MAUI_COMPAT_FACTORS_REQUEST 1
typedef priority_factors_request_msg_t maui_compat_factors_request_t;
#else
typedef void maui_compat_factors_request_t;
#endif

/* priority_p_recover() came with 23.02, priority_p_thread_start() with 23.11. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#define MAUI_COMPAT_RECOVER 1
#endif
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
#define MAUI_COMPAT_NO_THREAD_START 1
#endif

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
typedef List maui_compat_list_t;
typedef ListIterator maui_compat_iterator_t;
#else
typedef list_t *maui_compat_list_t;
typedef list_itr_t *maui_compat_iterator_t;
#endif

/* The first bit that is set, from this one on; -1: none. */
static inline int64_t maui_compat_next_bit(bitstr_t *bits, int64_t from)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	int64_t size = bit_size(bits);

	for (; from < size; from++) {
		if (from % 64 == 0 && bits[BITSTR_OVERHEAD + from / 64] == 0)
			from += 63;
		else if (bit_test(bits, from))
			return from;
	}
	return -1;
#else
	return from < bit_size(bits) ? bit_ffs_from_bit(bits, from) : -1;
#endif
}

typedef __typeof__(*((job_record_t *)NULL)->details) maui_compat_details_t;

/* Whether the job has --extra: a job that Slurm cannot serve now may be served later. */
static inline bool maui_compat_has_extra_constraints(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	(void)job_ptr;
	return false;
#else
	return job_ptr->extra_constraints;
#endif
}

/* Names the job that a request is about. */
static inline void maui_compat_name_job(job_desc_msg_t *desc, uint32_t job_id)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	desc->job_id = job_id;
#else
	desc->step_id.job_id = job_id;
#endif
}

/* Names the job of a row of sprio; since 26.05 with its SLUID. */
static inline void maui_compat_name_factors(priority_factors_object_t *object,
					    const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
	object->job_id = job_ptr->job_id;
#else
	object->step_id = job_ptr->step_id;
#endif
}

/* Whether Slurm preempts by itself; since 24.11 "none" is not a name. Under conf READ. */
static inline bool maui_compat_slurm_preempts(void)
{
	return slurm_conf.preempt_type && xstrcmp(slurm_conf.preempt_type, "preempt/none");
}

/* Since 23.11 a reconfigure is another slurmctld that takes over from the one that runs; until its
 * end its environment says so. */
static inline bool maui_compat_is_reconfigure(void)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	return false;
#else
	return getenv("SLURMCTLD_RECONF") != NULL;
#endif
}

/* How the backfill scheduler's last cycle ended is counted since 23.11. */
static inline void maui_compat_count_cycle_end(void)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
	slurmctld_diag_stats.bf_exit[BF_EXIT_END]++;
#endif
}

/* Since 25.11 slurmctld, when it is to end, waits until bf_active is 0. The caller has
 * check_bf_running_lock. */
static inline void maui_compat_tell_inactive(void)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
	slurm_cond_broadcast(&check_bf_running_cond);
#endif
}

/* Whether the job's reason is a state or limit of a partition. */
static inline bool maui_compat_waits_for_partition(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	return !part_policy_job_runnable_state(job_ptr);
#else
	return job_state_reason_check(job_ptr->state_reason, JSR_PART);
#endif
}

/* Whether the list of users that Slurm made from AllowGroups has the user. Under part READ. */
static inline bool maui_compat_lists_user(const part_record_t *part_ptr, uid_t uid)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	for (const uid_t *allowed = part_ptr->allow_uids; allowed && *allowed; allowed++)
		if (*allowed == uid)
			return true;
#else
	for (int i = 0; i < part_ptr->allow_uids_cnt; i++)
		if (part_ptr->allow_uids[i] == uid)
			return true;
#endif
	return false;
}

/* Whether AllowGroups admits any user at all: where its groups have no members Slurm does not look
 * at primary groups either. */
static inline bool maui_compat_lists_any_user(const part_record_t *part_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	return part_ptr->allow_uids != NULL;
#else
	return part_ptr->allow_uids_cnt > 0;
#endif
}

/* The users whom AllowGroups admits, and how many: NULL, 0: none. Under part READ. */
static inline const uid_t *maui_compat_listed_users(const part_record_t *part_ptr, size_t *ret)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	*ret = 0;
	while (part_ptr->allow_uids && part_ptr->allow_uids[*ret])
		(*ret)++;
#else
	*ret = part_ptr->allow_uids_cnt > 0 ? (size_t)part_ptr->allow_uids_cnt : 0;
#endif
	return part_ptr->allow_uids;
}

/* Whether a list of accounts in slurm.conf means those below them as well. */
static inline bool maui_compat_lists_subaccounts(void)
{
	return SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0);
}

/* Whether AllowAccounts and DenyAccounts count: since 23.02 only where jobs need an association. */
static inline bool maui_compat_lists_accounts(void)
{
	return SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0) ||
	       (accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS);
}

/* AllowQOS, DenyQOS. Under the association manager's qos READ. */
static inline bool maui_compat_takes_qos(part_record_t *part_ptr, job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	return part_policy_valid_qos(part_ptr, job_ptr->qos_ptr, job_ptr) == SLURM_SUCCESS;
#else
	return part_policy_valid_qos(part_ptr, job_ptr->qos_ptr, job_ptr->user_id, job_ptr) ==
	       SLURM_SUCCESS;
#endif
}

/* --exclusive was a number until bits came with 24.11. */
static inline bool maui_compat_is_exclusive(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	return job_ptr->details->whole_node == WHOLE_NODE_REQUIRED;
#else
	return job_ptr->details->whole_node & WHOLE_NODE_REQUIRED;
#endif
}
static inline bool maui_compat_is_exclusive_to_user(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	return job_ptr->details->whole_node == WHOLE_NODE_USER;
#else
	return job_ptr->details->whole_node & WHOLE_NODE_USER;
#endif
}

/* Whether nodes of a requeued job are still being cleaned: only Cray's select plugin says so. */
static inline bool maui_compat_select_cleans(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	uint16_t cleaning = 0;

	select_g_select_jobinfo_get(job_ptr->select_jobinfo, SELECT_JOBDATA_CLEANING, &cleaning);
	return cleaning;
#else
	(void)job_ptr;
	return false;
#endif
}

/* Empty records of this slurmctld's layout, to be freed by the next function; NULL: this release
 * makes none without a partition table and a job list. */
static inline void maui_compat_empty_records(part_record_t **ret_part, job_record_t **ret_job)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	*ret_part = NULL;
	*ret_job = NULL;
#else
	*ret_part = part_record_create();
	*ret_job = job_record_create();
#endif
}

static inline void maui_compat_free_records(part_record_t *part, job_record_t *job)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	(void)part;
	(void)job;
#else
	part_record_delete(part);
	job_record_delete(job);
#endif
}

/* The job's QOS by number; 0: the job has a list, from which slurmctld picks. */
static inline uint32_t maui_compat_asked_qos(const job_record_t *job_ptr)
{
	return maui_compat_qos_count(job_ptr) > 1 ? 0 : job_ptr->qos_id;
}
/* Sets pointer and number together, as slurmctld does: it finds the one by the other again when
 * associations change, and counts limits by both. */
static inline void maui_compat_set_qos(job_record_t *job_ptr, unsigned index)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	(void)job_ptr;
	(void)index;
#else
	list_itr_t *iterator;

	if (!job_ptr->qos_list || index >= (unsigned)list_count(job_ptr->qos_list))
		return;
	iterator = list_iterator_create(job_ptr->qos_list);
	for (unsigned i = 0; i <= index; i++)
		job_ptr->qos_ptr = list_next(iterator);
	list_iterator_destroy(iterator);
	if (job_ptr->qos_ptr)
		job_ptr->qos_id = job_ptr->qos_ptr->id;
#endif
}

/* Run-seconds of an account in a QOS, by TRES, counted since 24.05; NULL: none are. */
static inline uint64_t *maui_compat_run_seconds_of_account(slurmdb_qos_rec_t *qos, char *account)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	(void)qos, (void)account;
	return NULL;
#else
	return acct_policy_get_acct_used_limits(&qos->usage->acct_limit_list, account)
		->tres_run_secs;
#endif
}

/* The same of a user. */
static inline uint64_t *maui_compat_run_seconds_of_user(slurmdb_qos_rec_t *qos, uint32_t user)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	(void)qos, (void)user;
	return NULL;
#else
	return acct_policy_get_user_used_limits(&qos->usage->user_limit_list, user)->tres_run_secs;
#endif
}

/* Whether sched/backfill would give the node the state PLANNED: while nothing runs on it, and since
 * 24.05 as long as a processor is idle. After select_g_select_nodeinfo_set_all(). */
static inline bool maui_compat_has_idle_cpus(const node_record_t *node_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	return !IS_NODE_ALLOCATED(node_ptr);
#else
	uint16_t allocated = 0;

	if (!IS_NODE_ALLOCATED(node_ptr))
		return true;
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
	select_g_select_nodeinfo_get(node_ptr->select_nodeinfo, SELECT_NODEDATA_SUBCNT,
				     NODE_STATE_ALLOCATED, &allocated);
#elif SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(26, 5, 0)
	allocated = node_ptr->alloc_cpus;
#else
	allocated = node_select_stats_array[node_ptr->index]->alloc_cpus;
#endif
	return allocated > 0 && allocated < node_ptr->cpus_efctv;
#endif
}

/* gres/NAME:no_consume, which jobs could ask for until 22.05. */
static inline bool maui_compat_consumes_gres(const gres_job_state_t *gres)
{
#ifdef GRES_NO_CONSUME
	return !(gres->flags & GRES_NO_CONSUME);
#else
	(void)gres;
	return true;
#endif
}

/* Gres of this kind that a job with whole nodes gets only if it asks for them: shares of others
 * (shard, mps), and from 23.11 on those with Flags=explicit in gres.conf. */
static inline bool maui_compat_is_apart(uint32_t config_flags)
{
#ifdef GRES_CONF_EXPLICIT
	if (config_flags & GRES_CONF_EXPLICIT)
		return true;
#endif
	return gres_id_shared(config_flags);
}

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
extern list_t *cluster_license_list; /* no more in licenses.h; its copies have no names */
#endif

/* The cluster's licences; NULL: none. The list's own lock keeps an entry while list_for_each() is
 * at it: remote ones come and go any time. */
static inline maui_compat_list_t maui_compat_licenses(void)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	return license_list;
#else
	return cluster_license_list;
#endif
}

/* How many of a licence are taken outside of this cluster. */
static inline uint32_t maui_compat_license_deficit(const licenses_t *license)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	(void)license;
	return 0;
#else
	return license->last_deficit;
#endif
}

#include "slurm/compat_het.h"
#include "slurm/compat_network.h"
#include "slurm/compat_preempt.h"
#include "slurm/compat_record.h"
#include "slurm/compat_request.h"
#include "slurm/compat_resv.h"
#include "slurm/compat_start.h"

#endif
