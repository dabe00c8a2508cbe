/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock.c - the locks of a start
 *
 * With Slurm's own preemption (PreemptType), select_nodes() preempts other jobs whenever it finds
 * no idle nodes among those that a start leaves it. The plan decides which jobs go, after it
 * has looked at all nodes. (Jobs of reservations with MaxStartDelay still preempt at their start;
 * Slurm does not look at PreemptMode there.) So PreemptMode is OFF during a start; no other thread
 * sees that, because the configuration is locked for writing.
 *
 * Rules: PRE-10.
 */

#include "slurm/start/private.h"

static const slurmctld_lock_t with_preemption = {
	.conf = WRITE_LOCK,
	.job = WRITE_LOCK,
	.node = WRITE_LOCK,
	.part = READ_LOCK,
	.fed = READ_LOCK,
};

/* What these locks protect: whether PreemptMode is OFF for a start, and what it was. */
static bool turned_off;
static uint16_t preempt_mode;

void maui_start_lock(void)
{
	lock_slurmctld(maui_start_locks);
	if (slurm_conf.preempt_mode == PREEMPT_MODE_OFF)
		return;
	unlock_slurmctld(maui_start_locks);
	lock_slurmctld(with_preemption);
	turned_off = true;
	preempt_mode = slurm_conf.preempt_mode;
	slurm_conf.preempt_mode = PREEMPT_MODE_OFF;
}

void maui_start_unlock(void)
{
	if (!turned_off) {
		unlock_slurmctld(maui_start_locks);
		return;
	}
	slurm_conf.preempt_mode = preempt_mode;
	turned_off = false;
	unlock_slurmctld(with_preemption);
}
