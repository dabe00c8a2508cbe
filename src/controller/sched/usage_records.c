/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_records.c - what each instance of a reservation used, and when that ends the instance
 *
 * Goes in: the instances of the plan that have begun. Comes out: for each instance a record of the
 * processor-seconds that were reserved, used and idle. Idle time is charged to the owner's
 * fairshare. At the end of the instance, and at the end of each local day, the record is written
 * to the idle-time log for CHARGEACCOUNT. The record also knows the jobs that used the instance
 * (SINGLEUSE) and since when no job uses the instance (IDLETIME).
 *
 * Between two cycles nothing changes without an event, so the figures at the end of a cycle, its
 * starts included, hold until the next one.
 *
 * Rules: FS-3, RSV-12, RSV-24.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/calendar.h"
#include "base/search.h"
#include "base/sort.h"
#include "policy/fairshare.h"
#include "answers/rsv_text.h"
#include "cycle/pending.h"

/* ---- records by reservation and day ---- */

static int compare_period(const struct maui_store_period *a, const char *rsv, int32_t day)
{
	int names = strcmp(a->rsv, rsv);

	return names != 0 ? names : (a->day > day) - (a->day < day);
}

static int by_period(const void *a, const void *b, void *records)
{
	const struct maui_store_record *list = records;
	const struct maui_store_period *other = &list[*(const uint32_t *)b].period;

	return compare_period(&list[*(const uint32_t *)a].period, other->rsv, other->day);
}

struct maui_sched_index maui_sched_index(struct maui_iteration *it)
{
	struct maui_sched_index index = { .rsvs = &it->sched->rsvs };
	size_t count = index.rsvs->record_count;

	index.order = maui_arena_alloc(&it->arena, (count + 1) * sizeof(*index.order));
	if (!index.order) {
		error("slurm-maui: no memory to find the use of reservations");
		return index;
	}
	index.count = count;
	for (size_t i = 0; i < count; i++)
		index.order[i] = (uint32_t)i;
	if (count > 1)
		qsort_r(index.order, count, sizeof(*index.order), by_period, index.rsvs->records);
	return index;
}

struct period_key {
	const struct maui_store_record *records;
	const char *rsv;
	int32_t day;
};

static bool is_record_before(const void *place, const void *key)
{
	const struct period_key *wanted = key;

	return compare_period(&wanted->records[*(const uint32_t *)place].period, wanted->rsv,
			      wanted->day) < 0;
}

struct maui_store_record *maui_sched_record(const struct maui_sched_index *index, const char *rsv,
					    int32_t day)
{
	const struct period_key key = { index->rsvs->records, rsv, day };
	size_t at = maui_lower_bound(index->order, index->count, sizeof(*index->order),
				     is_record_before, &key);
	struct maui_store_record *record;

	if (at == index->count)
		return NULL;
	record = &index->rsvs->records[index->order[at]];
	return compare_period(&record->period, rsv, day) == 0 ? record : NULL;
}

/* ---- charges ---- */

static void charge_owner(struct maui_iteration *it, const struct maui_rsv *rsv, double procs,
			 int64_t from_s, int64_t until_s)
{
	const char *cred[MAUI_CRED_COUNT] = { 0 };

	if (rsv->owner_kind < 0 || procs <= 0 || it->c->config->fs_policy.metric == MAUI_FS_NONE)
		return;
	cred[rsv->owner_kind] = rsv->owner;
	if (maui_fairshare_charge(&it->c->usage, it->c->config, cred, procs, from_s, until_s))
		error("slurm-maui: no memory to charge reservation %s", rsv->name);
}

/* Adds the time until until_s, with the figures that the last cycle left. */
static void add_time(struct maui_iteration *it, struct maui_store_record *record,
		     const struct maui_rsv *rsv, int64_t until_s)
{
	int64_t seconds = until_s - record->until_s;

	if (seconds <= 0)
		return;
	record->reserved_ps += record->reserved_procs * seconds;
	record->used_ps += record->used_procs * seconds;
	record->idle_ps += record->idle_procs * seconds;
	record->all_used_ps += record->used_procs * seconds;
	record->all_idle_ps += record->idle_procs * seconds;
	if (rsv)
		charge_owner(it, rsv, (double)record->idle_procs, record->until_s, until_s);
	record->until_s = until_s;
}

