/* SPDX-License-Identifier: GPL-2.0-or-later */
/* acl.h - whom a reservation lets in, as it was written (Maui manual 7.1.5.1.2, 7.1.5.2.3)
 *
 * Entries stand in the order of the file: the affinity of the last one that matches counts. Marks
 * of an entry, in any combination, before or behind the name:
 *   +  positive affinity (the default)   -  negative   =  neutral
 *   *  required: a job that does not match is kept out
 *   !  deny: a job that matches is kept out; the list is satisfied by any other
 *   ^  xor: as !, but who matches is only not let in by it, not kept out
 * A limit may have <=, <, >=, > or == before all of them; <= is meant without.
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

/* How a job's size stands to the value of TASK and PROC; DURATION is always at most. */
enum maui_acl_order { MAUI_ACL_AT_MOST, MAUI_ACL_AT_LEAST, MAUI_ACL_EXACTLY, MAUI_ACL_ORDER_COUNT };

extern const char *const maui_acl_order_names[MAUI_ACL_ORDER_COUNT]; /* "<=", ... */

enum maui_affinity { MAUI_AFFINITY_NEGATIVE = -1, MAUI_AFFINITY_NEUTRAL, MAUI_AFFINITY_POSITIVE };

struct maui_acl_entry {
	int kind;      /* enum maui_cred_kind or maui_acl_kind */
	char *name;    /* of a credential or attribute, without its marks; NULL: by value */
	int64_t value; /* DURATION s, TASK, PROC */
	int order;     /* enum maui_acl_order, of the value */
	int affinity;  /* enum maui_affinity */
	bool required, deny, xor;
};

struct maui_acl {
	struct maui_acl_entry *list;
	size_t count, alloc;
};

void maui_acl_finish(struct maui_acl *acl); /* a zeroed struct is fine, and it is one afterwards */
/* A copy with memory of its own. -1 without memory: then `to` is to be finished all the same. */
int maui_acl_copy(const struct maui_acl *from, struct maui_acl *to);

#endif
