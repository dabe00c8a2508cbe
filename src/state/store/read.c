/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.c - a store from the text of the state file
 *
 * An invalid job makes the file invalid. Any other invalid element is left out and counted.
 */

#include "state/store/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sort.h"
#include "record/parse.h"
#include "record/read.h"

enum { SCHEMA_VERSION = 1 };

/* ---- elements; 1: invalid, -1: no memory ---- */

static bool is_period(const struct maui_store_period *period)
{
	return *period->rsv && period->day >= 0 && period->day <= 99991231;
}

/* The job of an invalid job reservation gets a new one. */
static int take_job_rsv(void *element, struct maui_store *store)
{
	const struct maui_store_job_rsv *job_rsv = element;

	if (!job_rsv->job_id || job_rsv->place_count == 0)
		return 1;
	store->job_rsvs[store->job_rsv_count++] = *job_rsv;
	return 0;
}

static int take_rsv(void *element, struct maui_store *store)
{
	if (!maui_store_unpack_rsv(element, &store->rsvs[store->rsv_count]))
		return 1;
	store->rsv_count++;
	return 0;
}

static int take_instance(void *element, struct maui_store *store)
{
	const struct maui_packed_instance *from = element;
	struct maui_store_instance *instance = &store->instances[store->instance_count];
	int rc;

	if (!is_period(&from->period) || from->end_s <= from->start_s)
		return 1;
	*instance = (struct maui_store_instance){ .period = from->period,
						  .start_s = from->start_s,
						  .end_s = from->end_s,
						  .made = from->made };
	rc = maui_store_unpack_nodes(from, &store->arena, instance);
	store->instance_count += rc == 0;
	return rc;
}

static int take_mirror(void *element, struct maui_store *store)
{
	const struct maui_store_mirror *mirror = element;

	if (!*mirror->name || !mirror->id)
		return 1;
	store->mirrors[store->mirror_count++] = *mirror;
	return 0;
}

/* Of equal ones the place of the first and the hash of the last are kept. */
static int take_released(void *element, struct maui_store *store)
{
	const struct maui_store_released *released = element;

	if (!is_period(&released->period))
		return 1;
	for (size_t i = 0; i < store->released_count; i++)
		if (store->released[i].period.day == released->period.day &&
		    strcmp(store->released[i].period.rsv, released->period.rsv) == 0) {
			store->released[i].hash = released->hash;
			return 0;
		}
	store->released[store->released_count++] = *released;
	return 0;
}

static int take_record(void *element, struct maui_store *store)
{
	struct maui_store_record *record = element;
	size_t count = record->job_id_count;

	if (!is_period(&record->period) || record->from_s <= 0 ||
	    record->until_s < record->from_s || record->reserved_ps < 0 || record->used_ps < 0 ||
	    record->idle_ps < 0 || record->all_used_ps < 0 || record->all_idle_ps < 0 ||
	    record->reserved_procs < 0 || record->used_procs < 0 || record->idle_procs < 0)
		return 1;
	record->job_id_count = 0;
	for (size_t i = 0; i < count; i++) /* 0: not an id */
		if (record->job_ids[i] > 0)
			record->job_ids[record->job_id_count++] = record->job_ids[i];
	if (record->job_id_count > 1)
		qsort(record->job_ids, record->job_id_count, sizeof(*record->job_ids),
		      maui_sort_by_u32);
	store->records[store->record_count++] = *record;
	return 0;
}

static int take_pending(void *element, struct maui_store *store)
{
	const struct maui_store_pending *pending = element;

	if (!is_period(&pending->period) || pending->from_s <= 0 ||
	    pending->until_s <= pending->from_s || pending->reserved_ps < 0 ||
	    pending->used_ps < 0 || pending->idle_ps < 0)
		return 1;
	store->pending[store->pending_count++] = *pending;
	return 0;
}

static int take_trigger(void *element, struct maui_store *store)
{
	const struct maui_store_trigger *trigger = element;

	for (size_t i = 0; i < trigger->mark_count; i++)
		if (trigger->marks[i].idle_since_s < 0)
			return 1;
	if (!is_period(&trigger->period))
		return 1;
	store->triggers[store->trigger_count++] = *trigger;
	return 0;
}

/* ---- lists; -1: no memory ---- */

static int take_all(void *list, size_t count, size_t size,
		    int (*take)(void *element, struct maui_store *store), struct maui_store *store)
{
	for (size_t i = 0; i < count; i++) {
		int rc = take((char *)list + i * size, store);

		if (rc < 0)
			return -1;
		store->skipped += rc > 0;
	}
	return 0;
}

#define TAKE_ALL(list, count, take) \
	take_all(state->list, state->count, sizeof(*state->list), take, store)

