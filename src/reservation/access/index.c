/* SPDX-License-Identifier: GPL-2.0-or-later */
/* index.c - which reservations could admit a job, found by the names on their access lists
 *
 * A reservation is filed under names one of which an admitted job must have: under the name of a
 * required entry if there is one, else under the names of all entries that are not required. If one
 * of these entries has no name (a limit, a list with ! or ^), the reservation is filed under
 * `unnamed`. A reservation with BYNAME is found by its own name only.
 */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/search.h"
#include "model/mirror.h"
#include "reservation/access/private.h"

struct posting {
	int kind;         /* enum maui_cred_kind, MAUI_ACL_JOBATTR or BY_RSV_NAME */
	const char *name; /* borrowed from the reservation */
	uint32_t rsv;     /* index in the list */
};

enum { BY_RSV_NAME = MAUI_ACL_KIND_COUNT };

struct maui_access_index {
	const struct maui_rsv *const *list;
	uint32_t count;
	struct posting *postings; /* by kind, name, rsv */
	size_t posting_count;
	uint32_t *unnamed; /* ascending */
	uint32_t unnamed_count;
};

static int compare_names(int kind, const char *a, const char *b)
{
	return kind == MAUI_CRED_ACCOUNT ? strcasecmp(a, b) : strcmp(a, b);
}

static int compare_keys(const struct posting *a, const struct posting *b)
{
	if (a->kind != b->kind)
		return (a->kind > b->kind) - (a->kind < b->kind);
	return compare_names(a->kind, a->name, b->name);
}

static int by_key(const void *a, const void *b)
{
	const struct posting *one = a, *two = b;
	int order = compare_keys(one, two);

	return order ? order : (one->rsv > two->rsv) - (one->rsv < two->rsv);
}

/* ---- filing reservations ---- */

/* Whether only a job with the name of the entry matches it. */
static bool has_name(const struct maui_acl_entry *entry)
{
	return entry->name && entry->kind <= MAUI_ACL_JOBATTR && !entry->deny && !entry->xor ;
}

static const struct maui_acl_entry *find_required(const struct maui_rsv *rsv)
{
	for (size_t i = 0; i < rsv->acl.count; i++)
		if (rsv->acl.list[i].required && has_name(&rsv->acl.list[i]))
			return &rsv->acl.list[i];
	return NULL;
}

/* Whether an entry without a name may admit a job. */
static bool admits_unnamed(const struct maui_rsv *rsv)
{
	bool named = false;

	for (size_t i = 0; i < rsv->acl.count; i++) {
		if (rsv->acl.list[i].required)
			continue;
		if (!has_name(&rsv->acl.list[i]))
			return true;
		named = true;
	}
	return !named; /* required entries only, none of them with a name */
}

static void file_under(struct maui_access_index *index, int kind, const char *name, uint32_t number)
{
	index->postings[index->posting_count++] = (struct posting){ kind, name, number };
}

static void file_under_names(struct maui_access_index *index, uint32_t number)
{
	const struct maui_rsv *rsv = index->list[number];
	const struct maui_acl_entry *required = find_required(rsv);

	if (rsv->acl.count == 0 || maui_rsv_has(rsv, MAUI_RSV_BYNAME))
		return;
	if (required) {
		file_under(index, required->kind, required->name, number);
		return;
	}
	if (admits_unnamed(rsv)) {
		index->unnamed[index->unnamed_count++] = number;
		return;
	}
	for (size_t i = 0; i < rsv->acl.count; i++)
		if (!rsv->acl.list[i].required)
			file_under(index, rsv->acl.list[i].kind, rsv->acl.list[i].name, number);
}

struct maui_access_index *maui_access_index_create(const struct maui_rsv *const *list,
						   uint32_t count)
{
	struct maui_access_index *index = calloc(1, sizeof(*index));
	size_t entries = count;

	if (!index)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		entries += list[i]->acl.count;
	*index = (struct maui_access_index){ .list = list, .count = count };
	index->postings = calloc(entries + 1, sizeof(*index->postings));
	index->unnamed = calloc((size_t)count + 1, sizeof(*index->unnamed));
	if (!index->postings || !index->unnamed) {
		maui_access_index_destroy(index);
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++) {
		file_under_names(index, i);
		if (list[i]->name)
			file_under(index, BY_RSV_NAME, list[i]->name, i);
	}
	qsort(index->postings, index->posting_count, sizeof(*index->postings), by_key);
	return index;
}

void maui_access_index_destroy(struct maui_access_index *index)
{
	if (!index)
		return;
	free(index->postings);
	free(index->unnamed);
	free(index);
}

/* ---- finding reservations ---- */

struct candidate {
	uint32_t rsv; /* index in the list */
	bool meant;   /* ADVRES names it */
};

/* Reservations that may admit the job. A reservation may be listed more than once. */
struct candidates {
	struct candidate *list; /* NULL: only count them */
	uint32_t count;
	bool failed; /* no memory: some are missing */
};

static void add_candidate(struct candidates *c, uint32_t number, bool meant)
{
	if (c->list)
		c->list[c->count] = (struct candidate){ number, meant };
	c->count++;
}

