/* SPDX-License-Identifier: GPL-2.0-or-later */
/* changes.c - changes that wait for the agent, and answers that wait for the server's thread */
#include "query/server_private.h"

#include <stdlib.h>

#include "base/limits.h"

void maui_pending_free(struct maui_query_pending *pending)
{
	if (!pending)
		return;
	json_object_put(pending->change.args);
	free(pending->line);
	free(pending);
}

static unsigned count_user(const struct maui_query_pending *list, uid_t payer)
{
	unsigned count = 0;

	for (; list; list = list->next)
		count += list->payer == payer;
	return count;
}

int maui_changes_add(struct maui_query_changes *changes, const struct maui_query_change *change,
		     uint64_t conn, uid_t payer, unsigned of_user, unsigned kept_free,
		     struct maui_query_error *error)
{
	struct maui_query_pending *pending, **end = &changes->queue;

	if (of_user &&
	    count_user(changes->queue, payer) + count_user(changes->taken, payer) >= of_user)
		return maui_query_fail(error, MAUI_QUERY_BUSY,
				       "%u changes of this user wait already: try again", of_user);
	if (changes->count + (of_user ? kept_free : 0) >= MAUI_QUERY_MAX_CHANGES)
		return maui_query_fail(error, MAUI_QUERY_BUSY, "%u changes wait already: try again",
				       changes->count);
	pending = calloc(1, sizeof(*pending));
	if (!pending)
		return maui_query_no_memory(error);
	pending->change = *change;
	pending->conn = conn;
	pending->payer = payer;
	while (*end)
		end = &(*end)->next;
	*end = pending;
	changes->count++;
	return 0;
}

struct maui_query_pending *maui_changes_take(struct maui_query_changes *changes)
{
	struct maui_query_pending **at = &changes->queue, *first;

	/* root's and SlurmUser's first: users may have many that take long */
	while (*at && !maui_query_is_ours((*at)->payer))
		at = &(*at)->next;
	if (!*at)
		at = &changes->queue;
	first = *at;
	if (!first)
		return NULL;
	*at = first->next;
	first->next = changes->taken;
	changes->taken = first;
	return first;
}

void maui_changes_answer(struct maui_query_changes *changes, struct maui_query_pending *pending)
{
	struct maui_query_pending **at = &changes->taken;

	while (*at != pending)
		at = &(*at)->next;
	*at = pending->next;
	changes->count--;
	pending->next = changes->answered;
	changes->answered = pending;
}

bool maui_changes_cancel(struct maui_query_changes *changes, uint64_t conn)
{
	for (struct maui_query_pending **at = &changes->queue; *at; at = &(*at)->next) {
		struct maui_query_pending *pending = *at;

		if (pending->conn != conn)
			continue;
		*at = pending->next;
		changes->count--;
		maui_pending_free(pending);
		return true;
	}
	return false;
}

static void free_list(struct maui_query_pending *list)
{
	while (list) {
		struct maui_query_pending *next = list->next;

		maui_pending_free(list);
		list = next;
	}
}

void maui_changes_finish(struct maui_query_changes *changes)
{
	free_list(changes->queue);
	free_list(changes->answered);
	*changes = (struct maui_query_changes){ 0 };
}
