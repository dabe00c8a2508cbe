/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_charges.h - charges fairshare for the running time since the last cycle
 *
 * slurmctld tells a priority plugin about a job's end only if accounting is enforced. So each cycle
 * charges each job's running time minus what the job's history says was charged already. A job
 * stays visible for MinJobAge after its end, so short jobs are charged exactly.
 *
 * Rules: FS-2, FS-10, FS-11.
 */
#ifndef MAUI_CYCLE_USAGE_CHARGES_H
#define MAUI_CYCLE_USAGE_CHARGES_H

#include <stdbool.h>

#include "cycle/job_history.h"
#include "policy/fairshare.h"
#include "model/captured.h"

/* For the very first start of the plugin: the job is charged from now on. */
void maui_usage_charge_begin(struct maui_job_history *history,
			     const struct maui_captured_job *captured);

/* Charges one captured job. `first`: the very first start ever, so earlier running time is not
 * charged: Maui charged it, or no scheduler did. -1: no memory. */
int maui_usage_charge_job(struct maui_usage *usage, const struct maui_config *config,
			  struct maui_job_history *history,
			  const struct maui_captured_job *captured, const char *const *cred,
			  unsigned known, const struct maui_totals *totals, bool first);

#endif