static bool is_before(const void *posting, const void *key)
{
	return compare_keys(posting, key) < 0;
}

/* Adds the reservations that are filed under a name. `one`: the name in ADVRES that this call looks
 * up; NULL: `name` is a credential or an attribute of the job. */
static void add_posted(const struct maui_access_index *index, int kind, const char *name,
		       const char *one, struct candidates *c)
{
	const struct posting key = { .kind = kind, .name = name };
	size_t at = maui_lower_bound(index->postings, index->posting_count,
				     sizeof(*index->postings), is_before, &key);

	for (; at < index->posting_count && compare_keys(&index->postings[at], &key) == 0; at++) {
		uint32_t number = index->postings[at].rsv;

		add_candidate(c, number,
			      one && maui_rsv_suffix(index->list[number], one, strlen(one)) != -2);
	}
}

/* Adds the reservations that one name in ADVRES means: by their own name, or by that of an instance
 * or mirror. */
static void add_advres_name(const struct maui_access_index *index, const char *text,
			    struct maui_arena *arena, struct candidates *c)
{
	const size_t prefix = strlen(MAUI_MIRROR_PREFIX);
	char *stem = maui_arena_strdup(arena, text), *dot = stem ? strrchr(stem, '.') : NULL;

	c->failed |= !stem;
	if (!stem)
		return;
	add_posted(index, BY_RSV_NAME, text, text, c);
	if (!dot)
		return;
	*dot = '\0';
	add_posted(index, BY_RSV_NAME, stem, text, c);
	if (strncmp(stem, MAUI_MIRROR_PREFIX, prefix) == 0)
		add_posted(index, BY_RSV_NAME, stem + prefix, text, c);
}

static void add_named(const struct maui_access_index *index, const char *text,
		      struct maui_arena *arena, struct candidates *c)
{
	char *copy = maui_arena_strdup(arena, text), *save = NULL;

	c->failed |= !copy;
	for (char *one = copy ? strtok_r(copy, ",", &save) : NULL; one;
	     one = strtok_r(NULL, ",", &save))
		add_advres_name(index, one, arena, c);
}

static void collect(const struct maui_access_index *index, const struct maui_access_job *job,
		    struct maui_arena *arena, struct candidates *c)
{
	if (job->advres) /* finds those with BYNAME as well */
		add_named(index, job->advres, arena, c);
	for (int kind = 0; kind < MAUI_CRED_COUNT; kind++)
		if (job->cred[kind])
			add_posted(index, kind, job->cred[kind], NULL, c);
	if (job->preemptee)
		add_posted(index, MAUI_ACL_JOBATTR, "PREEMPTEE", NULL, c);
	for (uint32_t i = 0; i < index->unnamed_count; i++)
		add_candidate(c, index->unnamed[i], false);
}

/* By reservation; the candidate that ADVRES names first. */
static int by_rsv(const void *a, const void *b)
{
	const struct candidate *one = a, *two = b;

	if (one->rsv != two->rsv)
		return one->rsv > two->rsv ? 1 : -1;
	return two->meant - one->meant;
}

/* Whether the reservation is one of the job's own. */
static bool is_own(const struct maui_rsv *rsv, const struct maui_access_job *job, bool meant)
{
	return (!job->advres || meant) &&
	       (!job->use_reserved || !job->use_only || maui_rsv_is_meant(rsv, job->use_only));
}

/* Builds the table's entries from the candidates that admit the job; `list` is large enough for all
 * candidates. -1 without memory. */
static int make_entries(const struct maui_access_index *index, const struct maui_access_job *job,
			const struct candidates *c, struct maui_arena *arena,
			struct maui_access *list, uint32_t *ret_count)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct candidate *one = &c->list[i];
		const struct maui_rsv *rsv = index->list[one->rsv];
		struct maui_access access = { .rsv = one->rsv };

		if (i > 0 && one->rsv == one[-1].rsv)
			continue;
		access.own = is_own(rsv, job, one->meant);
		if (maui_access_weigh(rsv, job, arena, &access))
			return -1;
		if (access.overlap_s > 0)
			list[(*ret_count)++] = access;
	}
	return 0;
}

const struct maui_access_table *maui_access_table(const struct maui_access_index *index,
						  const struct maui_access_job *job,
						  struct maui_arena *arena)
{
	struct maui_access_table *table = maui_arena_alloc(arena, sizeof(*table));
	struct candidates c = { 0 };
	struct maui_access *list;
	size_t room;

	collect(index, job, arena, &c);
	if (!table || c.failed) /* there would be too little room for the second pass */
		return NULL;
	room = c.count;
	c = (struct candidates){ .list = maui_arena_alloc(arena, room * sizeof(*c.list)) };
	list = maui_arena_alloc(arena, room * sizeof(*list));
	if (!c.list || !list)
		return NULL;
	collect(index, job, arena, &c);
	if (c.failed)
		return NULL;
	qsort(c.list, c.count, sizeof(*c.list), by_rsv);
	*table = (struct maui_access_table){ .list = list,
					     .only = job->advres || job->use_reserved };
	return make_entries(index, job, &c, arena, list, &table->count) ? NULL : table;
}
