/* SPDX-License-Identifier: GPL-2.0-or-later */
/* releaseres.h - the verbs "releaseres" and "restoreres": reservations are taken away, and released
 * instances of standing ones taken back
 *
 * Rules: RSV-20, CMD-14.
 */
#ifndef MAUI_VERBS_RELEASERES_H
#define MAUI_VERBS_RELEASERES_H

#include "verbs/verb.h"
#include "verbs/warnings.h"

#define MAUI_RELEASERES_ARGS_FIELDS(F, R)                                                \
	F(R, TEXTS, names,                                                               \
	  "of reservations; of `restoreres` standing reservations (`biz`) or instances " \
	  "(`biz.1`) whose release is taken back")
MAUI_RECORD(maui_releaseres_args, MAUI_RELEASERES_ARGS_FIELDS);

#define MAUI_RELEASERES_DONE_FIELDS(F, R) \
	F(R, TEXT, name, "")              \
	F(R, TEXT, type, "as of a reservation")
MAUI_RECORD(maui_releaseres_done, MAUI_RELEASERES_DONE_FIELDS);

#define MAUI_RELEASERES_ERROR_FIELDS(F, R) \
	F(R, TEXT, error, "")              \
	F(R, INT, code, "as of an answer that is an error")
MAUI_RECORD(maui_releaseres_error, MAUI_RELEASERES_ERROR_FIELDS);

#define MAUI_RELEASERES_FIELDS(F, R)                                         \
	F(R, LIST, released, "of `releaseres`", maui_releaseres_done)        \
	F(R, LIST, restored, "of `restoreres`", maui_releaseres_done)        \
	F(R, LIST, errors, "one for each other name", maui_releaseres_error) \
	F(R, PART, warned, "", maui_warnings)
MAUI_RECORD(maui_releaseres, MAUI_RELEASERES_FIELDS);

MAUI_CHANGE(releaseres, OWNER, &maui_releaseres_args_type, &maui_releaseres_type,
	    "releases reservations");
MAUI_CHANGE(restoreres, ADMIN, &maui_releaseres_args_type, &maui_releaseres_type,
	    "takes back the release of standing reservations");

#endif
