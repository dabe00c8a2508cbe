/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority_maui.c - PriorityType=priority/maui: the symbols slurmctld looks for, nothing more */

#include "slurm/compat.h"

#include "maui_config.h"

#include "base/built_for.h"
#include "controller/controller.h"

static const char built_for[] __attribute__((used)) =
	MAUI_BUILT_FOR SLURM_VERSION_STRING MAUI_BUILT_FOR_SHA256 MAUI_SLURMCTLD_SHA256;

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

const char plugin_name[] = "Maui job priority plugin";
const char plugin_type[] = "priority/maui";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void);
int fini(void);
uint32_t priority_p_set(uint32_t last_prio, job_record_t *job_ptr);
void priority_p_reconfig(bool assoc_clear);
void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *assoc);
double priority_p_calc_fs_factor(long double usage_efctv, long double shares_norm);
void priority_p_job_end(job_record_t *job_ptr);

int init(void)
{
	if (maui_controller_open(MAUI_ROLE_PRIORITY))
		return SLURM_ERROR;
#ifdef MAUI_COMPAT_NO_THREAD_START
	maui_controller_start();
#endif
	info("%s loaded", plugin_name);
	return SLURM_SUCCESS;
}

int fini(void)
{
	maui_controller_close(MAUI_ROLE_PRIORITY);
	return SLURM_SUCCESS;
}

uint32_t priority_p_set(uint32_t last_prio, job_record_t *job_ptr)
{
	return maui_controller_set_priority(last_prio, job_ptr);
}

/* assoc_clear: slurm.conf was read again; else a partition or association changed. */
void priority_p_reconfig(bool assoc_clear)
{
	maui_controller_reconfigure(assoc_clear);
}

/* For sshare with slurmdbd; Maui's fairshare knows no association tree. */
void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *assoc)
{
	(void)assoc;
}

double priority_p_calc_fs_factor(long double usage_efctv, long double shares_norm)
{
	(void)usage_efctv, (void)shares_norm;
	return 0;
}

/* Called with accounting enforced only, so usage is polled instead. */
void priority_p_job_end(job_record_t *job_ptr)
{
	(void)job_ptr;
}

#ifdef MAUI_COMPAT_FACTORS_REQUEST
List priority_p_get_priority_factors_list(priority_factors_request_msg_t *req_msg, uid_t uid);

List priority_p_get_priority_factors_list(priority_factors_request_msg_t *req_msg, uid_t uid)
{
	return maui_controller_factors(req_msg, uid);
}
#else
maui_compat_list_t priority_p_get_priority_factors_list(uid_t uid);

maui_compat_list_t priority_p_get_priority_factors_list(uid_t uid)
{
	return maui_controller_factors(NULL, uid);
}
#endif

#ifdef MAUI_COMPAT_RECOVER
uint32_t priority_p_recover(uint32_t prio_boost);

/* Priorities come from job records and the next cycle; nothing is boosted at a restart. */
uint32_t priority_p_recover(uint32_t prio_boost)
{
	(void)prio_boost;
	return 0;
}
#endif

#ifndef MAUI_COMPAT_NO_THREAD_START
void priority_p_thread_start(void);

void priority_p_thread_start(void)
{
	maui_controller_start();
}
#endif
