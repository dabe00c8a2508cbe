/* SPDX-License-Identifier: GPL-2.0-or-later */
/* changeparam.c - the verb "changeparam" */

#include "verbs/changeparam.h"

MAUI_RECORD_TYPE(maui_changeparam_args, MAUI_CHANGEPARAM_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_changeparam, MAUI_CHANGEPARAM_FIELDS);

MAUI_VERB(changeparam, ADMIN, &maui_changeparam_args_type, &maui_changeparam_type,
	  "sets parameters until slurmctld reads maui.cfg again");
