/* SPDX-License-Identifier: GPL-2.0-or-later */
/* health.c - adds a cycle to the counters since slurmctld started */

#include "cycle/health.h"

#include <stddef.h>

const double maui_health_bounds_s[MAUI_HEALTH_BUCKETS] = {
	0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10, 30,
};

static void begin(struct maui_health *health, int64_t now_s)
{
	if (health->since_s == 0)
		health->since_s = now_s;
}

void maui_health_note(struct maui_health *health, const struct maui_health_cycle *cycle)
{
	uint64_t took_us = cycle->took_us > 0 ? (uint64_t)cycle->took_us : 0;
	unsigned bucket = 0;

	begin(health, cycle->began_s);
	while (bucket < MAUI_HEALTH_BUCKETS && (double)took_us > maui_health_bounds_s[bucket] * 1e6)
		bucket++;
	health->buckets[bucket]++;
	health->cycles++;
	health->plans += cycle->plans;
	health->started += cycle->started;
	health->backfilled += cycle->backfilled;
	health->refused += cycle->refused;
	health->preempted += cycle->preempted;
	health->took_us += took_us;
	health->plan_us += cycle->plan_us > 0 ? (uint64_t)cycle->plan_us : 0;
	if (took_us > health->longest_us)
		health->longest_us = took_us;
	for (int i = 0; i < MAUI_HEALTH_LOCKS; i++) {
		struct maui_health_holds *sum = &health->holds[i];

		sum->count += cycle->holds[i].count;
		sum->sum_us += cycle->holds[i].sum_us;
		if (cycle->holds[i].longest_us > sum->longest_us)
			sum->longest_us = cycle->holds[i].longest_us;
	}
	health->last = *cycle;
}

void maui_health_note_failure(struct maui_health *health, int64_t now_s)
{
	begin(health, now_s);
	health->failed++;
}

const char *maui_health_no_starts(const struct maui_health *health)
{
	if (health->starts)
		return NULL;
	if (health->guarded)
		return "slurmctld died twice inside a plan";
	if (health->forbidden)
		return "slurmctld may not schedule here (no_backup_scheduling, or a federation)";
	if (health->beside)
		return "another scheduler starts the jobs";
	return "SERVERMODE of maui.cfg is not NORMAL";
}
