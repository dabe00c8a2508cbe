/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.h - whether anything has happened in slurmctld that a plan should know
 *
 * slurmctld does not notify a scheduler plugin. It stamps its tables with whole seconds, and
 * counts jobs for sdiag. slurm-maui reads both without a lock every 50 ms. A counter shows a
 * change at once. A stamp of the second of our last look may hide a later change, so one more look
 * follows when that second is over. Where that look finds nothing and its cycle writes again, as
 * about a start that Slurm refuses in each, the next look waits twice as long.
 */
#ifndef MAUI_SLURM_EVENTS_H
#define MAUI_SLURM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct maui_events {
	int64_t jobs_s, nodes_s, parts_s, resvs_s, conf_s; /* stamps of the tables */
	uint64_t counts; /* jobs submitted, ended, cancelled, failed */
	int64_t doubt_s; /* the second in which our own write may hide another change; 0: none */
	/* cycles in a row for which there was no other cause than such a doubt */
	unsigned doubts;
};

/* Call before a cycle copies anything: the copy may miss later changes. */
void maui_events_begin(struct maui_events *events);

/* Notes stamps and counters at the end of a cycle that began in second `began_s`. `wrote`: the
 * cycle changed records itself, so a stamp that moved meanwhile says nothing. */
void maui_events_note(struct maui_events *events, int64_t began_s, bool wrote);

/* Whether a stamp or a counter has changed since. */
bool maui_events_any(const struct maui_events *events, int64_t now_s);

/* How many jobs have ended. When the number grows, resources may be free. */
uint64_t maui_events_ends(void);

#endif
