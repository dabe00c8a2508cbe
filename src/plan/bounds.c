/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bounds.c - earlier searches bound later ones
 *
 * As long as no resources are given back, a job that needs at least as much as another job, on at
 * least as many nodes and for at least as long, starts no earlier than that job could. With a
 * thousand job reservations on the timeline this saves most of the search. A job says nothing about
 * one with other access to reservations, and users may cause any number of kinds of access, so each
 * kind has its own list. Invariant: no bound of a list implies another one.
 */

#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"
#include "plan/placing.h"
#include "plan/private.h"

static bool same_amounts(const struct maui_shape *shape, const int64_t *a, const int64_t *b)
{
	return a == b || (a && b && memcmp(a, b, shape->snapshot->amount_count * sizeof(*a)) == 0);
}

/* Whether the shape is described by its amounts alone, without node lists, claims or other
 * conditions. */
static bool is_plain(const struct maui_shape *s)
{
	const struct maui_request *r = s->request;

	return s->user == 0 && r->required_count == 0 && r->excluded_count == 0 &&
	       r->claim_count == 0 && !r->only_claims && !r->passes_shares && !s->in_set &&
	       !r->contiguous && !r->shares_procs && !r->spread && r->switches_max == 0 &&
	       s->snapshot->one_network && !r->global;
}

/* Whether both are tasks of one kind that may share nodes freely, and a has no more of them than b.
 * Then a fits wherever b fits. */
static bool fewer_tasks(const struct maui_shape *a, const struct maui_shape *b)
{
	const struct maui_request *one = a->request, *two = b->request;

	for (uint32_t c = 0; c < a->snapshot->class_count; c++)
		if (a->needs[c].most == 0 && b->needs[c].most > 0)
			return false; /* EXACTPROC */
	return a->nodes_min == 1 && b->nodes_min == 1 && one->nodes_max == 0 &&
	       two->nodes_max == 0 && a->tasks <= b->tasks && a->whole_nodes == b->whole_nodes &&
	       one->all_memory == two->all_memory && a->partition == b->partition &&
	       one->tasks_per_node_max == two->tasks_per_node_max && one->tasks_per_node_min <= 1 &&
	       two->tasks_per_node_min <= 1 && one->procs_per_task == two->procs_per_task &&
	       one->threads_used == two->threads_used &&
	       same_amounts(a, one->per_node, two->per_node) &&
	       same_amounts(a, one->per_task, two->per_task) &&
	       same_amounts(a, one->per_proc, two->per_proc) &&
	       maui_same_text(one->features, two->features);
}

static int64_t nodes_of(const struct maui_shape *s)
{
	int64_t nodes = s->fixed ? (s->tasks + s->least - 1) / s->least : s->nodes_min;

	return nodes > s->nodes_min ? nodes : s->nodes_min;
}

/* Whether a fits wherever and whenever b fits, for shapes with the same access: on each node that
 * suits b, a takes no more. */
static bool needs_less(const struct maui_plan_bound *a, const struct maui_plan_bound *b)
{
	const struct maui_snapshot *s = a->shape->snapshot;

	if (a->limit_s > b->limit_s || a->nodes > b->nodes)
		return false;
	if (a->shape == b->shape)
		return true;
	if (!a->shape->fixed || !b->shape->fixed)
		return fewer_tasks(a->shape, b->shape);
	for (uint32_t c = 0; c < s->class_count; c++) {
		const struct maui_need *one = &a->shape->needs[c], *two = &b->shape->needs[c];

		if (two->most == 0)
			continue;
		if (one->most == 0)
			return false;
		for (unsigned d = 0; d < s->amount_count; d++)
			if (one->want[d] > two->want[d])
				return false;
	}
	return true;
}

static struct maui_plan_bound make_bound(const struct maui_plan_entry *e)
{
	return (struct maui_plan_bound){ .shape = &e->shape->shape,
					 .limit_s = e->limit_s,
					 .nodes = nodes_of(&e->shape->shape) };
}

/* ---- the bounds of each access ---- */

static uint64_t hash_of(const struct maui_access_table *access)
{
	return maui_hash_mix(0, (uintptr_t)access);
}

struct head_key {
	const struct maui_planner *planner;
	const struct maui_access_table *access;
};

static bool is_head(const void *value, const void *key)
{
	const struct head_key *k = key;

	return k->planner->bounds.list[(uintptr_t)value - 1].shape->access == k->access;
}

/* The head of the list for this access; NULL: there is none. */
static struct maui_plan_bound *find_head(const struct maui_planner *p,
					 const struct maui_access_table *access)
{
	const struct head_key key = { p, access };
	const void *found = maui_hashtable_find(&p->bounds.heads, hash_of(access), is_head, &key);

	return found ? &p->bounds.list[(uintptr_t)found - 1] : NULL;
}

/* Appends a head or a bound to the memory of all; NULL without memory. */
static struct maui_plan_bound *append(struct maui_planner *p, struct maui_plan_bound bound)
{
	struct maui_plan_bound *grown =
		maui_array_grow(p->bounds.list, p->bounds.count, &p->bounds.alloc, sizeof(*grown));

	if (!grown)
		return NULL;
	p->bounds.list = grown;
	grown[p->bounds.count] = bound;
	return &grown[p->bounds.count++];
}

/* Makes the head for the access of a shape, if there is none. -1 without memory. */
static int make_head(struct maui_planner *p, const struct maui_shape *shape)
{
	if (find_head(p, shape->access))
		return 0;
	if (!append(p, (struct maui_plan_bound){ .shape = shape }))
		return -1;
	return maui_hashtable_add(&p->bounds.heads, hash_of(shape->access),
				  (void *)(uintptr_t)p->bounds.count);
}

static struct maui_plan_bound *next_of(const struct maui_planner *p,
				       const struct maui_plan_bound *bound)
{
	return bound && bound->next > 0 ? &p->bounds.list[bound->next] : NULL;
}

int64_t maui_plan_bound(struct maui_planner *p, const struct maui_plan_entry *e)
{
	struct maui_plan_bound own, *b;
	int64_t bound = p->now;

	if (p->bounds.epoch != p->epoch) {
		p->bounds.epoch = p->epoch;
		p->bounds.count = 0;
		maui_hashtable_clear(&p->bounds.heads);
	}
	if (!is_plain(&e->shape->shape))
		return bound;
	own = make_bound(e);
	for (b = next_of(p, find_head(p, own.shape->access)); b; b = next_of(p, b))
		if (b->when > bound && needs_less(b, &own))
			bound = b->when;
	return bound;
}

/* Drops the bounds behind the head that this one implies. */
static void drop_implied(struct maui_planner *p, struct maui_plan_bound *head,
			 const struct maui_plan_bound *own)
{
	struct maui_plan_bound *last = head, *b;

	while ((b = next_of(p, last))) {
		if (b->when <= own->when && needs_less(own, b))
			last->next = b->next;
		else
			last = b;
	}
}

void maui_plan_note_bound(struct maui_planner *p, const struct maui_plan_entry *e, int64_t when)
{
	struct maui_plan_bound own, *head;

	if (!is_plain(&e->shape->shape) || p->bounds.epoch != p->epoch)
		return;
	own = make_bound(e);
	own.when = when;
	if (make_head(p, own.shape) || !append(p, own))
		return; /* only slower */
	head = find_head(p, own.shape->access);
	drop_implied(p, head, &own);
	p->bounds.list[p->bounds.count - 1].next = head->next;
	head->next = (uint32_t)(p->bounds.count - 1);
}
