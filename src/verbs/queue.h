/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.h - the verb "queue": active, idle and blocked jobs, for showq and maui queue
 *
 * Rules: CMD-9, CMD-23, CMD-24.
 */
#ifndef MAUI_VERBS_QUEUE_H
#define MAUI_VERBS_QUEUE_H

#include "model/job_state.h"
#include "verbs/gres.h"
#include "verbs/verb.h"

#define MAUI_QUEUE_ARGS_FIELDS(F, R)                                             \
	F(R, TEXT, user, "jobs of one of these users, `a,b`; absent: of any")    \
	F(R, TEXT, group, "the same by group")                                   \
	F(R, TEXT, account, "by account")                                        \
	F(R, TEXT, qos, "by QOS")                                                \
	F(R, TEXT, class, "by partition")                                        \
	F(R, TEXT, block, "active, idle or blocked jobs only; totals count all") \
	F(R, BOOL, wide, "all columns, not only those of showq")
MAUI_RECORD(maui_queue_args, MAUI_QUEUE_ARGS_FIELDS);

#define MAUI_QUEUE_ACTIVE_FIELDS(F, R)                                                       \
	F(R, TEXT, job, "as squeue names it: 17, 17_3")                                      \
	F(R, TEXT, user, "")                                                                 \
	F(R, WORD, state, "Running, Starting, Suspended", maui_job_state, MAUI_JOB_NO_STATE) \
	F(R, INT, procs, "")                                                                 \
	F(R, TIME, end, "by its limit; null: none")                                          \
	F(R, TIME, start, "")                                                                \
	/* of wide rows */                                                                   \
	F(R, INT, id, "number of the job, of each task of an array its own")                 \
	F(R, TEXT, name, "that the user gave it")                                            \
	F(R, TEXT, group, "")                                                                \
	F(R, TEXT, account, "")                                                              \
	F(R, TEXT, qos, "")                                                                  \
	F(R, TEXT, class, "partition")                                                       \
	F(R, INT, nodes, "")                                                                 \
	F(R, TEXT, first_node, "")                                                           \
	F(R, TIME, submit, "null: not known")                                                \
	F(R, HUNDREDTHS, xfactor, "(waited + limit) / limit")                                \
	F(R, INT, suspended, "seconds")
MAUI_RECORD(maui_queue_active, MAUI_QUEUE_ACTIVE_FIELDS);

#define MAUI_QUEUE_WAITING_FIELDS(F, R)                                            \
	F(R, TEXT, job, "as squeue names it: 17, 17_3; 17_[1-5]: tasks that wait") \
	F(R, TEXT, user, "")                                                       \
	F(R, WORD, state, "Idle, UserHold, SystemHold, Deferred", maui_job_state,  \
	  MAUI_JOB_NO_STATE)                                                       \
	F(R, INT, procs, "")                                                       \
	F(R, TIME, limit, "seconds; null: none")                                   \
	F(R, TIME, submit, "")                                                     \
	/* of wide rows */                                                         \
	F(R, INT, id, "number of the job")                                         \
	F(R, TEXT, name, "that the user gave it")                                  \
	F(R, TEXT, group, "")                                                      \
	F(R, TEXT, account, "")                                                    \
	F(R, TEXT, qos, "")                                                        \
	F(R, TEXT, class, "partition")                                             \
	F(R, INT, nodes, "how many it needs at least")                             \
	F(R, INT, jobs, "tasks that wait, of an array")                            \
	F(R, INT, priority, "as squeue shows it")                                  \
	F(R, HUNDREDTHS, xfactor, "(waited + limit) / limit")                      \
	F(R, TIME, queued_since, "")                                               \
	F(R, TIME, expected_start, "the cycle's estimate; null: none")             \
	F(R, TIME, earliest_start,                                                 \
	  "the first moment at which the job fits; for at "                        \
	  "most 100 jobs without an estimate; null: not known")                    \
	F(R, INT, reserved, "1: it has a job reservation")                         \
	F(R, TEXT, reason, "why it waits")
MAUI_RECORD(maui_queue_waiting, MAUI_QUEUE_WAITING_FIELDS);

/* Columns of rows that are not wide. */
enum { MAUI_QUEUE_NARROW = 6 };

#define MAUI_QUEUE_TOTALS_FIELDS(F, R)                                                      \
	F(R, INT, active_jobs, "each task of an array is a job")                            \
	F(R, INT, idle_jobs, "")                                                            \
	F(R, INT, blocked_jobs, "")                                                         \
	F(R, INT, active_procs,                                                             \
	  "of all jobs, hidden ones too, but for PrivateData=nodes; not of suspended jobs") \
	F(R, INT, procs, "of nodes that jobs use or could use")                             \
	F(R, INT, active_nodes, "")                                                         \
	F(R, INT, nodes, "")                                                                \
	F(R, MAYBE_LIST, gres,                                                              \
	  "of the cluster; absent: only some jobs are asked for, "                          \
	  "or PrivateData=nodes hides it",                                                  \
	  maui_gres)
MAUI_RECORD(maui_queue_totals, MAUI_QUEUE_TOTALS_FIELDS);

#define MAUI_QUEUE_KEPT_FIELDS(F, R)                    \
	F(R, TEXT, job, "that has the job reservation") \
	F(R, TEXT, user, "")                            \
	F(R, TEXT, nodes, "folded: n[1-4]")             \
	F(R, INT, node_count, "")                       \
	F(R, INT, procs, "")                            \
	F(R, TIME, start, "")
MAUI_RECORD(maui_queue_kept, MAUI_QUEUE_KEPT_FIELDS);

#define MAUI_QUEUE_FIELDS(F, R)                                                            \
	F(R, TEXT, cluster, "")                                                            \
	F(R, INT, time, "of the plan")                                                     \
	F(R, ONE, totals, "of the jobs of these credentials", maui_queue_totals)           \
	F(R, COLUMNS, active_columns, "", maui_queue_active)                               \
	F(R, ROWS, active, "by their end", maui_queue_active)                              \
	F(R, COLUMNS, waiting_columns, "", maui_queue_waiting)                             \
	F(R, ROWS, idle, "jobs that wait for resources only, by rank", maui_queue_waiting) \
	F(R, ROWS, blocked, "jobs that something else keeps, by rank", maui_queue_waiting) \
	F(R, LIST, kept, "nodes of the first job reservations", maui_queue_kept)           \
	F(R, TIME, collecting_until,                                                       \
	  "until when BFCHUNKSIZE keeps idle processors "                                  \
	  "from small jobs; null: it does not")
MAUI_RECORD(maui_queue, MAUI_QUEUE_FIELDS);

MAUI_QUESTION(queue, ALL, &maui_queue_args_type, &maui_queue_type, "active, idle and blocked jobs");

#endif
