/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rank.h - one job's priority, with the fairshare of its credentials
 *
 * The only file that combines priority and fairshare. Pure: no lock, no clock, no I/O.
 */
#ifndef MAUI_PLAN_RANK_H
#define MAUI_PLAN_RANK_H

#include "config/config.h"
#include "model/job.h"
#include "model/priority.h"
#include "policy/fairshare.h"

/* Sets job->fs_delta from the table (NULL: nothing has been used yet), then computes the
 * priority. */
void maui_plan_rank(const struct maui_config *config, const struct maui_fs_table *usage,
		    const struct maui_totals *totals, struct maui_job *job,
		    struct maui_priority *ret);

#endif
