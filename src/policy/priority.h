/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority.h - Maui's job priority (manual 5.1.2), every contribution kept
 *
 *   sub  = min(raw, CAP) if CAP > 0;  comp = sum of WEIGHT x sub, min(comp, COMPCAP) if COMPCAP > 0
 *   priority = sum of COMPWEIGHT x comp, then clip, ceiling, system priority
 *
 * Caps come before weights and bound from above only. All in double precision.
 * Fairshare values come from fairshare.h, queue time from accrual.h; publish.h makes the numbers
 * that Slurm shows.
 * Thread safety: pure functions of their arguments.
 */
#ifndef MAUI_POLICY_PRIORITY_H
#define MAUI_POLICY_PRIORITY_H

#include "config/config.h"
#include "model/job.h"
#include "model/priority.h"

/* Weights, caps and credentials' values in force for jobs of one partition and one set of
 * credentials. A caller that ranks many jobs resolves each distinct set once, because each name is
 * a search in maui.cfg's objects. The pointers are borrowed from the configuration. */
struct maui_priority_creds {
	const struct maui_priority_config *weights;
	const struct maui_cred_config *cred[MAUI_CRED_COUNT];
};

void maui_priority_resolve(const struct maui_config *config, const char *const *cred,
			   struct maui_priority_creds *ret);

/* The whole calculation. Only factors with a weight are computed, the others are 0. */
void maui_priority_compute(const struct maui_config *config, const struct maui_totals *totals,
			   const struct maui_priority_creds *creds, const struct maui_job *job,
			   struct maui_priority *ret);

/* Weights in force, and the components that have any: made once for many jobs. */
struct maui_priority_weights {
	double weight[MAUI_FACTOR_COUNT];
	unsigned used; /* bit of each enum maui_component that is not 0 for want of weights */
};

void maui_priority_prepare(const struct maui_priority_creds *creds,
			   struct maui_priority_weights *ret);

/* The value of maui_priority_compute() alone, to the last bit, and whether it is rejected. */
double maui_priority_value(const struct maui_config *config, const struct maui_totals *totals,
			   const struct maui_priority_creds *creds,
			   const struct maui_priority_weights *weights, const struct maui_job *job,
			   bool *ret_rejected);

/* The expansion factor in the form of the manual (5.1.2.5), 1 + Q / max(XFMINWCLIMIT, limit), of
 * priorities, commands and statistics alike. limit_s 0: none. */
double maui_priority_xfactor(const struct maui_priority_config *weights, double queue_s,
			     double limit_s);

/* Processor equivalents: TotalProcs x the largest share of any resource asked for (Maui manual
 * 5.1.2.4). At least 0; a resource whose request or total is 0 does not count. */
double maui_priority_pe(const struct maui_job *job, const struct maui_totals *totals);

#endif