/* ---- idle-time log ---- */

enum { RETRY_S = 5 };

/* Queues what the record has so far for the idle-time log: at the end of a day or of the
 * instance. */
static int queue_record(struct maui_iteration *it, struct maui_store_record *record)
{
	it->save = true;
	if (maui_pending_add(&it->sched->rsvs, record) == 0)
		return 0;
	error("slurm-maui: no memory to write down idle time of reservation %s",
	      record->period.rsv);
	return -1;
}

/* Updates CHARGEACCOUNT and OWNER, which a new maui.cfg may have changed. */
static void update_payers(struct maui_iteration *it, struct maui_store_record *record,
			  const struct maui_rsv *rsv)
{
	size_t before = it->sched->rsvs.pending_count;

	if (maui_pending_set_payers(&it->sched->rsvs, record, rsv->charge_account,
				    maui_rsv_text_owner(rsv, &it->arena)))
		error("slurm-maui: no memory for the payer of reservation %s", rsv->name);
	it->save |= it->sched->rsvs.pending_count > before;
}

static void log_unwritten(const struct maui_sched *sched, size_t lost, const struct maui_err *err)
{
	if (!sched->due_retry_s)
		error("slurm-maui: idle time of %zu reservations (%s, ...) is not written down: %s; "
		      "it is kept and tried again",
		      sched->rsvs.pending_count, sched->rsvs.pending[0].period.rsv, err->text);
	if (lost > 0)
		error("slurm-maui: idle time is lost: the oldest %zu of more than %d lines that "
		      "cannot be written: %s",
		      lost, MAUI_PENDING_MAX, err->text);
}

/* Writes all queued records at once, because each write waits for the disk. */
static void write_pending(struct maui_iteration *it)
{
	struct maui_sched *sched = it->sched;
	size_t before = sched->rsvs.pending_count, lost = 0;
	int64_t now_s = it->cluster.now_s;
	struct maui_err err;

	if (before == 0)
		return;
	if (sched->due_retry_s > now_s) {
		maui_sched_wake(sched, sched->due_retry_s);
	} else if (maui_state_dir_check(it->c, &err) == 0 &&
		   maui_pending_write(&sched->rsvs, it->c->state_dir, &lost, &err) == 0) {
		if (sched->due_retry_s)
			info("slurm-maui: idle time of reservations is written down again");
		sched->due_retry_s = 0;
	} else {
		log_unwritten(sched, lost, &err);
		sched->due_retry_s = now_s + RETRY_S;
		maui_sched_wake(sched, sched->due_retry_s);
	}
	it->save |= sched->rsvs.pending_count != before;
}

/* ---- instances that end early ---- */

/* Releases the instance. An administrative reservation ends; a standing one is left out until its
 * period is over. */
static void release_instance(struct maui_iteration *it, const struct maui_rsv *rsv, int32_t day,
			     const char *why)
{
	info("slurm-maui: reservation %s is released: %s", rsv->name, why);
	maui_sched_release(it, rsv->name, day);
}

/* Whether a job that used the instance is pending or suspended, so that the job may come back. */
static bool may_come_back(const struct maui_iteration *it, uint32_t job)
{
	const struct maui_captured_job *captured = maui_hashtable_find_id(&it->by_id, job);

	return captured && (captured->state == MAUI_CAPTURED_PENDING || captured->suspended);
}

struct maui_active *maui_sched_find_active(const struct maui_iteration *it, uint64_t job)
{
	struct maui_snapshot *s = it->cluster.snapshot;

	for (uint32_t a = 0; a < s->active_count; a++)
		if (s->active[a].id == job)
			return &s->active[a];
	return NULL;
}

/* Whether the job uses the instance. A job that used the instance before still does. Another job
 * that is only completing does not: it may overlap the instance now only because the instance
 * moved or a job left. */
