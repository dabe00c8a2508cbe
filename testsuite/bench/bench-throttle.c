/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench-throttle.c - how long it takes to check ten thousand jobs against their limits
 *
 * A site with 500 users, 50 groups, 100 accounts, 8 QOS and 10 classes, every one of them limited,
 * with second dimensions as well: each job has at least 20 limits. Two thousand jobs run. One
 * repetition is what a plan asks: each job's set is looked up by its names, then the job is checked
 * at the soft and at the hard level, its idle limits included. Prints figures and always succeeds.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "base/strbuf.h"
#include "policy/throttle/throttle.h"

enum { JOBS = 10000, RUNNING = 2000, SETS = 3000, WARMUP = 3, REPETITIONS = 25 };

#define NOW INT64_C(1729916252)

static const struct {
	const char *family, *prefix;
	unsigned count;
	const char *limits;
} pools[MAUI_CRED_COUNT] = {
	{ "USERCFG", "user", 500,
	  "MAXJOB=20,40 MAXPROC=500,900 MAXNODE=90 MAXPS=90000000 MAXIJOB=50" },
	{ "GROUPCFG", "group", 50, "MAXJOB=200 MAXPROC=4000 MAXWC=900:00:00 MAXMEM=900000" },
	{ "ACCOUNTCFG", "account", 100, "MAXPROC=2000,3000 MAXPE=9000 MAXIPROC=5000" },
	{ "QOSCFG", "qos", 8, "MAXJOB=900 MAXNODE=4000" },
	{ "CLASSCFG", "class", 10,
	  "MAXNODE=3000 MAXPROC[USER]=300 MAXJOB[GROUP]=90 MAXPROCPERJOB=640" },
};

struct job {
	const char *cred[MAUI_CRED_COUNT];
	struct maui_demand demand;
	int64_t end_s;
};

struct bench {
	struct maui_config *config;
	struct maui_throttle *throttle;
	char *names[MAUI_CRED_COUNT][512];
	struct job jobs[JOBS], running[RUNNING];
	struct maui_throttle_idle idle[JOBS];
	size_t limits, refused; /* in one repetition */
};

static uint64_t seed = 88172645463325252u;

static unsigned pick(unsigned below)
{
	return (unsigned)bench_pick(&seed, below);
}

static void configure(struct bench *b)
{
	struct maui_strbuf text = { 0 };

	maui_strbuf_addf(&text,
			 "SYSCFG MAXPROC=160000 MAXIJOB=9000\nSYSTEMMAXJOBWALLTIME 7:00:00:00\n");
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		for (unsigned i = 0; i < pools[k].count; i++) {
			if (asprintf(&b->names[k][i], "%s%03u", pools[k].prefix, i) < 0)
				bench_die("no memory");
			maui_strbuf_addf(&text, "%s[%s] %s\n", pools[k].family, b->names[k][i],
					 pools[k].limits);
		}
	if (text.failed)
		bench_die("no memory");
	b->config = bench_config(text.text);
	maui_strbuf_finish(&text);
}

static void make_job(const struct bench *b, const unsigned (*sets)[MAUI_CRED_COUNT],
		     struct job *ret)
{
	const unsigned *set = sets[pick(SETS)];
	struct maui_job job = { .nodes = 1 + pick(16), .walltime_s = 60 + pick(86400) };

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		ret->cred[k] = b->names[k][set[k]];
	job.procs = job.nodes * 4;
	job.mem_mb = job.procs * 100;
	maui_demand_make(&job, job.procs, &ret->demand);
	ret->end_s = NOW + (int64_t)job.walltime_s;
}

static void make_jobs(struct bench *b)
{
	static unsigned sets[SETS][MAUI_CRED_COUNT];

	for (unsigned s = 0; s < SETS; s++)
		for (int k = 0; k < MAUI_CRED_COUNT; k++)
			sets[s][k] = pick(pools[k].count);
	for (unsigned i = 0; i < JOBS; i++)
		make_job(b, sets, &b->jobs[i]);
	for (unsigned i = 0; i < RUNNING; i++)
		make_job(b, sets, &b->running[i]);
}

