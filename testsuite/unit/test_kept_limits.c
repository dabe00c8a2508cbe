/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_kept_limits.c - where limits are enforced, a job is kept while they are for one job, and the
 * same
 *
 * Changes each byte of its QOS, its partition's QOS, its association and the one above, and each
 * limit. What may change unseen is in the OTHERS of slurm/compat_record.h alone.
 *
 * Rules: BF-17.
 */
#include "slurm/compat.h"

#include "slurm/eligible/kept.h"

#include "rows.h"

/* ---- what slurmctld has ---- */

enum { TRES = 9 };

uint16_t accounting_enforce;
int slurmctld_tres_cnt = TRES;
uint32_t g_qos_count = 64;
static unsigned assoc_locks;

int bit_test(bitstr_t *bits, bitoff_t bit)
{
	return *(uint64_t *)bits >> bit & 1;
}

void assoc_mgr_lock(assoc_mgr_lock_t *locks)
{
	cr_assert(locks->assoc == READ_LOCK && locks->qos == READ_LOCK && locks->tres == READ_LOCK);
	assoc_locks++;
}

void assoc_mgr_unlock(assoc_mgr_lock_t *locks)
{
	(void)locks;
	assoc_locks--;
}

/* ---- a job without any limit ---- */

static struct {
	job_record_t record;
	maui_compat_details_t details;
	part_record_t partition;
	slurmdb_qos_rec_t qos, partition_qos;
	slurmdb_assoc_rec_t assoc, account;
	slurmdb_assoc_usage_t usage, account_usage;
	uint64_t valid_qos;
} job;

/* Of each of the four records, a list for each member that has one for each TRES. */
static uint64_t limits[4][16][TRES];
static unsigned used[4];

static uint64_t *no_limits(unsigned record)
{
	uint64_t *list = limits[record][used[record]++];

	for (int i = 0; i < TRES; i++)
		list[i] = INFINITE64;
	return list;
}

static void make_qos(slurmdb_qos_rec_t *qos, unsigned record)
{
#define NO_COUNT(member) qos->member = INFINITE;
#define NO_LIST(member)  qos->member = no_limits(record);
	MAUI_COMPAT_QOS_COUNTS(NO_COUNT)
	MAUI_COMPAT_QOS_SUMS(NO_LIST)
	MAUI_COMPAT_QOS_LIMITS(NO_LIST)
#undef NO_COUNT
#undef NO_LIST
	qos->max_wall_pj = INFINITE;
}

static void make_assoc(slurmdb_assoc_rec_t *assoc, unsigned record)
{
#define NO_COUNT(member) assoc->member = INFINITE;
#define NO_LIST(member)  assoc->member = no_limits(record);
	MAUI_COMPAT_ASSOC_COUNTS(NO_COUNT)
	MAUI_COMPAT_ASSOC_SUMS(NO_LIST)
	MAUI_COMPAT_ASSOC_LIMITS(NO_LIST)
#undef NO_COUNT
#undef NO_LIST
	assoc->max_wall_pj = INFINITE;
}

static void make_job(uint16_t enforce)
{
	memset(&job, 0, sizeof(job));
	memset(used, 0, sizeof(used));
	accounting_enforce = enforce;
	job.record.details = &job.details;
	job.record.part_ptr = &job.partition;
	job.record.qos_ptr = &job.qos;
	job.record.assoc_ptr = &job.assoc;
	job.partition.qos_ptr = &job.partition_qos;
	job.details.accrue_time = 1;
	make_qos(&job.qos, 0);
	make_qos(&job.partition_qos, 1);
	make_assoc(&job.assoc, 2);
	make_assoc(&job.account, 3);
	job.qos.id = 5;
	job.assoc.usage = &job.usage;
	job.account.usage = &job.account_usage;
	job.usage.parent_assoc_ptr = &job.account;
	job.valid_qos = 1 << 5;
	job.usage.valid_qos = (bitstr_t *)&job.valid_qos;
}

/* Of a cycle of its own. */
static uint64_t look(void)
{
	maui_kept_limits_begin();
	return maui_kept_limits(&job.record);
}

/* ---- members ---- */

struct member {
	const char *name;
	size_t offset, size;
	bool may_change; /* unseen */
	bool is_list;    /* for each TRES */
	bool is_limit;   /* against which others count */
};

