/* SPDX-License-Identifier: GPL-2.0-or-later */
/* census.c - node by node, why a job cannot run there now: what explanations count
 *
 * Asked of the timeline as the plan left it, with everything started and reserved.
 *
 * A node that is busy, and that a reservation bars from the moment on at which it is free, is one
 * that the reservation keeps. Whether reservations decide is a question to all nodes: see
 * maui_plan_kept_out().
 */

#include <stdlib.h>
#include <string.h>

#include "model/features.h"
#include "plan/left.h"
#include "plan/private.h"

static bool lists(const uint32_t *list, uint32_t count, uint32_t what)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i] == what)
			return true;
	return false;
}

static enum maui_reason short_of(const struct maui_shape *shape, unsigned dimension)
{
	return dimension == MAUI_AMOUNT_PROCS ? MAUI_REASON_NODE_PROCS :
	       dimension == shape->cap_amount ? MAUI_REASON_NODE_PROCS :
	       dimension == MAUI_AMOUNT_MEM   ? MAUI_REASON_NODE_MEM :
	       dimension == MAUI_AMOUNT_DISK  ? MAUI_REASON_NODE_DISK :
						MAUI_REASON_NODE_OTHER;
}

/* What an empty node of the class lacks for the fewest tasks that are of use. */
static enum maui_reason configured_short(const struct maui_planner *p,
					 const struct maui_shape *shape, uint32_t class_index)
{
	const struct maui_snapshot *s = p->snapshot;
	const int64_t *have = s->nodes[s->classes[class_index].sample].have;
	const int64_t *least = shape->request->least;
	int64_t takes[s->amount_count];

	maui_shape_amounts(shape, class_index, shape->least, takes);
	for (unsigned d = 0; d < s->amount_count; d++)
		if (takes[d] > have[d] || (least && least[d] > have[d]))
			return short_of(shape, d);
	return MAUI_REASON_NODE_PROCS; /* EXACTPROC */
}

/* Out of reach during a step on which enough is free. */
static enum maui_reason closed(const struct maui_timeline *t, const struct maui_shape *shape,
			       const struct maui_step *step, struct maui_span span)
{
	const struct maui_visitor who = { shape->request, shape->access };
	int64_t store[t->amount_count];

	if (maui_timeline_gives(t, step, &who, span, store) == step->free)
		return MAUI_REASON_NODE_USER;
	return step->claims ? MAUI_REASON_NODE_CLAIMED : MAUI_REASON_NODE_EXCLUDED;
}

/* Who asks, for how long, and until when nodes are looked at: not beyond its own reservation, or
 * estimate, which is in nobody's way but others'. */
struct asker {
	const struct maui_shape *shape;
	int64_t limit_s, own_s;
};

/* One node's answer. */
struct verdict {
	enum maui_reason reason;
	int64_t free_s;  /* CLAIMED, and what can serve: since when it is free but for
			    reservations */
	uint32_t claims; /* CLAIMED: the set of them */
};

/* When no other job keeps it from the node any more for as long as it would run. */
static int64_t free_from(const struct maui_planner *p, const struct asker *a, uint32_t node)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_line *line = &t->lines[node];
	int64_t from = p->now;

	for (uint32_t i = 0; i < line->count && from < a->own_s; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		if (step->at >= maui_when_add(from, a->limit_s) || step->at >= a->own_s)
			break;
		if (maui_shape_tasks(a->shape, t->class_of[node], step->free) == 0)
			from = maui_line_until(t, line, i);
	}
	return from;
}

/* Claims that bar it once others are gone; when that is is not known of jobs without a limit: in
 * the end. 0: none do. */
static uint32_t barred(const struct maui_planner *p, const struct asker *a, uint32_t node,
		       int64_t free_s)
{
	const struct maui_line *line = &p->timeline.lines[node];

	if (free_s == MAUI_NEVER)
		free_s = maui_line_step(&p->timeline, line, line->count - 1)->at;
	return maui_plan_closed(p, a->shape, node,
				(struct maui_span){ free_s, maui_when_add(free_s, a->limit_s) });
}

static struct verdict taken(const struct maui_planner *p, const struct asker *a, uint32_t node,
			    bool now)
{
	struct verdict v = { .reason = now ? MAUI_REASON_NODE_BUSY : MAUI_REASON_NODE_RESERVED,
			     .free_s = p->now };

	if (p->timeline.claim_count == 0)
		return v;
	v.free_s = free_from(p, a, node);
	if (v.free_s < a->own_s || a->own_s == MAUI_NEVER)
		v.claims = barred(p, a, node, v.free_s);
	if (v.claims)
		v.reason = MAUI_REASON_NODE_CLAIMED;
	return v;
}