static bool uses_instance(const struct maui_iteration *it, const struct maui_store_record *record,
			  uint64_t job)
{
	const struct maui_active *active;

	if (maui_rsv_record_has_job_id(record, (uint32_t)job))
		return true;
	active = maui_sched_find_active(it, job);
	return !active || !active->completing;
}

/* Updates the jobs that use a SINGLEUSE instance: the jobs on its nodes, and the jobs that used it
 * and are suspended or requeued, until they run again, on any nodes. Without memory the list stays
 * as it is. */
static void update_users(struct maui_iteration *it, struct maui_store_record *record,
			 const struct maui_rsv_instance *instance)
{
	size_t most = record->job_id_count + instance->user_count, count = 0;
	uint64_t *all = maui_arena_alloc(&it->arena, (most + 1) * sizeof(*all));
	uint32_t *users = maui_arena_alloc(&it->arena, (most + 1) * sizeof(*users));

	for (size_t i = 0; all && i < record->job_id_count; i++)
		if (may_come_back(it, record->job_ids[i]))
			all[count++] = record->job_ids[i];
	for (uint32_t i = 0; all && i < instance->user_count; i++)
		if (uses_instance(it, record, instance->users[i]))
			all[count++] = instance->users[i];
	if (!all || !users)
		return;
	count = maui_sort_unique_u64(all, count);
	for (size_t i = 0; i < count; i++)
		users[i] = (uint32_t)all[i];
	if (count == record->job_id_count &&
	    (count == 0 || memcmp(users, record->job_ids, count * sizeof(*users)) == 0))
		return;
	if (maui_rsv_record_set_job_ids(record, users, count))
		error("slurm-maui: no memory for the users of reservation %s", record->period.rsv);
	it->save = true; /* a restart must not forget that the instance was used */
}

static bool is_used_up(const struct maui_iteration *it, const struct maui_store_record *record)
{
	if (!record->was_used)
		return false;
	for (size_t i = 0; i < record->job_id_count; i++)
		if (may_come_back(it, record->job_ids[i]))
			return false;
	return true;
}

/* Whether the job still runs. A completing job gives its nodes back one by one; for SINGLEUSE it
 * has ended. */
static bool is_active(const struct maui_iteration *it, uint32_t job)
{
	const struct maui_captured_job *captured = maui_hashtable_find_id(&it->by_id, job);
	const struct maui_active *active = maui_sched_find_active(it, job);

	return active &&
	       !(active->completing && captured && captured->state == MAUI_CAPTURED_ENDED);
}

static bool any_active(const struct maui_iteration *it, const struct maui_store_record *record)
{
	for (size_t i = 0; i < record->job_id_count; i++)
		if (is_active(it, record->job_ids[i]))
			return true;
	return false;
}

/* Whether a SINGLEUSE instance in force was used, and none of its jobs runs or may come back. */
static bool is_over(const struct maui_iteration *it, const struct maui_store_record *record,
		    const struct maui_rsv *rsv)
{
	int64_t now_s = it->cluster.now_s;

	return maui_rsv_has(rsv, MAUI_RSV_SINGLEUSE) && record->end_s > now_s &&
	       !(rsv->period == MAUI_RSV_ONCE && rsv->end_s <= now_s) && is_used_up(it, record) &&
	       !any_active(it, record);
}

bool maui_sched_use_up(struct maui_iteration *it)
{
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;

	for (size_t i = 0; i < rsvs->record_count && !it->testing; i++) {
		struct maui_store_record *record = &rsvs->records[i];
		int64_t rsv =
			record->job_id_count > 0 ? maui_sched_find_rsv(it, record->period.rsv) : -1;

		if (rsv < 0 || !is_over(it, record, it->standing.list[rsv]))
			continue;
		release_instance(it, it->standing.list[rsv], record->period.day,
				 "SINGLEUSE, and its job has ended");
		/* the log says this once, even when this cycle makes no plan */
		record->was_used = false;
	}
	if (!it->pending_releases)
		return false;
	maui_sched_carry_out_releases(it);
	return true;
}

