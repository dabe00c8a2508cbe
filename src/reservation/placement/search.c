/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search.c - finds nodes for tasks of an instance, in the order of choice
 *
 * First the nodes of a similar reservation that adjoins; then those of the nearest instance of the
 * same reservation, with as many tasks as it has there, then more tasks on these nodes; then other
 * nodes by NODEALLOCATIONPOLICY. At each of these steps nodes that are up come before silent ones.
 *
 * LASTAVAILABLE takes first the nodes whose capacity ends soonest because of reservations, then all
 * others in the order of ties, because jobs end on every node.
 *
 * Rules: RSV-34.
 */

#include "config/planning.h"
#include "reservation/placement/private.h"

/* ---- nodes in the order of choice ---- */

/* The order holds for the whole placement. Where it depends on the reservation, or on the other
 * chosen nodes, FIRSTAVAILABLE stands here. */
static int static_policy(int policy)
{
	return policy == MAUI_ALLOC_CONTIGUOUS || policy == MAUI_ALLOC_MAXBALANCE ?
		       MAUI_ALLOC_FIRSTAVAILABLE :
		       policy;
}

/* maui_alloc_choose() among the first `count` nodes of p->list, each by itself. */
static bool choose_by_policy(struct maui_placement *p, int policy, size_t count, int64_t tasks,
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
		choose_by_policy(p, static_policy(p->input->allocation), count, count, &ignored);
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

/* The nodes of the set in the order of choice, by NODEALLOCATIONPOLICY. NULL without memory. Uses
 * p->list. */
static const uint32_t *ranked_nodes(struct maui_placement *p, const struct maui_node_set *set)
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

/* ---- a search ---- */

struct search {
	struct maui_placement *p;
	const struct maui_placement_query *q;
	const struct maui_node_set *set;
	const struct maui_node_set *locked; /* handled already; NULL: none */
	struct maui_placement_ask ask;
	uint64_t turn;
	int64_t left;
	uint32_t count; /* number of elements of p->found */
};

/* ---- one node ---- */

/* More tasks that a node takes in this search. A whole-node reservation fails on most nodes because
 * of jobs, so that is checked first. */
static inline int64_t usable_tasks(const struct search *s, uint32_t node, int64_t *ret_end)
{
	struct maui_placement *p = s->p;
	int64_t tasks;

	if ((s->ask.jobs && s->ask.item->whole && !s->ask.silent &&
	     p->busy_until[node] > s->ask.from) ||
	    p->seen[node] == s->turn || node == s->q->without || !maui_node_set_has(s->set, node) ||
	    (s->locked && maui_node_set_has(s->locked, node)))
		return 0;
	tasks = maui_placement_remaining(p, &s->ask, node, ret_end);
	if (tasks > 0 && s->q->in_use && maui_placement_is_free(p, node, s->ask.from, s->ask.until))
		return 0;
	return tasks;
}

/* Tasks for a node that takes up to `tasks`: the rest for the next node should not be fewer than
 * TPN. */
static int64_t share_tasks(const struct search *s, int64_t tasks)
{
	int64_t least = s->q->item->rsv->tasks_per_node, rest = s->left - tasks;

	if (rest <= 0)
		return s->left;
	if (rest < least && tasks - (least - rest) >= least)
		return tasks - (least - rest);
	return tasks;
}

static void take_node(struct search *s, uint32_t node, int64_t tasks)
{
	struct maui_candidate *c = &s->p->found[s->count++];

	*c = (struct maui_candidate){ .node = node,
				      .tasks = tasks,
				      .gives = share_tasks(s, tasks) };
	s->left -= c->gives;
	s->p->seen[node] = s->turn;
}

static void consider_node(struct search *s, uint32_t node)
{
	int64_t tasks = usable_tasks(s, node, NULL);

	if (tasks > 0)
		take_node(s, node, tasks);
}

/* Adds tasks on the nodes found, from index `first` on. */
static void add_tasks(struct search *s, uint32_t first)
{
	for (uint32_t i = first; i < s->count && s->left > 0; i++) {
		struct maui_candidate *c = &s->p->found[i];
		int64_t more = c->tasks - c->gives;

		if (more > s->left)
			more = s->left;
		c->gives += more;
		s->left -= more;
	}
}

/* ---- nodes of other instances ---- */

/* Takes the nodes of another instance with as many tasks as it has there; then, unless it is a
 * partner's instance, more tasks on these nodes. */
static void take_nodes_of(struct search *s, const struct maui_rsv_instance *other, bool partner)
{
	uint32_t first = s->count;

	for (uint32_t i = 0; i < other->place_count && s->left > 0; i++) {
		const struct maui_rsv_place *place = &other->places[i];
		int64_t left = s->left;

		if (place->tasks < left)
			s->left = place->tasks;
		left -= s->left;
		consider_node(s, place->node);
		s->left += left;
	}
	if (!partner)
		add_tasks(s, first);
}

/* The nearest earlier instance with places, else the nearest later one. */
static const struct maui_rsv_instance *find_sibling(const struct search *s)
{
	const struct maui_placement_item *items = s->p->items;
	uint32_t at = (uint32_t)(s->q->item - items), rsv = s->q->item->instance->rsv;

	for (uint32_t i = at; i-- > s->p->first[rsv];)
		if (items[i].instance->place_count > 0)
			return items[i].instance;
	for (uint32_t i = at + 1; i < s->p->first[rsv + 1]; i++)
		if (items[i].instance->place_count > 0)
			return items[i].instance;
	return NULL;
}

static void take_nodes_of_partner(struct search *s)
{
	const struct maui_rsv_instance *mine = s->q->item->instance;
	uint32_t partner = s->p->partners[mine->rsv];

	if (partner == MAUI_PLACEMENT_NONE)
		return;
	for (uint32_t i = s->p->first[partner]; i < s->p->first[partner + 1]; i++) {
		const struct maui_rsv_instance *other = s->p->items[i].instance;

		if (other->end_s == mine->start_s || other->start_s == mine->end_s)
			take_nodes_of(s, other, true);
	}
}

/* ---- by NODEALLOCATIONPOLICY ---- */

/* For policies that compare all nodes together; for LASTAVAILABLE only the nodes whose capacity
 * ends because of reservations. Returns whether nodes were taken. */
static bool choose_together(struct search *s)
{
	int policy = s->p->input->allocation;
	uint32_t before = s->count, chosen;
	size_t count = 0;
	int64_t sum = 0;

	for (uint32_t i = 0; i < s->set->count; i++) {
		uint32_t node = s->set->nodes[i];
		struct maui_candidate *c = &s->p->list[count];
		bool last = policy == MAUI_ALLOC_LASTAVAILABLE;
		int64_t tasks, end = 0;

		if (last && (s->p->use[node].count == 1 || s->p->s->nodes[node].asleep))
			continue;
		tasks = usable_tasks(s, node, last ? &end : NULL);
		if (tasks == 0 || (last && end == MAUI_NEVER))
			continue;
		*c = (struct maui_candidate){ .node = node, .tasks = tasks, .until_s = end };
		count++;
		sum += tasks < s->left ? tasks : s->left;
	}
	if (count == 0 ||
	    !choose_by_policy(s->p, policy, count, sum < s->left ? sum : s->left, &chosen))
		return false;
	for (uint32_t i = 0; i < chosen && s->left > 0; i++)
		take_node(s, s->p->list[i].node, s->p->list[i].tasks);
	return s->count > before;
}

static int take_by_policy(struct search *s)
{
	int policy = s->p->input->allocation;
	const uint32_t *nodes = ranked_nodes(s->p, s->set);

	if (!nodes)
		return -1;
	if (policy == MAUI_ALLOC_LASTAVAILABLE) /* TPN may leave tasks for one more node */
		while (s->left > 0 && choose_together(s))
			;
	else if (policy == MAUI_ALLOC_MAXBALANCE || policy == MAUI_ALLOC_CONTIGUOUS)
		choose_together(s);
	for (uint32_t i = 0; i < s->set->count && s->left > 0; i++)
		consider_node(s, nodes[i]);
	return 0;
}

/* ---- the whole search ---- */

static int run_search(struct search *s)
{
	const struct maui_rsv_instance *sibling = find_sibling(s);

	take_nodes_of_partner(s);
	if (sibling && s->left > 0)
		take_nodes_of(s, sibling, false);
	return s->left > 0 ? take_by_policy(s) : 0;
}

int64_t maui_placement_find_nodes(struct maui_placement *p, const struct maui_placement_query *q,
				  uint32_t *ret_count)
{
	const struct maui_standing_target *target = q->item->target;
	struct search s = { .p = p,
			    .q = q,
			    .set = target->list && !target->locked ? target->list : target->wide,
			    .locked = target->locked ? target->list : NULL,
			    .ask = { .item = q->item,
				     .from = q->from,
				     .until = q->item->instance->end_s,
				     .jobs = q->jobs,
				     .rsvs = q->rsvs },
			    .turn = ++p->search_number,
			    .left = q->tasks };

	*ret_count = 0;
	if (run_search(&s))
		return -1;
	s.ask.silent = true;
	if (s.left > 0 && q->silent && p->any_silent && run_search(&s))
		return -1;
	add_tasks(&s, 0); /* tasks left for a next node that was not found */
	*ret_count = s.count;
	return q->tasks - s.left;
}
