/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_intern.c - stores equal requests and equal credentials once
 *
 * A string of bytes, the key, contains everything that makes two of them equal.
 */

#include <string.h>

#include "base/hash.h"
#include "model/snapshot_private.h"

struct entry {
	uint32_t index;
	size_t length;
	char key[];
};

static uint64_t hash_key(const struct maui_strbuf *key)
{
	return maui_hash_mix(maui_hash_bytes(key->text, key->length), key->length);
}

static bool has_key(const void *value, const void *key)
{
	const struct entry *entry = value;
	const struct maui_strbuf *wanted = key;

	return entry->length == wanted->length &&
	       memcmp(entry->key, wanted->text, wanted->length) == 0;
}

/* The index stored under the key; -1: none. */
static int64_t find_index(const struct maui_snapshot_store *store,
			  const struct maui_hashtable *table)
{
	const struct entry *entry =
		maui_hashtable_find(table, hash_key(&store->key), has_key, &store->key);

	return entry ? (int64_t)entry->index : -1;
}

/* Stores the index under the key, under which there is none, and returns it. -1 without memory. */
static int64_t add_index(struct maui_snapshot_store *store, struct maui_hashtable *table,
			 uint32_t index)
{
	const struct maui_strbuf *key = &store->key;
	struct entry *entry = maui_arena_alloc(&store->arena, sizeof(*entry) + key->length);

	if (!entry)
		return -1;
	*entry = (struct entry){ .index = index, .length = key->length };
	memcpy(entry->key, key->text, key->length);
	return maui_hashtable_add(table, hash_key(key), entry) ? -1 : (int64_t)index;
}

int64_t maui_snapshot_intern(struct maui_snapshot_store *store, struct maui_hashtable *table,
			     uint32_t index)
{
	int64_t found = find_index(store, table);

	return found >= 0 ? found : add_index(store, table, index);
}

static void put(struct maui_strbuf *key, const void *data, size_t size)
{
	maui_strbuf_add(key, data, size);
}

/* A list, preceded by its length. A missing list differs from an empty one. */
static void put_list(struct maui_strbuf *key, const void *list, size_t count, size_t size)
{
	size_t length = list ? count + 1 : 0;

	put(key, &length, sizeof(length));
	if (list)
		put(key, list, count * size);
}

/* An empty list is none: the copy of a request has no empty one. */
static void put_ids(struct maui_strbuf *key, const uint32_t *list, uint32_t count)
{
	put_list(key, count > 0 ? list : NULL, count, sizeof(*list));
}

static void put_text(struct maui_strbuf *key, const char *text)
{
	put_list(key, text, text ? strlen(text) : 0, 1);
}

static void put_request(struct maui_strbuf *key, const struct maui_request *r, size_t amounts)
{
	const uint64_t plain[] = {
		r->nodes_min,      r->nodes_max,          r->tasks,
		r->procs_per_task, r->tasks_per_node_min, r->tasks_per_node_max,
		r->whole_nodes,    r->all_memory,         r->contiguous,
		r->sole_user,      r->nodes_named,        r->only_claims,
		r->threads_used,   r->global_claim,       r->passes_shares,
		r->spread,         r->switches_max,       r->segment,
		r->asks_slurm,     r->shares_procs,       r->least_request,
	};

	put(key, plain, sizeof(plain));
	put_list(key, r->per_node, amounts, sizeof(int64_t));
	put_list(key, r->per_task, amounts, sizeof(int64_t));
	put_list(key, r->per_proc, amounts, sizeof(int64_t));
	put_list(key, r->per_job, amounts, sizeof(int64_t));
	put_list(key, r->least, amounts, sizeof(int64_t));
	put_list(key, r->global, amounts, sizeof(int64_t));
	put_text(key, r->features);
	put_ids(key, r->required, r->required_count);
	put_ids(key, r->excluded, r->excluded_count);
	put_ids(key, r->claims, r->claim_count);
}

static int copy_list(struct maui_snapshot *s, const uint32_t **list, uint32_t count)
{
	if (count == 0) {
		*list = NULL;
		return 0;
	}
	*list = maui_snapshot_copy(s, *list, count * sizeof(**list));
	return *list ? 0 : -1;
}

static int copy_amounts(struct maui_snapshot *s, const int64_t **amounts)
{
	if (!*amounts)
		return 0;
	*amounts = maui_snapshot_amounts(s, *amounts);
	return *amounts ? 0 : -1;
}

