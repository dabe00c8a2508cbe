/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sole_scheduler.c - defer and scheduling_disabled */

#include "slurm/compat.h"

#include "slurm/sole_scheduler.h"

#include "src/slurmctld/fed_mgr.h"

/* scheduling_disabled as it was before we set it. */
static bool claimed, forbidden;

/* Whether the list "a,b=c,d" has the word. */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at && *at;) {
		size_t size = strcspn(at, ",");

		if (size == length && strncasecmp(at, word, size) == 0)
			return true;
		at += size + (at[size] == ',');
	}
	return false;
}

int maui_sole_scheduler_check(struct maui_err *err)
{
	if (has_word(slurm_conf.sched_params, "defer_batch"))
		return maui_err_set(err,
				    "SchedulerParameters has defer_batch, which lets slurmctld "
				    "start srun's jobs by itself: take it out");
	if (slurm_conf.fed_params && *slurm_conf.fed_params)
		return maui_err_set(err,
				    "FederationParameters is set: sched/maui does not schedule "
				    "for a federation");
	if (slurm_conf.preempt_mode & PREEMPT_MODE_GANG)
		return maui_err_set(err,
				    "PreemptMode has GANG: sched/maui plans each processor for "
				    "one job at a time");
	if (maui_compat_slurm_preempts())
		return maui_err_set(err,
				    "PreemptType=%s: under sched/maui preemption is Maui's "
				    "(QOS flags PREEMPTOR and PREEMPTEE in maui.cfg): set "
				    "preempt/none",
				    slurm_conf.preempt_type);
	return 0;
}

bool maui_sole_scheduler_is_reconfigure(void)
{
	return maui_compat_is_reconfigure();
}

void maui_sole_scheduler_claim(void)
{
	if (!claimed)
		forbidden = slurmctld_config.scheduling_disabled;
	if (!has_word(slurm_conf.sched_params, "defer")) {
		xstrfmtcat(slurm_conf.sched_params, "%sdefer",
			   slurm_conf.sched_params && *slurm_conf.sched_params ? "," : "");
		info("slurm-maui: sched/maui alone starts jobs: slurmctld's own scheduling is off, "
		     "SchedulerParameters gets defer");
	}
	slurmctld_config.scheduling_disabled = true;
	claimed = true;
}

void maui_sole_scheduler_release(void)
{
	if (claimed)
		slurmctld_config.scheduling_disabled = forbidden;
	claimed = forbidden = false;
}

bool maui_sole_scheduler_may_start(void)
{
	return !forbidden && !fed_mgr_fed_rec;
}
