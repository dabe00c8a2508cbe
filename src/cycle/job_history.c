/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_history.c - a table of histories by job id */

#include "cycle/job_history.h"

#include <stdlib.h>
#include <string.h>

static void destroy(struct maui_job_history *history)
{
	free(history->qos);
	free(history->advres);
	free(history->rows);
	free(history->estimates);
	free(history);
}

void maui_job_histories_finish(struct maui_job_histories *histories)
{
	struct maui_job_history *history;

	for (size_t at = 0; (history = maui_hashtable_next(&histories->map, &at));)
		destroy(history);
	maui_hashtable_finish(&histories->map);
}

struct maui_job_history *maui_job_histories_find(const struct maui_job_histories *histories,
						 uint32_t job_id)
{
	return maui_hashtable_find_id(&histories->map, job_id);
}

/* SERVERMODE TEST planned to start some tasks of the array: the first ones that split off. */
static void take_planned_start(struct maui_job_history *task, struct maui_job_history *array)
{
	if (array->trial_copies == 0)
		return;
	task->trial_planned_s = array->trial_planned_s;
	if (--array->trial_copies == 0)
		array->trial_planned_s = 0;
}

/* What was expected of an array was expected of its first task: the one that is split off. */
static void take_expected(struct maui_job_history *history, struct maui_job_history *array)
{
	history->expected = array->expected;
	array->expected = (struct maui_expected){ 0 };
}

/* The texts of a history, which are copied before anything changes. */
struct texts {
	char *qos, *advres;
};

/* Those of the array, or else those that the job had before it was requeued. */
static int copy_texts(const struct maui_job_history *before, const struct maui_job_history *array,
		      struct texts *ret)
{
	const char *qos = array && array->qos ? array->qos : before ? before->qos : NULL;
	const char *advres = array && array->advres ? array->advres :
			     before                 ? before->advres :
						      NULL;

	*ret = (struct texts){ qos ? strdup(qos) : NULL, advres ? strdup(advres) : NULL };
	if ((!qos || ret->qos) && (!advres || ret->advres))
		return 0;
	free(ret->qos);
	free(ret->advres);
	return -1;
}

/* Slurm gave the id to a new job, so nothing of the old history holds; or it requeued the job,
 * which counts anew (job_statistics.h) and keeps what users and administrators said of it. Takes
 * the texts over. */
static void reset(const struct maui_job_histories *histories, struct maui_job_history *history,
		  const struct maui_job_history_key *key, struct maui_job_history *array,
		  const struct texts *texts)
{
	int32_t priority = key->restarted ? history->system_priority : 0;
	int32_t added = key->restarted ? history->system_priority_added : 0;

	free(history->qos);
	free(history->advres);
	free(history->rows);
	free(history->estimates);
	*history = (struct maui_job_history){ .job_id = key->job_id,
					      .submit_s = key->submit_s,
					      .stamp_s = key->submit_s,
					      .accrued_s = key->submit_s,
					      .version = history->version,
					      .system_priority = priority,
					      .system_priority_added = added,
					      .qos = texts->qos,
					      .advres = texts->advres };
	if (history->accrued_s <
	    histories->restored_s) /* its stamp was its submit time then, so it was not saved */
		history->accrued_s = histories->restored_s;
	if (!array)
		return;
	history->stamp_s = array->stamp_s;
	history->accrued_s = array->accrued_s;
	take_planned_start(history, array);
	take_expected(history, array);
	history->system_priority = array->system_priority;
	history->system_priority_added = array->system_priority_added;
}

/* An empty one; NULL without memory. */
static struct maui_job_history *add_history(struct maui_job_histories *histories, uint32_t job_id)
{
	struct maui_job_history *history = calloc(1, sizeof(*history));

	if (history && maui_hashtable_set_id(&histories->map, job_id, history)) {
		free(history);
		history = NULL;
	}
	return history;
}

struct maui_job_history *maui_job_histories_get(struct maui_job_histories *histories,
						const struct maui_job_history_key *key,
						int64_t now_s)
{
	struct maui_job_history *history = maui_job_histories_find(histories, key->job_id);
	struct maui_job_history *array = NULL;
	struct texts texts;

	if (history && history->submit_s == key->submit_s) {
		history->seen_s = now_s;
		return history;
	}
	if (key->array_job_id && key->array_job_id != key->job_id)
		array = maui_job_histories_find(histories, key->array_job_id);
	if (array && array->submit_s != key->submit_s)
		array = NULL;
	if (copy_texts(key->restarted ? history : NULL, array, &texts))
		return NULL;
	if (!history)
		history = add_history(histories, key->job_id);
	if (!history) {
		free(texts.qos);
		free(texts.advres);
		return NULL;
	}
	reset(histories, history, key, array, &texts);
	history->seen_s = now_s;
	return history;
}

