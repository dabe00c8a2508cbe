/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused_nodes.c - nodes that Slurm has refused to a job, for it and for all jobs like it
 *
 * A plan knows less than Slurm: it counts the processors of a node, not those of each socket. Where
 * it was wrong it would be so again, for each of a thousand equal jobs. So a refused start bars its
 * nodes for all jobs of the same fingerprint: not now, as the plan sees it, but when something on
 * the node ends. The job may start elsewhere at once, has a reservation for later, and others get
 * what it cannot use.
 *
 * A bar is over when less is taken on one of its nodes than when it was made, and after a second,
 * then two ..., since what Slurm misses may come without that. A node that would not do even empty
 * is barred for longer. A job that had been promised its nodes keeps them for a few tries: whatever
 * is in its way is about to go.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
	BARS_MAX = 1024,   /* beyond that the oldest are forgotten */
	KEEP_TRIES = 4,    /* of a job with a promise: 15 s */
	KNOWN_S = 60,      /* an old bar's count of tries is remembered so long */
	NEVER_ONE_S = 300, /* a single node that does not serve even empty */
	NEVER_SOME_S = 60, /* one of several */
};

/* What the active jobs take of each node, and when the first of them ends: of one snapshot. */
static bool know_nodes(struct maui_iteration *it)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	int64_t now_s = it->cluster.now_s;

	if (it->held)
		return true;
	it->held = maui_arena_alloc(&it->arena, (s->node_count + 1u) * sizeof(*it->held));
	it->next_end = maui_arena_alloc(&it->arena, (s->node_count + 1u) * sizeof(*it->next_end));
	if (!it->held || !it->next_end) {
		it->held = NULL;
		return false;
	}
	for (uint32_t n = 0; n < s->node_count; n++)
		it->next_end[n] = MAUI_NEVER;
	for (uint32_t a = 0; a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];
		int64_t end_s = active->end_s > now_s ? active->end_s : now_s + 1;

		for (uint32_t i = 0; i < active->piece_count; i++) {
			uint32_t node = active->pieces[i].node;

			it->held[node] += active->pieces[i].amounts[MAUI_AMOUNT_PROCS];
			if (end_s < it->next_end[node])
				it->next_end[node] = end_s;
		}
	}
	return true;
}

static void drop(struct maui_sched *sched, size_t index)
{
	free(sched->bars[index].nodes);
	sched->bar_count--;
	memmove(&sched->bars[index], &sched->bars[index + 1],
		(sched->bar_count - index) * sizeof(*sched->bars));
}

void maui_sched_bars_finish(struct maui_sched *sched)
{
	while (sched->bar_count > 0)
		drop(sched, sched->bar_count - 1);
	free(sched->bars);
	sched->bars = NULL;
	sched->bar_alloc = 0;
}

static int by_fingerprint(const void *a, const void *b)
{
	const struct maui_sched_bar *one = a, *two = b;

	if (one->fingerprint != two->fingerprint)
		return one->fingerprint < two->fingerprint ? -1 : 1;
	return (one->made > two->made) - (one->made < two->made);
}

/* ---- a new one ---- */

static bool was_promised(const struct maui_iteration *it, uint64_t job)
{
	for (size_t i = 0; i < it->promise_count; i++)
		if (it->promises[i].job == job)
			return true;
	return false;
}

static bool has_nodes(const struct maui_sched_bar *bar, const struct maui_start_order *order)
{
	if (bar->count != order->node_count)
		return false;
	for (uint32_t i = 0; i < bar->count; i++)
		if (bar->nodes[i].id != order->nodes[i])
			return false;
	return true;
}

static struct maui_sched_bar *find(struct maui_sched *sched, uint64_t fingerprint,
				   const struct maui_start_order *order)
{
	for (size_t i = 0; i < sched->bar_count; i++) {
		struct maui_sched_bar *bar = &sched->bars[i];

		if (bar->fingerprint == fingerprint && has_nodes(bar, order))
			return bar;
	}
	return NULL;
}

static struct maui_sched_bar *make(struct maui_sched *sched, uint64_t fingerprint, uint32_t count)
{
	struct maui_sched_bar *grown;
	size_t oldest = 0;

	for (size_t i = 1; i < sched->bar_count; i++)
		if (sched->bars[i].made < sched->bars[oldest].made)
			oldest = i;
	if (sched->bar_count >= BARS_MAX)
		drop(sched, oldest);
	grown = maui_array_grow(sched->bars, sched->bar_count, &sched->bar_alloc, sizeof(*grown));
	if (!grown)
		return NULL;
	sched->bars = grown;
	grown = &grown[sched->bar_count];
	*grown = (struct maui_sched_bar){ .fingerprint = fingerprint, .count = count };
	grown->nodes = calloc(count + 1u, sizeof(*grown->nodes));
	if (!grown->nodes)
		return NULL;
	sched->bar_count++;
	return grown;
}

