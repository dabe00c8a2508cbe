/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shortage.c - counts the jobs, reservations and node states that keep nodes from an instance
 *
 * A node that could serve the instance but does not serve it in full is wanted. Each job,
 * reservation and node state is counted with the number of wanted nodes that it holds.
 *
 * Rules: RSV-9.
 */

#include <stdlib.h>
#include <string.h>

#include "reservation/placement/private.h"
#include "reservation/placement/shortage.h"

struct tally {
	const struct maui_snapshot *s;
	const struct maui_standing_input *input;
	const struct maui_rsv_instance *list; /* all instances */
	const struct maui_rsv_instance *mine;
	const struct maui_rsv *rsv;
	int64_t from;
	uint32_t count;
	bool all_conflict; /* every reservation conflicts; else only those that keep it off */
	bool *wanted;      /* for each node: it could serve more tasks */
	bool *reserved;    /* for each node: a reservation that conflicts holds it */
	int64_t capacity;  /* tasks that all eligible nodes hold when they are empty */
	uint32_t *depth;   /* reservations on each node; NULL: RESDEPTH is not set */
	struct maui_holder *holders;
	uint32_t holder_count;
};

/* ---- counting ---- */

static struct maui_holder *add_holder(struct tally *t, enum maui_holder_kind kind, uint32_t index)
{
	struct maui_holder *holder = &t->holders[t->holder_count++];

	*holder = (struct maui_holder){ .kind = kind, .index = index };
	return holder;
}

static void count_node(struct maui_holder *holder, uint32_t node)
{
	if (holder->nodes == 0 || node < holder->node)
		holder->node = node;
	holder->nodes++;
}

/* Drops the last holder if it holds no wanted node. */
static void drop_empty(struct tally *t)
{
	if (t->holders[t->holder_count - 1].nodes == 0)
		t->holder_count--;
}

static bool overlaps(const struct tally *t, int64_t from, int64_t until)
{
	return from < t->mine->end_s && until > t->from;
}

static void count_pieces(struct tally *t, enum maui_holder_kind kind, uint32_t index,
			 const struct maui_piece *pieces, uint32_t count)
{
	struct maui_holder *holder = add_holder(t, kind, index);

	for (uint32_t i = 0; i < count; i++)
		if (t->wanted[pieces[i].node]) {
			count_node(holder, pieces[i].node);
			holder->unreserved += !t->reserved[pieces[i].node];
		}
	drop_empty(t);
}

static void count_jobs(struct tally *t)
{
	for (uint32_t a = 0; a < t->s->active_count; a++) {
		const struct maui_active *active = &t->s->active[a];

		if (active->end_s > t->from)
			count_pieces(t, MAUI_HOLDER_JOB, a, active->pieces, active->piece_count);
	}
	for (uint32_t i = 0; i < t->input->job_rsv_count; i++) {
		const struct maui_standing_job_rsv *job_rsv = &t->input->job_rsvs[i];

		if (overlaps(t, job_rsv->start_s, job_rsv->end_s))
			count_pieces(t, MAUI_HOLDER_JOB_RSV, i, job_rsv->pieces,
				     job_rsv->piece_count);
	}
}

static void count_reserved(struct tally *t, struct maui_holder *holder, uint32_t node)
{
	t->reserved[node] = true;
	if (t->wanted[node])
		count_node(holder, node);
}

/* Before count_jobs(), which asks for `reserved`. */
static void count_reservations(struct tally *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct maui_rsv_instance *other = &t->list[i];
		struct maui_holder *holder;

		if (other == t->mine || !overlaps(t, other->start_s, other->end_s) ||
		    !(t->all_conflict ||
		      maui_exclusive_keeps_off(t->input->list[other->rsv], t->rsv)))
			continue;
		holder = add_holder(t, MAUI_HOLDER_INSTANCE, i);
		for (uint32_t k = 0; k < other->place_count; k++)
			count_reserved(t, holder, other->places[k].node);
		drop_empty(t);
	}
	for (uint32_t c = 0; t->all_conflict && c < t->s->claim_count; c++) {
		const struct maui_claim *claim = &t->s->claims[c];
		struct maui_holder *holder;

		if (!overlaps(t, claim->start_s, claim->end_s))
			continue;
		holder = add_holder(t, MAUI_HOLDER_CLAIM, c);
		for (uint32_t k = 0; k < claim->node_count; k++)
			count_reserved(t, holder, claim->nodes[k]);
		drop_empty(t);
	}
}

/* ---- nodes ---- */

static int count_depth(struct tally *t, struct maui_arena *arena)
{
	if (t->input->res_depth <= 0)
		return 0;
	t->depth = maui_arena_alloc(arena, (t->s->node_count + 1u) * sizeof(*t->depth));
	if (!t->depth)
		return -1;
	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t k = 0; k < t->list[i].place_count; k++)
			t->depth[t->list[i].places[k].node]++;
	for (uint32_t c = 0; c < t->s->claim_count; c++)
		for (uint32_t k = 0; k < t->s->claims[c].node_count; k++)
			t->depth[t->s->claims[c].nodes[k]]++;
	return 0;
}

