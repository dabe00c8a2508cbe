/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trigger.h - when the triggers of reservations fire (Maui manual 7.1.5.2 TRIGGER; ruling m.10)
 *
 *   create   OFFSET after the instance was first made
 *   start    OFFSET after its start
 *   end      OFFSET after its end, or after it was removed before
 *   minload  its used processors have been less than THRESHOLD of its reserved ones for OFFSET,
 *            during its time
 *
 * Each fires once for each instance (our ruling); late, when nobody looked in time, but create,
 * start and minload only while the instance exists. A trigger is known by all that it says, at
 * whichever place of its reservation's list: one that is written otherwise is another, and fires
 * for instances that exist. Of several that say the same each fires.
 *
 * An instance that was released may come back, a SRCFG be out of maui.cfg for a while: what has
 * fired is known until the period is over, and for a week without the SRCFG; of PERIOD=INFINITY and
 * of administrative ones as long as there is the reservation.
 *
 * Owns: the rules. Does not own: the tracks, which their owner keeps and saves, and what is done.
 */
#ifndef MAUI_RESERVATION_TRIGGERS_TRIGGER_H
#define MAUI_RESERVATION_TRIGGERS_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/rsv.h"

/* One trigger of an instance. */
struct maui_trigger_mark {
	uint64_t form; /* a hash of what it says, the same in the next process; 0: that of the
			  trigger at its place (a state of an earlier release) */
	bool fired;
	int64_t idle_since_s; /* minload: the load has been below its threshold since; 0: it is
				 not */
};

/* One instance whose triggers are waited for, or have fired. */
struct maui_trigger_track {
	char *rsv; /* its reservation's name, and day: as struct maui_rsv_instance */
	int32_t day;
	int64_t made_s; /* first seen */
	int64_t start_s, end_s;
	int64_t gone_s;                  /* not there any more since then; 0: it exists */
	bool done;                       /* gone, and nothing is waited for; unless it comes back */
	struct maui_trigger_mark *marks; /* of the triggers in their order, then of fired ones
					    that are not there any more */
	size_t mark_count;
	size_t seen; /* in this look: 1 + its reservation's place in the list; 0: not */
};

struct maui_trigger_tracks {
	struct maui_trigger_track *list;
	size_t count, alloc;
};

/* An instance at this moment. */
struct maui_trigger_look {
	const struct maui_rsv *rsv;
	int32_t day;
	int64_t start_s, end_s;
	int64_t reserved_procs, used_procs;
};

/* Called for each that fires. What it does must not touch the tracks. False: not now; it is called
 * again by the next look at which the trigger may fire, and that is asked for within a minute. */
typedef bool (*maui_trigger_fn)(void *data, const struct maui_rsv *rsv, int32_t day,
				const struct maui_trigger *trigger);

/* Looks at the instances that exist at `now`. `list`: all reservations, also those without an
 * instance now. Of `looks` those of one reservation follow each other. Returns the next moment at
 * which one may fire; MAUI_NEVER: none is known. -1 without memory: nothing has fired. */
int64_t maui_trigger_run(struct maui_trigger_tracks *tracks, const struct maui_rsv *const *list,
			 size_t count, const struct maui_trigger_look *looks, size_t look_count,
			 int64_t now_s, maui_trigger_fn fire, void *data);

/* A track as it was kept; NULL without memory. Its marks are all 0. */
struct maui_trigger_track *maui_trigger_tracks_add(struct maui_trigger_tracks *tracks,
						   const char *rsv, int32_t day, size_t marks);
/* Whether a trigger of the administrative reservation is still waited for, or it has just gone. */
bool maui_trigger_waits(const struct maui_trigger_tracks *tracks, const char *rsv);

void maui_trigger_tracks_finish(struct maui_trigger_tracks *tracks); /* a zeroed struct is fine */

#endif
