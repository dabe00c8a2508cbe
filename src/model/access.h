/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.h - what reservations (by rsv: one a SRCFG or administrative reservation) let a job in
 *
 * Made by policy/access.h, asked by timeline and plan. Jobs that differ in nothing that decides
 * share a table, so tables may be compared by address.
 */
#ifndef MAUI_MODEL_ACCESS_H
#define MAUI_MODEL_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/search.h"
#include "model/when.h"

/* With an overlap of this or less: another affinity, since a TIMELIMIT is the last that matches. */
struct maui_access_short {
	int64_t overlap_s;
	int affinity;
};

struct maui_access {
	uint32_t rsv;      /* index of the reservation */
	int affinity;      /* enum maui_affinity of acl.h: of the longest overlap */
	int64_t overlap_s; /* the job and an instance may overlap by so much, > 0; MAUI_NEVER: by
			       any time */
	bool home;         /* with `only`: the job is where it wants to be ... */
	const struct maui_access_short *shorter; /* ascending: the first that is met holds */
	uint32_t shorter_count;
	const int64_t *starts; /* ... in instances that begin then only, ascending; NULL: in each */
	uint32_t start_count;
};

struct maui_access_table {
	const struct maui_access *list; /* ascending by rsv; who is not in it is kept out */
	uint32_t count;
	bool only; /* the job may run nowhere but inside those with `home`, for all of its span
		      (ADVRES, USERESERVED); others let it in where they are stacked upon them */
};

/* How gladly who overlaps by so much is inside. */
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

/* NULL: kept out. A NULL table lets in nowhere. */
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

/* Whether those with this entry want to be in the instance that begins then. */
static inline bool maui_access_is_home(const struct maui_access *entry, int64_t start_s)
{
	size_t at;

	if (!entry->home || !entry->starts)
		return entry->home;
	at = maui_lower_bound(entry->starts, entry->start_count, sizeof(*entry->starts),
			      maui_access_starts_before, &start_s);
	return at < entry->start_count && entry->starts[at] == start_s;
}

#endif
