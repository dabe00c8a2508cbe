/* SPDX-License-Identifier: GPL-2.0-or-later */
/* throttle.c - counters and sets of credentials, and the counting of idle jobs (THR-1, THR-3)
 *
 * Each credential has one counter; a set is found by the numbers of its five counters. The limits
 * in force for a set are worked out once (rules.c), so that a check walks over a short array.
 * Counters and sets live in an arena: their addresses never change.
 */

#include "policy/throttle/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* ---- counters ---- */

static struct throttle_counter *counter_create(struct maui_throttle *t, int object,
					       const char *name)
{
	struct throttle_counter *counter = maui_arena_alloc(&t->arena, sizeof(*counter));

	if (!counter)
		return NULL;
	counter->object = object;
	counter->name = name;
	counter->id = ++t->last_id;
	counter->next = t->counters;
	t->counters = counter;
	return counter;
}

struct cred_key {
	int object;
	const char *name;
};

static bool same_cred(const void *value, const void *key)
{
	const struct throttle_counter *counter = value;
	const struct cred_key *wanted = key;

	return counter->object == wanted->object && strcmp(counter->name, wanted->name) == 0;
}

static struct throttle_counter *find_cred(const struct maui_throttle *t, int object,
					  const char *name)
{
	struct cred_key key = { object, name };

	return maui_hashtable_find(&t->creds, maui_hash_text(name, (uint64_t)object), same_cred,
				   &key);
}

static struct throttle_counter *intern(struct maui_throttle *t, int object, const char *name)
{
	struct throttle_counter *counter = find_cred(t, object, name);
	char *copy;

	if (counter)
		return counter;
	copy = maui_arena_strdup(&t->arena, name);
	counter = copy ? counter_create(t, object, copy) : NULL;
	if (!counter ||
	    maui_hashtable_add(&t->creds, maui_hash_text(name, (uint64_t)object), counter))
		return NULL;
	return counter;
}

struct pair_key {
	const struct throttle_counter *first, *second;
};

static bool same_pair(const void *value, const void *key)
{
	const struct throttle_counter *counter = value;
	const struct pair_key *wanted = key;

	return counter->first == wanted->first && counter->second == wanted->second;
}

struct throttle_counter *throttle_pair(struct maui_throttle *t, struct throttle_counter *first,
				       struct throttle_counter *second)
{
	uint64_t hash = maui_hash_mix(maui_hash_mix(0, first->id), second->id);
	struct pair_key key = { first, second };
	struct throttle_counter *counter = maui_hashtable_find(&t->pairs, hash, same_pair, &key);

	if (counter)
		return counter;
	counter = counter_create(t, first->object, first->name);
	if (!counter)
		return NULL;
	counter->first = first;
	counter->second = second;
	return maui_hashtable_add(&t->pairs, hash, counter) ? NULL : counter;
}

/* ---- sets ---- */

static bool same_set(const void *value, const void *key)
{
	const struct maui_throttle_set *set = value;

	return memcmp(set->cred, key, sizeof(set->cred)) == 0;
}

const struct maui_throttle_set *maui_throttle_resolve(struct maui_throttle *t,
						      const char *const *cred)
{
	struct throttle_counter *counters[MAUI_CRED_COUNT] = { NULL };
	struct maui_throttle_set *set;
	uint64_t hash = 0;

	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		if (cred[k] && *cred[k] != '\0' && !(counters[k] = intern(t, k, cred[k])))
			return NULL;
		hash = maui_hash_mix(hash, counters[k] ? counters[k]->id : 0);
	}
	set = maui_hashtable_find(&t->sets, hash, same_set, counters);
	if (set)
		return set;
	set = maui_arena_alloc(&t->arena, sizeof(*set));
	if (!set)
		return NULL;
	memcpy(set->cred, counters, sizeof(set->cred));
	return throttle_compile(t, set) || maui_hashtable_add(&t->sets, hash, set) ? NULL : set;
}

/* ---- jobs ---- */

void throttle_count(const struct maui_throttle_set *set, const struct maui_demand *demand, int kind,
		    double sign)
{
	for (size_t i = 0; i < set->touched_count; i++)
		for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
			set->touched[i]->used[kind][r] += sign * demand->of[r];
}

void maui_throttle_accept(struct maui_throttle *t, const struct maui_throttle_set *set,
			  const struct maui_demand *demand)
{
	(void)t;
	throttle_count(set, demand, THROTTLE_IDLE, 1);
}

double maui_throttle_used(const struct maui_throttle *t, int object, const char *name,
			  enum maui_resource resource)
{
	const struct throttle_counter *counter = t->system;

	if (object != MAUI_LIMITED_SYSTEM)
		counter = name ? find_cred(t, object, name) : NULL;
	return counter ? counter->used[THROTTLE_ACTIVE][resource] : 0;
}

/* ---- life ---- */

struct maui_throttle *maui_throttle_create(const struct maui_config *config)
{
	struct maui_throttle *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->config = maui_config_ref((struct maui_config *)config);
	t->system = counter_create(t, MAUI_LIMITED_SYSTEM, "ALL");
	if (t->system)
		return t;
	maui_throttle_destroy(t);
	return NULL;
}

void maui_throttle_clear(struct maui_throttle *t)
{
	t->member_count = t->planned_count = t->slack_count = 0;
	t->sorted = 0;
	for (struct throttle_counter *c = t->counters; c; c = c->next)
		memset(c->used, 0, sizeof(c->used));
}

void maui_throttle_destroy(struct maui_throttle *t)
{
	if (!t)
		return;
	maui_hashtable_finish(&t->creds);
	maui_hashtable_finish(&t->pairs);
	maui_hashtable_finish(&t->sets);
	free(t->members);
	free(t->by_end);
	free(t->planned);
	free(t->slacks);
	free(t->events);
	maui_arena_finish(&t->arena);
	maui_config_unref(t->config);
	free(t);
}
