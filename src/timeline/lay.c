/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lay.c - claims are laid over the lines
 *
 * Hundreds of reservations lie on thousands of nodes, and neighbours mostly have the same ones.
 * When which claims lie on a node, its cover, is worked out once for neighbours with the same
 * claims; then each line is written anew with it. Those that come out alike share their steps.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/steps.h"
#include "timeline/timeline.h"

/* From `at` on these claims, until the next stretch. */
struct stretch {
	int64_t at;
	size_t first; /* of the layer's list */
	uint32_t count;
	uint32_t claims; /* the set of them, as a step has it */
};

/* Neighbours in the list of claims that share a list of nodes, as the periods of a reservation
 * mostly do: the first, and so many. */
struct sheaf {
	uint32_t claim, count;
};

/* A sheaf that a node has, and the node's place in its list. There may be millions. */
struct lying {
	uint32_t sheaf, place;
};

struct layer {
	struct maui_timeline *t;
	struct sheaf *sheaves; /* ascending by claim; none of them is over */
	uint32_t sheaf_count;
	struct lying *lying;     /* node by node, then ascending by claim */
	uint32_t *first;         /* of each node; one more */
	uint32_t last;           /* the last node with sheaves; UINT32_MAX: none yet */
	struct maui_line before; /* its line, as it was */
	struct stretch *cover;   /* its cover; the first begins now */
	uint32_t count;
	size_t alloc;
	struct maui_claim_part *list; /* the parts of each stretch */
	size_t list_alloc;
	struct maui_claim_part *over; /* those of a step, and of a stretch over it */
	size_t over_alloc;
};

/* ---- which claims each node has ---- */

static int64_t begin_of(const struct maui_timeline *t, const struct maui_claim *claim)
{
	return claim->start_s > t->now ? claim->start_s : t->now;
}

static bool is_over(const struct maui_timeline *t, const struct maui_claim *claim)
{
	return claim->end_s <= begin_of(t, claim);
}

static const int64_t *amounts_of(const struct maui_timeline *t, const struct maui_claim *claim,
				 uint32_t n)
{
	return claim->amounts ? claim->amounts + (size_t)n * t->amount_count : NULL;
}

/* So many claims from this one on that are to be laid have its lists; 0: it is over. */
static uint32_t sheaf_from(const struct maui_timeline *t, size_t first)
{
	const struct maui_claim *claim = t->claims[first];
	uint32_t count = 0;

	for (size_t c = first; c < t->claim_count; c++) {
		const struct maui_claim *next = t->claims[c];

		if (next->nodes != claim->nodes || next->amounts != claim->amounts ||
		    next->node_count != claim->node_count || is_over(t, next))
			break;
		count++;
	}
	return count;
}

/* Of the claims from the first-th on. */
static int make_sheaves(struct layer *l, size_t first)
{
	struct maui_timeline *t = l->t;
	uint32_t count;

	l->sheaves = maui_arena_alloc(&t->arena, (t->claim_count - first) * sizeof(*l->sheaves));
	for (size_t c = first; l->sheaves && c < t->claim_count; c += count ? count : 1) {
		count = sheaf_from(t, c);
		if (count > 0)
			l->sheaves[l->sheaf_count++] = (struct sheaf){ (uint32_t)c, count };
	}
	return l->sheaves ? 0 : -1;
}

static int gather(struct layer *l)
{
	struct maui_timeline *t = l->t;
	size_t nodes = t->node_count + 2u, total = 0;

	l->first = maui_arena_alloc(&t->arena, nodes * sizeof(*l->first));
	for (uint32_t s = 0; l->first && s < l->sheaf_count; s++) {
		const struct maui_claim *claim = t->claims[l->sheaves[s].claim];

		for (uint32_t n = 0; n < claim->node_count; n++, total++)
			l->first[claim->nodes[n] + 2]++;
	}
	l->lying = maui_arena_alloc(&t->arena, (total + 1) * sizeof(*l->lying));
	if (!l->first || !l->lying)
		return -1;
	for (size_t n = 2; n < nodes; n++)
		l->first[n] += l->first[n - 1];
	for (uint32_t s = 0; s < l->sheaf_count; s++) {
		const struct maui_claim *claim = t->claims[l->sheaves[s].claim];

		for (uint32_t n = 0; n < claim->node_count; n++)
			l->lying[l->first[claim->nodes[n] + 1]++] = (struct lying){ s, n };
	}
	return 0;
}

