/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planned.c - limits over time: planned jobs, and what other jobs may use beside them (THR-12)
 *
 * Each limit of a planned job has a slack: how much more of the resource other jobs may use at the
 * start of the planned job. Every job that runs at that moment lowers the slack. So a job may start
 * now if it does not exceed the slacks of any planned job.
 */

#include "policy/throttle/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* An active or planned job with its times. */
struct span {
	const struct maui_throttle_set *set;
	const struct maui_demand *demand;
	int64_t start_s, end_s;
};

static struct span span_of_member(const struct throttle_member *m)
{
	return (struct span){ m->set, &m->demand, INT64_MIN, m->end_s };
}

static struct span span_of_planned(const struct throttle_planned *p)
{
	return (struct span){ p->set, &p->demand, p->start_s, p->end_s };
}

static bool runs_down(const struct span *job, enum maui_resource resource)
{
	return (resource == MAUI_RESOURCE_PS || resource == MAUI_RESOURCE_WC) &&
	       job->end_s != MAUI_THROTTLE_NEVER;
}

/* By how much the outstanding use of the job falls in a second. */
static double rate_of(const struct span *job, enum maui_resource resource)
{
	if (!runs_down(job, resource))
		return 0;
	return resource == MAUI_RESOURCE_PS ? job->demand->of[MAUI_RESOURCE_PROC] : 1;
}

/* What the job holds of a counter's resource at a moment. */
static double held(const struct span *job, const struct throttle_counter *counter,
		   enum maui_resource resource, int64_t when)
{
	if (when < job->start_s || when >= job->end_s || !throttle_counts_in(job->set, counter))
		return 0;
	if (runs_down(job, resource))
		return rate_of(job, resource) * (double)(job->end_s - when);
	return job->demand->of[resource];
}

static double used_at(const struct maui_throttle *t, const struct throttle_rule *rule, int64_t when)
{
	enum maui_resource resource = (enum maui_resource)rule->resource;
	double used = 0;

	for (size_t i = 0; i < t->member_count; i++) {
		const struct span job = span_of_member(&t->members[i]);

		used += held(&job, rule->counter, resource, when);
	}
	for (size_t i = 0; i < t->planned_count; i++) {
		const struct span job = span_of_planned(&t->planned[i]);

		used += held(&job, rule->counter, resource, when);
	}
	return used;
}

/* ---- planned jobs ---- */

/* The active limits of a planned job. */
static size_t rules_of(const struct throttle_planned *p, const struct throttle_rule **ret)
{
	size_t first = p->set->end[MAUI_VIOLATION_JOB];

	*ret = &p->set->rules[first];
	return p->set->end[MAUI_VIOLATION_ACTIVE] - first;
}

void throttle_plan_weigh(struct maui_throttle *t, const struct maui_throttle_set *set,
			 const struct maui_demand *demand, int64_t start_s, int64_t end_s,
			 double sign)
{
	const struct span job = { set, demand, start_s, end_s };

	for (size_t i = 0; i < t->planned_count; i++) {
		const struct throttle_planned *p = &t->planned[i];
		double *slack = &t->slacks[p->slack];
		const struct throttle_rule *rules;
		size_t count = rules_of(p, &rules);

		for (size_t r = 0; r < count; r++)
			slack[r] -= sign * held(&job, rules[r].counter,
						(enum maui_resource)rules[r].resource, p->start_s);
	}
}

/* Slacks at the strictest level whose limits the job keeps. A job that does not even keep its hard
 * limits cannot be harmed. */
static void set_slacks(struct maui_throttle *t, struct throttle_planned *p)
{
	double *slack = &t->slacks[p->slack];
	const struct throttle_rule *rules;
	size_t count = rules_of(p, &rules), bad[MAUI_LIMIT_LEVEL_COUNT] = { 0 };
	int level = MAUI_LIMIT_SOFT;

	for (size_t r = 0; r < count; r++) {
		slack[r] = used_at(t, &rules[r], p->start_s) + p->demand.of[rules[r].resource];
		for (int l = 0; l < MAUI_LIMIT_LEVEL_COUNT; l++)
			bad[l] += slack[r] > rules[r].limit[l];
	}
	if (bad[MAUI_LIMIT_SOFT] > 0 ||
	    maui_throttle_violations(p->set, &p->demand, MAUI_LIMIT_SOFT, MAUI_THROTTLE_JOB, NULL,
				     0) > 0)
		level = MAUI_LIMIT_HARD;
	p->level = (enum maui_limit_level)level;
	for (size_t r = 0; r < count; r++)
		slack[r] = bad[level] > 0 ? INFINITY : rules[r].limit[level] - slack[r];
}

