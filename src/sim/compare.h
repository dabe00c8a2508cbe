/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.h - two simulations of the same jobs side by side: who starts earlier or later, and what
 * it does to waits and shares
 *
 * In: the outcomes of two runs over traces that list the same jobs in the same order; the second
 * may have more behind them. Out: the differences, as text and JSON.
 *
 * Rules: CMD-36.
 */
#ifndef MAUI_SIM_COMPARE_H
#define MAUI_SIM_COMPARE_H

#include <json-c/json.h>
#include <stdio.h>

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

/* -1 without memory. */
int maui_sim_changes_make(const struct maui_sim_outcome *before,
			  const struct maui_sim_outcome *after, struct maui_sim_changes *ret);
void maui_sim_changes_finish(struct maui_sim_changes *changes);

/* Prints waits and shares by credential, then the jobs: `most` of them at most, 0: all. */
void maui_sim_print_credentials(FILE *out, const struct maui_sim_outcome *before,
				const struct maui_sim_outcome *after);
void maui_sim_print_changes(FILE *out, const struct maui_sim_changes *changes, size_t most);
/* Adds "earlier", "later", "same" and "jobs", a list of those that start at another moment: job
 * (null: PrivateData hides it), label, user, before and after (seconds of the epoch; null: it does
 * not start). */
void maui_sim_changes_put(json_object *object, const struct maui_sim_changes *changes);

#endif
