/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spaceflex.c - SPACEFLEX: a reservation moves if that removes a conflict or frees a node (RSV-8)
 *
 * In each plan an instance leaves at most one node: a node that it shares with another reservation
 * or with a job that it does not admit; or a node that would be wholly free without the instance,
 * if nodes that are in use anyway have capacity for its tasks. Each move leaves fewer conflicts or
 * fewer nodes in use, so moving comes to an end.
 */

#include "config/config.h"
#include "reservation/access/access.h"
#include "reservation/placement/private.h"

/* ---- jobs ---- */

static bool has_flag(uint64_t flags, enum maui_qos_flag flag)
{
	return flags & (UINT64_C(1) << flag);
}

/* Whether the reservation admits a running job, by the job's credentials. */
static bool admits(const struct maui_placement *p, const struct maui_placement_item *item,
		   const struct maui_active *active)
{
	const struct maui_credentials *creds = &p->s->creds[active->creds];
	uint64_t flags =
		p->input->qos_flags ? p->input->qos_flags(p->input->qos_data, active->creds) : 0;
	struct maui_access_job job = { .advres = active->advres,
				       .tasks = active->asked_tasks,
				       .procs = active->asked_procs,
				       .preemptee = active->preemptee ||
						    has_flag(flags, MAUI_QOS_PREEMPTEE),
				       .ignore_time = has_flag(flags, MAUI_QOS_IGNSRMAXTIME) };
	int64_t end = active->end_s < item->instance->end_s ? active->end_s : item->instance->end_s;
	enum maui_affinity ignored;
	enum maui_entry entry;

	if (has_flag(flags, MAUI_QOS_PREEMPTOR) && maui_rsv_has(item->rsv, MAUI_RSV_PREEMPTEE))
		return true;
	for (int kind = 0; kind < MAUI_CRED_COUNT; kind++)
		job.cred[kind] = creds->cred[kind];
	entry = maui_access_check(item->rsv, &job, end > item->from ? end - item->from : 0,
				  &ignored);
	return entry == MAUI_ENTRY_OK || entry == MAUI_ENTRY_NOT;
}

/* Lists the pieces of jobs by node, at the first call. */
static int list_pieces(struct maui_placement *p)
{
	uint32_t nodes = p->s->node_count, total = 0;

	if (p->first_piece)
		return 0;
	for (uint32_t a = 0; a < p->s->active_count; a++)
		total += p->s->active[a].piece_count;
	p->pieces = maui_arena_alloc(p->arena, (total + 1u) * sizeof(*p->pieces));
	p->first_piece = maui_arena_alloc(p->arena, (nodes + 2u) * sizeof(*p->first_piece));
	if (!p->pieces || !p->first_piece)
		return -1;
	for (uint32_t a = 0; a < p->s->active_count; a++)
		for (uint32_t i = 0; i < p->s->active[a].piece_count; i++)
			p->first_piece[p->s->active[a].pieces[i].node + 2]++;
	for (uint32_t n = 2; n <= nodes + 1; n++)
		p->first_piece[n] += p->first_piece[n - 1];
	for (uint32_t a = 0; a < p->s->active_count; a++)
		for (uint32_t i = 0; i < p->s->active[a].piece_count; i++) {
			const struct maui_piece *piece = &p->s->active[a].pieces[i];

			p->pieces[p->first_piece[piece->node + 1]++] =
				(struct maui_placement_piece){ &p->s->active[a], piece };
		}
	return 0;
}

/* The amounts that jobs leave of a node if they run during the instance and it does not admit them.
 * Returns whether there are such jobs. */
static bool remaining_after_jobs(const struct maui_placement *p,
				 const struct maui_placement_item *item, uint32_t node,
				 int64_t *ret_left)
{
	bool found = false;

	for (unsigned d = 0; d < MAUI_PLACEMENT_AMOUNTS; d++)
		ret_left[d] = d < p->amounts ? p->s->nodes[node].have[d] : 0;
	for (uint32_t i = p->first_piece[node]; i < p->first_piece[node + 1]; i++) {
		const struct maui_placement_piece *on = &p->pieces[i];

		if (on->active->end_s <= item->from || admits(p, item, on->active))
			continue;
		found = true;
		for (unsigned d = 0; d < p->amounts; d++)
			ret_left[d] -= on->piece->amounts[d];
	}
	return found;
}

