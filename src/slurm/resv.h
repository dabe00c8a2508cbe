/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resv.h - when a reservation of Slurm's is */
#ifndef MAUI_SLURM_RESV_H
#define MAUI_SLURM_RESV_H

#include <stdint.h>

/* Of a slurmctld_resv_t: of a repeating one the instance that is on or comes next, of a floating one
 * always so far ahead of now. Under node READ. */
void maui_resv_times(const void *resv_ptr, int64_t now_s, int64_t *ret_start_s,
		     int64_t *ret_end_s);

#endif
