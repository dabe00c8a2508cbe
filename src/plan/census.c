/* SPDX-License-Identifier: GPL-2.0-or-later */
/* census.c - node by node, why a job cannot run there now: what explanations count
 *
 * Asked of the timeline as the plan left it, with everything started and reserved.
 */

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

/* What keeps it off the steps of the node: those of now, or later ones. */
static enum maui_reason taken(const struct maui_planner *p, const struct maui_shape *shape,
			      uint32_t node, int64_t until)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_line *line = &t->lines[node];
	uint32_t class_index = t->class_of[node];

	for (uint32_t i = 0; i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t tasks = maui_shape_tasks(shape, class_index, step->free);

		if (step->at >= until)
			break;
		if (tasks == 0)
			return i == 0 ? MAUI_REASON_NODE_BUSY : MAUI_REASON_NODE_RESERVED;
		if (maui_fit_tasks(t, shape, node, step->at, step->at + 1) == 0)
			return step->claims || shape->request->only_claims ?
				       MAUI_REASON_NODE_CLAIMED : MAUI_REASON_NODE_USER;
	}
	return MAUI_REASON_NONE;
}

static enum maui_reason node_reason(const struct maui_planner *p, const struct maui_shape *shape,
				    uint32_t index, int64_t until)
{
	const struct maui_node *node = &p->snapshot->nodes[index];
	const struct maui_request *r = shape->request;

	if (!lists(node->partitions, node->partition_count, shape->partition))
		return MAUI_REASON_NODE_PARTITION;
	if (node->usable_from_s > p->now)
		return MAUI_REASON_NODE_STATE;
	if (maui_shape_excludes(shape, index) ||
	    (r->required_count >= shape->nodes_max && !maui_shape_requires(shape, index)))
		return MAUI_REASON_NODE_EXCLUDED;
	if (!maui_features_match(r->features, node->features))
		return MAUI_REASON_NODE_FEATURES;
	if (shape->needs[node->class_index].most < shape->least)
		return configured_short(p, shape, node->class_index);
	return taken(p, shape, index, until);
}

int maui_plan_census(struct maui_planner *p, uint32_t job, uint32_t row,
		     uint32_t counts[MAUI_REASON_COUNT])
{
	const struct maui_idle *idle = &p->snapshot->idle[job];
	struct maui_plan_entry e = { .job = job, .row = row, .request = idle->request,
				     .partition = idle->rows[row].partition,
				     .creds = idle->rows[row].creds,
				     .flags = maui_plan_creds(p, idle->rows[row].creds)->flags };
	const struct maui_shape *shape = maui_plan_shape(p, &e);
	int64_t until = maui_when_add(p->now, idle->limit_s);

	for (int r = 0; r < MAUI_REASON_COUNT; r++)
		counts[r] = 0;
	if (!shape)
		return -1;
	for (uint32_t n = 0; n < p->snapshot->node_count; n++)
		counts[node_reason(p, shape, n, until)]++;
	return 0;
}
