/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_private.h - the memory behind a snapshot, for snapshot*.c only */
#ifndef MAUI_MODEL_SNAPSHOT_PRIVATE_H
#define MAUI_MODEL_SNAPSHOT_PRIVATE_H

#include "base/hashtable.h"
#include "base/strbuf.h"
#include "model/snapshot.h"

struct maui_snapshot_store {
	struct maui_arena arena;
	/* allocated lengths of the snapshot's arrays */
	size_t partitions, nodes, classes, requests, creds, claims, global_claims, active, idle;
	struct maui_hashtable request_table, cred_table, user_table; /* of entries, by their keys */
	struct maui_strbuf key; /* the key that is being looked up */
	uint32_t user_count;
};

/* The index stored under the key. If there is none, stores `index` and returns it. -1 without
 * memory. */
int64_t maui_snapshot_intern(struct maui_snapshot_store *store, struct maui_hashtable *table,
			     uint32_t index);

/* A copy of size bytes in the snapshot's memory. */
void *maui_snapshot_copy(struct maui_snapshot *s, const void *data, size_t size);

/* Makes an array long enough for one more element after `count`. */
#define MAUI_SNAPSHOT_GROW(s, array, count, room) \
	maui_snapshot_grow((void **)&(s)->array, (s)->count, &(s)->store->room, sizeof(*(s)->array))
int maui_snapshot_grow(void **array, size_t count, size_t *room, size_t size);
#define MAUI_SNAPSHOT_FREE(s, array) \
	maui_bulk_free((s)->array, (s)->store->array * sizeof(*(s)->array))

#endif
