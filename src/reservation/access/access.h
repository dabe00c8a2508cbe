/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access.h - which reservations a job may use (Maui manual 7.1.5.2.3, 7.1.5.2.4; semantics f.1,
 * k.6)
 *
 * Within one reservation lists are or-ed, marks aside; where several cover the same resource all of
 * them must let the job in. What depends on time is left to whoever knows the job's span: TIMELIMIT
 * is a number of seconds that the job and the reservation may overlap.
 */
#ifndef MAUI_RESERVATION_ACCESS_ACCESS_H
#define MAUI_RESERVATION_ACCESS_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/access.h"
#include "model/rsv.h"

/* What of a job decides. Strings are borrowed. */
struct maui_access_job {
	const char *cred[MAUI_CRED_COUNT]; /* NULL: none */
	const char *advres; /* reservation that it names (ADVRES), or several of them: see
				   maui_rsv_is_meant(); NULL: none */
	int64_t tasks, procs;
	bool preemptee;       /* JOBATTRLIST */
	bool ignore_time;     /* QOS flag IGNSRMAXTIME */
	bool use_reserved;    /* QOS flag USERESERVED: nowhere but inside what lets it in ... */
	const char *use_only; /* ... of this name only (USERESERVED:id); NULL: any */
};

/* Why a job is kept out; in the order in which they are looked for (k.6). */
enum maui_entry {
	MAUI_ENTRY_OK,
	MAUI_ENTRY_NOT, /* let in only because a NOT list is satisfied */
	MAUI_ENTRY_BYNAME,
	MAUI_ENTRY_EMPTY,
	MAUI_ENTRY_DENY,
	MAUI_ENTRY_REQUIRED,
	MAUI_ENTRY_NOMATCH,
	MAUI_ENTRY_GONE,    /* of a plan: it names an instance that is over, or is not there */
	MAUI_ENTRY_UNKNOWN, /* likewise: a reservation that is not there */
	MAUI_ENTRY_FOREIGN, /* likewise: Slurm's, upon those that the job may not leave */
};

/* Names of one kind (enum maui_cred_kind or maui_acl_kind). */
bool maui_access_same_name(int kind, const char *a, const char *b);

/* One reservation and a job that overlaps with it by so many seconds. `ret_affinity` is set when it
 * is let in. An overlap of 0 is always let in. */
enum maui_entry maui_access_check(const struct maui_rsv *rsv, const struct maui_access_job *job,
				  int64_t overlap_s, enum maui_affinity *ret_affinity);

/* Which of many a job may use: looks only at those that mention it. Made once for a list of
 * reservations, which must stay as long as it is used. NULL without memory. */
struct maui_access_index;
struct maui_access_index *maui_access_index_create(const struct maui_rsv *const *list,
						   uint32_t count);
void maui_access_index_destroy(struct maui_access_index *index); /* NULL is fine */

/* The job's table: entries of those that let it in (at least for a while), ascending by group, the
 * index in the list. Of a job that names a reservation, or with USERESERVED:id, those it means
 * are its home; the others that let it in are in the table for where they are stacked upon those.
 * Of other jobs all are. Memory is the arena's. NULL without. */
const struct maui_access_table *maui_access_table(const struct maui_access_index *index,
						  const struct maui_access_job *job,
						  struct maui_arena *arena);

#endif
