/* SPDX-License-Identifier: GPL-2.0-or-later */
/* features.c - how slurm-maui treats preemption, het jobs, GPUs and the usage of associations
 *
 * Rules: CMD-66.
 */

#include <strings.h>

#include "cmd/preflight/preflight.h"
#include "config/check/slurm_settings.h"
#include "config/config.h"

static void add_conflict(const struct maui_slurm_conflict *conflict, void *context)
{
	maui_preflight_add(context, MAUI_CHECK_WARNING, conflict->subject, "%s", conflict->text);
}

/* What PreemptType says, where maui.cfg does not contradict it. */
static void add_preemption(struct maui_preflight *p, const struct maui_config *config)
{
	const char *type = p->values[MAUI_KEY_PREEMPT_TYPE];

	if (type && strcasecmp(type, "preempt/none") != 0 && !maui_config_preempts(config))
		maui_preflight_add(p, MAUI_CHECK_OK, "preemption",
				   "PreemptType=%s says which jobs may preempt which", type);
}

static void add_het_jobs(struct maui_preflight *p, const struct maui_config *config)
{
	if (config->het_jobs || config->multi_requests)
		maui_preflight_add(p, MAUI_CHECK_OK, "het jobs",
				   "they are accepted, once slurmctld has started with HETJOBS ON");
	else
		maui_preflight_add(
			p, MAUI_CHECK_OK, "het jobs",
			"slurmctld will refuse them: HETJOBS ON in maui.cfg accepts them");
}

static void add_usage(struct maui_preflight *p, const struct maui_slurm_settings *settings)
{
	if (settings->slurmdbd)
		maui_preflight_add(p, MAUI_CHECK_OK, "usage",
				   "usage of associations and QOS goes on from where "
				   "priority/multifactor stopped");
}

void maui_preflight_features(struct maui_preflight *p, const struct maui_config *config)
{
	struct maui_slurm_settings settings = maui_preflight_slurm_settings(p);

	if (settings.schedules) {
		add_preemption(p, config);
		add_het_jobs(p, config);
	}
	maui_config_each_conflict(config, &settings, add_conflict, p);
	if (settings.ranks)
		add_usage(p, &settings);
}
