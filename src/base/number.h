/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.h - numbers in files that others have written: traces, accounting records, slurm.conf
 *
 * A larger number counts as MAUI_NUMBER_MAX, so that what is computed from a few of them does not
 * overflow.
 */
#ifndef MAUI_BASE_NUMBER_H
#define MAUI_BASE_NUMBER_H

#include <stdint.h>
#include <stdlib.h>

#include "base/limits.h"

/* The whole number at the beginning of the text, after blanks; 0: none. *ret_end,
 * unless NULL, gets the place behind it; `text`: none. */
static inline int64_t maui_number_read(const char *text, char **ret_end)
{
	int64_t value = strtoll(text, ret_end, 10);

	return value > MAUI_NUMBER_MAX  ? MAUI_NUMBER_MAX :
	       value < -MAUI_NUMBER_MAX ? -MAUI_NUMBER_MAX :
					  value;
}

/* The same of a number with a fraction or an exponent, which may be anything but NaN. */
static inline double maui_number_read_real(const char *text, char **ret_end)
{
	double value = strtod(text, ret_end), most = (double)MAUI_NUMBER_MAX;

	if (!(value < most)) /* NaN, too */
		return most;
	return value < -most ? -most : value;
}

#endif
