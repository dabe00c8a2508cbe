/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-start - what a start costs slurmctld: SchedulerType=sched/probe, for bench-starts alone
 *
 * Waits until PROBE_JOBS jobs are pending and starts them, each by select_nodes() with all but the
 * planned nodes excluded, as sched/maui does. It plans by counting cores: nodes are filled in the
 * order of the node table. The first job's name says how: "probe-PLANNED-HOLD-PAUSE", PLANNED nodes
 * are left to each job (at least those it needs; 0: all nodes are), and the locks are given back
 * for PAUSE milliseconds when they were held for HOLD. Appends to PROBE_OUT, in microseconds:
 *
 *   start EXCLUDE SELECT LAUNCH CPU    one job: the bitmap, select_nodes(), launch_job(); and the
 *                                  processor time of all, which a busy machine does not lengthen
 *   refused CODE
 *   hold STARTS HELD WAITED        one hold of the locks, WAITED for before
 *   end JOBS TOOK                  the whole round
 */
#include "slurm/compat.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "slurm/hold.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/state_save.h"

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

const char plugin_name[] = "slurm-maui: probe of what a start costs";
const char plugin_type[] = "sched/probe";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

int init(void);
int fini(void);
int sched_p_reconfig(void);

/* One round of filling the cluster. */
struct round {
	FILE *out;
	uint32_t *job_ids;
	size_t count, next;
	uint32_t *free_cpus; /* of each node */
	int first_free;      /* no node before this one has free processors */
	uint32_t planned;
	int64_t hold_us;
	unsigned pause_us;
};

static const slurmctld_lock_t start_locks = {
	.conf = READ_LOCK,
	.job = WRITE_LOCK,
	.node = WRITE_LOCK,
	.part = READ_LOCK,
	.fed = READ_LOCK,
};
static const slurmctld_lock_t look_locks = { .job = READ_LOCK, .node = READ_LOCK };

static pthread_t thread;
static atomic_bool stopping;

static int select_here(job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	return select_nodes(job_ptr, false, NULL, NULL, false, SLURMDB_JOB_FLAG_BACKFILL);
#else
	job_node_select_t select = { .job_ptr = job_ptr };

	return select_nodes(&select, false, false, SLURMDB_JOB_FLAG_BACKFILL);
#endif
}

/* The nodes to exclude: all but the planned nodes, which are the first with `cpus` free. NULL:
 * fewer than `needed`. */
static bitstr_t *exclude(const struct round *round, uint32_t needed, uint32_t cpus)
{
	bitstr_t *others = bit_alloc(node_record_count);
	uint32_t planned = MAX(round->planned, needed), found = 0;

	for (int i = round->first_free; i < node_record_count && found < planned; i++) {
		if (round->free_cpus[i] < cpus)
			continue;
		bit_set(others, i);
		found++;
	}
	bit_not(others);
	if (found >= needed)
		return others;
	bit_free(others);
	return NULL;
}

static void take(struct round *round, const job_record_t *job_ptr)
{
	uint32_t each = job_ptr->total_cpus / job_ptr->node_cnt;
	int last = (int)bit_fls(job_ptr->node_bitmap);

	for (int i = MAX((int)bit_ffs(job_ptr->node_bitmap), 0); i <= last; i++)
		if (bit_test(job_ptr->node_bitmap, i))
			round->free_cpus[i] -= MIN(each, round->free_cpus[i]);
	while (round->first_free < node_record_count && !round->free_cpus[round->first_free])
		round->first_free++;
}

