/* SPDX-License-Identifier: GPL-2.0-or-later */
/* asks.c - what jobs ask for */

#include "world.h"

static void ask_nodes(job_record_t *job_ptr)
{
	struct job_details *details = job_ptr->details;
	uint32_t nodes = 1 + (uint32_t)world_random(world_chance(70) ? 2 : 5);
	uint32_t per_node = 1 + (uint32_t)world_random(4);

	details->cpus_per_task = world_chance(75) ? 1 : (uint16_t)(1 + world_random(4));
	details->pn_min_cpus = details->cpus_per_task;
	if (!world.plan.exact && world_chance(40)) { /* -n */
		details->num_tasks = 1 + (uint32_t)world_random(12);
		details->min_nodes = 1;
	} else if (world_chance(50)) { /* -N1 -n */
		details->num_tasks = per_node;
		details->min_nodes = details->max_nodes = 1;
	} else { /* -N --ntasks-per-node */
		details->min_nodes = details->max_nodes = nodes;
		details->ntasks_per_node = (uint16_t)per_node;
		details->num_tasks = nodes * per_node;
		details->pn_min_cpus = per_node * details->cpus_per_task;
	}
	details->min_cpus = details->num_tasks * details->cpus_per_task;
	details->max_cpus = NO_VAL;
	if (world_chance(30))
		details->pn_min_memory = 100 + world_random(2000);
	else
		details->pn_min_memory = MEM_PER_CPU | (50 + world_random(300));
	if (world_chance(12))
		details->whole_node = WHOLE_NODE_REQUIRED;
	if (world_chance(10))
		details->features = xstrdup("big");
	details->orig_min_cpus = details->min_cpus;
	details->orig_pn_min_cpus = details->pn_min_cpus;
	details->orig_pn_min_memory = details->pn_min_memory;
	details->orig_max_cpus = details->max_cpus;
	details->orig_cpus_per_task = details->cpus_per_task;
}

static void ask_times(job_record_t *job_ptr)
{
	job_ptr->time_limit = world_chance(5)  ? NO_VAL :
			      world_chance(60) ? 5 + (uint32_t)world_random(115) :
						 60 + (uint32_t)world_random(900);
	if (job_ptr->time_limit != NO_VAL && world_chance(8))
		job_ptr->time_min = 1 + job_ptr->time_limit / 3;
	if (job_ptr->time_limit == NO_VAL && job_ptr->part_ptr->default_time != NO_VAL)
		job_ptr->time_limit = job_ptr->part_ptr->default_time;
	job_ptr->details->submit_time = world_wall_s();
	job_ptr->details->begin_time =
		world_chance(10) ? world_wall_s() + (time_t)world_random(36000) : 0;
}

static void ask_array(job_record_t *job_ptr)
{
	uint32_t tasks = 2 + (uint32_t)world_random(6);
	job_array_struct_t *array = xmalloc(sizeof(*array));

	array->task_cnt = tasks;
	array->task_id_bitmap = bit_alloc(tasks);
	bit_set_all(array->task_id_bitmap);
	if (world_chance(40))
		array->max_run_tasks = 1 + (uint32_t)world_random(3);
	job_ptr->array_recs = array;
	job_ptr->array_job_id = job_ptr->job_id;
	job_ptr->array_task_id = NO_VAL;
}

void world_ask(job_record_t *job_ptr)
{
	ask_nodes(job_ptr);
	ask_times(job_ptr);
	world_gres_ask(job_ptr);
	world_licences_ask(job_ptr);
	world_qos_ask(job_ptr);
}

void world_ask_more(job_record_t *job_ptr)
{
	if (world_chance(12))
		ask_array(job_ptr);
	else
		world_deadline_ask(job_ptr);
	world_depend_ask(job_ptr);
}
