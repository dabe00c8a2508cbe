/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_job.c - holds, releases and cancels jobs as scontrol and scancel do */

#include "slurm/compat.h"

#include "slurm/change_job.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

enum { RECORDS_MAX = 100000 }; /* of one array, in one request */

struct found {
	uint32_t array;
	struct maui_job_record *records;
	size_t count, room;
	bool more; /* than there is room for */
};

static void note_record(const job_record_t *job_ptr, struct found *found)
{
	if (IS_JOB_FINISHED(job_ptr) || !job_ptr->details)
		return;
	if (found->count == found->room) {
		found->more = true;
		return;
	}
	found->records[found->count++] =
		(struct maui_job_record){ .job_id = job_ptr->job_id,
					  .array_job_id = job_ptr->array_job_id,
					  .submit_s = job_ptr->details->submit_time,
					  .restarted = job_ptr->restart_cnt > 0,
					  .waits = IS_JOB_PENDING(job_ptr) };
}

static int note_task(void *element, void *arg)
{
	const job_record_t *job_ptr = element;
	struct found *found = arg;

	if (job_ptr->job_id == found->array || job_ptr->array_job_id == found->array)
		note_record(job_ptr, found);
	return 0;
}

enum maui_change_result maui_find_job_records(uint32_t job_id, int64_t task,
					      struct maui_job_record *records, size_t room,
					      size_t *ret_count)
{
	slurmctld_lock_t locks = { .job = READ_LOCK };
	struct found found = { .array = job_id, .records = records, .room = room };
	enum maui_change_result result = MAUI_CHANGE_DONE;
	job_record_t *job_ptr;

	lock_slurmctld(locks);
	if (task < 0) {
		job_ptr = find_job_record(job_id);
		if (job_ptr && job_ptr->array_job_id == 0)
			note_record(job_ptr, &found);
		else
			list_for_each(job_list, note_task, &found);
	} else {
		job_ptr = find_job_array_rec(job_id, (uint32_t)task);
		if (job_ptr && job_ptr->array_task_id != (uint32_t)task)
			result = MAUI_CHANGE_NO_RECORD;
		else if (job_ptr)
			note_record(job_ptr, &found);
	}
	unlock_slurmctld(locks);
	*ret_count = found.count;
	if (found.more)
		return MAUI_CHANGE_TOO_MANY;
	return result == MAUI_CHANGE_DONE && found.count == 0 ? MAUI_CHANGE_NO_JOB : result;
}

static bool has_hold(const job_record_t *job_ptr, enum maui_job_action action)
{
	bool of_user = job_ptr->state_reason == WAIT_HELD_USER;

	if (action != MAUI_JOB_RELEASE_ADMIN && action != MAUI_JOB_RELEASE_USER)
		return true;
	return job_ptr->priority == 0 && of_user == (action == MAUI_JOB_RELEASE_USER);
}

/* What scontrol hold, uhold and release send. */
static int update(uint32_t job_id, enum maui_job_action action, uid_t uid)
{
	job_desc_msg_t desc;
	slurm_msg_t msg;
	int rc;

	slurm_init_job_desc_msg(&desc);
	slurm_msg_t_init(&msg);
	desc.job_id = job_id;
	desc.priority = action == MAUI_JOB_HOLD || action == MAUI_JOB_HOLD_USER ? 0 : INFINITE;
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

static enum maui_change_result change_record(uint32_t job_id, enum maui_job_action action,
					     uid_t uid, const char **ret_why,
					     struct maui_hold_times *writes)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK,
				   .job = WRITE_LOCK,
				   .node = WRITE_LOCK,
				   .part = READ_LOCK,
				   .fed = READ_LOCK };
	enum maui_change_result result;
	const job_record_t *job_ptr;
	int64_t since_us;

	lock_slurmctld(locks);
	since_us = maui_hold_clock_us();
	job_ptr = find_job_record(job_id);
	if (!job_ptr || IS_JOB_FINISHED(job_ptr))
		result = MAUI_CHANGE_NO_JOB;
	else if (!has_hold(job_ptr, action))
		result = uid == job_ptr->user_id || validate_operator(uid) ? MAUI_CHANGE_NO_HOLD :
									     MAUI_CHANGE_DENIED;
	else
		result = result_of(update(job_id, action, uid), ret_why);
	maui_hold_note(writes, since_us);
	unlock_slurmctld(locks);
	return result;
}

static enum maui_change_result cancel(uint32_t job_id, int64_t task, uid_t uid,
				      const char **ret_why, struct maui_hold_times *writes)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK,
				   .job = WRITE_LOCK,
				   .node = WRITE_LOCK,
				   .part = READ_LOCK,
				   .fed = READ_LOCK };
	char name[64];
	int64_t since_us;
	int rc;

	if (task < 0)
		snprintf(name, sizeof(name), "%" PRIu32, job_id);
	else
		snprintf(name, sizeof(name), "%" PRIu32 "_%" PRId64, job_id, task);
	lock_slurmctld(locks);
	since_us = maui_hold_clock_us();
	rc = job_str_signal(name, SIGKILL, 0, uid, false);
	maui_hold_note(writes, since_us);
	unlock_slurmctld(locks);
	return rc == ESLURM_ALREADY_DONE ? MAUI_CHANGE_NO_JOB : result_of(rc, ret_why);
}

enum maui_change_result maui_change_job(uint32_t job_id, int64_t task, enum maui_job_action action,
					uid_t uid, const char **ret_why,
					struct maui_hold_times *writes)
{
	enum maui_change_result result, one;
	struct maui_job_record *records;
	size_t count;

	*ret_why = "no memory";
	if (action == MAUI_JOB_CANCEL)
		return cancel(job_id, task, uid, ret_why, writes);
	records = calloc(RECORDS_MAX, sizeof(*records));
	if (!records)
		return MAUI_CHANGE_FAILED;
	result = maui_find_job_records(job_id, task, records, RECORDS_MAX, &count);
	for (size_t i = 0; result != MAUI_CHANGE_TOO_MANY && i < count; i++) {
		one = change_record(records[i].job_id, action, uid, ret_why, writes);
		if (result == MAUI_CHANGE_DONE && one != MAUI_CHANGE_NO_JOB)
			result = one;
	}
	free(records);
	schedule_job_save();
	return result;
}
