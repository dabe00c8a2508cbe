/* SPDX-License-Identifier: GPL-2.0-or-later */
/* releaseres.c - the verbs "releaseres" and "restoreres" */

#include "verbs/releaseres.h"

MAUI_RECORD_TYPE(maui_releaseres_args, MAUI_RELEASERES_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_releaseres_done, MAUI_RELEASERES_DONE_FIELDS);
MAUI_RECORD_TYPE(maui_releaseres_error, MAUI_RELEASERES_ERROR_FIELDS);
MAUI_RECORD_TYPE(maui_releaseres, MAUI_RELEASERES_FIELDS);

MAUI_VERB(releaseres, OWNER, &maui_releaseres_args_type, &maui_releaseres_type,
	  "releases reservations");
MAUI_VERB(restoreres, ADMIN, &maui_releaseres_args_type, &maui_releaseres_type,
	  "takes back the release of standing reservations");
