/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charge.c - charges the processors of running jobs to the fairshare windows */

#include "sim/charge.h"

#include <stdlib.h>

#include "policy/priority.h"

int maui_sim_charges_init(struct maui_sim_charges *charges, const struct maui_config *config,
			  struct maui_usage *usage, size_t count)
{
	*charges = (struct maui_sim_charges){ .config = config,
					      .usage = usage,
					      .polled_s = INT64_MIN / 2 };
	if (config->fs_policy.metric == MAUI_FS_NONE)
		return 0;
	charges->charged_until = calloc(count + 1, sizeof(*charges->charged_until));
	return charges->charged_until ? 0 : -1;
}

void maui_sim_charges_finish(struct maui_sim_charges *charges)
{
	maui_fs_table_destroy(charges->table);
	free(charges->charged_until);
}

int maui_sim_charges_start(struct maui_sim_charges *charges, uint64_t job, int64_t now)
{
	if (charges->charged_until)
		charges->charged_until[job] = now;
	return 0;
}

int maui_sim_charges_end(struct maui_sim_charges *charges, const struct maui_snapshot *snapshot,
			 const struct maui_active *active, int64_t now)
{
	double rate = (double)active->procs;
	int64_t *until;

	if (!charges->charged_until)
		return 0;
	until = &charges->charged_until[active->id];
	if (charges->config->fs_policy.metric == MAUI_FS_DEDICATEDPES)
		rate = maui_priority_pe(&active->job, &snapshot->totals);
	if (maui_fairshare_charge(charges->usage, charges->config,
				  snapshot->creds[active->creds].cred, rate, *until, now))
		return -1;
	*until = now;
	return 0;
}

int maui_sim_charges_poll(struct maui_sim_charges *charges, const struct maui_snapshot *snapshot,
			  int64_t now)
{
	struct maui_fs_table *table;

	if (!charges->charged_until || now - charges->polled_s < charges->config->poll_interval_s)
		return 0;
	charges->polled_s = now;
	for (uint32_t a = 0; a < snapshot->active_count; a++)
		if (maui_sim_charges_end(charges, snapshot, &snapshot->active[a], now))
			return -1;
	maui_fairshare_expire(charges->usage, charges->config, now);
	table = maui_fs_table_create(charges->usage, charges->config, now);
	if (!table)
		return -1;
	maui_fs_table_destroy(charges->table);
	charges->table = table;
	return 0;
}
