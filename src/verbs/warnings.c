/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warnings.c - what answers of changes warn of */

#include "verbs/warnings.h"

MAUI_RECORD_TYPE(maui_warnings, MAUI_WARNINGS_FIELDS);
