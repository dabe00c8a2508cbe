/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.c - the score of SERVERMODE TEST as a record
 *
 *   "trial": {"began": 1763740000, "ended": 0, "looked": 1763750000, "refused": 2,
 *    "same": {"jobs": 9}, "sooner": {"jobs": 2, "by": 70, "max": 60}, "later": {...},
 *    "not_compared": {...},
 *    "causes": [{"name": "MAXJOB USER amy", "jobs": 1, "first": ..., "last": ...}, ...],
 *    "refusals": [...],
 *    "jobs": [{"job": 17, "outcome": "later", "started": ..., "by": -1, "user": "amy",
 *     "cause": "MAXJOB USER amy"}, ...]}
 *
 * An invalid element is left out.
 *
 * Rules: CMD-56.
 */

#include "state/store/private.h"

#include <string.h>

void maui_store_pack_trial(const struct maui_trial *trial, struct maui_packed_trial *ret)
{
	*ret = (struct maui_packed_trial){
		.began_s = trial->began_s,
		.ended_s = trial->ended_s,
		.looked_s = trial->looked_s,
		.refused = trial->refused,
		.causes = (struct maui_trial_cause *)trial->causes.list,
		.cause_count = trial->causes.count,
		.refusals = (struct maui_trial_cause *)trial->refusals.list,
		.refusal_count = trial->refusals.count,
		.jobs = (struct maui_trial_job *)trial->jobs,
		.job_count = trial->job_count,
	};
	memcpy(ret->sums, trial->sums, sizeof(ret->sums));
}

static struct maui_trial_sum checked_sum(const struct maui_trial_sum *sum)
{
	if (sum->unknown <= sum->jobs && sum->by_s >= 0 && sum->max_s >= 0)
		return *sum;
	return (struct maui_trial_sum){ .jobs = sum->jobs, .unknown = sum->jobs };
}

void maui_store_unpack_trial(const struct maui_packed_trial *packed, struct maui_trial *ret)
{
	if (packed->began_s <= 0)
		return;
	ret->began_s = packed->began_s;
	ret->ended_s = packed->ended_s;
	ret->looked_s = packed->looked_s;
	ret->refused = packed->refused;
	for (int i = 0; i < MAUI_TRIAL_OUTCOMES; i++)
		ret->sums[i] = checked_sum(&packed->sums[i]);
	for (uint32_t i = 0; i < packed->cause_count; i++)
		maui_trial_restore_cause(&ret->causes, &packed->causes[i]);
	for (uint32_t i = 0; i < packed->refusal_count; i++)
		maui_trial_restore_cause(&ret->refusals, &packed->refusals[i]);
	for (uint32_t i = 0; i < packed->job_count; i++)
		maui_trial_restore_job(ret, &packed->jobs[i]);
}
