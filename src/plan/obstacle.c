/* SPDX-License-Identifier: GPL-2.0-or-later */
/* obstacle.c - which reservation is in a job's way
 *
 * The one without which the job would start earlier, or at all:
 *   for ever: reservations without an end are added one after the other, as they begin, until the
 *     job has no room beside them: the last one is
 *   from now until a moment beyond which it does not fit: the one that begins then, or whose
 *     TIMELIMIT is over
 *   at some time: see until.c; where that does not know, the one in the way at all
 * Of several the one that closes most of the nodes that it would have to choose from if every
 * reservation let it in; of these the one that begins first. That is the same for all jobs with the
 * same access that can use the same kinds of nodes, so most jobs need not count. Nor do they look
 * for what is left now, at all, beside those that let none with their access in.
 */

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "plan/left.h"
#include "plan/private.h"

/* Which claims count. */
enum kind {
	BARS, /* those that bar it during its span */
	EVER, /* those without an end that begin at the moment, or have begun; NEVER: whenever */
	STOP, /* those that let it in until the moment, not longer */
	UPON, /* as BARS, and Slurm's */
};

struct counted {
	uint32_t nodes, last; /* of the line counted last, from 1 */
	bool asked, shut;
};

/* Claims while they are counted. */
struct tally {
	const struct maui_plan_entry *e;
	enum kind kind;
	int64_t moment;
	struct maui_span span;
	struct counted *of_claim;
	uint32_t line;
};

static int64_t begin_of(const struct maui_planner *p, const struct maui_claim *c)
{
	return c->start_s > p->now ? c->start_s : p->now;
}

static bool is_of_kind(const struct maui_planner *p, const struct tally *tally, uint32_t claim)
{
	const struct maui_claim *c = p->timeline.claims[claim];
	const struct maui_span before = { p->now, tally->moment };

	switch (tally->kind) {
	case EVER:
		return c->end_s == MAUI_NEVER &&
		       (tally->moment == MAUI_NEVER || begin_of(p, c) == tally->moment);
	case STOP:
		return c->start_s >= tally->moment ||
		       !maui_plan_shut(p, &tally->e->shape->shape, claim, before);
	default:
		return true;
	}
}

/* Slurm's lie on what is before them, too. */
static bool may_count(const struct maui_claim *c, const struct tally *tally)
{
	return c->group != MAUI_CLAIM_FOREIGN ||
	       (tally->kind == UPON && c->start_s < tally->span.until);
}

static bool is_shut(const struct maui_planner *p, const struct tally *tally, uint32_t claim)
{
	struct counted *counted = &tally->of_claim[claim];

	if (!counted->asked) {
		counted->asked = true;
		counted->shut = may_count(p->timeline.claims[claim], tally) &&
				is_of_kind(p, tally, claim) &&
				maui_plan_shut(p, &tally->e->shape->shape, claim, tally->span);
	}
	return counted->shut;
}

/* Counts each claim of ours that closes the node to it, once, for so many that are the same. */
static void count_claims(const struct maui_planner *p, struct tally *tally, uint32_t node,
			 uint32_t nodes)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_line *line = &t->lines[node];

	tally->line++;
	for (uint32_t i = 0; nodes > 0 && i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		const struct maui_claim_set *set;

		if (step->at >= tally->span.until)
			break;
		set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
		for (uint32_t c = 0; set && c < set->count; c++) {
			struct counted *counted = &tally->of_claim[set->parts[c].claim];

			if (counted->last == tally->line || !is_shut(p, tally, set->parts[c].claim))
				continue;
			counted->last = tally->line;
			counted->nodes += nodes;
		}
	}
}

static void count_nodes(struct maui_planner *p, struct tally *tally, const uint32_t *nodes,
			uint32_t count)
{
	const struct maui_shape *shape = &tally->e->shape->shape;
	uint32_t same = 0;

	p->reason_work += count;
	for (uint32_t i = 0; i < count; i++) {
		same += maui_plan_matters(p, shape, nodes[i]);
		if (i + 1 < count && maui_timeline_same(&p->timeline, nodes[i], nodes[i + 1]))
			continue;
		count_claims(p, tally, nodes[i], same);
		same = 0;
	}
}

