/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charge.h - fairshare in a simulation: charges active jobs at least every RMPOLLINTERVAL
 *
 * With FSPOLICY NONE these functions do nothing.
 */
#ifndef MAUI_SIM_CHARGE_H
#define MAUI_SIM_CHARGE_H

#include "config/config.h"
#include "model/snapshot.h"
#include "policy/fairshare.h"

struct maui_sim_charges {
	const struct maui_config *config;
	struct maui_usage *usage;
	int64_t *charged_until; /* of each job, by its id */
	struct maui_fs_table *table;
	int64_t polled_s;
};

/* `usage` is the caller's; the charges are added to it. The ids of jobs are below `count`. */
void maui_sim_charges_init(struct maui_sim_charges *charges, const struct maui_config *config,
			   struct maui_usage *usage, size_t count);
void maui_sim_charges_finish(struct maui_sim_charges *charges);

void maui_sim_charges_start(struct maui_sim_charges *charges, uint64_t job, int64_t now);
void maui_sim_charges_end(struct maui_sim_charges *charges, const struct maui_snapshot *snapshot,
			  const struct maui_active *active, int64_t now);
/* Charges all running jobs when the interval is over, and computes the percentages again. */
void maui_sim_charges_poll(struct maui_sim_charges *charges, const struct maui_snapshot *snapshot,
			   int64_t now);
/* NULL: fairshare is off. */
static inline const struct maui_fs_table *maui_sim_charges_table(
	const struct maui_sim_charges *charges)
{
	return charges->table;
}

#endif
