/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.h - access tables: which reservations admit a job, and for how long
 *
 * A reservation is a SRCFG of maui.cfg or an administrative reservation; a table names it by its
 * index (`rsv`). reservation/access makes the tables; timeline and plan read them. Jobs that do not
 * differ in anything that an access list looks at share a table, so tables may be compared by
 * address.
 */
#ifndef MAUI_MODEL_ACCESS_H
#define MAUI_MODEL_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/search.h"
#include "model/when.h"

/* The affinity with this overlap or a shorter one. The last entry that matches counts, and a
 * TIMELIMIT matches short overlaps only. */
struct maui_access_short {
	int64_t overlap_s;
	int affinity;
};

struct maui_access {
	uint32_t rsv; /* index of the reservation */
	int affinity; /* enum maui_affinity of acl.h, for the longest overlap */
	/* the job and an instance may overlap this long, > 0; MAUI_NEVER: any time */
	int64_t overlap_s;
	bool own; /* with `only`: the job may run in this reservation */
	/* ascending by overlap_s: the first that is not shorter than the overlap counts */
	const struct maui_access_short *shorter;
	uint32_t shorter_count;
	/* with `own`: only in the instances that begin at these moments, ascending; NULL: in
	 * each */
	const int64_t *starts;
	uint32_t start_count;
};

struct maui_access_table {
	/* ascending by rsv; a reservation that is not listed does not admit the job */
	const struct maui_access *list;
	uint32_t count;
	/* the job may run only inside the reservations with `own`, for its whole span (ADVRES,
	 * USERESERVED); the other listed reservations admit it where they are stacked with these */
	bool only;
};

/* The affinity of a job with this overlap. */
static inline int maui_access_affinity(const struct maui_access *entry, int64_t overlap_s)
{
	for (uint32_t i = 0; i < entry->shorter_count; i++)
		if (overlap_s <= entry->shorter[i].overlap_s)
			return entry->shorter[i].affinity;
	return entry->affinity;
}

static inline bool maui_access_lies_before(const void *element, const void *rsv)
{
	return ((const struct maui_access *)element)->rsv < *(const uint32_t *)rsv;
}

/* NULL: the reservation does not admit the job. A NULL table admits nowhere. */
static inline const struct maui_access *maui_access_find(const struct maui_access_table *table,
							 uint32_t rsv)
{
	size_t at;

	if (!table)
		return NULL;
	at = maui_lower_bound(table->list, table->count, sizeof(*table->list),
			      maui_access_lies_before, &rsv);
	return at < table->count && table->list[at].rsv == rsv ? &table->list[at] : NULL;
}

static inline bool maui_access_starts_before(const void *element, const void *start)
{
	return *(const int64_t *)element < *(const int64_t *)start;
}

/* Whether jobs with this entry may run in the instance that begins at start_s as in their own. */
static inline bool maui_access_is_home(const struct maui_access *entry, int64_t start_s)
{
	size_t at;

	if (!entry->own || !entry->starts)
		return entry->own;
	at = maui_lower_bound(entry->starts, entry->start_count, sizeof(*entry->starts),
			      maui_access_starts_before, &start_s);
	return at < entry->start_count && entry->starts[at] == start_s;
}

#endif
