/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.c - whether limits admit all components of a het job side by side
 *
 * Rules: HET-1, HET-2.
 */

#include "plan/het/components.h"

#include <stdlib.h>

#include "plan/placing.h"

/* maui_plan_is_within_limits() or maui_plan_limits_allow_start() */
typedef bool (*allows_fn)(const struct maui_planner *p, const struct maui_plan_entry *e,
			  enum maui_limit_level level);

static int compare_choices(const void *a, const void *b)
{
	const struct maui_het_component *one = *(struct maui_het_component *const *)a;
	const struct maui_het_component *other = *(struct maui_het_component *const *)b;

	if (one->admitted != other->admitted)
		return one->admitted < other->admitted ? -1 : 1;
	if (one->spare != other->spare)
		return one->spare < other->spare ? -1 : 1;
	return (one->offset > other->offset) - (one->offset < other->offset);
}

static void set_order(struct maui_planner *p, const struct maui_plan_het *het, allows_fn allows,
		      enum maui_limit_level level)
{
	for (uint32_t k = 0; k < het->count; k++) {
		struct maui_het_component *c = &het->components[k];

		het->order[k] = c;
		c->admitted = 0;
		for (uint32_t r = 0; r < c->row_count; r++)
			c->admitted += allows(p, c->rows[r], level);
	}
	qsort(het->order, het->count, sizeof(struct maui_het_component *), compare_choices);
}

/* Chooses the first row of the component within limits, which counts as if it ran until uncount().
 * false: limits keep the component out. */
static bool count_component(struct maui_planner *p, struct maui_het_component *c, allows_fn allows,
			    enum maui_limit_level level)
{
	for (uint32_t r = 0; r < c->row_count && !c->counted; r++)
		if (allows(p, c->rows[r], level))
			c->counted = c->rows[r];
	if (!c->counted)
		return false;
	maui_plan_limits_unplace(p, c->counted);
	maui_plan_limits_reserved(p, c->counted, p->now, true);
	return true;
}

/* The first component that limits keep out beside the others, which count until uncount(); NULL:
 * limits admit all. */
static struct maui_het_component *count_until_over(struct maui_planner *p,
						   const struct maui_plan_het *het,
						   allows_fn allows, enum maui_limit_level level)
{
	set_order(p, het, allows, level);
	for (uint32_t k = 0; k < het->count; k++)
		het->components[k].counted = NULL;
	for (uint32_t k = 0; k < het->count; k++)
		if (!count_component(p, het->order[k], allows, level))
			return het->order[k];
	return NULL;
}

static void uncount(struct maui_planner *p, const struct maui_plan_het *het)
{
	for (uint32_t k = 0; k < het->count; k++)
		if (het->components[k].counted)
			maui_plan_limits_reserved(p, het->components[k].counted, p->now, false);
}

/* Whether limits admit all components side by side. Leaves their order and the rows that count. */
static bool are_allowed(struct maui_planner *p, const struct maui_plan_het *het, allows_fn allows,
			enum maui_limit_level level)
{
	bool allowed = !count_until_over(p, het, allows, level);

	uncount(p, het);
	return allowed;
}

bool maui_plan_is_het_within_limits(struct maui_planner *p, const struct maui_plan_entry *e,
				    enum maui_limit_level level)
{
	return are_allowed(p, maui_het_of(p, e), maui_plan_is_within_limits, level);
}

bool maui_plan_limits_allow_het(struct maui_planner *p, const struct maui_plan_entry *e,
				enum maui_limit_level level)
{
	return are_allowed(p, maui_het_of(p, e), maui_plan_limits_allow_start, level);
}

bool maui_plan_is_het_too_much(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return maui_het_of(p, e)->refused.row != NULL;
}

static void record_het_limits(struct maui_planner *p, const struct maui_plan_het *het)
{
	const struct maui_het_component *over =
		count_until_over(p, het, maui_plan_is_within_limits, MAUI_LIMIT_HARD);
	const struct maui_plan_entry *row = over ? over->rows[0] : het->refused.row;
	struct maui_plan_violations violations = het->refused.violations;

	if (over)
		violations = maui_plan_list_violations(p, row, MAUI_LIMIT_HARD);
	uncount(p, het);
	if (!over)
		over = het->refused.component;
	if (!over)
		return;
	p->out->verdicts[over->job].active_limit = true;
	maui_plan_ask_for_given_back(p, row, &violations);
	maui_plan_record_list(p, row, &violations);
	if (!p->out->verdicts[over->job].blocks) /* beside the places of the others */
		maui_plan_add_reason(p, row, MAUI_REASON_LIMIT, NULL, MAUI_NEVER);
	for (uint32_t k = 0; k < het->count; k++) {
		const struct maui_het_component *c = &het->components[k];

		for (uint32_t r = 0; r < c->row_count; r++)
			c->rows[r]->limited = true;
		if (!p->out->verdicts[c->job].blocks)
			maui_plan_add_component(p, c->rows[0], over->job);
	}
}

void maui_plan_record_het_limits(struct maui_planner *p)
{
	for (uint32_t i = 0; i < p->hets.count; i++) {
		const struct maui_plan_het *het = &p->hets.list[i];
		const struct maui_plan_entry *leader = het->components[0].rows[0];

		if (leader->limited && leader->state == MAUI_PLAN_WAITING)
			record_het_limits(p, het);
	}
}
