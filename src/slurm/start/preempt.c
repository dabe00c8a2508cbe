/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preempt.c - struct maui_preempt_order -> job_requeue(), job_suspend(), slurm_job_preempt() */

#include "slurm/compat.h"

#include "slurm/start/preempt.h"
#include "slurm/start/private.h"

#include "slurm/capture/cluster.h"
#include "slurm/capture/preemption.h"
#include "slurm/hold.h"

#include "src/common/job_resources.h"

static const char *const done_texts[] = {
	[MAUI_ACTION_REQUEUE] = "requeued",
	[MAUI_ACTION_SUSPEND] = "suspended",
	[MAUI_ACTION_RESUME] = "resumed",
	[MAUI_ACTION_CANCEL] = "cancelled",
};

/* ---- resume ---- */

/* Whether two jobs have a core in common on one node: node a of the one, node b of the other. */
static bool share_cores(job_resources_t *one, int a, job_resources_t *other, int b)
{
	uint16_t sockets, cores, other_sockets, other_cores;

	if (get_job_resources_cnt(one, (uint32_t)a, &sockets, &cores) != SLURM_SUCCESS ||
	    get_job_resources_cnt(other, (uint32_t)b, &other_sockets, &other_cores) !=
		    SLURM_SUCCESS ||
	    sockets != other_sockets || cores != other_cores)
		return true; /* the node has changed since: the job waits */
	for (uint16_t s = 0; s < sockets; s++)
		for (uint16_t core = 0; core < cores; core++)
			if (maui_compat_has_core(one, (uint32_t)a, s, core) &&
			    maui_compat_has_core(other, (uint32_t)b, s, core))
				return true;
	return false;
}

static bool jobs_share_cores(job_resources_t *one, job_resources_t *other)
{
	int a = -1, b = -1;

	if (!bit_overlap_any(one->node_bitmap, other->node_bitmap))
		return false;
	for (bitoff_t n = 0; n < bit_size(one->node_bitmap); n++) {
		bool in_one = bit_test(one->node_bitmap, n);
		bool in_other = bit_test(other->node_bitmap, n);

		a += in_one;
		b += in_other;
		if (in_one && in_other && share_cores(one, a, other, b))
			return true;
	}
	return false;
}

static bool has_cores(const job_record_t *job_ptr)
{
	return job_ptr->job_resrcs && job_ptr->job_resrcs->node_bitmap &&
	       job_ptr->job_resrcs->core_bitmap;
}

/* Whether no running job has one of the job's cores: Slurm gives the cores of a suspended job to
 * others, and resumes it without a check. Under job READ, node READ. */
static bool cores_are_free(const void *record)
{
	const job_record_t *job_ptr = record, *other;
	maui_compat_iterator_t iterator;
	bool fits = has_cores(job_ptr);

	iterator = list_iterator_create(job_list);
	while (fits && (other = list_next(iterator)))
		if (other != job_ptr && has_cores(other) &&
		    (IS_JOB_RUNNING(other) || IS_JOB_COMPLETING(other)) &&
		    bit_size(other->job_resrcs->node_bitmap) ==
			    bit_size(job_ptr->job_resrcs->node_bitmap))
			fits = !jobs_share_cores(job_ptr->job_resrcs, other->job_resrcs);
	list_iterator_destroy(iterator);
	return fits;
}

/* ---- orders ---- */

bool maui_preempt_by_slurm(void)
{
	return maui_compat_slurm_preempts();
}

static bool may_requeue(const job_record_t *job_ptr)
{
	return IS_JOB_RUNNING(job_ptr) && maui_preemption_is_requeueable(job_ptr) &&
	       job_ptr->part_ptr;
}

/* While nodes boot or a prolog runs, Slurm has no process to stop. */
static bool may_suspend(const job_record_t *job_ptr)
{
	return IS_JOB_RUNNING(job_ptr) && !IS_JOB_CONFIGURING(job_ptr) &&
	       job_ptr->state_reason != WAIT_PROLOG && !job_ptr->details->prolog_running;
}

/* Whether the job may be preempted in this way: it is running; only batch jobs without
 * --no-requeue are requeued; no job is suspended while nodes boot or a prolog runs. Under job
 * READ. */
static bool may_preempt(const struct job_record *job_ptr, enum maui_preempt_action how)
{
	if (!job_ptr || !job_ptr->details || IS_JOB_COMPLETING(job_ptr) ||
	    (job_ptr->het_job_id && how != MAUI_ACTION_CANCEL))
		return false;
	switch (how) {
	case MAUI_ACTION_REQUEUE:
		return may_requeue(job_ptr);
	case MAUI_ACTION_SUSPEND:
		return may_suspend(job_ptr);
	case MAUI_ACTION_RESUME:
		return IS_JOB_SUSPENDED(job_ptr);
	case MAUI_ACTION_CANCEL:
		return IS_JOB_CONFIGURING(job_ptr);
	}
	return false;
}

