/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_job.c - holds, releases and cancels jobs as scontrol and scancel do */

#include "slurm/compat.h"

#include "slurm/change_job.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "slurm/change_tally.h"
#include "slurm/eligible/arrays.h"

enum { RECORDS_MAX = 100000 }; /* of one array, in one request */

struct found {
	uint32_t array;
	struct maui_job_record *records;
	size_t count, room;
	bool waiting_only;
	bool components; /* a leader stands for its whole het job */
	bool runs;       /* with waiting_only: a record that does not wait was left out */
	bool more;       /* than there is room for */
};

static void note_record(const job_record_t *job_ptr, struct found *found)
{
	if (IS_JOB_FINISHED(job_ptr) || !job_ptr->details)
		return;
	if (found->waiting_only && !IS_JOB_PENDING(job_ptr)) {
		found->runs = true;
		return;
	}
	if (found->count == found->room) {
		found->more = true;
		return;
	}
	found->records[found->count++] =
		(struct maui_job_record){ .job_id = job_ptr->job_id,
					  .array_job_id = job_ptr->array_job_id,
					  .submit_s = job_ptr->details->submit_time,
					  .restarted = job_ptr->restart_cnt > 0 };
}

static int note_component(void *element, void *arg)
{
	note_record(element, arg);
	return 0;
}

static int note_task(void *element, void *arg)
{
	const job_record_t *job_ptr = element;
	struct found *found = arg;

	if (job_ptr->job_id == found->array || job_ptr->array_job_id == found->array)
		note_record(job_ptr, found);
	return 0;
}

static slurmctld_lock_t write_locks = { .conf = READ_LOCK,
					.job = WRITE_LOCK,
					.node = WRITE_LOCK,
					.part = READ_LOCK,
					.fed = READ_LOCK };

/* Makes a task a record of its own, as scontrol does before it changes one. */
static enum maui_change_result split_off(const struct maui_job_choice *choice,
					 struct maui_hold_times *writes)
{
	enum maui_change_result result = MAUI_CHANGE_DONE;
	job_record_t *job_ptr;
	int64_t since_us;

	lock_slurmctld(write_locks);
	since_us = maui_monotonic_us();
	job_ptr = find_job_array_rec(choice->job_id, (uint32_t)choice->task);
	if (!job_ptr)
		result = MAUI_CHANGE_NO_JOB;
	else if (job_ptr->array_task_id == (uint32_t)choice->task)
		; /* by now it is one */
	else if (job_ptr->user_id != choice->uid && !validate_operator(choice->uid) &&
		 !maui_compat_is_coordinator(choice->uid, job_ptr))
		result = MAUI_CHANGE_DENIED;
	else if (!maui_arrays_split_task(job_ptr, (uint32_t)choice->task))
		result = MAUI_CHANGE_FAILED;
	maui_hold_note(writes, since_us);
	unlock_slurmctld(write_locks);
	return result;
}

static int is_component(void *job, void *offset)
{
	return ((const job_record_t *)job)->het_job_offset == *(const uint32_t *)offset;
}

/* NULL: no het job, or it has no such component. */
static job_record_t *find_component(const struct maui_job_choice *choice)
{
	job_record_t *leader = find_job_record(choice->job_id);
	uint32_t offset = (uint32_t)choice->component;

	return leader && leader->het_job_list ?
		       list_find_first(leader->het_job_list, is_component, &offset) :
		       NULL;
}

/* *ret_whole: the task has no record of its own. */
static void find_records(const struct maui_job_choice *choice, struct found *found, bool *ret_whole)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };
	job_record_t *job_ptr;

	*ret_whole = false;
	lock_slurmctld(locks);
	if (choice->component >= 0) {
		job_ptr = find_component(choice);
		if (job_ptr)
			note_record(job_ptr, found);
	} else if (choice->task < 0) {
		job_ptr = find_job_record(choice->job_id);
		if (found->components && job_ptr && job_ptr->het_job_list)
			list_for_each(job_ptr->het_job_list, note_component, found);
		else if (job_ptr && job_ptr->array_job_id == 0)
			note_record(job_ptr, found);
		else
			list_for_each(job_list, note_task, found);
	} else {
		job_ptr = find_job_array_rec(choice->job_id, (uint32_t)choice->task);
		*ret_whole = job_ptr && job_ptr->array_task_id != (uint32_t)choice->task;
		if (job_ptr && !*ret_whole)
			note_record(job_ptr, found);
	}
	unlock_slurmctld(locks);
}

