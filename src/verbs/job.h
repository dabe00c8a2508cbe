/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.h - the verb "job": what is known of one job, and why it does not run
 *
 * For checkjob and maui why. With PrivateData=jobs users find only their own. Rules: CMD-9, CMD-21.
 */
#ifndef MAUI_VERBS_JOB_H
#define MAUI_VERBS_JOB_H

#include "model/job_state.h"
#include "verbs/estimate_move.h"
#include "verbs/job_args.h"
#include "verbs/verb.h"

#define MAUI_JOB_HELP_FIELDS(F, R) \
	F(R, TEXT, text, "")       \
	F(R, TEXT, command, "that does it; null: none")
MAUI_RECORD(maui_job_help, MAUI_JOB_HELP_FIELDS);

#define MAUI_JOB_BLOCKING_FIELDS(F, R)                           \
	F(R, TEXT, name, "of the reservation, without a number") \
	F(R, TIME, start, "")                                    \
	F(R, TIME, end, "when it stops blocking the job; null: never")
MAUI_RECORD(maui_job_blocking, MAUI_JOB_BLOCKING_FIELDS);

#define MAUI_JOB_USER_FIELDS(F, R)                  \
	F(R, TEXT, label, "as squeue names it")     \
	F(R, TIME, end, "by its limit; null: none") \
	F(R, BOOL, suspended, "its processors are free, its memory is not")
MAUI_RECORD(maui_job_user, MAUI_JOB_USER_FIELDS);

#define MAUI_JOB_WAITING_FIELDS(F, R)                                                          \
	F(R, INT, gpus, "of any type")                                                         \
	F(R, TEXT, features, "null: none")                                                     \
	F(R, TEXT, reservation, "that it requests; null: none")                                \
	F(R, TIME, submit, "")                                                                 \
	F(R, TIME, queued_since, "")                                                           \
	F(R, INT, priority, "as squeue shows it")                                              \
	F(R, INT_OR_NULL, rank, "from 1; null: not in the queue")                              \
	F(R, INT, ahead, "jobs that wait for the same resources and come before it")           \
	F(R, TEXTS, jobs_ahead, "the first five of them that the asker may see")               \
	F(R, TEXTS, others_ahead,                                                              \
	  "the first five jobs of other partitions that come before it and wait for nodes "    \
	  "which could serve it, as far as the asker may see them")                            \
	F(R, LIST, node_users,                                                                 \
	  "the first five to end of the active jobs on nodes that could serve it when these "  \
	  "jobs end, as far as the asker may see them; empty: nodes are not what it waits "    \
	  "for, or reservations keep them then",                                               \
	  maui_job_user)                                                                       \
	F(R, INT, node_users_all, "how many jobs these are in all")                            \
	F(R, TEXT, reason, "as squeue shows it; null: none")                                   \
	F(R, TEXTS, reasons, "all")                                                            \
	F(R, COUNTS, nodes_by_reason, "how many nodes do not serve it, or are free")           \
	F(R, ONE_OR_NULL, blocking_reservation, "null: none keeps it", maui_job_blocking)      \
	F(R, TEXTS, outlook, "when it could start, and with which limit now")                  \
	F(R, TIME, expected_start, "the cycle's estimate; null: none")                         \
	F(R, TIME, earliest_start, "the first moment at which it fits; null: not known")       \
	F(R, TIME, start_by,                                                                   \
	  "to end before its deadline; Slurm cancels it then; null: it has none")              \
	F(R, BOOL, has_reservation, "a job reservation")                                       \
	F(R, BOOL, asks_slurm, "Slurm chooses the nodes, and may find no place for it")        \
	F(R, TIME, fits_now_with_limit,                                                        \
	  "the longest time limit with which it would start now, seconds; null: none")         \
	F(R, TEXT, with_shorter_limit, "the same as a sentence; null: none")                   \
	F(R, ROWS, estimates,                                                                  \
	  "how the start estimate moved, at most 8 moves, oldest first; those of less than a " \
	  "minute or a twentieth of the wait are left out",                                    \
	  maui_estimate_move)                                                                  \
	F(R, LIST, would_help, "what would let it start now, and who uses its limit", maui_job_help)
MAUI_RECORD(maui_job_waiting, MAUI_JOB_WAITING_FIELDS);

#define MAUI_JOB_ACTIVE_FIELDS(F, R)                                                 \
	F(R, TIME, start, "")                                                        \
	F(R, TIME, end, "by its limit; null: none")                                  \
	F(R, TEXTS, gres, "generic resources that it has, as in --gres: gpu:a100:2") \
	F(R, INT, suspensions, "how often it was suspended since its start")         \
	F(R, INT, suspended, "seconds, in all")                                      \
	F(R, INT, resumes, "processors that it takes again; 0 unless suspended")
MAUI_RECORD(maui_job_active, MAUI_JOB_ACTIVE_FIELDS);

/* `waiting` or `active` is there. */
#define MAUI_JOB_DETAILS_FIELDS(F, R)                                                           \
	F(R, INT, id, "number of the job, of each task of an array its own")                    \
	F(R, INT_OR_NULL, array_job, "number of the array; null: none")                         \
	F(R, INT_OR_NULL, array_task, "null: no single task of an array")                       \
	F(R, TEXT, label,                                                                       \
	  "as squeue names it: 17, 17_3; 17_[1-5]: tasks that wait, 17_[1-9]x4: four of these") \
	F(R, TEXT, name, "that the user gave it")                                               \
	F(R, WORD, state, "Idle, Blocked (not eligible), Starting, Running, Suspended",         \
	  maui_job_state, MAUI_JOB_NO_STATE)                                                    \
	F(R, MAYBE_INT, jobs, "how many wait: tasks of an array; absent of an active job", 0)   \
	F(R, TEXT, user, "")                                                                    \
	F(R, TEXT, group, "")                                                                   \
	F(R, TEXT, account, "")                                                                 \
	F(R, TEXT, qos, "")                                                                     \
	F(R, TEXT, partition, "")                                                               \
	F(R, MAYBE_TIME, limit, "seconds; null: none; absent of an active job", -1)             \
	F(R, INT, nodes, "")                                                                    \
	F(R, MAYBE_INT, tasks, "absent of an active job", -1)                                   \
	F(R, MAYBE_TEXT, node_names, "of an active job, folded: n[1-4]")                        \
	F(R, INT, procs, "")                                                                    \
	F(R, PART, waiting, "of a job that waits", maui_job_waiting)                            \
	F(R, PART, active, "of a job that runs", maui_job_active)
MAUI_RECORD(maui_job_details, MAUI_JOB_DETAILS_FIELDS);

#define MAUI_JOB_ANSWER_FIELDS(F, R)                                            \
	F(R, TEXT, cluster, "")                                                 \
	F(R, INT, time, "of the plan in which the job waits, or of the answer") \
	F(R, ONE, job, "", maui_job_details)
MAUI_RECORD(maui_job_answer, MAUI_JOB_ANSWER_FIELDS);

MAUI_QUESTION(job, ALL, &maui_job_args_type, &maui_job_answer_type,
	      "all about a job, and why it waits");

#endif
