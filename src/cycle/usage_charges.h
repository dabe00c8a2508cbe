/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_charges.h - who is charged for what ran since the last look
 *
 * slurmctld tells us of a job's end only with accounting enforced, so usage is found by looking
 * (slurm-abi: polling): each job's running time minus what its history says was charged already.
 * A job stays visible for MinJobAge after its end, so short jobs are charged exactly.
 */
#ifndef MAUI_CYCLE_USAGE_CHARGES_H
#define MAUI_CYCLE_USAGE_CHARGES_H

#include <stdbool.h>

#include "cycle/job_history.h"
#include "policy/fairshare.h"
#include "model/captured.h"

/* At the very first start, of a job that cannot be charged yet: what it ran so far is not ours. */
void maui_usage_charge_begin(struct maui_job_history *history,
			     const struct maui_captured_job *captured);

/* Charges one job of a snapshot. `first`: the very first start ever: what ran before is not ours
 * to charge (Maui charged it, or nobody). -1 only without memory. */
int maui_usage_charge_job(struct maui_usage *usage, const struct maui_config *config,
			  struct maui_job_history *history,
			  const struct maui_captured_job *captured, const char *const *cred,
			  const struct maui_totals *totals, bool first);

#endif
