/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept_limits.c - what enforced limits say of a waiting job, where that depends on the job alone
 *
 * Slurm's checks compare what a job asks for with limits for each job, and what others use with
 * limits for sums. The limits are here, by value. What others use changes with each job that starts
 * or ends, and with time, so a job is not kept while a QOS or an association of its chain has any
 * limit that usage counts against (MAUI_COMPAT_QOS_SUMS ...). A member of these records without a
 * row counts as such a limit unless it is zero: a limit of a later release costs time, and hides no
 * change.
 *
 * Rules: BF-17.
 */

#include "slurm/compat.h"

#include "slurm/eligible/kept.h"

#include <string.h>

#include "base/hash.h"
#include "slurm/eligible/verdict.h"

enum { SLOTS = 1024 };

/* What was found out in this cycle: many jobs have the same associations. By one thread. */
static struct {
	const void *record;
	uint64_t cycle, hash;
} seen[SLOTS];
static uint64_t cycle = 1;

void maui_kept_limits_begin(void)
{
	cycle++;
}

static uint64_t hash_once(const void *record, uint64_t (*hash)(const void *record))
{
	size_t at = maui_hash_mix(0, (uintptr_t)record) % SLOTS;

	if (seen[at].record != record || seen[at].cycle != cycle) {
		seen[at].hash = hash(record);
		seen[at].record = record;
		seen[at].cycle = cycle;
	}
	return seen[at].hash;
}

static bool is_none(uint32_t limit)
{
	return limit == INFINITE || limit == NO_VAL;
}

/* One number for each TRES. */
static bool are_none(const uint64_t *limits)
{
	for (int i = 0; limits && i < slurmctld_tres_cnt; i++)
		if (limits[i] != INFINITE64 && limits[i] != NO_VAL64)
			return false;
	return true;
}

static uint64_t mix_limits(uint64_t hash, const uint64_t *limits)
{
	size_t size = limits ? (size_t)slurmctld_tres_cnt * sizeof(*limits) : 0;

	return maui_hash_struct(maui_hash_mix(hash, limits != NULL), limits ? limits : &hash, size);
}

static bool is_zero(const void *bytes, size_t size)
{
	const char *at = bytes;

	return at[0] == 0 && memcmp(at, at + 1, size - 1) == 0;
}

/* Each takes a member of `left`, and leaves zero there. */
#define TAKE_COUNT(member)         \
	if (!is_none(left.member)) \
		return 0;          \
	left.member = 0;
#define TAKE_SUM(member)            \
	if (!are_none(left.member)) \
		return 0;           \
	left.member = NULL;
#define TAKE_LIMITS(member)                   \
	hash = mix_limits(hash, left.member); \
	left.member = NULL;
#define TAKE_VALUE(member)                                                \
	hash = maui_hash_struct(hash, &left.member, sizeof(left.member)); \
	memset(&left.member, 0, sizeof(left.member));
#define TAKE_OTHER(member) memset(&left.member, 0, sizeof(left.member));

/* 0: what others use decides. */
static uint64_t hash_qos(const void *record)
{
	slurmdb_qos_rec_t left;
	uint64_t hash = 1;

	memcpy(&left, record, sizeof(left));
	MAUI_COMPAT_QOS_COUNTS(TAKE_COUNT)
	MAUI_COMPAT_QOS_SUMS(TAKE_SUM)
	MAUI_COMPAT_QOS_LIMITS(TAKE_LIMITS)
	MAUI_COMPAT_QOS_VALUES(TAKE_VALUE)
	MAUI_COMPAT_QOS_OTHERS(TAKE_OTHER)
	return is_zero(&left, sizeof(left)) ? hash | 1 : 0;
}

static uint64_t hash_assoc(const void *record)
{
	slurmdb_assoc_rec_t left;
	uint64_t hash = 2;

	memcpy(&left, record, sizeof(left));
	MAUI_COMPAT_ASSOC_COUNTS(TAKE_COUNT)
	MAUI_COMPAT_ASSOC_SUMS(TAKE_SUM)
	MAUI_COMPAT_ASSOC_LIMITS(TAKE_LIMITS)
	MAUI_COMPAT_ASSOC_VALUES(TAKE_VALUE)
	MAUI_COMPAT_ASSOC_OTHERS(TAKE_OTHER)
	return is_zero(&left, sizeof(left)) ? hash | 1 : 0;
}

/* Adds to the hash; 0 stays 0. */
static uint64_t mix_known(uint64_t hash, const void *record, uint64_t (*of)(const void *record))
{
	uint64_t one = record && hash ? hash_once(record, of) : 1;

	return hash && one ? maui_hash_mix(hash, one) | 1 : 0;
}

uint64_t maui_kept_limits(const struct job_record *job_ptr)
{
	const slurmdb_assoc_rec_t *assoc = job_ptr->assoc_ptr;
	uint64_t hash = 1;

	if (!(accounting_enforce & (ACCOUNTING_ENFORCE_LIMITS | ACCOUNTING_ENFORCE_QOS)))
		return 1;
	if (!assoc ||
	    !maui_verdict_has_valid_qos(job_ptr)) /* Slurm looks for these in each cycle */
		return 0;
	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS))
		return 1;
	hash = mix_known(hash, job_ptr->qos_ptr, hash_qos);
	hash = mix_known(hash, job_ptr->part_ptr->qos_ptr, hash_qos);
	for (; assoc && hash; assoc = assoc->usage->parent_assoc_ptr) {
		hash = mix_known(hash, assoc, hash_assoc);
		if (!assoc->usage)
			return 0;
	}
	return job_ptr->details->accrue_time ? hash : 0; /* until then each cycle may begin it */
}

void maui_kept_limits_note(const struct job_record *job_ptr)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK };

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) || !job_ptr->details ||
	    !job_ptr->part_ptr)
		return;
	assoc_mgr_lock(&locks);
	maui_kept_limits(job_ptr);
	assoc_mgr_unlock(&locks);
}
