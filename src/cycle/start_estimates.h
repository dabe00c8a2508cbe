/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_estimates.h - how the start estimate of a waiting job moved
 *
 * In: the estimate of each cycle. Kept: the last few moments at which it moved by more than a
 * minute and by more than a twentieth of the remaining wait. A restart forgets them.
 *
 * Rules: CMD-25.
 */
#ifndef MAUI_CYCLE_START_ESTIMATES_H
#define MAUI_CYCLE_START_ESTIMATES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/estimate.h"

enum { MAUI_START_ESTIMATES = 8 };

struct maui_start_estimates {
	struct maui_estimate list[MAUI_START_ESTIMATES]; /* oldest first */
	uint32_t count;
};

/* The estimate at this moment; the oldest one goes when the list is full. */
void maui_start_estimates_add(struct maui_start_estimates *estimates, int64_t at_s,
			      int64_t start_s);

#endif