static struct maui_span span_of(const struct maui_planner *p, const struct maui_plan_entry *e,
				enum kind kind, int64_t moment)
{
	return (struct maui_span){ p->now, kind == EVER ? MAUI_NEVER :
					   kind == STOP ? maui_when_add(moment, 1) :
							  maui_when_add(p->now, e->limit_s) };
}

/* ---- found before ---- */

enum { BUCKETS = 256, MOST_CLASSES = 64 };

/* What decides which claim it is. */
struct key {
	const struct maui_access_table *access;
	uint64_t classes; /* of nodes that can be of use: a bit each */
	int64_t moment;   /* BARS, UPON: so many claims begin before its end, or shut then by
			     a TIMELIMIT */
	uint32_t pool;
	enum kind kind;
};

struct found {
	const struct found *next;
	struct key key;
	const struct maui_claim *claim;
};

/* Moments, ascending. */
struct moments {
	int64_t *list;
	size_t count;
};

/* Until when claims let those with this access in. */
struct closing {
	const struct closing *next;
	const struct maui_access_table *access;
	struct moments moments;
};

/* Whether claims leave those with this access anything now, on any node. */
struct left {
	const struct left *next;
	const struct maui_access_table *access;
	int64_t reach;
	uint32_t pool;
	bool any;
};

struct maui_plan_obstacles {
	const struct found *found[BUCKETS];
	const struct closing *closings[BUCKETS];
	const struct left *left[BUCKETS];
	struct moments starts;   /* of claims */
	struct moments endless;  /* of those without an end, from now on, each once */
	struct counted *counted; /* of each claim, for one question after the other */
};

static int compare_moments(const void *a, const void *b)
{
	const int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;

	return (one > two) - (one < two);
}

/* As many as there are claims fit in. */
static int make_moments(struct maui_planner *p, struct moments *ret)
{
	*ret = (struct moments){
		maui_arena_alloc(&p->arena, (p->timeline.claim_count + 1) * sizeof(*ret->list)), 0
	};
	return ret->list ? 0 : -1;
}

static void sort(struct moments *moments)
{
	qsort(moments->list, moments->count, sizeof(*moments->list), compare_moments);
}

static int64_t count_before(const struct moments *moments, int64_t when)
{
	size_t low = 0, high = moments->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (moments->list[middle] < when)
			low = middle + 1;
		else
			high = middle;
	}
	return (int64_t)low;
}

static void list_endless(const struct maui_planner *p, struct moments *ret)
{
	const struct maui_timeline *t = &p->timeline;
	size_t kept = 0;

	for (size_t c = 0; c < t->claim_count; c++)
		if (t->claims[c]->end_s == MAUI_NEVER)
			ret->list[ret->count++] = begin_of(p, t->claims[c]);
	sort(ret);
	for (size_t i = 0; i < ret->count; i++)
		if (i == 0 || ret->list[i] != ret->list[kept - 1])
			ret->list[kept++] = ret->list[i];
	ret->count = kept;
}

/* NULL without memory. */
static struct maui_plan_obstacles *get(struct maui_planner *p)
{
	const struct maui_timeline *t = &p->timeline;
	struct maui_plan_obstacles *k = p->obstacles;

	if (k)
		return k;
	k = maui_arena_alloc(&p->arena, sizeof(*k));
	if (!k || make_moments(p, &k->starts) || make_moments(p, &k->endless))
		return NULL;
	k->counted = maui_arena_alloc(&p->arena, (t->claim_count + 1) * sizeof(*k->counted));
	if (!k->counted)
		return NULL;
	for (size_t c = 0; c < t->claim_count; c++)
		k->starts.list[k->starts.count++] = t->claims[c]->start_s;
	sort(&k->starts);
	list_endless(p, &k->endless);
	return p->obstacles = k;
}

