/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waits.c - counts waits in steps */

#include "state/waits.h"

#include "model/when.h"

const char *const
	maui_wait_names[MAUI_WAITS +
			1] = { [MAUI_WAIT_BLOCKED] = "blocked", [MAUI_WAIT_ELIGIBLE] = "eligible" };

int64_t maui_wait_limit(int step)
{
	static const int64_t limits[MAUI_WAIT_STEPS] = { 10,     60,       300,    900,
							 3600,   4 * 3600, 43200,  86400,
							 172800, 345600,   604800, MAUI_NEVER };

	return limits[step];
}

void maui_waits_add(struct maui_waits *waits, enum maui_wait wait, int64_t seconds)
{
	double *value = &waits->value[(int)wait * MAUI_WAIT_FIGURES];
	int step = 0;

	while (seconds > maui_wait_limit(step))
		step++;
	value[step]++;
	value[MAUI_WAIT_SUM] += (double)seconds;
}

const double *maui_waits_of(const struct maui_waits *waits, enum maui_wait wait)
{
	return &waits->value[(int)wait * MAUI_WAIT_FIGURES];
}
