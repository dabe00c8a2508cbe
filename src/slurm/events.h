/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.h - has anything happened in slurmctld that a plan should know?
 *
 * slurmctld tells a scheduler plugin nothing; it stamps its tables with whole seconds and counts
 * jobs for sdiag. Both are read without a lock, every few dozen milliseconds: the counters tell at
 * once, a stamp that is as old as our own last look may hide something, so one more look follows
 * when its second is over.
 */
#ifndef MAUI_SLURM_EVENTS_H
#define MAUI_SLURM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct maui_events {
	int64_t jobs_s, nodes_s, parts_s, resvs_s, conf_s; /* stamps of the tables */
	uint64_t counts; /* jobs submitted, ended, cancelled, failed */
	int64_t doubt_s; /* the second in which our own writing may hide others'; 0: no doubt */
};

/* Before an iteration copies anything: what happens from now on it may not see. */
void maui_events_begin(struct maui_events *events);

/* Notes how things stand at the end of an iteration that began in second `began_s`. `wrote`: it
 * changed records itself, so stamps that moved meanwhile tell nothing. */
void maui_events_note(struct maui_events *events, int64_t began_s, bool wrote);

/* Whether something happened since. */
bool maui_events_any(const struct maui_events *events, int64_t now_s);

/* How many jobs have ended: where this is another number there may be room. */
uint64_t maui_events_ends(void);

#endif
