/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lay.c - claims are laid over the lines
 *
 * Hundreds of reservations lie on thousands of nodes, and neighbours mostly have the same ones. When
 * which claims lie on a node, its cover, is worked out once for neighbours with the same claims;
 * then each line is written anew with it. Those that come out alike share their steps.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/steps.h"
#include "timeline/timeline.h"

/* From `at` on this set of claims, as a step has it, until the next stretch. */
struct stretch {
	int64_t at;
	uint32_t claims;
};

/* What neighbours in the list of claims that share a list of nodes, as the periods of a reservation
 * mostly do, have of one node. */
struct sheaf {
	uint32_t claim, count; /* the first, and so many */
	const int64_t *amounts;
};

struct layer {
	struct maui_timeline *t;
	struct sheaf *sheaves;         /* node by node, then ascending by claim */
	uint32_t *first;               /* of each node; one more */
	uint32_t last;                 /* the last node with sheaves; UINT32_MAX: none yet */
	struct maui_line before;       /* its line, as it was */
	struct stretch *cover;         /* its cover; the first begins now */
	uint32_t count;
	size_t alloc;
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
static int gather(struct layer *l, size_t first)
{
	struct maui_timeline *t = l->t;
	size_t nodes = t->node_count + 2u, total = 0;
	uint32_t count;

	l->first = maui_arena_alloc(&t->arena, nodes * sizeof(*l->first));
	for (size_t c = first; l->first && c < t->claim_count; c += count ? count : 1) {
		count = sheaf_from(t, c);
		for (uint32_t n = 0; count > 0 && n < t->claims[c]->node_count; n++, total++)
			l->first[t->claims[c]->nodes[n] + 2]++;
	}
	l->sheaves = maui_arena_alloc(&t->arena, (total + 1) * sizeof(*l->sheaves));
	if (!l->first || !l->sheaves)
		return -1;
	for (size_t n = 2; n < nodes; n++)
		l->first[n] += l->first[n - 1];
	for (size_t c = first; c < t->claim_count; c += count ? count : 1) {
		count = sheaf_from(t, c);
		for (uint32_t n = 0; count > 0 && n < t->claims[c]->node_count; n++)
			l->sheaves[l->first[t->claims[c]->nodes[n] + 1]++] = (struct sheaf){
				(uint32_t)c, count, amounts_of(t, t->claims[c], n)
			};
	}
	return 0;
}

static uint32_t sheaves_of(const struct layer *l, uint32_t node, const struct sheaf **ret)
{
	*ret = &l->sheaves[l->first[node]];
	return l->first[node + 1] - l->first[node];
}

/* Whether two nodes have the same of the same claims. */
static bool same_sheaves(const struct layer *l, uint32_t one, uint32_t two)
{
	const struct maui_timeline *t = l->t;
	const struct sheaf *a, *b;
	uint32_t count = sheaves_of(l, one, &a);

	if (t->class_of[one] != t->class_of[two] || sheaves_of(l, two, &b) != count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (a[i].claim != b[i].claim || /* the same are the same number */
		    (a[i].amounts && memcmp(a[i].amounts, b[i].amounts,
					    t->amount_count * sizeof(*a[i].amounts)) != 0))
			return false;
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

/* Cores that Slurm has reserved are kept ahead of their time as well. */
static int lay_part(struct layer *l, uint32_t node, struct maui_claim_part part)
{
	struct maui_timeline *t = l->t;
	const struct maui_claim *claim = t->claims[part.claim];
	bool ahead = part.amounts && claim->group == MAUI_CLAIM_FOREIGN;
	uint32_t begin = cut(l, begin_of(t, claim));
	uint32_t end = claim->end_s == MAUI_NEVER ? l->count : cut(l, claim->end_s);

	for (uint32_t i = ahead ? 0 : begin; i < end; i++) {
		part.ahead = i < begin;
		l->cover[i].claims = maui_claims_join(t, l->cover[i].claims, part,
						      t->snapshot->nodes[node].have);
		if (!l->cover[i].claims)
			return -1;
	}
	return 0;
}

static int lay_sheaf(struct layer *l, uint32_t node, const struct sheaf *sheaf)
{
	if (reserve(l, l->count + 2 * (size_t)sheaf->count))
		return -1;
	for (uint32_t i = 0; i < sheaf->count; i++)
		if (lay_part(l, node,
			     (struct maui_claim_part){ .claim = sheaf->claim + i,
						       .amounts = sheaf->amounts }))
			return -1;
	return 0;
}

static int work_out(struct layer *l, uint32_t node)
{
	const struct sheaf *sheaves;
	uint32_t count = sheaves_of(l, node, &sheaves);

	if (reserve(l, 0))
		return -1;
	l->cover[0] = (struct stretch){ .at = l->t->now };
	l->count = 1;
	for (uint32_t i = 0; i < count; i++)
		if (lay_sheaf(l, node, &sheaves[i]))
			return -1;
	return 0;
}

/* ---- the lines ---- */

/* Those of the cover over those that are there; 0: there is none, or no memory. */
static uint32_t lay_over(struct maui_timeline *t, uint32_t there, uint32_t cover,
			 const int64_t *have)
{
	uint32_t set = there ? there : cover;

	for (uint32_t i = 0; there && cover && set && i < t->claim_sets[cover - 1].count; i++)
		set = maui_claims_join(t, set, t->claim_sets[cover - 1].parts[i], have);
	return set;
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
		made->claims = lay_over(t, from->claims, at->claims, t->snapshot->nodes[node].have);
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
		const struct maui_claim **grown = maui_array_grow(t->claims, t->claim_count,
								  &t->claim_alloc,
								  sizeof(const struct maui_claim *));

		if (!grown)
			return -1;
		t->claims = grown;
		t->claims[t->claim_count++] = &claims[c];
	}
	rc = count > 0 && (gather(&l, first) || lay(&l)) ? -1 : 0;
	free(l.cover);
	return rc;
}
