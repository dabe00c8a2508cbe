/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exclusive.c - setres -E: an exclusive reservation is alone on its nodes (RSV-22)
 *
 * It is on no node on which another reservation is at any moment of its time, not even beside it,
 * and no other comes to its nodes, node-locked ones, SHARED and FORCE included. The reservation
 * that was there first stays, whatever its PRIORITY; of those that are new in the same plan
 * node-locked ones come first. So the nodes that an exclusive reservation keeps are put down before
 * all others, and hosts that it misses are taken when the kept and the node-locked nodes of all
 * others are known.
 *
 * Our ruling, since the manual names the option only: hosts that others hold are missing, and taken
 * once they are free until its end. Jobs are no hindrance on named hosts. When its times change, or
 * it becomes exclusive later, it loses the nodes on which others are in its time. Slurm's
 * reservations that are there first keep it off; those made later lie over it. An exclusive
 * reservation of a user who is no administrator keeps off reservations of users only.
 */

#include "reservation/placement/private.h"

/* Another reservation on a node: an instance of the last plan, or one of Slurm's now. */
struct stay {
	uint32_t rsv; /* NONE: Slurm's */
	int32_t day;
	int64_t from, until;
};

struct stays {
	uint32_t *first; /* of each node; one more */
	struct stay *list;
};

static void put_stay(struct stays *stays, uint32_t node, uint32_t node_count, struct stay stay)
{
	if (node >= node_count)
		return;
	if (stays->list)
		stays->list[stays->first[node + 1]] = stay;
	stays->first[node + 1 + !stays->list]++;
}

/* Counts the stays of each node, while there is no list; else lists them. */
static void each_stay(struct maui_placement *p, struct stays *stays)
{
	for (uint32_t i = 0; i < p->input->before_count; i++) {
		const struct maui_rsv_instance *before = &p->input->before[i];

		for (uint32_t k = 0; before->made && k < before->place_count; k++)
			put_stay(stays, before->places[k].node, p->s->node_count,
				 (struct stay){ before->rsv, before->day, before->start_s,
						before->end_s });
	}
	for (uint32_t c = 0; c < p->s->claim_count; c++) {
		const struct maui_claim *claim = &p->s->claims[c];

		for (uint32_t k = 0; k < claim->node_count; k++)
			put_stay(stays, claim->nodes[k], p->s->node_count,
				 (struct stay){ MAUI_PLACEMENT_NONE, 0, claim->start_s,
						claim->end_s });
	}
}

static int list_stays(struct maui_placement *p, struct stays *ret)
{
	uint32_t nodes = p->s->node_count;
	struct stay *list;

	*ret = (struct stays){ .first = maui_arena_alloc(p->arena,
							 (nodes + 2u) * sizeof(*ret->first)) };
	if (!ret->first)
		return -1;
	each_stay(p, ret);
	for (uint32_t n = 2; n <= nodes + 1; n++)
		ret->first[n] += ret->first[n - 1];
	list = maui_arena_alloc(p->arena, (ret->first[nodes + 1] + 1u) * sizeof(*list));
	if (!list)
		return -1;
	ret->list = list;
	each_stay(p, ret);
	return 0;
}

/* Whether a stay does not matter: it is the item's own, or one that was made over it, by Slurm
 * or by a reservation that it does not keep off. With other times than before, the others were
 * first. */
static bool may_stay(const struct maui_placement *p, const struct maui_placement_item *item,
		     const struct stay *stay)
{
	if (stay->rsv == item->instance->rsv && stay->day == item->instance->day)
		return true;
	return !item->changed && (stay->rsv >= p->input->count ||
				  !maui_exclusive_keeps_off(item->rsv, p->input->list[stay->rsv]));
}

