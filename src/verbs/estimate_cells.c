/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_cells.c - a row about estimates as the cells of a table */

#include "verbs/estimate_cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/duration.h"
#include "model/when.h"

/* "-0:05:00": five minutes earlier than expected. */
static void write_error(double error_s, char *cell)
{
	int64_t size_s = isnan(error_s) ? 0 : (int64_t)round(fabs(error_s));
	char span[MAUI_DURATION_SIZE];

	snprintf(cell, MAUI_ESTIMATE_CELL, "%s%s",
		 size_s == 0 ? "" :
		 error_s < 0 ? "-" :
			       "+",
		 maui_duration_as_maui(size_s, span, sizeof(span)));
}

void maui_estimate_cells(const struct maui_statistics_estimate *row,
			 struct maui_estimate_cells *ret)
{
	char span[MAUI_DURATION_SIZE];

	ret->partition = row->partition ? row->partition : "(all)";
	ret->estimate = row->estimate;
	if (row->ahead == MAUI_NEVER)
		snprintf(ret->ahead, sizeof(ret->ahead), "longer");
	else
		snprintf(ret->ahead, sizeof(ret->ahead), "<=%s",
			 maui_duration_as_maui(row->ahead, span, sizeof(span)));
	snprintf(ret->jobs, sizeof(ret->jobs), "%" PRId64, row->jobs);
	write_error(row->p10, ret->p10);
	write_error(row->p50, ret->p50);
	write_error(row->p90, ret->p90);
}
