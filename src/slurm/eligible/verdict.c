/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verdict.c - the checks and writes that sched/backfill makes before it plans a job */

#include "slurm/compat.h"

#include "slurm/eligible/verdict.h"

#include <string.h>

#include "base/hash.h"
#include "policy/admission.h"
#include "slurm/het_jobs.h"

static void set_reason(job_record_t *job_ptr, uint32_t reason)
{
	job_ptr->state_reason = reason;
	xfree(job_ptr->state_desc);
	last_job_update = time(NULL);
}

bool maui_verdict_is_pending(const struct job_record *job_ptr)
{
	return IS_JOB_PENDING(job_ptr) && !IS_JOB_COMPLETING(job_ptr) && !IS_JOB_REVOKED(job_ptr) &&
	       job_ptr->details;
}

static bool is_worth_the_database(const job_record_t *job_ptr)
{
	return job_ptr->state_reason != WAIT_NO_REASON && job_ptr->state_reason != WAIT_PRIORITY &&
	       job_ptr->state_reason != WAIT_RESOURCES &&
	       job_ptr->state_reason != job_ptr->state_reason_prev_db;
}

void maui_verdict_renew(struct job_record *job_ptr)
{
	job_ptr->bit_flags &= ~BACKFILL_SCHED;
	set_job_failed_assoc_qos_ptr(job_ptr);
	acct_policy_handle_accrue_time(job_ptr, false);
	if (is_worth_the_database(job_ptr)) {
		job_ptr->state_reason_prev_db = job_ptr->state_reason;
		last_job_update = time(NULL);
	}
	job_ptr->preempt_in_progress = false;
	if (job_ptr->array_recs)
		job_ptr->array_recs->pend_run_tasks = 0;
	if (job_ptr->resv_list)
		job_ptr->resv_ptr = NULL;
}

static bool is_hold(uint32_t reason)
{
	return reason == WAIT_HELD || reason == WAIT_HELD_USER || reason == WAIT_MAX_REQUEUE ||
	       maui_compat_is_reservation_hold(reason);
}

/* Whether the last run of a requeued job still completes. */
static bool is_cleaning(const job_record_t *job_ptr)
{
	return job_ptr->details->prolog_running || maui_compat_select_cleans(job_ptr) ||
	       (job_ptr->step_list && list_count(job_ptr->step_list));
}

static enum maui_reason find_reason(const job_record_t *job_ptr)
{
	uint32_t reason = job_ptr->state_reason;

	if (is_hold(reason))
		return MAUI_REASON_HELD;
	if (reason == WAIT_DEPENDENCY || reason == WAIT_DEP_INVALID)
		return MAUI_REASON_DEPENDENCY;
	return reason == WAIT_TIME ? MAUI_REASON_BEGIN_TIME : MAUI_REASON_SLURM;
}

enum maui_reason maui_verdict_job(struct job_record *job_ptr)
{
	uint32_t reason;
	bool independent;

	/* EnforceUsageThreshold: Slurm keeps the factor that it first saw until somebody clears it */
	if (job_ptr->prio_factors)
		job_ptr->prio_factors->priority_fs = 0;
	if (is_cleaning(job_ptr)) {
		if (job_ptr->state_reason != WAIT_CLEANING)
			set_reason(job_ptr, WAIT_CLEANING);
		return MAUI_REASON_SLURM;
	}
	/* for held jobs, too: cancels jobs whose dependency can never be satisfied */
	independent = job_independent(job_ptr);
	reason = job_ptr->state_reason;
	if (job_ptr->priority == 0) {
		if (!is_hold(reason) && reason != FAIL_BAD_CONSTRAINTS &&
		    reason != FAIL_BURST_BUFFER_OP)
			set_reason(job_ptr, WAIT_HELD);
		return MAUI_REASON_HELD;
	}
	if (independent)
		return job_ptr->het_job_id && !maui_het_jobs_start() ? MAUI_REASON_HET :
								       MAUI_REASON_NONE;
	if (reason == WAIT_HELD || reason == WAIT_HELD_USER) /* released, but still dependent */
		set_reason(job_ptr, WAIT_DEPENDENCY);
	return find_reason(job_ptr);
}