/* What keeps it off the steps of the node: those of now, or later ones. */
static struct verdict ask_steps(const struct maui_planner *p, const struct asker *a, uint32_t node)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_line *line = &t->lines[node];
	uint32_t class_index = t->class_of[node];
	struct maui_span span = { p->now, maui_when_add(p->now, a->limit_s) };

	if (a->own_s < span.until)
		span.until = a->own_s;
	for (uint32_t i = 0; i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		if (step->at >= span.until)
			break;
		if (maui_shape_tasks(a->shape, class_index, step->free) == 0)
			return taken(p, a, node, i == 0);
		if (maui_fit_step(t, a->shape, class_index, step, span) == 0)
			return (struct verdict){ closed(t, a->shape, step, span), p->now,
						 step->claims };
	}
	return (struct verdict){ MAUI_REASON_NONE, p->now, 0 };
}

static struct verdict ask_node(const struct maui_planner *p, const struct asker *a, uint32_t index)
{
	const struct maui_node *node = &p->snapshot->nodes[index];
	const struct maui_shape *shape = a->shape;
	struct verdict v = { .free_s = MAUI_NEVER };

	if (!lists(node->partitions, node->partition_count, shape->partition))
		v.reason = MAUI_REASON_NODE_PARTITION;
	else if (maui_shape_excludes(shape, index) || !maui_plan_asked(p, shape, index))
		v.reason = MAUI_REASON_NODE_EXCLUDED;
	else if (!maui_features_match(shape->request->features, node->features))
		v.reason = MAUI_REASON_NODE_FEATURES;
	else if (shape->needs[node->class_index].most < shape->least)
		v.reason = configured_short(p, shape, node->class_index);
	else if (node->usable_from_s > p->now)
		v.reason = MAUI_REASON_NODE_STATE;
	else
		v = ask_steps(p, a, index);
	return v;
}

/* NULL without memory. */
static const struct maui_shape *shape_of(struct maui_planner *p, uint32_t job, uint32_t row)
{
	const struct maui_idle *idle = &p->snapshot->idle[job];
	struct maui_plan_entry e = { .job = job,
				     .row = row,
				     .request = idle->request,
				     .access = maui_plan_access(p, job, row),
				     .partition = idle->rows[row].partition,
				     .creds = idle->rows[row].creds,
				     .flags = maui_plan_creds(p, idle->rows[row].creds)->flags };

	return maui_plan_shape(p, &e);
}

/* `shape` NULL without memory. */
static struct asker asker_of(struct maui_planner *p, uint32_t job, uint32_t row)
{
	const struct maui_verdict *verdict = &p->out->verdicts[job];
	struct asker a = { shape_of(p, job, row), p->snapshot->idle[job].limit_s, MAUI_NEVER };

	if (verdict->started == 0 && verdict->estimate_s > p->now)
		a.own_s = verdict->estimate_s;
	return a;
}

/* The next smaller number of tasks that nodes take, and how many nodes take it; 0: none. */
static int64_t next_most(const struct maui_shape *shape, int64_t below, uint64_t *ret_nodes)
{
	const struct maui_snapshot *s = shape->snapshot;
	int64_t best = 0;

	for (uint32_t c = 0; c < s->class_count; c++) {
		int64_t most = shape->needs[c].most;

		if (most >= below || most < best || most == 0)
			continue;
		*ret_nodes = (most > best ? 0 : *ret_nodes) + s->classes[c].count;
		best = most;
	}
	return best;
}

uint32_t maui_plan_nodes(struct maui_planner *p, uint32_t job, uint32_t row)
{
	const struct maui_shape *shape = shape_of(p, job, row);
	int64_t left = shape ? shape->tasks : 0, most = INT64_MAX, last = 0;
	uint64_t sum = 0, nodes = 0;

	while (left > 0 && (most = next_most(shape, most, &nodes)) > 0) {
		int64_t used = left / most + (left % most > 0);

		last = last ? last : most;
		used = used < (int64_t)nodes ? used : (int64_t)nodes;
		sum += (uint64_t)used;
		left -= used * most < left ? used * most : left;
	}
	if (left > 0 && last > 0) /* more than there are */
		sum += (uint64_t)(left / last + (left % last > 0));
	if (shape && (sum < shape->nodes_min || sum > UINT32_MAX))
		sum = shape->nodes_min;
	return (uint32_t)sum;
}

