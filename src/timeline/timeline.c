/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline.c - takes amounts from lines of steps, and gives them back
 *
 * Invariant: the times of a line's steps ascend strictly, and the first step begins now.
 */

#include "timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/steps.h"

enum { LINEAR = 8 }; /* up to so many steps a linear search is faster than a binary search */

uint32_t maui_timeline_step_at(const struct maui_timeline *t, uint32_t node, int64_t when)
{
	const struct maui_line *line = &t->lines[node];
	uint32_t low = 0, high = line->count;

	if (when == t->now) /* the most frequent question */
		return 0;
	while (high - low > LINEAR) {
		uint32_t middle = low + (high - low) / 2;

		if (maui_line_step(t, line, middle)->at <= when)
			low = middle;
		else
			high = middle;
	}
	while (low + 1 < high && maui_line_step(t, line, low + 1)->at <= when)
		low++;
	return low;
}

/* Lines are allocated one behind the other, and grow in the order of nodes. A line that grows
 * leaves a hole for the next lines; without holes the arena would be twice as large. */
static char *take_hole(struct maui_timeline *t, size_t size)
{
	for (int i = 0; i < MAUI_TIMELINE_HOLES; i++) {
		struct maui_hole *hole = &t->holes[i];

		if (hole->size >= size) {
			hole->start += size;
			hole->size -= size;
			return hole->start - size;
		}
	}
	return maui_arena_alloc(&t->arena, size);
}

/* Remembers a hole, and forgets the smallest one for it. */
static void leave_hole(struct maui_timeline *t, char *start, size_t size)
{
	struct maui_hole *smallest = &t->holes[0];

	for (int i = 0; i < MAUI_TIMELINE_HOLES; i++) {
		struct maui_hole *hole = &t->holes[i];

		if (hole->size > 0 && hole->start + hole->size == start) {
			hole->size += size;
			return;
		}
		if (hole->size < smallest->size)
			smallest = hole;
	}
	if (smallest->size < size)
		*smallest = (struct maui_hole){ start, size };
}

/* Notes whether a node begins a run, which the node behind the last one does. */
static void note_run(struct maui_timeline *t, uint32_t node)
{
	uint64_t bit = UINT64_C(1) << node % 64;

	if (node > 0 && node < t->node_count && maui_timeline_same(t, node - 1, node))
		t->run_begins[node / 64] &= ~bit;
	else
		t->run_begins[node / 64] |= bit;
}

static bool equal_steps(const struct maui_timeline *t, uint32_t a, uint32_t b)
{
	const struct maui_line *one = &t->lines[a], *two = &t->lines[b];

	return one->count == two->count && t->class_of[a] == t->class_of[b] &&
	       memcmp(one->steps, two->steps, one->count * t->step_size) == 0;
}

/* Lets a node share the steps of its neighbour, which are equal. */
static void share_steps(struct maui_timeline *t, uint32_t node, uint32_t neighbour)
{
	struct maui_line *line = &t->lines[node], *other = &t->lines[neighbour];

	if (line->steps == other->steps)
		return;
	if (line->alloc > line->count) /* otherwise other lines may share the steps */
		leave_hole(t, line->steps, line->alloc * t->step_size);
	other->alloc = other->count;
	*line = *other;
}

int maui_timeline_find_runs(struct maui_timeline *t)
{
	t->run_begins =
		maui_arena_alloc(&t->arena, (t->node_count / 64 + 1u) * sizeof(*t->run_begins));
	if (!t->run_begins)
		return -1;
	for (uint32_t n = 0; n <= t->node_count; n++) {
		if (n > 0 && n < t->node_count && equal_steps(t, n - 1, n))
			share_steps(t, n, n - 1);
		note_run(t, n);
	}
	return 0;
}

/* A node has changed. One that is equal to a neighbour now joins its run: the nodes of a job
 * mostly are. */
static void join_run(struct maui_timeline *t, uint32_t node)
{
	if (!t->run_begins || node >= t->node_count) /* not laid out yet, or no node */
		return;
	if (node > 0 && equal_steps(t, node - 1, node))
		share_steps(t, node, node - 1);
	else if (node + 1 < t->node_count && equal_steps(t, node + 1, node))
		share_steps(t, node, node + 1);
	note_run(t, node);
	note_run(t, node + 1);
}

/* Makes room for more steps. A line that may share its steps with other lines gets a copy of its
 * own. */
