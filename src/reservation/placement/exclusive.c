/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exclusive.c - setres -E: an exclusive reservation shares its nodes with no other (RSV-22)
 *
 * An exclusive reservation takes no node on which another reservation is at any moment of its time,
 * and no other reservation takes its nodes then, node-locked, SHARED and FORCE ones included. The
 * reservation that had the node first keeps it with any PRIORITY; among new ones node-locked
 * reservations come first. So the kept nodes of exclusive reservations are placed before all other
 * steps, and their missing hosts after the kept and node-locked nodes of all others.
 *
 * Our ruling, since the manual names the option only: a host that another reservation holds counts
 * as missing, and is taken once it is free until the end. Jobs do not keep an exclusive reservation
 * off named hosts. When its times change, or when it becomes exclusive later, it loses the nodes
 * that others hold in its time. Slurm reservations that were there first keep it off; later ones
 * overlap it. The exclusive reservation of a user who is not an administrator keeps off only users'
 * reservations.
 */

#include "reservation/placement/private.h"

/* Another reservation on a node: an instance of the last plan, or a Slurm reservation. */
struct occupancy {
	uint32_t rsv; /* NONE: a Slurm reservation */
	int32_t day;
	int64_t from, until;
};

struct occupancies {
	uint32_t *first; /* of each node; one entry more */
	struct occupancy *list;
};

static void put_occupancy(struct occupancies *held, uint32_t node, uint32_t node_count,
			  struct occupancy one)
{
	if (node >= node_count)
		return;
	if (held->list)
		held->list[held->first[node + 1]] = one;
	held->first[node + 1 + !held->list]++;
}

/* Counts the occupancies of each node; once `list` exists, stores them. */
static void visit_occupancies(struct maui_placement *p, struct occupancies *held)
{
	for (uint32_t i = 0; i < p->input->before_count; i++) {
		const struct maui_rsv_instance *before = &p->input->before[i];

		for (uint32_t k = 0; before->made && k < before->place_count; k++)
			put_occupancy(held, before->places[k].node, p->s->node_count,
				      (struct occupancy){ before->rsv, before->day, before->start_s,
							  before->end_s });
	}
	for (uint32_t c = 0; c < p->s->claim_count; c++) {
		const struct maui_claim *claim = &p->s->claims[c];

		for (uint32_t k = 0; k < claim->node_count; k++)
			put_occupancy(held, claim->nodes[k], p->s->node_count,
				      (struct occupancy){ MAUI_PLACEMENT_NONE, 0, claim->start_s,
							  claim->end_s });
	}
}

static int list_occupancies(struct maui_placement *p, struct occupancies *ret)
{
	uint32_t nodes = p->s->node_count;
	struct occupancy *list;

	*ret = (struct occupancies){ .first = maui_arena_alloc(
					     p->arena, (nodes + 2u) * sizeof(*ret->first)) };
	if (!ret->first)
		return -1;
	visit_occupancies(p, ret);
	for (uint32_t n = 2; n <= nodes + 1; n++)
		ret->first[n] += ret->first[n - 1];
	list = maui_arena_alloc(p->arena, (ret->first[nodes + 1] + 1u) * sizeof(*list));
	if (!list)
		return -1;
	ret->list = list;
	visit_occupancies(p, ret);
	return 0;
}

/* Whether an occupancy may overlap the item: it is the item's own, or Slurm or a reservation
 * that the item does not keep off was added over the item later. If the item's times have changed,
 * the others were first. */
static bool may_overlap(const struct maui_placement *p, const struct maui_placement_item *item,
			const struct occupancy *one)
{
	if (one->rsv == item->instance->rsv && one->day == item->instance->day)
		return true;
	return !item->changed && (one->rsv >= p->input->count ||
				  !maui_exclusive_keeps_off(item->rsv, p->input->list[one->rsv]));
}

/* Whether another reservation holds the node during the time of the item. */
static bool is_held_by_others(const struct maui_placement *p, const struct occupancies *held,
			      const struct maui_placement_item *item, uint32_t node)
{
	for (uint32_t k = held->first[node]; k < held->first[node + 1]; k++) {
		const struct occupancy *one = &held->list[k];

		if (one->from < item->instance->end_s && one->until > item->from &&
		    !may_overlap(p, item, one))
			return true;
	}
	return false;
}

static bool is_host(const struct maui_placement_item *item, uint32_t node)
{
	return item->target->locked && item->target->list &&
	       maui_node_set_has(item->target->list, node);
}

