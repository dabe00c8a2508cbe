/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_charges.c - running time not charged yet, times what FSPOLICY counts */

#include "controller/usage_charges.h"

#include "policy/priority.h"

/* Proc-seconds a second, or PE-seconds. UTILIZEDPS cannot be seen by polling: charged like
 * DEDICATEDPS (m.2). */
static double rate(const struct maui_config *config, const struct maui_seen_job *seen,
		   const struct maui_totals *totals)
{
	struct maui_job job = { .procs = seen->procs,
				.mem_mb = seen->mem_mb,
				.disk_mb = seen->disk_mb };

	if (config->fs_policy.metric == MAUI_FS_DEDICATEDPES)
		return maui_priority_pe(&job, totals);
	return seen->procs;
}

void maui_ledger_begin(struct maui_track *track, const struct maui_seen_job *seen)
{
	track->run_s = seen->start_s;
	track->charged_s = seen->ran_s;
}

int maui_ledger_charge(struct maui_usage *usage, const struct maui_config *config,
		       struct maui_track *track, const struct maui_seen_job *seen,
		       const char *const *cred, const struct maui_totals *totals, bool first)
{
	int64_t new_s;

	if (seen->start_s == 0)
		return 0;
	if (track->run_s != seen->start_s) { /* its first run, or it was requeued */
		maui_ledger_begin(track, seen);
		if (!first)
			track->charged_s = 0;
	}
	new_s = seen->ran_s - track->charged_s;
	if (new_s <= 0)
		return 0;
	track->charged_s = seen->ran_s;
	if (config->fs_policy.metric == MAUI_FS_NONE)
		return 0; /* not tracked, and not charged later when tracking begins */
	return maui_fairshare_charge(usage, config, cred, rate(config, seen, totals),
				     seen->until_s - new_s, seen->until_s);
}
