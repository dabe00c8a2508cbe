/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trigger.c - when the triggers of reservations fire (RSV-15)
 *
 * Each call brings the tracks up to the instances that exist, then fires what is due and drops the
 * tracks of instances that cannot come back.
 */

#include "reservation/triggers/trigger.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/calendar.h"
#include "base/hash.h"
#include "base/hashtable.h"

enum { AGAIN_S = 60 };

/* One call of maui_trigger_run(). */
struct run {
	struct maui_trigger_tracks *tracks;
	const struct maui_rsv *const *list;
	size_t count;
	int64_t now_s;
	struct maui_hashtable rsvs;   /* the list's elements, by name */
	struct maui_hashtable places; /* 1 + index of each track, by reservation and day */
	uint64_t *hashes;             /* of all triggers of the list */
	size_t *first_hash;           /* of each reservation */
	int32_t today, week;          /* YYYYMMDD; the Sunday on which the week begins */
	maui_trigger_fn fire;
	void *data;
};

/* ---- tables ---- */

static bool has_name(const void *value, const void *key)
{
	const struct maui_rsv *const *rsv = value;

	return strcmp((*rsv)->name, key) == 0;
}

/* 1 + the index of the first reservation of this name; 0: no such reservation. */
static size_t find_rsv(const struct run *run, const char *name)
{
	const struct maui_rsv *const *found =
		maui_hashtable_find(&run->rsvs, maui_hash_text(name, 0), has_name, name);

	return found ? (size_t)(found - run->list) + 1 : 0;
}

struct track_key {
	const struct run *run;
	const char *rsv;
	int32_t day;
};

static bool is_track(const void *value, const void *key)
{
	const struct track_key *k = key;
	const struct maui_trigger_track *track = &k->run->tracks->list[(uintptr_t)value - 1];

	return track->day == k->day && strcmp(track->rsv, k->rsv) == 0;
}

static uint64_t track_hash(const char *rsv, int32_t day)
{
	return maui_hash_mix(maui_hash_text(rsv, 0), (uint64_t)day);
}

static struct maui_trigger_track *find_track(const struct run *run, const char *rsv, int32_t day)
{
	const struct track_key key = { run, rsv, day };
	const void *found = maui_hashtable_find(&run->places, track_hash(rsv, day), is_track, &key);

	return found ? &run->tracks->list[(uintptr_t)found - 1] : NULL;
}

/* Enters the track of this index in the table. */
static int note_track(struct run *run, size_t index)
{
	const struct maui_trigger_track *track = &run->tracks->list[index];

	return maui_hashtable_add(&run->places, track_hash(track->rsv, track->day),
				  (void *)((uintptr_t)index + 1));
}

/* A hash of the trigger's text. The state file keeps it, so it must not depend on the numbers of an
 * enum. */
static uint64_t hash_trigger(const struct maui_trigger *trigger)
{
	double threshold = trigger->threshold > 0 ? trigger->threshold : 0; /* no -0 */
	uint64_t hash = maui_hash_text(maui_trigger_event_names[trigger->event], 0), bits;

	memcpy(&bits, &threshold, sizeof(bits));
	hash = maui_hash_mix(hash, (uint64_t)trigger->offset_s);
	hash = maui_hash_mix(hash, bits);
	hash = maui_hash_mix(hash, maui_hash_text(maui_trigger_action_names[trigger->action], 0));
	hash = maui_hash_mix(hash, maui_hash_text(trigger->data ? trigger->data : "", 0));
	return hash ? hash : 1;
}

static int make_forms(struct run *run)
{
	size_t total = 0;

	for (size_t i = 0; i < run->count; i++)
		total += run->list[i]->trigger_count;
	run->hashes = calloc(total + 1, sizeof(*run->hashes));
	run->first_hash = calloc(run->count + 1, sizeof(*run->first_hash));
	if (!run->hashes || !run->first_hash)
		return -1;
	total = 0;
	for (size_t i = 0; i < run->count; i++) {
		run->first_hash[i] = total;
		for (size_t t = 0; t < run->list[i]->trigger_count; t++)
			run->hashes[total++] = hash_trigger(&run->list[i]->triggers[t]);
	}
	return 0;
}

static int begin_run(struct run *run)
{
	struct maui_trigger_tracks *tracks = run->tracks;

	if (make_forms(run))
		return -1;
	for (size_t i = 0; i < run->count; i++)
		if (find_rsv(run, run->list[i]->name) == 0 &&
		    maui_hashtable_add(&run->rsvs, maui_hash_text(run->list[i]->name, 0),
				       (void *)&run->list[i]))
			return -1;
	for (size_t i = 0; i < tracks->count; i++) {
		tracks->list[i].seen = 0;
		if (note_track(run, i))
			return -1;
	}
	run->today = maui_calendar_date(maui_calendar_day(run->now_s));
	run->week = maui_calendar_date(maui_calendar_week(run->now_s));
	return 0;
}

static void finish_run(struct run *run)
{
	maui_hashtable_finish(&run->rsvs);
	maui_hashtable_finish(&run->places);
	free(run->hashes);
	free(run->first_hash);
}

