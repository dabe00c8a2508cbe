/* SPDX-License-Identifier: GPL-2.0-or-later */
/* changeparam.h - the verb "changeparam": a line of maui.cfg is in force until the file is read
 * again
 *
 * Rules: CMD-46.
 */
#ifndef MAUI_VERBS_CHANGEPARAM_H
#define MAUI_VERBS_CHANGEPARAM_H

#include "verbs/verb.h"
#include "verbs/warnings.h"

#define MAUI_CHANGEPARAM_ARGS_FIELDS(F, R) F(R, TEXT, line, "a line of maui.cfg")
MAUI_RECORD(maui_changeparam_args, MAUI_CHANGEPARAM_ARGS_FIELDS);

#define MAUI_CHANGEPARAM_FIELDS(F, R)        \
	F(R, TEXT, line, "that is in force") \
	F(R, PART, warned, "", maui_warnings)
MAUI_RECORD(maui_changeparam, MAUI_CHANGEPARAM_FIELDS);

MAUI_CHANGE(changeparam, ADMIN, &maui_changeparam_args_type, &maui_changeparam_type,
	    "sets parameters until slurmctld reads maui.cfg again");

#endif