static int reserve_steps(struct maui_timeline *t, struct maui_line *line, uint32_t more)
{
	uint32_t alloc = line->alloc;
	char *steps;

	if (line->count + more <= alloc)
		return 0;
	while (line->count + more > alloc)
		alloc = alloc < 4 ? 4 : alloc * 2;
	steps = take_hole(t, alloc * t->step_size);
	if (!steps)
		return -1;
	memcpy(steps, line->steps, line->count * t->step_size);
	if (line->alloc > line->count) /* otherwise other lines may share the steps */
		leave_hole(t, line->steps, line->alloc * t->step_size);
	line->steps = steps;
	line->alloc = alloc;
	return 0;
}

/* Makes a step begin at `when` and returns its index. The caller has reserved the room. */
static uint32_t split(struct maui_timeline *t, uint32_t node, int64_t when)
{
	struct maui_line *line = &t->lines[node];

	return maui_steps_cut(line->steps, &line->count, t->step_size,
			      maui_timeline_step_at(t, node, when), when);
}

/* A change of the steps in an interval. */
struct change {
	const int64_t *amounts;
	int sign;      /* 1: amounts become free, -1: amounts are taken */
	uint32_t user; /* the user of the job; 0: none */
	/* the access of a job inside; NULL: the job is not inside */
	const struct maui_requester *requester;
	struct maui_span span; /* whole span of the job */
	/* processors of one Slurm claim; NULL: use `requester` */
	const struct maui_share *share;
	bool admits; /* the amounts are taken already: only the claims change */
};

static int change_step(struct maui_timeline *t, struct maui_step *step, const struct change *c)
{
	for (unsigned d = 0; !c->admits && d < t->amount_count; d++)
		step->free[d] += c->sign * c->amounts[d];
	if (!step->claims || (!c->requester && !c->share))
		return 0;
	step->claims = c->share ? maui_claims_use_share(t, step->claims, c->share->claim,
							c->amounts, -c->sign) :
				  maui_claims_use(t, step->claims, c->requester, c->span,
						  c->amounts, -c->sign);
	return step->claims ? 0 : -1;
}

/* Notes that the job comes to the node, or goes. The steps are there by now. */
static int change_users(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
			const struct change *c)
{
	const struct maui_stay stay = { .from = from, .until = until, .user = c->user };
	const struct maui_line *line = &t->lines[node];

	if (c->sign > 0)
		maui_users_remove(&t->users, node, stay);
	else if (maui_users_add(&t->users, &t->arena, node, stay))
		return -1;
	for (uint32_t i = maui_timeline_step_at(t, node, from); i < line->count; i++) {
		struct maui_step *step = maui_line_step(t, line, i);

		if (step->at >= until)
			break;
		step->who = c->sign > 0 ? maui_users_at(&t->users, node, step->at, step->who) :
					  maui_users_join(step->who, c->user);
	}
	return 0;
}

static int change(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		  const struct change *c)
{
	struct maui_line *line = &t->lines[node];
	uint32_t first, end;

	if (from < t->now)
		from = t->now;
	if (from >= until)
		return 0;
	if (reserve_steps(t, line, 2))
		return -1;
	first = split(t, node, from);
	end = until == MAUI_NEVER ? line->count : split(t, node, until);
	for (uint32_t i = first; i < end; i++)
		if (change_step(t, maui_line_step(t, line, i), c))
			return -1;
	if (c->user && change_users(t, node, from, until, c))
		return -1;
	join_run(t, node);
	return 0;
}

int maui_timeline_take(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		       const int64_t *amounts, uint32_t user)
{
	const struct change c = { .amounts = amounts, .sign = -1, .user = user };

	return change(t, node, from, until, &c);
}

int maui_timeline_give(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		       const int64_t *amounts, uint32_t user)
{
	const struct change c = { .amounts = amounts, .sign = 1, .user = user };

	return change(t, node, from, until, &c);
}

int maui_timeline_take_inside(struct maui_timeline *t, uint32_t node, struct maui_span span,
			      const int64_t *amounts, uint32_t user,
			      const struct maui_requester *requester)
{
	const struct change c = {
		.amounts = amounts, .sign = -1, .user = user, .requester = requester, .span = span
	};

	return change(t, node, span.from, span.until, &c);
}

int maui_timeline_give_inside(struct maui_timeline *t, uint32_t node, struct maui_span span,
			      const int64_t *amounts, uint32_t user,
			      const struct maui_requester *requester)
{
	const struct change c = {
		.amounts = amounts, .sign = 1, .user = user, .requester = requester, .span = span
	};

	return change(t, node, span.from, span.until, &c);
}

/* Whether some claim on the node keeps amounts during [from, until). Jobs inside lessen only
 * such claims. */