/* Logs a refusal once: the next cycle tries again. */
static void log_refusal(const struct maui_preempt_order *order, const job_record_t *job_ptr)
{
	log_level_t level = order->again ? LOG_LEVEL_DEBUG : LOG_LEVEL_INFO;
	const char *why = order->code == ESLURM_DISABLED ? "it may not be preempted now" :
							   slurm_strerror(order->code);

	if (order->for_job_id)
		log_var(level, "slurm-maui: %pJ not %s for JobId=%u: %s", job_ptr,
			done_texts[order->how], order->for_job_id, why);
	else
		log_var(level, "slurm-maui: %pJ not %s: %s", job_ptr, done_texts[order->how], why);
}

/* Slurm takes the priority of a job that somebody suspends. The job would be held once it is
 * requeued, as when its node fails, and nobody has held it. */
static int suspend(job_record_t *job_ptr)
{
	uint32_t priority = job_ptr->priority;
	int code = maui_compat_suspend(job_ptr->job_id, SUSPEND_JOB);

	if (code == SLURM_SUCCESS)
		job_ptr->priority = priority;
	return code;
}

/* The modes of Slurm's own preemption. */
static enum maui_preempt_action action_of(uint16_t mode)
{
	switch (mode) {
	case PREEMPT_MODE_SUSPEND:
		return MAUI_ACTION_SUSPEND;
	case PREEMPT_MODE_REQUEUE:
		return MAUI_ACTION_REQUEUE;
	default:
		return MAUI_ACTION_CANCEL;
	}
}

/* For list_find_first() as well. */
static int is_kept_from(void *x, void *arg)
{
	job_record_t *job_ptr = x, *preemptor = arg;
	job_queue_rec_t one = { .job_ptr = preemptor,
				.part_ptr = preemptor->part_ptr,
				.priority = preemptor->priority };
	job_queue_rec_t other = { .job_ptr = job_ptr,
				  .part_ptr = job_ptr->part_ptr,
				  .priority = job_ptr->priority };

	return job_ptr->part_ptr && !preempt_g_job_preempt_check(&one, &other);
}

/* Asks again about the two jobs as they are now, of a het job about each component; the plan may
 * know an earlier QOS or priority. In which of several partitions the preemptor was planned is not
 * known here. */
static bool still_may_preempt(job_record_t *preemptor, job_record_t *job_ptr)
{
	if (!preemptor || !preemptor->part_ptr || preemptor->part_ptr_list)
		return true;
	if (job_ptr->het_job_list)
		return !list_find_first(job_ptr->het_job_list, is_kept_from, preemptor);
	return !is_kept_from(job_ptr, preemptor);
}

/* How Slurm's own preemption would have the job go for the preemptor; PREEMPT_MODE_OFF: it must
 * stay. */
static uint16_t mode_for(job_record_t *job_ptr, job_record_t *preemptor)
{
	uint16_t mode;

	if (job_ptr->preempt_time) /* it has to go */
		return slurm_job_preempt_mode(job_ptr);
	mode = maui_preemption_mode(job_ptr);
	if (!still_may_preempt(preemptor, job_ptr) ||
	    (mode == PREEMPT_MODE_SUSPEND && !may_suspend(job_ptr)))
		return PREEMPT_MODE_OFF;
	return mode;
}

/* Slurm signals the job, ends it at once or at the end of its grace time, and logs that. Slurm
 * cannot suspend a job without GANG; slurm-maui can. */
static int preempt_by_slurm(job_record_t *job_ptr, struct maui_preempt_order *order)
{
	job_record_t *preemptor = find_job_record(order->for_job_id);
	uint16_t mode = mode_for(job_ptr, preemptor);
	int code;

	if (mode == PREEMPT_MODE_OFF)
		return ESLURM_DISABLED;
	order->how = action_of(mode);
	if (order->how == MAUI_ACTION_SUSPEND)
		return suspend(job_ptr);
	preempt_send_user_signal = maui_compat_preempt_signals();
	code = slurm_job_preempt(job_ptr, preemptor, mode, true);
	if (order->how == MAUI_ACTION_REQUEUE && IS_JOB_FINISHED(job_ptr))
		order->how = MAUI_ACTION_CANCEL; /* it cannot be requeued */
	if (code == SLURM_SUCCESS || !IS_JOB_RUNNING(job_ptr) || !job_ptr->preempt_time)
		return code;
	order->grace_until_s = job_ptr->end_time;
	return SLURM_SUCCESS;
}

