/* SPDX-License-Identifier: GPL-2.0-or-later */
/* round.c - the agent's rounds and the end of slurmctld */

#include "slurm/compat.h"

#include "slurm/round.h"

bool maui_slurmctld_is_ending(void)
{
	return slurmctld_config.shutdown_time != 0;
}

bool maui_round_begin(bool schedules)
{
	bool begins;

	/* slurmctld sets the time of its end first and looks at bf_active then, under this lock,
	 * under which it takes locks of its own */
	slurm_mutex_lock(&check_bf_running_lock);
	begins = !maui_slurmctld_is_ending();
	if (begins && schedules)
		slurmctld_diag_stats.bf_active = 1;
	slurm_mutex_unlock(&check_bf_running_lock);
	return begins;
}

void maui_round_end(bool schedules)
{
	if (!schedules)
		return;
	slurm_mutex_lock(&check_bf_running_lock);
	slurmctld_diag_stats.bf_active = 0;
	maui_compat_tell_inactive();
	slurm_mutex_unlock(&check_bf_running_lock);
}
