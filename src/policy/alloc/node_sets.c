/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_sets.c - makes node sets, and chooses nodes inside one
 *
 * A node's key is its node class, since nodes of a class have the same features, or its leaf
 * switch. The sets of a node are those of its key. ANYOF makes one set of all.
 *
 * Rules: BF-24.
 */

#include "policy/alloc/node_sets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "config/planning.h"
#include "policy/alloc/private.h"

struct maui_node_sets {
	int policy;
	bool largest; /* WORSTFIT */
	bool by_switch;
	uint32_t count; /* sets, in the order of NODESETLIST or by name */
	uint32_t *first,
		*members; /* a key's sets: members[first[key]] .. members[first[key+1]-1] */
};

/* ---- making them ---- */

/* A key and one of its names. */
struct name_of_key {
	const char *name;
	uint32_t key;
	uint32_t set; /* NO_SET: NODESETLIST does not have the name */
};

#define NO_SET UINT32_MAX

struct names {
	struct name_of_key *list;
	size_t count, alloc;
};

static int add_name(struct names *names, const char *name, uint32_t key)
{
	struct name_of_key *grown =
		maui_array_grow(names->list, names->count, &names->alloc, sizeof(*grown));

	if (!grown)
		return -1;
	names->list = grown;
	grown[names->count++] = (struct name_of_key){ .name = name, .key = key };
	return 0;
}

static int add_features(struct names *names, const char *text, uint32_t key,
			struct maui_arena *arena)
{
	char *copy = maui_arena_strdup(arena, text), *rest = NULL;

	if (text && !copy)
		return -1;
	for (char *one = copy ? strtok_r(copy, ",", &rest) : NULL; one;
	     one = strtok_r(NULL, ",", &rest))
		if (add_name(names, one, key))
			return -1;
	return 0;
}

/* Nodes on several leaf switches have one of their own, "s[1,3]" or "a,b" as Slurm writes a list:
 * it makes no set. */
static int add_switch(struct names *names, const char *name, uint32_t key)
{
	return strpbrk(name, "[,") ? 0 : add_name(names, name, key);
}

static int by_name(const void *a, const void *b)
{
	const struct name_of_key *one = a, *two = b;
	int order = strcmp(one->name, two->name);

	return order ? order : (one->key > two->key) - (one->key < two->key);
}

static uint32_t find_wanted(const struct maui_words *wanted, const char *name)
{
	for (size_t i = 0; i < wanted->count; i++)
		if (strcmp(wanted->list[i], name) == 0)
			return (uint32_t)i;
	return NO_SET;
}

/* Gives each name its set; returns how many sets there are. */
static uint32_t number_sets(struct names *names, const struct maui_node_set_config *rules)
{
	uint32_t count = 0, set = NO_SET;

	if (names->count > 0)
		qsort(names->list, names->count, sizeof(*names->list), by_name);
	for (size_t i = 0; i < names->count; i++) {
		struct name_of_key *one = &names->list[i];

		if (i == 0 || strcmp(one->name, one[-1].name) != 0)
			set = rules->list.count > 0 ? find_wanted(&rules->list, one->name) :
						      count++;
		one->set = set == NO_SET || rules->policy != MAUI_SETS_ANYOF ? set : 0;
	}
	if (rules->policy == MAUI_SETS_ANYOF)
		return 1;
	return rules->list.count > 0 ? (uint32_t)rules->list.count : count;
}

/* first[key + 1] counts the key's sets, then is the end of them. */
static int store_sets(struct maui_node_sets *sets, const struct names *names, uint32_t keys,
		      struct maui_arena *arena)
{
	uint32_t *next = maui_arena_alloc(arena, (keys + 1u) * sizeof(*next));

	sets->first = maui_arena_alloc(arena, (keys + 1u) * sizeof(*sets->first));
	sets->members = maui_arena_alloc(arena, (names->count + 1u) * sizeof(*sets->members));
	if (!next || !sets->first || !sets->members)
		return -1;
	for (size_t i = 0; i < names->count; i++)
		sets->first[names->list[i].key + 1] += names->list[i].set != NO_SET;
	for (uint32_t key = 0; key < keys; key++) {
		sets->first[key + 1] += sets->first[key];
		next[key] = sets->first[key];
	}
	for (size_t i = 0; i < names->count; i++)
		if (names->list[i].set != NO_SET)
			sets->members[next[names->list[i].key]++] = names->list[i].set;
	return 0;
}

static int collect_names(const struct maui_node_sets *sets, const struct maui_snapshot *s,
			 struct maui_arena *arena, struct names *ret)
{
	for (uint32_t key = 0; sets->by_switch && key < s->switch_count; key++)
		if (add_switch(ret, s->switches[key].name, key))
			return -1;
	for (uint32_t key = 0; !sets->by_switch && key < s->class_count; key++)
		if (add_features(ret, s->nodes[s->classes[key].sample].features, key, arena))
			return -1;
	return 0;
}

int maui_node_sets_make(const struct maui_config *config, const struct maui_snapshot *snapshot,
			struct maui_arena *arena, const struct maui_node_sets **ret)
{
	const struct maui_node_set_config *rules = &config->node_sets;
	struct names names = { 0 };
	struct maui_node_sets *sets;
	int rc;

