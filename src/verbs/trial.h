/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.h - the verb "trial": the score of SERVERMODE TEST, for maui trial
 *
 * For administrators and operators only: the score names jobs of all users.
 *
 * Rules: CMD-57.
 */
#ifndef MAUI_VERBS_TRIAL_H
#define MAUI_VERBS_TRIAL_H

#include "verbs/verb.h"

#define MAUI_TRIAL_ANSWER_SUM_FIELDS(F, R)                \
	F(R, INT, jobs, "")                               \
	F(R, INT, unknown, "of them, by an unknown time") \
	F(R, INT, seconds, "by so many, all of them")     \
	F(R, INT, longest, "seconds")
MAUI_RECORD(maui_trial_answer_sum, MAUI_TRIAL_ANSWER_SUM_FIELDS);

#define MAUI_TRIAL_ANSWER_CAUSE_FIELDS(F, R)                                    \
	F(R, TEXT, name, "a limit, a reservation, a shortage; what Slurm says") \
	F(R, INT, jobs, "")                                                     \
	F(R, TIME, first, "when it was the first time")                         \
	F(R, TIME, last, "and the last time")
MAUI_RECORD(maui_trial_answer_cause, MAUI_TRIAL_ANSWER_CAUSE_FIELDS);

#define MAUI_TRIAL_ANSWER_JOB_FIELDS(F, R)                 \
	F(R, INT, job, "its number")                       \
	F(R, TEXT, label, "as squeue names it")            \
	F(R, TEXT, user, "")                               \
	F(R, TEXT, outcome, "sooner, later")               \
	F(R, TIME, start, "the real one")                  \
	F(R, TIME, seconds, "by so many; null: not known") \
	F(R, TEXT, cause, "of a later one; null: none")
MAUI_RECORD(maui_trial_answer_job, MAUI_TRIAL_ANSWER_JOB_FIELDS);

#define MAUI_TRIAL_ANSWER_FIELDS(F, R)                                                       \
	F(R, TEXT, cluster, "")                                                              \
	F(R, INT, time, "of the plan")                                                       \
	F(R, TIME, begin, "")                                                                \
	F(R, TIME, end, "null: the trial goes on")                                           \
	F(R, BOOL, alone, "no other scheduler starts jobs")                                  \
	F(R, INT, same_within, "so many seconds are the same time")                          \
	F(R, INT, started, "jobs")                                                           \
	F(R, ONE, same, "jobs that slurm-maui would have started at the same time",          \
	  maui_trial_answer_sum)                                                             \
	F(R, ONE, sooner, "", maui_trial_answer_sum)                                         \
	F(R, ONE, later, "", maui_trial_answer_sum)                                          \
	F(R, INT, not_compared, "jobs")                                                      \
	F(R, INT, refused, "jobs that Slurm would not have started")                         \
	F(R, INT, waiting, "jobs that wait and would have started")                          \
	F(R, TIME, waiting_since, "when the first of them would have; null: none")           \
	F(R, LIST, causes, "of later starts", maui_trial_answer_cause)                       \
	F(R, LIST, refusals, "of Slurm's", maui_trial_answer_cause)                          \
	F(R, LIST, jobs, "the last 50 that start at different times", maui_trial_answer_job) \
	F(R, TEXTS, reservations, "names of those that setres made in the trial")
MAUI_RECORD(maui_trial_answer, MAUI_TRIAL_ANSWER_FIELDS);

MAUI_QUESTION(trial, STAFF, NULL, &maui_trial_answer_type, "the score of SERVERMODE TEST");

#endif
