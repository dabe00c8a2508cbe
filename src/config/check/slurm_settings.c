/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_settings.c - settings of slurm.conf that sched/maui refuses
 *
 * Rules: CMD-12, CMD-62.
 */

#include "config/check/slurm_settings.h"

#include <string.h>
#include <strings.h>

bool maui_slurm_list_has(const char *list, const char *word)
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

void maui_config_check_slurm(const struct maui_slurm_settings *settings, struct maui_diags *diags)
{
	if (maui_slurm_list_has(settings->scheduler_parameters, "defer_batch"))
		maui_diags_add(diags, MAUI_ERROR, NULL, 0, 0,
			       "SchedulerParameters has defer_batch, which lets slurmctld "
			       "start srun's jobs by itself: take it out");
	if (settings->federation_parameters && *settings->federation_parameters)
		maui_diags_add(diags, MAUI_ERROR, NULL, 0, 0,
			       "FederationParameters is set: sched/maui does not schedule "
			       "for a federation");
	if (settings->gang)
		maui_diags_add(diags, MAUI_ERROR, NULL, 0, 0,
			       "PreemptMode has GANG: sched/maui plans each processor for "
			       "one job at a time");
	if (settings->preempt_type && strcmp(settings->preempt_type, "preempt/none") != 0)
		maui_diags_add(diags, MAUI_ERROR, NULL, 0, 0,
			       "PreemptType=%s: under sched/maui preemption is Maui's "
			       "(QOS flags PREEMPTOR and PREEMPTEE in maui.cfg): set "
			       "preempt/none",
			       settings->preempt_type);
}
