/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_preempt.h - Slurm's own preemption (PreemptType) in its releases
 *
 * Part of compat.h, which includes it; include that. All under conf READ.
 */
#ifndef MAUI_SLURM_COMPAT_PREEMPT_H
#define MAUI_SLURM_COMPAT_PREEMPT_H

/* PreemptParameters; earlier releases have them among SchedulerParameters. NULL: none. */
static inline const char *maui_compat_preempt_parameters(void)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
	return NULL;
#else
	return slurm_conf.preempt_params;
#endif
}

/* Where the site sets how long a job waits after a requeue: the list of options, and the name. */
static inline const char *maui_compat_requeue_delay(const char **ret_name)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
	*ret_name = "requeue_delay=";
	if (xstrcasestr(slurm_conf.sched_params, *ret_name))
		return slurm_conf.sched_params;
#endif
	*ret_name = "cred_expire="; /* slurmd has to forget the credential */
	return slurm_conf.authinfo;
}

static inline bool maui_compat_preempts_youngest_first(void)
{
	return xstrcasestr(maui_compat_preempt_parameters(), "youngest_first") ||
	       xstrcasestr(slurm_conf.sched_params, "preempt_youngest_first");
}

/* Whether jobs are preempted for their licences. */
static inline bool maui_compat_reclaims_licenses(void)
{
	return xstrcasestr(maui_compat_preempt_parameters(), "reclaim_licenses") != NULL;
}

/* Whether a job that is preempted gets the signal that it asked for (--signal). */
static inline bool maui_compat_preempt_signals(void)
{
	return xstrcasestr(maui_compat_preempt_parameters(), "send_user_signal") ||
	       xstrcasestr(slurm_conf.slurmctld_params, "preempt_send_user_signal");
}

/* Jobs of a higher priority are never preempted (min_exempt_priority); NO_VAL: there is no such
 * priority. */
static inline uint32_t maui_compat_exempt_priority(void)
{
	const char *at = xstrcasestr(maui_compat_preempt_parameters(), "min_exempt_priority=");

	return at ? (uint32_t)strtoul(strchr(at, '=') + 1, NULL, 10) : NO_VAL;
}

#endif
