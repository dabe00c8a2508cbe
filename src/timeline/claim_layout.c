/* SPDX-License-Identifier: GPL-2.0-or-later */
/* claim_layout.c - adds claims to the lines of nodes
 *
 * Hundreds of reservations lie on thousands of nodes, and neighbours mostly have the same ones. The
 * cover of a node says which claims lie on the node at which time. It is computed once for
 * neighbours with the same claims. Then each line is rewritten with its cover. Lines that become
 * equal share their steps.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/steps.h"
#include "timeline/timeline.h"

/* The claims on a node from `at` until the next interval. */
struct interval {
	int64_t at;
	size_t first; /* in the layout's list of parts */
	uint32_t count;
	uint32_t claims; /* the number of their set, as in maui_step.claims */
};

/* Consecutive claims with the same list of nodes, which the periods of one reservation mostly
 * have. */
struct series {
	uint32_t claim, count;
};

/* A series that lies on a node, and the node's index in the series' list of nodes. A large
 * cluster has millions of entries. */
struct entry {
	uint32_t series, place;
};

struct layout {
	struct maui_timeline *t;
	struct series *series_list; /* ascending by claim; ended claims are left out */
	uint32_t series_count;
	struct entry *entries;   /* node by node, then ascending by claim */
	uint32_t *first;         /* first entry of each node, and the end */
	uint32_t last;           /* the last node with claims; UINT32_MAX: none yet */
	struct maui_line before; /* its line before the change */
	struct interval *cover;  /* its cover; the first interval begins now */
	uint32_t count;
	size_t alloc;
	struct maui_claim_part *list; /* parts of each interval of the cover */
	size_t list_alloc;
	struct maui_claim_part *over; /* parts of a step joined with those of an interval */
	size_t over_alloc;
};

/* ---- which claims each node has ---- */

static int64_t start_of(const struct maui_timeline *t, const struct maui_claim *claim)
{
	return claim->start_s > t->now ? claim->start_s : t->now;
}

static bool is_over(const struct maui_timeline *t, const struct maui_claim *claim)
{
	return claim->end_s <= start_of(t, claim);
}

static const int64_t *amounts_of(const struct maui_timeline *t, const struct maui_claim *claim,
				 uint32_t n)
{
	return claim->amounts ? claim->amounts + (size_t)n * t->amount_count : NULL;
}

/* The number of consecutive claims from this one on that have its list of nodes; 0: the claim is
 * over. */
static uint32_t series_length(const struct maui_timeline *t, size_t first)
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

/* Makes series of the claims from index `first` on. */
static int make_series(struct layout *l, size_t first)
{
	struct maui_timeline *t = l->t;
	uint32_t count;

	l->series_list =
		maui_arena_alloc(&t->arena, (t->claim_count - first) * sizeof(*l->series_list));
	for (size_t c = first; l->series_list && c < t->claim_count; c += count ? count : 1) {
		count = series_length(t, c);
		if (count > 0)
			l->series_list[l->series_count++] = (struct series){ (uint32_t)c, count };
	}
	return l->series_list ? 0 : -1;
}

static int index_by_node(struct layout *l)
{
	struct maui_timeline *t = l->t;
	size_t nodes = t->node_count + 2u, total = 0;

	l->first = maui_arena_alloc(&t->arena, nodes * sizeof(*l->first));
	for (uint32_t s = 0; l->first && s < l->series_count; s++) {
		const struct maui_claim *claim = t->claims[l->series_list[s].claim];

		for (uint32_t n = 0; n < claim->node_count; n++, total++)
			l->first[claim->nodes[n] + 2]++;
	}
	l->entries = maui_arena_alloc(&t->arena, (total + 1) * sizeof(*l->entries));
	if (!l->first || !l->entries)
		return -1;
	for (size_t n = 2; n < nodes; n++)
		l->first[n] += l->first[n - 1];
	for (uint32_t s = 0; s < l->series_count; s++) {
		const struct maui_claim *claim = t->claims[l->series_list[s].claim];

		for (uint32_t n = 0; n < claim->node_count; n++)
			l->entries[l->first[claim->nodes[n] + 1]++] = (struct entry){ s, n };
	}
	return 0;
}

