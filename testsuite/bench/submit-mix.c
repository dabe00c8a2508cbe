/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit-mix - batch jobs for benchmarks, submitted as fast as slurmctld takes them
 *
 * usage: submit-mix [OPTION VALUE]...
 *
 *   -k KIND   of the jobs: mix (default), one, node, wide, full, range
 *   -j JOBS   how many (1000)
 *   -n NODES  of the cluster (1000), for the widths of mix and full
 *   -c CPUS   of a node (32)
 *   -p COUNT  processes that submit at the same time (1), each an equal share
 *   -s SEED   of the random numbers (1): same seed, same jobs
 *   -r SECS   run time of each; without: 5 to 100 per cent of its time limit
 *   -f FROM   job number to begin with (0): a part of the same sequence
 *   -t NAME   job name ("mix")
 *   -P NAME   partition; without: slurmctld's default
 *   -l MINS   longest time limit of mix (724)
 *   -a SECS   one job after the other at even distances, the last after SECS; with one process
 *
 * mix: half of the jobs 1..CPUS cores of one node, 35 % log-uniform 1..16 whole nodes, 15 %
 * log-uniform 1..NODES/4 whole nodes; time limits log-uniform 1 minute to 12 hours; eight users.
 * one: a core for ten minutes; node: a whole node; wide: 16 whole nodes; full: all nodes;
 * range: the cores of one and a half nodes, on one to four nodes, which Slurm alone chooses.
 *
 * Prints "submitted N in S s: R jobs/s, F refused", exit status 1 when one was refused. As root,
 * with SLURM_CONF in the environment. FAKE_RUN gives fakeslurmd the run time.
 */
#include <err.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"

enum { USERS = 8, BIG_JOB_NODES = 16, LONGEST_LIMIT_MIN = 724, SHORT_LIMIT_MIN = 10 };

enum kind { KIND_MIX, KIND_ONE, KIND_NODE, KIND_WIDE, KIND_FULL, KIND_RANGE };
static const char *const kind_names[] = { "mix", "one", "node", "wide", "full", "range" };

struct options {
	enum kind kind;
	uint32_t jobs, nodes, cpus, processes, from, longest_min, arrive_s;
	uint64_t seed;
	double run_s; /* < 0: by the limit */
	char *name, *partition;
};

/* The random choices of one job, of any kind. */
struct draw {
	double limit, run, user, kind, width;
};

/* splitmix64: any job of the sequence by its number */
static double random_of(uint64_t seed, uint64_t job, uint64_t which)
{
	uint64_t z = seed * 0x9e3779b97f4a7c15 + job * 0xd1b54a32d192ed03 + which + 1;

	z *= 0x9e3779b97f4a7c15;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	z ^= z >> 31;
	return (double)(z >> 11) / 9007199254740992.0;
}

static struct draw draw_job(uint64_t seed, uint64_t job)
{
	return (struct draw){
		.limit = random_of(seed, job, 0),
		.run = random_of(seed, job, 1),
		.user = random_of(seed, job, 2),
		.kind = random_of(seed, job, 3),
		.width = random_of(seed, job, 4),
	};
}

/* 1..most, log-uniform. */
static uint32_t log_uniform(double random, uint32_t most)
{
	uint32_t n = (uint32_t)exp2(random * log2(most ? most : 1));

	return n ? n : 1;
}

static void ask_for_cores(job_desc_msg_t *job, uint32_t cores)
{
	job->min_nodes = job->max_nodes = 1;
	job->min_cpus = job->num_tasks = cores;
}

static void ask_for_nodes(job_desc_msg_t *job, uint32_t nodes, uint32_t cpus)
{
	job->min_nodes = job->max_nodes = nodes;
	job->min_cpus = job->num_tasks = nodes * cpus;
	job->ntasks_per_node = (uint16_t)cpus;
	job->shared = JOB_SHARED_NONE;
}

static void set_size(job_desc_msg_t *job, const struct options *o, const struct draw *draw)
{
	switch (o->kind) {
	case KIND_ONE:
		ask_for_cores(job, 1);
		break;
	case KIND_NODE:
		ask_for_nodes(job, 1, o->cpus);
		break;
	case KIND_WIDE:
		ask_for_nodes(job, BIG_JOB_NODES, o->cpus);
		break;
	case KIND_FULL:
		ask_for_nodes(job, o->nodes, o->cpus);
		break;
	case KIND_RANGE:
		job->min_nodes = 1;
		job->max_nodes = 4;
		job->min_cpus = job->num_tasks = o->cpus + o->cpus / 2;
		break;
	case KIND_MIX:
		if (draw->kind < 0.5)
			ask_for_cores(job, 1 + (uint32_t)(draw->width * o->cpus));
		else if (draw->kind < 0.85)
			ask_for_nodes(job, log_uniform(draw->width, BIG_JOB_NODES), o->cpus);
		else
			ask_for_nodes(job, log_uniform(draw->width, o->nodes / 4), o->cpus);
	}
}

