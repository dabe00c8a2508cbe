/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.h - the summary of a simulation as a record: --json of maui-sim and maui whatif */
#ifndef MAUI_SIM_SUMMARY_H
#define MAUI_SIM_SUMMARY_H

#include "base/arena.h"
#include "record/record.h"
#include "sim/report.h"
#include "verbs/statistics.h"

extern const struct maui_record_type maui_sim_figures_type;

#define MAUI_SIM_TARGET_FIELDS(F, R)                                    \
	F(R, TEXT, kind, "user, group, account, qos or class")          \
	F(R, TEXT, name, "")                                            \
	F(R, TEXT, type, "target, floor, ceiling, absolute cap or cap") \
	F(R, REAL, target, "")                                          \
	F(R, REAL, used, "in the metric of FSPOLICY, decayed")          \
	F(R, REAL, percent, "of all usage")
MAUI_RECORD(maui_sim_target, MAUI_SIM_TARGET_FIELDS);

#define MAUI_SIM_SUMMARY_FIELDS(F, R)                                                           \
	F(R, TEXT, config, "path of its maui.cfg")                                              \
	F(R, INT, procs, "")                                                                    \
	F(R, INT, jobs, "of the trace")                                                         \
	F(R, INT, dropped, "that are not simulated")                                            \
	F(R, INT, junk_lines, "")                                                               \
	F(R, INT, without_limit, "jobs of the trace that have no time limit")                   \
	F(R, INT, earlier_runs, "rows of requeued jobs before the last run, which counts")      \
	F(R, INT, parts, "lines that are a part of a job, and no job of their own")             \
	F(R, INT, early_starts, "jobs that started before they were submitted")                 \
	F(R, INT, unstarted, "")                                                                \
	F(R, INT, backfilled, "")                                                               \
	F(R, INT, preempted, "")                                                                \
	F(R, INT, plans, "")                                                                    \
	F(R, REAL, utilisation, "")                                                             \
	F(R, COUNTS, left_out, "of a saved plan: jobs by reason")                               \
	F(R, ONE, all, "", maui_sim_figures)                                                    \
	F(R, LIST, user, "", maui_sim_figures)                                                  \
	F(R, LIST, group, "", maui_sim_figures)                                                 \
	F(R, LIST, account, "", maui_sim_figures)                                               \
	F(R, LIST, qos, "", maui_sim_figures)                                                   \
	F(R, LIST, class, "", maui_sim_figures)                                                 \
	F(R, LIST, fairshare, "at the end, of credentials that have a target", maui_sim_target) \
	F(R, LIST, estimates, "of starts, with --estimates, and how true they were",            \
	  maui_statistics_estimate)
MAUI_RECORD(maui_sim_summary, MAUI_SIM_SUMMARY_FIELDS);

/* What the summary leads to is the outcome's, or comes from the arena. */
void maui_sim_summarise(struct maui_arena *arena, const struct maui_sim_outcome *outcome,
			struct maui_sim_summary *ret);

#endif
