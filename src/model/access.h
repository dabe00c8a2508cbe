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

/* NULL: kept out. A NULL table lets in nowhere. */
static inline const struct maui_access *maui_access_find(const struct maui_access_table *table,
							 uint32_t rsv)
{
	uint32_t low = 0, high = table ? table->count : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (table->list[middle].rsv < rsv)
			low = middle + 1;
		else
			high = middle;
	}
	return table && low < table->count && table->list[low].rsv == rsv ? &table->list[low] :
									    NULL;
}

/* Whether those with this entry want to be in the instance that begins then. */
static inline bool maui_access_is_home(const struct maui_access *entry, int64_t start_s)
{
	uint32_t low = 0, high = entry->start_count;

	while (entry->starts && low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (entry->starts[middle] < start_s)
			low = middle + 1;
		else
			high = middle;
	}
	return entry->home &&
	       (!entry->starts || (low < entry->start_count && entry->starts[low] == start_s));
}

#endif
