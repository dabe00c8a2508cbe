/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trigger.h - when the triggers of reservations fire (RSV-15; Maui manual 7.1.5.2)
 *
 *   create   OFFSET after the instance was first made
 *   start    OFFSET after its start
 *   end      OFFSET after its end, or after it was released before its end
 *   minload  when less than THRESHOLD of its reserved processors have been used for OFFSET, during
 *            its time
 *
 * A trigger fires once for each instance (our ruling): late if no cycle came in time, but create,
 * start and minload only while the instance exists. A trigger is known by a hash of its text, at
 * whichever place of the list: a trigger with another text is another one and fires for existing
 * instances. Of several with the same text each fires.
 *
 * A released instance may come back, and a SRCFG may be missing from maui.cfg for a while. So a
 * trigger that has fired is remembered until the end of its period, and for a week without its
 * SRCFG; with PERIOD=INFINITY, or of setres, as long as the reservation exists.
 *
 * In: tracks and the instances of now. Out: calls for the triggers that fire. The caller owns and
 * saves the tracks, and does what the trigger says.
 */
#ifndef MAUI_RESERVATION_TRIGGERS_TRIGGER_H
#define MAUI_RESERVATION_TRIGGERS_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/rsv.h"

/* The state of one trigger of an instance. */
struct maui_trigger_mark {
	/* hash of the trigger's text, the same in every process; 0 (state of an earlier
	 * release): the trigger at the same place */
	uint64_t hash;
	bool fired;
	/* minload: since when the load has been below the threshold; 0: the load is above */
	int64_t idle_since_s;
};

/* An instance with triggers that have fired or may still fire. */
struct maui_trigger_track {
	char *rsv; /* name of its reservation; with the day as in struct maui_rsv_instance */
	int32_t day;
	int64_t made_s; /* first seen */
	int64_t start_s, end_s;
	int64_t gone_s; /* since when the instance does not exist; 0: it exists */
	/* gone, and no trigger fires unless the instance comes back */
	bool done;
	/* in the order of the triggers, followed by fired triggers that are no longer on the
	 * list */
	struct maui_trigger_mark *marks;
	size_t mark_count;
	size_t seen; /* 1 + index of the reservation if this call has seen the instance; else 0 */
};

struct maui_trigger_tracks {
	struct maui_trigger_track *list;
	size_t count, alloc;
};

/* An existing instance and its load now. */
struct maui_trigger_look {
	const struct maui_rsv *rsv;
	int32_t day;
	int64_t start_s, end_s;
	int64_t reserved_procs, used_procs;
};

/* Called for each trigger that fires; must not touch the tracks. false: the trigger cannot run now
 * and is tried again in the next call, which is requested within a minute. */
typedef bool (*maui_trigger_fn)(void *data, const struct maui_rsv *rsv, int32_t day,
				const struct maui_trigger *trigger);

/* Fires the triggers that are due at `now`. `list`: all reservations, also those without an
 * instance now. `looks`: the existing instances; those of one reservation follow each other.
 * Returns the next moment at which a trigger may fire; MAUI_NEVER: none is known. -1 without
 * memory: no trigger has fired. */
int64_t maui_trigger_run(struct maui_trigger_tracks *tracks, const struct maui_rsv *const *list,
			 size_t count, const struct maui_trigger_look *looks, size_t look_count,
			 int64_t now_s, maui_trigger_fn fire, void *data);

/* Adds a track from the saved state; NULL without memory. Its marks are all 0. */
struct maui_trigger_track *maui_trigger_tracks_add(struct maui_trigger_tracks *tracks,
						   const char *rsv, int32_t day, size_t marks);
/* Whether the administrative reservation has a track, because a trigger may still fire or the
 * reservation has just ended. */
bool maui_trigger_waits(const struct maui_trigger_tracks *tracks, const char *rsv);

void maui_trigger_tracks_finish(struct maui_trigger_tracks *tracks); /* a zeroed struct is fine */

#endif
