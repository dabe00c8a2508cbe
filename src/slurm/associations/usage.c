/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.c - counts the usage of all running jobs, and of each that ends
 *
 * A count takes the jobs in the order of their ids and gives the locks back in between, so a job
 * that ends meanwhile may have been counted already.
 *
 * Rules: FS-13, THR-18.
 */

#include "slurm/compat.h"

#include "slurm/associations/usage.h"

#include <endian.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "policy/slurm_usage.h"
#include "slurm/associations/shares.h"

enum {
	/* PriorityCalcPeriod is at most so long; a later moment is one before the clock was set
	 * back. */
	LONGEST_PERIOD_S = 0xffff * 60,
	COUNT_HOLD_US = 1000, /* a count gives the locks back then */
};
static const uint32_t ALL_JOBS = UINT32_MAX;

/* When usage was last counted and reset. */
struct last_count {
	int64_t counted_s, reset_s;
};

/* The agent changes them under job WRITE, under which all others read them. */
static struct last_count last;
/* The count that goes on: jobs with smaller ids have been counted until that moment. */
static struct {
	int64_t until_s;
	uint32_t below;
} ongoing;
/* Of running jobs with smaller ids, what slurmctld counted at its start has been given back. */
static uint32_t returned_below;
/* The agent's own. */
static bool has_reset; /* PriorityUsageResetPeriod=NOW was done */
static int64_t due_s;

/* Whether slurmctld keeps associations at all. */
static bool has_associations(void)
{
	return slurm_with_slurmdbd() && assoc_mgr_root_assoc;
}

static bool has_limits(void)
{
	return slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_LIMITS;
}

/* ---- priority/multifactor's file ----
 *
 * Two times of eight bytes each, the most significant byte first, as Slurm packs them.
 */

enum { FILE_LENGTH = 16, FILE_MAX = 4096 };

/* Made when the plugin is loaded: later a reconfigure may change slurm_conf. NULL: no memory. */
static char *last_count_path;

/* Both times 0: none, or it cannot be read, which is logged. */
static struct last_count read_last_count(void)
{
	struct last_count ret = { 0 };
	struct maui_strbuf made = { 0 };
	char *text = NULL;
	uint64_t times[2];
	struct maui_err err;
	size_t length;

	free(last_count_path);
	maui_strbuf_addf(&made, "%s/priority_last_decay_ran", slurm_conf.state_save_location);
	last_count_path = maui_strbuf_steal(&made);
	if (last_count_path &&
	    maui_file_read(last_count_path, FILE_MAX, &text, &length, &err) == 0) {
		if (length < FILE_LENGTH) {
			error("slurm-maui: %s is incomplete: usage of associations is counted from now on",
			      last_count_path);
		} else {
			memcpy(times, text, sizeof(times));
			ret.counted_s = (int64_t)be64toh(times[0]);
			ret.reset_s = (int64_t)be64toh(times[1]);
		}
	} else if (last_count_path && errno != ENOENT) {
		error("slurm-maui: %s: usage of associations is counted from now on", err.text);
	}
	free(text);
	return ret;
}

static void write_last_count(const struct last_count *count)
{
	const uint64_t times[2] = { htobe64((uint64_t)count->counted_s),
				    htobe64((uint64_t)count->reset_s) };
	struct maui_err err;

	if (last_count_path &&
	    maui_file_write(last_count_path, (const char *)times, sizeof(times), 1, &err))
		error("slurm-maui: %s", err.text);
}

/* ---- one association or QOS, under the association manager's WRITE locks ---- */

/* What one job used. */
struct job_usage {
	job_record_t *job_ptr;
	struct maui_slurm_usage_span span;
	double billing; /* billable TRES of one second */
	double factor;  /* UsageFactor of the job's QOS */
	bool limits;    /* AccountingStorageEnforce has limits: TRES are counted, too */
};

