/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_private.h - between the files of access.c */
#ifndef MAUI_POLICY_ACCESS_PRIVATE_H
#define MAUI_POLICY_ACCESS_PRIVATE_H

#include "policy/access.h"

/* The longest overlap with which the job gets in, MAUI_NEVER: any; 0: with none. The affinity is
 * that of such an overlap. */
int64_t maui_access_longest(const struct maui_rsv *rsv, const struct maui_access_job *job,
			    int *ret_affinity);

#endif
