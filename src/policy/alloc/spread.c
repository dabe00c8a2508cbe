/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spread.c - how many tasks each of the chosen nodes will get
 *
 * The resource manager gets the nodes and distributes the tasks itself. A plan that starts several
 * jobs at once must know how, or the second job is refused the cores that the first one took on
 * another node. The rules are those that Slurm's select/cons_tres shows: a node that
 * suffices by itself is taken alone, the tightest one; else whole runs of neighbours of one weight,
 * the tightest that suffices or the largest, each from its lowest node on and each node as full as
 * it goes, with a core kept for every node that must still come. Under topology/tree a run is the
 * nodes of a leaf switch, compared by the number of nodes alone.
 *
 * Rules: BF-20, BF-22.
 */

#include <stdlib.h>
#include <string.h>

#include "policy/alloc/private.h"

/* More runs than this are not compared: each choice goes through all of them. */
enum { MAX_RUNS = 256 };

struct run {
	uint32_t first, count;
	int64_t tasks;
	uint32_t weight;
};

struct spread {
	const struct maui_shape *shape;
	struct maui_candidate *list; /* by leaf switch, if there are any, and node */
	bool by_leaf;                /* Slurm places the job by switches */
	int64_t left;                /* tasks */
	int64_t nodes_left;          /* nodes that must still be used; may be negative */
	int64_t nodes_max;           /* nodes that may still be used */
};

/* By leaf switch, which is the rank here, then by node. */
static int by_run(const void *a, const void *b)
{
	const struct maui_candidate *one = a, *two = b;

	if (one->rank != two->rank)
		return one->rank < two->rank ? -1 : 1;
	return (one->node > two->node) - (one->node < two->node);
}

static const struct maui_node *node_of(const struct spread *s, uint32_t at)
{
	return &s->shape->snapshot->nodes[s->list[at].node];
}

/* Whether the i-th node continues the run of the one before. */
static bool continues(const struct spread *s, uint32_t i, const struct run *run)
{
	if (node_of(s, i)->weight != run->weight)
		return false;
	return s->by_leaf ? s->list[i].rank == s->list[i - 1].rank :
			    node_of(s, i - 1)->id + 1 == node_of(s, i)->id;
}

/* Lists the runs, without required nodes. 0: there are too many. */
static unsigned find_runs(const struct spread *s, uint32_t count, struct run *runs)
{
	struct run *run = NULL;
	unsigned found = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct maui_node *node = node_of(s, i);

		if (s->list[i].required) {
			run = NULL;
			continue;
		}
		if (!run || !continues(s, i, run)) {
			if (found == MAX_RUNS)
				return 0;
			run = &runs[found++];
			*run = (struct run){ .first = i, .weight = node->weight };
		}
		run->count++;
		run->tasks += s->list[i].tasks;
	}
	return found;
}

static bool is_done(const struct spread *s)
{
	return s->nodes_max <= 0 || (s->nodes_left <= 0 && s->left <= 0);
}

/* Gives the node its tasks, at least one. */
static void take(struct spread *s, struct maui_candidate *c)
{
	const struct maui_request *r = s->shape->request;
	uint32_t unit = s->shape->snapshot->nodes[c->node].unit;
	int64_t a_core = unit > r->procs_per_task ? unit / r->procs_per_task : 1;
	int64_t most = s->left - (s->nodes_left > 1 ? (s->nodes_left - 1) * a_core : 0);

	c->gives = c->tasks < most ? c->tasks : most > 1 ? most : 1;
	s->left -= c->gives;
	s->nodes_left--;
	s->nodes_max--;
}

/* The tightest node of a run that suffices by itself; NULL: none. */
static struct maui_candidate *tightest(const struct spread *s, const struct run *run)
{
	struct maui_candidate *best = NULL;

	if (s->nodes_left > 1 || s->by_leaf)
		return NULL;
	for (uint32_t i = run->first; i < run->first + run->count; i++)
		if (s->list[i].tasks >= s->left && (!best || s->list[i].tasks < best->tasks))
			best = &s->list[i];
	return best;
}

static void take_run(struct spread *s, const struct run *run)
{
	struct maui_candidate *alone = tightest(s, run);

	if (alone) {
		take(s, alone);
		return;
	}
	for (uint32_t i = run->first; i < run->first + run->count && !is_done(s); i++)
		if (s->nodes_max > 1 || s->list[i].tasks >= s->left)
			take(s, &s->list[i]);
}

static bool suffices(const struct spread *s, const struct run *run)
{
	if (s->by_leaf)
		return run->count >= s->nodes_left;
	return run->tasks >= s->left && run->count >= s->nodes_left;
}

/* What runs are compared by. */
static int64_t size_of(const struct spread *s, const struct run *run)
{
	return s->by_leaf ? run->count : run->tasks;
}

static struct run *best_run(const struct spread *s, struct run *runs, unsigned count)
{
	struct run *best = NULL;

	for (struct run *run = runs; run < runs + count; run++) {
		if (run->count == 0 || (best && run->weight > best->weight))
			continue;
		if (!best || run->weight < best->weight ||
		    (suffices(s, run) ? !suffices(s, best) || size_of(s, run) < size_of(s, best) :
					size_of(s, run) > size_of(s, best)))
			best = run;
	}
	return best;
}

/* Moves the nodes that got tasks to the front. */
static uint32_t keep_used(struct maui_candidate *list, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct maui_candidate other = list[kept];

		if (list[i].gives == 0)
			continue;
		list[kept++] = list[i];
		list[i] = other;
	}
	return kept;
}

static bool spread_tasks(struct spread *s, uint32_t count)
{
	struct run runs[MAX_RUNS], *run;
	unsigned run_count = find_runs(s, count, runs);

	for (uint32_t i = 0; i < count; i++) {
		s->list[i].gives = 0;
		if (s->list[i].required)
			take(s, &s->list[i]);
	}
	while (!is_done(s) && (run = best_run(s, runs, run_count))) {
		take_run(s, run);
		run->count = 0;
	}
	return s->left <= 0 && s->nodes_left <= 0;
}

void maui_alloc_spread(const struct maui_shape *shape, struct maui_candidate *list, uint32_t *count)
{
	struct maui_candidate *before;
	struct spread s = { .shape = shape,
			    .list = list,
			    .by_leaf = maui_alloc_uses_switches(shape),
			    .left = shape->tasks,
			    .nodes_left = shape->nodes_min,
			    .nodes_max = shape->nodes_max };

	if (*count < 2 || shape->fixed || shape->whole_nodes)
		return;
	before = malloc(*count * sizeof(*before));
	if (!before) /* as it was found is good enough */
		return;
	for (uint32_t i = 0; i < *count; i++)
		list[i].rank = s.by_leaf ? shape->snapshot->nodes[list[i].node].leaf : 0;
	qsort(list, *count, sizeof(*list), by_run);
	memcpy(before, list, *count * sizeof(*before));
	if (spread_tasks(&s, *count))
		*count = keep_used(list, *count);
	else
		memcpy(list, before, *count * sizeof(*before));
	free(before);
}
