/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused.h - the maui.cfg that slurmctld refuses: a member of several answers */
#ifndef MAUI_VERBS_REFUSED_H
#define MAUI_VERBS_REFUSED_H

#include "record/record.h"

#define MAUI_REFUSED_FIELDS(F, R)                                               \
	F(R, TEXT, path, "")                                                    \
	F(R, TIME, since, "")                                                   \
	F(R, BOOL, kept_copy,                                                   \
	  "the copy of the last good maui.cfg is in force, since the file was " \
	  "refused at the start")                                               \
	F(R, TEXTS, errors, "empty: PrivateData hides from the asker what they quote")
MAUI_RECORD(maui_refused, MAUI_REFUSED_FIELDS);

#endif
