/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_charges.h - who is charged for what ran since the last look
 *
 * slurmctld tells us of a job's end only with accounting enforced, so usage is found by looking
 * (slurm-abi: polling): each job's running time minus what its track says was charged already.
 * A job stays visible for MinJobAge after its end, so short jobs are charged exactly.
 */
#ifndef MAUI_CONTROLLER_USAGE_CHARGES_H
#define MAUI_CONTROLLER_USAGE_CHARGES_H

#include <stdbool.h>

#include "controller/tracks.h"
#include "policy/fairshare.h"
#include "slurm/capture/jobs.h"

/* At the very first start, of a job that cannot be charged yet: what it ran so far is not ours. */
void maui_ledger_begin(struct maui_track *track, const struct maui_seen_job *seen);

/* Charges one job of a snapshot. `first`: the very first start ever: what ran before is not ours
 * to charge (Maui charged it, or nobody). -1 only without memory. */
int maui_ledger_charge(struct maui_usage *usage, const struct maui_config *config,
		       struct maui_track *track, const struct maui_seen_job *seen,
		       const char *const *cred, const struct maui_totals *totals, bool first);

#endif