static uint32_t lying_on(const struct layer *l, uint32_t node, const struct lying **ret)
{
	*ret = &l->lying[l->first[node]];
	return l->first[node + 1] - l->first[node];
}

/* Whether two nodes have the same of the same claims. */
static bool same_sheaves(const struct layer *l, uint32_t one, uint32_t two)
{
	const struct maui_timeline *t = l->t;
	const struct lying *a, *b;
	uint32_t count = lying_on(l, one, &a);

	if (t->class_of[one] != t->class_of[two] || lying_on(l, two, &b) != count)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct maui_claim *claim = t->claims[l->sheaves[a[i].sheaf].claim];

		if (a[i].sheaf != b[i].sheaf ||
		    (claim->amounts &&
		     memcmp(amounts_of(t, claim, a[i].place), amounts_of(t, claim, b[i].place),
			    t->amount_count * sizeof(*claim->amounts)) != 0))
			return false;
	}
	return true;
}

/* ---- the cover of a node ---- */

/* Makes a stretch begin at `when`; room for it must be there. Returns its index. */
static uint32_t cut(struct layer *l, int64_t when)
{
	uint32_t at = maui_steps_find(l->cover, l->count, sizeof(*l->cover), when);

	return maui_steps_cut(l->cover, &l->count, sizeof(*l->cover), at, when);
}

/* Room for more than so many stretches. */
static int reserve(struct layer *l, size_t count)
{
	struct stretch *grown = maui_array_grow(l->cover, count, &l->alloc, sizeof(*grown));

	if (!grown)
		return -1;
	l->cover = grown;
	return 0;
}

/* The stretches that a claim lies on; begin and end of it are there afterwards. */
struct reach {
	uint32_t first, begin, end; /* those before `begin` are ahead of its time */
};

/* Cores that Slurm has reserved are kept ahead of their time as well. */
static struct reach reach_of(struct layer *l, uint32_t number)
{
	const struct maui_claim *claim = l->t->claims[number];
	bool ahead = claim->amounts && claim->rsv == MAUI_CLAIM_FOREIGN;
	struct reach reach = { .begin = cut(l, begin_of(l->t, claim)) };

	reach.end = claim->end_s == MAUI_NEVER ? l->count : cut(l, claim->end_s);
	reach.first = ahead ? 0 : reach.begin;
	return reach;
}

/* The stretches of these sheaves, and how many claims lie on each. */
static int cut_all(struct layer *l, const struct lying *lying, uint32_t lying_count)
{
	if (reserve(l, 0))
		return -1;
	l->cover[0] = (struct stretch){ .at = l->t->now };
	l->count = 1;
	for (uint32_t i = 0; i < lying_count; i++) {
		const struct sheaf *sheaf = &l->sheaves[lying[i].sheaf];

		if (reserve(l, l->count + 2 * (size_t)sheaf->count))
			return -1;
		for (uint32_t c = 0; c < sheaf->count; c++) {
			const struct reach reach = reach_of(l, sheaf->claim + c);

			for (uint32_t s = reach.first; s < reach.end; s++)
				l->cover[s].count++; /* a stretch that is cut passes it on */
		}
	}
	return 0;
}

/* Gives each stretch its place in the list. */
static int make_list(struct layer *l)
{
	struct maui_claim_part *grown;
	size_t total = 0;

	for (uint32_t i = 0; i < l->count; i++) {
		l->cover[i].first = total;
		total += l->cover[i].count;
		l->cover[i].count = 0;
	}
	grown = maui_array_grow(l->list, total, &l->list_alloc, sizeof(*grown));
	if (!grown)
		return -1;
	l->list = grown;
	return 0;
}

static void list_claim(struct layer *l, uint32_t number, const int64_t *amounts)
{
	const struct reach reach = reach_of(l, number);
	struct maui_claim_part part = { .claim = number, .amounts = amounts };

	for (uint32_t i = reach.first; i < reach.end; i++) {
		struct stretch *s = &l->cover[i];

		part.ahead = i < reach.begin;
		l->list[s->first + s->count++] = part;
	}
}

static void list_sheaf(struct layer *l, const struct lying *lying)
{
	const struct sheaf *sheaf = &l->sheaves[lying->sheaf];
	const int64_t *amounts = amounts_of(l->t, l->t->claims[sheaf->claim], lying->place);

	for (uint32_t c = 0; c < sheaf->count; c++)
		list_claim(l, sheaf->claim + c, amounts);
}

