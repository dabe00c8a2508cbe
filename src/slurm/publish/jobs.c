/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - writes struct maui_job_notice to state_reason, state_desc, start_time and sched_nodes */

#include "slurm/compat.h"

#include "slurm/publish/jobs.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "explain/text.h"

#include "slurm/abi.h"
#include "slurm/capture/jobs.h"
#include "slurm/compat_start.h"
#include "slurm/hold.h"
#include "slurm/publish/reason.h"

enum {
	TEXT_MAX = 160, /* bytes of a reason, with the 0 */
	/* bytes of a list of planned nodes; a longer list is not published */
	NODE_LIST_MAX = 16384,
	MOVE_S = 60, /* estimates that move by less are not written */
};

/* Whether the reason is one that slurmctld acts on, or has just set: never overwritten. */
static bool is_slurm_reason(const job_record_t *job_ptr)
{
	switch (job_ptr->state_reason) {
	case WAIT_HELD:
	case WAIT_HELD_USER:
	case WAIT_DEPENDENCY:
	case WAIT_DEP_INVALID:
	case WAIT_TIME:
	case WAIT_CLEANING:
	case WAIT_MAX_REQUEUE:
	case WAIT_ARRAY_TASK_LIMIT:
	case WAIT_RESV_DELETED:
	case WAIT_PROLOG:
	case WAIT_BURST_BUFFER_RESOURCE:
	case WAIT_BURST_BUFFER_STAGING:
	case FAIL_BURST_BUFFER_OP:
	case FAIL_ACCOUNT:
	case FAIL_QOS:
		return true;
	default:
		return maui_compat_is_resv_invalid(job_ptr);
	}
}

/* One line of printable characters; no half of a UTF-8 sequence at the end. squeue writes it to a
 * terminal as it is. */
static void trim_text(const char *text, char buf[static TEXT_MAX])
{
	size_t length = strnlen(text, TEXT_MAX - 1);

	if (text[length] != '\0') /* cut */
		while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
			length--;
	for (size_t i = 0; i < length; i++)
		buf[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i];
	maui_utf8_mask(buf, length, MAUI_DISPLAY_CHARACTERS);
	buf[length] = '\0';
}

static void make_text(uint32_t code, const char *text, char buf[static TEXT_MAX])
{
	char all[2 * TEXT_MAX];

	trim_text(maui_explain_behind_word(maui_compat_reason_name(code), text, all, sizeof(all)),
		  buf);
}

/* Of the text alone, if there is one: the code under it changes while a cycle checks the job. */
static uint64_t hash_reason(const job_record_t *job_ptr)
{
	return (job_ptr->state_desc ? maui_hash_text(job_ptr->state_desc, 0) :
				      maui_hash_mix(0, job_ptr->state_reason)) |
	       1;
}

/* Whether the job keeps the reason that it has: of a refused start, Slurm's own says more. */
static bool keeps_reason(const job_record_t *job_ptr, const struct maui_job_notice *notice)
{
	return job_ptr->priority == 0 || is_slurm_reason(job_ptr) ||
	       (notice->reason == MAUI_REASON_REFUSED && job_ptr->state_reason != WAIT_NO_REASON &&
		job_ptr->state_reason != WAIT_PRIORITY && job_ptr->state_reason != WAIT_RESOURCES);
}

static bool publish_reason(job_record_t *job_ptr, struct maui_job_notice *notice)
{
	uint32_t code = maui_publish_reason(notice->reason, notice->violation);
	const char *text = notice->network ? maui_compat_network_text() : NULL;
	char buf[TEXT_MAX];
	bool changed;

	notice->seen = true;
	notice->reason_hash = 0;
	if (code == WAIT_NO_REASON || keeps_reason(job_ptr, notice))
		return false;
	if (notice->text && *notice->text) {
		make_text(code, notice->text, buf);
		text = buf;
	}
	changed = job_ptr->state_reason != code || xstrcmp(job_ptr->state_desc, text);
	if (changed) {
		job_ptr->state_reason = code;
		xfree(job_ptr->state_desc);
		job_ptr->state_desc = xstrdup(text);
	}
	notice->reason_hash = hash_reason(job_ptr);
	return changed;
}

