/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - what the files of the policy throttle share */
#ifndef MAUI_POLICY_THROTTLE_PRIVATE_H
#define MAUI_POLICY_THROTTLE_PRIVATE_H

#include "base/arena.h"
#include "base/hashtable.h"
#include "policy/throttle/throttle.h"

enum { THROTTLE_ACTIVE, THROTTLE_IDLE, THROTTLE_KINDS }; /* = MAUI_LIMIT_ACTIVE, MAUI_LIMIT_IDLE */

/* What the jobs of one credential, of one pair, or of the system hold together. A credential is
 * interned: its counter's address stands for it. */
struct throttle_counter {
	double used[THROTTLE_KINDS][MAUI_RESOURCE_COUNT];
	int object;       /* enum maui_cred_kind, MAUI_LIMITED_SYSTEM; of a pair: of the first */
	const char *name; /* likewise */
	struct throttle_counter *first, *second; /* NULL: not a pair */
	struct throttle_counter *next;           /* all there are */
	uint32_t id;                             /* a number of its own, from 1 */
};

/* One limit in force. */
struct throttle_rule {
	const double *used;                     /* by the others; of a single job: 0 */
	double limit[MAUI_LIMIT_LEVEL_COUNT];   /* INFINITY: none; of a minimum 0 */
	const char *label;                      /* "MAXJOB" */
	const struct throttle_counter *counter; /* whose limit it is */
	uint8_t resource;
	uint8_t kind; /* enum maui_violation_kind */
	bool minimum; /* at least so much */
};

struct maui_throttle_set {
	struct throttle_counter *cred[MAUI_CRED_COUNT]; /* NULL: none */
	struct throttle_counter **touched;              /* all that its jobs count in */
	size_t touched_count;
	struct throttle_rule *rules;         /* by kind: single job, active, idle */
	size_t end[MAUI_VIOLATION_IDLE + 1]; /* behind the last of each kind */
};

/* An active job, kept for the question when it ends. */
struct throttle_member {
	const struct maui_throttle_set *set;
	struct maui_demand demand;
	int64_t end_s;
};

/* A job that is to start later, kept for what it needs then. */
struct throttle_planned {
	const struct maui_throttle_set *set;
	struct maui_demand demand;
	int64_t start_s, end_s;
	size_t slack; /* place in slacks[]: one for each active limit of its set */
};

struct maui_throttle {
	struct maui_config *config;
	struct maui_arena arena; /* counters, names, sets */
	struct throttle_counter *counters;
	uint32_t last_id;
	struct throttle_counter *system;
	struct maui_hashtable creds, pairs, sets;

	struct throttle_member *members;
	size_t member_count, member_alloc;
	uint32_t *by_end; /* places in members[]; the first `sorted` of them by their end */
	size_t sorted, by_end_alloc;

	struct throttle_planned *planned;
	double *slacks; /* how much more each limit of each planned job bears at its start */
	size_t planned_count, planned_alloc, slack_count, slack_alloc;
	struct throttle_event *events; /* for one answer of planned.c */
	size_t event_alloc;
};

/* Whether the jobs of a set count in a counter. */
static inline bool throttle_counts_in(const struct maui_throttle_set *set,
				      const struct throttle_counter *counter)
{
	const struct throttle_counter *one = counter->second ? counter->first : counter;

	if (one->object != MAUI_LIMITED_SYSTEM && set->cred[one->object] != one)
		return false;
	return !counter->second || set->cred[counter->second->object] == counter->second;
}

/* A job runs during [start_s, end_s), or no longer (sign -1): what planned ones are left with.
 * (planned.c) */
void throttle_plan_weigh(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			 const struct maui_demand *demand, int64_t start_s, int64_t end_s,
			 double sign);

/* The counter of a pair, made when it is new. NULL without memory. (throttle.c) */
struct throttle_counter *throttle_pair(struct maui_throttle *throttle,
				       struct throttle_counter *first,
				       struct throttle_counter *second);

/* Fills rules and touched of a set whose credentials are there. -1 without memory.
 * (rules.c) */
int throttle_compile(struct maui_throttle *throttle, struct maui_throttle_set *set);

#endif
