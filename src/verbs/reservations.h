/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.h - the verb "reservations": those of jobs, of setres, of maui.cfg and Slurm's own,
 * for showres and diagnose -r
 *
 * Rules: CMD-2, CMD-9.
 */
#ifndef MAUI_VERBS_RESERVATIONS_H
#define MAUI_VERBS_RESERVATIONS_H

#include "verbs/refused.h"
#include "verbs/rsv.h"
#include "verbs/verb.h"

#define MAUI_RESERVATIONS_ARGS_FIELDS(F, R)                                                  \
	F(R, TEXT, name,                                                                     \
	  "one (`biz.1`, `maui.biz.20261123`), a standing reservation's instances (`biz`), " \
	  "a job; absent: all")                                                              \
	F(R, BOOL, nodes, "nodes are listed")                                                \
	F(R, BOOL, summary, "they are only counted")
MAUI_RECORD(maui_reservations_args, MAUI_RESERVATIONS_ARGS_FIELDS);

#define MAUI_RESERVATIONS_RELEASED_FIELDS(F, R)        \
	F(R, TEXT, name, "`biz.1`")                    \
	F(R, TEXT, stable_name, "`maui.biz.20261124`") \
	F(R, TIME, start, "")                          \
	F(R, TIME, end, "null: none")
MAUI_RECORD(maui_reservations_released, MAUI_RESERVATIONS_RELEASED_FIELDS);

#define MAUI_RESERVATIONS_SUM_FIELDS(F, R)       \
	F(R, TEXT, type, "as of a reservation")  \
	F(R, INT, active, "that have begun")     \
	F(R, INT, active_procs, "")              \
	F(R, INT, future, "that have not begun") \
	F(R, INT, future_procs, "")
MAUI_RECORD(maui_reservations_sum, MAUI_RESERVATIONS_SUM_FIELDS);

#define MAUI_RESERVATIONS_FIELDS(F, R)                                                             \
	F(R, TEXT, cluster, "")                                                                    \
	F(R, INT, time, "of the plan")                                                             \
	F(R, MAYBE_LIST, reservations, "absent of a summary", maui_rsv_row)                        \
	F(R, MAYBE_TEXTS, warnings,                                                                \
	  "what SRCFG lines of maui.cfg get wrong, each with its position; absent of a summary")   \
	F(R, MAYBE_LIST, released,                                                                 \
	  "periods of standing reservations that `restoreres` takes back; absent of a summary",    \
	  maui_reservations_released)                                                              \
	F(R, MAYBE_ONE, refused, "absent: maui.cfg is in force, or it is a summary", maui_refused) \
	F(R, MAYBE_LIST, summary, "one for each type, of a summary only", maui_reservations_sum)
MAUI_RECORD(maui_reservations, MAUI_RESERVATIONS_FIELDS);

MAUI_QUESTION(reservations, ALL, &maui_reservations_args_type, &maui_reservations_type,
	      "reservations: of jobs, standing, administrative, and those of scontrol");

#endif
