/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench-priority.c - how long it takes to rank a hundred thousand jobs
 *
 * All six components with every subcomponent weighted and capped; five credentials a job, from
 * pools as large as a large site has, each with a priority and a fairshare target. One repetition
 * is a recalculation without slurmctld: sum up fairshare, compute and publish every job, sort. The
 * program does not fail on a slow machine.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "base/sort.h"
#include "base/strbuf.h"
#include "config/config.h"
#include "plan/rank.h"
#include "policy/fairshare.h"
#include "policy/publish.h"

enum { JOBS = 100000, WARMUP = 2, REPETITIONS = 15 };

#define NOW INT64_C(1729916252)

static const struct {
	const char *family, *prefix;
	unsigned count;
} pools[MAUI_CRED_COUNT] = {
	[MAUI_CRED_USER] = { "USERCFG", "user", 500 },
	[MAUI_CRED_GROUP] = { "GROUPCFG", "group", 50 },
	[MAUI_CRED_ACCOUNT] = { "ACCOUNTCFG", "account", 100 },
	[MAUI_CRED_QOS] = { "QOSCFG", "qos", 8 },
	[MAUI_CRED_CLASS] = { "CLASSCFG", "class", 10 },
};

struct bench {
	struct maui_config *config;
	struct maui_usage usage;
	struct maui_totals totals;
	char *names[MAUI_CRED_COUNT][512];
	struct maui_job jobs[JOBS];
	struct maui_published published[JOBS];
	uint64_t order[JOBS]; /* the priority, and in the low half the job */
};

static uint64_t seed = 88172645463325252u;

static unsigned pick(unsigned below)
{
	return (unsigned)bench_pick(&seed, below);
}

static void write_creds(struct bench *b, struct maui_strbuf *text)
{
	static const char *const suffixes[] = { "", "+", "-", "%" };

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		for (unsigned i = 0; i < pools[k].count; i++) {
			if (asprintf(&b->names[k][i], "%s%03u", pools[k].prefix, i) < 0)
				bench_die("no memory");
			maui_strbuf_addf(text, "%s[%s] PRIORITY=%u FSTARGET=%u.5%s\n",
					 pools[k].family, b->names[k][i], 1 + pick(1000),
					 1 + pick(40), suffixes[pick(4)]);
		}
	for (unsigned i = 0; i < pools[MAUI_CRED_QOS].count; i++)
		maui_strbuf_addf(text,
				 "QOSCFG[%s] QTWEIGHT=%u XFWEIGHT=%u QTTARGET=4:00:00 XFTARGET=5\n",
				 b->names[MAUI_CRED_QOS][i], pick(5), pick(5));
}

/* Every parameter "<X>WEIGHT" and "<X>CAP" that the schema has for priorities. */
static void configure(struct bench *b)
{
	struct maui_strbuf text = { 0 };

	maui_strbuf_addf(&text, "FSPOLICY DEDICATEDPS\nFSDECAY 0.8\nENABLENEGJOBPRIORITY TRUE\n"
				"XFMINWCLIMIT 10:00\n");
	for (size_t i = 0; i < maui_schema_param_count; i++) {
		const struct maui_param *row = &maui_schema_params[i];
		size_t length = strlen(row->name);

		if (row->scope != MAUI_SCOPE_PRIORITY || row->type != MAUI_TYPE_NUMBER)
			continue;
		maui_strbuf_addf(&text, "%s %u\n", row->name,
				 strcmp(row->name + length - 3, "CAP") == 0 ? 1000000 : 3);
	}
	write_creds(b, &text);
	if (text.failed)
		bench_die("no memory");
	b->config = bench_config(text.text);
	maui_strbuf_finish(&text);
}

