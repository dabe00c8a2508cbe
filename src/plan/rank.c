/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank.c - fairshare values into the job, then its priority */

#include "plan/rank.h"

#include "policy/priority.h"

/* Only credentials with a target are looked up: most have none. */
static double delta(const struct maui_config *config, const struct maui_fs_table *usage,
		    enum maui_cred_kind kind, const char *name,
		    const struct maui_cred_config *cred)
{
	if (!name || cred->fstarget.kind == MAUI_FS_TARGET_NONE)
		return 0;
	return maui_fairshare_delta(config, cred->fstarget,
				    maui_fs_table_percent(usage, kind, name));
}

void maui_plan_rank(const struct maui_config *config, const struct maui_fs_table *usage,
		    const struct maui_totals *totals, struct maui_job *job,
		    struct maui_priority *ret)
{
	bool delivered = maui_fs_table_total(usage) > 0; /* d.5: else everybody's value is 0 */
	struct maui_priority_creds creds;

	maui_priority_resolve(config, job->cred, &creds);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		job->fs_delta[k] = delivered ? delta(config, usage, (enum maui_cred_kind)k,
						     job->cred[k], creds.cred[k]) : 0;
	maui_priority_compute(config, totals, &creds, job, ret);
}
