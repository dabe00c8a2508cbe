/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staff.h - copies operators, coordinators and default accounts as slurmdbd names them; without
 * slurmdbd all are empty */
#ifndef MAUI_SLURM_CAPTURE_STAFF_H
#define MAUI_SLURM_CAPTURE_STAFF_H

#include "base/arena.h"
#include "model/staff.h"

/* Everything belongs to the arena. Takes the association manager's lock for users, READ: call it
 * without the controller's lock. -1 without memory. */
int maui_staff_capture(struct maui_staff *ret, struct maui_arena *arena);

#endif
