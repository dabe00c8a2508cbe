/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priorities.h - the verb "priorities": the priority of each job of the queue, with every
 * contribution to it, for diagnose -p
 *
 * Only components and factors appear that some job's weights use; factors of USAGE are of running
 * jobs. Their names, as of maui.cfg's parameters, stand once, with the weights: the jobs have lists
 * of numbers in the same order.
 *
 * Rules: CMD-30.
 */
#ifndef MAUI_VERBS_PRIORITIES_H
#define MAUI_VERBS_PRIORITIES_H

#include "verbs/refused.h"
#include "verbs/verb.h"

#define MAUI_PRIORITIES_ARGS_FIELDS(F, R) \
	F(R, INT, job, "one that waits, in the queue or not; absent: the queue")
MAUI_RECORD(maui_priorities_args, MAUI_PRIORITIES_ARGS_FIELDS);

/* What `diagnose -p --json` shows of each job as it is here. */
#define MAUI_PRIORITIES_RANK_FIELDS(F, R)                                            \
	F(R, INT, id, "number of the job, of each task of an array its own")         \
	F(R, TEXT_OR_NULL, user, "")                                                 \
	F(R, TEXT_OR_NULL, partition, "")                                            \
	F(R, INT, priority, "as squeue shows it")                                    \
	F(R, INT, system_priority, "of setspri; 0: none")                            \
	F(R, INT, system_priority_added, "of setspri -r; 0: none")                   \
	F(R, BOOL, given, "the priority was set with scontrol or by another plugin") \
	F(R, INT, nice, "")

#define MAUI_PRIORITIES_JOB_FIELDS(F, R)                                             \
	MAUI_PRIORITIES_RANK_FIELDS(F, R)                                            \
	F(R, FULL_REALS, components, "what each of `component_weights` contributes") \
	F(R, FULL_REALS, values, "each of `factor_weights`, after its cap")          \
	F(R, FULL_REALS, contributions, "what each of `factor_weights` contributes")
MAUI_RECORD(maui_priorities_job, MAUI_PRIORITIES_JOB_FIELDS);

#define MAUI_PRIORITIES_FIELDS(F, R)                                                            \
	F(R, TEXT, cluster, "")                                                                 \
	F(R, INT, time, "of the plan")                                                          \
	F(R, MAP, component_weights, "those of all partitions: CREDWEIGHT is `CRED`")           \
	F(R, MAP, factor_weights, "the same: QOSWEIGHT is `QOS`")                               \
	F(R, COLUMNS, job_columns, "", maui_priorities_job)                                     \
	F(R, ROWS, jobs, "by rank", maui_priorities_job)                                        \
	F(R, TEXTS, warnings, "about lines of maui.cfg that set weights, with their positions") \
	F(R, MAYBE_ONE, refused, "the maui.cfg that is not in force", maui_refused)
MAUI_RECORD(maui_priorities, MAUI_PRIORITIES_FIELDS);

MAUI_QUESTION(priorities, ALL, &maui_priorities_args_type, &maui_priorities_type,
	      "how the priority of waiting jobs is made up");

#endif
