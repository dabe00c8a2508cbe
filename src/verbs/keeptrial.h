/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keeptrial.h - the verb "keeptrial": what setres made under SERVERMODE TEST stays
 *
 * Rules: CMD-58.
 */
#ifndef MAUI_VERBS_KEEPTRIAL_H
#define MAUI_VERBS_KEEPTRIAL_H

#include "verbs/verb.h"
#include "verbs/warnings.h"

#define MAUI_KEEPTRIAL_FIELDS(F, R)                                 \
	F(R, TEXTS, kept, "names of the reservations of the trial") \
	F(R, PART, warned, "", maui_warnings)
MAUI_RECORD(maui_keeptrial, MAUI_KEEPTRIAL_FIELDS);

MAUI_CHANGE(keeptrial, ADMIN, NULL, &maui_keeptrial_type,
	    "keeps the reservations that setres made in a trial");

#endif
