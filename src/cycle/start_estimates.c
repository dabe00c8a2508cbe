/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_estimates.c - how the start estimate of a waiting job moved */

#include "cycle/start_estimates.h"

#include <string.h>

enum { LEAST_S = 60, PART = 20 };

static bool has_moved(const struct maui_estimate *last, int64_t at_s, int64_t start_s)
{
	int64_t wait_s = start_s - at_s, moved_s = start_s - last->start_s;
	int64_t least_s = wait_s / PART > LEAST_S ? wait_s / PART : LEAST_S;

	return moved_s > least_s || moved_s < -least_s;
}

void maui_start_estimates_add(struct maui_start_estimates *estimates, int64_t at_s, int64_t start_s)
{
	uint32_t count = estimates->count;

	if (count > 0 && !has_moved(&estimates->list[count - 1], at_s, start_s))
		return;
	if (count == MAUI_START_ESTIMATES)
		memmove(estimates->list, estimates->list + 1, --count * sizeof(estimates->list[0]));
	estimates->list[count] = (struct maui_estimate){ at_s, start_s };
	estimates->count = count + 1;
}