/* Whether another reservation has been on the node in the time of the item. */
static bool others_were_on(const struct maui_placement *p, const struct stays *stays,
			   const struct maui_placement_item *item, uint32_t node)
{
	for (uint32_t k = stays->first[node]; k < stays->first[node + 1]; k++) {
		const struct stay *stay = &stays->list[k];

		if (stay->from < item->instance->end_s && stay->until > item->from &&
		    !may_stay(p, item, stay))
			return true;
	}
	return false;
}

static bool is_host(const struct maui_placement_item *item, uint32_t node)
{
	return item->target->locked && item->target->list &&
	       maui_node_set_has(item->target->list, node);
}

/* More tasks on a host: all that the host takes, whatever runs there, or all that are missing. */
static int64_t more_on_host(struct maui_placement *p, const struct maui_placement_ask *ask,
			    uint32_t node)
{
	const struct maui_placement_item *item = ask->item;
	int64_t tasks = maui_placement_remaining(p, ask, node, NULL);

	if (maui_placement_has(p, item, node) + tasks < item->rsv->tasks_per_node)
		return 0;
	return item->rsv->task_count > 0 && item->left < tasks ? item->left : tasks;
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
		      const struct stays *stays)
{
	const struct maui_placement_ask ask = ask_for_hosts(item);
	const struct maui_rsv_instance *before = item->before;

	maui_placement_open(p, item);
	for (uint32_t i = 0; i < before->place_count; i++) {
		uint32_t node = before->places[i].node;
		int64_t tasks = 0;

		if (node < p->s->node_count && is_host(item, node) &&
		    !others_were_on(p, stays, item, node))
			tasks = more_on_host(p, &ask, node);
		if (item->rsv->task_count > 0 && before->places[i].tasks < tasks)
			tasks = before->places[i].tasks;
		if (tasks > 0 && maui_placement_put(p, item, node, tasks))
			return -1;
	}
	return 0;
}

/* A copy of the instance of the last plan, without the nodes on which others have been. NULL
 * without memory. */
static const struct maui_rsv_instance *without_others(struct maui_placement *p,
						      const struct maui_placement_item *item,
						      const struct stays *stays)
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

		if (node < p->s->node_count && !others_were_on(p, stays, item, node))
			places[ret->place_count++] = item->before->places[i];
	}
	return ret;
}

static int keep_floating(struct maui_placement *p, struct maui_placement_item *item,
			 const struct stays *stays)
{
	item->before = without_others(p, item, stays);
	return item->before ? maui_placement_keep(p, item) : -1;
}

int maui_placement_keep_exclusive(struct maui_placement *p)
{
	struct stays stays = { 0 };

	for (uint32_t k = 0; k < p->item_count; k++) {
		struct maui_placement_item *item = &p->items[k];

		if (!maui_rsv_is_exclusive(item->rsv))
			continue;
		p->any_exclusive = true;
		if (!item->before)
			continue;
		if (!stays.list && list_stays(p, &stays))
			return -1;
		if (keep_hosts(p, item, &stays) || keep_floating(p, item, &stays))
			return -1;
	}
	return 0;
}

int maui_placement_lock_exclusive(struct maui_placement *p, struct maui_placement_item *item)
{
	const struct maui_node_set *list = item->target->list;
	const struct maui_placement_ask ask = ask_for_hosts(item);
	int64_t none = 0; /* hosts on which it has nothing */

	if (!maui_rsv_is_exclusive(item->rsv) || !list || !item->target->locked)
		return 0;
	maui_placement_open(p, item);
	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t node = list->nodes[i];
		int64_t tasks = 0;

		if (maui_placement_has(p, item, node) > 0 || p->input->res_depth <= 0 ||
		    p->depth[node] < p->input->res_depth)
			tasks = more_on_host(p, &ask, node);
		if (tasks > 0 && maui_placement_put(p, item, node, tasks))
			return -1;
		none += maui_placement_has(p, item, node) == 0;
	}
	if (item->rsv->task_count == 0) {
		item->instance->missing = none + (list->count == 0);
		item->left = 0;
	}
	return 0;
}
