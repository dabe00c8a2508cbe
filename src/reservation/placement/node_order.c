/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_order.c - nodes in the order of choice, by NODEALLOCATIONPOLICY
 *
 * In: the nodes of the snapshot. Out: all nodes in the order in which a reservation takes them, and
 * the same for each set. The order holds for the whole placement; policies whose order depends on
 * the reservation fall back to FIRSTAVAILABLE here and are served by search.c.
 */

#include "config/planning.h"
#include "reservation/placement/private.h"

static int static_policy(int policy)
{
	return policy == MAUI_ALLOC_CONTIGUOUS || policy == MAUI_ALLOC_MAXBALANCE ?
		       MAUI_ALLOC_FIRSTAVAILABLE :
		       policy;
}

bool maui_placement_choose(struct maui_placement *p, int policy, size_t count, int64_t tasks,
			   uint32_t *ret_count)
{
	static const struct maui_request request = { .nodes_min = 1 };
	const struct maui_shape shape = { .snapshot = &p->plain,
					  .request = &request,
					  .least = 1,
					  .nodes_min = 1,
					  .nodes_max = UINT32_MAX,
					  .tasks = tasks };

	return maui_alloc_choose(&shape, policy, p->list, count, ret_count);
}

/* Whether the order is that of the node table, because the nodes do not differ in the deciding
 * property. */
static bool in_table_order(const struct maui_placement *p)
{
	const struct maui_node *nodes = p->s->nodes;
	int policy = static_policy(p->input->allocation);

	if (policy != MAUI_ALLOC_FIRSTAVAILABLE && policy != MAUI_ALLOC_LASTAVAILABLE)
		return false;
	for (uint32_t n = 0; n < p->s->node_count; n++)
		if (nodes[n].asleep || nodes[n].weight != nodes[0].weight)
			return false;
	return true;
}

/* Fills p->list with all nodes in the order of choice. */
static void list_in_order(struct maui_placement *p)
{
	uint32_t count = p->s->node_count, ignored;

	for (uint32_t n = 0; n < count; n++)
		p->list[n] = (struct maui_candidate){ .node = n, .tasks = 1 };
	if (count > 0 && !in_table_order(p))
		maui_placement_choose(p, static_policy(p->input->allocation), count, count,
				      &ignored);
}

static int rank_nodes(struct maui_placement *p)
{
	uint32_t count = p->s->node_count;

	p->ranked = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*p->ranked));
	p->ranked_sets = maui_arena_alloc(p->arena, (p->input->targets->set_count + 1u) *
							    sizeof(*p->ranked_sets));
	if (!p->ranked || !p->ranked_sets)
		return -1;
	list_in_order(p);
	for (uint32_t i = 0; i < count; i++)
		p->ranked[i] = p->list[i].node;
	return 0;
}

const uint32_t *maui_placement_ranked_nodes(struct maui_placement *p,
					    const struct maui_node_set *set)
{
	uint32_t **list, count = 0;

	if (!p->ranked && rank_nodes(p))
		return NULL;
	if (set->count == p->s->node_count)
		return p->ranked;
	list = &p->ranked_sets[set->index];
	if (*list)
		return *list;
	*list = maui_arena_alloc(p->arena, (set->count + 1u) * sizeof(**list));
	for (uint32_t i = 0; *list && count < set->count; i++)
		if (maui_node_set_has(set, p->ranked[i]))
			(*list)[count++] = p->ranked[i];
	return *list;
}