static void charge(struct bench *b)
{
	for (unsigned i = 0; i < 2000; i++) {
		const char *cred[MAUI_CRED_COUNT];

		for (int k = 0; k < MAUI_CRED_COUNT; k++)
			cred[k] = b->names[k][pick(pools[k].count)];
		if (maui_fairshare_charge(&b->usage, b->config, cred, 1 + pick(64),
					  NOW - 7 * 86400 + pick(86400), NOW - pick(86400)))
			bench_die("no memory");
	}
}

static void make_jobs(struct bench *b)
{
	b->totals = (struct maui_totals){ .procs = 160000, .mem_mb = 640e6, .disk_mb = 1e9 };
	for (unsigned i = 0; i < JOBS; i++) {
		struct maui_job *job = &b->jobs[i];

		for (int k = 0; k < MAUI_CRED_COUNT; k++)
			job->cred[k] = b->names[k][pick(pools[k].count)];
		job->nodes = 1 + pick(64);
		job->procs = job->nodes * 16;
		job->mem_mb = job->procs * 4000;
		job->disk_mb = pick(100000);
		job->swap_mb = pick(1000);
		job->walltime_s = 60 + pick(86400);
		job->queue_time_s = pick(7 * 86400);
		job->bypass = pick(10);
		job->user_procs = pick(1000);
		job->user_jobs = pick(100);
		job->soft_violation = pick(2);
		job->active = i % 10 == 0;
		job->elapsed_s = job->active ? pick(3600) : 0;
	}
}

static void rank_all(struct bench *b, const struct maui_fs_table *table)
{
	struct maui_priority priority;

	for (uint32_t i = 0; i < JOBS; i++) {
		maui_plan_rank(b->config, table, &b->totals, &b->jobs[i], &priority);
		maui_publish(&priority, b->config->priority.enable_negative, 0, &b->published[i]);
		/* highest first; equal priorities keep queue order */
		b->order[i] = (uint64_t)~b->published[i].priority << 32 | i;
	}
}

struct sample {
	double table, rank, sort, whole;
};

static struct sample repeat(struct bench *b)
{
	double start = bench_wall_ms(), made, ranked, sorted;
	struct maui_fs_table *table = maui_fs_table_create(&b->usage, b->config, NOW);

	made = bench_wall_ms();
	rank_all(b, table);
	ranked = bench_wall_ms();
	if (!table)
		bench_die("no memory");
	qsort(b->order, JOBS, sizeof(*b->order), maui_sort_by_u64);
	sorted = bench_wall_ms();
	maui_fs_table_destroy(table);
	return (struct sample){ made - start, ranked - made, sorted - ranked, sorted - start };
}

static int by_whole(const void *a, const void *b)
{
	const struct sample *one = a, *two = b;

	return (one->whole > two->whole) - (one->whole < two->whole);
}

/* The p-th percentile of the sorted samples; p99 of fifteen is the slowest. */
static const struct sample *percentile(const struct sample *samples, unsigned p)
{
	return &samples[(REPETITIONS * p + 99) / 100 - 1];
}

int main(void)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct sample samples[REPETITIONS];
	const struct sample *middle;

	if (!b)
		bench_die("no memory");
	configure(b);
	charge(b);
	make_jobs(b);
	for (int i = 0; i < WARMUP; i++)
		repeat(b);
	for (int i = 0; i < REPETITIONS; i++)
		samples[i] = repeat(b);
	qsort(samples, REPETITIONS, sizeof(samples[0]), by_whole);
	middle = percentile(samples, 50);
	printf("%d jobs of 5 credentials, %d factors\n", JOBS, MAUI_FACTOR_COUNT);
	printf("p50 %.1f ms p99 %.1f ms\n", middle->whole, percentile(samples, 99)->whole);
	printf("of p50: fairshare table %.2f ms, priorities %.2f ms (%.3f us a job), "
	       "sort %.2f ms\n",
	       middle->table, middle->rank, middle->rank * 1e3 / JOBS, middle->sort);
	printf("highest %u, lowest %u\n", b->published[(uint32_t)b->order[0]].priority,
	       b->published[(uint32_t)b->order[JOBS - 1]].priority);
	return 0;
}