static void log_order(const struct maui_preempt_order *order, const job_record_t *job_ptr)
{
	if (order->grace_until_s)
		info("slurm-maui: %pJ has %lld s to end, to make room for JobId=%u", job_ptr,
		     (long long)(order->grace_until_s - time(NULL)), order->for_job_id);
	else if (order->for_job_id)
		info("slurm-maui: %s %pJ to make room for JobId=%u", done_texts[order->how],
		     job_ptr, order->for_job_id);
	else
		info("slurm-maui: %s %pJ", done_texts[order->how], job_ptr);
}

/* A het job as a whole. */
static int cancel(job_record_t *job_ptr)
{
	job_record_t *leader = job_ptr->het_job_id ? find_job_record(job_ptr->het_job_id) : NULL;

	return leader && leader->het_job_list ? het_job_signal(leader, SIGKILL, 0, 0, false) :
						job_signal(job_ptr, SIGKILL, 0, 0, false);
}

static int call_slurm(job_record_t *job_ptr, const struct maui_preempt_order *order)
{
	switch (order->how) {
	case MAUI_ACTION_REQUEUE:
		return maui_compat_requeue(job_ptr);
	case MAUI_ACTION_SUSPEND:
		return suspend(job_ptr);
	case MAUI_ACTION_RESUME:
		return maui_compat_suspend(order->job_id, RESUME_JOB);
	case MAUI_ACTION_CANCEL:
		return cancel(job_ptr);
	}
	return ESLURM_NOT_SUPPORTED;
}

/* Whether the run that the plan knew still goes on. */
static bool is_same_run(const job_record_t *job_ptr, const struct maui_preempt_order *order)
{
	return job_ptr && job_ptr->start_time == order->start_s && !IS_JOB_COMPLETING(job_ptr) &&
	       (IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr));
}

/* Whether the preempting job still waits; an array waits while its head exists. */
static bool job_still_waits(const struct maui_preempt_order *order)
{
	const job_record_t *job_ptr = order->for_job_id ? find_job_record(order->for_job_id) : NULL;

	return !order->for_job_id || order->anyway ||
	       (job_ptr && IS_JOB_PENDING(job_ptr) && job_ptr->priority != 0);
}

/* Executes one order. Logs before the record may be gone, since one line names both jobs. */
static void preempt_one(struct maui_preempt_order *order)
{
	job_record_t *job_ptr = find_job_record(order->job_id);

	order->code = ESLURM_INVALID_JOB_ID;
	if (!is_same_run(job_ptr, order) || !job_still_waits(order))
		return;
	if (order->by_slurm)
		order->code = preempt_by_slurm(job_ptr, order);
	else if (!may_preempt(job_ptr, order->how))
		order->code = ESLURM_DISABLED;
	else if (order->how == MAUI_ACTION_RESUME && !cores_are_free(job_ptr))
		order->code = ESLURM_NODES_BUSY;
	else
		order->code = call_slurm(job_ptr, order);
	order->done = order->code == SLURM_SUCCESS;
	if (order->done)
		log_order(order, job_ptr);
	else if (order->how != MAUI_ACTION_RESUME)
		log_refusal(order, job_ptr);
}

/* Whether the job waits because slurmctld delays it after a requeue, and not since somebody has set
 * a begin time. The requeue sets both times. */
static bool is_delayed_by_requeue(const job_record_t *job_ptr)
{
	const char *name, *options = maui_compat_requeue_delay(&name);
	const char *set = xstrcasestr(options, name);
	int64_t delay_s = set ? strtoll(set + strlen(name), NULL, 10) : 120;
	int64_t waits_s = job_ptr->details->begin_time - job_ptr->details->submit_time;

	return !(job_ptr->bit_flags & CRON_JOB) && waits_s >= delay_s && waits_s <= delay_s + 2;
}

static enum maui_restart restart_one(job_record_t *job_ptr)
{
	time_t now = time(NULL);

	if (job_ptr && IS_JOB_RUNNING(job_ptr) && job_ptr->preempt_time)
		return MAUI_RESTART_LATER; /* in its grace time */
	if (!job_ptr || !job_ptr->details || job_ptr->restart_cnt == 0)
		return MAUI_RESTART_NEVER;
	if (IS_JOB_COMPLETING(job_ptr))
		return MAUI_RESTART_LATER;
	if (!IS_JOB_PENDING(job_ptr) || job_ptr->details->begin_time <= now + 1 ||
	    !is_delayed_by_requeue(job_ptr))
		return MAUI_RESTART_NEVER;
	/* slurmd refuses a launch in the very second in which it ended the job, and then slurmctld
	 * ends the job for good */
	job_ptr->details->begin_time = now + 1;
	if (job_ptr->state_reason == WAIT_TIME) {
		job_ptr->state_reason = WAIT_NO_REASON;
		xfree(job_ptr->state_desc);
	}
	last_job_update = now;
	info("slurm-maui: %pJ may start again at once: the job that it made room for does not start there",
	     job_ptr);
	return MAUI_RESTART_DONE;
}