/* Further tasks on a host: all that the host can hold, busy or idle, or all missing ones. */
static int64_t more_on_host(struct maui_placement *p, const struct maui_placement_ask *ask,
			    uint32_t node)
{
	const struct maui_placement_item *item = ask->item;
	int64_t tasks = maui_placement_remaining(p, ask, node, NULL);

	if (maui_placement_tasks_on(p, item, node) + tasks < item->rsv->tasks_per_node)
		return 0;
	return item->rsv->task_count > 0 && item->missing < tasks ? item->missing : tasks;
}

static struct maui_placement_ask ask_for_hosts(const struct maui_placement_item *item)
{
	return (struct maui_placement_ask){ .item = item,
					    .kept = true,
					    .from = item->from,
					    .until = item->instance->end_s,
					    .rsvs = true };
}

static int keep_hosts(struct maui_placement *p, struct maui_placement_item *item,
		      const struct occupancies *held)
{
	const struct maui_placement_ask ask = ask_for_hosts(item);
	const struct maui_rsv_instance *before = item->before;

	maui_placement_select_item(p, item);
	for (uint32_t i = 0; i < before->place_count; i++) {
		uint32_t node = before->places[i].node;
		int64_t tasks = 0;

		if (node < p->s->node_count && is_host(item, node) &&
		    !is_held_by_others(p, held, item, node))
			tasks = more_on_host(p, &ask, node);
		if (item->rsv->task_count > 0 && before->places[i].tasks < tasks)
			tasks = before->places[i].tasks;
		if (tasks > 0 && maui_placement_put_tasks(p, item, node, tasks))
			return -1;
	}
	return 0;
}

/* A copy of the instance of the last plan without the nodes that others hold. NULL without
 * memory. */
static const struct maui_rsv_instance *without_others(struct maui_placement *p,
						      const struct maui_placement_item *item,
						      const struct occupancies *held)
{
	struct maui_rsv_instance *ret = maui_arena_alloc(p->arena, sizeof(*ret));
	struct maui_rsv_place *places =
		maui_arena_alloc(p->arena, (item->before->place_count + 1u) * sizeof(*places));

	if (!ret || !places)
		return NULL;
	*ret = *item->before;
	ret->places = places;
	ret->place_count = 0;
	for (uint32_t i = 0; i < item->before->place_count; i++) {
		uint32_t node = item->before->places[i].node;

		if (node < p->s->node_count && !is_held_by_others(p, held, item, node))
			places[ret->place_count++] = item->before->places[i];
	}
	return ret;
}

static int keep_floating(struct maui_placement *p, struct maui_placement_item *item,
			 const struct occupancies *held)
{
	item->before = without_others(p, item, held);
	return item->before ? maui_placement_keep_nodes(p, item) : -1;
}

int maui_placement_keep_exclusive(struct maui_placement *p)
{
	struct occupancies held = { 0 };

	for (uint32_t k = 0; k < p->item_count; k++) {
		struct maui_placement_item *item = &p->items[k];

		if (!maui_rsv_is_exclusive(item->rsv))
			continue;
		p->any_exclusive = true;
		if (!item->before)
			continue;
		if (!held.list && list_occupancies(p, &held))
			return -1;
		if (keep_hosts(p, item, &held) || keep_floating(p, item, &held))
			return -1;
	}
	return 0;
}

int maui_placement_lock_exclusive(struct maui_placement *p, struct maui_placement_item *item)
{
	const struct maui_node_set *list = item->target->list;
	const struct maui_placement_ask ask = ask_for_hosts(item);
	int64_t none = 0; /* hosts without a task of the item */

	if (!maui_rsv_is_exclusive(item->rsv) || !list || !item->target->locked)
		return 0;
	maui_placement_select_item(p, item);
	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t node = list->nodes[i];
		int64_t tasks = 0;

		if (maui_placement_tasks_on(p, item, node) > 0 || p->input->res_depth <= 0 ||
		    p->depth[node] < p->input->res_depth)
			tasks = more_on_host(p, &ask, node);
		if (tasks > 0 && maui_placement_put_tasks(p, item, node, tasks))
			return -1;
		none += maui_placement_tasks_on(p, item, node) == 0;
	}
	if (item->rsv->task_count == 0) {
		item->instance->missing = none + (list->count == 0);
		item->missing = 0;
	}
	return 0;
}
