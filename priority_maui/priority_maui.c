/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority_maui.c - PriorityType=priority/maui: the symbols slurmctld looks for, nothing more
 *
 * Clients load this plugin, too: sshare, which asks it for no more than a factor. So
 * libmaui.so, which needs slurmctld's own symbols, is not linked but loaded by init() in slurmctld.
 */

#include "slurm/compat.h"

#include <dlfcn.h>

#include "src/common/run_in_daemon.h"

#include "maui_config.h"

#include "base/built_for.h"
#include "controller/controller.h"
#include "slurm/associations/shares.h"

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

static void *library;                           /* libmaui.so; NULL: in a client */
static const struct maui_priority_calls *calls; /* in it */

static void unload_library(void)
{
	calls = NULL;
	if (library)
		dlclose(library);
	library = NULL;
}

static int load_library(void)
{
	library = dlopen(MAUI_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (library)
		calls = dlsym(library, "maui_priority_calls");
	if (calls)
		return 0;
	error("%s: %s", plugin_type, dlerror());
	unload_library();
	return -1;
}

int init(void)
{
	if (!running_in_slurmctld())
		return SLURM_SUCCESS;
	if (load_library())
		return SLURM_ERROR;
	if (calls->open(MAUI_ROLE_PRIORITY)) {
		unload_library();
		return SLURM_ERROR;
	}
#ifdef MAUI_COMPAT_NO_THREAD_START
	calls->start();
#endif
	info("%s loaded", plugin_name);
	return SLURM_SUCCESS;
}

int fini(void)
{
	if (calls)
		calls->close(MAUI_ROLE_PRIORITY);
	unload_library();
	return SLURM_SUCCESS;
}

uint32_t priority_p_set(uint32_t last_prio, job_record_t *job_ptr)
{
	return calls->set_priority(last_prio, job_ptr);
}

/* assoc_clear: slurm.conf was read again, and slurmctld holds no lock; else a partition or
 * association changed. */
void priority_p_reconfig(bool assoc_clear)
{
	calls->reconfigure(assoc_clear);
}

/* slurmctld asks for an association whose effective usage is not known, for sshare. */
void priority_p_set_assoc_usage(slurmdb_assoc_rec_t *assoc)
{
	if (calls)
		calls->set_usage(assoc);
}

double priority_p_calc_fs_factor(long double usage_efctv, long double shares_norm)
{
	return maui_shares_factor(usage_efctv, shares_norm, slurm_conf.fs_dampening_factor);
}

/* Called with limits enforced only, so the usage of Maui's fairshare is polled instead. */
void priority_p_job_end(job_record_t *job_ptr)
{
	calls->job_end(job_ptr);
}

#ifdef MAUI_COMPAT_FACTORS_REQUEST
List priority_p_get_priority_factors_list(priority_factors_request_msg_t *req_msg, uid_t uid);

List priority_p_get_priority_factors_list(priority_factors_request_msg_t *req_msg, uid_t uid)
{
	return calls->factors(req_msg, uid);
}
#else
maui_compat_list_t priority_p_get_priority_factors_list(uid_t uid);

maui_compat_list_t priority_p_get_priority_factors_list(uid_t uid)
{
	return calls->factors(NULL, uid);
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
	calls->start();
}
#endif
