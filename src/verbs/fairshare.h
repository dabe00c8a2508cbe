/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairshare.h - the verb "fairshare": usage in the fairshare windows, targets and what they do to
 * priority, for maui share, diagnose -f and the report
 *
 * Usage is in processor-seconds, or in those of processor equivalents, as FSPOLICY says.
 *
 * Rules: CMD-26, CMD-27.
 */
#ifndef MAUI_VERBS_FAIRSHARE_H
#define MAUI_VERBS_FAIRSHARE_H

#include "verbs/verb.h"

#define MAUI_FAIRSHARE_ARGS_FIELDS(F, R)                                    \
	F(R, TEXT, kind, "user, group, account, qos or class; absent: all") \
	F(R, TEXT, name, "absent: all")                                     \
	F(R, BOOL, own, "the name is the asker's: it is listed even without usage")
MAUI_RECORD(maui_fairshare_args, MAUI_FAIRSHARE_ARGS_FIELDS);

#define MAUI_FAIRSHARE_WEIGHTS_FIELDS(F, R)       \
	F(R, REAL, component, "FSWEIGHT")         \
	F(R, REAL, cap, "FSCAP; 0 or less: none") \
	F(R, REAL, user, "FSUSERWEIGHT")          \
	F(R, REAL, group, "")                     \
	F(R, REAL, account, "")                   \
	F(R, REAL, qos, "")                       \
	F(R, REAL, class, "")
MAUI_RECORD(maui_fairshare_weights, MAUI_FAIRSHARE_WEIGHTS_FIELDS);

#define MAUI_FAIRSHARE_WINDOW_FIELDS(F, R) \
	F(R, TIME, start, "")              \
	F(R, TIME, end, "")                \
	F(R, REAL, weight, "")             \
	F(R, ROUNDED, total, "that all jobs used")
MAUI_RECORD(maui_fairshare_window, MAUI_FAIRSHARE_WINDOW_FIELDS);

#define MAUI_FAIRSHARE_TARGET_FIELDS(F, R)                                                       \
	F(R, TEXT, kind, "target, floor, ceiling, relative_cap or absolute_cap")                 \
	F(R, TEXT, suffix, "as maui.cfg has it behind the value: `+`, `-`, `%`, `^` or nothing") \
	F(R, REAL, value, "percent of all usage; of an absolute cap usage")
MAUI_RECORD(maui_fairshare_target, MAUI_FAIRSHARE_TARGET_FIELDS);

#define MAUI_FAIRSHARE_FORECAST_FIELDS(F, R)                               \
	F(R, BOOL, above, "usage is above its target; false: below")       \
	F(R, TIME, at_present_rate,                                        \
	  "when usage is at the target; null: not within `depth` windows") \
	F(R, TIME, running_nothing, "the same, if no job runs any more")
MAUI_RECORD(maui_fairshare_forecast, MAUI_FAIRSHARE_FORECAST_FIELDS);

#define MAUI_FAIRSHARE_OUTLOOK_FIELDS(F, R)                           \
	F(R, ONE_OR_NULL, forecast,                                   \
	  "absent: of many credentials none is made; null: usage is " \
	  "where the target wants it",                                \
	  maui_fairshare_forecast)
MAUI_RECORD(maui_fairshare_outlook, MAUI_FAIRSHARE_OUTLOOK_FIELDS);

#define MAUI_FAIRSHARE_CREDENTIAL_FIELDS(F, R)                            \
	F(R, TEXT, kind, "")                                              \
	F(R, TEXT, name, "")                                              \
	F(R, ONE_OR_NULL, target, "null: none", maui_fairshare_target)    \
	F(R, REALS, used, "in each of `windows`")                         \
	F(R, ROUNDED, effective, "usage by the windows' weights")         \
	F(R, ROUNDED, percent, "of `total`")                              \
	F(R, ROUNDED, rate, "what its running jobs add each second")      \
	F(R, ROUNDED, delta, "what its target makes of its usage (FS-5)") \
	F(R, REAL, weight, "points of priority for each unit of `delta`") \
	F(R, ROUNDED, points, "what it does to priority, before FSCAP")   \
	F(R, BOOL, off_target, "")                                        \
	F(R, BOOL, held, "a cap holds its jobs")                          \
	F(R, PART, outlook, "", maui_fairshare_outlook)
MAUI_RECORD(maui_fairshare_credential, MAUI_FAIRSHARE_CREDENTIAL_FIELDS);

#define MAUI_FAIRSHARE_FIELDS(F, R)                                                    \
	F(R, TEXT, cluster, "")                                                        \
	F(R, INT, time, "of the plan")                                                 \
	F(R, TEXT, policy,                                                             \
	  "FSPOLICY without its `%`: NONE, DEDICATEDPS, DEDICATEDPES, UTILIZEDPS")     \
	F(R, BOOL, ratio, "FSPOLICY has a `%`")                                        \
	F(R, INT, interval, "FSINTERVAL, in seconds")                                  \
	F(R, INT, depth, "FSDEPTH")                                                    \
	F(R, REAL, decay, "FSDECAY")                                                   \
	F(R, ONE, weights, "those of all partitions", maui_fairshare_weights)          \
	F(R, BOOL, partition_weights, "some partitions have weights of their own")     \
	F(R, LIST, windows, "newest first", maui_fairshare_window)                     \
	F(R, ROUNDED, total, "usage of all, by the windows' weights")                  \
	F(R, ROUNDED, rate, "what all running jobs add each second")                   \
	F(R, LIST, credentials,                                                        \
	  "by kind and name. With PrivateData=usage users see their own name, the "    \
	  "credentials of their jobs in the queue, and accounts that they coordinate", \
	  maui_fairshare_credential)                                                   \
	F(R, BOOL, hidden, "PrivateData=usage hides some")                             \
	F(R, INT, left_out, "names with less usage that are not listed")
MAUI_RECORD(maui_fairshare, MAUI_FAIRSHARE_FIELDS);

MAUI_QUESTION(fairshare, ALL, &maui_fairshare_args_type, &maui_fairshare_type,
	      "usage against fairshare targets");

#endif