static bool is_counted(const job_record_t *job_ptr, int tres)
{
	return tres != TRES_ARRAY_ENERGY && job_ptr->tres_alloc_cnt &&
	       job_ptr->tres_alloc_cnt[tres] != NO_CONSUME_VAL64;
}

/* Takes run-seconds that come back from one array. Less may be left: a restart counts what runs
 * then, with the usage factor of that day. */
static void give_back(uint64_t *run_seconds, const struct job_usage *used)
{
	uint64_t back_s = (uint64_t)((double)used->span.back_s * used->factor);

	for (int i = 0; run_seconds && i < slurmctld_tres_cnt; i++) {
		uint64_t seconds;

		if (!is_counted(used->job_ptr, i))
			continue;
		seconds = back_s * used->job_ptr->tres_alloc_cnt[i];
		run_seconds[i] -= seconds < run_seconds[i] ? seconds : run_seconds[i];
	}
}

static void add_tres(long double *usage, const struct job_usage *used, double seconds)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		if (is_counted(used->job_ptr, i))
			usage[i] += (long double)seconds *
				    (long double)used->job_ptr->tres_alloc_cnt[i];
}

static void association_add(slurmdb_assoc_rec_t *assoc, const struct job_usage *used)
{
	double seconds = used->span.decayed_s * used->factor;

	assoc->usage->grp_used_wall += seconds;
	assoc->usage->usage_raw +=
		(long double)(used->span.decayed_s * used->billing * used->factor);
	if (!used->limits)
		return;
	add_tres(assoc->usage->usage_tres_raw, used, seconds);
	give_back(assoc->usage->grp_used_tres_run_secs, used);
}

static void qos_add(slurmdb_qos_rec_t *qos, const struct job_usage *used)
{
	const job_record_t *job_ptr = used->job_ptr;
	double span_s = qos->flags & QOS_FLAG_NO_DECAY ? used->span.ran_s : used->span.decayed_s;

	qos->usage->grp_used_wall += span_s * used->factor;
	qos->usage->usage_raw += (long double)(span_s * used->billing * used->factor);
	if (!used->limits || !job_ptr->assoc_ptr)
		return;
	add_tres(qos->usage->usage_tres_raw, used, span_s * used->factor);
	give_back(qos->usage->grp_used_tres_run_secs, used);
	give_back(maui_compat_run_seconds_of_account(qos, job_ptr->assoc_ptr->acct), used);
	give_back(maui_compat_run_seconds_of_user(qos, job_ptr->user_id), used);
}

static void decay_usage(slurmdb_assoc_usage_t *usage, double factor)
{
	usage->usage_raw *= factor;
	usage->grp_used_wall *= factor;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		usage->usage_tres_raw[i] *= factor;
}

/* factor 0: a reset. */
static void association_decay(slurmdb_assoc_rec_t *assoc, double factor)
{
	decay_usage(assoc->usage, factor);
	if (assoc->leaf_usage && assoc->leaf_usage != assoc->usage)
		decay_usage(assoc->leaf_usage, factor);
}

static void qos_decay(slurmdb_qos_rec_t *qos, double factor)
{
	qos->usage->usage_raw *= factor;
	qos->usage->grp_used_wall *= factor;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		qos->usage->usage_tres_raw[i] *= factor;
}

/* ---- one job ---- */

static double usage_factor(const job_record_t *job_ptr)
{
	const slurmdb_qos_rec_t *qos = job_ptr->qos_ptr;

	return qos && qos->usage_factor >= 0 ? qos->usage_factor : 1;
}