static bool keeps_amounts(const struct maui_timeline *t, uint32_t node, int64_t from, int64_t until)
{
	const struct maui_line *line = &t->lines[node];
	uint32_t first = from > t->now ? maui_timeline_step_at(t, node, from) : 0;

	for (uint32_t i = first; i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		if (step->at >= until)
			return false;
		if (step->claims && t->claim_sets[step->claims - 1].partial)
			return true;
	}
	return false;
}

int maui_timeline_mark_inside(struct maui_timeline *t, uint32_t node, struct maui_span span,
			      int64_t until, const int64_t *amounts,
			      const struct maui_access_table *access)
{
	const struct maui_requester requester = { NULL, access };
	const struct change c = { .amounts = amounts,
				  .sign = -1,
				  .requester = &requester,
				  .span = span,
				  .admits = true };

	return access && keeps_amounts(t, node, span.from, until) ?
		       change(t, node, span.from, until, &c) :
		       0;
}

int maui_timeline_charge_shares(struct maui_timeline *t, const struct maui_piece *piece,
				int64_t until, int sign)
{
	for (uint32_t i = 0; i < piece->share_count; i++) {
		const struct maui_share *share = &piece->shares[i];
		const struct change c = { .amounts = maui_timeline_only_procs(t, share->procs),
					  .sign = -sign,
					  .share = share,
					  .admits = true };

		if (change(t, piece->node, t->now, until, &c))
			return -1;
	}
	return 0;
}

int64_t maui_timeline_procs(const struct maui_timeline *t, uint32_t node, int64_t from,
			    int64_t until, const struct maui_requester *requester)
{
	const struct maui_line *line = &t->lines[node];
	const struct maui_span span = { from, until };
	int64_t least = INT64_MAX;

	for (uint32_t i = maui_timeline_step_at(t, node, from); i < line->count && least > 0; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		const int64_t *gives;

		if (step->at >= until)
			break;
		gives = maui_timeline_capacity(t, step, requester, span);
		if (!gives || gives[MAUI_AMOUNT_PROCS] < least)
			least = gives ? gives[MAUI_AMOUNT_PROCS] : 0;
	}
	return least > 0 ? least : 0;
}

int maui_timeline_affinity(const struct maui_timeline *t, uint32_t node,
			   const struct maui_access_table *access, struct maui_span span)
{
	const struct maui_line *line = &t->lines[node];
	int best = 0;

	for (uint32_t i = maui_timeline_step_at(t, node, span.from); i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int own;

		if (step->at >= span.until)
			break;
		own = maui_claims_affinity(t, step, access, span);
		if (own < 0)
			return own;
		if (own > best)
			best = own;
	}
	return best;
}

int maui_timeline_make_vectors(struct maui_timeline *t)
{
	size_t count = t->amount_count;
	int64_t *all = maui_arena_alloc(&t->arena, 4 * count * sizeof(*all));

	if (!all)
		return -1;
	t->vectors = (struct maui_timeline_vectors){ .capacity = all,
						     .only_procs = all + count,
						     .one = all + 2 * count,
						     .two = all + 3 * count };
	return 0;
}

/* Each set remembers the requester that asked last, so each view has its own sets. */
static int copy_claim_sets(const struct maui_timeline *t, struct maui_timeline *ret)
{
	size_t size = t->claim_set_count * sizeof(*t->claim_sets);

	ret->claim_sets = malloc(size + 1);
	if (!ret->claim_sets)
		return -1;
	ret->claim_set_alloc = t->claim_set_count;
	if (size > 0)
		memcpy(ret->claim_sets, t->claim_sets, size);
	for (size_t i = 0; i < t->claim_set_count; i++) {
		struct maui_claim_cache *cache = &ret->claim_sets[i].cache;

		*cache = (struct maui_claim_cache){ 0 };
		if (!ret->claim_sets[i].partial)
			continue;
		cache->closed =
			maui_arena_alloc(&ret->arena, 2 * t->amount_count * sizeof(*cache->closed));
		if (!cache->closed)
			return -1;
		cache->within = cache->closed + t->amount_count;
	}
	return 0;
}

int maui_timeline_view(const struct maui_timeline *t, struct maui_timeline *ret)
{
	size_t size = t->claim_count * sizeof(const struct maui_claim *);

	*ret = *t;
	ret->arena = (struct maui_arena){ 0 };
	ret->scratch = (struct maui_fit_scratch){ 0 };
	ret->claim_table = (struct maui_hashtable){ 0 };
	ret->users = (struct maui_users){ 0 };
	ret->claim_sets = NULL;
	memset(ret->holes, 0, sizeof(ret->holes));
	ret->claims = malloc(size + 1);
	if (!ret->claims || maui_timeline_make_vectors(ret) || copy_claim_sets(t, ret)) {
		maui_timeline_finish(ret);
		return -1;
	}
	if (size > 0)
		memcpy(ret->claims, t->claims, size);
	return 0;
}