void maui_job_history_count_suspension(struct maui_job_history *history,
				       const struct maui_captured_job *captured)
{
	if (captured->start_s > history->suspended_at_s)
		history->suspensions = 0;
	/* what a suspended job ran, it ran until it was suspended */
	if (!captured->suspended || captured->until_s == history->suspended_at_s)
		return;
	history->suspensions++;
	history->suspended_at_s = captured->until_s;
}

int maui_job_history_publish(struct maui_job_history *history,
			     const struct maui_job_history_row *rows, size_t count)
{
	struct maui_job_history_row *copy = history->rows;

	if (count == 0) {
		free(history->rows);
		history->rows = NULL;
		history->row_count = 0;
		return 0;
	}
	if (history->row_count != count) {
		copy = realloc(history->rows, count * sizeof(*copy));
		if (!copy)
			return -1;
		history->rows = copy;
		history->row_count = count;
	}
	memcpy(copy, rows, count * sizeof(*copy));
	return 0;
}

int maui_job_history_set_qos(struct maui_job_history *history, const char *qos)
{
	char *copy;

	if (!qos || (history->qos && strcmp(history->qos, qos) == 0))
		return 0;
	copy = strdup(qos);
	if (!copy)
		return -1;
	free(history->qos);
	history->qos = copy;
	return 0;
}

int maui_job_history_set_advres(struct maui_job_history *history, const char *advres)
{
	char *copy = NULL;

	if (!advres || (history->advres && strcmp(history->advres, advres) == 0))
		return 0;
	if (*advres && !(copy = strdup(advres)))
		return -1;
	free(history->advres);
	history->advres = copy;
	return 0;
}

static void forget_planned_start(struct maui_job_history *history)
{
	history->trial_planned_s = history->trial_retry_s = 0;
	history->trial_copies = 0;
}

void maui_job_history_set_fingerprint(struct maui_job_history *history, uint64_t fingerprint)
{
	if (history->fingerprint != 0 && history->fingerprint != fingerprint) {
		maui_defer_forget(&history->defer);
		history->retry_s = 0;
		history->busy = 0;
		forget_planned_start(history);
	}
	history->fingerprint = fingerprint;
}

void maui_job_histories_forget_trial(struct maui_job_histories *histories)
{
	struct maui_job_history *history;

	for (size_t at = 0; (history = maui_hashtable_next(&histories->map, &at));) {
		forget_planned_start(history);
		history->trial_refused = false;
	}
}

static bool seen_since(void *value, void *arg)
{
	struct maui_job_history *history = value;

	if (history->seen_s >= *(const int64_t *)arg)
		return true;
	destroy(history);
	return false;
}

void maui_job_histories_expire(struct maui_job_histories *histories, int64_t before_s)
{
	maui_hashtable_sweep(&histories->map, seen_since, &before_s);
}

static uint32_t flags_of(const struct maui_job_history *t)
{
	return (t->soft_violation ? MAUI_STORE_SOFT_VIOLATION : 0u) |
	       (t->preemptible ? MAUI_STORE_PREEMPTIBLE : 0u) |
	       (t->suspended_by_us ? MAUI_STORE_SUSPENDED : 0u) |
	       (t->backfilled ? MAUI_STORE_BACKFILLED : 0u) |
	       (t->counted ? MAUI_STORE_COUNTED : 0u) |
	       (t->wait_counted ? MAUI_STORE_WAIT_COUNTED : 0u) |
	       (t->trial_refused ? MAUI_STORE_TRIAL_REFUSED : 0u);
}

static bool is_plain(const struct maui_job_history *t)
{
	return !t->suspensions && t->stamp_s == t->submit_s && !t->system_priority &&
	       !t->system_priority_added && !t->qos && !t->advres && !t->run_s && !t->bypass &&
	       !flags_of(t) && !t->trial_planned_s &&
	       !t->expected.of[MAUI_ESTIMATE_FIRST].start_s && !t->asked_tasks &&
	       !t->defer.refusals && !t->defer.deferrals && !t->defer.until_s;
}

