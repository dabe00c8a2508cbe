/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resv.h - when a reservation of Slurm's is, and whether it has whole nodes */
#ifndef MAUI_SLURM_CAPTURE_RESV_H
#define MAUI_SLURM_CAPTURE_RESV_H

#include <stdbool.h>
#include <stdint.h>

/* Of a slurmctld_resv_t: of a repeating one the instance that is on or comes next, of a floating
 * one always so far ahead of now. Under node READ. */
void maui_resv_times(const void *resv_ptr, int64_t now_s, int64_t *ret_start_s, int64_t *ret_end_s);

/* Whether a reservation has certain cores of its nodes, and all others are for everybody. Under
 * node READ. */
bool maui_resv_is_share(const void *resv_ptr);

/* Whether Slurm has one of that name. Takes a READ lock; call without any. */
bool maui_resv_is_there(const char *name);

#endif