static uint32_t entries_of(const struct layout *l, uint32_t node, const struct entry **ret)
{
	*ret = &l->entries[l->first[node]];
	return l->first[node + 1] - l->first[node];
}

/* Whether two nodes of one class have the same amounts of the same claims. */
static bool same_entries(const struct layout *l, uint32_t one, uint32_t two)
{
	const struct maui_timeline *t = l->t;
	const struct entry *a, *b;
	uint32_t count = entries_of(l, one, &a);

	if (t->class_of[one] != t->class_of[two] || entries_of(l, two, &b) != count)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct maui_claim *claim = t->claims[l->series_list[a[i].series].claim];

		if (a[i].series != b[i].series ||
		    (claim->amounts &&
		     memcmp(amounts_of(t, claim, a[i].place), amounts_of(t, claim, b[i].place),
			    t->amount_count * sizeof(*claim->amounts)) != 0))
			return false;
	}
	return true;
}

/* ---- the cover of a node ---- */

/* Makes an interval begin at `when` and returns its index. The caller has reserved the room. */
static uint32_t cut_at(struct layout *l, int64_t when)
{
	uint32_t at = maui_steps_find(l->cover, l->count, sizeof(*l->cover), when);

	return maui_steps_cut(l->cover, &l->count, sizeof(*l->cover), at, when);
}

/* Reserves room for count + 1 intervals. */
static int reserve(struct layout *l, size_t count)
{
	struct interval *grown = maui_array_grow(l->cover, count, &l->alloc, sizeof(*grown));

	if (!grown)
		return -1;
	l->cover = grown;
	return 0;
}

/* The intervals of a claim: [first, end). Those before `begin` are ahead of the claim's time. */
struct range {
	uint32_t first, begin, end;
};

/* Cuts the cover at begin and end of a claim. Slurm's reservations of cores keep their cores
 * ahead of their time, too. */
static struct range range_of(struct layout *l, uint32_t number)
{
	const struct maui_claim *claim = l->t->claims[number];
	bool ahead = claim->amounts && claim->rsv == MAUI_CLAIM_FOREIGN;
	struct range range = { .begin = cut_at(l, start_of(l->t, claim)) };

	range.end = claim->end_s == MAUI_NEVER ? l->count : cut_at(l, claim->end_s);
	range.first = ahead ? 0 : range.begin;
	return range;
}

/* Cuts the cover into the intervals of these series, and counts the claims of each interval. */
static int cut_intervals(struct layout *l, const struct entry *entries, uint32_t entry_count)
{
	if (reserve(l, 0))
		return -1;
	l->cover[0] = (struct interval){ .at = l->t->now };
	l->count = 1;
	for (uint32_t i = 0; i < entry_count; i++) {
		const struct series *series = &l->series_list[entries[i].series];

		if (reserve(l, l->count + 2 * (size_t)series->count))
			return -1;
		for (uint32_t c = 0; c < series->count; c++) {
			const struct range range = range_of(l, series->claim + c);

			for (uint32_t s = range.first; s < range.end; s++)
				/* an interval that is cut passes its count on */
				l->cover[s].count++;
		}
	}
	return 0;
}

/* Gives each interval its place in the list of parts. */
static int make_list(struct layout *l)
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

static void list_claim(struct layout *l, uint32_t number, const int64_t *amounts)
{
	const struct range range = range_of(l, number);
	struct maui_claim_part part = { .claim = number, .amounts = amounts };

	for (uint32_t i = range.first; i < range.end; i++) {
		struct interval *s = &l->cover[i];

		part.ahead = i < range.begin;
		l->list[s->first + s->count++] = part;
	}
}

static void list_series(struct layout *l, const struct entry *entry)
{
	const struct series *series = &l->series_list[entry->series];
	const int64_t *amounts = amounts_of(l->t, l->t->claims[series->claim], entry->place);

	for (uint32_t c = 0; c < series->count; c++)
		list_claim(l, series->claim + c, amounts);
}