/* NULL without memory, or time to look. */
static const struct moments *get_closing(struct maui_planner *p, struct maui_plan_obstacles *k,
					 const struct maui_plan_entry *e)
{
	const struct maui_access_table *access = e->shape->shape.access;
	const struct maui_timeline *t = &p->timeline;
	const struct closing **bucket = &k->closings[maui_hash_mix(0, (uintptr_t)access) % BUCKETS];
	struct closing *made;

	for (const struct closing *c = *bucket; c; c = c->next)
		if (c->access == access)
			return &c->moments;
	if (!maui_plan_has_time(p, e))
		return NULL;
	p->reason_work += t->claim_count;
	made = maui_arena_alloc(&p->arena, sizeof(*made));
	p->failed |= !made || make_moments(p, &made->moments);
	if (p->failed)
		return NULL;
	for (size_t c = 0; c < t->claim_count; c++) {
		const struct maui_access *entry = maui_access_find(access, t->claims[c]->group);
		int64_t start_s = maui_claim_run(t->claims[c]).from;

		if (entry && entry->overlap_s != MAUI_NEVER)
			made->moments.list[made->moments.count++] = maui_when_add(
				start_s > p->now ? start_s : p->now, entry->overlap_s);
	}
	sort(&made->moments);
	made->next = *bucket;
	made->access = access;
	*bucket = made;
	return &made->moments;
}

/* The more the later its end: none of what is counted comes back. -1 without memory, or time to
 * look. */
static int64_t reach_of(struct maui_planner *p, struct maui_plan_obstacles *k,
			const struct maui_plan_entry *e, int64_t limit_s)
{
	int64_t until = maui_when_add(p->now, limit_s);
	const struct moments *closing = get_closing(p, k, e);

	return closing ? count_before(&k->starts, until) + count_before(closing, until) : -1;
}

/* False: it is nobody's but this shape's. */
static bool make_key(struct maui_planner *p, struct maui_plan_obstacles *k,
		     const struct maui_plan_entry *e, enum kind kind, int64_t moment,
		     struct key *ret)
{
	const struct maui_shape *shape = &e->shape->shape;

	if (!maui_shape_is_even(shape) || shape->request->only_claims ||
	    (kind == UPON && shape->request->claim_count > 0) ||
	    p->snapshot->class_count > MOST_CLASSES)
		return false;
	*ret = (struct key){ .access = shape->access,
			     .pool = e->pool,
			     .kind = kind,
			     .moment = kind == BARS || kind == UPON ?
					       reach_of(p, k, e, e->limit_s) :
					       moment };
	for (uint32_t c = 0; c < p->snapshot->class_count; c++)
		ret->classes |= (uint64_t)(shape->needs[c].most > 0) << c;
	return ret->moment >= 0;
}

/* The claim that is in the way on most nodes; NULL: none is. */
static const struct maui_claim *count(struct maui_planner *p, struct maui_plan_obstacles *k,
				      const struct maui_plan_entry *e, enum kind kind,
				      int64_t moment)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_plan_pool *pool = &p->pools[e->pool];
	struct tally tally = {
		.e = e,
		.kind = kind,
		.moment = moment,
		.span = span_of(p, e, kind, moment),
		.of_claim = k->counted,
	};
	const struct counted *of = tally.of_claim;
	bool all = kind == EVER || kind == UPON;
	size_t best = 0;

	memset(k->counted, 0, (t->claim_count + 1) * sizeof(*k->counted));
	p->reason_work += t->claim_count / 16;
	count_nodes(p, &tally, all ? pool->nodes : pool->open,
		    all ? pool->node_count : pool->open_count);
	for (size_t c = 1; c < t->claim_count; c++)
		if (of[c].nodes > of[best].nodes ||
		    (of[c].nodes == of[best].nodes &&
		     t->claims[c]->start_s < t->claims[best]->start_s))
			best = c;
	return t->claim_count > 0 && of[best].nodes > 0 ? t->claims[best] : NULL;
}

/* NULL: none is there, or nobody has the time to look any more. */
static const struct maui_claim *find(struct maui_planner *p, const struct maui_plan_entry *e,
				     enum kind kind, int64_t moment)
{
	struct maui_plan_obstacles *k = get(p);
	const struct found **bucket;
	struct found *found;
	struct key key;
	uint64_t hash;