/* A het job with all its components. */
static enum maui_restart restart(job_record_t *job_ptr)
{
	enum maui_restart done = MAUI_RESTART_NEVER;
	maui_compat_iterator_t iterator;
	job_record_t *one;

	if (!job_ptr || !job_ptr->het_job_list)
		return restart_one(job_ptr);
	iterator = list_iterator_create(job_ptr->het_job_list);
	while (done != MAUI_RESTART_LATER && (one = list_next(iterator))) {
		enum maui_restart of_one = restart_one(one);

		done = of_one == MAUI_RESTART_NEVER ? done : of_one;
	}
	list_iterator_destroy(iterator);
	return done;
}

enum maui_restart maui_preempt_restart(uint32_t job_id, struct maui_hold_times *holds)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK };
	enum maui_restart done;
	int64_t since;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	done = restart(find_job_record(job_id));
	maui_hold_note(holds, since);
	unlock_slurmctld(locks);
	if (done == MAUI_RESTART_DONE)
		schedule_job_save();
	return done;
}

/* Whether the job could not go now, though its run goes on. */
static bool must_stay(const struct maui_preempt_order *order)
{
	job_record_t *job_ptr = find_job_record(order->job_id);

	if (!is_same_run(job_ptr, order))
		return false; /* it makes room anyway */
	if (order->by_slurm)
		return mode_for(job_ptr, find_job_record(order->for_job_id)) == PREEMPT_MODE_OFF;
	return !may_preempt(job_ptr, order->how);
}

/* The first of the jobs that go for one preemptor that must stay; `end`: none. */
static size_t find_staying(const struct maui_preempt_order *orders, size_t at, size_t end)
{
	while (at < end && !must_stay(&orders[at]))
		at++;
	return at;
}

/* Orders for one preemptor follow one another. */
static size_t end_of_group(const struct maui_preempt_order *orders, size_t at, size_t count)
{
	size_t end = at + 1;

	while (!orders[at].anyway && end < count && orders[end].for_job_id == orders[at].for_job_id)
		end++;
	return end;
}

/* Whether the order is of the preemption that slurm.conf sets: a reconfigure may have changed it
 * since the plan. */
static bool is_allowed(const struct maui_preempt_order *order)
{
	return maui_preempt_by_slurm() == order->by_slurm || order->how == MAUI_ACTION_RESUME ||
	       order->how == MAUI_ACTION_CANCEL;
}

/* Executes one order. Before the first one for a preemptor all are looked at: if one of the jobs
 * must stay, the others would go for nothing. Returns the index of the next order. */
static size_t preempt_next(struct maui_preempt_order *orders, size_t at, size_t count)
{
	bool first = orders[at].for_job_id && job_still_waits(&orders[at]) &&
		     (at == 0 || orders[at].for_job_id != orders[at - 1].for_job_id);
	size_t end = first ? end_of_group(orders, at, count) : at;
	size_t staying = find_staying(orders, at, end);

	if (!is_allowed(&orders[at]))
		return at + 1;
	if (staying < end) {
		for (; at < end; at++)
			orders[at].code = ESLURM_DISABLED;
		log_refusal(&orders[staying], find_job_record(orders[staying].job_id));
		return end;
	}
	preempt_one(&orders[at]);
	return at + 1;
}

/* One hold of the locks. Returns the index of the next order, `count` when the node table has
 * changed. */
static size_t preempt_some(struct maui_preempt_order *orders, size_t at, size_t count,
			   const uint64_t *table, struct maui_hold_times *writes)
{
	int64_t since, held_us;

	lock_slurmctld(maui_start_locks);
	since = maui_monotonic_us();
	if (table && !maui_cluster_is_current(*table))
		at = count;
	while (at < count && maui_monotonic_us() - since < MAUI_HOLD_MAX_US)
		at = preempt_next(orders, at, count);
	held_us = maui_hold_note(writes, since);
	unlock_slurmctld(maui_start_locks);
	if (at < count)
		maui_hold_give_way(held_us);
	return at;
}

void maui_preempt_jobs(struct maui_preempt_order *orders, size_t count, const uint64_t *table,
		       struct maui_hold_times *writes)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		orders[i].done = false;
		orders[i].code = ESLURM_NOT_SUPPORTED;
	}
	for (size_t at = 0; at < count;)
		at = preempt_some(orders, at, count, table, writes);
	for (size_t i = 0; i < count; i++)
		any |= orders[i].done;
	if (any)
		schedule_job_save();
}
