/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_fingerprint.c - jobs that ask for different things are not alike
 *
 * A refused start keeps its nodes from all jobs of the same fingerprint, and a changed fingerprint
 * says that a user has updated a job.
 *
 * Rules: BF-12.
 */
#include "slurm/compat.h"

#include "slurm/capture/jobs.h"

#include <stddef.h>
#include <time.h>

#include "fingerprint_members.h"
#include "rows.h"

/* what slurmctld has, and no job here needs */
int list_count(maui_compat_list_t list)
{
	(void)list;
	return 0;
}

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
/* bitmaps of one word */
bitoff_t bit_size(bitstr_t *bits)
{
	(void)bits;
	return 64;
}

int bit_test(bitstr_t *bits, bitoff_t bit)
{
	return *(uint64_t *)bits >> bit & 1;
}

bitoff_t bit_ffs(bitstr_t *bits)
{
	return *(uint64_t *)bits ? __builtin_ctzll(*(uint64_t *)bits) : -1;
}
#endif

struct job {
	job_record_t record;
	maui_compat_details_t details;
	multi_core_data_t multi_core;
};

static char text[] = "text";

static void set_mem_per_gpu(struct job *job)
{
	job->record.mem_per_tres = text;
}

static void set_cpus_per_gpu(struct job *job)
{
	job->record.cpus_per_tres = text;
}

static void set_gpu_bind(struct job *job)
{
	job->record.tres_bind = text;
}

static void set_network(struct job *job)
{
	job->record.network = text;
}

static void set_reboot(struct job *job)
{
	job->record.reboot = 1;
}

static void set_switches(struct job *job)
{
	job->record.req_switch = 1;
}

static void set_wait_for_switches(struct job *job)
{
	job->record.wait4switch = 60;
}

static void set_delay_boot(struct job *job)
{
	job->record.delay_boot = 60;
}

static void set_burst_buffer(struct job *job)
{
	job->record.burst_buffer = text;
}

static void set_mcs_label(struct job *job)
{
	job->record.mcs_label = text;
}

static void set_prefer(struct job *job)
{
	job->details.prefer = text;
}

static void set_ntasks_per_gpu(struct job *job)
{
	job->details.ntasks_per_tres = 2;
}

static void set_distribution(struct job *job)
{
	job->details.task_dist = SLURM_DIST_ARBITRARY;
}

static void set_sockets(struct job *job)
{
	job->multi_core.sockets_per_node = 2;
}

static void set_enforce_binding(struct job *job)
{
	job->record.bit_flags |= GRES_ENFORCE_BIND;
}

static void set_no_binding(struct job *job)
{
	job->record.bit_flags |= GRES_DISABLE_BIND;
}

static void set_spread(struct job *job)
{
	job->record.bit_flags |= SPREAD_JOB;
}

static void set_least_nodes(struct job *job)
{
	job->record.bit_flags |= USE_MIN_NODES;
}

static void set_extra(struct job *job)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	job->details.extra = text;
#else
	job->record.extra = text;
#endif
}

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
static void set_sizes(struct job *job)
{
	static uint64_t sizes = 1 << 2 | 1 << 4;

	job->details.job_size_bitmap = (bitstr_t *)&sizes;
}

static void set_ports(struct job *job)
{
	job->record.resv_port_cnt = 2;
}

static void set_segment(struct job *job)
{
	job->details.segment_size = 4;
}

static void set_one_task_per_sharing(struct job *job)
{
	job->record.bit_flags |= GRES_ONE_TASK_PER_SHARING;
}
#endif

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
static void set_spread_segments(struct job *job)
{
	job->record.bit_flags |= SPREAD_SEGMENTS;
}

static void set_consolidate_segments(struct job *job)
{
	job->record.bit_flags |= CONSOLIDATE_SEGMENTS;
}
#endif

/* what slurmctld notes in a record, and nobody asks for */
static void note_start_estimate(struct job *job)
{
	job->record.start_time = 5;
	job->record.last_sched_eval = 5;
}

static void note_backfill(struct job *job)
{
	job->record.bit_flags |= BACKFILL_SCHED;
}

static const struct row {
	const char *name;
	void (*set)(struct job *job);
	bool alike;
} rows[] = {
	{ "--mem-per-gpu", set_mem_per_gpu, false },
	{ "--cpus-per-gpu", set_cpus_per_gpu, false },
	{ "--gpu-bind", set_gpu_bind, false },
	{ "--network", set_network, false },
	{ "--reboot", set_reboot, false },
	{ "--switches=1", set_switches, false },
	{ "--switches=1@1", set_wait_for_switches, false },
	{ "--delay-boot", set_delay_boot, false },
	{ "--bb", set_burst_buffer, false },
	{ "--mcs-label", set_mcs_label, false },
	{ "--prefer", set_prefer, false },
	{ "--ntasks-per-gpu", set_ntasks_per_gpu, false },
	{ "--distribution", set_distribution, false },
	{ "--sockets-per-node", set_sockets, false },
	{ "--gres-flags=enforce-binding", set_enforce_binding, false },
	{ "--gres-flags=disable-binding", set_no_binding, false },
	{ "--spread-job", set_spread, false },
	{ "--use-min-nodes", set_least_nodes, false },
	{ "--extra", set_extra, false },
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	{ "--nodes=2,4", set_sizes, false },
	{ "--segment", set_segment, false },
	{ "--resv-ports", set_ports, false },
	{ "--gres-flags=one-task-per-sharing", set_one_task_per_sharing, false },
#endif
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
	{ "--spread-segments", set_spread_segments, false },
	{ "--consolidate-segments", set_consolidate_segments, false },
#endif
	{ "a start estimate", note_start_estimate, true },
	{ "the mark of a backfilled job", note_backfill, true },
};

