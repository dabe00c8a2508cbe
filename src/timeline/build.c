/* SPDX-License-Identifier: GPL-2.0-or-later */
/* build.c - makes a timeline from a snapshot: nodes, active jobs, claims
 *
 * Every active job holds its nodes now. So the ends of jobs, in ascending order, are appended to
 * the lines without any search.
 */

#include <stdlib.h>
#include <string.h>

#include "timeline/timeline.h"

/* Steps of a line in addition to the ends of active jobs: the first one, and two for later
 * changes. */
enum { MORE_STEPS = 3 };

/* A job over its time limit still holds its nodes. Its end is unknown, so it is assumed to end
 * in the next second. */
static int64_t end_of(const struct maui_active *active, int64_t now)
{
	return active->end_s > now ? active->end_s : now + 1;
}

/* Makes a line of one step with all amounts free. Returns where the steps of the next line
 * begin. */
static char *begin_line(struct maui_timeline *t, uint32_t index, char *steps, const int64_t *have)
{
	struct maui_line *line = &t->lines[index];
	struct maui_step *step;

	line->steps = steps;
	line->count = 1;
	step = maui_line_step(t, line, 0);
	step->at = t->now;
	memcpy(step->free, have, t->amount_count * sizeof(*step->free));
	return steps + line->alloc * t->step_size;
}

/* Reserves steps for each line: one for the end of each active job on the node. A node without jobs
 * gets only its first step, which equal nodes share. Returns the sum. */
static size_t count_steps(struct maui_timeline *t, const struct maui_snapshot *s)
{
	size_t sum = 0;

	for (uint32_t i = 0; i < s->active_count; i++) {
		const struct maui_active *active = &s->active[i];

		for (uint32_t p = 0; p < active->piece_count; p++)
			t->lines[active->pieces[p].node].alloc++;
		t->lines[s->node_count].alloc += active->global != NULL;
	}
	for (uint32_t n = 0; n <= s->node_count; n++) {
		struct maui_line *line = &t->lines[n]; /* the arena is zeroed */

		line->alloc = line->alloc > 0 ? line->alloc + MORE_STEPS : 1;
		sum += line->alloc;
	}
	return sum;
}

/* Whether neither the node nor the one before it has jobs, and both have the same: an idle machine
 * is searched as fast as one node. */
static bool shares_steps(const struct maui_timeline *t, const struct maui_snapshot *s, uint32_t n)
{
	return n > 0 && t->lines[n].alloc == 1 && t->lines[n - 1].alloc == 1 &&
	       memcmp(s->nodes[n].have, s->nodes[n - 1].have,
		      t->amount_count * sizeof(*s->nodes[n].have)) == 0;
}

static int lay_out(struct maui_timeline *t, const struct maui_snapshot *s)
{
	size_t lines = s->node_count + 1u;
	char *steps = NULL;

	t->lines = maui_arena_alloc(&t->arena, lines * sizeof(*t->lines));
	t->class_of = maui_arena_alloc(&t->arena, lines * sizeof(*t->class_of));
	if (t->lines)
		steps = maui_arena_alloc(&t->arena, count_steps(t, s) * t->step_size);
	if (!t->class_of || !steps)
		return -1;
	for (uint32_t n = 0; n < s->node_count; n++) {
		if (shares_steps(t, s, n))
			t->lines[n] = t->lines[n - 1];
		else
			steps = begin_line(t, n, steps, s->nodes[n].have);
		t->class_of[n] = s->nodes[n].class_index;
	}
	t->has_global = s->global != NULL;
	if (t->has_global)
		begin_line(t, s->node_count, steps, s->global);
	return 0;
}

/* Whether the jobs are sorted by their ends already. */
static bool ends_ascend(const struct maui_snapshot *s)
{
	for (uint32_t i = 1; i < s->active_count; i++)
		if (s->active[i].end_s < s->active[i - 1].end_s)
			return false;
	return true;
}

struct by_end {
	int64_t end;
	uint32_t index;
};

static int compare_ends(const void *a, const void *b)
{
	const struct by_end *one = a, *two = b;

	return (one->end > two->end) - (one->end < two->end);
}

/* Indices of active jobs by their ends, in the timeline's memory; NULL without memory. The order
 * of equal ends does not matter, because their steps merge. */
static const struct by_end *sort_ends(struct maui_timeline *t, const struct maui_snapshot *s)
{
	struct by_end *order;

	order = maui_arena_alloc(&t->arena, (s->active_count + 1u) * sizeof(*order));
	if (!order)
		return NULL;
	for (uint32_t i = 0; i < s->active_count; i++)
		order[i] = (struct by_end){ end_of(&s->active[i], t->now), i };
	if (!ends_ascend(s))
		qsort(order, s->active_count, sizeof(*order), compare_ends);
	return order;
}

/* Calls `call` for each node of a job, and for its licences. */
typedef int (*held_fn)(struct maui_timeline *t, uint32_t line, const int64_t *amounts, int64_t end);