static void add_running(struct bench *b)
{
	for (unsigned i = 0; i < RUNNING; i++) {
		const struct job *job = &b->running[i];
		const struct maui_throttle_set *set = maui_throttle_resolve(b->throttle, job->cred);

		if (!set || maui_throttle_add(b->throttle, set, &job->demand, job->end_s))
			bench_die("no memory");
	}
}

static void resolve(struct bench *b)
{
	for (unsigned i = 0; i < JOBS; i++) {
		b->idle[i].set = maui_throttle_resolve(b->throttle, b->jobs[i].cred);
		b->idle[i].demand = b->jobs[i].demand;
		if (!b->idle[i].set)
			bench_die("no memory");
	}
}

/* Checks every limit of every job at both levels; a refusal does not end the walk. */
static void check(struct bench *b)
{
	b->limits = b->refused = 0;
	for (unsigned i = 0; i < JOBS; i++) {
		const struct maui_throttle_idle *job = &b->idle[i];

		b->limits += maui_throttle_limit_count(job->set);
		b->refused += maui_throttle_violations(job->set, &job->demand, MAUI_LIMIT_SOFT,
						       MAUI_THROTTLE_START, NULL, 0) > 0;
		b->refused += maui_throttle_violations(job->set, &job->demand, MAUI_LIMIT_HARD,
						       MAUI_THROTTLE_START | MAUI_THROTTLE_IDLE,
						       NULL, 0) > 0;
	}
}

struct sample {
	double resolve, check, select, whole;
};

static struct sample repeat(struct bench *b)
{
	double start = bench_wall_ms(), resolved, checked, end;

	resolve(b);
	resolved = bench_wall_ms();
	check(b);
	checked = bench_wall_ms();
	maui_throttle_select(b->throttle, b->idle, JOBS);
	end = bench_wall_ms();
	return (struct sample){ resolved - start, checked - resolved, end - checked, end - start };
}

static int by_whole(const void *a, const void *b)
{
	const struct sample *one = a, *two = b;

	return (one->whole > two->whole) - (one->whole < two->whole);
}

static void first_time(struct bench *b)
{
	double start = bench_wall_ms(), added;

	b->throttle = maui_throttle_create(b->config);
	if (!b->throttle)
		bench_die("no memory");
	add_running(b);
	added = bench_wall_ms();
	resolve(b);
	printf("first time: %d running jobs added in %.2f ms, %d jobs' sets made in %.2f ms\n",
	       RUNNING, added - start, JOBS, bench_wall_ms() - added);
}

static void ask_when(struct bench *b)
{
	double start = bench_wall_ms();
	int64_t latest = 0;

	for (unsigned i = 0; i < 1000; i++) {
		int64_t when = maui_throttle_when(b->throttle, b->idle[i].set, &b->idle[i].demand,
						  MAUI_LIMIT_SOFT, NOW);

		if (when != MAUI_THROTTLE_NEVER && when > latest)
			latest = when;
	}
	printf("when: %.2f us a job, the latest in %lld s\n", bench_wall_ms() - start,
	       (long long)(latest - NOW));
}

int main(void)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct sample samples[REPETITIONS], *middle;

	if (!b)
		bench_die("no memory");
	configure(b);
	make_jobs(b);
	first_time(b);
	for (int i = 0; i < WARMUP; i++)
		repeat(b);
	for (int i = 0; i < REPETITIONS; i++)
		samples[i] = repeat(b);
	qsort(samples, REPETITIONS, sizeof(samples[0]), by_whole);
	middle = &samples[REPETITIONS / 2];
	printf("%d jobs, %.1f limits each, checked at two levels, idle ones selected\n", JOBS,
	       (double)b->limits / JOBS);
	printf("p50 %.2f ms p99 %.2f ms, fastest %.2f ms\n", middle->whole,
	       samples[REPETITIONS - 1].whole, samples[0].whole);
	printf("of p50: look up %.2f ms, check %.2f ms, select %.2f ms; %zu refusals\n",
	       middle->resolve, middle->check, middle->select, b->refused);
	ask_when(b);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		for (unsigned i = 0; i < pools[k].count; i++)
			free(b->names[k][i]);
	maui_throttle_destroy(b->throttle);
	maui_config_unref(b->config);
	free(b);
	return 0;
}
