/* SPDX-License-Identifier: GPL-2.0-or-later */
/* health.h - how the scheduler itself does: durations of cycles, lock holds, starts
 *
 * In: what each cycle measured, the same numbers as its line in the log. Out: counters since
 * slurmctld started, and the last cycle. Plain data, copied as a whole; not saved.
 *
 * Rules: CMD-48.
 */
#ifndef MAUI_CYCLE_HEALTH_H
#define MAUI_CYCLE_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

enum { MAUI_HEALTH_BUCKETS = 11 };

/* Upper bounds of the buckets of cycle durations, ascending. */
extern const double maui_health_bounds_s[MAUI_HEALTH_BUCKETS];

enum maui_health_lock { MAUI_HEALTH_READ, MAUI_HEALTH_WRITE, MAUI_HEALTH_LOCKS };

/* Holds of slurmctld's locks by slurm-maui. */
struct maui_health_holds {
	uint64_t count, sum_us;
	uint32_t longest_us;
};

/* One cycle that succeeded. */
struct maui_health_cycle {
	int64_t began_s, took_us, plan_us;
	uint32_t plans; /* more than one when Slurm refused starts */
	uint32_t started, backfilled, refused, preempted; /* jobs */
	struct maui_health_holds holds[MAUI_HEALTH_LOCKS];
};

struct maui_health {
	int64_t since_s; /* the counters begin; 0: no cycle yet */
	uint64_t cycles, failed, plans;
	uint64_t started, backfilled, refused, preempted; /* jobs */
	uint64_t took_us, longest_us, plan_us;            /* of all cycles */
	/* cycles of at most so long, without those of the buckets before; the last: all longer */
	uint64_t buckets[MAUI_HEALTH_BUCKETS + 1];
	struct maui_health_holds holds[MAUI_HEALTH_LOCKS]; /* since since_s */
	struct maui_health_cycle last;
	/* set by the caller: */
	bool starts;    /* jobs are started; why they are not: */
	bool guarded;   /* the crash guard holds */
	bool forbidden; /* slurmctld may not schedule: no_backup_scheduling, a federation */
	bool beside;    /* another scheduler starts jobs, this one only plans */
};

void maui_health_note(struct maui_health *health, const struct maui_health_cycle *cycle);
void maui_health_note_failure(struct maui_health *health, int64_t now_s);

/* Why cycles start no job; NULL: they start jobs. */
const char *maui_health_no_starts(const struct maui_health *health);

#endif
