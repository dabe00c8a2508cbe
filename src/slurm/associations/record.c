/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.c - the numbers of one association or QOS */

#include "slurm/associations/private.h"

static bool is_counted(const job_record_t *job_ptr, int tres)
{
	return tres != TRES_ARRAY_ENERGY && job_ptr->tres_alloc_cnt &&
	       job_ptr->tres_alloc_cnt[tres] != NO_CONSUME_VAL64;
}

/* Takes run-seconds that come back from one array. Less may be left: a restart counts what runs
 * then, with the usage factor of that day. */
static void give_back(uint64_t *run_seconds, const struct maui_job_usage *used)
{
	uint64_t back_s = (uint64_t)((double)used->span.back_s * used->factor);

	for (int i = 0; run_seconds && i < slurmctld_tres_cnt; i++) {
		uint64_t seconds;

		if (!is_counted(used->job_ptr, i))
			continue;
		seconds = back_s * used->job_ptr->tres_alloc_cnt[i];
		run_seconds[i] -= seconds < run_seconds[i] ? seconds : run_seconds[i];
	}
}

static void add_tres(long double *usage, const struct maui_job_usage *used, double seconds)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		if (is_counted(used->job_ptr, i))
			usage[i] += (long double)seconds *
				    (long double)used->job_ptr->tres_alloc_cnt[i];
}

void maui_association_add(slurmdb_assoc_rec_t *assoc, const struct maui_job_usage *used)
{
	double seconds = used->span.decayed_s * used->factor;

	assoc->usage->grp_used_wall += seconds;
	assoc->usage->usage_raw +=
		(long double)(used->span.decayed_s * used->billing * used->factor);
	if (!used->limits)
		return;
	add_tres(assoc->usage->usage_tres_raw, used, seconds);
	give_back(assoc->usage->grp_used_tres_run_secs, used);
}

void maui_qos_add(slurmdb_qos_rec_t *qos, const struct maui_job_usage *used)
{
	const job_record_t *job_ptr = used->job_ptr;
	double span_s = qos->flags & QOS_FLAG_NO_DECAY ? used->span.ran_s : used->span.decayed_s;

	qos->usage->grp_used_wall += span_s * used->factor;
	qos->usage->usage_raw += (long double)(span_s * used->billing * used->factor);
	if (!used->limits || !job_ptr->assoc_ptr)
		return;
	add_tres(qos->usage->usage_tres_raw, used, span_s * used->factor);
	give_back(qos->usage->grp_used_tres_run_secs, used);
	give_back(maui_compat_run_seconds_of_account(qos, job_ptr->assoc_ptr->acct), used);
	give_back(maui_compat_run_seconds_of_user(qos, job_ptr->user_id), used);
}

static void decay_usage(slurmdb_assoc_usage_t *usage, double factor)
{
	usage->usage_raw *= factor;
	usage->grp_used_wall *= factor;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		usage->usage_tres_raw[i] *= factor;
}

void maui_association_decay(slurmdb_assoc_rec_t *assoc, double factor)
{
	decay_usage(assoc->usage, factor);
	if (assoc->leaf_usage && assoc->leaf_usage != assoc->usage)
		decay_usage(assoc->leaf_usage, factor);
}

void maui_qos_decay(slurmdb_qos_rec_t *qos, double factor)
{
	qos->usage->usage_raw *= factor;
	qos->usage->grp_used_wall *= factor;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		qos->usage->usage_tres_raw[i] *= factor;
}
