/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.h - the verb "state": the machine at a glance, for showstate
 *
 * Rules: CMD-9, CMD-49.
 */
#ifndef MAUI_VERBS_STATE_H
#define MAUI_VERBS_STATE_H

#include "model/job_state.h"
#include "model/node_state.h"
#include "verbs/gres.h"
#include "verbs/refused.h"
#include "verbs/verb.h"

#define MAUI_STATE_HEALTH_FIELDS(F, R)                                             \
	F(R, BOOL, starts_jobs, "")                                                \
	F(R, TEXT, no_starts, "why cycles start nothing; null: they do")           \
	F(R, TIME, since, "when the counters began; 0: no cycle yet")              \
	F(R, INT, cycles, "")                                                      \
	F(R, INT, failed_cycles, "")                                               \
	F(R, MILLIONTHS, last_cycle, "seconds")                                    \
	F(R, MILLIONTHS, last_plan, "seconds of the last cycle")                   \
	F(R, MILLIONTHS, longest_cycle, "seconds")                                 \
	F(R, MILLIONTHS, last_read_hold, "seconds: the longest of the last cycle") \
	F(R, MILLIONTHS, last_write_hold, "the same")                              \
	F(R, MILLIONTHS, longest_read_hold, "seconds")                             \
	F(R, MILLIONTHS, longest_write_hold, "seconds")                            \
	F(R, INT, started, "jobs")                                                 \
	F(R, INT, backfilled, "jobs out of order")                                 \
	F(R, INT, refused, "starts, by Slurm")                                     \
	F(R, INT, preempted, "jobs")
MAUI_RECORD(maui_state_health, MAUI_STATE_HEALTH_FIELDS);

#define MAUI_STATE_SCHEDULER_FIELDS(F, R)                   \
	F(R, TEXT, server_mode, "NORMAL, TEST, SIMULATION") \
	F(R, INT, poll_interval, "seconds")                 \
	F(R, PART, health, "absent: not known", maui_state_health)
MAUI_RECORD(maui_state_scheduler, MAUI_STATE_SCHEDULER_FIELDS);

#define MAUI_STATE_JOB_FIELDS(F, R)                                                          \
	F(R, TEXT, job, "as squeue names it: 17, 17_3")                                      \
	F(R, WORD, state, "Running, Starting, Suspended", maui_job_state, MAUI_JOB_NO_STATE) \
	F(R, TEXT, user, "")                                                                 \
	F(R, TEXT, group, "")                                                                \
	F(R, INT, procs, "")                                                                 \
	F(R, TIME, start, "")                                                                \
	F(R, TIME, end, "by its limit; null: none")
MAUI_RECORD(maui_state_job, MAUI_STATE_JOB_FIELDS);

#define MAUI_STATE_NODE_FIELDS(F, R)                                                        \
	F(R, TEXT, name, "")                                                                \
	F(R, WORD, state, "as in an answer to `nodes`", maui_node_state, MAUI_NODE_UNKNOWN) \
	F(R, INT_OR_NULL, job, "index of `jobs`: its only job, if that is listed")          \
	F(R, INT, jobs, "how many")                                                         \
	F(R, INT, reserved, "1: a reservation on it has begun")
MAUI_RECORD(maui_state_node, MAUI_STATE_NODE_FIELDS);

#define MAUI_STATE_FIELDS(F, R)                                                                 \
	F(R, TEXT, cluster, "")                                                                 \
	F(R, INT, time, "of the plan")                                                          \
	F(R, ONE, scheduler, "", maui_state_scheduler)                                          \
	F(R, LIST, jobs, "the 62 largest active ones", maui_state_job)                          \
	F(R, INT, active_jobs, "all that the asker may see")                                    \
	F(R, INT, active_procs,                                                                 \
	  "of all jobs, hidden ones too, but for PrivateData=nodes; not of suspended jobs")     \
	F(R, MAYBE_LIST, gres, "of the cluster; absent: PrivateData=nodes hides it", maui_gres) \
	F(R, INT, procs, "of all nodes")                                                        \
	F(R, INT, node_count, "")                                                               \
	F(R, INT_OR_NULL, active_nodes, "null: PrivateData=nodes")                              \
	F(R, ROWS_OR_NULL, nodes, "the same", maui_state_node)                                  \
	F(R, TEXTS, problems, "the gravest first")                                              \
	F(R, MAYBE_ONE, refused, "", maui_refused)
MAUI_RECORD(maui_state, MAUI_STATE_FIELDS);

MAUI_QUESTION(state, ALL, NULL, &maui_state_type,
	      "the scheduler, active jobs on their nodes, and what is wrong");

#endif
