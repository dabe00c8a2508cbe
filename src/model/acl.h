/* SPDX-License-Identifier: GPL-2.0-or-later */
/* acl.h - the access list of a reservation, as written (Maui manual 7.1.5.1.2, 7.1.5.2.3)
 *
 * Entries stand in the order of the file. The affinity of the last entry that matches counts. An
 * entry may have these marks, in any combination, before or behind the name:
 *
 *   +  positive affinity (the default)
 *   -  negative affinity
 *   =  neutral affinity
 *   *  required: a job that does not match is not admitted
 *   !  deny: a job that matches is not admitted; any other job satisfies the list
 *   ^  xor: as !, but for a job that matches, other entries may still admit it
 *
 * A limit may have <=, <, >=, > or == before all marks; without any it means <=.
 */
#ifndef MAUI_MODEL_ACL_H
#define MAUI_MODEL_ACL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/cred.h"

/* The first ones are enum maui_cred_kind. */
enum maui_acl_kind {
	MAUI_ACL_JOBATTR = MAUI_CRED_COUNT, /* JOBATTRLIST: PREEMPTEE */
	MAUI_ACL_DURATION,                  /* TIMELIMIT: overlap in seconds, at most */
	MAUI_ACL_TASK,                      /* TASKLIMIT */
	MAUI_ACL_PROC,                      /* PROCLIMIT */
	MAUI_ACL_KIND_COUNT
};

/* How a job's size must compare to the value of TASK and PROC. DURATION always means at most. */
enum maui_acl_order { MAUI_ACL_AT_MOST, MAUI_ACL_AT_LEAST, MAUI_ACL_EXACTLY, MAUI_ACL_ORDER_COUNT };

extern const char *const maui_acl_order_names[MAUI_ACL_ORDER_COUNT]; /* "<=", ... */

enum maui_affinity { MAUI_AFFINITY_NEGATIVE = -1, MAUI_AFFINITY_NEUTRAL, MAUI_AFFINITY_POSITIVE };

struct maui_acl_entry {
	int kind; /* enum maui_cred_kind or maui_acl_kind */
	/* name of the credential or attribute, without marks; NULL: the entry has a value */
	char *name;
	int64_t value; /* DURATION s, TASK, PROC */
	int order;     /* enum maui_acl_order, of the value */
	int affinity;  /* enum maui_affinity */
	bool required, deny, xor;
};

struct maui_acl {
	struct maui_acl_entry *list;
	size_t count, alloc;
};

void maui_acl_finish(struct maui_acl *acl); /* accepts a zeroed struct, and leaves one */

#endif
