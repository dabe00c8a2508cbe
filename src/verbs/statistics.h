/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.h - the verb "statistics": figures of jobs that have ended, for showstats
 *
 * Rules: CMD-28, CMD-29, CMD-67.
 */
#ifndef MAUI_VERBS_STATISTICS_H
#define MAUI_VERBS_STATISTICS_H

#include "verbs/gres.h"
#include "verbs/verb.h"

#define MAUI_STATISTICS_ARGS_FIELDS(F, R) \
	F(R, TEXT, kind, "user, group, account, qos, class: of each of these; absent: of the whole")
MAUI_RECORD(maui_statistics_args, MAUI_STATISTICS_ARGS_FIELDS);

/* Sums over jobs that ended, times in seconds. */
#define MAUI_STATISTICS_FIGURES_FIELDS(F, R)                                \
	F(R, ROUNDED, jobs, "")                                             \
	F(R, ROUNDED, backfilled, "jobs out of order")                      \
	F(R, ROUNDED, used, "processor-seconds")                            \
	F(R, ROUNDED, backfilled_used, "those of jobs out of order")        \
	F(R, ROUNDED, requested, "processor-seconds")                       \
	F(R, ROUNDED, queue_time, "")                                       \
	F(R, ROUNDED, max_queue_time, "")                                   \
	F(R, ROUNDED, xfactor, "")                                          \
	F(R, ROUNDED, max_xfactor, "")                                      \
	F(R, ROUNDED, bypass, "how often jobs behind one started first")    \
	F(R, ROUNDED, max_bypass, "")                                       \
	F(R, ROUNDED, accuracy, "parts of their time limits that jobs ran") \
	F(R, ROUNDED, limited_jobs, "jobs that have a time limit")
MAUI_RECORD(maui_statistics_figures, MAUI_STATISTICS_FIGURES_FIELDS);

#define MAUI_STATISTICS_CREDENTIAL_FIELDS(F, R)                                 \
	F(R, TEXT, kind, "")                                                    \
	F(R, TEXT, name, "")                                                    \
	F(R, INT, active_jobs, "")                                              \
	F(R, ROUNDED, active_procs, "")                                         \
	F(R, ROUNDED, active_remaining, "processor-seconds until their limits") \
	F(R, PART, figures, "", maui_statistics_figures)                        \
	F(R, ROUNDED_OR_NULL, target, "FSTARGET")
MAUI_RECORD(maui_statistics_credential, MAUI_STATISTICS_CREDENTIAL_FIELDS);

#define MAUI_STATISTICS_KIND_FIELDS(F, R)                              \
	F(R, LIST, credentials, "by name", maui_statistics_credential) \
	F(R, BOOL, hidden, "PrivateData=usage hides others")
MAUI_RECORD(maui_statistics_kind, MAUI_STATISTICS_KIND_FIELDS);

#define MAUI_STATISTICS_CELL_FIELDS(F, R)                                        \
	F(R, INT, procs, "up to so many; the last have all larger jobs")         \
	F(R, INT, limit, "up to so many seconds; the last have all longer jobs") \
	F(R, PART, figures, "", maui_statistics_figures)
MAUI_RECORD(maui_statistics_cell, MAUI_STATISTICS_CELL_FIELDS);

#define MAUI_STATISTICS_SPAN_FIELDS(F, R)                       \
	F(R, TIME, start, "")                                   \
	F(R, INT, duration, "seconds")                          \
	F(R, ROUNDED, known, "seconds of it; means over them:") \
	F(R, ROUNDED, procs, "")                                \
	F(R, ROUNDED, down, "")                                 \
	F(R, ROUNDED, used, "")                                 \
	F(R, ROUNDED, reserved, "idle under a reservation")     \
	F(R, ROUNDED, idle, "")                                 \
	F(R, ROUNDED, running_jobs, "")                         \
	F(R, ROUNDED, waiting_jobs, "")
MAUI_RECORD(maui_statistics_span, MAUI_STATISTICS_SPAN_FIELDS);

#define MAUI_STATISTICS_ESTIMATE_FIELDS(F, R)                                        \
	F(R, MAYBE_TEXT, partition, "absent: of all")                                \
	F(R, TEXT, estimate, "`first` or `last`: of those that each job got")        \
	F(R, TIME, ahead,                                                            \
	  "it was up to so many seconds ahead, and farther than the row before has " \
	  "it; null: farther than a week")                                           \
	F(R, INT, jobs, "that started")                                              \
	F(R, ROUNDED, p10,                                                           \
	  "of 10 percent of them the start came at most so many seconds later than " \
	  "estimated; below 0: earlier")                                             \
	F(R, ROUNDED, p50, "the same of half of them")                               \
	F(R, ROUNDED, p90, "the same of 90 percent")
MAUI_RECORD(maui_statistics_estimate, MAUI_STATISTICS_ESTIMATE_FIELDS);

#define MAUI_STATISTICS_WHOLE_FIELDS(F, R)                                         \
	F(R, LIST, grid, "by processors, of each by limit", maui_statistics_cell)  \
	F(R, LIST, utilisation, "spans of ten minutes, 144 at most, oldest first", \
	  maui_statistics_span)                                                    \
	F(R, LIST, estimates, "of starts, and how true they were", maui_statistics_estimate)
MAUI_RECORD(maui_statistics_whole, MAUI_STATISTICS_WHOLE_FIELDS);

#define MAUI_STATISTICS_ANSWER_FIELDS(F, R)                                                     \
	F(R, TEXT, cluster, "")                                                                 \
	F(R, INT, time, "of the plan")                                                          \
	F(R, TIME, since, "when the statistics began")                                          \
	F(R, ROUNDED, capacity, "processor-seconds of usable nodes since then")                 \
	F(R, ROUNDED, dedicated, "those that jobs used")                                        \
	/* each task of an array is a job; not what PrivateData=jobs hides */                   \
	F(R, INT, active_jobs, "")                                                              \
	F(R, ROUNDED, active_procs, "")                                                         \
	F(R, ROUNDED, procs, "of all nodes")                                                    \
	F(R, MAYBE_LIST, gres, "of the cluster; absent: PrivateData=nodes hides it", maui_gres) \
	F(R, INT, eligible_jobs, "that wait for resources only")                                \
	F(R, INT, waiting_jobs, "")                                                             \
	F(R, ONE, total, "", maui_statistics_figures)                                           \
	F(R, PART, by_kind, "with a kind", maui_statistics_kind)                                \
	F(R, PART, whole, "without a kind", maui_statistics_whole)
MAUI_RECORD(maui_statistics_answer, MAUI_STATISTICS_ANSWER_FIELDS);

MAUI_QUESTION(statistics, ALL, &maui_statistics_args_type, &maui_statistics_answer_type,
	      "figures of jobs that ended");

#endif