/* To its QOS, its partition's, and each association up to root. */
static void add_to_all(job_record_t *job_ptr, const struct job_usage *used)
{
	slurmdb_qos_rec_t *second = job_ptr->part_ptr ? job_ptr->part_ptr->qos_ptr : NULL;

	if (job_ptr->qos_ptr)
		qos_add(job_ptr->qos_ptr, used);
	if (second && second != job_ptr->qos_ptr)
		qos_add(second, used);
	for (slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		association_add(assoc, used);
}

static bool was_returned(const job_record_t *job_ptr)
{
	return job_ptr->job_id < returned_below;
}

static int64_t counted_until(const job_record_t *job_ptr)
{
	return job_ptr->job_id < ongoing.below ? ongoing.until_s : last.counted_s;
}

/* Until then its time limit lasts: so much was added to the run-seconds. */
static int64_t limit_end(const job_record_t *job_ptr)
{
	return job_ptr->start_time + (int64_t)job_ptr->time_limit * 60;
}

/* Under the association manager's WRITE locks. */
static void count_job(job_record_t *job_ptr, int64_t now_s, bool ends)
{
	int64_t counted_s = counted_until(job_ptr);
	int64_t from_s = job_ptr->start_time > counted_s ? job_ptr->start_time : counted_s;
	const struct maui_slurm_usage_job job = {
		.start_s = job_ptr->start_time,
		.end_s = ends ? job_ptr->end_time : 0,
		.limit_end_s = limit_end(job_ptr),
		.due_end_s = job_ptr->end_time_exp,
		.back_from_s = was_returned(job_ptr) ? counted_s : 0,
		.over = IS_JOB_FINISHED(job_ptr) || IS_JOB_COMPLETING(job_ptr) ||
			IS_JOB_RESIZING(job_ptr),
	};
	const struct job_usage used = {
		.job_ptr = job_ptr,
		.span = maui_slurm_usage_span(&job, counted_s, now_s,
					      maui_slurm_usage_decay(slurm_conf.priority_decay_hl)),
		.billing = calc_job_billable_tres(job_ptr, from_s, true),
		.factor = usage_factor(job_ptr),
		.limits = has_limits(),
	};

	add_to_all(job_ptr, &used);
}

/* Whether it uses anything now. */
static bool runs(const job_record_t *job_ptr)
{
	return !IS_JOB_PENDING(job_ptr) && !IS_JOB_FINISHED(job_ptr) &&
	       !IS_JOB_COMPLETING(job_ptr) && !IS_JOB_POWER_UP_NODE(job_ptr) &&
	       job_ptr->start_time > 0 && job_ptr->assoc_ptr &&
	       job_ptr->end_time_exp != (time_t)NO_VAL;
}

static const assoc_mgr_lock_t write_locks = { .assoc = WRITE_LOCK,
					      .qos = WRITE_LOCK,
					      .tres = READ_LOCK };

static void lock_associations(void)
{
	assoc_mgr_lock_t locks = write_locks;

	assoc_mgr_lock(&locks);
}

static void unlock_associations(void)
{
	assoc_mgr_lock_t locks = write_locks;

	assoc_mgr_unlock(&locks);
}

/* ---- after a restart ---- */

/* slurmctld adds the whole run-seconds of the jobs that it finds running: what this one had run at
 * the last count, within its limit, was given back before. */
static void return_counted(job_record_t *job_ptr)
{
	struct job_usage used = { .job_ptr = job_ptr, .limits = true };
	int64_t counted_s = counted_until(job_ptr);

	counted_s = counted_s < limit_end(job_ptr) ? counted_s : limit_end(job_ptr);
	if (!has_limits() || !(IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr)) ||
	    job_ptr->end_time_exp == (time_t)NO_VAL || job_ptr->start_time > counted_s ||
	    !job_ptr->tres_alloc_cnt)
		return;
	used.factor = usage_factor(job_ptr);
	used.span.back_s = (uint64_t)(counted_s - job_ptr->start_time);
	add_to_all(job_ptr, &used);
}

static int return_again(void *x, void *arg)
{
	(void)arg;
	if (was_returned(x))
		return_counted(x);
	return 0;
}

void maui_associations_load(void)
{
	last = read_last_count();
	if (last.reset_s == 0)
		last.reset_s = time(NULL);
	returned_below = 0;
	has_reset = false;
	due_s = 0;
}

void maui_associations_unload(void)
{
	free(last_count_path);
	last_count_path = NULL;
}