int maui_timeline_copy(const struct maui_timeline *t, struct maui_timeline *ret)
{
	uint32_t count = t->node_count + t->has_global;

	if (maui_timeline_view(t, ret))
		return -1;
	ret->lines = maui_arena_alloc(&ret->arena, (count + 1u) * sizeof(*ret->lines));
	for (uint32_t i = 0; ret->lines && i < count; i++) {
		ret->lines[i] = t->lines[i];
		ret->lines[i].alloc = ret->lines[i].count; /* the steps are shared */
	}
	if (ret->lines && maui_timeline_find_runs(ret) == 0)
		return 0;
	maui_timeline_finish(ret);
	return -1;
}

/* Copies a line without what jobs take; a step that differs from the one before it in nothing else
 * is left out. `have` is free from `usable_s` on. */
static int clear_line(struct maui_timeline *t, struct maui_line *line, const int64_t *have,
		      int64_t usable_s)
{
	struct maui_line cleared = { .alloc = line->count };
	size_t size = t->amount_count * sizeof(int64_t);

	cleared.steps = maui_arena_alloc(&t->arena, line->count * t->step_size);
	if (!cleared.steps)
		return -1;
	for (uint32_t i = 0; i < line->count; i++) {
		const struct maui_step *from = maui_line_step(t, line, i);
		struct maui_step *step = maui_line_step(t, &cleared, cleared.count), *last = NULL;

		step->at = from->at;
		step->claims = from->claims;
		step->who = 0;
		memset(step->free, 0, size);
		if (from->at >= usable_s)
			memcpy(step->free, have, size);
		if (cleared.count > 0)
			last = maui_line_step(t, &cleared, cleared.count - 1);
		if (!last || last->claims != step->claims ||
		    (last->at < usable_s) != (step->at < usable_s))
			cleared.count++;
	}
	cleared.alloc = cleared.count;
	*line = cleared;
	return 0;
}

/* Adjacent equal nodes go on sharing their steps. */
static int clear_lines(const struct maui_timeline *t, struct maui_timeline *ret)
{
	const struct maui_node *nodes = t->snapshot->nodes;
	const uint32_t count = t->node_count + t->has_global;

	ret->lines = maui_arena_alloc(&ret->arena, (count + 1u) * sizeof(*ret->lines));
	if (!ret->lines)
		return -1;
	for (uint32_t n = 0; n < t->node_count; n++) {
		ret->lines[n] = t->lines[n];
		if (n > 0 && maui_timeline_same(t, n - 1, n) &&
		    nodes[n].usable_from_s == nodes[n - 1].usable_from_s)
			ret->lines[n] = ret->lines[n - 1];
		else if (clear_line(ret, &ret->lines[n], nodes[n].have,
				    nodes[n].usable_from_s > t->now ? nodes[n].usable_from_s :
								      t->now))
			return -1;
	}
	if (t->has_global) {
		ret->lines[t->node_count] = t->lines[t->node_count];
		if (clear_line(ret, &ret->lines[t->node_count], t->snapshot->global, t->now))
			return -1;
	}
	return maui_timeline_find_runs(ret);
}

int maui_timeline_without_jobs(const struct maui_timeline *t, struct maui_timeline *ret)
{
	if (maui_timeline_view(t, ret))
		return -1;
	if (maui_claims_drop_uses(ret) == 0 && clear_lines(t, ret) == 0)
		return 0;
	maui_timeline_finish(ret);
	return -1;
}

struct maui_line *maui_timeline_freeze(struct maui_timeline *t)
{
	uint32_t count = t->node_count + t->has_global;
	struct maui_line *lines = maui_arena_alloc(&t->arena, (count + 1u) * sizeof(*lines));

	if (!lines)
		return NULL;
	for (uint32_t i = 0; i < count; i++) {
		t->lines[i].alloc = t->lines[i].count;
		lines[i] = t->lines[i];
	}
	return lines;
}

int maui_timeline_restore(struct maui_timeline *t, struct maui_line *frozen)
{
	t->lines = frozen;
	return maui_timeline_find_runs(t);
}

void maui_timeline_finish(struct maui_timeline *t)
{
	maui_arena_finish(&t->arena);
	free(t->claims);
	free(t->claim_sets);
	maui_hashtable_finish(&t->claim_table);
	free(t->scratch.runs);
	free(t->scratch.moments);
	free(t->scratch.events);
	free(t->scratch.steps);
	free(t->scratch.uses);
	free(t->scratch.admissions);
	*t = (struct maui_timeline){ 0 };
}
