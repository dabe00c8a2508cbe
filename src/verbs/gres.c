/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.c - a generic resource of several nodes */

#include "verbs/gres.h"

MAUI_RECORD_TYPE(maui_gres, MAUI_GRES_FIELDS);
