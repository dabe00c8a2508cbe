/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - the verb "report": what the pictures of maui report and showres -g show
 *
 * What PrivateData hides from the user is neither listed nor counted. maui-sim fills the same
 * record for its page: it has no fairshare and no queue of now.
 *
 * Rules: CMD-37.
 */
#ifndef MAUI_VERBS_REPORT_H
#define MAUI_VERBS_REPORT_H

#include "verbs/gres.h"
#include "verbs/fairshare.h"
#include "verbs/statistics.h"
#include "verbs/verb.h"

#define MAUI_REPORT_ARGS_FIELDS(F, R)                               \
	F(R, INT, horizon, "seconds that it looks ahead; 0: a day") \
	F(R, BOOL, schedule_only, "nothing but the schedule")
MAUI_RECORD(maui_report_args, MAUI_REPORT_ARGS_FIELDS);

/* ---- nodes over time ---- */

#define MAUI_REPORT_ROUNDED_FIELDS(F, R) F(R, INT, count, "how many items this one stands for")
MAUI_RECORD(maui_report_rounded, MAUI_REPORT_ROUNDED_FIELDS);

#define MAUI_REPORT_ITEM_FIELDS(F, R)                                             \
	F(R, TEXT, kind,                                                          \
	  "running, starting, suspended, reserved (a job reservation), down, "    \
	  "system and user (reservations of setres), standing, "                  \
	  "slurm (a Slurm reservation), held (idle processors that BFCHUNKSIZE "  \
	  "collects), free (a backfill window)")                                  \
	F(R, TEXT, id, "a job as squeue names it, a reservation's name, window1") \
	F(R, MAYBE_TEXT, user, "of jobs")                                         \
	F(R, MAYBE_TEXT, account, "of jobs")                                      \
	F(R, INT, start, "")                                                      \
	F(R, TIME, end, "null: none")                                             \
	F(R, INT, nodes, "")                                                      \
	F(R, INT, procs, "")                                                      \
	F(R, PART, rounded, "of a rounded schedule", maui_report_rounded)
MAUI_RECORD(maui_report_item, MAUI_REPORT_ITEM_FIELDS);

/* The part of an item on the nodes of a row. */
#define MAUI_REPORT_BOX_FIELDS(F, R)           \
	F(R, INT, item, "its index")           \
	F(R, INT, from, "seconds from `time`") \
	F(R, INT, until, "seconds from `time`")
MAUI_RECORD(maui_report_box, MAUI_REPORT_BOX_FIELDS);

#define MAUI_REPORT_ROW_FIELDS(F, R)        \
	F(R, TEXT, nodes, "folded: n[1-4]") \
	F(R, INT, node_count, "")           \
	F(R, ROWS, boxes, "", maui_report_box)
MAUI_RECORD(maui_report_row, MAUI_REPORT_ROW_FIELDS);

#define MAUI_REPORT_SCHEDULE_FIELDS(F, R)                                                \
	F(R, INT, horizon, "seconds")                                                    \
	F(R, INT, node_count, "")                                                        \
	F(R, INT, step,                                                                  \
	  "0: exact; else times are rounded to so many seconds, and an item stands for " \
	  "all of its kind")                                                             \
	F(R, LIST, items, "", maui_report_item)                                          \
	F(R, LIST, rows, "one for each node; above 200 nodes equal nodes share one",     \
	  maui_report_row)
MAUI_RECORD(maui_report_schedule, MAUI_REPORT_SCHEDULE_FIELDS);

/* ---- usage ---- */

#define MAUI_REPORT_SHARES_FIELDS(F, R) \
	F(R, ONE_OR_NULL, fairshare,    \
	  "of the 200 credentials with the largest usage; null: not known", maui_fairshare)
MAUI_RECORD(maui_report_shares, MAUI_REPORT_SHARES_FIELDS);

/* Means over a span of time. */
#define MAUI_REPORT_SPAN_FIELDS(F, R)                           \
	F(R, INT, start, "")                                    \
	F(R, INT, end, "")                                      \
	F(R, REAL, procs, "all")                                \
	F(R, REAL, down, "")                                    \
	F(R, REAL, used, "")                                    \
	F(R, REAL, reserved, "idle, and kept by a reservation") \
	F(R, REAL, idle, "")                                    \
	F(R, REAL, running, "jobs")                             \
	F(R, REAL, waiting, "jobs")
MAUI_RECORD(maui_report_span, MAUI_REPORT_SPAN_FIELDS);

#define MAUI_REPORT_PERIOD_FIELDS(F, R) \
	F(R, INT, utilisation_from, "") \
	F(R, INT, utilisation_until, "")
MAUI_RECORD(maui_report_period, MAUI_REPORT_PERIOD_FIELDS);

/* ---- the queue ---- */

#define MAUI_REPORT_SUM_FIELDS(F, R) \
	F(R, INT, jobs, "")          \
	F(R, INT, procs, "")
MAUI_RECORD(maui_report_sum, MAUI_REPORT_SUM_FIELDS);