enum maui_reason maui_verdict_limits(struct job_record *job_ptr)
{
	/* against --time-min where there is one: the plan may cut the limit to it */
	uint32_t reason = (uint32_t)job_limits_check(&job_ptr, true);

	if (reason != job_ptr->state_reason &&
	    (reason != WAIT_NO_REASON || maui_compat_waits_for_partition(job_ptr)))
		set_reason(job_ptr, reason);
	if (reason == WAIT_PART_DOWN || reason == WAIT_PART_INACTIVE ||
	    !(job_ptr->part_ptr->state_up & PARTITION_SCHED) || !job_ptr->part_ptr->node_bitmap)
		return MAUI_REASON_PARTITION;
	return reason == WAIT_NO_REASON ? MAUI_REASON_NONE : MAUI_REASON_SLURM;
}

static bool qos_is_allowed(job_record_t *job_ptr, uint32_t *ret_flags)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	bool valid, taken = false;

	assoc_mgr_lock(&locks);
	valid = maui_verdict_has_valid_qos(job_ptr);
	*ret_flags = job_ptr->qos_ptr ? job_ptr->qos_ptr->flags : 0;
	if (valid)
		taken = maui_compat_takes_qos(job_ptr->part_ptr, job_ptr) &&
			part_policy_valid_acct(job_ptr->part_ptr,
					       job_ptr->assoc_ptr ? job_ptr->assoc_ptr->acct : NULL,
					       job_ptr) == SLURM_SUCCESS;
	assoc_mgr_unlock(&locks);
	if (!valid) {
		job_fail_qos(job_ptr, __func__, false);
		last_job_update = time(NULL);
	}
	return taken;
}

/* ---- AllowGroups ----
 *
 * Slurm looks at groups when a job is submitted, with EnforcePartLimits, and when it is started: a
 * job of several partitions goes on to the next one then. So a plan must know. Slurm asks the name
 * service for a user whom its list does not have; here that is asked between two cycles, without
 * locks.
 *
 * The list of a partition may have thousands of users, so an answer is remembered for half a
 * minute. Two users who share a slot are looked up in turn.
 */

enum { SLOTS = 4096, REMEMBERED_S = 30 };

/* Partitions are compared by address alone: the table is emptied when any has changed. */
static struct {
	time_t since, update; /* when it was emptied, and the change of partitions before that */
	struct {
		const part_record_t *part_ptr;
		uid_t uid;
		bool admitted;
	} slots[SLOTS];
} seen;

/* Another change may follow in the second of the one that was seen: when that second is over the
 * table is emptied once more. */
static void forget_old(time_t now)
{
	bool same = seen.update == last_part_update && now >= seen.since &&
		    now < seen.since + REMEMBERED_S;

	if (same && (seen.since > last_part_update || now == seen.since))
		return;
	memset(&seen, 0, sizeof(seen));
	seen.since = now;
	seen.update = last_part_update;
}

/* By one thread. A user whose own group is not known yet is admitted: Slurm decides when the job is
 * started. */
static bool groups_admit(const part_record_t *part_ptr, uid_t uid,
			 const struct maui_eligible_questions *questions)
{
	size_t at = maui_hash_mix((uintptr_t)part_ptr, uid) % SLOTS;
	struct maui_admission_groups groups;
	const char *group;
	bool admitted, asks;

	if (!part_ptr->allow_groups || uid == 0 || uid == slurm_conf.slurm_user_id)
		return true;
	forget_old(time(NULL));
	if (seen.slots[at].part_ptr == part_ptr && seen.slots[at].uid == uid)
		return seen.slots[at].admitted;
	groups = (struct maui_admission_groups){
		.groups = part_ptr->allow_groups,
		.has_members = maui_compat_lists_any_user(part_ptr),
		.listed = maui_compat_lists_user(part_ptr, uid),
	};
	asks = groups.has_members && !groups.listed;
	group = asks ? questions->primary_group(questions->data, uid) : NULL;
	admitted = maui_admission_by_groups(&groups, group, true);
	if (asks && !group) /* not remembered: the name may be known next time */
		return admitted;
	seen.slots[at].part_ptr = part_ptr;
	seen.slots[at].uid = uid;
	seen.slots[at].admitted = admitted;
	return admitted;
}

