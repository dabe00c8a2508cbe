/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - between the files of policy/throttle */
#ifndef MAUI_POLICY_THROTTLE_PRIVATE_H
#define MAUI_POLICY_THROTTLE_PRIVATE_H

#include "base/arena.h"
#include "base/hashtable.h"
#include "policy/throttle/throttle.h"

enum { THROTTLE_ACTIVE, THROTTLE_IDLE, THROTTLE_KINDS }; /* = MAUI_LIMIT_ACTIVE, MAUI_LIMIT_IDLE */

/* The use of all jobs of one credential, of one pair of credentials, or of the system. Each
 * credential has one counter, so that its address identifies the credential. */
struct throttle_counter {
	double used[THROTTLE_KINDS][MAUI_RESOURCE_COUNT];
	int object;       /* enum maui_cred_kind, MAUI_LIMITED_SYSTEM; of a pair: of the first */
	const char *name; /* likewise */
	struct throttle_counter *first, *second; /* NULL: not a pair */
	struct throttle_counter *next;           /* list of all counters */
	uint32_t id;                             /* a number of its own, from 1 */
};

/* One limit in force. */
struct throttle_rule {
	const double *used;                     /* by other jobs; 0 for a limit of a single job */
	double limit[MAUI_LIMIT_LEVEL_COUNT];   /* INFINITY: none; of a minimum 0 */
	const char *label;                      /* "MAXJOB" */
	const struct throttle_counter *counter; /* whose limit it is */
	uint8_t resource;
	uint8_t kind; /* enum maui_violation_kind */
	bool minimum; /* at least so much */
};

struct maui_throttle_set {
	struct throttle_counter *cred[MAUI_CRED_COUNT]; /* NULL: none */
	struct throttle_counter **touched;              /* the counters of its jobs */
	size_t touched_count;
	struct throttle_rule *rules;         /* by kind: single job, active, idle */
	size_t end[MAUI_VIOLATION_IDLE + 1]; /* behind the last of each kind */
};

/* An active job. */
struct throttle_member {
	const struct maui_throttle_set *set;
	struct maui_demand demand;
	int64_t end_s;
};

/* A job with a start in the future. */
struct throttle_planned {
	const struct maui_throttle_set *set;
	struct maui_demand demand;
	int64_t start_s, end_s;
	size_t slack;                /* place in slacks[]: one for each active limit of its set */
	enum maui_limit_level level; /* of the limits that the slacks are about */
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
	double *slacks; /* what other jobs may still use at the start of each planned job, by limit */
	size_t planned_count, planned_alloc, slack_count, slack_alloc;
	struct throttle_event *events; /* working memory of planned.c */
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

/* The rule as a limit that a job violates, with what is in use now. */
void throttle_describe(const struct throttle_rule *rule, const struct maui_demand *demand,
		       enum maui_limit_level level, struct maui_violation *ret);

/* Takes the use of a job during [start_s, end_s) from the slacks of all planned jobs; sign -1 gives
 * it back. (planned.c) */
void throttle_plan_weigh(struct maui_throttle *throttle, const struct maui_throttle_set *set,
			 const struct maui_demand *demand, int64_t start_s, int64_t end_s,
			 double sign);

/* Adds what a job counts for to the counters of its set; `kind`: THROTTLE_ACTIVE or THROTTLE_IDLE.
 * (throttle.c) */
void throttle_count(const struct maui_throttle_set *set, const struct maui_demand *demand, int kind,
		    double sign);

/* The counter of a pair, made when it is new. NULL without memory. (throttle.c) */
struct throttle_counter *throttle_pair(struct maui_throttle *throttle,
				       struct throttle_counter *first,
				       struct throttle_counter *second);

/* Fills rules and touched of a set that has its credentials. -1 without memory. (rules.c) */
int throttle_compile(struct maui_throttle *throttle, struct maui_throttle_set *set);

#endif
