/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_move.h - how the estimate of a job's start moved: a list in "job" and "start" */
#ifndef MAUI_VERBS_ESTIMATE_MOVE_H
#define MAUI_VERBS_ESTIMATE_MOVE_H

#include "record/record.h"

#define MAUI_ESTIMATE_MOVE_FIELDS(F, R) \
	F(R, TIME, at, "when it moved") \
	F(R, TIME, start, "the estimate then")
MAUI_RECORD(maui_estimate_move, MAUI_ESTIMATE_MOVE_FIELDS);

#endif
