/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracks.c - a record a job, by job id */

#include "controller/tracks.h"

#include <stdlib.h>
#include <string.h>

static void destroy(struct maui_track *track)
{
	free(track->qos);
	free(track->advres);
	free(track->rows);
	free(track);
}

static bool destroy_each(uint32_t id, void *value, void *arg)
{
	(void)id, (void)arg;
	destroy(value);
	return false;
}

void maui_tracks_finish(struct maui_tracks *tracks)
{
	maui_idmap_sweep(&tracks->map, destroy_each, NULL);
	maui_idmap_finish(&tracks->map);
}

struct maui_track *maui_tracks_find(const struct maui_tracks *tracks, uint32_t job_id)
{
	return maui_idmap_get(&tracks->map, job_id);
}

/* A new job under this id: nothing of the old one holds. */
static void reset(struct maui_tracks *tracks, struct maui_track *track,
		  const struct maui_track_key *key)
{
	const struct maui_track *array = NULL;
	char *qos = key->restarted ? track->qos : NULL;
	char *advres = key->restarted ? track->advres : NULL;

	if (!key->restarted) {
		free(track->qos);
		free(track->advres);
	}
	free(track->rows);
	*track = (struct maui_track){ .job_id = key->job_id,
				      .submit_s = key->submit_s,
				      .stamp_s = key->submit_s,
				      .accrued_s = key->submit_s,
				      .version = track->version,
				      .qos = qos,
				      .advres = advres };
	if (track->accrued_s <
	    tracks->restored_s) /* its stamp was right then, and not worth saving */
		track->accrued_s = tracks->restored_s;
	if (key->array_job_id && key->array_job_id != key->job_id)
		array = maui_tracks_find(tracks, key->array_job_id);
	if (array && array->submit_s == key->submit_s) {
		track->stamp_s = array->stamp_s;
		track->accrued_s = array->accrued_s;
		track->trial = array->trial;
		maui_track_set_qos(track, array->qos);
		maui_track_set_advres(track, array->advres);
	}
}

struct maui_track *maui_tracks_get(struct maui_tracks *tracks, const struct maui_track_key *key,
				   int64_t now_s)
{
	struct maui_track *track = maui_tracks_find(tracks, key->job_id);

	if (track && track->submit_s == key->submit_s) {
		track->seen_s = now_s;
		return track;
	}
	if (!track) {
		track = calloc(1, sizeof(*track));
		if (!track)
			return NULL;
		if (maui_idmap_set(&tracks->map, key->job_id, track)) {
			free(track);
			return NULL;
		}
	}
	reset(tracks, track, key);
	track->seen_s = now_s;
	return track;
}

int maui_track_publish(struct maui_track *track, const struct maui_track_row *rows, size_t count)
{
	struct maui_track_row *copy = track->rows;

	if (count == 0) {
		free(track->rows);
		track->rows = NULL;
		track->row_count = 0;
		return 0;
	}
	if (track->row_count != count) {
		copy = realloc(track->rows, count * sizeof(*copy));
		if (!copy)
			return -1;
		track->rows = copy;
		track->row_count = count;
	}
	memcpy(copy, rows, count * sizeof(*copy));
	return 0;
}

void maui_track_set_qos(struct maui_track *track, const char *qos)
{
	char *copy;

	if (!qos || (track->qos && strcmp(track->qos, qos) == 0))
		return;
	copy = strdup(qos);
	if (!copy)
		return;
	free(track->qos);
	track->qos = copy;
}

void maui_track_set_advres(struct maui_track *track, const char *advres)
{
	char *copy = NULL;

	if (!advres || (track->advres && strcmp(track->advres, advres) == 0))
		return;
	if (*advres && !(copy = strdup(advres)))
		return;
	free(track->advres);
	track->advres = copy;
}

void maui_track_set_asks(struct maui_track *track, uint64_t fingerprint)
{
	if (track->asks != 0 && track->asks != fingerprint) {
		maui_defer_forget(&track->defer);
		track->retry_s = 0;
		track->busy = 0;
	}
	track->asks = fingerprint;
}

static bool seen_since(uint32_t id, void *value, void *arg)
{
	struct maui_track *track = value;

	(void)id;
	if (track->seen_s >= *(const int64_t *)arg)
		return true;
	destroy(track);
	return false;
}

void maui_tracks_expire(struct maui_tracks *tracks, int64_t before_s)
{
	maui_idmap_sweep(&tracks->map, seen_since, &before_s);
}

static uint32_t flags_of(const struct maui_track *t)
{
	return (t->soft_violation ? MAUI_STORE_SOFT_VIOLATION : 0u) |
	       (t->preemptible ? MAUI_STORE_PREEMPTIBLE : 0u) |
	       (t->suspended_by_us ? MAUI_STORE_SUSPENDED : 0u);
}

static bool is_plain(const struct maui_track *t)
{
	return t->stamp_s == t->submit_s && !t->qos && !t->advres && !t->run_s && !t->bypass &&
	       !flags_of(t) && !t->asked_tasks && !t->defer.refusals && !t->defer.deferrals &&
	       !t->defer.until_s;
}

int maui_tracks_to_store(const struct maui_tracks *tracks, struct maui_store *store)
{
	for (size_t i = 0; i < tracks->map.slot_count; i++) {
		const struct maui_track *t = tracks->map.slots[i].value;
		struct maui_store_job job;

		if (!t || is_plain(t))
			continue;
		job = (struct maui_store_job){ .job_id = t->job_id,
					       .submit_s = t->submit_s,
					       .stamp_s = t->stamp_s,
					       .start_s = t->run_s,
					       .charged_s = t->charged_s,
					       .qos = t->qos,
					       .advres = t->advres,
					       .bypass = t->bypass,
					       .flags = flags_of(t),
					       .asked_tasks = t->asked_tasks,
					       .asked_procs = t->asked_procs,
					       .refusals = t->defer.refusals,
					       .deferrals = t->defer.deferrals,
					       .deferred_until_s = t->defer.until_s };
		if (maui_store_add(store, &job))
			return -1;
	}
	return 0;
}

int maui_tracks_from_store(struct maui_tracks *tracks, const struct maui_store *store,
			   int64_t now_s)
{
	tracks->restored_s = store->saved_s;
	for (size_t i = 0; i < store->count; i++) {
		const struct maui_store_job *job = &store->jobs[i];
		struct maui_track_key key = { .job_id = job->job_id, .submit_s = job->submit_s };
		struct maui_track *track = maui_tracks_get(tracks, &key, now_s);

		if (!track)
			return -1;
		track->stamp_s = job->stamp_s > 0 ? job->stamp_s : job->submit_s;
		track->run_s = job->start_s;
		track->charged_s = job->charged_s;
		track->bypass = job->bypass;
		track->asked_tasks = job->asked_tasks;
		track->asked_procs = job->asked_procs;
		track->soft_violation = job->flags & MAUI_STORE_SOFT_VIOLATION;
		track->preemptible = job->flags & MAUI_STORE_PREEMPTIBLE;
		track->suspended_by_us = job->flags & MAUI_STORE_SUSPENDED;
		track->defer.refusals = job->refusals;
		track->defer.deferrals = job->deferrals;
		track->defer.until_s = job->deferred_until_s;
		maui_track_set_qos(track, job->qos);
		maui_track_set_advres(track, job->advres);
	}
	return 0;
}
