/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abi.h - is this the very slurmctld that we were compiled for?
 *
 * Slurm's structs change between micro releases. The loader compares version numbers; this
 * compares sizes of live objects with what our headers say, so that a wrong build is refused
 * before it reads garbage.
 *
 * Rules: CMD-11.
 */
#ifndef MAUI_SLURM_ABI_H
#define MAUI_SLURM_ABI_H

#include <stdbool.h>

#include "base/err.h"

struct job_record;

/* Globals, and whatever records exist yet. Call from init(). -1 with both versions named. */
int maui_abi_check(struct maui_err *err);

/* A job record, at first sight of one; the answer is remembered, and a refusal logged. To be asked
 * before any field is read. NULL fits. Call with the record safe to look at. */
bool maui_abi_job_fits(const void *job_ptr);

#endif
