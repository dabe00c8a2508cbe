/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_kept_record.c - a waiting job is checked again after a change of any byte of its record
 *
 * Changes each byte of the records of job and partition in turn, and each text at its place. What
 * may change unseen is in the tables of slurm/compat_record.h alone; testsuite/house/job-record
 * finds pointers without a row there.
 *
 * Rules: BF-17.
 */
#include "slurm/compat.h"

#include "slurm/eligible/kept.h"

#include "members.h"
#include "rows.h"

/* ---- what slurmctld has ---- */

#define NOW 1000

uint16_t accounting_enforce; /* nothing: test_kept_limits.c */
int slurmctld_tres_cnt;
uint32_t g_qos_count;
static int steps;
static part_record_t partition;
static unsigned assoc_locks;
maui_compat_list_t part_list;

int list_count(maui_compat_list_t list)
{
	return list ? steps : 0;
}

int list_for_each(maui_compat_list_t list, ListForF f, void *arg)
{
	(void)list;
	return f(&partition, arg);
}

int bit_test(bitstr_t *bits, bitoff_t bit)
{
	(void)bits;
	(void)bit;
	return 0;
}

void assoc_mgr_lock(assoc_mgr_lock_t *locks)
{
	(void)locks;
	assoc_locks++;
}

void assoc_mgr_unlock(assoc_mgr_lock_t *locks)
{
	(void)locks;
	assoc_locks--;
}

/* ---- a job ---- */

struct job {
	job_record_t record;
	maui_compat_details_t details;
	multi_core_data_t multi_core;
	slurmdb_qos_rec_t qos;
	slurmdb_assoc_rec_t assoc;
};

static struct job job;

static void make_job(void)
{
	memset(&job, 0, sizeof(job));
	memset(&partition, 0, sizeof(partition));
	job.record.details = &job.details;
	job.record.part_ptr = &partition;
	job.record.qos_ptr = &job.qos;
	job.record.assoc_ptr = &job.assoc;
	job.record.priority = 5;
	job.details.begin_time = 1;
	job.details.mc_ptr = &job.multi_core;
	part_list = (maui_compat_list_t)&partition;
	steps = 0;
}

/* Whether the job is seen as another than with `before`. */
static bool is_seen(uint64_t before)
{
	uint64_t now = maui_kept_record(&job.record, NOW);

	cr_assert(assoc_locks == 0);
	return now == 0 || now != before;
}

/* ---- members that are not compared as bytes ---- */

#define RECORD(member)  MEMBER_OF(job_record_t, member)
#define DETAILS(member) MEMBER_OF(maui_compat_details_t, member)
#define PART(member)    MEMBER_OF(part_record_t, member)

static const struct member record_texts[] = { MAUI_COMPAT_RECORD_TEXTS(RECORD) };
static const struct member record_none[] = { MAUI_COMPAT_RECORD_NONE(RECORD) };
static const struct member record_notes[] = { MAUI_COMPAT_RECORD_NOTES(RECORD) };
static const struct member details_texts[] = { MAUI_COMPAT_DETAILS_TEXTS(DETAILS) };
static const struct member details_none[] = { MAUI_COMPAT_DETAILS_NONE(DETAILS) };
static const struct member part_texts[] = { MAUI_COMPAT_PART_TEXTS(PART) };
static const struct member part_notes[] = { MAUI_COMPAT_PART_NOTES(PART) };

/* Members whose target is read, so that they cannot point anywhere. */
static const struct member record_read[] = { RECORD(assoc_ptr) RECORD(details) RECORD(part_ptr)
						     RECORD(qos_ptr) RECORD(step_list)
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
							     RECORD(qos_list)
#endif
};
static const struct member details_read[] = { DETAILS(mc_ptr) };

/* ---- bytes ---- */