/* ---- tracks ---- */

struct maui_trigger_track *maui_trigger_tracks_add(struct maui_trigger_tracks *tracks,
						   const char *rsv, int32_t day, size_t marks)
{
	struct maui_trigger_track *grown =
		maui_array_grow(tracks->list, tracks->count, &tracks->alloc, sizeof(*grown));
	struct maui_trigger_track track = { .day = day, .mark_count = marks };

	if (!grown)
		return NULL;
	tracks->list = grown;
	track.rsv = strdup(rsv);
	track.marks = calloc(marks + 1, sizeof(*track.marks));
	if (!track.rsv || !track.marks) {
		free(track.rsv);
		free(track.marks);
		return NULL;
	}
	grown[tracks->count] = track;
	return &grown[tracks->count++];
}

/* Gives each mark without a hash the hash of the trigger at its place. Returns whether all marks
 * are in the order of the triggers. */
static bool adopt_marks(struct maui_trigger_track *track, const uint64_t *hashes, size_t count)
{
	bool same = track->mark_count >= count;

	for (size_t i = 0; i < track->mark_count; i++) {
		struct maui_trigger_mark *mark = &track->marks[i];

		if (i < count && mark->hash == 0)
			mark->hash = hashes[i];
		same = same && (i < count ? mark->hash == hashes[i] : mark->hash != 0);
	}
	return same;
}

/* The mark of a trigger, first looked for at its own place; NULL: the trigger has no mark. */
static struct maui_trigger_mark *find_mark(const struct maui_trigger_track *track, size_t place,
					   uint64_t hash)
{
	if (place < track->mark_count && track->marks[place].hash == hash)
		return &track->marks[place];
	for (size_t i = 0; i < track->mark_count; i++)
		if (track->marks[i].hash == hash)
			return &track->marks[i];
	return NULL;
}

/* Arranges the marks in the order of the reservation's triggers and adds missing ones. */
static int align_marks(struct maui_trigger_track *track, const uint64_t *hashes, size_t count)
{
	struct maui_trigger_mark *made;
	size_t made_count = count;

	if (adopt_marks(track, hashes, count))
		return 0;
	made = calloc(count + track->mark_count, sizeof(*made));
	if (!made)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct maui_trigger_mark *mark = find_mark(track, i, hashes[i]);

		if (mark) {
			made[i] = *mark;
			*mark = (struct maui_trigger_mark){ 0 }; /* moved to the new list */
		}
		made[i].hash = hashes[i];
	}
	/* marks of fired triggers stay, so that a trigger that returns to maui.cfg does not fire
	 * again */
	for (size_t i = 0; i < track->mark_count; i++)
		if (track->marks[i].fired && track->marks[i].hash)
			made[made_count++] = track->marks[i];
	free(track->marks);
	track->marks = made;
	track->mark_count = made_count;
	return 0;
}

/* Records since when the load has been below each threshold. */
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

static void come_back(struct maui_trigger_track *track)
{
	track->gone_s = 0;
	track->done = false;
	for (size_t i = 0; i < track->mark_count; i++)
		track->marks[i].idle_since_s = 0;
}

static int note_look(struct run *run, const struct maui_trigger_look *look, size_t rsv)
{
	struct maui_trigger_track *track = find_track(run, look->rsv->name, look->day);

	if (!track) {
		track = maui_trigger_tracks_add(run->tracks, look->rsv->name, look->day, 0);
		if (!track || note_track(run, run->tracks->count - 1))
			return -1;
		track->made_s = run->now_s;
	}
	if (align_marks(track, &run->hashes[run->first_hash[rsv]], look->rsv->trigger_count))
		return -1;
	if (track->gone_s)
		come_back(track);
	track->seen = rsv + 1;
	track->start_s = look->start_s;
	track->end_s = look->end_s;
	note_load(track, look, run->now_s);
	return 0;
}

/* Brings the tracks up to date with the existing instances. */
static int note_looks(struct run *run, const struct maui_trigger_look *looks, size_t count)
{
	size_t rsv = 0; /* instances of one reservation follow each other */

	for (size_t i = 0; i < count; i++) {
		if (looks[i].rsv->trigger_count == 0)
			continue;
		if (rsv == 0 || run->list[rsv - 1] != looks[i].rsv)
			rsv = find_rsv(run, looks[i].rsv->name);
		if (rsv > 0 && note_look(run, &looks[i], rsv - 1))
			return -1;
	}
	for (size_t i = 0; i < run->tracks->count; i++) {
		struct maui_trigger_track *track = &run->tracks->list[i];

		if (!track->seen && track->gone_s == 0)
			track->gone_s = track->end_s < run->now_s ? track->end_s : run->now_s;
	}
	return 0;
}

/* ---- firing ---- */

/* When a trigger fires, as far as known now; MAUI_NEVER: not known, or never. */
static int64_t due_time(const struct maui_trigger_track *track, const struct maui_trigger *trigger,
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
		from = track->gone_s || mark->idle_since_s == 0 ? MAUI_NEVER : mark->idle_since_s;
	}
	return maui_when_add(from, trigger->offset_s);
}