/* With the reason that select_nodes() gives. */
static bool group_is_allowed(job_record_t *job_ptr, const struct maui_eligible_questions *questions)
{
	if (groups_admit(job_ptr->part_ptr, job_ptr->user_id, questions))
		return true;
	set_reason(job_ptr, WAIT_ACCOUNT);
	xstrfmtcat(job_ptr->state_desc,
		   "uid %u not in group permitted to use this partition (%s). groups allowed: %s",
		   job_ptr->user_id, job_ptr->part_ptr->name, job_ptr->part_ptr->allow_groups);
	return false;
}

/* Checks limits on sums of associations and QOS by what the job asks for: with --time-min, by the
 * shortest time, as in sched/backfill. select_nodes() checks them again with what it would give. */
static bool sums_are_within_limits(job_record_t *job_ptr, uint32_t nodes)
{
	size_t size = slurmctld_tres_cnt * sizeof(uint64_t);
	uint32_t limit = job_ptr->time_limit;
	uint64_t *asked;
	bool within;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) || !job_ptr->tres_req_cnt)
		return true;
	asked = xmalloc_nz(size);
	memcpy(asked, job_ptr->tres_req_cnt, size);
	asked[TRES_ARRAY_NODE] = nodes;
	job_ptr->time_limit = maui_verdict_least_minutes(job_ptr);
	within = acct_policy_job_runnable_post_select(job_ptr, asked, false);
	job_ptr->time_limit = limit;
	xfree(asked);
	return within;
}

enum maui_reason maui_verdict_partition(struct job_record *job_ptr,
					const struct maui_eligible_questions *questions,
					uint32_t *ret_min, uint32_t *ret_max,
					bool *ret_no_reservation)
{
	enum maui_reason reason = maui_verdict_limits(job_ptr);
	uint32_t flags, wanted;
	int code;

	*ret_min = job_ptr->details->min_nodes;
	*ret_max = job_ptr->details->max_nodes;
	*ret_no_reservation = false;
	if (reason != MAUI_REASON_NONE)
		return reason;
	if (!qos_is_allowed(job_ptr, &flags) || !group_is_allowed(job_ptr, questions) ||
	    !acct_policy_job_runnable_pre_select(job_ptr, false))
		return MAUI_REASON_SLURM;
	*ret_no_reservation = flags & QOS_FLAG_NO_RESERVE;
	code = get_node_cnts(job_ptr, flags, job_ptr->part_ptr, ret_min, &wanted, ret_max);
	if (code == ESLURM_REQUESTED_PART_CONFIG_UNAVAILABLE) {
		if (job_ptr->state_reason != WAIT_PART_NODE_LIMIT)
			set_reason(job_ptr, WAIT_PART_NODE_LIMIT);
		return MAUI_REASON_SLURM;
	}
	if (code == ESLURM_ACCOUNTING_POLICY || !sums_are_within_limits(job_ptr, *ret_min))
		return MAUI_REASON_SLURM;
	/* any number of nodes, unless the user gave it (EXACTNODE). A maximum below the minimum,
	 * as where --nodelist is longer than --nodes, stays: the plan then says that no set of
	 * nodes can serve the job */
	if (!job_ptr->details->max_nodes && *ret_max >= *ret_min &&
	    *ret_max >= (uint32_t)node_record_count)
		*ret_max = 0;
	return MAUI_REASON_NONE;
}

uint32_t maui_verdict_least_minutes(const struct job_record *job_ptr)
{
	return job_ptr->time_min > 0 && job_ptr->time_min < job_ptr->time_limit ?
		       job_ptr->time_min :
		       job_ptr->time_limit;
}

/* A job without any limit gets what is left, and a minute at least. */
int64_t maui_verdict_start_by(const struct job_record *job_ptr)
{
	uint32_t minutes = maui_verdict_least_minutes(job_ptr);

	if (!job_ptr->deadline || job_ptr->deadline == NO_VAL)
		return 0;
	if (minutes == NO_VAL || minutes == INFINITE)
		minutes = 1;
	return job_ptr->deadline - (int64_t)minutes * 60;
}

bool maui_verdict_meets_deadline(struct job_record *job_ptr)
{
	static char me[] = "slurm-maui";

	return !job_ptr->deadline || job_ptr->deadline == NO_VAL || deadline_ok(job_ptr, me);
}