#define QOS(member, ...) \
	{ #member, offsetof(slurmdb_qos_rec_t, member), sizeof(job.qos.member), __VA_ARGS__ },
#define ASSOC(member, ...) \
	{ #member, offsetof(slurmdb_assoc_rec_t, member), sizeof(job.assoc.member), __VA_ARGS__ },
#define QOS_COUNT(member)   QOS(member, false, false, true)
#define QOS_SUM(member)     QOS(member, false, true, true)
#define QOS_LIMIT(member)   QOS(member, false, true, false)
#define QOS_OTHER(member)   QOS(member, true, false, false)
#define ASSOC_COUNT(member) ASSOC(member, false, false, true)
#define ASSOC_SUM(member)   ASSOC(member, false, true, true)
#define ASSOC_LIMIT(member) ASSOC(member, false, true, false)
#define ASSOC_OTHER(member) ASSOC(member, true, false, false)

static const struct member of_qos[] = { MAUI_COMPAT_QOS_COUNTS(QOS_COUNT) MAUI_COMPAT_QOS_SUMS(
	QOS_SUM) MAUI_COMPAT_QOS_LIMITS(QOS_LIMIT) MAUI_COMPAT_QOS_OTHERS(QOS_OTHER) };
static const struct member of_assoc[] = { MAUI_COMPAT_ASSOC_COUNTS(
	ASSOC_COUNT) MAUI_COMPAT_ASSOC_SUMS(ASSOC_SUM) MAUI_COMPAT_ASSOC_LIMITS(ASSOC_LIMIT)
						  MAUI_COMPAT_ASSOC_OTHERS(ASSOC_OTHER) };

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static const struct record {
	const char *name;
	void *at;
	size_t size;
	const struct member *members;
	size_t count;
} records[] = {
	{ "the QOS", &job.qos, sizeof(job.qos), of_qos, COUNT(of_qos) },
	{ "the partition's QOS", &job.partition_qos, sizeof(job.qos), of_qos, COUNT(of_qos) },
	{ "the association", &job.assoc, sizeof(job.assoc), of_assoc, COUNT(of_assoc) },
	{ "the account", &job.account, sizeof(job.assoc), of_assoc, COUNT(of_assoc) },
};

static const struct member *member_at(const struct record *record, size_t offset)
{
	for (size_t i = 0; i < record->count; i++)
		if (offset >= record->members[i].offset &&
		    offset < record->members[i].offset + record->members[i].size)
			return &record->members[i];
	return NULL;
}

/* ---- the tests ---- */

TEST_ROWS(kept_limits, any_byte_is_seen, records, record)
{
	static const unsigned char changes[] = { 0x02, 0x80, 0xff }; /* 0x01: NO_VAL */
	uint64_t before;

	make_job(ACCOUNTING_ENFORCE_LIMITS | ACCOUNTING_ENFORCE_QOS);
	job.record.limit_set.qos = 1; /* an id may be any */
	before = look();
	cr_assert(before != 0, "%s: a job without limits is kept", record->name);
	for (size_t at = 0; at < record->size; at++) {
		const struct member *member = member_at(record, at);

		if (member && (member->may_change || member->is_list))
			continue;
		for (size_t i = 0; i < COUNT(changes); i++) {
			uint64_t now;

			((unsigned char *)record->at)[at] ^= changes[i];
			now = look();
			cr_expect(now == 0 || now != before, "%s, byte %zu, %#x", record->name, at,
				  changes[i]);
			cr_expect(!member || now == 0, "%s, %s: a job under it is kept",
				  record->name, member ? member->name : "");
			((unsigned char *)record->at)[at] ^= changes[i];
		}
	}
	cr_assert(look() == before);
}

TEST_ROWS(kept_limits, any_limit_is_seen, records, record)
{
	uint64_t before;

	make_job(ACCOUNTING_ENFORCE_LIMITS);
	before = look();
	for (size_t i = 0; i < record->count; i++) {
		const struct member *member = &record->members[i];
		uint64_t *list;

		if (!member->is_list)
			continue;
		memcpy(&list, (char *)record->at + member->offset, sizeof(list));
		for (int tres = 0; tres < TRES; tres++) {
			uint64_t now;

			list[tres] = 7;
			now = look();
			cr_expect(member->is_limit ? now == 0 : now != 0 && now != before,
				  "%s, %s of TRES %d", record->name, member->name, tres);
			list[tres] = INFINITE64;
		}
	}
	cr_assert(look() == before);
}

/* What moves the use by others, and what is not enforced. */
Test(kept_limits, what_others_use_is_not_read)
{
	uint64_t before;

	make_job(ACCOUNTING_ENFORCE_LIMITS | ACCOUNTING_ENFORCE_QOS);
	before = look();
	job.usage.used_jobs = 4;
	job.account_usage.used_submit_jobs = 4;
	cr_assert(before != 0 && look() == before);
	job.account.grp_jobs = 4;
	cr_assert(look() == 0, "a limit of the account");
	make_job(ACCOUNTING_ENFORCE_ASSOCS);
	job.account.grp_jobs = 4;
	cr_assert(look() != 0, "a limit that is not enforced");
}

Test(kept_limits, what_slurm_looks_for_in_each_cycle)
{
	make_job(ACCOUNTING_ENFORCE_LIMITS | ACCOUNTING_ENFORCE_QOS);
	cr_assert(look() != 0);
	job.valid_qos = 0;
	cr_assert(look() == 0, "a QOS that the association has no more");
	job.valid_qos = 1 << 5;
	job.details.accrue_time = 0;
	cr_assert(look() == 0, "a job that does not accrue yet");
	job.details.accrue_time = 1;
	job.record.assoc_ptr = NULL;
	cr_assert(look() == 0, "no association");
}

/* What goes between the checks and the look must not look as if the checks had not seen it. */
Test(kept_limits, the_first_look_of_a_cycle_counts)
{
	uint64_t without;

	make_job(ACCOUNTING_ENFORCE_LIMITS);
	without = look();
	job.qos.flags = 1;
	maui_kept_limits_begin();
	maui_kept_limits_note(&job.record);
	cr_assert(assoc_locks == 0);
	job.qos.flags = 0;
	cr_assert(maui_kept_limits(&job.record) != without);
	cr_assert(look() == without);
	job.record.details = NULL;
	maui_kept_limits_note(&job.record); /* a job that has ended has none */
}
