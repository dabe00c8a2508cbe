/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setres.h - the verb "setres": makes an administrative reservation, or changes one in place
 *
 * Attributes are those of SRCFG as maui.cfg spells them, and read by its parser: ACCESS ACCOUNTLIST
 * CHARGEACCOUNT CLASSLIST FLAGS GROUPLIST HOSTLIST IDLETIME JOBATTRLIST NODEFEATURES OWNER
 * PARTITION PRIORITY PROCLIMIT QOSLIST RESOURCES TASKCOUNT TASKLIMIT TIMELIMIT TPN TRIGGER
 * USERLIST, and SUBTYPE. An empty one takes the attribute away. HOSTLIST and TASKCOUNT are said
 * together: naming one forgets the other.
 *
 * Rules: RSV-20, RSV-38.
 */
#ifndef MAUI_VERBS_SETRES_H
#define MAUI_VERBS_SETRES_H

#include "verbs/rsv.h"
#include "verbs/verb.h"
#include "verbs/warnings.h"

#define MAUI_SETRES_ARGS_FIELDS(F, R)                                                      \
	F(R, MAYBE_TEXT, name,                                                             \
	  "of an existing reservation, with its number, to change that one; of a new one " \
	  "without; absent: a new one, named after its access list")                       \
	F(R, MAYBE_TIME, start, "absent: now, or as before", 0)                            \
	F(R, MAYBE_TIME, end, "null: none; absent: none, or as before", 0)                 \
	F(R, MAYBE_TIME, duration, "seconds from the start, instead of `end`", 0)          \
	F(R, LABELS, attributes, "of SRCFG; a list of texts: said several times, as TRIGGER")
MAUI_RECORD(maui_setres_args, MAUI_SETRES_ARGS_FIELDS);

#define MAUI_SETRES_RUNNING_FIELDS(F, R) \
	F(R, TEXT, job, "17, 17_3")      \
	F(R, TEXT, user, "")             \
	F(R, TIME, end, "by its limit; null: none")
MAUI_RECORD(maui_setres_running, MAUI_SETRES_RUNNING_FIELDS);

#define MAUI_SETRES_FIELDS(F, R)                                                    \
	F(R, TEXT, name, "with its number")                                         \
	F(R, BOOL, created, "false: changed in place")                              \
	F(R, PART, warned, "", maui_warnings)                                       \
	F(R, LIST, running,                                                         \
	  "jobs that are still on its nodes when it begins, at most 100, that the " \
	  "asker may see",                                                          \
	  maui_setres_running)                                                      \
	F(R, INT_AS, running_jobs, "how many there are", "running_count")           \
	F(R, ONE_OR_NULL, reservation, "with its nodes; null: not planned yet", maui_rsv_row)
MAUI_RECORD(maui_setres, MAUI_SETRES_FIELDS);

MAUI_CHANGE(setres, OWNER, &maui_setres_args_type, &maui_setres_type,
	    "makes an administrative reservation, or changes one");

#endif
