/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_minutes.c - takes the run-seconds of an ended job from its associations and QOS
 *
 * They are all still there: only priority/multifactor takes them away little by little while a job
 * runs.
 */

#include "slurm/compat.h"

#include "slurm/run_minutes.h"

/* Takes them from one array of used run-seconds. Less may be left: a restart counts what runs then,
 * with the usage factor of that day. */
static void subtract(uint64_t *used, const job_record_t *job_ptr, uint64_t limit_s)
{
	for (int i = 0; used && i < slurmctld_tres_cnt; i++) {
		uint64_t count = job_ptr->tres_alloc_cnt[i];
		uint64_t seconds = count * limit_s;

		if (i == TRES_ARRAY_ENERGY || count == NO_CONSUME_VAL64)
			continue;
		used[i] -= seconds < used[i] ? seconds : used[i];
	}
}

static void subtract_from_qos(slurmdb_qos_rec_t *qos, const job_record_t *job_ptr, uint64_t limit_s)
{
	if (!qos)
		return;
	subtract(qos->usage->grp_used_tres_run_secs, job_ptr, limit_s);
	subtract(maui_compat_run_seconds(acct_policy_get_acct_used_limits(
			 &qos->usage->acct_limit_list, job_ptr->assoc_ptr->acct)),
		 job_ptr, limit_s);
	subtract(maui_compat_run_seconds(acct_policy_get_user_used_limits(
			 &qos->usage->user_limit_list, job_ptr->user_id)),
		 job_ptr, limit_s);
}

/* As slurmctld counted it when the job started. */
static uint64_t counted_limit_s(const job_record_t *job_ptr)
{
	const slurmdb_qos_rec_t *qos = job_ptr->qos_ptr;
	uint64_t limit_s = (uint64_t)job_ptr->time_limit * 60;

	if (qos && qos->usage_factor >= 0)
		limit_s = (uint64_t)((double)limit_s * qos->usage_factor);
	return limit_s;
}

void maui_run_minutes_give_back(void *record)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	job_record_t *job_ptr = record;
	slurmdb_qos_rec_t *first = NULL, *second = NULL;
	uint64_t limit_s;

	if (job_ptr->end_time_exp == (time_t)NO_VAL) /* done for this start */
		return;
	job_ptr->end_time_exp = (time_t)NO_VAL;
	if (!job_ptr->tres_alloc_cnt || !job_ptr->assoc_ptr)
		return;
	assoc_mgr_lock(&locks);
	limit_s = counted_limit_s(job_ptr);
	acct_policy_set_qos_order(job_ptr, &first, &second);
	subtract_from_qos(first, job_ptr, limit_s);
	subtract_from_qos(second, job_ptr, limit_s);
	for (slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr; assoc;
	     assoc = assoc->usage->parent_assoc_ptr)
		subtract(assoc->usage->grp_used_tres_run_secs, job_ptr, limit_s);
	assoc_mgr_unlock(&locks);
}