static int copy_request(struct maui_snapshot *s, struct maui_request *r)
{
	if (r->features && !(r->features = maui_arena_strdup(&s->store->arena, r->features)))
		return -1;
	if (copy_amounts(s, &r->per_node) || copy_amounts(s, &r->per_task) ||
	    copy_amounts(s, &r->per_proc) || copy_amounts(s, &r->per_job) ||
	    copy_amounts(s, &r->least) || copy_amounts(s, &r->global) ||
	    copy_list(s, &r->required, r->required_count) ||
	    copy_list(s, &r->excluded, r->excluded_count) ||
	    copy_list(s, &r->claims, r->claim_count))
		return -1;
	return 0;
}

static bool is_ascending(const uint32_t *list, uint32_t count, uint32_t limit)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i] >= limit || (i > 0 && list[i] <= list[i - 1]))
			return false;
	return true;
}

int64_t maui_snapshot_request(struct maui_snapshot *s, const struct maui_request *request)
{
	struct maui_request r = *request;
	int64_t index;

	if (!s->sealed || !is_ascending(r.required, r.required_count, s->node_count) ||
	    !is_ascending(r.excluded, r.excluded_count, s->node_count) ||
	    !is_ascending(r.claims, r.claim_count, s->claim_count) ||
	    r.global_claim > s->global_claim_count ||
	    MAUI_SNAPSHOT_GROW(s, requests, request_count, requests))
		return -1;
	if (r.nodes_min < 1)
		r.nodes_min = 1;
	if (r.procs_per_task < 1)
		r.procs_per_task = 1;
	maui_strbuf_clear(&s->store->key);
	put_request(&s->store->key, &r, s->amount_count);
	if (s->store->key.failed)
		return -1;
	index = find_index(s->store, &s->store->request_table);
	if (index >= 0)
		return index;
	/* the key is stored last: without memory it must not lead to the next request */
	if (copy_request(s, &r) ||
	    add_index(s->store, &s->store->request_table, s->request_count) < 0)
		return -1;
	s->requests[s->request_count] = r;
	return s->request_count++;
}

int64_t maui_snapshot_change_request(struct maui_snapshot *s, uint32_t request,
				     maui_request_change_fn *change, void *data)
{
	struct maui_request r = s->requests[request];

	if (change(data, &r))
		return -1;
	if (r.least_request > 0) {
		int64_t least = maui_snapshot_change_request(s, r.least_request - 1, change, data);

		if (least < 0)
			return -1;
		r.least_request = (uint32_t)least + 1;
	}
	return maui_snapshot_request(s, &r);
}

/* The number of a user's name; 0 without memory. */
static uint32_t user_number(struct maui_snapshot *s, const char *name)
{
	struct maui_snapshot_store *store = s->store;
	int64_t number;

	maui_strbuf_clear(&store->key);
	put_text(&store->key, name);
	if (store->key.failed)
		return 0;
	number = maui_snapshot_intern(store, &store->user_table, store->user_count + 1);
	if (number == store->user_count + 1)
		store->user_count++;
	return number < 0 ? 0 : (uint32_t)number;
}

/* Sets the key to these credentials. -1 without memory. */
static int put_creds(struct maui_snapshot_store *store, const char *const *cred)
{
	maui_strbuf_clear(&store->key);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		put_text(&store->key, cred[k]);
	return store->key.failed ? -1 : 0;
}

int64_t maui_snapshot_creds(struct maui_snapshot *s, const char *const *cred)
{
	struct maui_credentials fresh = { 0 };
	int64_t index;

	if (MAUI_SNAPSHOT_GROW(s, creds, cred_count, creds) || put_creds(s->store, cred))
		return -1;
	index = find_index(s->store, &s->store->cred_table);
	if (index >= 0)
		return index;
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		fresh.cred[k] = maui_arena_strdup(&s->store->arena, cred[k]);
		if (cred[k] && !fresh.cred[k])
			return -1;
	}
	fresh.user = user_number(s, cred[MAUI_CRED_USER]); /* with a key of its own */
	if (fresh.user == 0 || put_creds(s->store, cred) ||
	    add_index(s->store, &s->store->cred_table, s->cred_count) < 0)
		return -1;
	s->creds[s->cred_count] = fresh;
	return s->cred_count++;
}