	*ret = NULL;
	if (rules->policy == MAUI_SETS_NONE ||
	    (rules->attribute != MAUI_SET_BY_FEATURE && rules->attribute != MAUI_SET_BY_NETWORK))
		return 0;
	sets = maui_arena_alloc(arena, sizeof(*sets));
	if (!sets)
		return -1;
	sets->policy = rules->policy;
	sets->largest = rules->priority == MAUI_SET_WORSTFIT;
	sets->by_switch = rules->attribute == MAUI_SET_BY_NETWORK;
	rc = collect_names(sets, snapshot, arena, &names);
	if (rc == 0) {
		sets->count = number_sets(&names, rules);
		rc = store_sets(sets, &names,
				sets->by_switch ? snapshot->switch_count : snapshot->class_count,
				arena);
	}
	free(names.list);
	if (rc == 0)
		*ret = sets;
	return rc;
}

/* ---- using them ---- */

/* The sets of a node. */
struct sets_of {
	const uint32_t *list;
	uint32_t count;
};

static struct sets_of sets_of(const struct maui_shape *shape, uint32_t node)
{
	const struct maui_node_sets *sets = shape->sets;
	const struct maui_node *n = &shape->snapshot->nodes[node];
	uint32_t key = sets->by_switch ? n->leaf : n->class_index;

	if (sets->by_switch && key == MAUI_NO_SWITCH)
		return (struct sets_of){ 0 };
	return (struct sets_of){ &sets->members[sets->first[key]],
				 sets->first[key + 1] - sets->first[key] };
}

/* Under ANYOF a node may be in the one set several times; the others it is in once. */
static void add_node(const struct maui_shape *shape, const struct maui_candidate *c,
		     struct maui_alloc_sum *sums)
{
	const struct sets_of of = sets_of(shape, c->node);

	for (uint32_t i = 0; i < of.count && (i == 0 || of.list[i] != of.list[i - 1]); i++)
		maui_alloc_add(&sums[of.list[i]], c);
}

/* The next set to try of those that suffice; NO_SET: none is left. */
static uint32_t next_set(const struct maui_shape *shape, const struct maui_alloc_sum *sums)
{
	const struct maui_node_sets *sets = shape->sets;
	uint32_t best = NO_SET;

	for (uint32_t i = 0; i < sets->count; i++) {
		if (!maui_alloc_suffices(shape, &sums[i]))
			continue;
		if (best == NO_SET || (sets->policy == MAUI_SETS_ONEOF &&
				       (sets->largest ? sums[i].nodes > sums[best].nodes :
							sums[i].nodes < sums[best].nodes)))
			best = i;
	}
	return best;
}

/* Moves the candidates in the set to the front; returns how many. */
static size_t part_by_set(const struct maui_shape *shape, struct maui_candidate *list, size_t count,
			  uint32_t set)
{
	size_t front = 0;

	for (size_t i = 0; i < count; i++) {
		const struct sets_of of = sets_of(shape, list[i].node);
		uint32_t k = 0;

		while (k < of.count && of.list[k] != set)
			k++;
		if (k == of.count)
			continue;
		if (front < i)
			maui_alloc_swap(&list[front], &list[i]);
		front++;
	}
	return front;
}

bool maui_alloc_in_a_set(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			 size_t count, maui_alloc_choose_fn choose, uint32_t *ret_count)
{
	struct maui_alloc_sum *sums = calloc(shape->sets->count + 1u, sizeof(*sums));
	bool chosen = false;

	if (!sums)
		return false;
	for (size_t i = 0; i < count; i++)
		add_node(shape, &list[i], sums);
	while (!chosen) {
		uint32_t set = next_set(shape, sums);

		if (set == NO_SET)
			break;
		sums[set] = (struct maui_alloc_sum){ 0 }; /* suffices for nothing: tried once */
		chosen = choose(shape, policy, list, part_by_set(shape, list, count, set),
				ret_count);
	}
	free(sums);
	return chosen || (!shape->in_set && choose(shape, policy, list, count, ret_count));
}

int maui_node_sets_can_hold(const struct maui_shape *shape)
{
	const struct maui_snapshot *s = shape->snapshot;
	struct maui_candidate *list = calloc(s->node_count + 1u, sizeof(*list));
	struct maui_shape demanding = *shape;
	size_t count = 0;
	uint32_t chosen;
	bool failed, can;

	if (!list)
		return -1;
	demanding.in_set = true;
	for (uint32_t n = 0; n < s->node_count; n++) {
		int64_t tasks = shape->needs[s->nodes[n].class_index].most;

		if (tasks > 0 && s->nodes[n].usable_from_s != MAUI_NEVER &&
		    !maui_shape_excludes(shape, n))
			list[count++] = (struct maui_candidate){
				.node = n,
				.required = maui_shape_requires(shape, n),
				.tasks = tasks,
			};
	}
	can = maui_alloc_choose(&demanding, MAUI_ALLOC_FIRSTAVAILABLE, list, count, &chosen);
	failed = errno == ENOMEM;
	free(list);
	return failed ? -1 : can;
}