static int store_history(const struct maui_job_history *t, struct maui_arena *arena,
			 struct maui_store_job *ret)
{
	*ret = (struct maui_store_job){ .job_id = t->job_id,
					.submit_s = t->submit_s,
					.stamp_s = t->stamp_s,
					.start_s = t->run_s,
					.charged_s = t->charged_s,
					.qos = maui_arena_strdup(arena, t->qos),
					.advres = maui_arena_strdup(arena, t->advres),
					.bypass = t->bypass,
					.bypassed = t->bypassed,
					.flags = flags_of(t),
					.suspensions = t->suspensions,
					.suspended_at_s = t->suspended_at_s,
					.system_priority = t->system_priority,
					.system_priority_added = t->system_priority_added,
					.asked_tasks = t->asked_tasks,
					.asked_procs = t->asked_procs,
					.refusals = t->defer.refusals,
					.deferrals = t->defer.deferrals,
					.trial_planned_s = t->trial_planned_s,
					.trial_copies = t->trial_copies,
					.first_estimate = t->expected.of[MAUI_ESTIMATE_FIRST],
					.last_estimate = t->expected.of[MAUI_ESTIMATE_LAST],
					.deferred_until_s = t->defer.until_s };
	return (t->qos && !ret->qos) || (t->advres && !ret->advres) ? -1 : 0;
}

int maui_job_histories_to_store(const struct maui_job_histories *histories,
				struct maui_store *store)
{
	const struct maui_job_history *t;

	store->jobs =
		maui_arena_alloc_list(&store->arena, histories->map.used, sizeof(*store->jobs));
	if (!store->jobs)
		return -1;
	for (size_t at = 0; (t = maui_hashtable_next(&histories->map, &at));) {
		if (is_plain(t))
			continue;
		if (store_history(t, &store->arena, &store->jobs[store->count]))
			return -1;
		store->count++;
	}
	return 0;
}

int maui_job_histories_from_store(struct maui_job_histories *histories,
				  const struct maui_store *store, int64_t now_s)
{
	histories->restored_s = store->saved_s;
	for (size_t i = 0; i < store->count; i++) {
		const struct maui_store_job *job = &store->jobs[i];
		struct maui_job_history_key key = { .job_id = job->job_id,
						    .submit_s = job->submit_s };
		struct maui_job_history *history = maui_job_histories_get(histories, &key, now_s);

		if (!history)
			return -1;
		history->stamp_s = job->stamp_s > 0 ? job->stamp_s : job->submit_s;
		history->run_s = job->start_s;
		history->charged_s = job->charged_s;
		history->bypass = job->bypass;
		history->bypassed = job->bypassed;
		history->suspensions = job->suspensions;
		history->suspended_at_s = job->suspended_at_s;
		history->asked_tasks = job->asked_tasks;
		history->asked_procs = job->asked_procs;
		history->soft_violation = job->flags & MAUI_STORE_SOFT_VIOLATION;
		history->preemptible = job->flags & MAUI_STORE_PREEMPTIBLE;
		history->suspended_by_us = job->flags & MAUI_STORE_SUSPENDED;
		history->backfilled = job->flags & MAUI_STORE_BACKFILLED;
		history->counted = job->flags & MAUI_STORE_COUNTED;
		history->wait_counted = job->flags & MAUI_STORE_WAIT_COUNTED;
		history->trial_refused = job->flags & MAUI_STORE_TRIAL_REFUSED;
		history->trial_planned_s = job->trial_planned_s;
		history->trial_copies = job->trial_copies;
		history->expected.of[MAUI_ESTIMATE_FIRST] = job->first_estimate;
		history->expected.of[MAUI_ESTIMATE_LAST] = job->last_estimate;
		history->system_priority = job->system_priority;
		history->system_priority_added = job->system_priority_added;
		history->defer.refusals = job->refusals;
		history->defer.deferrals = job->deferrals;
		history->defer.until_s = job->deferred_until_s;
		if (maui_job_history_set_qos(history, job->qos) ||
		    maui_job_history_set_advres(history, job->advres))
			return -1;
	}
	return 0;
}

void maui_job_history_accrue(struct maui_job_history *history, enum maui_accrual policy,
			     const struct maui_accrual_state *state, int64_t now_s)
{
	history->stamp_s =
		maui_accrual_stamp(policy, state, history->stamp_s, history->accrued_s, now_s);
	if (now_s > history->accrued_s)
		history->accrued_s = now_s;
}
