/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setres.c - the verb "setres" */

#include "verbs/setres.h"

MAUI_RECORD_TYPE(maui_setres_args, MAUI_SETRES_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_setres_running, MAUI_SETRES_RUNNING_FIELDS);
MAUI_RECORD_TYPE(maui_setres, MAUI_SETRES_FIELDS);

MAUI_VERB(setres, OWNER, &maui_setres_args_type, &maui_setres_type,
	  "makes an administrative reservation, or changes one");
