/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fired_triggers.c - converts struct maui_trigger_track to struct maui_store_trigger and back */

#include "cycle/fired_triggers.h"

static int store_track(const struct maui_trigger_track *track, struct maui_arena *arena,
		       struct maui_store_trigger *ret)
{
	*ret = (struct maui_store_trigger){
		.period = { track->rsv, track->day },
		.made_s = track->made_s,
		.start_s = track->start_s,
		.end_s = track->end_s,
		.gone_s = track->gone_s,
		.done = track->done,
		.marks = maui_arena_alloc_list(arena, track->mark_count, sizeof(*ret->marks)),
		.mark_count = track->mark_count,
	};
	for (size_t i = 0; ret->marks && i < track->mark_count; i++)
		ret->marks[i] =
			(struct maui_store_mark){ track->marks[i].hash, track->marks[i].fired,
						  track->marks[i].idle_since_s };
	return ret->marks ? 0 : -1;
}

int maui_fired_triggers_to_store(const struct maui_trigger_tracks *tracks, struct maui_store *store)
{
	store->triggers =
		maui_arena_alloc_list(&store->arena, tracks->count, sizeof(*store->triggers));
	if (!store->triggers)
		return -1;
	for (; store->trigger_count < tracks->count; store->trigger_count++)
		if (store_track(&tracks->list[store->trigger_count], &store->arena,
				&store->triggers[store->trigger_count]))
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
