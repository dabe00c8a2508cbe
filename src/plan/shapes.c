/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shapes.c - the shape of each entry: its request and the rules of the site, kept from plan to plan
 *
 * A job that waits for nodes of one set (NODESETDELAY) has two shapes: one that demands the set,
 * and one for moments after the delay.
 *
 * Rules: BF-24.
 */

#include "base/hash.h"
#include "plan/finished.h"
#include "plan/placing.h"
#include "plan/private.h"

struct maui_shape_rules maui_plan_shape_rules(const struct maui_config *config, uint64_t qos_flags)
{
	int access = config->node_access;

	return (struct maui_shape_rules){
		.exact_nodes = config->node_match & MAUI_MATCH_EXACTNODE,
		.exact_procs = config->node_match & MAUI_MATCH_EXACTPROC,
		.whole_nodes = access == MAUI_ACCESS_SINGLEJOB ||
			       access == MAUI_ACCESS_SINGLETASK ||
			       (qos_flags & (UINT64_C(1) << MAUI_QOS_DEDICATED)),
		.one_task = access == MAUI_ACCESS_SINGLETASK,
		.sole_user = access == MAUI_ACCESS_SINGLEUSER,
	};
}

static bool is_dedicated(const struct maui_plan_entry *e)
{
	return e->flags & (UINT64_C(1) << MAUI_QOS_DEDICATED);
}

/* The kept shape of an entry. Shapes differ by request, partition and the QOS flag DEDICATED; these
 * live from plan to plan. */
static struct maui_plan_shape *kept_shape(struct maui_planner *p, const struct maui_plan_entry *e,
					  uint32_t request)
{
	size_t index = (size_t)request * p->snapshot->partition_count + e->partition;

	index = 2 * index + is_dedicated(e);
	if (!p->shapes.list[index])
		p->shapes.list[index] =
			maui_arena_alloc(&p->shapes.arena, sizeof(struct maui_plan_shape));
	return p->shapes.list[index];
}

/* Where users matter, each entry has a shape of its own. Access to reservations and the demand for
 * nodes of one set make variants (variant_of()). */
static struct maui_plan_shape *stored_shape(struct maui_planner *p, const struct maui_plan_entry *e,
					    uint32_t request)
{
	return p->by_user ? maui_arena_alloc(&p->arena, sizeof(struct maui_plan_shape)) :
			    kept_shape(p, e, request);
}

static bool is_variant(const void *value, const void *key)
{
	const struct maui_plan_shape *one = value, *other = key;

	return one->base == other->base && one->shape.access == other->shape.access &&
	       one->shape.in_set == other->shape.in_set;
}

/* The shape's variant for this access table, and for nodes of one set alone. */
static struct maui_plan_shape *variant_of(struct maui_planner *p, struct maui_plan_shape *base,
					  const struct maui_access_table *access, bool in_set)
{
	const struct maui_plan_shape key = { .base = base,
					     .shape = { .access = access, .in_set = in_set } };
	uint64_t hash = maui_hash_mix(maui_hash_mix(in_set, (uintptr_t)base), (uintptr_t)access);
	struct maui_plan_shape *variant;

	if (!access && !in_set)
		return base;
	variant = maui_hashtable_find(&p->shapes.variants, hash, is_variant, &key);
	if (variant)
		return variant;
	variant = maui_arena_alloc(&p->arena, sizeof(*variant));
	if (!variant)
		return NULL;
	variant->shape = base->shape;
	variant->shape.access = access;
	variant->shape.in_set = in_set;
	variant->made = true;
	variant->base = base;
	return maui_hashtable_add(&p->shapes.variants, hash, variant) ? NULL : variant;
}

/* Whether the entry starts only inside a set; not if no set could ever hold it. */
static bool demands_set(struct maui_planner *p, const struct maui_plan_entry *e,
			const struct maui_plan_shape *base)
{
	enum { YES = 1, NO };
	struct maui_plan_shape *kept; /* whose jobs they are does not matter here */

	if (e->in_set_until_s <= p->now || e->forced || !base->shape.sets)
		return false;
	kept = kept_shape(p, e, e->request);
	if (kept && !kept->fits_a_set) {
		int can = maui_node_sets_can_hold(&base->shape);

		p->failed |= can < 0;
		kept->fits_a_set = can > 0 ? YES : NO;
	}
	return kept && kept->fits_a_set == YES;
}

static struct maui_plan_shape *find_shape(struct maui_planner *p, const struct maui_plan_entry *e,
					  uint32_t request)
{
	struct maui_plan_shape *shape = stored_shape(p, e, request);
	const struct maui_shape_rules rules = maui_plan_shape_rules(p->config, e->flags);
	uint32_t user = p->by_user ? p->snapshot->creds[e->creds].user : 0;

	if (!shape ||
	    (!shape->made &&
	     maui_shape_make(p->snapshot, request, e->partition, user, &rules, p->shapes.usable,
			     p->by_user ? &p->arena : &p->shapes.arena, &shape->shape)))
		return NULL;
	shape->made = true;
	shape->shape.sets = p->shapes.sets;
	return variant_of(p, shape, e->access, demands_set(p, e, shape));
}

/* Forgets failures of an earlier epoch. */
static struct maui_plan_shape *refresh(struct maui_planner *p, struct maui_plan_shape *shape)
{
	if (!shape) {
		p->failed = true;
	} else if (shape->epoch != p->epoch) {
		shape->epoch = p->epoch;
		shape->fails_for_s = MAUI_NEVER;
		shape->fails = false;
		shape->tried = (struct maui_plan_tried){ 0 };
	}
	return shape;
}

const struct maui_shape *maui_plan_shape(struct maui_planner *p, struct maui_plan_entry *e)
{
	if (!e->shape)
		e->shape = find_shape(p, e, e->request);
	return refresh(p, e->shape) ? &e->shape->shape : NULL;
}

struct maui_plan_shape *maui_plan_least_shape(struct maui_planner *p, struct maui_plan_entry *e)
{
	uint32_t least = p->snapshot->requests[e->request].least_request;

	if (least == 0)
		return e->shape;
	if (!e->least)
		e->least = find_shape(p, e, least - 1);
	return refresh(p, e->least);
}

bool maui_plan_never_fits(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);

	return shape && shape->impossible == MAUI_REASON_NEVER_FITS;
}

struct maui_plan_shape *maui_plan_shape_variant(struct maui_planner *p,
						struct maui_plan_shape *base,
						const struct maui_access_table *access, bool in_set)
{
	return refresh(p, variant_of(p, base, access, in_set));
}