static int each_held(struct maui_timeline *t, const struct maui_active *active, held_fn call)
{
	int64_t end = end_of(active, t->now);

	for (uint32_t p = 0; p < active->piece_count; p++)
		if (call(t, active->pieces[p].node, active->pieces[p].amounts, end))
			return -1;
	return t->has_global && active->global ? call(t, t->node_count, active->global, end) : 0;
}

static int hold(struct maui_timeline *t, uint32_t line, const int64_t *amounts, int64_t end)
{
	struct maui_step *step = maui_line_step(t, &t->lines[line], 0);

	(void)end;
	for (unsigned d = 0; d < t->amount_count; d++)
		step->free[d] -= amounts[d];
	return 0;
}

/* The amounts become free at `end`, which is not before any end so far. */
static int release(struct maui_timeline *t, uint32_t index, const int64_t *amounts, int64_t end)
{
	struct maui_line *line = &t->lines[index];
	struct maui_step *last = maui_line_step(t, line, line->count - 1);

	if (last->at != end) {
		/* a change of 0 splits the last step */
		if (maui_timeline_take(t, index, end, MAUI_NEVER, maui_timeline_only_procs(t, 0),
				       0))
			return -1;
		last = maui_line_step(t, line, line->count - 1);
	}
	for (unsigned d = 0; d < t->amount_count; d++)
		last->free[d] += amounts[d];
	return 0;
}

/* The line's stays were added by their ends, so that the latest end is first. */
static void mark_users(struct maui_timeline *t, uint32_t node)
{
	const struct maui_stay *stay = t->users.of_node[node];
	const struct maui_line *line = &t->lines[node];
	uint32_t who = 0;

	for (uint32_t i = line->count; i-- > 0;) {
		struct maui_step *step = maui_line_step(t, line, i);

		for (; stay && stay->until > step->at; stay = stay->next)
			who = maui_users_join(who, stay->user);
		step->who = who;
	}
}

/* Notes the jobs' users on their nodes until their ends. All steps are there by now. */
static int put_users(struct maui_timeline *t, const struct maui_snapshot *s,
		     const struct by_end *order)
{
	t->users.of_node =
		maui_arena_alloc_list(&t->arena, s->node_count, sizeof(*t->users.of_node));
	if (!t->users.of_node)
		return -1;
	for (uint32_t i = 0; i < s->active_count; i++) {
		const struct maui_active *active = &s->active[order[i].index];
		const struct maui_stay stay = { .from = t->now,
						.until = order[i].end,
						.user = maui_timeline_user(s, active) };

		for (uint32_t p = 0; p < active->piece_count; p++)
			if (maui_users_add(&t->users, &t->arena, active->pieces[p].node, stay))
				return -1;
	}
	for (uint32_t n = 0; n < s->node_count; n++)
		mark_users(t, n);
	return 0;
}

static int put_active(struct maui_timeline *t, const struct maui_snapshot *s, bool users)
{
	const struct by_end *order = sort_ends(t, s);

	if (!order)
		return -1;
	for (uint32_t i = 0; i < s->active_count; i++)
		each_held(t, &s->active[i], hold);
	for (uint32_t i = 0; i < s->active_count && order[i].end != MAUI_NEVER; i++)
		if (each_held(t, &s->active[order[i].index], release))
			return -1;
	return users ? put_users(t, s, order) : 0;
}

static int put_states(struct maui_timeline *t, const struct maui_snapshot *s)
{
	for (uint32_t n = 0; n < s->node_count; n++)
		if (s->nodes[n].usable_from_s > t->now &&
		    maui_timeline_take(t, n, t->now, s->nodes[n].usable_from_s, s->nodes[n].have,
				       0))
			return -1;
	return 0;
}

/* Processors of Slurm's claims that active jobs hold are no longer kept for others. */
static int put_shares(struct maui_timeline *t, const struct maui_snapshot *s)
{
	for (uint32_t i = 0; i < s->active_count && s->claim_count > 0; i++) {
		const struct maui_active *active = &s->active[i];

		for (uint32_t p = 0; p < active->piece_count; p++)
			if (maui_timeline_charge_shares(t, &active->pieces[p],
							end_of(active, t->now), 1))
				return -1;
	}
	return 0;
}

int maui_timeline_build(struct maui_timeline *t, const struct maui_snapshot *snapshot, int64_t now,
			bool users)
{
	maui_arena_clear(&t->arena);
	memset(t->holes, 0, sizeof(t->holes));
	t->now = now;
	t->amount_count = snapshot->amount_count;
	t->step_size = sizeof(struct maui_step) + t->amount_count * sizeof(int64_t);
	t->node_count = snapshot->node_count;
	t->snapshot = snapshot;
	t->run_begins = NULL;
	t->claim_count = t->claim_set_count = 0;
	t->repeats = false;
	maui_hashtable_clear(&t->claim_table);
	t->users = (struct maui_users){ 0 };
	if (maui_timeline_make_vectors(t) || lay_out(t, snapshot) ||
	    put_active(t, snapshot, users) || put_states(t, snapshot))
		return -1;
	if (maui_timeline_add_claims(t, snapshot->claims, snapshot->claim_count))
		return -1;
	return put_shares(t, snapshot);
}
