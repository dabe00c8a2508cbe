/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_gres.c - generic resources in a job's record: what it asks for, and what it was given */

#include "slurm/request/job_gres.h"

#include "slurm/request/given.h"
#include "slurm/request/request.h"

/* Sockets of each node that the job asks for, 1 where it does not. */
static uint64_t sockets_of(const job_record_t *job_ptr)
{
	const multi_core_data_t *mc = job_ptr->details->mc_ptr;

	return mc && maui_given16(mc->sockets_per_node) ? mc->sockets_per_node : 1;
}

/* ---- what comes with each one ---- */

/* DefCpuPerGPU, DefMemPerGPU of a partition or the cluster; 0: none. */
static uint64_t default_in(maui_compat_list_t list, uint16_t type)
{
	maui_compat_iterator_t iterator;
	const job_defaults_t *entry;
	uint64_t value = 0;

	if (!list)
		return 0;
	iterator = list_iterator_create(list);
	while (value == 0 && (entry = list_next(iterator)))
		if (entry->type == type)
			value = entry->value;
	list_iterator_destroy(iterator);
	return value;
}

static uint64_t default_of(const part_record_t *part_ptr, const char *name, uint16_t type)
{
	uint64_t value;

	if (xstrcmp(name, "gpu"))
		return 0;
	value = part_ptr ? default_in(part_ptr->job_defaults_list, type) : 0;
	return value ? value : default_in(slurm_conf.job_defaults_list, type);
}

uint64_t maui_job_gres_cpus(const job_record_t *job_ptr, const part_record_t *part_ptr,
			    const char *name, const gres_job_state_t *gres)
{
	if (gres->cpus_per_gres)
		return gres->cpus_per_gres;
	if (job_ptr->details->orig_cpus_per_task != NO_VAL16)
		return 0;
	return default_of(part_ptr, name, JOB_DEF_CPU_PER_GPU);
}

uint64_t maui_job_gres_memory(const job_record_t *job_ptr, const part_record_t *part_ptr,
			      const char *name, const gres_job_state_t *gres)
{
	if (job_ptr->bit_flags & JOB_MEM_SET)
		return 0;
	return gres->mem_per_gres ? gres->mem_per_gres :
				    default_of(part_ptr, name, JOB_DEF_MEM_PER_GPU);
}

/* ---- how many ---- */

struct maui_gres_ask maui_job_gres_ask(const job_record_t *job_ptr, const gres_job_state_t *gres)
{
	int64_t by_node = maui_request_times(gres->gres_per_node, 1);
	int64_t by_sockets = maui_request_times(gres->gres_per_socket, sockets_of(job_ptr));
	struct maui_gres_ask ask = { .by_node = by_node > by_sockets ? by_node : by_sockets,
				     .consumed = maui_compat_consumes_gres(gres) };

	if (ask.by_node == 0) /* which limits the tasks of a node */
		ask.by_task = maui_request_times(gres->gres_per_task, 1);
	ask.by_job = maui_request_times(gres->gres_per_job, 1);
	return ask;
}

/* The sum, on the fewest nodes; counts by node or by task beside one for the job deal that out. */
static uint64_t asked(const job_record_t *job_ptr, const gres_job_state_t *gres)
{
	const maui_compat_details_t *details = job_ptr->details;
	const struct maui_gres_ask ask = maui_job_gres_ask(job_ptr, gres);
	uint64_t nodes = details->min_nodes, tasks = nodes;

	if (!ask.consumed)
		return 0;
	if (details->num_tasks > 0 && details->num_tasks < NO_VAL)
		tasks = details->num_tasks;
	if (ask.by_job > 0)
		return (uint64_t)ask.by_job;
	return (uint64_t)(maui_request_times((uint64_t)ask.by_node, nodes) +
			  maui_request_times((uint64_t)ask.by_task, tasks));
}

/* What it was given, on all nodes. */
static uint64_t given(const gres_job_state_t *gres)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; gres->gres_cnt_node_alloc && i < gres->node_cnt; i++)
		if (gres->gres_cnt_node_alloc[i] < NO_CONSUME_VAL64)
			sum += gres->gres_cnt_node_alloc[i];
	return sum;
}

struct maui_job_gres maui_job_gres_sum(const job_record_t *job_ptr,
				       const struct maui_config *config)
{
	bool holds = job_ptr->gres_list_alloc != NULL;
	maui_compat_list_t list = holds ? job_ptr->gres_list_alloc : job_ptr->gres_list_req;
	struct maui_job_gres sum = { 0 };
	maui_compat_iterator_t iterator;
	const gres_state_t *state;

	if (!list)
		return sum;
	iterator = list_iterator_create(list);
	while ((state = list_next(iterator))) {
		const gres_job_state_t *gres = state->gres_data;
		double count;

		if (!gres || !state->gres_name)
			continue;
		count = (double)(holds ? given(gres) : asked(job_ptr, gres));
		if (xstrcmp(state->gres_name, "gpu") == 0)
			sum.gpus += count;
		sum.weighed +=
			count * maui_config_gres_weight(config, state->gres_name, gres->type_name);
		if (!holds)
			sum.mem_mb +=
				count * (double)maui_job_gres_memory(job_ptr, job_ptr->part_ptr,
								     state->gres_name, gres);
	}
	list_iterator_destroy(iterator);
	return sum;
}
