/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resetstats.c - the verb "resetstats" */

#include "verbs/resetstats.h"

MAUI_RECORD_TYPE(maui_resetstats, MAUI_RESETSTATS_FIELDS);

MAUI_VERB(resetstats, ADMIN, NULL, &maui_resetstats_type, "resets the statistics");