void maui_associations_job_end(struct job_record *job_ptr)
{
	if (job_ptr->end_time_exp == (time_t)NO_VAL) /* done for this start */
		return;
	if (has_associations() && job_ptr->assoc_ptr && job_ptr->tres_alloc_cnt) {
		lock_associations();
		count_job(job_ptr, time(NULL), true);
		unlock_associations();
	}
	job_ptr->end_time_exp = (time_t)NO_VAL;
}

void maui_associations_reconfigure(void)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .job = WRITE_LOCK, .part = READ_LOCK };
	struct maui_hold_times holds = { 0 };
	int64_t since_us;

	lock_slurmctld(locks);
	since_us = maui_monotonic_us();
	if (returned_below > 0) { /* the agent does it for the other jobs */
		maui_shares_reconfigure();
		lock_associations();
		list_for_each(job_list, return_again, NULL);
		unlock_associations();
	}
	maui_hold_note(&holds, since_us);
	unlock_slurmctld(locks);
	debug("slurm-maui: usage of associations after a reconfigure; lock held for %u us",
	      holds.longest_us);
}

/* ---- all jobs ---- */

static int decay_association(void *x, void *arg)
{
	association_decay(x, *(const double *)arg);
	return 0;
}

static int decay_qos(void *x, void *arg)
{
	slurmdb_qos_rec_t *qos = x;
	double factor = *(const double *)arg;

	if (factor == 0 || !(qos->flags & QOS_FLAG_NO_DECAY))
		qos_decay(qos, factor);
	return 0;
}

static void decay_all(double factor)
{
	list_for_each(assoc_mgr_assoc_list, decay_association, &factor);
	list_for_each(assoc_mgr_qos_list, decay_qos, &factor);
}

static void reset_if_due(int64_t now_s, int64_t *reset_s)
{
	static const enum maui_reset_period periods[] = {
		[PRIORITY_RESET_DAILY] = MAUI_RESET_DAILY,
		[PRIORITY_RESET_WEEKLY] = MAUI_RESET_WEEKLY,
		[PRIORITY_RESET_MONTHLY] = MAUI_RESET_MONTHLY,
		[PRIORITY_RESET_QUARTERLY] = MAUI_RESET_QUARTERLY,
		[PRIORITY_RESET_YEARLY] = MAUI_RESET_YEARLY,
	};
	uint16_t period = slurm_conf.priority_reset_period;
	int64_t next_s;

	if (period == PRIORITY_RESET_NOW && !has_reset) {
		decay_all(0);
		*reset_s = now_s;
		has_reset = true;
	}
	if (period >= sizeof(periods) / sizeof(periods[0]))
		return;
	next_s = maui_slurm_usage_next_reset(periods[period], *reset_s, now_s);
	if (next_s > 0 && now_s >= next_s) {
		decay_all(0);
		*reset_s = next_s;
	}
}

static void decay_since(int64_t counted_s, int64_t now_s)
{
	double factor;

	if (counted_s == 0 || now_s <= counted_s || slurm_conf.priority_decay_hl == 0)
		return;
	factor = pow(maui_slurm_usage_decay(slurm_conf.priority_decay_hl),
		     (double)(now_s - counted_s));
	decay_all(factor < DBL_MIN ? DBL_MIN : factor);
}

/* Jobs that use anything, or have used it as far as slurmctld counted at its start; by id,
 * ascending. */
struct running {
	uint32_t *ids;
	size_t count, room;
};

static int list_job(void *x, void *arg)
{
	const job_record_t *job_ptr = x;
	struct running *list = arg;

	if ((runs(job_ptr) || IS_JOB_RUNNING(job_ptr)) && list->count < list->room)
		list->ids[list->count++] = job_ptr->job_id;
	return 0;
}

