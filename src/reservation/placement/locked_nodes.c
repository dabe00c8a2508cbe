/* SPDX-License-Identifier: GPL-2.0-or-later */
/* locked_nodes.c - the hosts of a node-locked instance
 *
 * The hosts follow from the configuration alone and are taken anew in each placement. RESDEPTH and
 * exclusive reservations may keep the instance off some hosts.
 */

#include "reservation/placement/private.h"

int maui_placement_lock_hosts(struct maui_placement *p, struct maui_placement_item *item)
{
	const struct maui_node_set *list = item->target->list;
	uint32_t count = 0;

	if (!list || !item->target->locked || maui_rsv_is_exclusive(item->rsv))
		return 0;
	maui_placement_select_item(p, item);
	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t node = list->nodes[i];
		int64_t tasks = maui_placement_capacity(p->s, item->rsv, node);

		if (tasks == 0 ||
		    (p->input->res_depth > 0 && p->depth[node] >= p->input->res_depth) ||
		    maui_placement_is_kept_off(p, item, node, item->from, item->instance->end_s))
			continue;
		if (maui_placement_put_tasks(p, item, node, tasks))
			return -1;
		count++;
	}
	if (item->rsv->task_count == 0) {
		item->instance->missing = list->count - count + (list->count == 0);
		item->missing = 0;
	}
	return 0;
}
