/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairshare.c - the verb "fairshare" */

#include "verbs/fairshare.h"

MAUI_RECORD_TYPE(maui_fairshare_args, MAUI_FAIRSHARE_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_fairshare_weights, MAUI_FAIRSHARE_WEIGHTS_FIELDS);
MAUI_RECORD_TYPE(maui_fairshare_window, MAUI_FAIRSHARE_WINDOW_FIELDS);
MAUI_RECORD_TYPE(maui_fairshare_target, MAUI_FAIRSHARE_TARGET_FIELDS);
MAUI_RECORD_TYPE(maui_fairshare_forecast, MAUI_FAIRSHARE_FORECAST_FIELDS);
MAUI_RECORD_TYPE(maui_fairshare_outlook, MAUI_FAIRSHARE_OUTLOOK_FIELDS);
MAUI_RECORD_TYPE(maui_fairshare_credential, MAUI_FAIRSHARE_CREDENTIAL_FIELDS);
MAUI_RECORD_TYPE(maui_fairshare, MAUI_FAIRSHARE_FIELDS);

MAUI_VERB(fairshare, ALL, &maui_fairshare_args_type, &maui_fairshare_type,
	  "usage against fairshare targets");
