/* SPDX-License-Identifier: GPL-2.0-or-later */
/* magnet.c - reservations by list and by attraction */

#include "slurm/compat.h"

#include "slurm/magnet.h"

#include "slurm/eligible.h"

static bool is_on(const slurmctld_resv_t *resv_ptr, time_t now)
{
	return resv_ptr->node_bitmap && resv_ptr->start_time <= now && now < resv_ptr->end_time &&
	       !(resv_ptr->flags & RESERVE_FLAG_TIME_FLOAT);
}

/* Idle nodes of it in the job's partition. */
static int64_t idle_nodes(const slurmctld_resv_t *resv_ptr, const part_record_t *part_ptr)
{
	bitstr_t *idle;
	int64_t count;

	if (!part_ptr || !part_ptr->node_bitmap)
		return 0;
	idle = bit_copy(resv_ptr->node_bitmap);
	bit_and(idle, part_ptr->node_bitmap);
	bit_and(idle, idle_node_bitmap);
	bit_and(idle, avail_node_bitmap);
	count = bit_set_count(idle);
	bit_free(idle);
	return count;
}

/* Better ones are on, and have more idle nodes; the user's order among equals. */
static const char *choose_of_list(job_record_t *job_ptr)
{
	maui_compat_iterator_t iterator = list_iterator_create(job_ptr->resv_list);
	slurmctld_resv_t *resv_ptr, *best = NULL;
	time_t now = time(NULL);
	int64_t most = -1;

	while ((resv_ptr = list_next(iterator))) {
		int64_t score = is_on(resv_ptr, now) ? idle_nodes(resv_ptr, job_ptr->part_ptr) + 1 :
						       0;

		if (score > most) {
			most = score;
			best = resv_ptr;
		}
	}
	list_iterator_destroy(iterator);
	if (!best)
		return job_ptr->resv_name;
	job_ptr->resv_ptr = best;
	job_ptr->resv_id = best->resv_id;
	if ((job_ptr->bit_flags & JOB_PART_ASSIGNED) && best->part_ptr)
		job_ptr->part_ptr = best->part_ptr;
	return best->name;
}

static int is_magnetic(void *x, void *arg)
{
	const slurmctld_resv_t *resv_ptr = x;

	(void)arg;
	return (resv_ptr->flags & RESERVE_FLAG_MAGNETIC) != 0;
}

/* Slurm's queue records of the magnetic reservations that let the job in. NULL: none exists. */
static maui_compat_list_t attracting(job_record_t *job_ptr)
{
	job_queue_req_t request = { .job_ptr = job_ptr, .part_ptr = job_ptr->part_ptr };

	if (!resv_list || job_ptr->resv_name || job_ptr->resv_list ||
	    !list_find_first(resv_list, is_magnetic, NULL))
		return NULL;
	request.job_queue = list_create(xfree_ptr);
	job_resv_append_magnetic(&request);
	return request.job_queue;
}

const char *maui_magnet_choose(void *record, uint32_t nodes_min)
{
	job_record_t *job_ptr = record;
	maui_compat_list_t list;
	job_queue_rec_t *queued;
	const char *name = NULL;
	time_t now = time(NULL);

	if (job_ptr->resv_list)
		return choose_of_list(job_ptr);
	if (job_ptr->resv_name)
		return job_ptr->resv_name;
	list = attracting(job_ptr);
	while (list && !name && (queued = list_pop(list))) {
		if (is_on(queued->resv_ptr, now) &&
		    idle_nodes(queued->resv_ptr, job_ptr->part_ptr) >= nodes_min)
			name = queued->resv_ptr->name;
		xfree(queued);
	}
	FREE_NULL_LIST(list);
	return name;
}

static bool has_all(const slurmctld_resv_t *resv_ptr, const uint32_t *nodes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (nodes[i] >= bit_size(resv_ptr->node_bitmap) ||
		    !bit_test(resv_ptr->node_bitmap, nodes[i]))
			return false;
	return count > 0;
}

bool maui_eligible_attract(void *record, const uint32_t *nodes, uint32_t count)
{
	job_record_t *job_ptr = record;
	maui_compat_list_t list = attracting(job_ptr);
	job_queue_rec_t *queued;
	time_t now = time(NULL);
	bool found = false;

	while (list && !found && (queued = list_pop(list))) {
		if (is_on(queued->resv_ptr, now) && has_all(queued->resv_ptr, nodes, count)) {
			job_queue_rec_magnetic_resv(queued);
			found = true;
		}
		xfree(queued);
	}
	FREE_NULL_LIST(list);
	return found;
}
