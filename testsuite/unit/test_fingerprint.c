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