void maui_sched_bar(struct maui_iteration *it, const struct maui_start *start,
		    const struct maui_start_order *order)
{
	uint64_t fingerprint = it->waiting[start->job].fingerprint;
	uint64_t job = it->cluster.snapshot->idle[start->job].id;
	struct maui_sched *sched = it->sched;
	struct maui_sched_bar *bar = find(sched, fingerprint, order);
	int64_t wait_s;

	if (!know_nodes(it) || (!bar && !(bar = make(sched, fingerprint, order->node_count))))
		return;
	for (uint32_t i = 0; i < bar->count; i++) {
		bar->nodes[i].id = order->nodes[i];
		bar->nodes[i].held = it->held[start->places[i].node];
	}
	wait_s = maui_sched_backoff_s(bar->times);
	bar->never_there = order->never_there;
	if (bar->never_there)
		wait_s = bar->count == 1 ? NEVER_ONE_S : NEVER_SOME_S;
	bar->kept = bar->times < KEEP_TRIES && was_promised(it, job);
	bar->made = ++sched->bars_made;
	bar->until_s = it->cluster.now_s + wait_s;
	bar->times++;
	maui_sched_wake(sched, bar->until_s);
}

/* ---- those that there are ---- */

/* Whether a node of it has more room than it had, or is another one by now. */
static bool has_lifted(const struct maui_iteration *it, const struct maui_sched_bar *bar)
{
	for (uint32_t i = 0; i < bar->count; i++) {
		int64_t node = maui_snapshot_find_node(it->cluster.snapshot, bar->nodes[i].id);

		if (node < 0 || it->held[node] < bar->nodes[i].held)
			return true;
	}
	return false;
}

void maui_sched_bars_review(struct maui_iteration *it)
{
	struct maui_sched *sched = it->sched;
	int64_t now_s = it->cluster.now_s;

	if (sched->bar_count == 0 || !know_nodes(it))
		return;
	for (size_t i = sched->bar_count; i-- > 0;) {
		struct maui_sched_bar *bar = &sched->bars[i];

		if (sched->bars_table != it->cluster.table || bar->until_s + KNOWN_S <= now_s ||
		    bar->until_s > now_s + NEVER_ONE_S ||
		    (!bar->never_there && has_lifted(it, bar)))
			drop(sched, i);
		else if (bar->until_s > now_s)
			maui_sched_wake(sched, bar->until_s);
	}
}

static int by_node(const void *a, const void *b)
{
	const struct maui_bar *one = a, *two = b;

	if (one->node != two->node)
		return one->node < two->node ? -1 : 1;
	return (one->until_s < two->until_s) - (one->until_s > two->until_s);
}

/* What the bars of one group keep from its jobs, each node once with the latest moment. */
static struct maui_bar *list_group(struct maui_iteration *it, const struct maui_sched_bar *bars,
				   size_t count, uint32_t *ret_count)
{
	struct maui_bar *list;
	size_t all = 0, kept = 0;

	for (size_t i = 0; i < count; i++)
		all += bars[i].count;
	list = maui_arena_alloc(&it->arena, (all + 1) * sizeof(*list));
	all = 0;
	for (size_t i = 0; list && i < count; i++) {
		const struct maui_sched_bar *bar = &bars[i];

		if (bar->until_s <= it->cluster.now_s)
			continue;
		for (uint32_t n = 0; n < bar->count; n++) {
			int64_t node =
				maui_snapshot_find_node(it->cluster.snapshot, bar->nodes[n].id);

			if (node >= 0)
				list[all++] = (struct maui_bar){
					.node = (uint64_t)node,
					.until_s = bar->never_there ? MAUI_NEVER :
						   bar->kept        ? bar->until_s :
								      it->next_end[node],
				};
		}
	}
	if (all > 1)
		qsort(list, all, sizeof(*list), by_node);
	for (size_t i = 0; i < all; i++)
		if (i == 0 || list[i].node != list[i - 1].node)
			list[kept++] = list[i];
	*ret_count = (uint32_t)kept;
	return list;
}

/* The request that a group's jobs have with its bars; without memory the one they had. */
static uint32_t barred_request(struct maui_iteration *it, struct maui_sched_bar *bars, size_t count,
			       uint32_t plain)
{
	struct maui_snapshot *s = it->cluster.snapshot;
	struct maui_request request = s->requests[plain];
	int64_t found;

	if (bars->cached && bars->plain == plain)
		return bars->barred;
	request.bars = list_group(it, bars, count, &request.bar_count);
	found = request.bars ? maui_snapshot_request(s, &request) : -1;
	bars->cached = true;
	bars->plain = plain;
	bars->barred = found < 0 ? plain : (uint32_t)found;
	return bars->barred;
}

void maui_sched_bars_apply(struct maui_iteration *it)
{
	struct maui_snapshot *s = it->cluster.snapshot;
	struct maui_sched *sched = it->sched;

	sched->bars_table = it->cluster.table;
	if (sched->bar_count == 0 || !know_nodes(it))
		return;
	qsort(sched->bars, sched->bar_count, sizeof(*sched->bars), by_fingerprint);
	for (size_t i = 0; i < sched->bar_count; i++)
		sched->bars[i].cached = false;
	for (uint32_t i = 0; i < s->idle_count; i++) {
		uint64_t fingerprint = it->waiting[i].fingerprint;
		size_t low = 0, high = sched->bar_count, end;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (sched->bars[middle].fingerprint < fingerprint)
				low = middle + 1;
			else
				high = middle;
		}
		for (end = low; end < sched->bar_count; end++)
			if (sched->bars[end].fingerprint != fingerprint)
				break;
		if (end > low)
			s->idle[i].request = barred_request(it, &sched->bars[low], end - low,
							    it->waiting[i].request);
	}
}
