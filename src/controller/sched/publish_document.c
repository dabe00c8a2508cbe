/* SPDX-License-Identifier: GPL-2.0-or-later */
/* publish_document.c - the document from which commands are answered: instances of reservations,
 * running jobs, job reservations, released instances and warnings of the last plan
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdio.h>
#include <string.h>

#include "answers/document_publish.h"
#include "controller/query.h"
#include "reservation/placement/shortage.h"
#include "slurm/hold.h"
#include "state/usage_view.h"

enum {
	EVERY_S = 1, /* a burst of cycles makes one document a second */
	HOLDERS = 3, /* that many holders of a missing resource are named */
	/* fairshare windows are copied again after so many times the duration of the last copy, or
	 * after so long */
	USAGE_REST_TIMES = 100,
	USAGE_REST_MAX_US = 60000000,
};

/* How long the windows are not copied again, after what a copy took. */
static int64_t rest_after(int64_t took_us)
{
	int64_t rest_us = took_us * USAGE_REST_TIMES;

	return rest_us < USAGE_REST_MAX_US ? rest_us : USAGE_REST_MAX_US;
}

/* The job's record. NULL: unknown. */
static const struct maui_captured_job *record_of(const struct maui_iteration *it, uint64_t job)
{
	const struct maui_captured_job *started =
		maui_hashtable_find_id(&it->started_by_id, (uint32_t)job);

	return started ? started : maui_hashtable_find_id(&it->by_id, (uint32_t)job);
}

/* The job's user. (uid_t)-1: unknown, so PrivateData hides the job from other users. */
static uid_t user_of(const struct maui_iteration *it, uint64_t job)
{
	const struct maui_captured_job *captured = record_of(it, job);

	return captured ? captured->user_id : (uid_t)-1;
}

/* The name of the instance's mirror. NULL: it has no mirror. */
static const char *mirror_of(const struct maui_iteration *it,
			     const struct maui_rsv_instance *instance, struct maui_arena *arena)
{
	const char *name = maui_sched_mirror_name(it, instance, arena);

	return name && maui_mirrors_find(&it->sched->mirrors, name) ? name : NULL;
}

/* Finds the user who made a reservation by name: the state file of an earlier release has no
 * number. Stores the number once the name is resolved. */
static uid_t find_maker(struct maui_controller *c, const struct maui_rsv *rsv)
{
	struct maui_rsv *kept = maui_sched_administrative(c->sched, rsv->name);
	const struct maui_name *user;
	uid_t uid = (uid_t)-1;

	slurm_mutex_lock(&c->lock);
	for (size_t at = 0; (user = maui_hashtable_next(&c->names.users, &at));)
		if (user->state == MAUI_NAME_RESOLVED && strcmp(user->text, rsv->made_by) == 0)
			uid = user->id;
	slurm_mutex_unlock(&c->lock);
	if (kept && uid != (uid_t)-1) {
		kept->made_uid = (uint32_t)uid;
		kept->made_uid_known = true;
	}
	return uid;
}

/* The user who made the reservation. (uid_t)-1: it comes from maui.cfg, or the user is unknown. */
static uid_t maker_of(struct maui_controller *c, const struct maui_rsv *rsv)
{
	if (!rsv->made_by)
		return (uid_t)-1;
	return rsv->made_uid_known ? (uid_t)rsv->made_uid : find_maker(c, rsv);
}

static void add_instance(struct maui_iteration *it, const struct maui_sched_index *records,
			 struct maui_document *p, uint32_t index, const char *held_by)
{
	const struct maui_decisions *d = &it->sched->decisions;
	const struct maui_rsv_instance *instance = &d->instances[index];
	const struct maui_rsv *rsv = it->standing.list[instance->rsv];
	const struct maui_store_record *record =
		maui_sched_record(records, rsv->name, instance->day);
	struct maui_document_rsv *row = maui_document_add_instance(
		p, it->cluster.snapshot, rsv, instance, rsv->period != MAUI_RSV_ONCE);

	if (!row)
		return;
	row->mirror = mirror_of(it, instance, &p->arena);
	row->used_procs = instance->used_procs;
	row->uid = maker_of(it->c, rsv);
	if (record) {
		row->used_procsec = (double)record->all_used_ps;
		row->idle_procsec = (double)record->all_idle_ps;
	}
	row->held_by = held_by;
}

/* For each instance, a text that names the holders of what it lacks. NULL without memory: the
 * document then leaves these texts out. */
