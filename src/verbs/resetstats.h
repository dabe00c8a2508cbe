/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resetstats.h - the verb "resetstats": resets the statistics
 *
 * Rules: CMD-28.
 */
#ifndef MAUI_VERBS_RESETSTATS_H
#define MAUI_VERBS_RESETSTATS_H

#include "verbs/verb.h"
#include "verbs/warnings.h"

#define MAUI_RESETSTATS_FIELDS(F, R)                          \
	F(R, TIME, since, "jobs that end from then on count") \
	F(R, PART, warned, "", maui_warnings)
MAUI_RECORD(maui_resetstats, MAUI_RESETSTATS_FIELDS);

MAUI_CHANGE(resetstats, ADMIN, NULL, &maui_resetstats_type, "resets the statistics");

#endif