static int make_sets(struct layer *l, const int64_t *have)
{
	for (uint32_t i = 0; i < l->count; i++) {
		struct stretch *s = &l->cover[i];

		if (s->count == 0)
			continue;
		s->claims = maui_claims_join(l->t, 0, &l->list[s->first], s->count, have);
		if (!s->claims)
			return -1;
	}
	return 0;
}

/* First where stretches begin and how many claims lie on each, then which: a set is made of all of
 * them at once, since hundreds may lie on a node. */
static int work_out(struct layer *l, uint32_t node)
{
	const struct lying *lying;
	uint32_t count = lying_on(l, node, &lying);

	if (cut_all(l, lying, count) || make_list(l))
		return -1;
	for (uint32_t i = 0; i < count; i++)
		list_sheaf(l, &lying[i]);
	return make_sets(l, l->t->snapshot->nodes[node].have);
}

/* ---- the lines ---- */

/* Those of the stretch over those that are there; 0: there is none, or no memory. */
static uint32_t lay_over(struct layer *l, uint32_t there, const struct stretch *cover,
			 const int64_t *have)
{
	const struct maui_claim_set *set;
	struct maui_claim_part *grown;

	if (!there || !cover->claims)
		return there ? there : cover->claims;
	set = &l->t->claim_sets[there - 1];
	grown = maui_array_grow(l->over, set->count + cover->count, &l->over_alloc, sizeof(*grown));
	if (!grown)
		return 0;
	l->over = grown;
	memcpy(grown, set->parts, set->count * sizeof(*grown));
	memcpy(grown + set->count, &l->list[cover->first], cover->count * sizeof(*grown));
	return maui_claims_join(l->t, there, grown, set->count + cover->count, have);
}

static bool same_steps(const struct maui_timeline *t, const struct maui_line *a,
		       const struct maui_line *b)
{
	return a->count == b->count && memcmp(a->steps, b->steps, a->count * t->step_size) == 0;
}

/* A step for each moment at which a step of the line or a stretch of the cover begins. */
static int write_line(struct layer *l, uint32_t node)
{
	struct maui_timeline *t = l->t;
	struct maui_line *old = &t->lines[node], line = { .count = 0 };
	const struct stretch *at = l->cover, *end = at + l->count;
	uint32_t step = 0;

	line.steps = maui_arena_alloc(&t->arena, (old->count + l->count) * t->step_size);
	if (!line.steps)
		return -1;
	for (;;) {
		const struct maui_step *from = maui_line_step(t, old, step);
		struct maui_step *made = maui_line_step(t, &line, line.count++);
		int64_t next_step = maui_line_until(t, old, step);
		int64_t next_at = at + 1 < end ? at[1].at : MAUI_NEVER;

		memcpy(made, from, t->step_size);
		if (made->at < at->at)
			made->at = at->at;
		made->claims = lay_over(l, from->claims, at, t->snapshot->nodes[node].have);
		if (!made->claims && (from->claims || at->claims))
			return -1;
		if (next_step == MAUI_NEVER && next_at == MAUI_NEVER)
			break;
		step += next_step <= next_at;
		at += next_at <= next_step;
	}
	line.alloc = line.count; /* others may share it */
	*old = line;
	return 0;
}

static int lay_on(struct layer *l, uint32_t node)
{
	struct maui_line *lines = l->t->lines;
	bool same = l->last != UINT32_MAX && same_sheaves(l, l->last, node);

	if (same && same_steps(l->t, &l->before, &lines[node])) {
		lines[node] = lines[l->last];
		return 0;
	}
	if (!same && work_out(l, node))
		return -1;
	l->last = node;
	l->before = lines[node];
	return write_line(l, node);
}

static int lay(struct layer *l)
{
	l->last = UINT32_MAX;
	for (uint32_t n = 0; n < l->t->node_count; n++)
		if (l->first[n] < l->first[n + 1] && lay_on(l, n))
			return -1;
	return 0;
}

int maui_timeline_add_claims(struct maui_timeline *t, const struct maui_claim *claims,
			     uint32_t count)
{
	struct layer l = { .t = t };
	size_t first = t->claim_count;
	int rc;

	for (uint32_t c = 0; c < count; c++) {
		const struct maui_claim **grown =
			maui_array_grow(t->claims, t->claim_count, &t->claim_alloc,
					sizeof(const struct maui_claim *));

		if (!grown)
			return -1;
		t->claims = grown;
		t->claims[t->claim_count++] = &claims[c];
	}
	rc = count > 0 && (make_sheaves(&l, first) || gather(&l) || lay(&l)) ? -1 : 0;
	free(l.cover);
	free(l.list);
	free(l.over);
	return rc;
}