/* Fires a trigger if it is due; else returns the next moment at which it may be. */
static int64_t run_trigger(const struct run *run, struct maui_trigger_track *track,
			   const struct maui_rsv *rsv, size_t place, struct maui_trigger_mark *mark)
{
	const struct maui_trigger *trigger = &rsv->triggers[place];
	int64_t when = due_time(track, trigger, mark);

	if (when > run->now_s)
		return when;
	/* an instance counts as ended only when it no longer exists */
	if (trigger->event == MAUI_TRIGGER_END && !track->gone_s)
		return run->now_s + 1;
	mark->fired = run->fire(run->data, rsv, track->day, trigger);
	return mark->fired ? MAUI_NEVER : run->now_s + AGAIN_S;
}

/* Fires the triggers of an instance. An instance that no longer exists fires those of its last
 * list. */
static int64_t run_track(const struct run *run, struct maui_trigger_track *track, size_t rsv)
{
	const uint64_t *hashes = &run->hashes[run->first_hash[rsv]];
	size_t count = run->list[rsv]->trigger_count;
	int64_t next = MAUI_NEVER;

	if (track->gone_s)
		adopt_marks(track, hashes, count);
	for (size_t i = 0; i < count; i++) {
		struct maui_trigger_mark *mark = find_mark(track, i, hashes[i]);
		int64_t when = mark && !mark->fired ?
				       run_trigger(run, track, run->list[rsv], i, mark) :
				       MAUI_NEVER;

		if (when < next)
			next = when;
	}
	return next;
}

/* Whether an instance that no longer exists cannot come back. */
static bool is_over(const struct run *run, const struct maui_trigger_track *track,
		    const struct maui_rsv *rsv)
{
	if (!rsv)
		return track->day == 0 || run->now_s - track->gone_s >= MAUI_WEEK_S;
	switch (rsv->period) {
	case MAUI_RSV_DAY:
		return track->day < run->today;
	case MAUI_RSV_WEEK:
		return track->day < run->week;
	case MAUI_RSV_ONCE:
		return rsv->end_s <= run->now_s;
	default:
		return false;
	}
}

/* Fires the due triggers of a track. *ret_keep: whether the track is still needed. */
static int64_t fire_track(const struct run *run, struct maui_trigger_track *track, bool *ret_keep)
{
	size_t rsv = track->seen ? track->seen : find_rsv(run, track->rsv);
	int64_t when = rsv > 0 && !track->done ? run_track(run, track, rsv - 1) : MAUI_NEVER;

	track->done = track->gone_s && when == MAUI_NEVER;
	*ret_keep = !track->gone_s || when != MAUI_NEVER ||
		    !is_over(run, track, rsv > 0 ? run->list[rsv - 1] : NULL);
	return when;
}

static void free_track(struct maui_trigger_track *track)
{
	free(track->rsv);
	free(track->marks);
}

static int64_t run_tracks(const struct run *run)
{
	struct maui_trigger_tracks *tracks = run->tracks;
	int64_t next = MAUI_NEVER;
	size_t left = 0;

	for (size_t i = 0; i < tracks->count; i++) {
		bool keep;
		int64_t when = fire_track(run, &tracks->list[i], &keep);

		if (when < next)
			next = when;
		if (keep)
			tracks->list[left++] = tracks->list[i];
		else
			free_track(&tracks->list[i]);
	}
	tracks->count = left;
	return next;
}

static bool is_needed(const struct maui_trigger_tracks *tracks, const struct maui_rsv *const *list,
		      size_t count)
{
	if (tracks->count > 0)
		return true;
	for (size_t i = 0; i < count; i++)
		if (list[i]->trigger_count > 0)
			return true;
	return false;
}

int64_t maui_trigger_run(struct maui_trigger_tracks *tracks, const struct maui_rsv *const *list,
			 size_t count, const struct maui_trigger_look *looks, size_t look_count,
			 int64_t now_s, maui_trigger_fn fire, void *data)
{
	struct run run = { .tracks = tracks,
			   .list = list,
			   .count = count,
			   .now_s = now_s,
			   .fire = fire,
			   .data = data };
	int64_t next = -1;

	if (!is_needed(tracks, list, count))
		return MAUI_NEVER;
	if (begin_run(&run) == 0 && note_looks(&run, looks, look_count) == 0)
		next = run_tracks(&run);
	finish_run(&run);
	return next;
}

bool maui_trigger_waits(const struct maui_trigger_tracks *tracks, const char *rsv)
{
	for (size_t i = 0; i < tracks->count; i++)
		if (tracks->list[i].day == 0 && strcmp(tracks->list[i].rsv, rsv) == 0)
			return true;
	return false;
}

void maui_trigger_tracks_finish(struct maui_trigger_tracks *tracks)
{
	for (size_t i = 0; i < tracks->count; i++)
		free_track(&tracks->list[i]);
	free(tracks->list);
	*tracks = (struct maui_trigger_tracks){ 0 };
}
