/* SPDX-License-Identifier: GPL-2.0-or-later */
/* census.c - node by node, why a job cannot run there now: what explanations count
 *
 * Asked of the timeline as the plan left it, with everything started and reserved.
 */

#include <string.h>

#include "model/features.h"
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

/* What keeps it off the steps of the node: those of now, or later ones. *ret_claims: the set of
 * claims of CLAIMED. */
static enum maui_reason taken(const struct maui_planner *p, const struct maui_shape *shape,
			      uint32_t node, int64_t until, uint32_t *ret_claims)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_line *line = &t->lines[node];
	uint32_t class_index = t->class_of[node];
	const struct maui_span span = { p->now, until };

	for (uint32_t i = 0; i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t tasks = maui_shape_tasks(shape, class_index, step->free);

		if (step->at >= until)
			break;
		if (tasks == 0)
			return i == 0 ? MAUI_REASON_NODE_BUSY : MAUI_REASON_NODE_RESERVED;
		*ret_claims = step->claims;
		if (maui_fit_step(t, shape, class_index, step, span) == 0)
			return closed(t, shape, step, span);
	}
	return MAUI_REASON_NONE;
}

static enum maui_reason node_reason(const struct maui_planner *p, const struct maui_shape *shape,
				    uint32_t index, int64_t until, uint32_t *ret_claims)
{
	const struct maui_node *node = &p->snapshot->nodes[index];
	const struct maui_request *r = shape->request;

	if (!lists(node->partitions, node->partition_count, shape->partition))
		return MAUI_REASON_NODE_PARTITION;
	if (node->usable_from_s > p->now)
		return MAUI_REASON_NODE_STATE;
	if (maui_shape_excludes(shape, index) || !maui_plan_asked(p, shape, index))
		return MAUI_REASON_NODE_EXCLUDED;
	if (!maui_features_match(r->features, node->features))
		return MAUI_REASON_NODE_FEATURES;
	if (shape->needs[node->class_index].most < shape->least)
		return configured_short(p, shape, node->class_index);
	return taken(p, shape, index, until, ret_claims);
}

/* NULL without memory. */
static const struct maui_shape *shape_of(struct maui_planner *p, uint32_t job, uint32_t row)
{
	const struct maui_idle *idle = &p->snapshot->idle[job];
	struct maui_plan_entry e = { .job = job, .row = row, .request = idle->request,
				     .access = maui_plan_access(p, job, row),
				     .partition = idle->rows[row].partition,
				     .creds = idle->rows[row].creds,
				     .flags = maui_plan_creds(p, idle->rows[row].creds)->flags };

	return maui_plan_shape(p, &e);
}

/* Nodes are looked at for as long as it would run, but not beyond its own reservation, which is in
 * nobody's way but others'. */
static int64_t until_of(const struct maui_planner *p, uint32_t job)
{
	int64_t until = maui_when_add(p->now, p->snapshot->idle[job].limit_s);

	for (uint32_t i = 0; i < p->out->reservation_count; i++) {
		const struct maui_reservation *r = &p->out->reservations[i];

		if (r->job == job && r->start_s > p->now && r->start_s < until)
			until = r->start_s;
	}
	return until;
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
	const struct maui_shape *shape = shape_of(p, job, row);
	int64_t until = until_of(p, job);
	uint32_t claims;

	for (int r = 0; r < MAUI_REASON_COUNT; r++)
		counts[r] = 0;
	if (!shape)
		return -1;
	for (uint32_t n = 0; n < p->snapshot->node_count; n++)
		counts[node_reason(p, shape, n, until, &claims)]++;
	return 0;
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

		if (keeps_out(t, &set->parts[i], shape, span) && claim->name && !has_name(list, count, claim->name))
			list[count++] = claim->name;
	}
	return count;
}

uint32_t maui_plan_keepers(struct maui_planner *p, uint32_t job, uint32_t row,
			   const char **ret_names, uint32_t room)
{
	const struct maui_shape *shape = shape_of(p, job, row);
	const struct maui_span span = { p->now, until_of(p, job) };
	uint32_t count = 0, claims = 0;

	for (uint32_t n = 0; shape && n < p->snapshot->node_count && count < room; n++)
		if (node_reason(p, shape, n, span.until, &claims) == MAUI_REASON_NODE_CLAIMED)
			count = add_keepers(&p->timeline, claims, shape, span, ret_names, count,
					    room);
	return count;
}