#define MAUI_REPORT_QUEUE_FIELDS(F, R)                                         \
	F(R, ONE, running, "", maui_report_sum)                                \
	F(R, ONE, starting, "", maui_report_sum)                               \
	F(R, ONE, suspended, "", maui_report_sum)                              \
	F(R, ONE, reserved, "waiting with a job reservation", maui_report_sum) \
	F(R, ONE, eligible, "waiting for resources only", maui_report_sum)     \
	F(R, ONE, blocked, "", maui_report_sum)                                \
	F(R, MAYBE_LIST, gres, "of the cluster; absent: PrivateData=nodes hides it", maui_gres)
MAUI_RECORD(maui_report_queue, MAUI_REPORT_QUEUE_FIELDS);

#define MAUI_REPORT_REASON_FIELDS(F, R) \
	F(R, TEXT, reason, "")          \
	F(R, INT, jobs, "")             \
	F(R, INT, procs, "")
MAUI_RECORD(maui_report_reason, MAUI_REPORT_REASON_FIELDS);

#define MAUI_REPORT_CLIP_FIELDS(F, R) \
	F(R, REAL, clipped,           \
	  "what the sum of the components counts as; only where a bound changes it")
MAUI_RECORD(maui_report_clip, MAUI_REPORT_CLIP_FIELDS);

#define MAUI_REPORT_BESIDES_FIELDS(F, R)                  \
	F(R, INT, system_priority_added, "by setspri -r") \
	F(R, INT, nice, "what is subtracted")
MAUI_RECORD(maui_report_besides, MAUI_REPORT_BESIDES_FIELDS);

#define MAUI_REPORT_WAITING_FIELDS(F, R)                                                   \
	F(R, INT, id, "")                                                                  \
	F(R, TEXT, user, "")                                                               \
	F(R, TEXT, account, "")                                                            \
	F(R, TEXT, partition, "")                                                          \
	F(R, INT, nodes, "how many it needs at least")                                     \
	F(R, INT, procs, "")                                                               \
	F(R, TIME, limit, "seconds; null: none")                                           \
	F(R, INT, priority, "as squeue shows it")                                          \
	F(R, MAP_OR_NULL, components,                                                      \
	  "what each component adds to the priority; null: the priority was set directly") \
	F(R, PART, clip, "", maui_report_clip)                                             \
	F(R, PART, besides, "absent: the priority was set directly", maui_report_besides)  \
	F(R, TEXT, reason, "why it waits, the first reason")                               \
	F(R, TIME, expected_start, "the cycle's estimate; null: none")
MAUI_RECORD(maui_report_waiting, MAUI_REPORT_WAITING_FIELDS);

#define MAUI_REPORT_WHY_FIELDS(F, R) \
	F(R, INT, id, "")            \
	F(R, TEXT, reason, "")       \
	F(R, INT, wanted, "nodes")   \
	F(R, COUNTS, nodes, "by reason; free: for the job")
MAUI_RECORD(maui_report_why, MAUI_REPORT_WHY_FIELDS);

/* ---- partitions ---- */

#define MAUI_PARTITION_SHARE_FIELDS(F, R)                              \
	F(R, TEXT, partition, "")                                      \
	F(R, TEXT_OR_NULL, gres, "null: processors")                   \
	F(R, INT, used, "by jobs")                                     \
	F(R, INT, reserved, "idle under a reservation that has begun") \
	F(R, INT, idle, "")                                            \
	F(R, INT, down, "of nodes that are down or drained, and not used")
MAUI_RECORD(maui_partition_share, MAUI_PARTITION_SHARE_FIELDS);

#define MAUI_REPORT_NOW_FIELDS(F, R)                                                               \
	F(R, ONE, queue, "jobs and processors by state", maui_report_queue)                        \
	F(R, KEYED, reasons, "waiting jobs and their processors by their first reason",            \
	  maui_report_reason)                                                                      \
	F(R, LIST, partitions, "processors of each, then generic resources", maui_partition_share) \
	F(R, LIST, waiting, "the first 50 jobs of the queue", maui_report_waiting)                 \
	F(R, LIST, why_not, "nodes for the first 5 of these", maui_report_why)
MAUI_RECORD(maui_report_now, MAUI_REPORT_NOW_FIELDS);

/* ---- all of it ---- */

#define MAUI_REPORT_FIELDS(F, R)                                                                   \
	F(R, TEXT, cluster, "")                                                                    \
	F(R, INT, time, "of the plan")                                                             \
	F(R, MAYBE_ONE, schedule, "", maui_report_schedule)                                        \
	F(R, PART, shares, "", maui_report_shares)                                                 \
	F(R, MAYBE_LIST, utilisation,                                                              \
	  "spans of ten minutes of the last day; what is not known is not listed",                 \
	  maui_report_span)                                                                        \
	F(R, MAYBE_LIST, estimates, "of starts, and how true they were", maui_statistics_estimate) \
	F(R, PART, period, "of a simulation: the time that its spans divide", maui_report_period)  \
	F(R, PART, now, "", maui_report_now)
MAUI_RECORD(maui_report, MAUI_REPORT_FIELDS);

MAUI_QUESTION(report, NODES, &maui_report_args_type, &maui_report_type,
	      "the next hours on the nodes, usage, utilisation and the queue, for pictures");

#endif