/* xmalloc'ed; NULL: none. */
static char *list_nodes(const struct maui_job_notice *notice)
{
	bitstr_t *nodes;
	char *list;

	if (notice->node_count == 0)
		return NULL;
	nodes = bit_alloc(node_record_count);
	for (uint32_t i = 0; i < notice->node_count; i++)
		if (notice->nodes[i] < (uint32_t)node_record_count)
			bit_set(nodes, notice->nodes[i]);
	list = bitmap2node_name(nodes);
	FREE_NULL_BITMAP(nodes);
	if (list && strlen(list) > NODE_LIST_MAX)
		xfree(list);
	return list;
}

/* Whether the job has an estimate: a held or dependent job has no start that a plan could know. */
static bool has_estimate(const job_record_t *job_ptr, const struct maui_job_notice *notice)
{
	return notice->start_s > 0 && job_ptr->priority != 0 &&
	       job_ptr->state_reason != WAIT_DEPENDENCY &&
	       job_ptr->state_reason != WAIT_DEP_INVALID;
}

/* Whether the record's estimate serves as well as the new one: it has not passed, and the start is
 * less than a minute later. Many estimates move with the clock, as of jobs that could start now if
 * the policy let them; each write would cause another cycle, which writes again. */
static bool serves_still(time_t old_s, time_t new_s, time_t now_s)
{
	return old_s == new_s || (new_s > old_s && new_s < old_s + MOVE_S && old_s > now_s);
}

static bool publish_estimate(job_record_t *job_ptr, struct maui_job_notice *notice)
{
	bool has = has_estimate(job_ptr, notice);
	time_t start_time = has ? notice->start_s : 0;
	char *list = has ? list_nodes(notice) : NULL;

	notice->estimated = has;
	if (serves_still(job_ptr->start_time, start_time, time(NULL)) &&
	    !xstrcmp(job_ptr->sched_nodes, list)) {
		xfree(list);
		return false;
	}
	job_ptr->start_time = start_time;
	xfree(job_ptr->sched_nodes);
	job_ptr->sched_nodes = list;
	return true;
}

/* Changes the i-th record of a list; whether anything has changed. */
typedef bool (*change_fn)(void *arg, size_t i);

/* Calls `change` for each of `count` records, under the locks for MAUI_HOLD_MAX_US at a time; the
 * clock is read after each, as one long list of nodes may fill a hold. Returns how many have
 * changed. */
static size_t change_records(slurmctld_lock_t locks, change_fn change, void *arg, size_t count,
			     struct maui_hold_times *times)
{
	size_t changed = 0;

	for (size_t at = 0; at < count;) {
		size_t changed_before = changed;
		int64_t since_us, held_us;

		lock_slurmctld(locks);
		since_us = maui_monotonic_us();
		do
			changed += change(arg, at++);
		while (at < count && maui_monotonic_us() - since_us < MAUI_HOLD_MAX_US);
		if (changed > changed_before)
			last_job_update = time(NULL);
		held_us = maui_hold_note(times, since_us);
		unlock_slurmctld(locks);
		if (at < count)
			maui_hold_give_way(held_us);
	}
	return changed;
}

struct notice_list {
	struct maui_job_notice *list;
	uint64_t table; /* the node table that the notices are of */
};

/* Writes one notice. A requeued job that still completes needs the times of its last run, and is
 * left alone. */
static bool publish_one(void *arg, size_t i)
{
	const struct notice_list *notices = arg;
	struct maui_job_notice *notice = &notices->list[i];
	job_record_t *job_ptr;
	bool changed, compared;

	if (!maui_cluster_is_current(notices->table))
		return false;
	job_ptr = find_job_record(notice->job_id);
	if (!job_ptr || !job_ptr->details || job_ptr->details->submit_time != notice->submit_s ||
	    !IS_JOB_PENDING(job_ptr) || IS_JOB_COMPLETING(job_ptr))
		return false;
	compared = notice->compared && notice->shown == maui_capture_shown(job_ptr);
	job_ptr->last_sched_eval = time(NULL); /* not an update by itself */
	changed = publish_reason(job_ptr, notice);
	changed |= publish_estimate(job_ptr, notice);
	if (compared && changed)
		fatal("slurm-maui: what squeue shows of %pJ is no longer so", job_ptr);
	/* where the estimate is an older one, the notice is looked at again in the next cycle */
	notice->shown = notice->estimated && job_ptr->start_time != notice->start_s ?
				0 :
				maui_capture_shown(job_ptr);
	return changed;
}

