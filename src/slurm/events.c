/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - reads slurmctld's stamps and counters without a lock: each is one aligned word that
 * only grows
 */

#include "slurm/compat.h"

#include "slurm/events.h"

enum { DOUBLINGS_MAX = 5 }; /* half a minute */

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

static bool differ(const struct maui_events *a, const struct maui_events *b)
{
	return a->jobs_s != b->jobs_s || a->nodes_s != b->nodes_s || a->parts_s != b->parts_s ||
	       a->resvs_s != b->resvs_s || a->conf_s != b->conf_s || a->counts != b->counts;
}

void maui_events_begin(struct maui_events *events)
{
	struct maui_events before = *events;

	read_stamps(events);
	events->doubts = events->doubt_s && !differ(&before, events) ? before.doubts + 1 : 0;
}

/* Whether a change in this second may be hidden by the stamp. A stamp that lies ahead, because the
 * clock was set back, hides none: each change sets it. */
static bool hides_changes(int64_t stamp_s, int64_t began_s, int64_t now_s)
{
	return stamp_s >= began_s && stamp_s <= now_s;
}

void maui_events_note(struct maui_events *events, int64_t began_s, bool wrote)
{
	uint64_t counts = events->counts;
	int64_t now_s = time(NULL);

	read_stamps(events);
	events->counts = counts;
	events->doubt_s = 0;
	if (wrote || hides_changes(events->jobs_s, began_s, now_s) ||
	    hides_changes(events->nodes_s, began_s, now_s) ||
	    hides_changes(events->parts_s, began_s, now_s) ||
	    hides_changes(events->resvs_s, began_s, now_s))
		events->doubt_s = now_s;
}

/* Ones that follow one another wait longer and longer. */
static int64_t doubt_lasts_s(const struct maui_events *events)
{
	return INT64_C(1) << (events->doubts < DOUBLINGS_MAX ? events->doubts : DOUBLINGS_MAX);
}

bool maui_events_any(const struct maui_events *events, int64_t now_s)
{
	struct maui_events now;

	read_stamps(&now);
	if (differ(&now, events))
		return true;
	return events->doubt_s &&
	       (now_s < events->doubt_s || now_s >= events->doubt_s + doubt_lasts_s(events));
}
