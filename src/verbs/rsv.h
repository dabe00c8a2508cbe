/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv.h - a reservation: a row of "reservations", and what "setres" has made */
#ifndef MAUI_VERBS_RSV_H
#define MAUI_VERBS_RSV_H

#include "model/job_state.h"
#include "record/record.h"

#define MAUI_RSV_NODES_FIELDS(F, R)                   \
	F(R, INT, tasks, "that are reserved on each") \
	F(R, INT, procs, "the same in processors")    \
	F(R, TEXTS, names, "of neighbours with as much")
MAUI_RECORD(maui_rsv_nodes, MAUI_RSV_NODES_FIELDS);

#define MAUI_RSV_JOB_FIELDS(F, R)                                                          \
	F(R, WORD, state, "Running, Starting, Idle (it waits), Suspended", maui_job_state, \
	  MAUI_JOB_NO_STATE)                                                               \
	F(R, TEXT, user, "")                                                               \
	F(R, TEXT, group, "")                                                              \
	F(R, TEXT, account, "")                                                            \
	F(R, TEXT, qos, "")                                                                \
	F(R, TEXT, class, "partition")
MAUI_RECORD(maui_rsv_job, MAUI_RSV_JOB_FIELDS);

#define MAUI_RSV_OURS_FIELDS(F, R)                                                         \
	F(R, TEXTS, flags, "`OWNERPREEMPT`")                                               \
	F(R, TEXTS, acl, "`USER==steve+`, `ACCT==!guest`, `DURATION<=1:00:00*+`")          \
	F(R, TEXT, owner, "`ACCOUNT:jupiter`")                                             \
	F(R, TEXT, charge_account, "")                                                     \
	F(R, TEXT, subtype, "the word of setres -b")                                       \
	F(R, TEXTS, triggers, "`start+5:00;exec@/path`")                                   \
	F(R, INT, task_procs, "of RESOURCES; -1: a whole node")                            \
	F(R, INT, task_mem_mb, "")                                                         \
	F(R, INT, task_disk_mb, "")                                                        \
	F(R, INT, task_count, "TASKCOUNT")                                                 \
	F(R, TEXT, host_list, "HOSTLIST as written")                                       \
	F(R, TEXT, features, "`big,fast`")                                                 \
	F(R, INT, wanted_tasks, "0: all that the hosts have")                              \
	F(R, INT, missing_tasks, "those that it has not got")                              \
	F(R, TEXT, held_by, "how many are missing, what holds them, and what may be done") \
	F(R, INT, used_procs, "now, by jobs that it lets in")                              \
	F(R, REAL, used_proc_seconds, "since it began")                                    \
	F(R, REAL, idle_proc_seconds, "the same")
MAUI_RECORD(maui_rsv_ours, MAUI_RSV_OURS_FIELDS);

#define MAUI_RSV_ROW_FIELDS(F, R)                                                              \
	F(R, TEXT, name,                                                                       \
	  "`biz.1` (Maui's number: periods from the current one), `steve.1`, a job's id")      \
	F(R, TEXT, stable_name, "`maui.biz.20261123`: the same from day to day; null of jobs") \
	F(R, TEXT, mirror, "the Slurm reservation that shows it: its stable name, or null")    \
	F(R, TEXT, type,                                                                       \
	  "Job, User (setres), System (setres, nobody gets in), Standing, Slurm "              \
	  "(a reservation of scontrol that has nodes)")                                        \
	F(R, TIME, start, "")                                                                  \
	F(R, TIME, end, "null: none")                                                          \
	F(R, TIME, duration, "null: without an end")                                           \
	F(R, TEXT, partition, "null: any")                                                     \
	F(R, INT, node_count, "")                                                              \
	F(R, INT, tasks, "")                                                                   \
	F(R, INT, procs, "")                                                                   \
	F(R, PART, job, "of type Job", maui_rsv_job)                                           \
	F(R, PART, ours, "of setres and maui.cfg", maui_rsv_ours)                              \
	F(R, MAYBE_LIST, nodes, "in the answers that have them", maui_rsv_nodes)
MAUI_RECORD(maui_rsv_row, MAUI_RSV_ROW_FIELDS);

#endif