static enum maui_change_result list_records(const struct maui_job_choice *choice,
					    struct found *found, const char **ret_why,
					    struct maui_hold_times *writes)
{
	enum maui_change_result result = MAUI_CHANGE_DONE;
	bool whole;

	*ret_why = "the task cannot be taken apart from its array";
	find_records(choice, found, &whole);
	if (whole)
		result = split_off(choice, writes);
	if (whole && result == MAUI_CHANGE_DONE)
		find_records(choice, found, &whole);
	return result;
}

enum maui_change_result maui_find_waiting_records(const struct maui_job_choice *choice,
						  struct maui_job_record *records, size_t room,
						  size_t *ret_count, const char **ret_why,
						  struct maui_hold_times *writes)
{
	struct found found = {
		.array = choice->job_id, .records = records, .room = room, .waiting_only = true
	};
	enum maui_change_result result = list_records(choice, &found, ret_why, writes);

	*ret_count = found.count;
	if (found.more && room > 1)
		return MAUI_CHANGE_TOO_MANY;
	if (result != MAUI_CHANGE_DONE || found.count > 0)
		return result;
	return found.runs ? MAUI_CHANGE_RUNS : MAUI_CHANGE_NO_JOB;
}

/* Whether the job has the hold that the action takes off: MAUI_CHANGE_DONE. */
static enum maui_change_result check_hold(const job_record_t *job_ptr, enum maui_job_action action)
{
	bool of_user = job_ptr->state_reason == WAIT_HELD_USER;

	if (action != MAUI_JOB_RELEASE_ADMIN && action != MAUI_JOB_RELEASE_USER &&
	    action != MAUI_JOB_RELEASE)
		return MAUI_CHANGE_DONE;
	if (job_ptr->priority != 0)
		return MAUI_CHANGE_NO_HOLD;
	if (action == MAUI_JOB_RELEASE)
		return MAUI_CHANGE_DONE;
	return of_user == (action == MAUI_JOB_RELEASE_USER) ? MAUI_CHANGE_DONE :
							      MAUI_CHANGE_OTHER_HOLD;
}

static bool is_hold(enum maui_job_action action)
{
	return action == MAUI_JOB_HOLD || action == MAUI_JOB_HOLD_USER;
}

/* What scontrol hold, uhold and release send. */
static int update(uint32_t job_id, enum maui_job_action action, uid_t uid)
{
	job_desc_msg_t desc;
	slurm_msg_t msg;
	int rc;

	slurm_init_job_desc_msg(&desc);
	slurm_msg_t_init(&msg);
	maui_compat_name_job(&desc, job_id);
	desc.priority = is_hold(action) ? 0 : INFINITE;
	desc.alloc_sid = action == MAUI_JOB_HOLD_USER ? ALLOC_SID_USER_HOLD : 0;
	if (action == MAUI_JOB_HOLD)
		desc.alloc_sid = ALLOC_SID_ADMIN_HOLD;
	msg.data = &desc;
	rc = update_job(&msg, uid, false);
	FREE_NULL_BITMAP(desc.array_bitmap);
	xfree(desc.job_id_str);
	return rc;
}

static enum maui_change_result result_of(int rc, const char **ret_why)
{
	switch (rc) {
	case SLURM_SUCCESS:
		return MAUI_CHANGE_DONE;
	case ESLURM_ACCESS_DENIED:
	case ESLURM_USER_ID_MISSING:
		return MAUI_CHANGE_DENIED;
	case ESLURM_INVALID_JOB_ID:
		return MAUI_CHANGE_NO_JOB;
	default:
		*ret_why = slurm_strerror(rc);
		return MAUI_CHANGE_FAILED;
	}
}