/* Most lists of the store are those that were read, of which the invalid elements are left out. */
static int take_lists(const struct maui_packed_state *state, struct maui_store *store)
{
	store->job_rsvs = state->job_rsvs;
	store->mirrors = state->mirrors;
	store->released = state->released;
	store->records = state->records;
	store->pending = state->pending;
	store->triggers = state->triggers;
	store->rsvs = maui_arena_alloc_list(&store->arena, state->rsv_count, sizeof(*store->rsvs));
	store->instances = maui_arena_alloc_list(&store->arena, state->instance_count,
						 sizeof(*store->instances));
	for (size_t i = 0; i < state->span_count; i++)
		maui_utilisation_restore(&store->utilisation, &state->spans[i]);
	if (state->trial)
		maui_store_unpack_trial(state->trial, &store->trial);
	if (!store->rsvs || !store->instances ||
	    (state->statistics &&
	     maui_store_unpack_statistics(state->statistics, &store->statistics)))
		return -1;
	if (TAKE_ALL(job_rsvs, job_rsv_count, take_job_rsv) ||
	    TAKE_ALL(rsvs, rsv_count, take_rsv) ||
	    TAKE_ALL(instances, instance_count, take_instance) ||
	    TAKE_ALL(mirrors, mirror_count, take_mirror) ||
	    TAKE_ALL(released, released_count, take_released) ||
	    TAKE_ALL(records, record_count, take_record) ||
	    TAKE_ALL(pending, pending_count, take_pending) ||
	    TAKE_ALL(triggers, trigger_count, take_trigger))
		return -1;
	return 0;
}

/* ---- jobs ---- */

/* 0 when the file has something else than there can be. */
static int64_t within(int64_t value, int64_t low, int64_t high)
{
	return value >= low && value <= high ? value : 0;
}

static void check_estimate(struct maui_estimate *estimate)
{
	if (estimate->at_s < 0 || estimate->start_s < estimate->at_s)
		*estimate = (struct maui_estimate){ 0 };
}

static int check_job(struct maui_store_job *job, struct maui_err *err)
{
	if (job->job_id == 0)
		return maui_err_set(err, "a job without an id");
	if (job->submit_s < 0 || job->stamp_s < 0 || job->start_s < 0 || job->charged_s < 0 ||
	    job->deferred_until_s < 0 || job->trial_planned_s < 0)
		return maui_err_set(err, "job %u: a time below 0", job->job_id);
	job->system_priority = (int32_t)within(job->system_priority, 0, MAUI_SYSPRIO_MAX);
	job->system_priority_added =
		(int32_t)within(job->system_priority_added, -MAUI_PRIORITY_MAX, MAUI_PRIORITY_MAX);
	job->asked_tasks = within(job->asked_tasks, 0, UINT32_MAX);
	job->asked_procs = within(job->asked_procs, 0, UINT32_MAX);
	check_estimate(&job->first_estimate);
	check_estimate(&job->last_estimate);
	return 0;
}

static int take_jobs(const struct maui_packed_state *state, json_object *root,
		     struct maui_store *store, struct maui_err *err)
{
	if (!state->jobs)
		return maui_err_set(err, "no list of jobs");
	if (state->job_count < json_object_array_length(json_object_object_get(root, "jobs")))
		return maui_err_set(err, "a job is not an object");
	store->jobs = state->jobs;
	for (; store->count < state->job_count; store->count++)
		if (check_job(&store->jobs[store->count], err))
			return -1;
	return 0;
}

/* ---- the whole ---- */

static bool is_newer(const char *schema)
{
	static const char stem[] = "maui.state.v";
	size_t length = sizeof(stem) - 1;
	char *end;

	return strncmp(schema, stem, length) == 0 && schema[length] >= '1' &&
	       schema[length] <= '9' && strtoul(schema + length, &end, 10) > SCHEMA_VERSION &&
	       *end == '\0';
}

/* 0, -1 or MAUI_STORE_NEWER. */
static int check_schema(const char *schema, struct maui_err *err)
{
	if (schema && is_newer(schema)) {
		maui_err_set(err,
			     "written by a newer slurm-maui (schema '%s', this one reads "
			     "'" MAUI_STORE_SCHEMA "')",
			     schema);
		return MAUI_STORE_NEWER;
	}
	if (!schema || strcmp(schema, MAUI_STORE_SCHEMA) != 0)
		return maui_err_set(err, "not a state file of this release (schema '%s')",
				    schema ? schema : "none");
	return 0;
}

/* The same. */
static int read_root(json_object *root, struct maui_store *store, struct maui_err *err)
{
	const struct maui_record_reader r = { .arena = &store->arena,
					      .forgiving = true,
					      .left_out = &store->skipped };
	struct maui_packed_state state;
	int rc;

	if (maui_record_read(&r, &maui_packed_state_type, root, &state) == MAUI_RECORD_NO_MEMORY)
		rc = maui_err_no_memory(err);
	else
		rc = check_schema(state.schema, err);
	store->saved_s = state.saved_s;
	store->chunk_until_s = state.chunk_until_s;
	if (rc == 0 && state.saved_s <= 0)
		rc = maui_err_set(err, "no time of saving");
	if (rc == 0 && take_lists(&state, store))
		rc = maui_err_no_memory(err);
	if (rc == 0)
		rc = take_jobs(&state, root, store, err);
	return rc;
}

int maui_store_read_text(const char *text, size_t length, struct maui_store *ret,
			 struct maui_err *err)
{
	static const struct maui_json_bounds bounds = { .depth = MAUI_STATE_MAX_DEPTH };
	struct maui_store store = { 0 };
	struct maui_err reason = { .text = "" };
	int rc;

	*ret = store;
	if (maui_json_parse(text, length, &bounds, &store.source, &reason))
		return reason.no_memory ? maui_err_no_memory(err) :
					  maui_err_set(err, "not JSON: %s", reason.text);
	if (!store.source)
		return maui_err_set(err, "not JSON: null");
	rc = read_root(store.source, &store, err);
	if (rc)
		maui_store_finish(&store);
	else
		*ret = store;
	return rc;
}
