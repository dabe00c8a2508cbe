/* SPDX-License-Identifier: GPL-2.0-or-later */
/* users.c - which users have jobs on a node */

#include "timeline/users.h"

#include <stdbool.h>
#include <string.h>

#include "base/hash.h"

void maui_user_sets_clear(struct maui_user_sets *sets)
{
	maui_hashtable_clear(&sets->table);
	sets->list = NULL;
	sets->spare = NULL;
	sets->count = sets->alloc = sets->spare_room = 0;
}

/* Writes the changed set to `ret`, which has room for one user more. */
static void change_set(const struct maui_user_set *set, uint32_t user, int by,
		       struct maui_user_set *ret)
{
	uint32_t count = set ? set->count : 0, at = 0, here = 0;
	uint32_t jobs;

	while (at < count && set->of[at].user < user)
		at++;
	here = at < count && set->of[at].user == user;
	jobs = here ? set->of[at].jobs : 0;
	if (by > 0 || jobs > 0)
		jobs += (uint32_t)by;
	ret->count = at;
	if (at > 0)
		memcpy(ret->of, set->of, at * sizeof(*ret->of));
	if (jobs > 0)
		ret->of[ret->count++] = (struct maui_user_jobs){ user, jobs };
	for (uint32_t i = at + here; i < count; i++)
		ret->of[ret->count++] = set->of[i];
}

static uint32_t sum_up(const struct maui_user_set *set)
{
	uint32_t who = 0, sole = 0;

	for (uint32_t i = 0; i < set->count; i++) {
		uint32_t user = set->of[i].user & ~MAUI_USER_SOLE;

		sole |= set->of[i].user & MAUI_USER_SOLE;
		who = who == 0 || who == user ? user : MAUI_USER_SEVERAL;
	}
	return who | sole;
}

static uint64_t hash_set(const struct maui_user_set *set)
{
	uint64_t hash = set->count;

	for (uint32_t i = 0; i < set->count; i++)
		hash = maui_hash_mix(hash, (uint64_t)set->of[i].user << 32 | set->of[i].jobs);
	return hash;
}

struct set_key {
	const struct maui_user_sets *sets;
	const struct maui_user_set *set;
};

/* The table has the numbers of sets. */
static bool has_content(const void *value, const void *key)
{
	const struct set_key *wanted = key;
	const struct maui_user_set *set = wanted->sets->list[(uintptr_t)value - 1];

	return set->count == wanted->set->count &&
	       memcmp(set->of, wanted->set->of, set->count * sizeof(*set->of)) == 0;
}

static int make_room(struct maui_user_sets *sets, struct maui_arena *arena)
{
	uint32_t alloc = sets->alloc ? 2 * sets->alloc : 64;
	const struct maui_user_set **list;

	if (sets->count < sets->alloc)
		return 0;
	list = maui_arena_alloc(arena, alloc * sizeof(*list));
	if (!list)
		return -1;
	if (sets->count > 0)
		memcpy(list, sets->list, sets->count * sizeof(*list));
	sets->list = list;
	sets->alloc = alloc;
	return 0;
}

/* Room for a set of so many users; NULL without memory. */
static struct maui_user_set *make_set(struct maui_user_sets *sets, struct maui_arena *arena,
				      uint32_t users)
{
	if (sets->spare_room < users) {
		sets->spare = maui_arena_alloc(
			arena, sizeof(*sets->spare) + users * sizeof(struct maui_user_jobs));
		sets->spare_room = sets->spare ? users : 0;
	}
	return sets->spare;
}

int maui_user_sets_change(struct maui_user_sets *sets, struct maui_arena *arena, uint32_t *set,
			  uint32_t user, int by)
{
	const struct maui_user_set *from = *set ? sets->list[*set - 1] : NULL;
	struct maui_user_set *to = make_set(sets, arena, from ? from->count + 1 : 1);
	const struct set_key key = { sets, to };
	uint64_t hash;
	void *found;

	if (!to)
		return -1;
	change_set(from, user, by, to);
	hash = hash_set(to);
	found = maui_hashtable_find(&sets->table, hash, has_content, &key);
	if (to->count == 0 || found) {
		*set = (uint32_t)(uintptr_t)found;
		return 0;
	}
	to->who = sum_up(to);
	if (make_room(sets, arena) ||
	    maui_hashtable_add(&sets->table, hash, (void *)(uintptr_t)(sets->count + 1)))
		return -1;
	sets->list[sets->count++] = to;
	sets->spare = NULL;
	sets->spare_room = 0;
	*set = sets->count;
	return 0;
}