size_t maui_publish_jobs(struct maui_job_notice *notices, size_t count, uint64_t table,
			 struct maui_hold_times *ret_writes)
{
	const slurmctld_lock_t locks = { .conf = READ_LOCK, .job = WRITE_LOCK, .node = READ_LOCK };
	struct notice_list list = { notices, table };

	*ret_writes = (struct maui_hold_times){ 0 };
	return change_records(locks, publish_one, &list, count, ret_writes);
}

static bool withdraw_one(void *arg, size_t i)
{
	const struct maui_published_job *const *list = arg;
	const struct maui_published_job *published = &(*list)[i];
	job_record_t *job_ptr = find_job_record(published->job_id);

	if (!job_ptr || !IS_JOB_PENDING(job_ptr) || IS_JOB_COMPLETING(job_ptr))
		return false;
	job_ptr->start_time = 0;
	xfree(job_ptr->sched_nodes);
	if (hash_reason(job_ptr) == published->reason_hash) {
		job_ptr->state_reason = WAIT_NO_REASON;
		xfree(job_ptr->state_desc);
	}
	return true;
}

/* Whether DEFERCOUNT holds the job, and its text says so. */
static bool has_hold_text(const job_record_t *job_ptr)
{
	static const char mark[] = MAUI_HOLD_MARK;
	size_t length = job_ptr->state_desc ? strlen(job_ptr->state_desc) : 0;

	return IS_JOB_PENDING(job_ptr) && job_ptr->priority == 0 && length >= sizeof(mark) - 1 &&
	       strcmp(job_ptr->state_desc + length - (sizeof(mark) - 1), mark) == 0;
}

struct id_list {
	uint32_t *ids;
	size_t count, alloc;
};

static bool forget_hold(void *arg, size_t i)
{
	const struct id_list *held = arg;
	job_record_t *job_ptr = find_job_record(held->ids[i]);

	if (!job_ptr || !has_hold_text(job_ptr))
		return false;
	xfree(job_ptr->state_desc);
	return true;
}

/* For list_for_each(). */
static int add_held(void *record, void *arg)
{
	const job_record_t *job_ptr = record;
	struct id_list *list = arg;
	uint32_t *grown;

	if (!has_hold_text(job_ptr))
		return 0;
	grown = maui_array_grow(list->ids, list->count, &list->alloc, sizeof(*grown));
	if (!grown)
		return -1;
	list->ids = grown;
	grown[list->count++] = job_ptr->job_id;
	return 0;
}

/* Without memory the list ends early: the other jobs keep their texts. */
static void list_held(struct id_list *ret)
{
	slurmctld_lock_t locks = { .job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK };

	lock_slurmctld(locks);
	if (job_list && maui_abi_job_fits(list_peek(job_list)))
		list_for_each(job_list, add_held, ret);
	unlock_slurmctld(locks);
}

size_t maui_publish_withdraw(const struct maui_published_job *list, size_t count)
{
	const slurmctld_lock_t locks = { .job = WRITE_LOCK };
	struct maui_hold_times times = { 0 };
	struct id_list held = { 0 };
	size_t changed;

	list_held(&held);
	changed = change_records(locks, withdraw_one, &list, count, &times) +
		  change_records(locks, forget_hold, &held, held.count, &times);
	free(held.ids);
	if (changed > 0) /* slurmctld writes its file after this, but only if something is new */
		schedule_job_save();
	return changed;
}

bool maui_publish_hold(uint32_t job_id, int64_t submit_s, const char *text)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .job = WRITE_LOCK };
	char buf[TEXT_MAX] = "";
	job_record_t *job_ptr;
	bool held = false;

	if (text)
		make_text(WAIT_HELD, text, buf);
	lock_slurmctld(locks);
	job_ptr = find_job_record(job_id);
	if (job_ptr && job_ptr->details && job_ptr->details->submit_time == submit_s &&
	    IS_JOB_PENDING(job_ptr) && job_ptr->priority != 0) {
		job_ptr->priority = 0;
		job_ptr->state_reason = WAIT_HELD;
		xfree(job_ptr->state_desc);
		job_ptr->state_desc = text ? xstrdup(buf) : NULL;
		last_job_update = time(NULL);
		held = true;
	}
	unlock_slurmctld(locks);
	return held;
}
