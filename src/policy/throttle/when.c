/* SPDX-License-Identifier: GPL-2.0-or-later */
/* when.c - the moment at which enough active jobs will have ended
 *
 * Active jobs only end, so use never rises: each violated limit holds from one moment on, and the
 * answer is the latest of these moments. A job gives back jobs, processors, nodes and memory when
 * it ends; its outstanding seconds and processor-seconds fall evenly until then.
 */

#include "policy/throttle/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"

/* Up to this many new jobs are inserted one by one. */
enum { FEW = 32 };

static int by_end(const void *a, const void *b, void *arg)
{
	const struct throttle_member *members = arg;
	int64_t one = members[*(const uint32_t *)a].end_s,
		two = members[*(const uint32_t *)b].end_s;

	return (one > two) - (one < two);
}

struct end_key {
	const struct throttle_member *members;
	int64_t end_s;
};

static bool ends_up_to(const void *member, const void *key)
{
	const struct end_key *wanted = key;

	return wanted->members[*(const uint32_t *)member].end_s <= wanted->end_s;
}

static void insert(struct maui_throttle *t, uint32_t member)
{
	const struct end_key key = { t->members, t->members[member].end_s };
	size_t at = maui_lower_bound(t->by_end, t->sorted, sizeof(*t->by_end), ends_up_to, &key);

	memmove(&t->by_end[at + 1], &t->by_end[at], (t->sorted - at) * sizeof(*t->by_end));
	t->by_end[at] = member;
	t->sorted++;
}

static void sort_by_end(struct maui_throttle *t)
{
	if (t->member_count - t->sorted <= FEW) {
		while (t->sorted < t->member_count)
			insert(t, (uint32_t)t->sorted);
		return;
	}
	for (size_t i = 0; i < t->member_count; i++)
		t->by_end[i] = (uint32_t)i;
	qsort_r(t->by_end, t->member_count, sizeof(*t->by_end), by_end, t->members);
	t->sorted = t->member_count;
}

/* When use falls to `room`, job by job. */
static int64_t when_given_back(const struct maui_throttle *t, const struct throttle_rule *rule,
			       double room, int64_t now_s)
{
	double used = *rule->used;

	for (size_t i = 0; i < t->member_count; i++) {
		const struct throttle_member *m = &t->members[t->by_end[i]];

		if (!throttle_counts_in(m->set, rule->counter))
			continue;
		used -= m->demand.of[rule->resource];
		if (used <= room)
			return m->end_s > now_s ? m->end_s : now_s + 1;
	}
	return MAUI_THROTTLE_NEVER;
}

/* What a job's outstanding use falls by each second. */
static double rate_of(const struct throttle_member *m, const struct throttle_rule *rule,
		      int64_t now_s)
{
	bool runs = m->end_s > now_s && m->end_s != MAUI_THROTTLE_NEVER;

	if (!runs || !throttle_counts_in(m->set, rule->counter))
		return 0;
	return rule->resource == MAUI_RESOURCE_PS ? m->demand.of[MAUI_RESOURCE_PROC] : 1;
}

/* When use falls to `room`, second by second. */
static int64_t when_run_down(const struct maui_throttle *t, const struct throttle_rule *rule,
			     double room, int64_t now_s)
{
	double used = *rule->used, rate = 0;
	int64_t at_s = now_s;

	for (size_t i = 0; i < t->member_count; i++)
		rate += rate_of(&t->members[i], rule, now_s);
	for (size_t i = 0; i < t->member_count && rate > 0; i++) {
		const struct throttle_member *m = &t->members[t->by_end[i]];
		double own = rate_of(m, rule, now_s);

		if (own <= 0)
			continue;
		if (used - rate * (double)(m->end_s - at_s) <= room)
			return at_s + (int64_t)ceil((used - room) / rate);
		used -= rate * (double)(m->end_s - at_s);
		rate -= own;
		at_s = m->end_s;
	}
	return MAUI_THROTTLE_NEVER;
}

static int64_t when_one(const struct maui_throttle *t, const struct throttle_rule *rule,
			const struct maui_demand *demand, enum maui_limit_level level,
			int64_t now_s)
{
	double room = rule->limit[level] - demand->of[rule->resource];

	if (*rule->used <= room)
		return now_s;
	if (room < 0)
		return MAUI_THROTTLE_NEVER;
	if (rule->resource == MAUI_RESOURCE_PS || rule->resource == MAUI_RESOURCE_WC)
		return when_run_down(t, rule, room, now_s);
	return when_given_back(t, rule, room, now_s);
}

int64_t maui_throttle_when(struct maui_throttle *t, const struct maui_throttle_set *set,
			   const struct maui_demand *demand, enum maui_limit_level level,
			   int64_t now_s)
{
	int64_t latest = now_s;

	if (maui_throttle_violations(set, demand, level, MAUI_THROTTLE_JOB, NULL, 0) > 0)
		return MAUI_THROTTLE_NEVER;
	sort_by_end(t);
	for (size_t i = set->end[MAUI_VIOLATION_JOB]; i < set->end[MAUI_VIOLATION_ACTIVE]; i++) {
		int64_t when = when_one(t, &set->rules[i], demand, level, now_s);

		if (when > latest)
			latest = when;
	}
	return latest;
}
