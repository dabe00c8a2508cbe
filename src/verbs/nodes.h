/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.h - the verb "nodes": what jobs leave of each node, for diagnose -n and checknode
 *
 * Rules: CMD-9, CMD-33, CMD-65.
 */
#ifndef MAUI_VERBS_NODES_H
#define MAUI_VERBS_NODES_H

#include "model/job_state.h"
#include "model/node_state.h"
#include "verbs/gres.h"
#include "verbs/refused.h"
#include "verbs/verb.h"

#define MAUI_NODES_ARGS_FIELDS(F, R) F(R, TEXT, name, "one; absent: all")
MAUI_RECORD(maui_nodes_args, MAUI_NODES_ARGS_FIELDS);

#define MAUI_NODES_HOLDER_FIELDS(F, R)                                               \
	F(R, TEXT, name, "of a reservation; of a job as squeue names it")            \
	F(R, TEXT, type, "Job, User, System, Standing, Slurm")                       \
	F(R, WORD, state, "of a job: Running, Starting, Idle (it waits), Suspended", \
	  maui_job_state, MAUI_JOB_NO_STATE)                                         \
	F(R, TEXT, user, "of a job")                                                 \
	F(R, TIME, start, "")                                                        \
	F(R, TIME, end, "null: none")                                                \
	F(R, INT, procs, "of this node")                                             \
	F(R, TEXT, gres, "of this node, of a job that runs: `gpu:2,gpu:a100:2`; null: none")
MAUI_RECORD(maui_nodes_holder, MAUI_NODES_HOLDER_FIELDS);

#define MAUI_NODES_NODE_FIELDS(F, R)                                                         \
	F(R, TEXT, name, "")                                                                 \
	F(R, WORD, state,                                                                    \
	  "Idle, Running, Busy: no processor is free, Draining, Drained, Down, Unknown: "    \
	  "no answer yet",                                                                   \
	  maui_node_state, MAUI_NODE_UNKNOWN)                                                \
	F(R, INT, procs_available, "")                                                       \
	F(R, INT, procs, "what jobs may use")                                                \
	F(R, INT, mem_mb_available, "")                                                      \
	F(R, INT, mem_mb, "")                                                                \
	F(R, INT, disk_mb_available, "")                                                     \
	F(R, INT, disk_mb, "")                                                               \
	F(R, REAL, load, "")                                                                 \
	F(R, INT, jobs, "")                                                                  \
	F(R, INT, reservations, "that have begun or will, jobs among them")                  \
	F(R, TEXTS, classes, "partitions")                                                   \
	F(R, TEXT, features, "`big,fast`; null: none")                                       \
	F(R, TEXT, note, "why it is down or drained, as `scontrol update` said; null: none") \
	/* with a name: */                                                                   \
	F(R, MAYBE_LIST, gres, "", maui_gres)                                                \
	F(R, MAYBE_LIST, reserved, "what holds processors of it, now or later", maui_nodes_holder)
MAUI_RECORD(maui_nodes_node, MAUI_NODES_NODE_FIELDS);

#define MAUI_NODES_FIELDS(F, R)                \
	F(R, TEXT, cluster, "")                \
	F(R, INT, time, "of the plan")         \
	F(R, LIST, nodes, "", maui_nodes_node) \
	F(R, MAYBE_ONE, refused, "", maui_refused)
MAUI_RECORD(maui_nodes, MAUI_NODES_FIELDS);

MAUI_QUESTION(nodes, NODES, &maui_nodes_args_type, &maui_nodes_type, "nodes, and what uses them");

#endif
