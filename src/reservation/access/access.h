/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.h - which reservations a job may use: access lists (ACL-1 to ACL-12; Maui manual
 * 7.1.5.2.3)
 *
 * In: the access list of a reservation, and the credentials and size of a job. Out: whether the
 * reservation admits the job, with which affinity, and for how long. One matching entry suffices
 * within a reservation; reservations that overlap on a node must all admit the job, which the
 * timeline decides (timeline/claims.h). Only the timeline knows when a job would run, so a
 * TIMELIMIT becomes the longest overlap, in seconds, with which the reservation admits the job.
 *
 * Rules: ACL-2, ACL-3, ACL-4, ACL-5, ACL-6, ACL-7, ACL-8, ACL-9, ACL-14.
 */
#ifndef MAUI_RESERVATION_ACCESS_ACCESS_H
#define MAUI_RESERVATION_ACCESS_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/access.h"
#include "model/rsv.h"

/* The properties of a job that access lists compare. Strings are borrowed. */
struct maui_access_job {
	const char *cred[MAUI_CRED_COUNT]; /* NULL: none */
	const char *advres; /* the reservation that it names (ADVRES), or several: see
				   maui_rsv_is_meant(); NULL: none */
	int64_t tasks, procs;
	bool preemptee;       /* JOBATTRLIST */
	bool ignore_time;     /* QOS flag IGNSRMAXTIME */
	bool use_reserved;    /* QOS flag USERESERVED: only inside reservations that admit it ... */
	const char *use_only; /* ... and have this name (USERESERVED:id); NULL: any */
};

/* Why a reservation does not admit a job, in the order of the checks (ACL-1). */
enum maui_entry {
	MAUI_ENTRY_OK,
	MAUI_ENTRY_NOT, /* admitted, but only because a NOT list is satisfied */
	MAUI_ENTRY_BYNAME,
	MAUI_ENTRY_EMPTY,
	MAUI_ENTRY_DENY,
	MAUI_ENTRY_REQUIRED,
	MAUI_ENTRY_NOMATCH,
	MAUI_ENTRY_GONE,    /* set by the plan: the job names an instance that does not exist */
	MAUI_ENTRY_UNKNOWN, /* likewise: a reservation that does not exist */
	/* likewise: a Slurm reservation covers the nodes of the reservations that the job must
	 * use */
	MAUI_ENTRY_FOREIGN,
};

/* Whether a job of these credentials is one of the reservation's owner (RSV-14). */
bool maui_access_is_owners(const struct maui_rsv *rsv, const char *const *cred);

/* Whether a reservation admits a job that overlaps it by `overlap` seconds. Sets `ret_affinity` if
 * it does. An overlap of 0 is always admitted. */
enum maui_entry maui_access_check(const struct maui_rsv *rsv, const struct maui_access_job *job,
				  int64_t overlap_s, enum maui_affinity *ret_affinity);

/* An index of many reservations by the names on their access lists, because a user list may have a
 * thousand names and every job shape is looked up. Borrows the list of reservations. NULL without
 * memory. */
struct maui_access_index;
struct maui_access_index *maui_access_index_create(const struct maui_rsv *const *list,
						   uint32_t count);
void maui_access_index_destroy(struct maui_access_index *index); /* NULL is fine */

/* The access table of a job: an entry for each reservation that admits it, at least for a while,
 * ascending by `rsv`, the index of the reservation in the list. For a job that names
 * reservations, or has USERESERVED:id, the named ones are its own (`own`); the others are in the
 * table because they may cover the same nodes. For other jobs all are. Memory is the arena's;
 * NULL without. */
const struct maui_access_table *maui_access_table(const struct maui_access_index *index,
						  const struct maui_access_job *job,
						  struct maui_arena *arena);

#endif
