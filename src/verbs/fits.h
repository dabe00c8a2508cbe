/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits.h - the verb "fits": what is free for a user's next job, for showbf, maui fits and showstart
 *
 * Rules: CMD-40, CMD-41.
 */
#ifndef MAUI_VERBS_FITS_H
#define MAUI_VERBS_FITS_H

#include "verbs/gres.h"
#include "verbs/verb.h"

#define MAUI_FITS_MEMORY_FIELDS(F, R)                                          \
	F(R, INT, mem, "MB of each node; 0, and mem_per_cpu too: all of them") \
	F(R, INT, mem_per_cpu, "MB of each processor")
MAUI_RECORD(maui_fits_memory, MAUI_FITS_MEMORY_FIELDS);

#define MAUI_FITS_ARGS_FIELDS(F, R)                                                             \
	F(R, TEXT, user, "whose job; must be there")                                            \
	F(R, MAYBE_INT, uid, "of the user; absent: not known", -1)                              \
	F(R, TEXT, primary_group, "of the user, for AllowGroups; null: not known")              \
	F(R, TEXT, group, "that the job has")                                                   \
	F(R, TEXT, account, "null: the user's default account")                                 \
	F(R, TEXT, qos, "null: the one that maui.cfg gives")                                    \
	F(R, BOOL, qos_may_be_new, "no QOS is refused: a maui.cfg that is tried may bring it")  \
	F(R, TEXT, partition, "names, `a,b`; null: each")                                       \
	F(R, TEXT, features, "as of sbatch -C")                                                 \
	F(R, TEXT, reservation, "that the job names")                                           \
	F(R, TEXT, gres, "generic resources of each node, as of sbatch: `gpu:a100:2,gpu:1`")    \
	F(R, TEXT, gpus, "the same of the whole job")                                           \
	/* with nodes, tasks or gpus it is asked whether a job of this shape starts */          \
	F(R, MAYBE_INT, nodes, "absent: the job names none", 0)                                 \
	F(R, MAYBE_INT, nodes_max, "absent: as nodes", 0)                                       \
	F(R, MAYBE_INT, tasks, "absent: the job names none", 0)                                 \
	F(R, MAYBE_INT, cpus_per_task, "absent: 1", 0)                                          \
	F(R, BOOL, whole_nodes, "the job shares its nodes with no other")                       \
	F(R, PART, memory, "absent: what the partition gives a job", maui_fits_memory)          \
	F(R, MAYBE_TIME, limit, "seconds; null: UNLIMITED; absent: the job names none", 0)      \
	F(R, MAYBE_TIME, least, "seconds: shorter windows are left out; null: all that end", 0) \
	F(R, MAYBE_INT, least_nodes, "windows of fewer nodes are left out", 0)                  \
	F(R, MAYBE_INT, horizon, "seconds that free_procs look ahead", 0)                       \
	F(R, MAYBE_INT, parts, "that these are divided into; absent: no free_procs", 0)
MAUI_RECORD(maui_fits_args, MAUI_FITS_ARGS_FIELDS);

#define MAUI_FITS_WINDOW_FIELDS(F, R)         \
	F(R, TIME, seconds, "null: no end")   \
	F(R, TIME, end, "null: none")         \
	F(R, INT, procs, "that are free now") \
	F(R, INT, nodes, "")
MAUI_RECORD(maui_fits_window, MAUI_FITS_WINDOW_FIELDS);

#define MAUI_FITS_SHAPE_FIELDS(F, R)                                                             \
	F(R, TIME, limit, "seconds: the job is placed with it")                                  \
	F(R, TEXT, limit_from, "the parameter that it comes from; null: the question")           \
	F(R, BOOL, starts_now, "")                                                               \
	F(R, BOOL, asks_slurm, "Slurm chooses the nodes, and may find no place for it")          \
	F(R, TIME, earliest, "null: not known")                                                  \
	F(R, TIME, starts_with_limit, "at most so many seconds, it would start now; null: none") \
	F(R, INT_OR_NULL, starts_on_nodes, "on so many, fewer ones, it would start now")         \
	F(R, BOOL, limited, "a limit keeps it, and `earliest` waits for the jobs that use it")   \
	F(R, BOOL, preempts, "it may preempt jobs, which is not looked at")                      \
	F(R, TEXT, ahead_job,                                                                    \
	  "with a higher priority than that of this job, whose job reservation is in the way, "  \
	  "it could start earlier; null: none, or PrivateData hides it")                         \
	F(R, INT_OR_NULL, ahead_priority, "of that job; null: there is none")                    \
	F(R, TEXTS, reasons, "why it does not start now")                                        \
	F(R, TEXTS, would_help, "what would let it start now")