/* ---- reasons to move ---- */

/* Whether others hold amounts that the item's tasks on the node need: 1, 0; -1 without memory. */
static int in_conflict(struct maui_placement *p, const struct maui_placement_item *item,
		       const struct maui_rsv_place *place)
{
	struct maui_placement_ask ask = {
		.item = item, .from = item->from, .until = item->instance->end_s, .rsvs = true
	};
	int64_t left[MAUI_PLACEMENT_AMOUNTS];

	if (maui_placement_fitting(p, &ask, place->node) < place->tasks)
		return 1;
	ask.rsvs = false;
	ask.jobs = true;
	if (maui_placement_fitting(p, &ask, place->node) >= place->tasks)
		return 0;
	if (list_pieces(p))
		return -1;
	if (!remaining_after_jobs(p, item, place->node, left))
		return 0;
	return item->whole || maui_placement_tasks_in(p->s, item->rsv, &p->s->nodes[place->node],
						      left) < place->tasks;
}

/* Whether only the item's tasks are on the node, and they do not fill it. */
static bool is_alone(struct maui_placement *p, struct maui_placement_item *item,
		     const struct maui_rsv_place *place, bool *ret_alone)
{
	const struct maui_rsv_place had = *place;

	*ret_alone = false;
	if (item->whole)
		return true;
	if (maui_placement_drop_tasks(p, item, had.node))
		return false;
	*ret_alone = maui_placement_is_free(p, had.node, item->from, item->instance->end_s);
	return maui_placement_put_tasks(p, item, had.node, had.tasks) == 0;
}

/* ---- moving ---- */

/* Moves the tasks of a place to nodes that take all of them without conflict: 1; no such nodes:
 * 0. */
static int move_tasks(struct maui_placement *p, struct maui_placement_item *item,
		      struct maui_rsv_place place, bool in_use)
{
	const struct maui_placement_query q = { .item = item,
						.from = item->from,
						.tasks = place.tasks,
						.jobs = true,
						.rsvs = true,
						.in_use = in_use,
						.without = place.node };
	uint32_t count;
	int64_t found = maui_placement_find_nodes(p, &q, &count);

	if (found < place.tasks)
		return found < 0 ? -1 : 0;
	if (maui_placement_drop_tasks(p, item, place.node))
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (maui_placement_put_tasks(p, item, p->found[i].node, p->found[i].gives))
			return -1;
	return 1;
}

/* Moves the tasks of a place if there is a reason: 1, 0; -1 without memory. */
static int try_place(struct maui_placement *p, struct maui_placement_item *item, uint32_t at)
{
	const struct maui_rsv_place place = item->instance->places[at];
	int conflict;
	bool alone;

	if (item->target->locked && item->target->list &&
	    maui_node_set_has(item->target->list, place.node))
		return 0;
	conflict = in_conflict(p, item, &place);
	if (conflict != 0)
		return conflict < 0 ? -1 : move_tasks(p, item, place, false);
	if (!is_alone(p, item, &place, &alone))
		return -1;
	return alone ? move_tasks(p, item, place, true) : 0;
}

int maui_placement_move_tasks(struct maui_placement *p, struct maui_placement_item *item)
{
	struct maui_rsv_instance *i = item->instance;
	uint32_t count = i->place_count;
	uint32_t *nodes;

	if (!item->before || !maui_rsv_has(item->rsv, MAUI_RSV_SPACEFLEX) || count == 0)
		return 0;
	nodes = maui_arena_alloc(p->arena, count * sizeof(*nodes));
	if (!nodes)
		return -1;
	for (uint32_t k = 0; k < count; k++)
		nodes[k] = i->places[k].node;
	maui_placement_select_item(p, item);
	for (uint32_t k = 0; k < count; k++) {
		/* dropping and putting a place changes the order of places */
		int moved = try_place(p, item, p->own_place[nodes[k]]);

		if (moved != 0)
			return moved < 0 ? -1 : 0;
	}
	return 0;
}
