/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank.c - computes a job's priority, fairshare included */

#include "plan/rank.h"

#include "policy/priority.h"

void maui_plan_rank(const struct maui_config *config, const struct maui_fs_table *usage,
		    const struct maui_totals *totals, struct maui_job *job,
		    struct maui_priority *ret)
{
	struct maui_priority_creds creds;

	maui_priority_resolve(config, job->cred, &creds);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		job->fs_delta[k] = maui_fs_table_delta(usage, config, (enum maui_cred_kind)k,
						       job->cred[k], creds.cred[k]);
	maui_priority_compute(config, totals, &creds, job, ret);
}
