/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.c - whether a reservation admits a job (ACL-1 to ACL-9)
 *
 * The job alone decides all entries but TIMELIMIT. A TIMELIMIT matches a short enough overlap of
 * job and reservation, so the result is the longest overlap that is admitted; the affinity, that of
 * the last matching entry, may differ by the overlap.
 *
 * A job without a credential satisfies a list of ! or ^ entries of that kind: without slurmdbd no
 * job has an account. A required entry that matches admits a job only if the reservation has no
 * other entries. A job whose QOS has IGNSRMAXTIME matches every TIMELIMIT (our ruling).
 */

#include "reservation/access/access.h"

#include <string.h>
#include <strings.h>

#include "reservation/access/private.h"

/* Whether two names of a kind (enum maui_cred_kind or maui_acl_kind) are the same (ACL-12). */
static bool same_name(int kind, const char *a, const char *b)
{
	/* slurmctld writes accounts in lower case, users may not */
	return kind == MAUI_CRED_ACCOUNT ? strcasecmp(a, b) == 0 : strcmp(a, b) == 0;
}

bool maui_access_is_owners(const struct maui_rsv *rsv, const char *const *cred)
{
	return rsv->owner_kind >= 0 && rsv->owner_kind < MAUI_CRED_COUNT && rsv->owner &&
	       cred[rsv->owner_kind] &&
	       same_name(rsv->owner_kind, cred[rsv->owner_kind], rsv->owner);
}

static bool compares(const struct maui_acl_entry *entry, int64_t size)
{
	switch (entry->order) {
	case MAUI_ACL_AT_LEAST:
		return size >= entry->value;
	case MAUI_ACL_EXACTLY:
		return size == entry->value;
	default:
		return size <= entry->value;
	}
}

/* Whether the entry matches the job, apart from its marks. A TIMELIMIT matches if the overlap is
 * short enough. */
static bool is_named(const struct maui_acl_entry *entry, const struct maui_access_job *job,
		     int64_t overlap_s)
{
	switch (entry->kind) {
	case MAUI_ACL_DURATION:
		return job->ignore_time || overlap_s <= entry->value;
	case MAUI_ACL_TASK:
		return compares(entry, job->tasks);
	case MAUI_ACL_PROC:
		return compares(entry, job->procs);
	case MAUI_ACL_JOBATTR:
		return job->preemptee;
	default:
		return entry->kind < MAUI_CRED_COUNT && job->cred[entry->kind] && entry->name &&
		       same_name(entry->kind, entry->name, job->cred[entry->kind]);
	}
}

static bool is_negated(const struct maui_acl_entry *entry)
{
	/* a negated TIMELIMIT would ask for a long enough job */
	return (entry->deny || entry->xor) && entry->kind != MAUI_ACL_DURATION;
}

/* The result of comparing all entries with a job and an overlap. */
struct verdict {
	bool denied, required_missed;
	bool open_entries;                /* some entries are not required */
	bool matched;                     /* an entry that is not required matches */
	bool lists[MAUI_ACL_KIND_COUNT];  /* kinds that have ! or ^ entries that are not required */
	bool broken[MAUI_ACL_KIND_COUNT]; /* kinds in which a ! or ^ entry names the job */
	bool any_match;                   /* an entry matches, required ones included */
	int affinity;                     /* affinity of the last matching entry */
};

static void weigh_negated(const struct maui_acl_entry *entry, bool named, struct verdict *v)
{
	if (named && entry->deny)
		v->denied = true;
	if (entry->required && named)
		v->required_missed = true;
	if (!entry->required)
		v->open_entries = v->lists[entry->kind] = true;
	v->broken[entry->kind] |= named;
}

static struct verdict weigh(const struct maui_rsv *rsv, const struct maui_access_job *job,
			    int64_t overlap_s)
{
	struct verdict v = { .affinity = MAUI_AFFINITY_POSITIVE };

	for (size_t i = 0; i < rsv->acl.count; i++) {
		const struct maui_acl_entry *entry = &rsv->acl.list[i];
		bool named = is_named(entry, job, overlap_s);

		if (is_negated(entry)) {
			weigh_negated(entry, named, &v);
			continue;
		}
		if (entry->required)
			v.required_missed |= !named;
		else
			v.open_entries = true;
		v.matched |= named && !entry->required;
		if (named) {
			v.any_match = true;
			v.affinity = entry->affinity;
		}
	}
	return v;
}