MAUI_RECORD(maui_fits_shape, MAUI_FITS_SHAPE_FIELDS);

#define MAUI_FITS_GRAPH_FIELDS(F, R)                         \
	F(R, INT, free_step, "seconds from one to the next") \
	F(R, INTS, free_procs, "free processors over time, from now on")
MAUI_RECORD(maui_fits_graph, MAUI_FITS_GRAPH_FIELDS);

#define MAUI_FITS_PARTITION_FIELDS(F, R)                                                   \
	F(R, TEXT, name, "")                                                               \
	F(R, BOOL_AS, is_default, "of jobs that name none", "default")                     \
	F(R, BOOL, up, "it starts jobs")                                                   \
	F(R, TEXT, kept_out_by, "AllowGroups ... of slurm.conf; null: it admits the user") \
	F(R, TIME, max_time, "seconds; null: none")                                        \
	F(R, INT, procs, "of all its nodes")                                               \
	F(R, TEXT, qos, "of the user's jobs there; null: none")                            \
	F(R, LIST, gres, "of its nodes that are up", maui_gres)                            \
	F(R, LIST, windows, "the widest and shortest first", maui_fits_window)             \
	F(R, TEXT, limit, "what makes a window narrower than what is free; null: nothing") \
	F(R, TEXT, obstacle, "why nothing starts out of turn, or ever; null: it may")      \
	F(R, LIST, whole_nodes, "windows of nodes that are wholly free", maui_fits_window) \
	F(R, MAYBE_ONE, shape, "of a job whose shape was asked for", maui_fits_shape)      \
	F(R, PART, graph, "with parts", maui_fits_graph)
MAUI_RECORD(maui_fits_partition, MAUI_FITS_PARTITION_FIELDS);

#define MAUI_FITS_RESERVATION_FIELDS(F, R)                                                        \
	F(R, TEXT, name, "")                                                                      \
	F(R, TIME, start, "")                                                                     \
	F(R, TIME, end, "null: none")                                                             \
	F(R, INT, nodes, "")                                                                      \
	F(R, INT, procs, "")                                                                      \
	F(R, INT, used_procs, "now, by jobs that it admits")                                      \
	F(R, TEXT, partition, "null: any")                                                        \
	F(R, TEXTS, partitions, "where it could serve the job")                                   \
	F(R, MAYBE_TIME, longest, "seconds: it admits jobs of at most so long; absent: no bound", \
	  MAUI_NEVER)
MAUI_RECORD(maui_fits_reservation, MAUI_FITS_RESERVATION_FIELDS);

#define MAUI_FITS_KNOWN_FIELDS(F, R)                                       \
	F(R, BOOL, user_known, "a job, maui.cfg or slurmdbd has the user") \
	F(R, BOOL, group_known, "a job or maui.cfg has the group")
MAUI_RECORD(maui_fits_known, MAUI_FITS_KNOWN_FIELDS);

#define MAUI_FITS_FIELDS(F, R)                                                            \
	F(R, TEXT, cluster, "")                                                           \
	F(R, INT, time, "of the plan")                                                    \
	F(R, TEXT, user, "")                                                              \
	F(R, PART, known, "absent: PrivateData hides other users", maui_fits_known)       \
	F(R, TEXT, group, "")                                                             \
	F(R, TEXT, account, "null: none")                                                 \
	F(R, BOOL, account_assumed,                                                       \
	  "the question names none: the default account of slurmdbd, else none")          \
	F(R, TEXT, qos, "that the question names")                                        \
	F(R, MAYBE_TEXT, slurm_reservation,                                               \
	  "the named reservation, if it is Slurm's own: whom it admits is not looked at") \
	F(R, TEXT, no_starts, "why no job is started at present; null: jobs are")         \
	F(R, LIST, partitions, "", maui_fits_partition)                                   \
	F(R, LIST, reservations, "those that could serve the job", maui_fits_reservation)
MAUI_RECORD(maui_fits, MAUI_FITS_FIELDS);

struct maui_job_options;

/* Sets what the arguments name as they stand. The vectors of generic resources and the claim, which
 * depend on the plan, are left to the caller. */
void maui_fits_options(const struct maui_fits_args *args, struct maui_job_options *ret);

MAUI_QUESTION(fits, ALL, &maui_fits_args_type, &maui_fits_type,
	      "what is free for a user, and when a job of a certain shape could start");

#endif
