/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search.c - nodes for some tasks of an instance, in the order of choice
 *
 * First the nodes of a reservation alike that it adjoins; then those of the nearest instance of its
 * own reservation, as many tasks as that has there, then more there; then by NODEALLOCATIONPOLICY.
 * Nodes that are up come before silent ones, of whichever of these kinds.
 *
 * LASTAVAILABLE: of the nodes that reservations bring to an end, the soonest first; all others
 * follow in the order of ties, since jobs end everywhere.
 *
 * Rules: RSV-34.
 */

#include "config/planning.h"
#include "reservation/placement/private.h"

struct search {
	struct maui_placement *p;
	const struct maui_placement_query *q;
	const struct maui_node_set *set;
	const struct maui_node_set *locked; /* dealt with already; NULL: none */
	struct maui_placement_ask ask;
	uint64_t turn;
	int64_t left;
	uint32_t count; /* of p->found */
};

/* ---- one node ---- */

/* More tasks that a node takes in this search. Jobs close most nodes to whole-node reservations:
 * that is looked at first. */
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

/* Tasks for a node that takes so many: those left for the next node are no fewer than TPN, if
 * possible. */
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

/* More tasks on the nodes found, from the first-th on. */
static void top_up(struct search *s, uint32_t first)
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

/* Takes the nodes of another instance, as many tasks as that has there; then, unless it is a
 * partner's, more tasks on these nodes. */
static void follow(struct search *s, const struct maui_rsv_instance *other, bool partner)
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
		top_up(s, first);
}

/* The nearest instance before it that has places, else the nearest after it. */
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

static void follow_partner(struct search *s)
{
	const struct maui_rsv_instance *mine = s->q->item->instance;
	uint32_t partner = s->p->partners[mine->rsv];

	if (partner == MAUI_PLACEMENT_NONE)
		return;
	for (uint32_t i = s->p->first[partner]; i < s->p->first[partner + 1]; i++) {
		const struct maui_rsv_instance *other = s->p->items[i].instance;

		if (other->end_s == mine->start_s || other->start_s == mine->end_s)
			follow(s, other, true);
	}
}

/* ---- by NODEALLOCATIONPOLICY ---- */

/* Policies that look at all nodes together; for LASTAVAILABLE at those that reservations bring to
 * an end. Returns whether nodes were taken. */
static bool take_together(struct search *s)
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
	    !maui_placement_choose(s->p, policy, count, sum < s->left ? sum : s->left, &chosen))
		return false;
	for (uint32_t i = 0; i < chosen && s->left > 0; i++)
		take_node(s, s->p->list[i].node, s->p->list[i].tasks);
	return s->count > before;
}

static int take_by_policy(struct search *s)
{
	int policy = s->p->input->allocation;
	const uint32_t *nodes = maui_placement_ranked(s->p, s->set);

	if (!nodes)
		return -1;
	if (policy == MAUI_ALLOC_LASTAVAILABLE) /* TPN may leave tasks for one node more */
		while (s->left > 0 && take_together(s))
			;
	else if (policy == MAUI_ALLOC_MAXBALANCE || policy == MAUI_ALLOC_CONTIGUOUS)
		take_together(s);
	for (uint32_t i = 0; i < s->set->count && s->left > 0; i++)
		consider_node(s, nodes[i]);
	return 0;
}

/* ---- all of it ---- */

static int look(struct search *s)
{
	const struct maui_rsv_instance *sibling = find_sibling(s);

	follow_partner(s);
	if (sibling && s->left > 0)
		follow(s, sibling, false);
	return s->left > 0 ? take_by_policy(s) : 0;
}

int64_t maui_placement_find(struct maui_placement *p, const struct maui_placement_query *q,
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
			    .turn = ++p->turn,
			    .left = q->tasks };

	*ret_count = 0;
	if (look(&s))
		return -1;
	s.ask.silent = true;
	if (s.left > 0 && q->silent && p->any_silent && look(&s))
		return -1;
	top_up(&s, 0); /* tasks that were left for a next node, when there was none */
	*ret_count = s.count;
	return q->tasks - s.left;
}
