/* SPDX-License-Identifier: GPL-2.0-or-later */
/* changejob.h - the verb "changejob": what canceljob, sethold, releasehold, setspri and runjob ask
 * to be done with a job
 *
 * Rules: CMD-45, CMD-47, CMD-52.
 */
#ifndef MAUI_VERBS_CHANGEJOB_H
#define MAUI_VERBS_CHANGEJOB_H

#include "model/job_action.h"
#include "verbs/verb.h"
#include "verbs/warnings.h"

/* The words of `action`. */
extern const char *const maui_changejob_actions[MAUI_JOB_ACTION_COUNT];

#define MAUI_CHANGEJOB_NONE INT64_MIN /* no priority is named */

#define MAUI_CHANGEJOB_PRIORITY_FIELDS(F, R)                                          \
	F(R, MAYBE_INT, priority, "0 to 1000, or what is added", MAUI_CHANGEJOB_NONE) \
	F(R, BOOL, relative, "it is added to the job's own")
MAUI_RECORD(maui_changejob_priority, MAUI_CHANGEJOB_PRIORITY_FIELDS);

#define MAUI_CHANGEJOB_RUN_FIELDS(F, R)                                   \
	F(R, BOOL, force, "past throttling policies and fairshare caps")  \
	F(R, BOOL, anywhere, "the same, and into reservations of others") \
	F(R, TEXT, hosts, "HOSTLIST: only on these nodes; null: any")
MAUI_RECORD(maui_changejob_run, MAUI_CHANGEJOB_RUN_FIELDS);

#define MAUI_CHANGEJOB_ARGS_FIELDS(F, R)                                        \
	F(R, TEXT, action,                                                      \
	  "`hold`, `hold-user`, `release`, `release-admin`, `release-user`, "   \
	  "`cancel`, `priority`, `run`")                                        \
	F(R, INT, job, "number of a job, of an array, or of a het job")         \
	F(R, MAYBE_INT, task, "of the array; absent: none is named", -1)        \
	F(R, MAYBE_INT, component, "of the het job; absent: none is named", -1) \
	F(R, PART, priority, "of `priority`", maui_changejob_priority)          \
	F(R, PART, run, "of `run`", maui_changejob_run)
MAUI_RECORD(maui_changejob_args, MAUI_CHANGEJOB_ARGS_FIELDS);

#define MAUI_CHANGEJOB_OUTCOME_FIELDS(F, R)                                               \
	F(R, MAYBE_TEXTS, started_jobs, "jobs and tasks that have started; absent: none") \
	F(R, BOOL, started, "")                                                           \
	F(R, MAYBE_TEXT, reason, "why none has started")
MAUI_RECORD(maui_changejob_outcome, MAUI_CHANGEJOB_OUTCOME_FIELDS);

#define MAUI_CHANGEJOB_FIELDS(F, R)                             \
	F(R, TEXT, job, "17, 17_3")                             \
	F(R, TEXT, action, "that was carried out")              \
	F(R, TRUE, runs, "of a hold: the job runs on")          \
	F(R, PART, outcome, "of `run`", maui_changejob_outcome) \
	F(R, PART, warned, "", maui_warnings)
MAUI_RECORD(maui_changejob, MAUI_CHANGEJOB_FIELDS);

MAUI_CHANGE(changejob, OWNER, &maui_changejob_args_type, &maui_changejob_type,
	    "holds, releases, cancels, starts or ranks a job");

#endif
