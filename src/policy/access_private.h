/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_private.h - between the files of access.c */
#ifndef MAUI_POLICY_ACCESS_PRIVATE_H
#define MAUI_POLICY_ACCESS_PRIVATE_H

#include "policy/access.h"

/* Names of one kind (enum maui_cred_kind or maui_acl_kind). */
bool maui_access_same_name(int kind, const char *a, const char *b);

/* The longest overlap with which the job gets in, MAUI_NEVER: any; 0: with none. The affinity is
 * that of such an overlap. */
int64_t maui_access_longest(const struct maui_rsv *rsv, const struct maui_access_job *job,
			    int *ret_affinity);

#endif
