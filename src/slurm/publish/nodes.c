/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.c - writes NODE_STATE_PLANNED to node records */

#include "slurm/compat.h"

#include "slurm/publish/nodes.h"

#include "slurm/capture/cluster.h"

/* Whether a node has the state, so that there is something to take away. Under node READ. */
static bool any_planned(void)
{
	const node_record_t *node_ptr;

	for (int i = 0; (node_ptr = next_node(&i)); i++)
		if (node_ptr->node_state & NODE_STATE_PLANNED)
			return true;
	return false;
}

static bool is_anything_to_do(size_t count)
{
	slurmctld_lock_t locks = { .node = READ_LOCK };
	bool any = count > 0;

	if (any)
		return true;
	lock_slurmctld(locks);
	any = any_planned();
	unlock_slurmctld(locks);
	return any;
}

static bool set_state(node_record_t *node_ptr, bool planned)
{
	uint32_t state = node_ptr->node_state & ~NODE_STATE_PLANNED;

	if (planned && maui_compat_has_idle_cpus(node_ptr))
		state |= NODE_STATE_PLANNED;
	if (node_ptr->node_state == state)
		return false;
	node_ptr->node_state = state;
	return true;
}

/* Under node WRITE. */
static bool set_states(const uint32_t *nodes, size_t count)
{
	bitstr_t *planned = bit_alloc(node_record_count);
	node_record_t *node_ptr;
	bool changed = false;
	bool allocated = false;

	for (size_t i = 0; i < count; i++) {
		if (nodes[i] >= (uint32_t)node_record_count)
			continue;
		bit_set(planned, nodes[i]);
		node_ptr = node_record_table_ptr[nodes[i]];
		allocated |= node_ptr && IS_NODE_ALLOCATED(node_ptr);
	}
	if (allocated)
		select_g_select_nodeinfo_set_all(); /* counts the allocated processors */
	for (int i = 0; (node_ptr = next_node(&i)); i++)
		changed |= set_state(node_ptr, bit_test(planned, i));
	FREE_NULL_BITMAP(planned);
	return changed;
}

bool maui_publish_planned(const uint32_t *nodes, size_t count, uint64_t table,
			  struct maui_hold_times *ret_writes)
{
	slurmctld_lock_t locks = {
		.conf = READ_LOCK, .job = READ_LOCK, .node = WRITE_LOCK, .part = READ_LOCK
	};
	bool changed = false;
	int64_t since;

	*ret_writes = (struct maui_hold_times){ 0 };
	if (!is_anything_to_do(count))
		return false;
	lock_slurmctld(locks);
	since = maui_monotonic_us();
	if (node_record_count > 0 && (count == 0 || maui_cluster_is_current(table)))
		changed = set_states(nodes, count);
	if (changed)
		last_node_update = time(NULL);
	maui_hold_note(ret_writes, since);
	unlock_slurmctld(locks);
	if (changed && count == 0) /* slurmctld may have saved the nodes before */
		schedule_node_save();
	return changed;
}
