/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warnings.h - what answers of changes warn of: a member of several */
#ifndef MAUI_VERBS_WARNINGS_H
#define MAUI_VERBS_WARNINGS_H

#include "record/record.h"

#define MAUI_WARNINGS_FIELDS(F, R) \
	F(R, MAYBE_TEXTS, warnings, "about the change, and that it could not be saved")
MAUI_RECORD(maui_warnings, MAUI_WARNINGS_FIELDS);

#endif
