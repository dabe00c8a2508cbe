/* SPDX-License-Identifier: GPL-2.0-or-later */
/* users.c - which users have jobs on a node */

#include "timeline/users.h"

int maui_users_add(struct maui_users *users, struct maui_arena *arena, uint32_t node,
		   struct maui_stay stay)
{
	struct maui_stay *made = users->spare;

	if (made)
		users->spare = made->next;
	else
		made = maui_arena_alloc(arena, sizeof(*made));
	if (!made)
		return -1;
	stay.next = users->of_node[node];
	*made = stay;
	users->of_node[node] = made;
	return 0;
}

void maui_users_remove(struct maui_users *users, uint32_t node, struct maui_stay stay)
{
	for (struct maui_stay **at = &users->of_node[node]; *at; at = &(*at)->next) {
		struct maui_stay *found = *at;

		if (found->from != stay.from || found->until != stay.until ||
		    found->user != stay.user)
			continue;
		*at = found->next;
		found->next = users->spare;
		users->spare = found;
		return;
	}
}

uint32_t maui_users_at(const struct maui_users *users, uint32_t node, int64_t when, uint32_t before)
{
	const struct maui_stay *stay = users->of_node[node];
	uint32_t who = 0;

	for (; stay && who != before; stay = stay->next)
		if (stay->from <= when && when < stay->until)
			who = maui_users_join(who, stay->user);
	return who;
}