int maui_plan_census(struct maui_planner *p, uint32_t job, uint32_t row,
		     uint32_t counts[MAUI_REASON_COUNT])
{
	const struct asker a = asker_of(p, job, row);

	for (int r = 0; r < MAUI_REASON_COUNT; r++)
		counts[r] = 0;
	if (!a.shape)
		return -1;
	for (uint32_t n = 0; n < p->snapshot->node_count; n++)
		counts[ask_node(p, &a, n).reason]++;
	return 0;
}

static int compare_moments(const void *a, const void *b)
{
	const int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;

	return (one > two) - (one < two);
}

/* Whether so many nodes serve it at that moment, reservations and all. */
static bool enough_at(const struct maui_planner *p, const struct asker *a, int64_t when,
		      uint32_t nodes)
{
	const struct maui_span span = { when, maui_when_add(when, a->limit_s) };

	for (uint32_t n = 0; nodes > 0 && n < p->snapshot->node_count; n++) {
		enum maui_reason reason = ask_node(p, a, n).reason;

		nodes -= (reason == MAUI_REASON_NONE || reason == MAUI_REASON_NODE_BUSY ||
			  reason == MAUI_REASON_NODE_RESERVED ||
			  reason == MAUI_REASON_NODE_CLAIMED) &&
			 maui_fit_tasks(&p->timeline, a->shape, n, span.from, span.until) > 0;
	}
	return nodes == 0;
}

bool maui_plan_kept_out(struct maui_planner *p, uint32_t job, uint32_t row, uint32_t nodes)
{
	const struct asker a = asker_of(p, job, row);
	uint32_t count = 0, shut = 0;
	int64_t *free_s, when;

	free_s = maui_arena_alloc(&p->arena, (p->snapshot->node_count + 1u) * sizeof(*free_s));
	if (!a.shape || !free_s || nodes == 0)
		return false;
	for (uint32_t n = 0; n < p->snapshot->node_count; n++) {
		const struct verdict v = ask_node(p, &a, n);
		bool serves = v.reason == MAUI_REASON_NONE || v.reason == MAUI_REASON_NODE_BUSY ||
			      v.reason == MAUI_REASON_NODE_RESERVED ||
			      v.reason == MAUI_REASON_NODE_CLAIMED;

		if (serves)
			free_s[count++] = v.free_s;
		shut += v.reason == MAUI_REASON_NODE_CLAIMED && barred(p, &a, n, v.free_s);
	}
	if (shut == 0 || count < nodes || count - shut >= nodes)
		return false;
	qsort(free_s, count, sizeof(*free_s), compare_moments);
	when = free_s[nodes - 1];
	if (a.own_s != MAUI_NEVER)
		return when < a.own_s;
	return when == MAUI_NEVER || !enough_at(p, &a, when, nodes);
}

static bool has_name(const char *const *list, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

static bool keeps_out(const struct maui_timeline *t, const struct maui_claim_part *part,
		      const struct maui_shape *shape, struct maui_span span)
{
	const struct maui_visitor who = { shape->request, shape->access };
	const struct maui_access *entry = maui_claims_entry(t, part, &who);

	return !maui_claims_lists(t, part, shape->request) &&
	       !(entry && maui_claim_lets_in(t->claims[part->claim], entry, span));
}

/* Those of the set that do not let it in and are not in the list yet. */
static uint32_t add_keepers(const struct maui_timeline *t, uint32_t claims,
			    const struct maui_shape *shape, struct maui_span span,
			    const char **list, uint32_t count, uint32_t room)
{
	const struct maui_claim_set *set = &t->claim_sets[claims - 1];

	for (size_t i = 0; i < set->count && count < room; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];

		if (keeps_out(t, &set->parts[i], shape, span) && claim->name &&
		    !has_name(list, count, claim->name))
			list[count++] = claim->name;
	}
	return count;
}

uint32_t maui_plan_keepers(struct maui_planner *p, uint32_t job, uint32_t row,
			   const char **ret_names, uint32_t room)
{
	const struct asker a = asker_of(p, job, row);
	uint32_t count = 0;

	for (uint32_t n = 0; a.shape && n < p->snapshot->node_count && count < room; n++) {
		const struct verdict v = ask_node(p, &a, n);
		const struct maui_span span = { v.free_s, maui_when_add(v.free_s, a.limit_s) };

		if (v.reason == MAUI_REASON_NODE_CLAIMED)
			count = add_keepers(&p->timeline, v.claims, a.shape, span, ret_names, count,
					    room);
	}
	return count;
}