Test(kept_record, any_byte_of_the_record_is_seen)
{
	uint64_t before;

	make_job();
	before = maui_kept_record(&job.record, NOW);
	cr_assert(before != 0, "the job is one that is kept");
	for (size_t at = 0; at < sizeof(job_record_t); at++) {
		size_t flags = offsetof(job_record_t, bit_flags);

		if (IS_IN(at, record_texts) || IS_IN(at, record_notes) || IS_IN(at, record_read))
			continue;
		for (size_t i = 0; i < COUNT(byte_changes); i++) {
			/* a bit that is noted lies in a byte of its own change */
			uint64_t noted = BACKFILL_SCHED | BACKFILL_TEST | BACKFILL_LAST;
			unsigned char change = byte_changes[i];

			if (at >= flags && at < flags + sizeof(noted))
				change &= (unsigned char)~(noted >> 8 * (at - flags));
			if (!change)
				continue;
			((unsigned char *)&job.record)[at] ^= change;
			cr_expect(is_seen(before), "byte %zu, %#x", at, change);
			((unsigned char *)&job.record)[at] ^= change;
		}
	}
	cr_expect(!is_seen(before));
}

/* Of NONE as well: a job with any of these is not kept. */
Test(kept_record, any_byte_of_the_details_is_seen)
{
	uint64_t before;

	make_job();
	before = maui_kept_record(&job.record, NOW);
	for (size_t at = 0; at < sizeof(job.details); at++)
		for (size_t i = 0; i < COUNT(byte_changes); i++) {
			if (IS_IN(at, details_texts) || IS_IN(at, details_read))
				continue;
			((unsigned char *)&job.details)[at] ^= byte_changes[i];
			cr_expect(is_seen(before), "byte %zu, %#x", at, byte_changes[i]);
			((unsigned char *)&job.details)[at] ^= byte_changes[i];
		}
	for (size_t at = 0; at < sizeof(job.multi_core); at++) {
		((unsigned char *)&job.multi_core)[at] ^= 1;
		cr_expect(is_seen(before), "byte %zu of the cores", at);
		((unsigned char *)&job.multi_core)[at] ^= 1;
	}
	cr_expect(!is_seen(before));
}

Test(kept_record, notes_are_not_seen)
{
	uint64_t before;

	make_job();
	before = maui_kept_record(&job.record, NOW);
	for (size_t i = 0; i < COUNT(record_notes); i++) {
		if (strcmp(record_notes[i].name, "state_reason") == 0)
			continue;
		memset((char *)&job.record + record_notes[i].offset, 1, record_notes[i].size);
		cr_expect(!is_seen(before), "%s", record_notes[i].name);
	}
	job.record.bit_flags |= BACKFILL_SCHED | BACKFILL_TEST | BACKFILL_LAST;
	cr_expect(!is_seen(before), "bit_flags");
}

Test(kept_record, reasons_of_jobs_that_only_wait_are_one)
{
	uint64_t before;

	make_job();
	before = maui_kept_record(&job.record, NOW);
	job.record.state_reason = WAIT_PRIORITY;
	cr_expect(!is_seen(before));
	job.record.state_reason = WAIT_RESOURCES;
	cr_expect(!is_seen(before));
	job.record.state_reason = FAIL_ACCOUNT;
	cr_expect(is_seen(before));
}

/* ---- what it points to ---- */

static void check_texts(void *record, const struct member *list, size_t count)
{
	char text[] = "text";

	for (size_t i = 0; i < count; i++) {
		char **place = (char **)((char *)record + list[i].offset);
		uint64_t without = maui_kept_record(&job.record, NOW), before;

		*place = text;
		before = maui_kept_record(&job.record, NOW);
		cr_expect(before != without, "%s is given", list[i].name);
		text[0]++;
		cr_expect(is_seen(before), "%s at the same address", list[i].name);
		*place = NULL;
	}
}

Test(kept_record, another_text_at_the_same_address_is_seen)
{
	make_job();
	check_texts(&job.record, record_texts, COUNT(record_texts));
	check_texts(&job.details, details_texts, COUNT(details_texts));
}

