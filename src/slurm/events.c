/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - reads slurmctld's stamps and counters without a lock: each is one aligned word that
 * only grows
 */

#include "slurm/compat.h"

#include "slurm/events.h"

uint64_t maui_events_ends(void)
{
	return (uint64_t)__atomic_load_n(&slurmctld_diag_stats.jobs_completed, __ATOMIC_RELAXED) +
	       __atomic_load_n(&slurmctld_diag_stats.jobs_canceled, __ATOMIC_RELAXED) +
	       __atomic_load_n(&slurmctld_diag_stats.jobs_failed, __ATOMIC_RELAXED);
}

static void read_stamps(struct maui_events *ret)
{
	ret->jobs_s = __atomic_load_n(&last_job_update, __ATOMIC_RELAXED);
	ret->nodes_s = __atomic_load_n(&last_node_update, __ATOMIC_RELAXED);
	ret->parts_s = __atomic_load_n(&last_part_update, __ATOMIC_RELAXED);
	ret->resvs_s = __atomic_load_n(&last_resv_update, __ATOMIC_RELAXED);
	ret->conf_s = __atomic_load_n(&slurm_conf.last_update, __ATOMIC_RELAXED);
	ret->counts = maui_events_ends() +
		      __atomic_load_n(&slurmctld_diag_stats.jobs_submitted, __ATOMIC_RELAXED);
}

void maui_events_begin(struct maui_events *events)
{
	read_stamps(events);
}

void maui_events_note(struct maui_events *events, int64_t began_s, bool wrote)
{
	uint64_t counts = events->counts;

	read_stamps(events);
	events->counts = counts;
	events->doubt_s = 0;
	if (wrote || events->jobs_s >= began_s || events->nodes_s >= began_s ||
	    events->parts_s >= began_s || events->resvs_s >= began_s)
		events->doubt_s = time(NULL);
}

bool maui_events_any(const struct maui_events *events, int64_t now_s)
{
	struct maui_events now;

	read_stamps(&now);
	if (now.jobs_s != events->jobs_s || now.nodes_s != events->nodes_s ||
	    now.parts_s != events->parts_s || now.resvs_s != events->resvs_s ||
	    now.conf_s != events->conf_s || now.counts != events->counts)
		return true;
	return events->doubt_s && now_s != events->doubt_s;
}
