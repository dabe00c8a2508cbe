/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_move.c - how the estimate of a job's start moved */

#include "verbs/estimate_move.h"

MAUI_RECORD_TYPE(maui_estimate_move, MAUI_ESTIMATE_MOVE_FIELDS);