static int64_t cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void start_job(struct round *round, job_record_t *job_ptr)
{
	__typeof__(job_ptr->details) details = job_ptr->details;
	uint32_t nodes = MAX(details->min_nodes, 1);
	uint32_t cpus = (MAX(details->min_cpus, nodes) + nodes - 1) / nodes;
	int64_t cpu = cpu_us(), begin = maui_monotonic_us(), excluded, selected;
	bitstr_t *original = details->exc_node_bitmap;
	int rc;

	if (round->planned)
		details->exc_node_bitmap = exclude(round, nodes, cpus);
	excluded = maui_monotonic_us();
	details->features_use = details->features;
	details->feature_list_use = details->feature_list;
	rc = details->exc_node_bitmap || !round->planned ? select_here(job_ptr) : ESLURM_NODES_BUSY;
	selected = maui_monotonic_us();
	if (details->exc_node_bitmap != original)
		FREE_NULL_BITMAP(details->exc_node_bitmap);
	details->exc_node_bitmap = original;
	if (rc != SLURM_SUCCESS) {
		fprintf(round->out, "refused %d\n", rc);
		return;
	}
	last_job_update = time(NULL);
	launch_job(job_ptr);
	fprintf(round->out, "start %jd %jd %jd %jd\n", (intmax_t)(excluded - begin),
		(intmax_t)(selected - excluded), (intmax_t)(maui_monotonic_us() - selected),
		(intmax_t)(cpu_us() - cpu));
	take(round, job_ptr);
}

/* Starts jobs until the locks were held long enough. */
static void hold_once(struct round *round)
{
	int64_t asked = maui_monotonic_us(), got;
	size_t begin = round->next;

	lock_slurmctld(start_locks);
	got = maui_monotonic_us();
	do {
		job_record_t *job_ptr = find_job_record(round->job_ids[round->next++]);

		if (job_ptr && IS_JOB_PENDING(job_ptr) && job_ptr->details)
			start_job(round, job_ptr);
	} while (round->next < round->count && maui_monotonic_us() - got < round->hold_us);
	schedule_job_save();
	schedule_node_save();
	unlock_slurmctld(start_locks);
	fprintf(round->out, "hold %zu %jd %jd\n", round->next - begin,
		(intmax_t)(maui_monotonic_us() - got), (intmax_t)(got - asked));
}

static int note_pending(void *x, void *arg)
{
	const job_record_t *job_ptr = x;
	struct round *round = arg;
	unsigned planned, hold_ms, pause_ms;

	if (!IS_JOB_PENDING(job_ptr) || !job_ptr->priority ||
	    sscanf(job_ptr->name, "probe-%u-%u-%u", &planned, &hold_ms, &pause_ms) != 3)
		return 0;
	xrecalloc(round->job_ids, round->count + 1, sizeof(*round->job_ids));
	round->job_ids[round->count++] = job_ptr->job_id;
	round->planned = planned;
	round->hold_us = hold_ms * 1000;
	round->pause_us = pause_ms * 1000;
	return 0;
}

static void note_nodes(struct round *round)
{
	round->free_cpus = xcalloc((size_t)node_record_count, sizeof(*round->free_cpus));
	for (int i = 0; i < node_record_count; i++)
		if (node_record_table_ptr[i])
			round->free_cpus[i] = node_record_table_ptr[i]->cpus;
}

static void run_round(struct round *round, const char *path)
{
	int64_t begin;

	round->out = fopen(path, "a");
	if (!round->out) {
		error("probe-start: %s: %m", path);
		return;
	}
	begin = maui_monotonic_us();
	while (round->next < round->count && !stopping) {
		hold_once(round);
		usleep(round->pause_us);
	}
	fprintf(round->out, "end %zu %jd\n", round->count, (intmax_t)(maui_monotonic_us() - begin));
	fclose(round->out);
}

static void *probe(void *unused)
{
	const char *path = getenv("PROBE_OUT"), *jobs = getenv("PROBE_JOBS");
	size_t wanted = jobs ? strtoul(jobs, NULL, 10) : 0;

	(void)unused;
	while (path && wanted && !stopping) {
		struct round round = { 0 };

		usleep(200000);
		lock_slurmctld(look_locks);
		list_for_each_ro(job_list, note_pending, &round);
		if (round.count >= wanted)
			note_nodes(&round);
		unlock_slurmctld(look_locks);
		if (round.count >= wanted)
			run_round(&round, path);
		xfree(round.job_ids);
		xfree(round.free_cpus);
	}
	return NULL;
}

int init(void)
{
	slurmctld_config.scheduling_disabled = true;
	return pthread_create(&thread, NULL, probe, NULL) ? SLURM_ERROR : SLURM_SUCCESS;
}

int fini(void)
{
	stopping = true;
	pthread_join(thread, NULL);
	return SLURM_SUCCESS;
}

int sched_p_reconfig(void)
{
	slurmctld_config.scheduling_disabled = true;
	return SLURM_SUCCESS;
}