int maui_throttle_plan(struct maui_throttle *t, const struct maui_throttle_set *set,
		       const struct maui_demand *demand, int64_t start_s, int64_t end_s)
{
	struct throttle_planned fresh = { set,   *demand,        start_s,
					  end_s, t->slack_count, MAUI_LIMIT_SOFT };
	struct throttle_planned *planned;
	const struct throttle_rule *rules;
	size_t count = rules_of(&fresh, &rules);

	planned =
		maui_array_grow(t->planned, t->planned_count, &t->planned_alloc, sizeof(*planned));
	if (!planned)
		return -1;
	t->planned = planned;
	for (size_t i = 0; i < count; i++) {
		double *slacks = maui_array_grow(t->slacks, t->slack_count + i, &t->slack_alloc,
						 sizeof(*slacks));

		if (!slacks)
			return -1;
		t->slacks = slacks;
	}
	t->slack_count += count;
	set_slacks(t, &fresh);
	throttle_plan_weigh(t, set, demand, start_s, end_s, 1);
	t->planned[t->planned_count++] = fresh;
	return 0;
}

bool maui_throttle_unplan(struct maui_throttle *t, const struct maui_throttle_set *set,
			  const struct maui_demand *demand, int64_t start_s, int64_t end_s)
{
	for (size_t i = t->planned_count; i-- > 0;) {
		const struct throttle_planned *p = &t->planned[i];

		if (p->set != set || p->start_s != start_s || p->end_s != end_s ||
		    memcmp(&p->demand, demand, sizeof(*demand)) != 0)
			continue;
		t->planned[i] = t->planned[--t->planned_count];
		if (t->planned_count == 0)
			t->slack_count = 0;
		throttle_plan_weigh(t, set, demand, start_s, end_s, -1);
		return true;
	}
	return false;
}

/* The violation of a limit at the start of a planned job, by a job that takes so much then. */
static void describe_later(const struct throttle_rule *rule, const struct maui_demand *demand,
			   double takes, double used, struct maui_violation *ret)
{
	bool hard = used + takes > rule->limit[MAUI_LIMIT_HARD];

	throttle_describe(rule, demand, hard ? MAUI_LIMIT_HARD : MAUI_LIMIT_SOFT, ret);
	ret->in_use = used;
	ret->requested = takes;
	ret->later = true;
}

/* The first limit that the planned job no longer keeps at its start with the job running, as
 * `violation` unless that is NULL. false: it keeps them all. */
static bool harms(const struct maui_throttle *t, const struct throttle_planned *p,
		  const struct span *job, struct maui_violation *violation)
{
	const double *slack = &t->slacks[p->slack];
	const struct throttle_rule *rules;
	size_t count = rules_of(p, &rules);

	for (size_t r = 0; r < count; r++) {
		double takes = held(job, rules[r].counter, (enum maui_resource)rules[r].resource,
				    p->start_s);

		if (takes <= 0 || takes <= slack[r])
			continue;
		if (violation)
			describe_later(&rules[r], job->demand, takes,
				       rules[r].limit[p->level] - slack[r], violation);
		return true;
	}
	return false;
}

static int64_t end_of(int64_t start_s, int64_t length_s)
{
	return length_s >= MAUI_THROTTLE_NEVER - start_s ? MAUI_THROTTLE_NEVER : start_s + length_s;
}

/* The first moment after all planned starts that a job from start_s on would harm; start_s: it
 * harms none. */
static int64_t behind_conflicts(const struct maui_throttle *t, const struct maui_throttle_set *set,
				const struct maui_demand *demand, int64_t start_s, int64_t length_s)
{
	const struct span job = { set, demand, start_s, end_of(start_s, length_s) };
	int64_t behind = start_s;

	for (size_t i = 0; i < t->planned_count; i++) {
		const struct throttle_planned *p = &t->planned[i];

		if (p->start_s >= behind && p->start_s < job.end_s && harms(t, p, &job, NULL))
			behind = p->start_s + 1;
	}
	return behind;
}

bool maui_throttle_spares(const struct maui_throttle *t, const struct maui_throttle_set *set,
			  const struct maui_demand *demand, int64_t now_s, int64_t length_s)
{
	return behind_conflicts(t, set, demand, now_s, length_s) == now_s;
}

