/* SPDX-License-Identifier: GPL-2.0-or-later */
/* het.c - het jobs: components with records of their own that start, and end, together */

#include "world.h"

/* The list of components is the leader's. */
void world_hets_find(void)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	job_record_t *job_ptr, *leader;

	while ((job_ptr = list_next(iterator)))
		job_ptr->het_job_list = NULL;
	list_iterator_reset(iterator);
	while ((job_ptr = list_next(iterator))) {
		leader = job_ptr->het_job_id ? find_job_record(job_ptr->het_job_id) : NULL;
		if (leader && !leader->het_job_list)
			leader->het_job_list = list_create(NULL);
		if (leader)
			list_append(leader->het_job_list, job_ptr);
	}
	list_iterator_destroy(iterator);
}

/* Gives the records, which are in the table, one number. */
void world_het_join(job_record_t **components, uint32_t count)
{
	job_record_t *leader = components[0];

	leader->het_job_list = list_create(NULL);
	for (uint32_t i = 0; i < count; i++) {
		components[i]->het_job_id = leader->job_id;
		components[i]->het_job_offset = i;
		components[i]->batch_flag = i == 0;
		list_append(leader->het_job_list, components[i]);
	}
	world_note("jobs %u to %u are a het job", leader->job_id, components[count - 1]->job_id);
}

/* Another component than this one that still runs; NULL: none. */
struct world_run *world_het_run(const job_record_t *job_ptr)
{
	for (size_t r = 0; r < world.run_count && job_ptr->het_job_id; r++) {
		const job_record_t *other = find_job_record(world.runs[r].job_id);

		if (other && other->het_job_id == job_ptr->het_job_id)
			return &world.runs[r];
	}
	return NULL;
}

/* No component runs while another one waits. */
void world_hets_check(void)
{
	ListIterator iterator = list_iterator_create(world_tables.jobs);
	const job_record_t *job_ptr;

	while ((job_ptr = list_next(iterator)))
		if (job_ptr->het_job_id && IS_JOB_PENDING(job_ptr) && !IS_JOB_COMPLETING(job_ptr) &&
		    world_het_run(job_ptr))
			world_fault("component %u of het job %u waits, and job %u runs",
				    job_ptr->het_job_offset, job_ptr->het_job_id,
				    world_het_run(job_ptr)->job_id);
	list_iterator_destroy(iterator);
}

/* ---- slurmctld accepts het jobs ---- */

static void refuse_request(slurm_msg_t *message)
{
	(void)message;
}

slurmctld_rpc_t slurmctld_rpcs[] = {
	{ .msg_type = REQUEST_HET_JOB_ALLOCATION, .func = refuse_request },
	{ 0 },
};
