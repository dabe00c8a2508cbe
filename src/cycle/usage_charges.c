/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_charges.c - charges running time that was not charged yet, as FSPOLICY counts it */

#include "cycle/usage_charges.h"

#include "policy/priority.h"

/* Processor-seconds, or PE-seconds, per second. Polling cannot measure UTILIZEDPS, so it is charged
 * like DEDICATEDPS (FS-2). */
static double rate(const struct maui_config *config, const struct maui_captured_job *captured,
		   const struct maui_totals *totals)
{
	const struct maui_job job = maui_captured_quantities(captured);

	if (config->fs_policy.metric == MAUI_FS_DEDICATEDPES)
		return maui_priority_pe(&job, totals);
	return captured->procs;
}

void maui_usage_charge_begin(struct maui_job_history *history,
			     const struct maui_captured_job *captured)
{
	history->run_s = captured->start_s;
	history->charged_s = captured->ran_s;
}

int maui_usage_charge_job(struct maui_usage *usage, const struct maui_config *config,
			  struct maui_job_history *history,
			  const struct maui_captured_job *captured, const char *const *cred,
			  unsigned known, const struct maui_totals *totals, bool first)
{
	int64_t new_s;

	if (captured->start_s == 0)
		return 0;
	if (history->run_s != captured->start_s) { /* its first run, or it was requeued */
		maui_usage_charge_begin(history, captured);
		if (!first)
			history->charged_s = 0;
	}
	/* The clock was set back, and the job has run in seconds that are charged already. Those after
	 * its resume are not. */
	if (captured->suspended && history->charged_s > captured->ran_s)
		history->charged_s = captured->ran_s;
	new_s = captured->ran_s - history->charged_s;
	if (new_s <= 0)
		return 0;
	history->charged_s = captured->ran_s;
	if (config->fs_policy.metric == MAUI_FS_NONE)
		return 0; /* not tracked; not charged later either, when tracking begins */
	return maui_fairshare_charge_known(usage, config, cred, known,
					   rate(config, captured, totals),
					   captured->until_s - new_s, captured->until_s);
}