static void make_job(struct job *job)
{
	*job = (struct job){ 0 };
	job->record.details = &job->details;
	job->details.mc_ptr = &job->multi_core;
}

TEST_ROWS(fingerprint, alike, rows, row)
{
	struct job one, other;
	bool alike;

	make_job(&one);
	make_job(&other);
	row->set(&other);
	alike = maui_capture_fingerprint(&one.record) == maui_capture_fingerprint(&other.record);
	cr_expect(alike == row->alike, "%s: the jobs are %salike", row->name, alike ? "" : "not ");
}

/* ---- any byte ---- */

static struct job job;

static uint64_t look(void)
{
	return maui_capture_fingerprint(&job.record);
}

/* Whether any change of the byte is seen; each is taken back. */
static bool is_seen(unsigned char *byte)
{
	uint64_t before = look();
	unsigned seen = 0;

	for (size_t i = 0; i < COUNT(byte_changes); i++) {
		*byte ^= byte_changes[i];
		seen += look() != before;
		*byte ^= byte_changes[i];
	}
	cr_expect(seen == 0 || seen == COUNT(byte_changes), "some changes of a byte are seen");
	return seen > 0;
}

/* What lies between two members is less than a word. */
static void check_hole(const char *of, size_t at, size_t *ret_from, bool is_hole)
{
	if (!is_hole)
		*ret_from = at + 1;
	cr_expect(at + 1 - *ret_from < sizeof(uint64_t),
		  "byte %zu of %s neither counts nor is left out by name", at, of);
}

Test(fingerprint, any_byte_of_the_record)
{
	unsigned char *bytes = (unsigned char *)&job.record;
	size_t hole = 0;

	make_job(&job);
	for (size_t at = 0; at < sizeof(job.record); at++) {
		bool left_out = IS_IN(at, record_left_out);

		if (IS_IN(at, record_texts) || IS_IN(at, record_others)) {
			check_hole("the record", at, &hole, false);
			continue;
		}
		if (left_out)
			cr_expect(!is_seen(&bytes[at]), "byte %zu is left out, and counts", at);
		check_hole("the record", at, &hole, !left_out && !is_seen(&bytes[at]));
	}
}

Test(fingerprint, any_byte_of_the_details)
{
	unsigned char *bytes = (unsigned char *)&job.details;
	size_t hole = 0;

	make_job(&job);
	for (size_t at = 0; at < sizeof(job.details); at++) {
		bool left_out = IS_IN(at, details_left_out);

		if (IS_IN(at, details_texts) || IS_IN(at, details_others)) {
			check_hole("the details", at, &hole, false);
			continue;
		}
		if (left_out)
			cr_expect(!is_seen(&bytes[at]), "byte %zu is left out, and counts", at);
		check_hole("the details", at, &hole, !left_out && !is_seen(&bytes[at]));
	}
}

Test(fingerprint, any_byte_of_cores_and_tasks)
{
	unsigned char *bytes = (unsigned char *)&job.multi_core;

	make_job(&job);
	memset(bytes, 1, sizeof(job.multi_core)); /* given */
	for (size_t at = 0; at < sizeof(job.multi_core); at++)
		cr_expect(is_seen(&bytes[at]), "byte %zu of multi_core_data_t", at);
}

static void check_texts(void *record, const struct member *list, size_t count)
{
	static char one[] = "one", other[] = "another";
	uint64_t none = look(), with_one;

	for (size_t i = 0; i < count; i++) {
		char **member = (char **)((char *)record + list[i].offset);
		char copy[] = "one";

		*member = one;
		with_one = look();
		cr_expect(with_one != none, "%s", list[i].name);
		*member = copy;
		cr_expect(look() == with_one, "%s: the same text elsewhere", list[i].name);
		*member = other;
		cr_expect(look() != with_one && look() != none, "%s: another text", list[i].name);
		*member = NULL;
	}
}

Test(fingerprint, any_text)
{
	make_job(&job);
	check_texts(&job.record, record_texts, COUNT(record_texts));
	check_texts(&job.details, details_texts, COUNT(details_texts));
}

Test(fingerprint, what_counts_in_part)
{
	uint64_t before;

	make_job(&job);
	job.record.priority = 5;
	before = look();
	job.record.priority = 6;
	cr_expect(look() == before, "a priority");
	job.record.priority = 0;
	cr_expect(look() != before, "a hold");
	job.record.priority = 5;
	job.details.begin_time = time(NULL) - 1000;
	cr_expect(look() == before, "a begin time that has passed");
	job.details.begin_time = time(NULL) + 1000;
	cr_expect(look() != before, "a begin time to come");
	job.details.begin_time = 0;
	job.record.admin_comment = (char[]){ "what an operator wrote" };
	cr_expect(look() == before, "a comment");
	job.record.admin_comment = (char[]){ "maui:qos=high" };
	cr_expect(look() != before, "a QOS in the comment");
	job.record.admin_comment = NULL;
	job.record.resv_name = text;
	cr_expect(look() != before, "a reservation");
	job.record.bit_flags |= JOB_MAGNETIC;
	cr_expect(look() == before, "a magnetic reservation");
}
