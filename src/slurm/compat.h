/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat.h - slurmctld's internal headers, and all that differs between its releases
 *
 * The only file that asks for SLURM_VERSION_NUMBER. Built against the exact release it will be
 * loaded into; abi.h proves that at run time.
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
#include "src/common/slurm_mcs.h"
#include "src/common/slurm_priority.h"
#else
#include "src/interfaces/mcs.h"
#include "src/interfaces/priority.h"
#endif
#include "src/common/assoc_mgr.h"
#include "src/slurmctld/proc_req.h"

/* A job in several partitions keeps a priority for each. NULL: none yet. */
static inline uint32_t *maui_compat_priority_array(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	return job_ptr->priority_array;
#else
	return job_ptr->part_prio ? job_ptr->part_prio->priority_array : NULL;
#endif
}

/* Room for `count` partitions: a list may have grown since the array was made or copied. */
static inline void maui_compat_fit_array(uint32_t **array, size_t count)
{
	if (!*array)
		*array = xcalloc(count + 1, sizeof(**array));
	else if (xsize(*array) < count * sizeof(**array))
		xrecalloc(*array, count + 1, sizeof(**array));
}

/* The same, made for `count` partitions when missing. Needs job WRITE. */
static inline uint32_t *maui_compat_make_priority_array(job_record_t *job_ptr, size_t count)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 5, 0)
	maui_compat_fit_array(&job_ptr->priority_array, count);
#else
	if (!job_ptr->part_prio)
		job_ptr->part_prio = xmalloc(sizeof(*job_ptr->part_prio));
	maui_compat_fit_array(&job_ptr->part_prio->priority_array, count);
#endif
	return maui_compat_priority_array(job_ptr);
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

#endif
