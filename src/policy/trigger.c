/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trigger.c - one track an instance, looked at each time */

#include "policy/trigger.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { AGAIN_S = 60 };

static struct maui_trigger_track *find(const struct maui_trigger_tracks *tracks, const char *rsv,
				       int32_t day)
{
	for (size_t i = 0; i < tracks->count; i++)
		if (tracks->list[i].day == day && strcmp(tracks->list[i].rsv, rsv) == 0)
			return &tracks->list[i];
	return NULL;
}

/* A mark for each trigger there is now. */
static int make_marks(struct maui_trigger_track *track, size_t count)
{
	struct maui_trigger_mark *grown;

	if (track->mark_count >= count)
		return 0;
	grown = reallocarray(track->marks, count, sizeof(*grown));
	if (!grown)
		return -1;
	memset(grown + track->mark_count, 0, (count - track->mark_count) * sizeof(*grown));
	track->marks = grown;
	track->mark_count = count;
	return 0;
}

struct maui_trigger_track *maui_trigger_tracks_add(struct maui_trigger_tracks *tracks,
						   const char *rsv, int32_t day, size_t marks)
{
	struct maui_trigger_track *grown =
		maui_array_grow(tracks->list, tracks->count, &tracks->alloc, sizeof(*grown));
	struct maui_trigger_track track = { .day = day };

	if (!grown)
		return NULL;
	tracks->list = grown;
	track.rsv = strdup(rsv);
	if (!track.rsv || make_marks(&track, marks)) {
		free(track.rsv);
		return NULL;
	}
	grown[tracks->count] = track;
	return &grown[tracks->count++];
}

/* Since when the reservation has been used less than thresholds want. */
static void note_load(struct maui_trigger_track *track, const struct maui_trigger_look *look,
		      int64_t now_s)
{
	for (size_t i = 0; i < look->rsv->trigger_count; i++) {
		double threshold = look->rsv->triggers[i].threshold;
		struct maui_trigger_mark *mark = &track->marks[i];

		if (now_s < look->start_s || look->reserved_procs <= 0 ||
		    (double)look->used_procs >= threshold * (double)look->reserved_procs)
			mark->idle_since_s = 0;
		else if (mark->idle_since_s == 0 || mark->idle_since_s > now_s)
			mark->idle_since_s = now_s;
	}
}

static int note_look(struct maui_trigger_tracks *tracks, const struct maui_trigger_look *look,
		     int64_t now_s)
{
	struct maui_trigger_track *track = find(tracks, look->rsv->name, look->day);

	if (!track) {
		track = maui_trigger_tracks_add(tracks, look->rsv->name, look->day,
						look->rsv->trigger_count);
		if (track)
			track->made_s = now_s;
	}
	if (!track || make_marks(track, look->rsv->trigger_count))
		return -1;
	track->seen = true;
	track->gone_s = 0;
	track->start_s = look->start_s;
	track->end_s = look->end_s;
	note_load(track, look, now_s);
	return 0;
}

/* Brings the tracks up to what exists. */
static int note_looks(struct maui_trigger_tracks *tracks, const struct maui_trigger_look *looks,
		      size_t count, int64_t now_s)
{
	for (size_t i = 0; i < tracks->count; i++)
		tracks->list[i].seen = false;
	for (size_t i = 0; i < count; i++)
		if (looks[i].rsv->trigger_count > 0 && note_look(tracks, &looks[i], now_s))
			return -1;
	for (size_t i = 0; i < tracks->count; i++) {
		struct maui_trigger_track *track = &tracks->list[i];

		if (!track->seen && track->gone_s == 0)
			track->gone_s = track->end_s < now_s ? track->end_s : now_s;
	}
	return 0;
}

/* When it fires, by what is known now; MAUI_NEVER: unknown, or never again. */
static int64_t due(const struct maui_trigger_track *track, const struct maui_trigger *trigger,
		   const struct maui_trigger_mark *mark)
{
	int64_t from;

	switch (trigger->event) {
	case MAUI_TRIGGER_CREATE:
		from = track->gone_s ? MAUI_NEVER : track->made_s;
		break;
	case MAUI_TRIGGER_START:
		from = track->gone_s ? MAUI_NEVER : track->start_s;
		break;
	case MAUI_TRIGGER_END:
		from = track->gone_s ? track->gone_s : track->end_s;
		break;
	default:
		from = track->gone_s || mark->idle_since_s == 0 ? MAUI_NEVER :
								  mark->idle_since_s;
	}
	return maui_when_add(from, trigger->offset_s);
}

/* The instance's triggers; the next moment at which one of them may fire. */
static int64_t run_track(struct maui_trigger_track *track, const struct maui_rsv *rsv,
			 int64_t now_s, maui_trigger_fn fire, void *data)
{
	size_t count = rsv->trigger_count < track->mark_count ? rsv->trigger_count :
								track->mark_count;
	int64_t next = MAUI_NEVER;

	for (size_t i = 0; i < count; i++) {
		const struct maui_trigger *trigger = &rsv->triggers[i];
		struct maui_trigger_mark *mark = &track->marks[i];
		int64_t when = due(track, trigger, mark);

		if (mark->fired)
			continue;
		/* an end is known to have come only when the instance has gone */
		if (when <= now_s && (trigger->event != MAUI_TRIGGER_END || track->gone_s)) {
			mark->fired = fire(data, rsv, track->day, trigger);
			when = mark->fired ? MAUI_NEVER : now_s + AGAIN_S;
		} else if (when <= now_s) {
			when = now_s + 1;
		}
		if (when < next)
			next = when;
	}
	return next;
}

static const struct maui_rsv *find_rsv(const struct maui_rsv *const *list, size_t count,
				       const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i]->name, name) == 0)
			return list[i];
	return NULL;
}

static void forget(struct maui_trigger_tracks *tracks, size_t index)
{
	free(tracks->list[index].rsv);
	free(tracks->list[index].marks);
	tracks->list[index] = tracks->list[--tracks->count];
}

int64_t maui_trigger_run(struct maui_trigger_tracks *tracks, const struct maui_rsv *const *list,
			 size_t count, const struct maui_trigger_look *looks, size_t look_count,
			 int64_t now_s, maui_trigger_fn fire, void *data)
{
	int64_t next = MAUI_NEVER;

	if (note_looks(tracks, looks, look_count, now_s))
		return -1;
	for (size_t i = 0; i < tracks->count;) {
		const struct maui_rsv *rsv = find_rsv(list, count, tracks->list[i].rsv);
		int64_t when = rsv ? run_track(&tracks->list[i], rsv, now_s, fire, data) :
				     MAUI_NEVER;

		if (when < next)
			next = when;
		if (!rsv || (tracks->list[i].gone_s && when == MAUI_NEVER))
			forget(tracks, i);
		else
			i++;
	}
	return next;
}

bool maui_trigger_waits(const struct maui_trigger_tracks *tracks, const char *rsv)
{
	for (size_t i = 0; i < tracks->count; i++)
		if (strcmp(tracks->list[i].rsv, rsv) == 0)
			return true;
	return false;
}

void maui_trigger_tracks_finish(struct maui_trigger_tracks *tracks)
{
	while (tracks->count > 0)
		forget(tracks, tracks->count - 1);
	free(tracks->list);
	*tracks = (struct maui_trigger_tracks){ 0 };
}
