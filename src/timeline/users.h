/* SPDX-License-Identifier: GPL-2.0-or-later */
/* users.h - which users have jobs on a node
 *
 * A step has a summary of its users. A summary cannot lose a user again, so each node lists the
 * stays of jobs, and steps that lose a job are summed up again.
 *
 * Memory: one stay of 32 bytes for each job on each node, independent of the number of steps.
 */
#ifndef MAUI_TIMELINE_USERS_H
#define MAUI_TIMELINE_USERS_H

#include <stdint.h>

#include "base/arena.h"

/* The summary: 0: nobody; the number of the only user, or MAUI_USER_SEVERAL. The bit MAUI_USER_SOLE
 * says that one of their jobs does not share the node with other users. */
#define MAUI_USER_SEVERAL UINT32_C(0x7fffffff)
#define MAUI_USER_SOLE    UINT32_C(0x80000000)

/* A job's time on a node: [from, until). */
struct maui_stay {
	struct maui_stay *next;
	int64_t from, until;
	uint32_t user; /* with MAUI_USER_SOLE or without it */
};

struct maui_users {
	struct maui_stay **of_node; /* the latest added first; NULL: nobody asks for users */
	struct maui_stay *spare;    /* stays that were removed */
};

/* The summary `who` with a job of the user more. */
static inline uint32_t maui_users_join(uint32_t who, uint32_t user)
{
	uint32_t several = who & ~MAUI_USER_SOLE, one = user & ~MAUI_USER_SOLE;

	if (several != 0 && several != one)
		one = MAUI_USER_SEVERAL;
	return one | ((who | user) & MAUI_USER_SOLE);
}

/* Adds a stay on the node, in the arena's memory. -1 without memory. */
int maui_users_add(struct maui_users *users, struct maui_arena *arena, uint32_t node,
		   struct maui_stay stay);
/* Removes a stay with the same span and user, if there is one. */
void maui_users_remove(struct maui_users *users, uint32_t node, struct maui_stay stay);

/* The summary of the stays at the moment, which was `before` until some were removed. */
uint32_t maui_users_at(const struct maui_users *users, uint32_t node, int64_t when,
		       uint32_t before);

#endif
