/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resv.h - times and kind of a Slurm reservation */
#ifndef MAUI_SLURM_CAPTURE_RESV_H
#define MAUI_SLURM_CAPTURE_RESV_H

#include <stdbool.h>
#include <stdint.h>

/* The begin and end of a slurmctld_resv_t: of a repeating one those of the instance in force or
 * next, of a floating one always the same distance from now. Under node READ. */
void maui_resv_times(const void *resv_ptr, int64_t now_s, int64_t *ret_start_s, int64_t *ret_end_s);

/* Whether the reservation has some cores of its nodes only, so that other jobs may use the rest.
 * Under node READ. */
bool maui_resv_is_share(const void *resv_ptr);

/* Whether Slurm has a reservation of this name. Takes a READ lock; call without any. */
bool maui_resv_is_there(const char *name);

#endif
