/* SPDX-License-Identifier: GPL-2.0-or-later */
/* publish.h - Maui's priority as Slurm shows it: squeue's number and sprio's columns
 *
 * A normal job's number is trunc(priority), 2 .. 1,000,000,000; nice may lower it to 1. With
 * ENABLENEGJOBPRIORITY it is offset by 1,000,000,001 so that negatives keep their order. sprio's
 * columns are whole numbers (it sums unrounded doubles); SITE takes rounding, clip and offset, so
 * that every row sums (PRIO-14):
 * priority = AGE + ASSOC + FAIRSHARE + JOBSIZE + QOS + PARTITION + SITE - nice, at least 1.
 *
 * Rules: PRIO-15.
 */
#ifndef MAUI_POLICY_PUBLISH_H
#define MAUI_POLICY_PUBLISH_H

#include <stdint.h>

#include "model/priority.h"

struct maui_published {
	uint32_t priority;               /* >= 1; nice included */
	int32_t column[MAUI_COMP_COUNT]; /* each component, truncated; clipped at +-2e9 */
	int64_t site;                    /* what makes the row sum; may exceed an int32 */
};

/* The published number, which orders jobs. nice: Slurm's, positive lowers. */
uint32_t maui_publish_priority(double value, bool enable_negative, int64_t nice);

void maui_publish(const struct maui_priority *priority, bool enable_negative, int64_t nice,
		  struct maui_published *ret);

/* SITE for a priority that another plugin or an administrator set, or that was copied to a split
 * array: the row sums to it. */
int64_t maui_publish_site(const int32_t *column, uint32_t priority, int64_t nice);

#endif
