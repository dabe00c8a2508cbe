/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - shared by access.c and index.c */
#ifndef MAUI_RESERVATION_ACCESS_PRIVATE_H
#define MAUI_RESERVATION_ACCESS_PRIVATE_H

#include "reservation/access/access.h"

/* Sets the fields of an access table's entry that depend on overlaps: the longest overlap with
 * which the job is admitted (MAUI_NEVER: any; 0: none), and the affinities. -1 without memory. */
int maui_access_weigh(const struct maui_rsv *rsv, const struct maui_access_job *job,
		      struct maui_arena *arena, struct maui_access *access);

#endif