static int make_sets(struct layout *l, const int64_t *have)
{
	for (uint32_t i = 0; i < l->count; i++) {
		struct interval *s = &l->cover[i];

		if (s->count == 0)
			continue;
		s->claims = maui_claims_make_set(l->t, 0, &l->list[s->first], s->count, have);
		if (!s->claims)
			return -1;
	}
	return 0;
}

/* Computes the intervals and their counts first, then the lists. A set is made of all its claims
 * at once, because hundreds may lie on a node. */
static int compute_cover(struct layout *l, uint32_t node)
{
	const struct entry *entries;
	uint32_t count = entries_of(l, node, &entries);

	if (cut_intervals(l, entries, count) || make_list(l))
		return -1;
	for (uint32_t i = 0; i < count; i++)
		list_series(l, &entries[i]);
	return make_sets(l, l->t->snapshot->nodes[node].have);
}

/* ---- the lines ---- */

/* The set of a step joined with the set of an interval. 0: both are empty, or no memory. */
static uint32_t merge_sets(struct layout *l, uint32_t there, const struct interval *cover,
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
	return maui_claims_make_set(l->t, there, grown, set->count + cover->count, have);
}

static bool same_steps(const struct maui_timeline *t, const struct maui_line *a,
		       const struct maui_line *b)
{
	return a->count == b->count && memcmp(a->steps, b->steps, a->count * t->step_size) == 0;
}

/* Rewrites the line, with a step wherever a step of the old line or an interval of the cover
 * begins. */
static int write_line(struct layout *l, uint32_t node)
{
	struct maui_timeline *t = l->t;
	struct maui_line *old = &t->lines[node], line = { .count = 0 };
	const struct interval *at = l->cover, *end = at + l->count;
	uint32_t step = 0;

	line.steps = maui_arena_alloc(&t->arena, (old->count + l->count) * t->step_size);
	if (!line.steps)
		return -1;
	for (;;) {
		const struct maui_step *from = maui_line_step(t, old, step);
		struct maui_step *made = maui_line_step(t, &line, line.count++);
		int64_t next_step = maui_line_step_end(t, old, step);
		int64_t next_at = at + 1 < end ? at[1].at : MAUI_NEVER;

		memcpy(made, from, t->step_size);
		if (made->at < at->at)
			made->at = at->at;
		made->claims = merge_sets(l, from->claims, at, t->snapshot->nodes[node].have);
		if (!made->claims && (from->claims || at->claims))
			return -1;
		if (next_step == MAUI_NEVER && next_at == MAUI_NEVER)
			break;
		step += next_step <= next_at;
		at += next_at <= next_step;
	}
	line.alloc = line.count; /* other lines may share the steps */
	*old = line;
	return 0;
}

static int lay_on_node(struct layout *l, uint32_t node)
{
	struct maui_line *lines = l->t->lines;
	bool same = l->last != UINT32_MAX && same_entries(l, l->last, node);

	if (same && same_steps(l->t, &l->before, &lines[node])) {
		lines[node] = lines[l->last];
		return 0;
	}
	if (!same && compute_cover(l, node))
		return -1;
	l->last = node;
	l->before = lines[node];
	return write_line(l, node);
}

static int lay_on_nodes(struct layout *l)
{
	l->last = UINT32_MAX;
	for (uint32_t n = 0; n < l->t->node_count; n++)
		if (l->first[n] < l->first[n + 1] && lay_on_node(l, n))
			return -1;
	return 0;
}

int maui_timeline_add_claims(struct maui_timeline *t, const struct maui_claim *claims,
			     uint32_t count)
{
	struct layout l = { .t = t };
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
		t->repeats |= claims[c].repeats && !claims[c].amounts;
	}
	rc = count > 0 && (make_series(&l, first) || index_by_node(&l) || lay_on_nodes(&l)) ? -1 :
											      0;
	free(l.cover);
	free(l.list);
	free(l.over);
	return rc == 0 ? maui_timeline_find_runs(t) : rc;
}
