/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rules.c - all limits in force for one set of credentials
 *
 * Value of a limit: the object's own (its kind's DEFAULT is folded in by the configuration), then
 * replaced or lifted by the job's QOS where that may (throttle.h). What is no limit at either
 * level makes no rule.
 *
 * Rules: THR-5, THR-6, THR-9, THR-10.
 */

#include "policy/throttle/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

/* The order in which violations are listed (THR-5); the system comes after the pairs. */
static const enum maui_cred_kind order[MAUI_CRED_COUNT] = {
	MAUI_CRED_USER, MAUI_CRED_GROUP, MAUI_CRED_ACCOUNT, MAUI_CRED_CLASS, MAUI_CRED_QOS,
};

/* More than there can be: single job 17, each object and each pair 7 resources in 2 kinds. */
enum {
	MOST_RULES = 17 + MAUI_LIMITED_COUNT * (1 + MAUI_CRED_COUNT) * 2 * MAUI_RESOURCE_COUNT,
	MOST_TOUCHED = MAUI_LIMITED_COUNT * (1 + MAUI_CRED_COUNT)
};

struct pair {
	struct throttle_counter *counter; /* NULL: no limit */
	struct maui_pair_values values;
};

struct compiler {
	struct maui_throttle *throttle;
	struct maui_throttle_set *set;
	const struct maui_cred_config *object[MAUI_LIMITED_COUNT];
	struct throttle_counter *counter[MAUI_LIMITED_COUNT];
	struct pair pair[MAUI_LIMITED_COUNT][MAUI_CRED_COUNT];
	struct throttle_rule rules[MOST_RULES];
	struct throttle_counter *touched[MOST_TOUCHED];
	size_t rule_count, touched_count;
};

static const double nothing; /* the use that counts for a limit of a single job: none */

static bool has_flag(const struct compiler *c, enum maui_qos_flag flag)
{
	return c->object[MAUI_CRED_QOS]->flags & UINT64_C(1) << flag;
}

/* Whether the QOS's flags lift all limits of the object. */
static bool is_ignored(const struct compiler *c, int object)
{
	switch (object) {
	case MAUI_CRED_USER:
		return has_flag(c, MAUI_QOS_IGNALL) || has_flag(c, MAUI_QOS_IGNUSER);
	case MAUI_CRED_GROUP:
		return has_flag(c, MAUI_QOS_IGNALL) || has_flag(c, MAUI_QOS_IGNGROUP);
	case MAUI_CRED_ACCOUNT:
		return has_flag(c, MAUI_QOS_IGNALL) || has_flag(c, MAUI_QOS_IGNACCOUNT);
	case MAUI_CRED_CLASS:
		return has_flag(c, MAUI_QOS_IGNALL);
	default:
		return false; /* THR-9: neither the QOS's own nor the system's */
	}
}

/* Whether the flags lift this limit of all credentials. */
static bool is_lifted(const struct compiler *c, enum maui_limit_kind kind,
		      enum maui_resource resource)
{
	static const struct {
		enum maui_qos_flag flag;
		enum maui_limit_kind kind;
		enum maui_resource resource;
	} flags[] = {
		{ MAUI_QOS_IGNJOBPERUSER, MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_JOB },
		{ MAUI_QOS_IGNPROCPERUSER, MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_PROC },
		{ MAUI_QOS_IGNNODEPERUSER, MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_NODE },
		{ MAUI_QOS_IGNPSPERUSER, MAUI_LIMIT_ACTIVE, MAUI_RESOURCE_PS },
		{ MAUI_QOS_IGNJOBQUEUEDPERUSER, MAUI_LIMIT_IDLE, MAUI_RESOURCE_JOB },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (flags[i].kind == kind && flags[i].resource == resource &&
		    has_flag(c, flags[i].flag))
			return true;
	return false;
}

static struct throttle_rule *add_rule(struct compiler *c, enum maui_violation_kind kind,
				      const struct throttle_counter *counter,
				      enum maui_resource resource, const char *label)
{
	struct throttle_rule *rule = &c->rules[c->rule_count++];

