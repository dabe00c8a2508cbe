/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recur.h - the instance of a repeating Slurm reservation that is in force or next
 *
 * slurmctld moves a repeating reservation to its next instance only under its WRITE locks. A
 * reader has to calculate the instance. Times are wall-clock times, also across changes of DST.
 */
#ifndef MAUI_SLURM_CAPTURE_RECUR_H
#define MAUI_SLURM_CAPTURE_RECUR_H

#include <stdint.h>

enum maui_recur {
	MAUI_RECUR_NONE,
	MAUI_RECUR_HOURLY,
	MAUI_RECUR_DAILY,
	MAUI_RECUR_WEEKDAY, /* Monday to Friday */
	MAUI_RECUR_WEEKEND, /* Saturday, Sunday */
	MAUI_RECUR_WEEKLY,
};

/* Moves [*start_s, *end_s) to the first instance that ends after now_s. A reservation that does
 * not repeat, or is not over, stays as it is. */
void maui_recur_advance(enum maui_recur recur, int64_t now_s, int64_t *start_s, int64_t *end_s);

#endif
