/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fired_triggers.c - converts struct maui_trigger_track to struct maui_store_trigger and back */

#include "cycle/fired_triggers.h"

#include <stdlib.h>

static int store_track(const struct maui_trigger_track *track, struct maui_store *store)
{
	struct maui_store_mark *marks = calloc(track->mark_count + 1, sizeof(*marks));
	struct maui_store_trigger trigger = { .period = { track->rsv, track->day },
					      .made_s = track->made_s,
					      .start_s = track->start_s,
					      .end_s = track->end_s,
					      .gone_s = track->gone_s,
					      .done = track->done,
					      .marks = marks,
					      .mark_count = track->mark_count };
	int rc;

	if (!marks)
		return -1;
	for (size_t i = 0; i < track->mark_count; i++)
		marks[i] = (struct maui_store_mark){ track->marks[i].hash, track->marks[i].fired,
						     track->marks[i].idle_since_s };
	rc = maui_store_add_trigger(store, &trigger);
	free(marks);
	return rc;
}

int maui_fired_triggers_to_store(const struct maui_trigger_tracks *tracks, struct maui_store *store)
{
	for (size_t i = 0; i < tracks->count; i++)
		if (store_track(&tracks->list[i], store))
			return -1;
	return 0;
}

static int load_track(struct maui_trigger_tracks *tracks, const struct maui_store_trigger *from)
{
	struct maui_trigger_track *track = maui_trigger_tracks_add(
		tracks, from->period.rsv, from->period.day, from->mark_count);

	if (!track)
		return -1;
	track->made_s = from->made_s;
	track->start_s = from->start_s;
	track->end_s = from->end_s;
	track->gone_s = from->gone_s;
	track->done = from->done;
	for (size_t i = 0; i < from->mark_count; i++)
		track->marks[i] =
			(struct maui_trigger_mark){ from->marks[i].hash, from->marks[i].fired,
						    from->marks[i].idle_since_s };
	return 0;
}

int maui_fired_triggers_from_store(struct maui_trigger_tracks *tracks,
				   const struct maui_store *store)
{
	for (size_t i = 0; i < store->trigger_count; i++)
		if (load_track(tracks, &store->triggers[i]))
			return -1;
	return 0;
}
