/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.c - checks one job against the limits of its set (THR-2), and walks over idle jobs
 * (THR-8) */

#include <math.h>

#include "policy/throttle/private.h"

static bool violates(const struct throttle_rule *rule, const struct maui_demand *demand,
		     enum maui_limit_level level)
{
	double with = *rule->used + demand->of[rule->resource];

	return rule->minimum ? with < rule->limit[level] : with > rule->limit[level];
}

/* The first of rules [from, to) that is violated; `to`: none. */
static size_t first_violated(const struct maui_throttle_set *set, const struct maui_demand *demand,
			     enum maui_limit_level level, size_t from, size_t to)
{
	while (from < to && !violates(&set->rules[from], demand, level))
		from++;
	return from;
}

bool maui_throttle_allows(const struct maui_throttle_set *set, const struct maui_demand *demand,
			  enum maui_limit_level level)
{
	size_t end = set->end[MAUI_VIOLATION_ACTIVE];

	return first_violated(set, demand, level, 0, end) == end;
}

int64_t maui_throttle_least_procs(const struct maui_throttle_set *set)
{
	double least = 1;

	for (size_t i = 0; i < set->end[MAUI_VIOLATION_JOB]; i++)
		if (set->rules[i].minimum)
			least = fmax(least, set->rules[i].limit[MAUI_LIMIT_HARD]);
	return (int64_t)least;
}

bool maui_throttle_limits_idle(const struct maui_throttle_set *set)
{
	return set->end[MAUI_VIOLATION_IDLE] > set->end[MAUI_VIOLATION_ACTIVE];
}

size_t maui_throttle_limit_count(const struct maui_throttle_set *set)
{
	return set->end[MAUI_VIOLATION_IDLE];
}

void throttle_describe(const struct throttle_rule *rule, const struct maui_demand *demand,
		       enum maui_limit_level level, struct maui_violation *ret)
{
	const struct throttle_counter *second = rule->counter->second;

	*ret = (struct maui_violation){
		.kind = (enum maui_violation_kind)rule->kind,
		/* idle limits have no soft value */
		.level = rule->kind == MAUI_VIOLATION_IDLE ? MAUI_LIMIT_HARD : level,
		.resource = (enum maui_resource)rule->resource,
		.cred = rule->counter->object,
		.name = rule->counter->name,
		.second = second ? second->object : MAUI_LIMITED_COUNT,
		.second_name = second ? second->name : NULL,
		.limit = rule->label,
		.value = rule->limit[level],
		.in_use = *rule->used,
		.requested = demand->of[rule->resource],
	};
}

size_t maui_throttle_violations(const struct maui_throttle_set *set,
				const struct maui_demand *demand, enum maui_limit_level level,
				unsigned which, struct maui_violation *list, size_t size)
{
	size_t found = 0, from = 0;

	for (unsigned kind = 0; kind <= MAUI_VIOLATION_IDLE; from = set->end[kind++]) {
		size_t i = from;

		if (!(which & 1u << kind))
			continue;
		while ((i = first_violated(set, demand, level, i, set->end[kind])) <
		       set->end[kind]) {
			if (found < size)
				throttle_describe(&set->rules[i], demand, level, &list[found]);
			found++;
			i++;
		}
	}
	return found;
}

double maui_throttle_in_use(const struct maui_throttle_set *set,
			    const struct maui_violation *violation)
{
	static const struct maui_demand none;

	for (size_t i = 0; i < set->end[MAUI_VIOLATION_IDLE]; i++) {
		struct maui_violation now;

		throttle_describe(&set->rules[i], &none, violation->level, &now);
		if (now.kind == violation->kind && now.limit == violation->limit &&
		    now.name == violation->name && now.second_name == violation->second_name)
			return now.in_use;
	}
	return violation->in_use;
}

uint32_t maui_throttle_accept_more(struct maui_throttle *t, const struct maui_throttle_set *set,
				   const struct maui_demand *demand, uint32_t count)
{
	struct maui_demand all = *demand;

	for (size_t i = set->end[MAUI_VIOLATION_ACTIVE]; i < set->end[MAUI_VIOLATION_IDLE]; i++) {
		const struct throttle_rule *rule = &set->rules[i];
		double each = demand->of[rule->resource];
		double left = rule->limit[MAUI_LIMIT_HARD] - *rule->used;

		if (each * count > left)
			count = left > 0 ? (uint32_t)(left / each) : 0;
	}
	for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
		all.of[r] *= count;
	maui_throttle_accept(t, set, &all);
	return count;
}

void maui_throttle_select(struct maui_throttle *t, struct maui_throttle_idle *jobs, size_t count)
{
	for (struct throttle_counter *c = t->counters; c; c = c->next)
		for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
			c->used[THROTTLE_IDLE][r] = 0;
	for (size_t i = 0; i < count; i++) {
		struct maui_throttle_idle *job = &jobs[i];
		size_t end = job->set->end[MAUI_VIOLATION_IDLE], first = end;

		job->verdict = MAUI_THROTTLE_PASSED;
		if (job->passed_over || (job->stands && *job->stands))
			continue;
		if (!job->reserved)
			first = first_violated(job->set, &job->demand, MAUI_LIMIT_HARD, 0, end);
		if (first < end) {
			job->verdict = MAUI_THROTTLE_BLOCKED;
			if (first >= job->set->end[MAUI_VIOLATION_ACTIVE])
				job->further_blocked = job->further;
			throttle_describe(&job->set->rules[first], &job->demand, MAUI_LIMIT_HARD,
					  &job->violation);
			continue;
		}
		job->verdict = MAUI_THROTTLE_ELIGIBLE;
		if (job->stands)
			*job->stands = (uint32_t)i + 1;
		maui_throttle_accept(t, job->set, &job->demand);
		job->further_blocked =
			job->further -
			maui_throttle_accept_more(t, job->set, &job->demand, job->further);
		if (job->further_blocked > 0)
			maui_throttle_violations(job->set, &job->demand, MAUI_LIMIT_HARD,
						 MAUI_THROTTLE_IDLE, &job->violation, 1);
	}
}