	p->failed |= !k;
	if (kind == BARS && !maui_plan_has_time(p, e))
		return NULL;
	if (!k || !make_key(p, k, e, kind, moment, &key))
		return k && maui_plan_has_time(p, e) ? count(p, k, e, kind, moment) : NULL;
	hash = maui_hash_mix(maui_hash_mix((uintptr_t)key.access, key.classes),
			     (uint64_t)key.moment);
	bucket = &k->found[hash % BUCKETS];
	for (const struct found *f = *bucket; f; f = f->next)
		if (f->key.access == key.access && f->key.classes == key.classes &&
		    f->key.moment == key.moment && f->key.pool == key.pool &&
		    f->key.kind == key.kind)
			return f->claim;
	found = maui_plan_has_time(p, e) ? maui_arena_alloc(&p->arena, sizeof(*found)) : NULL;
	if (!found)
		return NULL;
	*found = (struct found){ *bucket, key, count(p, k, e, kind, moment) };
	*bucket = found;
	return found->claim;
}

/* The first moment from which on those without an end that have begun by then leave it no room. */
static int64_t find_last(struct maui_planner *p, const struct maui_plan_entry *e)
{
	struct maui_plan_obstacles *k = get(p);
	size_t low = 0, high;

	p->failed |= !k;
	if (!k || !maui_plan_lasting_counts(&e->shape->shape) || k->endless.count == 0)
		return MAUI_NEVER;
	high = k->endless.count - 1; /* with all of them it has none */
	while (low < high && maui_plan_has_time(p, e)) {
		size_t middle = low + (high - low) / 2;

		if (maui_plan_lasting(p, e, k->endless.list[middle]))
			low = middle + 1;
		else
			high = middle;
	}
	return k->endless.list[high];
}

bool maui_plan_leaves_any(struct maui_planner *p, const struct maui_plan_entry *e, int64_t limit_s)
{
	struct maui_plan_obstacles *k = get(p);
	const struct maui_access_table *access = e->shape->shape.access;
	const struct left **bucket;
	struct left *made;
	int64_t reach;

	p->failed |= !k;
	if (!k || e->shape->shape.request->claim_count > 0)
		return true; /* what it names of Slurm's may leave it more */
	reach = reach_of(p, k, e, limit_s);
	if (reach < 0)
		return true;
	bucket = &k->left[maui_hash_mix((uintptr_t)access, (uint64_t)reach) % BUCKETS];
	for (const struct left *l = *bucket; l; l = l->next)
		if (l->access == access && l->reach == reach && l->pool == e->pool)
			return l->any;
	made = maui_plan_has_time(p, e) ? maui_arena_alloc(&p->arena, sizeof(*made)) : NULL;
	if (!made)
		return true;
	*made = (struct left){ *bucket, access, reach, e->pool,
			       maui_plan_find_left(p, e, limit_s) };
	*bucket = made;
	return made->any;
}

const struct maui_claim *maui_plan_obstacle(struct maui_planner *p, const struct maui_plan_entry *e)
{
	return find(p, e, BARS, 0);
}

const struct maui_claim *maui_plan_obstacle_ever(struct maui_planner *p,
						 const struct maui_plan_entry *e)
{
	const struct maui_claim *claim = find(p, e, EVER, find_last(p, e));

	return claim ? claim : find(p, e, EVER, MAUI_NEVER);
}

const struct maui_claim *maui_plan_obstacle_at(struct maui_planner *p,
					       const struct maui_plan_entry *e, int64_t length_s)
{
	const struct maui_claim *claim = find(p, e, STOP, maui_when_add(p->now, length_s));

	return claim ? claim : find(p, e, BARS, 0);
}

const struct maui_claim *maui_plan_obstacle_upon(struct maui_planner *p, struct maui_plan_entry *e)
{
	return maui_plan_alone(p, e) ? NULL : find(p, e, UPON, 0);
}
