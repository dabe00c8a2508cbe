/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charge.c - charges the processors of running jobs to the fairshare windows */

#include "sim/charge.h"

#include <stdlib.h>

#include "base/need.h"
#include "policy/priority.h"

void maui_sim_charges_init(struct maui_sim_charges *charges, const struct maui_config *config,
			   struct maui_usage *usage, size_t count)
{
	*charges = (struct maui_sim_charges){ .config = config,
					      .usage = usage,
					      .polled_s = INT64_MIN / 2 };
	if (config->fs_policy.metric != MAUI_FS_NONE)
		charges->charged_until = maui_need_list(count, sizeof(*charges->charged_until));
}

void maui_sim_charges_finish(struct maui_sim_charges *charges)
{
	maui_fs_table_destroy(charges->table);
	free(charges->charged_until);
}

void maui_sim_charges_start(struct maui_sim_charges *charges, uint64_t job, int64_t now)
{
	if (charges->charged_until)
		charges->charged_until[job] = now;
}

void maui_sim_charges_end(struct maui_sim_charges *charges, const struct maui_snapshot *snapshot,
			  const struct maui_active *active, int64_t now)
{
	double rate = (double)active->procs;
	int64_t *until;

	if (!charges->charged_until)
		return;
	until = &charges->charged_until[active->id];
	if (charges->config->fs_policy.metric == MAUI_FS_DEDICATEDPES)
		rate = maui_priority_pe(&active->job, &snapshot->totals);
	if (maui_fairshare_charge(charges->usage, charges->config,
				  snapshot->creds[active->creds].cred, rate, *until, now))
		maui_out_of_memory();
	*until = now;
}

void maui_sim_charges_poll(struct maui_sim_charges *charges, const struct maui_snapshot *snapshot,
			   int64_t now)
{
	if (!charges->charged_until || now - charges->polled_s < charges->config->poll_interval_s)
		return;
	charges->polled_s = now;
	for (uint32_t a = 0; a < snapshot->active_count; a++)
		maui_sim_charges_end(charges, snapshot, &snapshot->active[a], now);
	maui_fairshare_expire(charges->usage, charges->config, now);
	maui_fs_table_destroy(charges->table);
	charges->table = maui_need(maui_fs_table_create(charges->usage, charges->config, now));
}
