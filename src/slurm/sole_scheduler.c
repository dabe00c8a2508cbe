/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sole_scheduler.c - defer and scheduling_disabled */

#include "slurm/compat.h"

#include "slurm/sole_scheduler.h"

#include <stdatomic.h>

#include "base/words.h"
#include "config/check/slurm_settings.h"

#include "src/slurmctld/fed_mgr.h"

/* scheduling_disabled as it was before we set it. The agent reads it while a reconfigure writes. */
static atomic_bool claimed, forbidden;

void maui_sole_scheduler_check(struct maui_diags *diags)
{
	const struct maui_slurm_settings settings = {
		.scheduler_parameters = slurm_conf.sched_params,
		.federation_parameters = slurm_conf.fed_params,
		.preempt_type = maui_compat_slurm_preempts() ? slurm_conf.preempt_type : NULL,
		.gang = slurm_conf.preempt_mode & PREEMPT_MODE_GANG,
	};

	maui_config_check_slurm(&settings, diags);
}

bool maui_sole_scheduler_is_reconfigure(void)
{
	return maui_compat_is_reconfigure();
}

void maui_sole_scheduler_claim(void)
{
	if (!claimed)
		forbidden = slurmctld_config.scheduling_disabled;
	if (!maui_list_has_any_case(slurm_conf.sched_params, "defer")) {
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
	return !forbidden && !__atomic_load_n(&fed_mgr_fed_rec, __ATOMIC_RELAXED);
}
