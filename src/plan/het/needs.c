/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs.c - whether there are nodes and licences enough for all components of a het job
 *
 * Rules: HET-1.
 */

#include "plan/het/components.h"
#include "plan/placing.h"

/* Components that the same nodes serve are of one kind. Further kinds count as the last one. */
enum { KINDS_MOST = 6 };

struct kinds {
	const struct maui_het_component *first[KINDS_MOST];
	int64_t needed[KINDS_MOST]; /* nodes, of all its components */
	uint32_t count;
};

/* The fewest nodes that the component needs in any of its rows. */
static int64_t fewest_nodes(struct maui_planner *p, const struct maui_het_component *c)
{
	int64_t least = INT64_MAX;

	for (uint32_t r = 0; r < c->row_count; r++) {
		const struct maui_shape *shape = maui_plan_shape(p, c->rows[r]);
		int64_t nodes = shape ? maui_shape_fewest_nodes(shape) : 0;

		least = nodes < least ? nodes : least;
	}
	return least;
}

static bool serves(struct maui_planner *p, const struct maui_het_component *c, uint32_t class_index)
{
	for (uint32_t r = 0; r < c->row_count; r++) {
		const struct maui_shape *shape = maui_plan_shape(p, c->rows[r]);

		if (shape && shape->needs[class_index].most > 0)
			return true;
	}
	return false;
}

static bool are_alike(struct maui_planner *p, const struct maui_het_component *a,
		      const struct maui_het_component *b)
{
	if (a->row_count != b->row_count)
		return false;
	for (uint32_t r = 0; r < a->row_count; r++)
		if (maui_plan_shape(p, a->rows[r]) != maui_plan_shape(p, b->rows[r]))
			return false;
	return true;
}

static struct kinds list_kinds(struct maui_planner *p, const struct maui_plan_het *het)
{
	struct kinds kinds = { .count = 0 };

	for (uint32_t k = 0; k < het->count; k++) {
		struct maui_het_component *c = &het->components[k];
		uint32_t i = 0;

		while (i < kinds.count && !are_alike(p, kinds.first[i], c))
			i++;
		if (i == KINDS_MOST)
			i--;
		if (i == kinds.count)
			kinds.first[kinds.count++] = c;
		kinds.needed[i] += fewest_nodes(p, c);
		c->kind = i;
		c->spare = -fewest_nodes(p, c);
	}
	return kinds;
}

/* How many nodes there are for each set of kinds: those that serve just these. Sets what each
 * component has to spare. */
static void count_nodes(struct maui_planner *p, const struct maui_plan_het *het,
			int64_t ret[1 << KINDS_MOST])
{
	for (uint32_t n = 0; n < p->snapshot->class_count; n++) {
		unsigned set = 0;

		for (uint32_t k = 0; k < het->count; k++) {
			struct maui_het_component *c = &het->components[k];

			if (!serves(p, c, n))
				continue;
			set |= 1u << c->kind;
			c->spare += p->snapshot->classes[n].count;
		}
		ret[set] += p->snapshot->classes[n].count;
	}
}

/* Whether there is no way to give each component nodes of its own, were the cluster empty: that is
 * so if some kinds together need more nodes than serve any of them. */
static bool needs_too_many_nodes(struct maui_planner *p, const struct maui_plan_het *het)
{
	const struct kinds kinds = list_kinds(p, het);
	int64_t nodes[1 << KINDS_MOST] = { 0 };

	count_nodes(p, het, nodes);
	for (unsigned set = 1; set < 1u << kinds.count; set++) {
		int64_t left = 0;

		for (unsigned other = 1; other < 1u << kinds.count; other++)
			left += (other & set) ? nodes[other] : 0;
		for (uint32_t i = 0; i < kinds.count; i++)
			left -= (set & (1u << i)) ? kinds.needed[i] : 0;
		if (left < 0)
			return true;
	}
	return false;
}

/* The least of a cluster-wide amount that the component needs in any of its rows. */
static int64_t least_global(const struct maui_planner *p, const struct maui_het_component *c,
			    unsigned d)
{
	int64_t least = INT64_MAX;

	for (uint32_t r = 0; r < c->row_count; r++) {
		const int64_t *global = p->snapshot->requests[c->rows[r]->request].global;
		int64_t own = global ? global[d] : 0;

		least = own < least ? own : least;
	}
	return least;
}

/* Whether all components together need more licences than there are. */
static bool needs_too_many_licences(const struct maui_planner *p, const struct maui_plan_het *het)
{
	const int64_t *have = p->snapshot->global;

	for (unsigned d = 0; have && d < p->snapshot->amount_count; d++) {
		int64_t left = have[d];

		for (uint32_t k = 0; k < het->count && left >= 0; k++)
			left -= least_global(p, &het->components[k], d);
		if (left < 0)
			return true;
	}
	return false;
}

bool maui_het_needs_too_much(struct maui_planner *p, const struct maui_plan_het *het)
{
	return needs_too_many_nodes(p, het) || needs_too_many_licences(p, het);
}
