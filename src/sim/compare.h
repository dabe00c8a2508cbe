/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.h - two simulations of the same jobs side by side: who starts earlier or later, and what
 * it does to waits and shares
 *
 * In: the outcomes of two runs over traces that list the same jobs in the same order; the second
 * may have more behind them. Out: the differences, as text and as a record.
 *
 * Rules: CMD-36.
 */
#ifndef MAUI_SIM_COMPARE_H
#define MAUI_SIM_COMPARE_H

#include "base/arena.h"
#include "record/record.h"
#include "sim/report.h"

/* A job that starts at another moment; seconds of the epoch, -1: it does not start. */
struct maui_sim_change {
	const struct maui_sim_job *job; /* of the first run */
	int64_t before_s, after_s;
};

struct maui_sim_changes {
	struct maui_sim_change *list; /* by the size of the difference, largest first */
	size_t count;
	size_t earlier, later, same;
};

void maui_sim_changes_make(const struct maui_sim_outcome *before,
			   const struct maui_sim_outcome *after, struct maui_sim_changes *ret);
void maui_sim_changes_finish(struct maui_sim_changes *changes);

/* Prints waits and shares by credential, then the jobs: `most` of them at most, 0: all. */
void maui_sim_print_credentials(const struct maui_sim_outcome *before,
				const struct maui_sim_outcome *after);
void maui_sim_print_changes(const struct maui_sim_changes *changes, size_t most);

/* ---- as a record ---- */

#define MAUI_SIM_MOVED_FIELDS(F, R)                               \
	F(R, TIME, job, "its number; null: PrivateData hides it") \
	F(R, TEXT, label, "as squeue names it")                   \
	F(R, TEXT, user, "null: not known")                       \
	F(R, TIME, before, "start; null: it does not start")      \
	F(R, TIME, after, "the same with what is changed")
MAUI_RECORD(maui_sim_moved, MAUI_SIM_MOVED_FIELDS);

#define MAUI_SIM_COMPARISON_FIELDS(F, R) \
	F(R, INT, earlier, "jobs")       \
	F(R, INT, later, "")             \
	F(R, INT, same, "")              \
	F(R, LIST, jobs, "that start at another moment", maui_sim_moved)
MAUI_RECORD(maui_sim_comparison, MAUI_SIM_COMPARISON_FIELDS);

/* What the record leads to is the trace's, or comes from the arena. */
void maui_sim_changes_record(struct maui_arena *arena, const struct maui_sim_changes *changes,
			     struct maui_sim_comparison *ret);

#endif