static enum maui_change_result change_record(uint32_t job_id, enum maui_job_action *action,
					     uid_t uid, bool *ret_runs, const char **ret_why,
					     struct maui_hold_times *writes)
{
	enum maui_change_result result;
	const job_record_t *job_ptr;
	int64_t since_us;

	lock_slurmctld(write_locks);
	since_us = maui_monotonic_us();
	job_ptr = find_job_record(job_id);
	if (!job_ptr || IS_JOB_FINISHED(job_ptr))
		result = MAUI_CHANGE_NO_JOB;
	else if ((result = check_hold(job_ptr, *action)) != MAUI_CHANGE_DONE)
		result = uid == job_ptr->user_id || validate_operator(uid) ? result :
									     MAUI_CHANGE_DENIED;
	else
		result = result_of(update(job_id, *action, uid), ret_why);
	if (result == MAUI_CHANGE_DONE && *action == MAUI_JOB_HOLD &&
	    job_ptr->state_reason == WAIT_HELD_USER)
		*action = MAUI_JOB_HOLD_USER;
	*ret_runs |= result == MAUI_CHANGE_DONE && !IS_JOB_PENDING(job_ptr) && is_hold(*action);
	maui_hold_note(writes, since_us);
	unlock_slurmctld(write_locks);
	return result;
}

static enum maui_change_result cancel(const struct maui_job_choice *choice, const char **ret_why,
				      struct maui_hold_times *writes)
{
	char name[64];
	int64_t since_us;
	int rc;

	if (choice->component >= 0)
		snprintf(name, sizeof(name), "%" PRIu32 "+%" PRId64, choice->job_id,
			 choice->component);
	else if (choice->task < 0)
		snprintf(name, sizeof(name), "%" PRIu32, choice->job_id);
	else
		snprintf(name, sizeof(name), "%" PRIu32 "_%" PRId64, choice->job_id, choice->task);
	lock_slurmctld(write_locks);
	since_us = maui_monotonic_us();
	rc = job_str_signal(name, SIGKILL, 0, choice->uid, false);
	maui_hold_note(writes, since_us);
	unlock_slurmctld(write_locks);
	return rc == ESLURM_ALREADY_DONE ? MAUI_CHANGE_NO_JOB : result_of(rc, ret_why);
}

static enum maui_change_result change_records(const struct found *found,
					      const struct maui_job_choice *choice,
					      enum maui_job_action *action, bool *ret_runs,
					      const char **ret_why, struct maui_hold_times *writes)
{
	struct maui_change_tally tally = { 0 };

	for (size_t i = 0; i < found->count; i++) {
		enum maui_change_result one = change_record(found->records[i].job_id, action,
							    choice->uid, ret_runs, ret_why, writes);

		maui_change_count(&tally, *action, one);
	}
	return maui_change_sum(&tally);
}

enum maui_change_result maui_change_job(const struct maui_job_choice *choice,
					enum maui_job_action *action, bool *ret_runs,
					const char **ret_why, struct maui_hold_times *writes)
{
	struct found found = { .array = choice->job_id, .room = RECORDS_MAX, .components = true };
	enum maui_change_result result;

	*ret_why = "no memory";
	if (*action == MAUI_JOB_CANCEL)
		return cancel(choice, ret_why, writes);
	found.records = calloc(RECORDS_MAX, sizeof(*found.records));
	if (!found.records)
		return MAUI_CHANGE_FAILED;
	result = list_records(choice, &found, ret_why, writes);
	if (found.more)
		result = MAUI_CHANGE_TOO_MANY;
	else if (result == MAUI_CHANGE_DONE)
		result = change_records(&found, choice, action, ret_runs, ret_why, writes);
	free(found.records);
	schedule_job_save();
	return result;
}
