/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_settings.c - settings of slurm.conf that sched/maui refuses
 *
 * Rules: CMD-12, CMD-62.
 */

#include "config/check/slurm_settings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/words.h"

bool maui_slurm_is_slurmdbd(const char *storage_type)
{
	return storage_type && strcasecmp(storage_type, "accounting_storage/slurmdbd") == 0;
}

int64_t maui_slurm_min_job_age(const char *value)
{
	enum { SLURMS_DEFAULT_S = 300 };

	return value ? strtoll(value, NULL, 10) : SLURMS_DEFAULT_S;
}

static bool is_known_preemption(const char *type)
{
	return !type || strcmp(type, "preempt/none") == 0 || strcmp(type, "preempt/qos") == 0 ||
	       strcmp(type, "preempt/partition_prio") == 0;
}

void maui_config_check_slurm(const struct maui_slurm_settings *settings, struct maui_diags *diags)
{
	if (maui_list_has_any_case(settings->scheduler_parameters, "defer_batch"))
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
	if (!is_known_preemption(settings->preempt_type))
		maui_diags_add(diags, MAUI_ERROR, NULL, 0, 0,
			       "PreemptType=%s: sched/maui knows preempt/qos and "
			       "preempt/partition_prio",
			       settings->preempt_type);
}
