/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - the verb "jobs": jobs with their requests, what blocks them, and what is wrong with them
 *
 * For diagnose -j and -q. Rules: CMD-9, CMD-33.
 */
#ifndef MAUI_VERBS_JOBS_H
#define MAUI_VERBS_JOBS_H

#include "model/job_state.h"
#include "verbs/refused.h"
#include "verbs/verb.h"

#define MAUI_JOBS_ARGS_FIELDS(F, R)                                                          \
	F(R, MAYBE_INT, job, "one, or the tasks of an array of this number; absent: all", 0) \
	F(R, BOOL, blocked, "only those that something else than a lack of resources keeps")
MAUI_RECORD(maui_jobs_args, MAUI_JOBS_ARGS_FIELDS);

#define MAUI_JOBS_JOB_FIELDS(F, R)                                                   \
	F(R, INT, id, "number of the job, of each task of an array its own")         \
	F(R, TEXT, job, "as squeue names it: 17, 17_3; 17_[1-5]: tasks that wait")   \
	F(R, WORD, state, "Running, Suspended, Completing; Idle, Starting, Blocked", \
	  maui_job_state, MAUI_JOB_NO_STATE)                                         \
	F(R, TEXT, user, "")                                                         \
	F(R, TEXT, group, "")                                                        \
	F(R, TEXT, account, "")                                                      \
	F(R, TEXT, qos, "")                                                          \
	F(R, TEXT, class, "partition")                                               \
	F(R, INT, procs, "")                                                         \
	F(R, TIME, limit, "seconds; null: none")                                     \
	F(R, INT, queued, "seconds: so far, of an active job until it started")      \
	F(R, INT, mem_mb, "")                                                        \
	F(R, INT, disk_mb, "")                                                       \
	F(R, TEXT, features, "that it requests; null: none, or the job is active")   \
	F(R, TEXTS, blocked_by, "what keeps it from idle nodes, in Maui's words")    \
	F(R, TEXTS, messages, "what is wrong with it")
MAUI_RECORD(maui_jobs_job, MAUI_JOBS_JOB_FIELDS);

#define MAUI_JOBS_FIELDS(F, R)                                               \
	F(R, TEXT, cluster, "")                                              \
	F(R, INT, time, "of the plan")                                       \
	F(R, LIST, jobs, "active ones, then those that wait", maui_jobs_job) \
	F(R, MAYBE_ONE, refused, "the maui.cfg that is not in force", maui_refused)
MAUI_RECORD(maui_jobs, MAUI_JOBS_FIELDS);

MAUI_QUESTION(jobs, ALL, &maui_jobs_args_type, &maui_jobs_type,
	      "jobs with their requests, and what blocks them");

#endif