static void check_none(void *record, const struct member *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		void **place = (void **)((char *)record + list[i].offset);

		*place = &job;
		cr_expect(maui_kept_record(&job.record, NOW) == 0, "%s", list[i].name);
		*place = NULL;
	}
}

Test(kept_record, jobs_that_depend_on_more_are_not_kept)
{
	make_job();
	check_none(&job.record, record_none, COUNT(record_none));
	check_none(&job.details, details_none, COUNT(details_none));
	job.record.step_list = (maui_compat_list_t)&job;
	cr_expect(maui_kept_record(&job.record, NOW) != 0);
	steps = 1;
	cr_expect(maui_kept_record(&job.record, NOW) == 0, "steps");
}

/* The copy of a job whose time has come after it says that the job is not eligible yet. */
Test(kept_record, jobs_that_became_eligible_during_the_copy_are_not_kept)
{
	make_job();
	job.details.begin_time = NOW;
	cr_expect(maui_kept_record(&job.record, NOW) != 0);
	job.details.begin_time = NOW + 1;
	cr_expect(maui_kept_record(&job.record, NOW) == 0);
}

/* sacctmgr changes these in place, and leaves no stamp. */
Test(kept_record, changes_of_the_qos_and_the_association_are_seen)
{
	char name[] = "high";
	uint64_t before;

	make_job();
	job.qos.name = name;
	before = maui_kept_record(&job.record, NOW);
	job.qos.flags = QOS_FLAG_PART_TIME_LIMIT;
	cr_expect(is_seen(before), "a flag of the QOS");
	job.qos.flags = 0;
	job.qos.id = 7;
	cr_expect(is_seen(before), "another QOS at its address");
	job.qos.id = 0;
	name[0] = 'n';
	cr_expect(is_seen(before), "the name of the QOS");
	name[0] = 'h';
	job.assoc.id = 3;
	cr_expect(is_seen(before), "another association at its address");
	job.assoc.id = 0;
	job.assoc.uid = 3;
	cr_expect(is_seen(before), "the user of the association");
	job.assoc.uid = 0;
	cr_expect(!is_seen(before));
	job.qos.flags = QOS_FLAG_ENFORCE_USAGE_THRES;
	cr_expect(maui_kept_record(&job.record, NOW) == 0, "every job moves its usage");
}

/* ---- partitions ---- */

Test(kept_record, any_byte_of_a_partition_is_seen)
{
	uint64_t before;
	char text[] = "text";
	size_t flags = offsetof(part_record_t, flags);

	make_job();
	before = maui_kept_partitions();
	for (size_t at = 0; at < sizeof(partition); at++) {
		unsigned char change = 0xff;

		if (IS_IN(at, part_texts) || IS_IN(at, part_notes))
			continue;
		if (at >= flags && at < flags + sizeof(partition.flags))
			change &= (unsigned char)~((unsigned)MAUI_COMPAT_PART_NOTED_FLAGS >>
						   8 * (at - flags));
		((unsigned char *)&partition)[at] ^= change;
		cr_expect(maui_kept_partitions() != before, "byte %zu", at);
		((unsigned char *)&partition)[at] ^= change;
	}
	for (size_t i = 0; i < COUNT(part_texts); i++) {
		*(char **)((char *)&partition + part_texts[i].offset) = text;
		before = maui_kept_partitions();
		text[0]++;
		cr_expect(maui_kept_partitions() != before, "%s", part_texts[i].name);
	}
	before = maui_kept_partitions();
	for (size_t i = 0; i < COUNT(part_notes); i++)
		memset((char *)&partition + part_notes[i].offset, 1, part_notes[i].size);
	partition.flags |= MAUI_COMPAT_PART_NOTED_FLAGS;
	cr_expect(maui_kept_partitions() == before, "notes");
}
