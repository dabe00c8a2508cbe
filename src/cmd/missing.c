/* SPDX-License-Identifier: GPL-2.0-or-later */
/* missing.c - what a reservation has not got */

#include "cmd/missing.h"

#include <inttypes.h>
#include <stdio.h>

const char *maui_missing(const struct maui_rsv_row *rsv, char *buf, size_t size)
{
	const struct maui_rsv_ours *ours = rsv->ours;

	if (!ours || ours->missing_tasks <= 0)
		return NULL;
	if (*ours->held_by)
		return ours->held_by; /* begins with how many */
	if (ours->wanted_tasks > 0)
		snprintf(buf, size, "%" PRId64 " of %" PRId64 " tasks missing", ours->missing_tasks,
			 ours->wanted_tasks);
	else
		snprintf(buf, size, "%" PRId64 " of its hosts missing", ours->missing_tasks);
	return buf;
}
