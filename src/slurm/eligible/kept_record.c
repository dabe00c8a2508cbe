/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept_record.c - whether a job's record, and what it points to, is what it was
 *
 * All bytes of the record count but those of slurm/compat_record.h: what Slurm's checks read is not
 * listed here, so a release that reads one member more is no trap.
 *
 * Rules: BF-17.
 */

#include "slurm/compat.h"

#include "slurm/eligible/kept.h"

#include "base/hash.h"

/* ---- the job's own record ---- */

/* Whether the checks of the job look at nothing but the records of the job and of its partition:
 * no clock, no other job, no reservation, no list of users, no node. */
static bool is_plain(const job_record_t *job_ptr, int64_t now_s)
{
	const maui_compat_details_t *details = job_ptr->details;
	const part_record_t *part_ptr = job_ptr->part_ptr;

	if (!details || !part_ptr)
		return false;
#define RECORD_HAS(member)   || job_ptr->member
#define DETAILS_HAVE(member) || details->member
	if (false MAUI_COMPAT_RECORD_NONE(RECORD_HAS) MAUI_COMPAT_DETAILS_NONE(DETAILS_HAVE))
		return false;
#undef RECORD_HAS
#undef DETAILS_HAVE
	return IS_JOB_PENDING(job_ptr) && !IS_JOB_COMPLETING(job_ptr) && !IS_JOB_REVOKED(job_ptr) &&
	       /* Slurm looks for what is missing in each cycle */
	       job_ptr->state_reason != FAIL_ACCOUNT && job_ptr->state_reason != FAIL_QOS &&
	       job_ptr->priority != 0 && details->begin_time <= now_s && details->begin_time != 0 &&
	       (job_ptr->deadline == 0 || job_ptr->deadline == NO_VAL) &&
	       job_ptr->restart_cnt == 0 && job_ptr->array_job_id == 0 && !job_ptr->het_job_id &&
	       job_ptr->req_switch == 0 && !details->prolog_running &&
	       !(job_ptr->step_list && list_count(job_ptr->step_list)) &&
	       maui_compat_qos_count(job_ptr) == 1 && !part_ptr->allow_groups &&
	       !part_ptr->allow_accounts && !part_ptr->deny_accounts;
}

/* The reason; 0 for those of jobs that only wait, between which cycles change. */
static uint32_t lasting_reason(const job_record_t *job_ptr)
{
	return job_ptr->state_reason == WAIT_PRIORITY || job_ptr->state_reason == WAIT_RESOURCES ?
		       WAIT_NO_REASON :
		       job_ptr->state_reason;
}

static uint64_t mix_record(uint64_t hash, const job_record_t *job_ptr)
{
	job_record_t bytes;

	memcpy(&bytes, job_ptr, sizeof(bytes));
	bytes.bit_flags &= ~(uint64_t)(BACKFILL_SCHED | BACKFILL_TEST | BACKFILL_LAST);
#define CLEAR(member) memset(&bytes.member, 0, sizeof(bytes.member));
	MAUI_COMPAT_RECORD_NOTES(CLEAR)
	MAUI_COMPAT_RECORD_TEXTS(CLEAR)
#undef CLEAR
	hash = maui_hash_struct(hash, &bytes, sizeof(bytes));
#define TEXT(member) hash = maui_hash_mix_text(hash, job_ptr->member);
	MAUI_COMPAT_RECORD_TEXTS(TEXT)
#undef TEXT
	return maui_hash_mix(hash, lasting_reason(job_ptr));
}

static uint64_t mix_details(uint64_t hash, const maui_compat_details_t *details)
{
	maui_compat_details_t bytes;

	memcpy(&bytes, details, sizeof(bytes));
#define CLEAR(member) memset(&bytes.member, 0, sizeof(bytes.member));
	MAUI_COMPAT_DETAILS_TEXTS(CLEAR)
#undef CLEAR
	hash = maui_hash_struct(hash, &bytes, sizeof(bytes));
#define TEXT(member) hash = maui_hash_mix_text(hash, details->member);
	MAUI_COMPAT_DETAILS_TEXTS(TEXT)
#undef TEXT
	return details->mc_ptr ? maui_hash_struct(hash, details->mc_ptr, sizeof(*details->mc_ptr)) :
				 hash;
}

/* ---- what the association manager has of it ---- */

/* QOS and associations change in place, and sacctmgr leaves no stamp. With EnforceUsageThreshold
 * the checks look at usage, which every job moves. */
static uint64_t mix_accounting(uint64_t hash, const job_record_t *job_ptr, bool *ret_plain)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK };
	const slurmdb_qos_rec_t *qos = job_ptr->qos_ptr;
	const slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr;
	uint64_t limits;

	assoc_mgr_lock(&locks);
	limits = maui_kept_limits(job_ptr);
	*ret_plain = limits != 0;
	if (qos) {
		*ret_plain &= !(qos->flags & QOS_FLAG_ENFORCE_USAGE_THRES);
		hash = maui_hash_mix(hash, (uint64_t)qos->id << 32 | (uint64_t)qos->flags);
		hash = maui_hash_mix_text(hash, qos->name);
	}
	if (assoc)
		hash = maui_hash_mix(hash, (uint64_t)assoc->id << 32 | assoc->uid);
	assoc_mgr_unlock(&locks);
	return maui_hash_mix(hash, limits);
}

uint64_t maui_kept_record(const struct job_record *job_ptr, int64_t now_s)
{
	uint64_t hash;
	bool plain;

	if (!is_plain(job_ptr, now_s))
		return 0;
	hash = mix_accounting(0, job_ptr, &plain);
	hash = mix_details(mix_record(hash, job_ptr), job_ptr->details);
	return plain ? hash | 1 : 0;
}

/* ---- its partition ---- */

static uint64_t mix_partition(uint64_t hash, const part_record_t *part_ptr)
{
	part_record_t bytes;

	memcpy(&bytes, part_ptr, sizeof(bytes));
	bytes.flags &= ~(__typeof__(bytes.flags))MAUI_COMPAT_PART_NOTED_FLAGS;
#define CLEAR(member) memset(&bytes.member, 0, sizeof(bytes.member));
	MAUI_COMPAT_PART_NOTES(CLEAR)
	MAUI_COMPAT_PART_TEXTS(CLEAR)
#undef CLEAR
	hash = maui_hash_struct(hash, &bytes, sizeof(bytes));
#define TEXT(member) hash = maui_hash_mix_text(hash, part_ptr->member);
	MAUI_COMPAT_PART_TEXTS(TEXT)
#undef TEXT
	return hash;
}

static int walk_partition(void *x, void *arg)
{
	uint64_t *hash = arg;

	*hash = mix_partition(maui_hash_mix(*hash, (uintptr_t)x), x);
	return 0;
}

uint64_t maui_kept_partitions(void)
{
	uint64_t hash = 1;

	if (part_list)
		list_for_each(part_list, walk_partition, &hash);
	return hash;
}
