/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.c - GPUs of nodes, and those that jobs ask for (--gpus-per-node) and have */

#include "world.h"

static void free_node_gres(void *x)
{
	gres_state_t *state = x;

	xfree(state->gres_data);
	xfree(state->gres_name);
	xfree(state);
}

static void free_job_gres(void *x)
{
	gres_state_t *state = x;
	gres_job_state_t *gres = state->gres_data;

	xfree(gres->gres_cnt_node_alloc);
	free_node_gres(x);
}

static gres_state_t *make_state(void *data, gres_state_type_enum_t type)
{
	gres_state_t *state = xmalloc(sizeof(*state));

	state->gres_data = data;
	state->gres_name = xstrdup("gpu");
	state->plugin_id = 7696487;
	state->state_type = type;
	return state;
}

List world_gres_of_node(const struct world_node *node)
{
	gres_node_state_t *gres;
	List list;

	if (node->gpus == 0)
		return NULL;
	gres = xmalloc(sizeof(*gres));
	gres->gres_cnt_found = gres->gres_cnt_config = gres->gres_cnt_avail = node->gpus;
	list = list_create(free_node_gres);
	list_append(list, make_state(gres, GRES_STATE_TYPE_NODE));
	return list;
}

static List make_list(uint64_t per_node)
{
	gres_job_state_t *gres = xmalloc(sizeof(*gres));
	List list = list_create(free_job_gres);

	gres->gres_per_node = per_node;
	list_append(list, make_state(gres, GRES_STATE_TYPE_JOB));
	return list;
}

static gres_job_state_t *gres_of(List list)
{
	return list ? ((gres_state_t *)list_peek(list))->gres_data : NULL;
}

void world_gres_ask(job_record_t *job_ptr)
{
	if (world.plan.gpus && world_chance(20))
		job_ptr->gres_list_req = make_list(1 + world_random(2));
}

uint32_t world_gres_wanted(const job_record_t *job_ptr)
{
	const gres_job_state_t *gres = gres_of(job_ptr->gres_list_req);

	return gres ? (uint32_t)gres->gres_per_node : 0;
}

void world_gres_copy(job_record_t *to, const job_record_t *from)
{
	const gres_job_state_t *given = gres_of(from->gres_list_alloc);

	to->gres_list_req = from->gres_list_req ? make_list(world_gres_wanted(from)) : NULL;
	to->gres_list_alloc = NULL;
	if (given)
		world_gres_give(to, given->node_cnt);
}

void world_gres_give(job_record_t *job_ptr, uint32_t nodes)
{
	uint32_t wanted = world_gres_wanted(job_ptr);
	gres_job_state_t *gres;

	if (wanted == 0)
		return;
	job_ptr->gres_list_alloc = make_list(wanted);
	gres = gres_of(job_ptr->gres_list_alloc);
	gres->total_gres = (uint64_t)wanted * nodes;
	gres->node_cnt = nodes;
	gres->gres_cnt_node_alloc = xcalloc(nodes, sizeof(uint64_t));
	for (uint32_t n = 0; n < nodes; n++)
		gres->gres_cnt_node_alloc[n] = wanted;
}
