/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staff.h - copies operators, coordinators and default accounts as slurmdbd names them, and the
 * names of all accounts and QOS; without slurmdbd all are empty */
#ifndef MAUI_SLURM_CAPTURE_STAFF_H
#define MAUI_SLURM_CAPTURE_STAFF_H

#include "base/arena.h"
#include "model/slurm_names.h"
#include "model/staff.h"

/* Everything belongs to the arena. Takes the association manager's lock for users, READ: call it
 * without the controller's lock. -1 without memory. */
int maui_staff_capture(struct maui_staff *ret, struct maui_arena *arena);

/* A reference on what slurmdbd has of accounts and QOS; NULL: there is no slurmdbd. The copy is
 * made again a minute after the last one, or when there is another number of associations or QOS:
 * associations are many. Takes the association manager's locks for associations and QOS, READ;
 * calls come from one thread. -1 without memory. */
int maui_slurm_names_capture(struct maui_slurm_names **ret, int64_t now_s);
/* Drops the copy. No call above runs. */
void maui_slurm_names_forget(void);

#endif
