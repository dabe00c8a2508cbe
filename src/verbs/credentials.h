/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credentials.h - the verb "credentials": users, groups, accounts, classes and QOS with their
 * limits and what is in use of them, for diagnose -u -g -a -c -Q
 *
 * Rules: CMD-9, CMD-31.
 */
#ifndef MAUI_VERBS_CREDENTIALS_H
#define MAUI_VERBS_CREDENTIALS_H

#include "verbs/refused.h"
#include "verbs/verb.h"

#define MAUI_CREDENTIALS_ARGS_FIELDS(F, R)                     \
	F(R, TEXT, kind, "user, group, account, class or qos") \
	F(R, TEXT, name, "one; absent: all of the kind")
MAUI_RECORD(maui_credentials_args, MAUI_CREDENTIALS_ARGS_FIELDS);

#define MAUI_CREDENTIAL_LIMIT_FIELDS(F, R)                                     \
	F(R, TEXT, name, "of maui.cfg: MAXJOB; of a pair MAXPROC[USER:steve]") \
	F(R, INT_OR_NULL, soft, "null: no limit")                              \
	F(R, INT_OR_NULL, hard, "null: no limit")                              \
	F(R, INT_OR_NULL, used, "null: not counted for it alone, or PrivateData=jobs hides it")
MAUI_RECORD(maui_credential_limit, MAUI_CREDENTIAL_LIMIT_FIELDS);

#define MAUI_CREDENTIAL_MEMBERS_FIELDS(F, R) \
	F(R, TEXTS, users, "")               \
	F(R, TEXTS, groups, "")              \
	F(R, TEXTS, accounts, "")            \
	F(R, TEXTS, classes, "")
MAUI_RECORD(maui_credential_members, MAUI_CREDENTIAL_MEMBERS_FIELDS);

#define MAUI_CREDENTIAL_QOS_FIELDS(F, R)                                               \
	F(R, REAL, qtweight, "")                                                       \
	F(R, INT, qttarget, "seconds")                                                 \
	F(R, REAL, xfweight, "")                                                       \
	F(R, REAL, xftarget, "")                                                       \
	F(R, TEXTS, flags, "")                                                         \
	F(R, TEXT, use_reserved, "the reservation that USERESERVED names; null: none") \
	F(R, ONE, members, "who has it in QLIST", maui_credential_members)
MAUI_RECORD(maui_credential_qos, MAUI_CREDENTIAL_QOS_FIELDS);

#define MAUI_CREDENTIAL_FIELDS(F, R)                                            \
	F(R, TEXT, name, "")                                                    \
	F(R, INT, priority, "")                                                 \
	F(R, TEXT, qdef, "in force: its own, of DEFAULT or of SYSCFG")          \
	F(R, TEXTS, qlist, "")                                                  \
	F(R, TEXT, qlist_mode, "`&`, `^` or nothing: what stands behind QLIST") \
	F(R, TEXT, fstarget, "`25.00+`; null: none")                            \
	F(R, LIST, limits, "", maui_credential_limit)                           \
	F(R, INT_OR_NULL, active_jobs, "null: PrivateData=jobs hides it")       \
	F(R, INT_OR_NULL, active_procs, "")                                     \
	F(R, INT_OR_NULL, idle_jobs, "in the queue; null as above")             \
	F(R, INT_OR_NULL, idle_procs, "")                                       \
	F(R, PART, qos, "of a QOS", maui_credential_qos)
MAUI_RECORD(maui_credential, MAUI_CREDENTIAL_FIELDS);

#define MAUI_CREDENTIALS_SYSTEM_FIELDS(F, R)         \
	F(R, TEXT, qdef, "")                         \
	F(R, TEXTS, qlist, "")                       \
	F(R, TEXT, qlist_mode, "as of a credential") \
	F(R, LIST, limits, "", maui_credential_limit)
MAUI_RECORD(maui_credentials_system, MAUI_CREDENTIALS_SYSTEM_FIELDS);

#define MAUI_CREDENTIALS_FIELDS(F, R)                                                            \
	F(R, TEXT, cluster, "")                                                                  \
	F(R, INT, time, "of the plan")                                                           \
	F(R, TEXT, kind, "")                                                                     \
	F(R, ONE, system, "SYSCFG", maui_credentials_system)                                     \
	F(R, LIST, credentials, "those that maui.cfg names or a job has, DEFAULT included",      \
	  maui_credential)                                                                       \
	F(R, TEXTS, warnings, "about lines of maui.cfg that set the kind, with their positions") \
	F(R, MAYBE_ONE, refused, "absent: maui.cfg is in force", maui_refused)
MAUI_RECORD(maui_credentials_answer, MAUI_CREDENTIALS_FIELDS);

MAUI_QUESTION(credentials, ALL, &maui_credentials_args_type, &maui_credentials_answer_type,
	      "limits, priorities and use of users, groups, accounts, QOS or classes");

#endif