	*rule = (struct throttle_rule){ .used = &nothing,
					.counter = counter,
					.label = label,
					.resource = (uint8_t)resource,
					.kind = (uint8_t)kind };
	if (kind != MAUI_VIOLATION_JOB)
		rule->used = &counter->used[kind == MAUI_VIOLATION_IDLE][resource];
	return rule;
}

/* ---- limits of a single job ---- */

static void limit_job(struct compiler *c, int object, enum maui_resource resource,
		      const char *label, int64_t soft, int64_t hard)
{
	const int64_t none = resource == MAUI_RESOURCE_WC ? MAUI_TIME_INFINITY : INT64_MAX;
	struct throttle_rule *rule;

	if ((soft <= 0 || soft >= none) && (hard <= 0 || hard >= none))
		return;
	rule = add_rule(c, MAUI_VIOLATION_JOB, c->counter[object], resource, label);
	rule->limit[MAUI_LIMIT_SOFT] = soft > 0 && soft < none ? (double)soft : INFINITY;
	rule->limit[MAUI_LIMIT_HARD] = hard > 0 && hard < none ? (double)hard : INFINITY;
}

static void system_job_limits(struct compiler *c)
{
	const struct maui_config *config = c->throttle->config;
	bool all = has_flag(c, MAUI_QOS_IGNALL) || has_flag(c, MAUI_QOS_IGNSYSTEM);

	if (!all && !has_flag(c, MAUI_QOS_IGNSYSMAXPROC))
		limit_job(c, MAUI_LIMITED_SYSTEM, MAUI_RESOURCE_PROC, "SYSTEMMAXPROCPERJOB",
			  config->max_job_procs, config->max_job_procs);
	if (!all && !has_flag(c, MAUI_QOS_IGNSYSMAXPS))
		limit_job(c, MAUI_LIMITED_SYSTEM, MAUI_RESOURCE_PS, "SYSTEMMAXPROCSECONDPERJOB",
			  config->max_job_ps, config->max_job_ps);
	if (!all && !has_flag(c, MAUI_QOS_IGNSYSMAXTIME))
		limit_job(c, MAUI_LIMITED_SYSTEM, MAUI_RESOURCE_WC, "SYSTEMMAXJOBWALLTIME",
			  config->max_job_walltime_s, config->max_job_walltime_s);
}

/* OMAXJ* of the QOS replaces the class's limit of the same resource. */
static void class_job_limits(struct compiler *c)
{
	const struct maui_cred_config *class = c->object[MAUI_CRED_CLASS];
	const struct maui_limit *instead = c->object[MAUI_CRED_QOS]->limits[MAUI_LIMIT_SINGLE];
	const struct {
		enum maui_resource resource;
		const char *label;
		int64_t value;
	} limits[] = {
		{ MAUI_RESOURCE_PROC, "MAXPROCPERJOB", class->max_job_procs },
		{ MAUI_RESOURCE_NODE, "MAXNODEPERJOB", class->max_job_nodes },
		{ MAUI_RESOURCE_WC, "MAX.WCLIMIT", class->max_job_walltime_s },
	};

	if (is_ignored(c, MAUI_CRED_CLASS))
		return;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (instead[limits[i].resource].hard == 0)
			limit_job(c, MAUI_CRED_CLASS, limits[i].resource, limits[i].label,
				  limits[i].value, limits[i].value);
}

static void single_job_limits(struct compiler *c)
{
	const struct maui_limit *of_qos = c->object[MAUI_CRED_QOS]->limits[MAUI_LIMIT_SINGLE];

	system_job_limits(c);
	class_job_limits(c);
	for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
		limit_job(c, MAUI_CRED_QOS, (enum maui_resource)r,
			  maui_limit_name(MAUI_LIMIT_SINGLE, (enum maui_resource)r), of_qos[r].soft,
			  of_qos[r].hard);
	for (int i = 0; i < MAUI_CRED_COUNT; i++) {
		struct throttle_rule *rule;

		if (c->object[order[i]]->min_procs <= 0 || is_ignored(c, (int)order[i]))
			continue;
		rule = add_rule(c, MAUI_VIOLATION_JOB, c->counter[order[i]], MAUI_RESOURCE_PROC,
				"MINPROC");
		rule->limit[MAUI_LIMIT_SOFT] = rule->limit[MAUI_LIMIT_HARD] =
			(double)c->object[order[i]]->min_procs;
		rule->minimum = true;
	}
}

/* ---- limits of jobs together ---- */

static int64_t at_level(struct maui_limit limit, enum maui_limit_kind kind, int level)
{
	/* idle jobs are selected once, so soft values do not count (manual 6.2.3) */
	return kind == MAUI_LIMIT_IDLE || level == MAUI_LIMIT_HARD ? limit.hard : limit.soft;
}

/* Adds one limit of an object or pair, after overrides by the QOS. */
static void limit_jobs(struct compiler *c, enum maui_limit_kind kind, int object,
		       enum maui_resource resource, const struct throttle_counter *counter,
		       struct maui_limit limit)
{
	const struct maui_limit *overrides =
		c->object[MAUI_CRED_QOS]->limits[MAUI_LIMIT_OVERRIDE + kind];
	bool others = object != MAUI_CRED_QOS && object != MAUI_LIMITED_SYSTEM;
	double value[MAUI_LIMIT_LEVEL_COUNT];
	struct throttle_rule *rule;

