/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keeptrial.c - the verb "keeptrial" */

#include "verbs/keeptrial.h"

MAUI_RECORD_TYPE(maui_keeptrial, MAUI_KEEPTRIAL_FIELDS);

MAUI_VERB(keeptrial, ADMIN, NULL, &maui_keeptrial_type,
	  "keeps the reservations that setres made in a trial");
