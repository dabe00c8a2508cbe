/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.h - the verb "start": when one job starts, what that rests on, and how it moved
 *
 * For showstart. Rules: CMD-9, CMD-25.
 */
#ifndef MAUI_VERBS_START_H
#define MAUI_VERBS_START_H

#include "model/job_state.h"
#include "verbs/estimate_move.h"
#include "verbs/job_args.h"
#include "verbs/verb.h"

/* What is absent of an active job says so by its value in C: 0, -1 for `ahead`. */
#define MAUI_JOB_START_FIELDS(F, R)                                                             \
	F(R, TEXT, label, "as squeue names it: 17, 17_3; 17_[1-5]: tasks that wait")            \
	F(R, WORD, state, "as of a job", maui_job_state, MAUI_JOB_NO_STATE)                     \
	F(R, MAYBE_INT, jobs,                                                                   \
	  "tasks of an array that wait: the start is that of the first; absent of an active "   \
	  "job",                                                                                \
	  0)                                                                                    \
	F(R, TEXT, partition, "")                                                               \
	F(R, INT, procs, "")                                                                    \
	F(R, TIME, limit, "seconds; null: none")                                                \
	F(R, TEXT, basis,                                                                       \
	  "`active`, `starting`, `reservation` (it has a job reservation), `limit` (a "         \
	  "projection of when enough of the jobs that use up its limit have ended), "           \
	  "`projection` (the cycle placed the jobs ahead, too), `fit` (the first moment at "    \
	  "which it fits; jobs ahead without an estimate are ignored), or null")                \
	F(R, TIME, start, "null: cannot be estimated")                                          \
	F(R, MAYBE_TIME, half_within,                                                           \
	  "half of such estimates came within so many seconds; null: not known, fewer than "    \
	  "ten jobs have started since the statistics began; absent of an active job",          \
	  0)                                                                                    \
	F(R, TIME, end, "null: cannot be estimated, or no limit")                               \
	F(R, MAYBE_TIME, start_by,                                                              \
	  "to end before its deadline; Slurm cancels it then; null: it has none; absent of an " \
	  "active job",                                                                         \
	  0)                                                                                    \
	F(R, TEXT, reason, "as squeue shows it; null: none")                                    \
	F(R, MAYBE_INT, ahead, "jobs that come before it; absent of an active job", -1)         \
	F(R, MAYBE_ROWS, history,                                                               \
	  "moves of the estimate, at most 8, oldest first; those of less than a minute or a "   \
	  "twentieth of the wait are left out; absent of an active job",                        \
	  maui_estimate_move)
MAUI_RECORD(maui_job_start, MAUI_JOB_START_FIELDS);

#define MAUI_START_ANSWER_FIELDS(F, R) \
	F(R, TEXT, cluster, "")        \
	F(R, INT, time, "")            \
	F(R, ONE, start, "", maui_job_start)
MAUI_RECORD(maui_start_answer, MAUI_START_ANSWER_FIELDS);

MAUI_QUESTION(start, ALL, &maui_job_args_type, &maui_start_answer_type, "when a job starts");

#endif
