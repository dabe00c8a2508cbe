/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hide_cores.c - finds the idle cores of the planned nodes, and hides as many as the start order
 * says
 */

#include "slurm/start/hide_cores.h"

#include "slurm/capture/cluster.h"
#include "slurm/capture/walk.h"

/* A node on which cores are hidden. */
struct hidden_node {
	const node_record_t *node_ptr;
	uint32_t procs;
	bitstr_t *idle; /* cores */
};

struct hidden_nodes {
	struct hidden_node *list;
	uint32_t count;
	bitstr_t *nodes; /* nodes of the list, by index in the node table; NULL: none */
	uint32_t *at;    /* for each of these nodes, its place in the list */
};

/* The cores that jobs may use: specialized cores are left out. */
static bitstr_t *usable_cores(const node_record_t *node_ptr)
{
	bitstr_t *cores = bit_alloc(node_ptr->tot_cores);

	bit_set_all(cores);
	if (node_ptr->node_spec_bitmap && bit_size(node_ptr->node_spec_bitmap) == bit_size(cores))
		bit_and(cores, node_ptr->node_spec_bitmap);
	return cores;
}

static void list_hidden_nodes(const struct maui_start_order *order, struct hidden_nodes *ret)
{
	*ret = (struct hidden_nodes){ .list = xcalloc(order->node_count + 1, sizeof(*ret->list)) };
	for (uint32_t i = 0; i < order->node_count; i++) {
		uint32_t index = order->nodes[i];
		const node_record_t *node_ptr = node_record_table_ptr[index];

		if (order->kept[i] == 0 || !node_ptr || node_ptr->tot_cores == 0)
			continue;
		if (!ret->nodes) {
			ret->nodes = bit_alloc(node_record_count);
			ret->at = xcalloc((size_t)node_record_count, sizeof(*ret->at));
		}
		bit_set(ret->nodes, index);
		ret->at[index] = ret->count;
		ret->list[ret->count++] = (struct hidden_node){ .node_ptr = node_ptr,
								.procs = order->kept[i],
								.idle = usable_cores(node_ptr) };
	}
}

static void free_hidden_nodes(struct hidden_nodes *hidden)
{
	for (uint32_t i = 0; i < hidden->count; i++)
		FREE_NULL_BITMAP(hidden->list[i].idle);
	xfree(hidden->list);
	xfree(hidden->at);
	FREE_NULL_BITMAP(hidden->nodes);
}

/* Takes the job's cores on one node out of the idle ones. */
static void take_node_cores(const job_resources_t *res, const struct maui_cluster_step *step,
			    bitstr_t *idle)
{
	int64_t size = bit_size(res->core_bitmap), i = step->from;
	int64_t end = i + (step->cores < bit_size(idle) ? step->cores : bit_size(idle));

	for (end = end < size ? end : size;
	     (i = maui_cluster_next_bit(res->core_bitmap, i, end)) >= 0; i++)
		bit_clear(idle, i - step->from);
}

/* Takes the job's cores on all listed nodes out of the idle ones. */
static void take_job_cores(const job_resources_t *res, const struct hidden_nodes *hidden)
{
	struct maui_cluster_step step = { 0 };

	if (bit_size(res->node_bitmap) != bit_size(hidden->nodes) ||
	    !bit_overlap_any(res->node_bitmap, hidden->nodes))
		return;
	while (maui_cluster_walk(res, &step))
		if (bit_test(hidden->nodes, step.index) && res->cpus[step.place] > 0)
			take_node_cores(res, &step, hidden->list[hidden->at[step.index]].idle);
}

static void take_active_cores(const struct hidden_nodes *hidden)
{
	maui_compat_iterator_t iterator = list_iterator_create(job_list);
	const job_record_t *job_ptr;

	while ((job_ptr = list_next(iterator))) {
		const job_resources_t *res = job_ptr->job_resrcs;

		if ((IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr)) && res &&
		    res->node_bitmap && res->core_bitmap && res->cpus &&
		    maui_cluster_holds_cores(job_ptr))
			take_job_cores(res, hidden);
	}
	list_iterator_destroy(iterator);
}

/* Counts idle cores that the job cannot see anyway as hidden. Returns how many are still to be
 * hidden. */
static uint32_t skip_reserved(const struct hidden_node *k, bitstr_t *reserved)
{
	uint32_t first = cr_get_coremap_offset((uint32_t)k->node_ptr->index);
	uint32_t a_core = k->node_ptr->tpc > 0 ? k->node_ptr->tpc : 1;
	uint32_t left = (k->procs + a_core - 1) / a_core;

	for (int64_t i = 0; reserved && i < bit_size(k->idle); i++) {
		if (!bit_test(k->idle, i) || !bit_test(reserved, first + i))
			continue;
		bit_clear(k->idle, i);
		left -= left > 0;
	}
	return left;
}

/* Hides cores, from the last idle one on. */
static void hide_last(const struct hidden_node *k, uint32_t left, bitstr_t *shown)
{
	uint32_t first = cr_get_coremap_offset((uint32_t)k->node_ptr->index);

	for (int64_t i = bit_size(k->idle) - 1; i >= 0 && left > 0; i--) {
		if (!bit_test(k->idle, i))
			continue;
		bit_clear(shown, first + i);
		left--;
	}
}

static bitstr_t *all_cores(void)
{
	bitstr_t *cores = bit_alloc(cr_get_coremap_offset((uint32_t)node_record_count));

	bit_set_all(cores);
	return cores;
}

bitstr_t *maui_hide_cores(const struct maui_start_order *order, bitstr_t *reserved)
{
	struct hidden_nodes hidden;
	bitstr_t *shown = NULL;
	uint32_t left;

	if (!order->kept)
		return NULL;
	list_hidden_nodes(order, &hidden);
	if (hidden.count > 0)
		take_active_cores(&hidden);
	for (uint32_t i = 0; i < hidden.count; i++) {
		left = skip_reserved(&hidden.list[i], reserved);
		if (left > 0 && !shown)
			shown = all_cores();
		if (left > 0)
			hide_last(&hidden.list[i], left, shown);
	}
	free_hidden_nodes(&hidden);
	return shown;
}

void maui_hide_cores_check(const struct maui_start_order *order, const job_record_t *job_ptr)
{
	const job_resources_t *res = job_ptr->job_resrcs;
	uint32_t place = 0;

	if (!order->procs || !res || !res->node_bitmap || !res->cpus)
		return;
	for (uint32_t i = 0; i < order->node_count && place < res->nhosts; i++) {
		if (!bit_test(res->node_bitmap, order->nodes[i]))
			continue; /* fewer nodes than planned: the start says so */
		if (res->cpus[place] != order->procs[i])
			debug("slurm-maui: %pJ got %u processors of %s, planned %u", job_ptr,
			      res->cpus[place], node_record_table_ptr[order->nodes[i]]->name,
			      order->procs[i]);
		place++;
	}
}