	if (limit.hard == 0 || (others && is_lifted(c, kind, resource)))
		return;
	for (int level = 0; level < MAUI_LIMIT_LEVEL_COUNT; level++) {
		int64_t in_force = at_level(limit, kind, level);

		if (in_force > 0 && others && overrides[resource].hard != 0)
			in_force = at_level(overrides[resource], kind, level);
		value[level] = in_force > 0 ? (double)in_force : INFINITY;
	}
	if (isinf(value[MAUI_LIMIT_SOFT]) && isinf(value[MAUI_LIMIT_HARD]))
		return;
	rule = add_rule(c, kind == MAUI_LIMIT_IDLE ? MAUI_VIOLATION_IDLE : MAUI_VIOLATION_ACTIVE,
			counter, resource, maui_limit_name(kind, resource));
	memcpy(rule->limit, value, sizeof(value));
}

static void object_limits(struct compiler *c, enum maui_limit_kind kind, int object)
{
	if (!c->counter[object] || is_ignored(c, object))
		return;
	for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
		limit_jobs(c, kind, object, (enum maui_resource)r, c->counter[object],
			   c->object[object]->limits[kind][r]);
}

static void pair_limits(struct compiler *c, enum maui_limit_kind kind, int object)
{
	if (is_ignored(c, object))
		return;
	for (int i = 0; i < MAUI_CRED_COUNT; i++) {
		const struct pair *pair = &c->pair[object][order[i]];

		for (int r = 0; pair->counter && r < MAUI_RESOURCE_COUNT; r++)
			limit_jobs(c, kind, object, (enum maui_resource)r, pair->counter,
				   pair->values.of[kind][r]);
	}
}

static void joint_limits(struct compiler *c, enum maui_limit_kind kind)
{
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		object_limits(c, kind, (int)order[i]);
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		pair_limits(c, kind, (int)order[i]);
	object_limits(c, kind, MAUI_LIMITED_SYSTEM);
	pair_limits(c, kind, MAUI_LIMITED_SYSTEM);
}

/* ---- the set ---- */

/* Finds the pairs that have a limit, also if this set's QOS lifts it: its jobs count in any
 * case. */
static int find_pairs(struct compiler *c, int object)
{
	const struct maui_pair_limits *own = &c->object[object]->pair_limits, *def = own;

	if (object != MAUI_LIMITED_SYSTEM)
		def = &c->throttle->config->creds[object].unnamed.pair_limits;
	for (int k = 0; k < MAUI_CRED_COUNT && c->counter[object]; k++) {
		struct pair *pair = &c->pair[object][k];

		if (!c->counter[k] || !maui_pair_limits_find(own, def, (enum maui_cred_kind)k,
							     c->counter[k]->name, &pair->values))
			continue;
		pair->counter = throttle_pair(c->throttle, c->counter[object], c->counter[k]);
		if (!pair->counter)
			return -1;
		c->touched[c->touched_count++] = pair->counter;
	}
	return 0;
}

static int find_objects(struct compiler *c)
{
	const struct maui_config *config = c->throttle->config;

	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		c->counter[k] = c->set->cred[k];
		c->object[k] = maui_config_cred(config, (enum maui_cred_kind)k,
						c->counter[k] ? c->counter[k]->name : NULL);
	}
	c->counter[MAUI_LIMITED_SYSTEM] = c->throttle->system;
	c->object[MAUI_LIMITED_SYSTEM] = &config->system;
	for (int o = 0; o < MAUI_LIMITED_COUNT; o++) {
		if (c->counter[o])
			c->touched[c->touched_count++] = c->counter[o];
		if (find_pairs(c, o))
			return -1;
	}
	return 0;
}

static int keep(const struct compiler *c, struct maui_throttle_set *set)
{
	struct maui_arena *arena = &c->throttle->arena;

	set->touched = maui_arena_alloc(arena, c->touched_count * sizeof(*c->touched));
	set->rules = maui_arena_alloc(arena, (c->rule_count + 1) * sizeof(*c->rules));
	if (!set->touched || !set->rules)
		return -1;
	set->touched_count = c->touched_count;
	memcpy(set->touched, c->touched, c->touched_count * sizeof(*c->touched));
	memcpy(set->rules, c->rules, c->rule_count * sizeof(*c->rules));
	return 0;
}

int throttle_compile(struct maui_throttle *throttle, struct maui_throttle_set *set)
{
	struct compiler *c = calloc(1, sizeof(*c));
	int rc;

	if (!c)
		return -1;
	c->throttle = throttle;
	c->set = set;
	rc = find_objects(c);
	if (rc == 0) {
		single_job_limits(c);
		set->end[MAUI_VIOLATION_JOB] = c->rule_count;
		joint_limits(c, MAUI_LIMIT_ACTIVE);
		set->end[MAUI_VIOLATION_ACTIVE] = c->rule_count;
		joint_limits(c, MAUI_LIMIT_IDLE);
		set->end[MAUI_VIOLATION_IDLE] = c->rule_count;
		rc = keep(c, set);
	}
	free(c);
	return rc;
}