static void update_use(struct maui_iteration *it, struct maui_store_record *record,
		       const struct maui_rsv *rsv, bool in_use)
{
	bool single = maui_rsv_has(rsv, MAUI_RSV_SINGLEUSE);
	int64_t now_s = it->cluster.now_s;

	if (in_use) {
		record->was_used |= !single || record->job_id_count > 0;
		record->idle_since_s = 0;
	} else if (record->idle_since_s == 0) {
		record->idle_since_s = now_s;
	}
	if (single && !in_use && is_used_up(it, record))
		release_instance(it, rsv, record->period.day, "SINGLEUSE, and its job has ended");
	else if (rsv->idle_s > 0 && record->idle_since_s &&
		 now_s - record->idle_since_s >= rsv->idle_s)
		release_instance(it, rsv, record->period.day, "idle for IDLETIME");
	else if (rsv->idle_s > 0 && record->idle_since_s)
		maui_sched_wake(it->sched, record->idle_since_s + rsv->idle_s);
}

/* Closes the records of instances that the plan no longer has. `in_use`: of each record. */
static void close_ended_records(struct maui_iteration *it, bool *in_use)
{
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;

	for (size_t i = 0; i < rsvs->record_count;) {
		struct maui_store_record *record = &rsvs->records[i];
		int64_t now_s = it->cluster.now_s, index;
		const struct maui_rsv *rsv;

		if (in_use[i]) {
			i++;
			continue;
		}
		index = maui_sched_find_rsv(it, record->period.rsv);
		rsv = index < 0 ? NULL : it->standing.list[index];
		add_time(it, record, rsv, record->end_s < now_s ? record->end_s : now_s);
		if (queue_record(it, record)) { /* tried again in the next cycle */
			i++;
			continue;
		}
		maui_rsv_lists_drop_record(rsvs, i);
		in_use[i] = in_use[rsvs->record_count]; /* the last record is here now */
	}
}

static void update_record(struct maui_iteration *it, const struct maui_sched_index *index,
			  const struct maui_rsv_instance *instance, bool *in_use)
{
	const struct maui_rsv *rsv = it->standing.list[instance->rsv];
	struct maui_rsv_lists *rsvs = &it->sched->rsvs;
	struct maui_store_record *record = maui_sched_record(index, rsv->name, instance->day);
	int64_t now_s = it->cluster.now_s;

	if (!record) {
		struct maui_store_record made = { .period = { rsv->name, instance->day },
						  .end_s = instance->end_s,
						  .from_s = now_s,
						  .until_s = now_s };

		if (maui_rsv_lists_add_record(rsvs, &made))
			return; /* without memory the record begins in the next cycle */
		record = &rsvs->records[rsvs->record_count - 1];
	}
	in_use[record - rsvs->records] = true;
	record->end_s = instance->end_s;
	add_time(it, record, rsv, now_s);
	update_payers(it, record, rsv);
	if (maui_calendar_day(record->from_s) != maui_calendar_day(now_s))
		queue_record(it, record);
	record->reserved_procs = instance->reserved_procs;
	record->used_procs = instance->used_procs;
	record->idle_procs = instance->idle_procs;
	update_users(it, record, instance);
	update_use(it, record, rsv, instance->in_use);
}

int maui_sched_usage(struct maui_iteration *it, struct maui_err *err)
{
	if (maui_sched_started(it) || maui_plan_usage(it->sched->planner))
		return maui_err_set(err, "no memory for the use of reservations");
	return 0;
}

void maui_sched_records(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	size_t most = it->sched->rsvs.record_count + d->instance_count;
	struct maui_sched_index index;
	bool *in_use;

	if (it->testing)
		return;
	index = maui_sched_index(it);
	in_use = maui_arena_alloc_list(&it->arena, most, sizeof(*in_use));
	if (!index.order || !in_use)
		return; /* the next cycle makes up for it */
	for (uint32_t i = 0; i < d->instance_count; i++)
		if (d->instances[i].start_s <= it->cluster.now_s &&
		    it->cluster.now_s < d->instances[i].end_s)
			update_record(it, &index, &d->instances[i], in_use);
	close_ended_records(it, in_use);
	write_pending(it);
}
