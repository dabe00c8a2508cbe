/* SPDX-License-Identifier: GPL-2.0-or-later */
/* violations.c - the limits that a job violates, as its reasons */

#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"

const struct maui_violation *maui_plan_keep_violation(struct maui_planner *p,
						      const struct maui_violation *violation)
{
	struct maui_arena *arena = &p->out->arena;
	struct maui_violation *copy = maui_arena_alloc(arena, sizeof(*copy));

	if (copy) {
		*copy = *violation;
		copy->name = maui_arena_strdup(arena, violation->name);
		copy->second_name = maui_arena_strdup(arena, violation->second_name);
	}
	return copy && copy->name && (!violation->second_name || copy->second_name) ? copy : NULL;
}

void maui_plan_record_violation(struct maui_planner *p, const struct maui_plan_entry *e,
				const struct maui_violation *violation)
{
	const struct maui_violation *kept = maui_plan_keep_violation(p, violation);

	if (kept)
		maui_plan_add_reason(p, e, MAUI_REASON_LIMIT, kept, MAUI_NEVER);
}

/* What the entry counts: in its last place if limits did not allow that, else without a place. */
static const struct maui_demand *judged(const struct maui_planner *p,
					const struct maui_plan_entry *e)
{
	size_t index = (size_t)(e - p->queue.entries);

	return e->too_much ? &p->limits.placed[index].demand : &p->limits.of_entry[index].demand;
}

bool maui_plan_limits_are_hard(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return p->limits.of_entry && !e->forced &&
	       !maui_throttle_allows(p->limits.of_entry[e - p->queue.entries].set, judged(p, e),
				     MAUI_LIMIT_HARD);
}

struct maui_plan_violations maui_plan_list_violations(struct maui_planner *p,
						      const struct maui_plan_entry *e,
						      enum maui_limit_level level)
{
	const struct maui_throttle_set *set;
	struct maui_plan_violations ret = { 0 };
	size_t room, count;

	if (!p->limits.of_entry)
		return ret;
	set = p->limits.of_entry[e - p->queue.entries].set;
	room = maui_throttle_limit_count(set);
	ret.list = maui_arena_alloc(&p->arena, (room + 1) * sizeof(*ret.list));
	if (!ret.list)
		return ret;
	count = maui_throttle_violations(set, judged(p, e), level, MAUI_THROTTLE_START, ret.list,
					 room);
	if (count == 0)
		count = maui_throttle_harms(p->limits.throttle, set, judged(p, e), p->now,
					    e->limit_s, ret.list);
	ret.count = count <= room ? count : room;
	for (size_t i = 0; i < ret.count; i++)
		ret.list[i].placed = e->too_much;
	return ret;
}

void maui_plan_ask_for_given_back(struct maui_planner *p, const struct maui_plan_entry *e,
				  const struct maui_plan_violations *violations)
{
	for (size_t i = 0; i < violations->count; i++) {
		struct maui_violation *v = &violations->list[i];
		double in_use;

		if (v->later)
			continue;
		in_use = maui_throttle_in_use(p->limits.of_entry[e - p->queue.entries].set, v);
		v->requested += v->in_use - in_use;
		v->in_use = in_use;
	}
}

void maui_plan_record_list(struct maui_planner *p, const struct maui_plan_entry *e,
			   const struct maui_plan_violations *violations)
{
	for (size_t i = 0; i < violations->count; i++)
		maui_plan_record_violation(p, e, &violations->list[i]);
}

void maui_plan_record_violations(struct maui_planner *p, const struct maui_plan_entry *e,
				 enum maui_limit_level level)
{
	const struct maui_plan_violations violations = maui_plan_list_violations(p, e, level);

	maui_plan_record_list(p, e, &violations);
}