static int64_t tasks_on(const struct maui_rsv_instance *i, uint32_t node, uint32_t *cursor)
{
	while (*cursor < i->place_count && i->places[*cursor].node < node)
		++*cursor;
	return *cursor < i->place_count && i->places[*cursor].node == node ?
		       i->places[*cursor].tasks :
		       0;
}

/* Finds the wanted nodes; counts nodes that cannot serve by reason. */
static void find_wanted_nodes(struct tally *t, const struct maui_node_set *set)
{
	struct maui_holder *down = add_holder(t, MAUI_HOLDER_DOWN, 0);
	struct maui_holder *small = add_holder(t, MAUI_HOLDER_SMALL, 0);
	struct maui_holder *deep = add_holder(t, MAUI_HOLDER_DEPTH, 0);
	uint32_t cursor = 0;

	for (uint32_t i = 0; i < set->count; i++) {
		uint32_t node = set->nodes[i];
		int64_t has = tasks_on(t->mine, node, &cursor);
		int64_t capacity = maui_placement_capacity(t->s, t->rsv, node);

		t->capacity += capacity;
		if (capacity == 0)
			count_node(small, node);
		else if (has >= capacity)
			continue;
		else if (maui_placement_is_down(t->s, node))
			count_node(down, node);
		else if (has == 0 && t->depth && t->depth[node] >= t->input->res_depth)
			count_node(deep, node);
		else
			t->wanted[node] = true;
	}
}

static int by_nodes(const void *a, const void *b)
{
	const struct maui_holder *one = a, *two = b;

	if (one->nodes != two->nodes)
		return one->nodes > two->nodes ? -1 : 1;
	if (one->kind != two->kind)
		return one->kind < two->kind ? -1 : 1;
	return (one->index > two->index) - (one->index < two->index);
}

/* Drops node states that no node has. */
static void sort_holders(struct tally *t)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < t->holder_count; i++)
		if (t->holders[i].nodes > 0)
			t->holders[kept++] = t->holders[i];
	t->holder_count = kept;
	qsort(t->holders, kept, sizeof(*t->holders), by_nodes);
}

/* If all nodes together are too small, says so first: holders do not explain the missing tasks
 * then. */
static void add_capacity_holder(struct tally *t)
{
	if (t->capacity == 0 || t->capacity >= t->mine->wanted)
		return;
	memmove(t->holders + 1, t->holders, t->holder_count++ * sizeof(*t->holders));
	t->holders[0] = (struct maui_holder){ .kind = MAUI_HOLDER_CAPACITY, .tasks = t->capacity };
}

static int make_tally(struct tally *t, struct maui_arena *arena)
{
	size_t most = (size_t)t->s->active_count + t->input->job_rsv_count + t->count +
		      t->s->claim_count + 8;

	t->wanted = maui_arena_alloc(arena, (t->s->node_count + 1u) * sizeof(*t->wanted));
	t->reserved = maui_arena_alloc(arena, (t->s->node_count + 1u) * sizeof(*t->reserved));
	t->holders = maui_arena_alloc(arena, most * sizeof(*t->holders));
	return t->wanted && t->reserved && t->holders ? count_depth(t, arena) : -1;
}

int maui_standing_holders(const struct maui_snapshot *snapshot,
			  const struct maui_standing_input *input,
			  const struct maui_rsv_instance *list, uint32_t count, uint32_t instance,
			  int64_t now_s, struct maui_arena *arena, struct maui_holder **ret,
			  uint32_t *ret_count)
{
	const struct maui_rsv_instance *mine = &list[instance];
	const struct maui_standing_target *target = &input->targets->list[mine->rsv];
	struct tally t = { .s = snapshot,
			   .input = input,
			   .list = list,
			   .mine = mine,
			   .rsv = input->list[mine->rsv],
			   .from = mine->start_s > now_s ? mine->start_s : now_s,
			   .count = count };
	/* jobs do not keep a node-locked reservation off */
	bool hosts_only = target->list && t.rsv->task_count == 0;
	bool listed = hosts_only || (target->list && !target->locked);
	const struct maui_node_set *set = listed ? target->list : target->wide;

	if (make_tally(&t, arena))
		return -1;
	find_wanted_nodes(&t, set);
	t.all_conflict =
		maui_rsv_is_exclusive(t.rsv) || !(hosts_only || maui_placement_tolerates(t.rsv));
	count_reservations(&t);
	if (!hosts_only && !maui_rsv_has(t.rsv, MAUI_RSV_FORCE))
		count_jobs(&t);
	sort_holders(&t);
	add_capacity_holder(&t);
	if (set->count == 0)
		add_holder(&t, MAUI_HOLDER_NO_NODE, instance);
	*ret = t.holders;
	*ret_count = t.holder_count;
	return 0;
}