bool maui_throttle_harms(const struct maui_throttle *t, const struct maui_throttle_set *set,
			 const struct maui_demand *demand, int64_t now_s, int64_t length_s,
			 struct maui_violation *ret)
{
	const struct span job = { set, demand, now_s, end_of(now_s, length_s) };

	for (size_t i = 0; i < t->planned_count; i++) {
		const struct throttle_planned *p = &t->planned[i];

		if (p->start_s >= now_s && p->start_s < job.end_s && harms(t, p, &job, ret))
			return true;
	}
	return false;
}

/* ---- when ---- */

/* A change in the use that counts for one limit. */
struct throttle_event {
	int64_t when;
	double used, rate; /* added to each */
};

static int by_time(const void *a, const void *b)
{
	const struct throttle_event *one = a, *two = b;

	return (one->when > two->when) - (one->when < two->when);
}

static bool add_event(struct maui_throttle *t, size_t *count, int64_t when, double used,
		      double rate)
{
	struct throttle_event *events;

	if (when == MAUI_THROTTLE_NEVER)
		return true;
	events = maui_array_grow(t->events, *count, &t->event_alloc, sizeof(*events));
	if (!events)
		return false;
	t->events = events;
	events[(*count)++] = (struct throttle_event){ when, used, rate };
	return true;
}

/* Adds the start and end of a job after `from`, and its part of the rate at `from`. */
static bool add_job(struct maui_throttle *t, size_t *count, const struct throttle_rule *rule,
		    const struct span *job, int64_t from, double *rate)
{
	enum maui_resource resource = (enum maui_resource)rule->resource;
	double own = rate_of(job, resource);

	if (job->end_s <= from || !throttle_counts_in(job->set, rule->counter))
		return true;
	if (job->start_s > from) {
		double used = held(job, rule->counter, resource, job->start_s);

		if (!add_event(t, count, job->start_s, used, own))
			return false;
	} else {
		*rate += own;
	}
	return add_event(t, count, job->end_s,
			 runs_down(job, resource) ? 0 : -job->demand->of[resource], -own);
}

/* The first moment from `from` on at which use is at most `room`. -1 without memory. */
static int64_t when_below(struct maui_throttle *t, const struct throttle_rule *rule, double room,
			  int64_t from)
{
	double used = used_at(t, rule, from), rate = 0;
	int64_t at = from;
	size_t count = 0;

	if (used <= room)
		return from;
	if (room < 0)
		return MAUI_THROTTLE_NEVER;
	for (size_t i = 0; i < t->member_count; i++) {
		const struct span job = span_of_member(&t->members[i]);

		if (!add_job(t, &count, rule, &job, from, &rate))
			return -1;
	}
	for (size_t i = 0; i < t->planned_count; i++) {
		const struct span job = span_of_planned(&t->planned[i]);

		if (!add_job(t, &count, rule, &job, from, &rate))
			return -1;
	}
	if (count > 1)
		qsort(t->events, count, sizeof(*t->events), by_time);
	for (size_t i = 0; i < count;) {
		int64_t when = t->events[i].when;
		double before = used - rate * (double)(when - at);

		if (rate > 0 && before < room)
			return at + (int64_t)ceil((used - room) / rate);
		used = before;
		for (at = when; i < count && t->events[i].when == at; i++) {
			used += t->events[i].used;
			rate += t->events[i].rate;
		}
		if (used <= room)
			return at;
	}
	return MAUI_THROTTLE_NEVER;
}

int64_t maui_throttle_earliest(struct maui_throttle *t, const struct maui_throttle_set *set,
			       const struct maui_demand *demand, enum maui_limit_level level,
			       int64_t now_s, int64_t from_s, int64_t length_s)
{
	int64_t when = from_s, last;

	if (t->planned_count == 0 && from_s <= now_s)
		return maui_throttle_when(t, set, demand, level, now_s);
	if (maui_throttle_violations(set, demand, level, MAUI_THROTTLE_JOB, NULL, 0) > 0)
		return MAUI_THROTTLE_NEVER;
	do {
		last = when;
		for (size_t i = set->end[MAUI_VIOLATION_JOB];
		     i < set->end[MAUI_VIOLATION_ACTIVE] && when >= 0 &&
		     when != MAUI_THROTTLE_NEVER;
		     i++) {
			const struct throttle_rule *rule = &set->rules[i];

			when = when_below(t, rule, rule->limit[level] - demand->of[rule->resource],
					  when);
		}
		if (when < 0 || when == MAUI_THROTTLE_NEVER)
			return when;
		when = behind_conflicts(t, set, demand, when, length_s);
	} while (when != last);
	return when;
}