static bool satisfies_not(const struct verdict *v)
{
	for (int kind = 0; kind < MAUI_ACL_KIND_COUNT; kind++)
		if (v->lists[kind] && !v->broken[kind])
			return true;
	return false;
}

enum maui_entry maui_access_check(const struct maui_rsv *rsv, const struct maui_access_job *job,
				  int64_t overlap_s, enum maui_affinity *ret_affinity)
{
	struct verdict v;

	*ret_affinity = MAUI_AFFINITY_NEUTRAL;
	if (overlap_s <= 0)
		return MAUI_ENTRY_OK;
	if (maui_rsv_has(rsv, MAUI_RSV_BYNAME) && !maui_rsv_is_meant(rsv, job->advres))
		return MAUI_ENTRY_BYNAME;
	if (rsv->acl.count == 0)
		return MAUI_ENTRY_EMPTY;
	v = weigh(rsv, job, overlap_s);
	if (v.denied)
		return MAUI_ENTRY_DENY;
	if (v.required_missed)
		return MAUI_ENTRY_REQUIRED;
	*ret_affinity = (enum maui_affinity)v.affinity;
	if (v.matched || !v.open_entries)
		return MAUI_ENTRY_OK;
	if (!satisfies_not(&v))
		return MAUI_ENTRY_NOMATCH;
	return v.any_match ? MAUI_ENTRY_OK : MAUI_ENTRY_NOT;
}

/* The longest overlap below `limit` that is the bound of a TIMELIMIT; 0: none. */
static int64_t next_lower(const struct maui_rsv *rsv, int64_t limit)
{
	int64_t longest = 0;

	for (size_t i = 0; i < rsv->acl.count; i++) {
		const struct maui_acl_entry *entry = &rsv->acl.list[i];

		if (entry->kind == MAUI_ACL_DURATION && entry->value < limit &&
		    entry->value > longest)
			longest = entry->value;
	}
	return longest;
}

/* Whether the reservation admits the job with this overlap, and with which affinity. */
static bool admits(const struct maui_rsv *rsv, const struct maui_access_job *job, int64_t overlap_s,
		   int *ret_affinity)
{
	enum maui_affinity affinity;
	enum maui_entry entry = maui_access_check(rsv, job, overlap_s, &affinity);

	*ret_affinity = affinity;
	return entry == MAUI_ENTRY_OK || entry == MAUI_ENTRY_NOT;
}

/* Lists the shorter overlaps with another affinity. A shorter overlap matches every entry that a
 * longer one matches, and perhaps one TIMELIMIT more, which may be the last matching entry. */
static int list_shorter(const struct maui_rsv *rsv, const struct maui_access_job *job,
			struct maui_arena *arena, struct maui_access *access)
{
	struct maui_access_short *list = NULL;
	int affinity, last = access->affinity;
	uint32_t at = (uint32_t)rsv->acl.count;

	for (int64_t overlap_s = next_lower(rsv, access->overlap_s); overlap_s > 0;
	     overlap_s = next_lower(rsv, overlap_s)) {
		if (!admits(rsv, job, overlap_s, &affinity) || affinity == last)
			continue;
		if (!list)
			list = maui_arena_alloc(arena, rsv->acl.count * sizeof(*list));
		if (!list)
			return -1;
		list[--at] = (struct maui_access_short){ overlap_s, affinity };
		last = affinity;
	}
	access->shorter = list ? &list[at] : NULL;
	access->shorter_count = list ? (uint32_t)rsv->acl.count - at : 0;
	return 0;
}

int maui_access_weigh(const struct maui_rsv *rsv, const struct maui_access_job *job,
		      struct maui_arena *arena, struct maui_access *access)
{
	access->overlap_s = MAUI_NEVER;
	while (access->overlap_s > 0 && !admits(rsv, job, access->overlap_s, &access->affinity))
		access->overlap_s = next_lower(rsv, access->overlap_s);
	return access->overlap_s > 0 ? list_shorter(rsv, job, arena, access) : 0;
}