static const char **list_holders(struct maui_iteration *it, struct maui_document *p)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_standing_input standing = it->standing;

	standing.job_rsvs = d->held_job_rsvs;
	standing.job_rsv_count = d->held_job_rsv_count;
	return maui_standing_explain_all(it->cluster.snapshot, &standing, d->instances,
					 d->instance_count, it->cluster.now_s, HOLDERS, &p->arena);
}

/* A suspension between two cycles is not counted, but its time is. */
static void add_suspensions(struct maui_iteration *it, const struct maui_captured_job *captured,
			    struct maui_document_rsv *row)
{
	struct maui_controller *c = it->c;
	const struct maui_job_history *history;
	int64_t not_run_s = it->captured->now_s - captured->start_s - captured->ran_s;

	slurm_mutex_lock(&c->lock);
	history = maui_job_histories_find(&c->histories, captured->job_id);
	if (history)
		row->suspensions = history->suspensions;
	slurm_mutex_unlock(&c->lock);
	row->suspended_s = not_run_s > 0 ? not_run_s : 0;
	if (row->suspended_s > 0 && row->suspensions == 0)
		row->suspensions = 1;
}

static void add_active(struct maui_iteration *it, struct maui_document *p, uint32_t active)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const struct maui_captured_job *captured = record_of(it, s->active[active].id);
	struct maui_document_rsv *row =
		maui_document_add_active(p, s, active, user_of(it, s->active[active].id));

	if (!row || !captured)
		return;
	maui_document_name_task(p, row, captured->array_job_id, captured->array_task, MAUI_NO_TASK,
				MAUI_NO_TASK);
	row->het = captured->het;
	row->submit_s = captured->submit_s;
	row->job_name = maui_arena_strdup(&p->arena, captured->name);
	if (captured->starting && row->state == MAUI_JOB_RUNNING)
		row->state = MAUI_JOB_STARTING;
	add_suspensions(it, captured, row);
}

static void add_job_rsv(struct maui_iteration *it, struct maui_document *p,
			const struct maui_reservation *job_rsv)
{
	uint64_t id = it->cluster.snapshot->idle[job_rsv->job].id;
	const struct maui_captured_job *captured = record_of(it, id);
	struct maui_document_rsv *row =
		maui_document_add_job_rsv(p, it->cluster.snapshot, job_rsv, user_of(it, id));

	if (row && captured)
		maui_document_name_task(p, row, captured->array_job_id, captured->array_task,
					captured->first_task, captured->last_task);
}

static void add_rows(struct maui_iteration *it, struct maui_document *p)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const struct maui_decisions *d = &it->sched->decisions;
	const struct maui_sched_index records = maui_sched_index(it);
	const char **held_by = list_holders(it, p);

	for (uint32_t i = 0; i < d->instance_count; i++)
		add_instance(it, &records, p, i, held_by ? held_by[i] : NULL);
	for (uint32_t i = 0; i < s->active_count; i++)
		if (!s->active[i].completing)
			add_active(it, p, i);
	for (uint32_t i = 0; i < d->reservation_count; i++)
		add_job_rsv(it, p, &d->reservations[i]);
	maui_sched_publish_released(it, p);
	maui_sched_publish_warnings(it->sched, p);
}

/* Ids of the jobs that are active now, each leading to itself. -1 without memory. */
static int index_active(const struct maui_iteration *it, struct maui_hashtable *ret)
{
	const struct maui_snapshot *s = it->cluster.snapshot;

	for (uint32_t i = 0; i < s->active_count; i++)
		if (!s->active[i].completing &&
		    maui_hashtable_set_id(ret, (uint32_t)s->active[i].id, &s->active[i]))
			return -1;
	return 0;
}

/* How many jobs of the entry still wait: not those that this cycle started. */
static uint32_t count_waiting(const struct maui_iteration *it, const struct maui_plan *plan,
			      uint32_t index)
{
	const struct maui_waiting *waiting = &it->waiting[index];
	uint32_t started = waiting->copies - plan->snapshot->idle[index].copies;

	if (!it->testing)
		started += plan->decisions.verdicts[index].started;
	return started < waiting->task_count ? waiting->task_count - started : 0;
}

