/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - between the files of access.c */
#ifndef MAUI_RESERVATION_ACCESS_PRIVATE_H
#define MAUI_RESERVATION_ACCESS_PRIVATE_H

#include "reservation/access/access.h"

/* What of the job's entry in its table depends on overlaps: the longest with which it gets in,
 * MAUI_NEVER: any; 0: with none; affinities. -1 without memory. */
int maui_access_weigh(const struct maui_rsv *rsv, const struct maui_access_job *job,
		      struct maui_arena *arena, struct maui_access *access);

#endif
