/* SPDX-License-Identifier: GPL-2.0-or-later */
/* users.h - which users have jobs on a node
 *
 * A step names the set of its users by number; 0: nobody. A set counts the jobs of each user, so
 * that a job which gives its node back leaves no trace. Equal sets have one number.
 */
#ifndef MAUI_TIMELINE_USERS_H
#define MAUI_TIMELINE_USERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hashtable.h"

/* The summary of a set: the number of its only user, or MAUI_USER_SEVERAL. The bit MAUI_USER_SOLE
 * says that one of their jobs does not share the node with other users. */
#define MAUI_USER_SEVERAL UINT32_C(0x7fffffff)
#define MAUI_USER_SOLE    UINT32_C(0x80000000)

struct maui_user_set {
	uint32_t who; /* the summary */
	uint32_t count;
	/* by user, each with MAUI_USER_SOLE or without it; at least one job each */
	struct maui_user_jobs {
		uint32_t user, jobs;
	} of[];
};

struct maui_user_sets {
	const struct maui_user_set **list; /* set n is entry n - 1; in an arena */
	uint32_t count, alloc;
	struct maui_hashtable table; /* finds a set by its content */
	/* memory of the last set that was there already, with room for so many users */
	struct maui_user_set *spare;
	uint32_t spare_room;
};

/* Forgets all sets; their arena has been cleared. */
void maui_user_sets_clear(struct maui_user_sets *sets);

/* Adds a job of the user to the set (`by` 1), or removes one (-1); a set without such a job stays.
 * *set becomes the number of the new set, whose memory is the arena's. -1 without memory. */
int maui_user_sets_change(struct maui_user_sets *sets, struct maui_arena *arena, uint32_t *set,
			  uint32_t user, int by);

/* The summary of a set; 0: nobody. */
static inline uint32_t maui_user_sets_who(const struct maui_user_sets *sets, uint32_t set)
{
	return set ? sets->list[set - 1]->who : 0;
}

#endif