static struct maui_document_idle describe_idle(const struct maui_iteration *it,
					       const struct maui_plan *plan, uint32_t index)
{
	const struct maui_captured_job *captured =
		maui_hashtable_find_id(&it->by_id, (uint32_t)plan->snapshot->idle[index].id);
	struct maui_document_idle ret = { .array_task = MAUI_NO_TASK,
					  .waiting = count_waiting(it, plan, index),
					  .uid = (uid_t)-1 };

	if (!captured)
		return ret;
	ret.het = captured->het;
	ret.array_job_id = captured->array_job_id;
	ret.array_task = captured->array_task;
	ret.first_task = captured->first_task;
	ret.last_task = captured->last_task;
	ret.uid = captured->user_id;
	ret.held_by_user = captured->held_by_user;
	ret.requeued = captured->restarted;
	ret.name = captured->name;
	ret.conditions = captured->conditions;
	return ret;
}

/* The plan that this cycle has finished; NULL: none, it was dropped or there was no memory. */
static struct maui_plan *finished_plan(const struct maui_iteration *it)
{
	struct maui_plan *plan = it->sched->plan; /* only this thread replaces it */

	return plan && plan->snapshot == it->cluster.snapshot ? plan : NULL;
}

/* The finished plan, with what slurmctld knows of its idle jobs. */
static void add_plan(struct maui_iteration *it, struct maui_plan *plan, struct maui_document *p)
{
	struct maui_hashtable active = { 0 };
	struct maui_document_idle *idle;

	idle = maui_arena_alloc(&it->arena, (plan->snapshot->idle_count + 1) * sizeof(*idle));
	if (!idle || index_active(it, &active)) {
		p->failed = true;
		maui_hashtable_finish(&active);
		return;
	}
	for (uint32_t i = 0; i < plan->snapshot->idle_count; i++) {
		idle[i] = describe_idle(it, plan, i);
		maui_sched_copy_estimates(it, plan, i, &idle[i]);
		if (maui_hashtable_find_id(&active, (uint32_t)plan->snapshot->idle[i].id))
			idle[i].waiting = 0;
	}
	maui_hashtable_finish(&active);
	maui_document_set_plan(p, plan, idle);
}

/* The fairshare windows. They are copied for a hundredth of the time at most, so that cycles with
 * many names do not become slower. */
static void add_usage(struct maui_iteration *it, struct maui_document *p)
{
	struct maui_sched *sched = it->sched;
	int64_t began_us = maui_monotonic_us();
	struct maui_usage_view *view;

	if (!sched->usage || began_us >= sched->usage_due_us ||
	    began_us < sched->usage_due_us - USAGE_REST_MAX_US) {
		view = maui_usage_view_create(&it->c->usage, sched->usage);
		if (view) {
			maui_usage_view_unref(sched->usage);
			sched->usage = view;
		}
		sched->usage_due_us =
			maui_monotonic_us() + rest_after(maui_monotonic_us() - began_us);
	}
	maui_document_set_usage(p, sched->usage);
}

static void add_statistics(struct maui_iteration *it, struct maui_document *p)
{
	struct maui_sched *sched = it->sched;
	struct maui_statistics_view *view =
		maui_statistics_view_create(&it->c->statistics, sched->statistics);

	if (view) {
		maui_statistics_view_unref(sched->statistics);
		sched->statistics = view;
	}
	maui_document_set_statistics(p, sched->statistics, &it->c->utilisation);
	p->capacity_ps = it->c->statistics.capacity_ps;
	p->used_ps = it->c->statistics.used_ps;
}

void maui_sched_publish(struct maui_iteration *it)
{
	const struct maui_document *last = it->sched->document;
	struct maui_plan *plan = finished_plan(it);
	int64_t now_s = it->cluster.now_s;
	struct maui_document *p;

	/* rows name reservations and jobs by their place in the plan: they go with no other plan */
	if (!plan) {
		maui_sched_wake(it->sched, now_s + EVERY_S);
		return;
	}
	if (it->c->query && last && !it->changes && now_s >= last->now_s &&
	    now_s < last->now_s + EVERY_S) {
		maui_sched_wake(it->sched, last->now_s + EVERY_S);
		return;
	}
	p = maui_controller_query_begin(it->c, it->cluster.snapshot, now_s);
	if (!p)
		return;
	add_rows(it, p);
	add_plan(it, plan, p);
	add_usage(it, p);
	add_statistics(it, p);
	maui_document_set_health(p, &it->sched->health);
	maui_document_set_trial(p, &it->c->trial);
	maui_document_set_state(p, (const char *const *)it->c->set_aside.texts,
				it->c->set_aside.count, maui_not_saved(it->c));
	if (!maui_document_is_whole(p)) {
		maui_document_unref(p); /* commands keep the last complete document */
		return;
	}
	maui_document_unref(it->sched->document);
	it->document = it->sched->document = maui_document_ref(p);
	maui_query_publish(it->c->query, p);
}
