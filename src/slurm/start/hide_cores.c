/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hide_cores.c - which cores are idle, and how many of them are hidden */

#include "slurm/start/hide_cores.h"

#include "slurm/capture/cluster.h"
#include "slurm/capture/walk.h"

/* A node on which something is kept. */
struct keeping {
	const node_record_t *node_ptr;
	uint32_t procs;
	bitstr_t *idle; /* cores */
};

struct keepings {
	struct keeping *list;
	uint32_t count;
	bitstr_t *nodes; /* in the list, by index in the node table; NULL: none */
	uint32_t *at;    /* of each of them: where in the list */
};

/* Specialized cores are nobody's. */
static bitstr_t *usable_cores(const node_record_t *node_ptr)
{
	bitstr_t *cores = bit_alloc(node_ptr->tot_cores);

	bit_set_all(cores);
	if (node_ptr->node_spec_bitmap && bit_size(node_ptr->node_spec_bitmap) == bit_size(cores))
		bit_and(cores, node_ptr->node_spec_bitmap);
	return cores;
}

static void open_all(const struct maui_start_order *order, struct keepings *ret)
{
	*ret = (struct keepings){ .list = xcalloc(order->node_count + 1, sizeof(*ret->list)) };
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
		ret->list[ret->count++] = (struct keeping){ .node_ptr = node_ptr,
							    .procs = order->kept[i],
							    .idle = usable_cores(node_ptr) };
	}
}

static void close_all(struct keepings *keepings)
{
	for (uint32_t i = 0; i < keepings->count; i++)
		FREE_NULL_BITMAP(keepings->list[i].idle);
	xfree(keepings->list);
	xfree(keepings->at);
	FREE_NULL_BITMAP(keepings->nodes);
}

/* Of one node. */
static void take_out_cores(const job_resources_t *res, const struct maui_cluster_step *step,
			   bitstr_t *idle)
{
	int64_t size = bit_size(res->core_bitmap), i = step->from;
	int64_t end = i + (step->cores < bit_size(idle) ? step->cores : bit_size(idle));

	for (end = end < size ? end : size;
	     (i = maui_cluster_next_bit(res->core_bitmap, i, end)) >= 0; i++)
		bit_clear(idle, i - step->from);
}

/* What a job has of the nodes is not idle. */
static void take_out(const job_resources_t *res, const struct keepings *keepings)
{
	struct maui_cluster_step step = { 0 };

	if (bit_size(res->node_bitmap) != bit_size(keepings->nodes) ||
	    !bit_overlap_any(res->node_bitmap, keepings->nodes))
		return;
	while (maui_cluster_walk(res, &step))
		if (bit_test(keepings->nodes, step.index) && res->cpus[step.place] > 0)
			take_out_cores(res, &step, keepings->list[keepings->at[step.index]].idle);
}

static void take_out_active(const struct keepings *keepings)
{
	maui_compat_iterator_t iterator = list_iterator_create(job_list);
	const job_record_t *job_ptr;

	while ((job_ptr = list_next(iterator))) {
		const job_resources_t *res = job_ptr->job_resrcs;

		if ((IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr)) && res &&
		    res->node_bitmap && res->core_bitmap && res->cpus &&
		    maui_cluster_holds_cores(job_ptr))
			take_out(res, keepings);
	}
	list_iterator_destroy(iterator);
}

/* Idle cores that are not seen anyway are no longer to be hidden. Returns how many are still. */
static uint32_t pass_over(const struct keeping *k, bitstr_t *reserved)
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

/* From the last idle core on. */
static void hide(const struct keeping *k, uint32_t left, bitstr_t *shown)
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
	struct keepings keepings;
	bitstr_t *shown = NULL;
	uint32_t left;

	if (!order->kept)
		return NULL;
	open_all(order, &keepings);
	if (keepings.count > 0)
		take_out_active(&keepings);
	for (uint32_t i = 0; i < keepings.count; i++) {
		left = pass_over(&keepings.list[i], reserved);
		if (left > 0 && !shown)
			shown = all_cores();
		if (left > 0)
			hide(&keepings.list[i], left, shown);
	}
	close_all(&keepings);
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