static bool submit_job(const struct options *o, uint32_t number)
{
	struct draw draw = draw_job(o->seed, number);
	char run[40], path[] = "PATH=/usr/bin:/bin", user_env[] = "SLURM_GET_USER_ENV=0";
	char script[] = "#!/bin/sh\ntrue\n", dir[] = "/tmp", null[] = "/dev/null";
	char *env[] = { path, user_env, run, NULL };
	submit_response_msg_t *response = NULL;
	job_desc_msg_t job;
	bool done;

	slurm_init_job_desc_msg(&job);
	job.time_limit =
		o->kind == KIND_MIX ? log_uniform(draw.limit, o->longest_min) : SHORT_LIMIT_MIN;
	snprintf(run, sizeof(run), "FAKE_RUN=%.3f",
		 o->run_s >= 0 ? o->run_s : job.time_limit * 60 * (0.05 + 0.95 * draw.run));
	job.environment = env;
	job.env_size = 3;
	job.script = script;
	job.name = o->name;
	job.partition = o->partition;
	job.work_dir = dir;
	job.std_in = job.std_out = job.std_err = null;
	job.user_id = job.group_id = 1 + (uint32_t)(draw.user * USERS);
	set_size(&job, o, &draw);
	done = slurm_submit_batch_job(&job, &response) == SLURM_SUCCESS;
	if (!done)
		warnx("job %u: %s", number, slurm_strerror(errno));
	slurm_free_submit_response_response_msg(response);
	return done;
}

/* Sleeps until job `i` is due. */
static void await_arrival(const struct options *o, const struct timespec *begin, uint32_t i)
{
	double due_s = (double)o->arrive_s * (i + 1) / o->jobs;
	struct timespec due = { begin->tv_sec + (time_t)due_s, begin->tv_nsec };

	due.tv_nsec += (long)((due_s - (double)(time_t)due_s) * 1e9);
	due.tv_sec += due.tv_nsec / 1000000000;
	due.tv_nsec %= 1000000000;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR)
		;
}

/* Submits every processes-th job from `first` on; returns how many were refused. */
static uint32_t submit_share(const struct options *o, uint32_t first)
{
	struct timespec begin;
	uint32_t refused = 0;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (uint32_t i = first; i < o->jobs; i += o->processes) {
		if (o->arrive_s > 0)
			await_arrival(o, &begin, i);
		refused += !submit_job(o, o->from + i);
	}
	return refused;
}

static uint32_t submit_all(const struct options *o)
{
	uint32_t refused = 0, part;
	int ends[2];

	if (pipe(ends))
		err(1, "pipe");
	for (uint32_t i = 0; i < o->processes; i++) {
		switch (fork()) {
		case -1:
			err(1, "fork");
		case 0:
			prctl(PR_SET_PDEATHSIG, SIGTERM);
			part = submit_share(o, i);
			_exit(write(ends[1], &part, sizeof(part)) == sizeof(part) ? 0 : 1);
		}
	}
	close(ends[1]);
	for (uint32_t i = 0; i < o->processes; i++) {
		if (read(ends[0], &part, sizeof(part)) != sizeof(part))
			err(1, "a process that submits ended");
		refused += part;
	}
	while (wait(NULL) > 0)
		;
	return refused;
}

static enum kind kind_by_name(const char *name)
{
	for (int i = 0; i <= KIND_RANGE; i++)
		if (!strcmp(kind_names[i], name))
			return (enum kind)i;
	errx(2, "no kind of jobs: %s", name);
}

static uint32_t number(int option, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (!*text || *end || n > INT32_MAX)
		errx(2, "-%c wants a number, not %s", option, text);
	return (uint32_t)n;
}

static struct options parse_options(int argc, char **argv)
{
	static char name[] = "mix";
	struct options o = { .jobs = 1000,
			     .nodes = 1000,
			     .cpus = 32,
			     .processes = 1,
			     .seed = 1,
			     .run_s = -1,
			     .longest_min = LONGEST_LIMIT_MIN,
			     .name = name };
	int option;

	while ((option = getopt(argc, argv, "k:j:n:c:p:s:r:f:t:P:l:a:")) != -1) {
		switch (option) {
		case 'k':
			o.kind = kind_by_name(optarg);
			break;
		case 'j':
			o.jobs = number(option, optarg);
			break;
		case 'n':
			o.nodes = number(option, optarg);
			break;
		case 'c':
			o.cpus = number(option, optarg);
			break;
		case 'p':
			o.processes = number(option, optarg);
			break;
		case 's':
			o.seed = number(option, optarg);
			break;
		case 'r':
			o.run_s = strtod(optarg, NULL);
			break;
		case 'f':
			o.from = number(option, optarg);
			break;
		case 't':
			o.name = optarg;
			break;
		case 'P':
			o.partition = optarg;
			break;
		case 'l':
			o.longest_min = number(option, optarg);
			break;
		case 'a':
			o.arrive_s = number(option, optarg);
			break;
		default:
			errx(2, "usage: see the head of submit-mix.c");
		}
	}
	if (optind < argc || !o.processes || !o.nodes || !o.cpus || (o.arrive_s && o.processes > 1))
		errx(2, "usage: see the head of submit-mix.c");
	return o;
}

int main(int argc, char **argv)
{
	struct options o = parse_options(argc, argv);
	struct timespec from, to;
	uint32_t refused;
	double seconds;

	slurm_init(NULL);
	clock_gettime(CLOCK_MONOTONIC, &from);
	refused = submit_all(&o);
	clock_gettime(CLOCK_MONOTONIC, &to);
	seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
	printf("submitted %u in %.2f s: %.0f jobs/s, %u refused\n", o.jobs - refused, seconds,
	       (o.jobs - refused) / seconds, refused);
	return refused != 0;
}
