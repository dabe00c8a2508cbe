/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priorities.c - writes job_ptr->priority, and one priority for each partition of a job that names
 * several
 */

#include "slurm/compat.h"

#include "slurm/publish/priorities.h"

#include "slurm/hold.h"

static uint32_t find_part(const struct maui_apply_part *parts, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (name && strcmp(parts[i].name, name) == 0)
			return parts[i].priority;
	return parts[0].priority;
}

/* Slurm reads the array in the order of the list, and sorts the list by tier whenever it looks. */
static bool fill_array(job_record_t *job_ptr, const struct maui_apply_part *parts, size_t count)
{
	unsigned qos_count = maui_compat_qos_count(job_ptr);
	const part_record_t *part_ptr;
	bool changed = false;
	maui_compat_iterator_t iterator;
	uint32_t *array;

	list_sort(job_ptr->part_ptr_list, priority_sort_part_tier);
	array = maui_compat_make_priority_array(job_ptr);
	iterator = list_iterator_create(job_ptr->part_ptr_list);
	while ((part_ptr = list_next(iterator))) {
		uint32_t priority = find_part(parts, count, part_ptr->name);

		for (unsigned qos = 0; qos < qos_count; qos++) {
			changed |= *array != priority;
			*array++ = priority;
		}
	}
	list_iterator_destroy(iterator);
	return changed;
}

/* Writes the priority of each partition. Returns whether one is new. */
static bool set_parts(job_record_t *job_ptr, const struct maui_apply_part *parts, size_t count)
{
	if (job_ptr->part_ptr_list)
		return fill_array(job_ptr, parts, count);
	maui_compat_drop_priorities(job_ptr);
	return false;
}

uint32_t maui_apply_parts(struct job_record *job_ptr, const struct maui_apply_part *parts,
			  size_t count)
{
	set_parts(job_ptr, parts, count);
	return find_part(parts, count, job_ptr->part_ptr ? job_ptr->part_ptr->name : NULL);
}

static bool apply_one(const struct maui_apply_job *job, maui_still_current_fn still_current,
		      void *arg)
{
	job_record_t *job_ptr = find_job_record(job->job_id);
	uint32_t priority;
	bool changed = false;

	if (!job_ptr || !job_ptr->details || job_ptr->details->submit_time != job->submit_s ||
	    IS_JOB_FINISHED(job_ptr) || job_ptr->priority == 0 || job_ptr->direct_set_prio ||
	    !still_current(job, arg))
		return false;
	if (IS_JOB_PENDING(job_ptr))
		changed = set_parts(job_ptr, job->parts, job->part_count);
	priority = find_part(job->parts, job->part_count,
			     job_ptr->part_ptr ? job_ptr->part_ptr->name : NULL);
	changed |= job_ptr->priority != priority;
	job_ptr->priority = priority;
	return changed;
}

static size_t apply_some(const struct maui_apply_job *jobs, size_t at, size_t count,
			 maui_still_current_fn still_current, void *arg,
			 struct maui_apply_result *ret)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .job = WRITE_LOCK, .part = READ_LOCK };
	size_t changed = 0;
	unsigned done = 0;
	int64_t since, held_us;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	do {
		changed += apply_one(&jobs[at++], still_current, arg);
	} while (at < count && !maui_hold_is_over(since, ++done));
	if (changed)
		last_job_update = time(NULL);
	held_us = maui_hold_note(&ret->writes, since);
	unlock_slurmctld(locks);
	ret->changed += changed;
	if (at < count)
		maui_hold_give_way(held_us);
	return at;
}

void maui_apply_priorities(const struct maui_apply_job *jobs, size_t count,
			   maui_still_current_fn still_current, void *arg,
			   struct maui_apply_result *ret)
{
	*ret = (struct maui_apply_result){ 0 };
	for (size_t at = 0; at < count;)
		at = apply_some(jobs, at, count, still_current, arg, ret);
}