/* -1 without memory. */
static int list_running(struct running *ret, struct maui_hold_times *holds)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };
	int64_t since_us;

	lock_slurmctld(locks);
	since_us = maui_monotonic_us();
	*ret = (struct running){ .room = (size_t)list_count(job_list) };
	ret->ids = malloc((ret->room + 1) * sizeof(*ret->ids));
	if (ret->ids)
		list_for_each(job_list, list_job, ret);
	maui_hold_note(holds, since_us);
	unlock_slurmctld(locks);
	if (ret->count > 1)
		qsort(ret->ids, ret->count, sizeof(*ret->ids), maui_sort_by_u32);
	return ret->ids ? 0 : -1;
}

/* Before the jobs, so that a job is not decayed for the time that it has just run. */
static void decay_and_reset(int64_t now_s, struct last_count *then, struct maui_hold_times *holds)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	int64_t since_us;

	lock_slurmctld(locks);
	since_us = maui_monotonic_us();
	lock_associations();
	reset_if_due(now_s, &then->reset_s);
	decay_since(then->counted_s, now_s);
	unlock_associations();
	maui_hold_note(holds, since_us);
	unlock_slurmctld(locks);
}

/* Nothing is counted when the clock was set back. */
static bool counts(const struct last_count *then)
{
	return then->counted_s > last.counted_s;
}

static void count_next(uint32_t id, const struct last_count *then)
{
	job_record_t *job_ptr = find_job_record(id);

	if (job_ptr && !was_returned(job_ptr))
		return_counted(job_ptr);
	if (returned_below <= id)
		returned_below = id + 1;
	if (!counts(then))
		return;
	if (job_ptr && runs(job_ptr))
		count_job(job_ptr, then->counted_s, false);
	ongoing.below = id + 1;
}

/* One hold of the locks. Returns the index of the next job. */
static size_t count_some(const struct running *list, size_t at, const struct last_count *then,
			 struct maui_hold_times *holds)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .job = WRITE_LOCK, .part = READ_LOCK };
	int64_t since_us, held_us;

	lock_slurmctld(locks);
	since_us = maui_monotonic_us();
	lock_associations();
	while (at < list->count) { /* one job at least, however long the locks took */
		count_next(list->ids[at++], then);
		if (maui_monotonic_us() - since_us >= COUNT_HOLD_US)
			break;
	}
	unlock_associations();
	if (at == list->count) {
		last = *then;
		ongoing.below = 0;
		returned_below = ALL_JOBS;
	}
	held_us = maui_hold_note(holds, since_us);
	unlock_slurmctld(locks);
	if (at < list->count)
		maui_hold_give_way(held_us);
	return at;
}

static void count_jobs(const struct running *list, const struct last_count *then,
		       struct maui_hold_times *holds)
{
	size_t at = counts(then) || returned_below < ALL_JOBS ? 0 : list->count;

	ongoing.until_s = then->counted_s; /* nobody reads it before the first job is counted */
	do
		at = count_some(list, at, then, holds);
	while (at < list->count);
}

static void rank(struct maui_hold_times *holds)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	int64_t since_us;

	lock_slurmctld(locks);
	since_us = maui_monotonic_us();
	lock_associations();
	assoc_mgr_root_assoc->usage->usage_efctv = 1;
	maui_shares_rank_all();
	unlock_associations();
	due_s += slurm_conf.priority_calc_period;
	maui_hold_note(holds, since_us);
	unlock_slurmctld(locks);
}

void maui_associations_tend(int64_t now_s, bool reconfigured, struct maui_hold_times *ret_holds)
{
	struct last_count then = last;
	struct running list;

	if (reconfigured)
		has_reset = false;
	if (!has_associations() || (now_s < due_s && due_s - now_s <= LONGEST_PERIOD_S))
		return;
	if (list_running(&list, ret_holds))
		return; /* the next cycle tries again */
	due_s = now_s;
	decay_and_reset(now_s, &then, ret_holds);
	then.counted_s = now_s;
	count_jobs(&list, &then, ret_holds);
	free(list.ids);
	rank(ret_holds);
	write_last_count(&then);
}
