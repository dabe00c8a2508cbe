/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abi.h - checks that slurmctld is the one that the plugins were compiled for
 *
 * Slurm's structs change between micro releases. Slurm's loader compares version numbers. This
 * check compares the sizes of live objects with our headers, so that slurmctld refuses a wrong
 * build before the plugin reads garbage.
 *
 * Rules: CMD-11.
 */
#ifndef MAUI_SLURM_ABI_H
#define MAUI_SLURM_ABI_H

#include <stdbool.h>

#include "base/err.h"

struct job_record;

/* Checks globals, and the records that exist already. Call from init(). -1: err names both
 * versions. */
int maui_abi_check(struct maui_err *err);

/* Checks the first job record; remembers the answer, and logs a refusal. Call before any field is
 * read, while the record cannot be freed. NULL fits. Under job, node and part READ: the first call
 * looks at the first node and partition, too. */
bool maui_abi_job_fits(const struct job_record *job_ptr);

#endif
