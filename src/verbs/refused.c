/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused.c - the maui.cfg that slurmctld refuses */

#include "verbs/refused.h"

MAUI_RECORD_TYPE(maui_refused, MAUI_REFUSED_FIELDS);
