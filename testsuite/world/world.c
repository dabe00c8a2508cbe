/* SPDX-License-Identifier: GPL-2.0-or-later */
/* world.c - one world from its seed to its end, and the command line
 *
 *     world [--seconds N] [--days N] [--seed S] [--jobs N] [--log FILE] [--verbose] [--promises]
 *     world [--days N] [--seed S] --draws FILE
 *
 * With --library FILE it loads another libmaui.so than that of the build in which it is.
 *
 * Each world lives in a process of its own, which starts from the same memory: the same seed is the
 * same world, byte for byte. With --draws there is one world, in this process.
 */

#include "world.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DAYS = 20 };

struct world world;

/* ---- log, faults ---- */

enum { RECENT = 24, NOTE_SIZE = 430 };

static char recent[RECENT][NOTE_SIZE]; /* the last lines of the log, told when the world fails */
static uint64_t note_count;
static char last_words[512];

static void print(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(EXIT_FAILURE);
}

static void say_last_words(void)
{
	print("world: what happened last:\n");
	for (uint64_t i = note_count > RECENT ? note_count - RECENT : 0; i < note_count; i++)
		print(recent[i % RECENT]);
	print(last_words);
}

void world_note(const char *format, ...)
{
	char *line = recent[note_count++ % RECENT], text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	world.digest = world.digest * 31 + (uint64_t)world_now_us;
	for (const char *at = text; *at; at++)
		world.digest = (world.digest ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	snprintf(line, NOTE_SIZE, "%lld.%06lld %s\n",
		 (long long)((world_now_us + world_offset_us) / WORLD_SECOND),
		 (long long)((world_now_us + world_offset_us) % WORLD_SECOND), text);
	if (world.log)
		fputs(line, world.log);
}

void world_fault(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "world: day %.2f: ", (double)world_now_us / 86400e6);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	if (world.log)
		fflush(world.log);
	world_draws_end();
	say_last_words();
	_exit(EXIT_FAILURE);
}

static void die(int number)
{
	char text[64];

	snprintf(text, sizeof(text), "world: day %.2f: signal %d\n", (double)world_now_us / 86400e6,
		 number);
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(EXIT_FAILURE);
	say_last_words();
	signal(number, SIG_DFL);
	raise(number);
}

/* ---- one world ---- */

static void draw_plan(void)
{
	struct world_plan *plan = &world.plan;

	plan->exact = world_chance(30);
	plan->steps = world_chance(40);
	plan->kills = world_chance(50);
	plan->cuts = world_chance(40);
	plan->refusals = world_chance(40);
	plan->reconfigures = world_chance(60);
	plan->reservations = world_chance(60);
	plan->node_faults = world_chance(70);
	plan->hunger = world_chance(40);
	plan->limits = world_chance(25);
	plan->busy = world_chance(25);
	plan->qos = world_chance(50);
	plan->licences = world_chance(35);
	plan->gpus = world_chance(35);
	plan->depends = world_chance(40);
	plan->hets = world_chance(30);
	plan->hets_on = world_chance(80);
	plan->suspends = world_chance(30);
	plan->no_defaults = world_chance(20);
	plan->kills_invalid = world_chance(50);
	world.node_count = 3 + (int)world_random(WORLD_NODES - 2);
	world.part_count = 1 + (int)world_random(WORLD_PARTS);
	world.user_count = 2 + (int)world_random(WORLD_USERS - 1);
	world.next_job = world.next_resv = 1;
	for (int n = 0; n < world.node_count; n++) {
		struct world_node *node = &world.nodes[n];

		snprintf(node->name, sizeof(node->name), "n%d", n);
		node->cpus = (uint16_t)(2 * (1 + world_random(8)));
		node->memory = 1000 * (1 + world_random(8));
		node->big = world_chance(50);
		node->gpus = plan->gpus && world_chance(60) ? 1 + (uint32_t)world_random(4) : 0;
		world_note("%s has %u processors, %llu MB%s", node->name, node->cpus,
			   (unsigned long long)node->memory, node->big ? ", big" : "");
	}
}

static void start_slurmctld(void)
{
	memset(&slurmctld_config, 0, sizeof(slurmctld_config));
	memset(&slurmctld_diag_stats, 0, sizeof(slurmctld_diag_stats));
	nonstop_ops.job_begin = NULL;
	world_locks_drop();
	world_slurm_conf_make();
	world_product_load();
}

/* After a death, or a clean end: new tables, and what was saved. */
static void rebuild(bool died)
{
	world_jobs_restore();
	world_nodes_free();
	xfree(slurm_conf.sched_params);
	if (died) {
		world_disk_close();
		world_memory_drop();
	}
	world_memory_begin();
	world_nodes_make();
	world_jobs_find_tables();
	world_refusals_forget(0);
}

static double running_procs(void)
{
	double procs = 0;

	for (size_t r = 0; r < world.run_count; r++)
		procs += world.runs[r].procs;
	return procs;
}

static void bury(void)
{
	world.kills++;
	world.changes++;
	world_note("slurmctld dies");
	world_usage_doubt((running_procs() + 64) * (world_config.poll_s + 120));
	world_promise_void("a death");
	world_locks_drop();
	world_fibers_drop();
	world_show_tables(true);
	world_product_unload();
	rebuild(true);
}

/* slurmctld may die again while it starts. */
static void open_product(void)
{
	start_slurmctld();
	while (!world_product_open()) {
		world_jobs_save();
		bury();
		start_slurmctld();
	}
}

void world_restart(void)
{
	world.changes++;
	world_note("slurmctld ends");
	world_disk_reopen();
	if (!world_fibers_armed())
		world_jobs_save();
	if (!world_product_close()) {
		bury();
		open_product();
		return;
	}
	world_show_tables(true);
	world_fibers_drop();
	world_jobs_save();
	world_product_unload();
	rebuild(false);
	if (world.plan.kills && world_chance(20)) {
		world_jobs_save();
		world_fibers_arm(1 + (unsigned)world_random(40));
	}
	open_product();
}

static void run(void)
{
	while (world_now_us < world.end_us) {
		int64_t event_us = world_events_due_us(), fiber_us = world_fibers_due_us();
		int64_t next_us = event_us < fiber_us ? event_us : fiber_us;

		if (next_us > world_now_us)
			world_now_us = next_us;
		if (event_us <= world_now_us)
			world_events_run();
		world_fibers_run();
		if (world_fibers_died()) {
			bury();
			open_product();
			world_fibers_wake();
		}
	}
}

void world_live(void)
{
	draw_plan();
	world_now_us = 100 * WORLD_SECOND;
	world_offset_us = INT64_C(1700000000) * WORLD_SECOND +
			  (int64_t)world_random(365 * 86400) * WORLD_SECOND;
	world.end_us = world_now_us + world.days * 86400 * WORLD_SECOND;
	world_disk_begin();
	world_slurm_conf_make();
	world_config_write();
	world_tables.jobs = list_create(world_job_free);
	world_tables.resvs = list_create(world_resv_free);
	world_nodes_make();
	world_licences_make();
	world_usage_begin();
	world_events_plan();
	open_product();
	run();
	world_fibers_arm(0);
	world_restart();
}

/* ---- many worlds ---- */

struct options {
	uint64_t seed;
	bool has_seed, verbose, promises;
	int seconds, days, jobs;
	const char *log, *draws, *record;
};

/* What all worlds did; the processes share it. */
static struct totals {
	uint64_t worlds, days, cycles, events, started, kills, cuts, refused, starved;
} * totals;

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *place)
{
	(void)st, (void)type, (void)place;
	return remove(path);
}

static void remove_dir(const char *dir)
{
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void add_totals(void)
{
	__atomic_fetch_add(&totals->worlds, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&totals->days, (uint64_t)world.days, __ATOMIC_RELAXED);
	__atomic_fetch_add(&totals->cycles, world.cycles, __ATOMIC_RELAXED);
	__atomic_fetch_add(&totals->events, world.events, __ATOMIC_RELAXED);
	__atomic_fetch_add(&totals->started, world.started, __ATOMIC_RELAXED);
	__atomic_fetch_add(&totals->kills, world.kills, __ATOMIC_RELAXED);
	__atomic_fetch_add(&totals->cuts, world.cuts, __ATOMIC_RELAXED);
	__atomic_fetch_add(&totals->starved, world.starved, __ATOMIC_RELAXED);
	__atomic_fetch_add(&totals->refused, world.refused, __ATOMIC_RELAXED);
}

/* Needs a process of its own. */
static void live_one(const struct options *options, uint64_t seed, const char *dir)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM };
	const char *promises = options->promises ? " --promises" : "";

	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		signal(crashes[i], die);
	alarm(300);
	if (options->verbose)
		printf("world: %s\n", world_library);
	snprintf(last_words, sizeof(last_words),
		 "world: this was %.200s\n"
		 "world: again: testsuite/world/run --seed %llu --days %d%s --log FILE --verbose\n"
		 "world: to keep it, in testsuite/world/failed_seeds: %llu %d%s\n",
		 world_library, (unsigned long long)seed, options->days, promises,
		 (unsigned long long)seed, options->days, promises);
	world.seed = seed;
	world_draws_begin(seed, options->draws, options->record);
	world.days = options->days;
	world.verbose = options->verbose;
	world.promises = options->promises;
	world.dir = dir;
	/* every other world checks all jobs, and compares them with those that the rest keeps */
	if (seed % 2)
		setenv("MAUI_COMPARE_KEPT", "1", 1);
	if (mkdir(dir, 0700) != 0)
		world_fault("%s: %s", dir, strerror(errno));
	if (options->log)
		world.log = fopen(options->log, "w");
	world_live();
	add_totals();
	if (options->has_seed)
		printf("seed %llu: digest %016llx, %llu events, %llu cycles, %llu starts, %llu "
		       "deaths\n",
		       (unsigned long long)seed, (unsigned long long)world.digest,
		       (unsigned long long)world.events, (unsigned long long)world.cycles,
		       (unsigned long long)world.started, (unsigned long long)world.kills);
	if (world.log)
		fclose(world.log);
	world_draws_end();
	fflush(stdout);
}

static uint64_t fresh_seed(void)
{
	uint32_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		abort();
	return seed;
}

/* All names are as long as each other: a name's length is part of what is written in a world. */
static const char *dir_of(pid_t process, int place)
{
	static char dir[64];

	snprintf(dir, sizeof(dir), "%s/maui-world.%07d.%07d",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)process, place);
	return dir;
}

static pid_t begin_one(const struct options *options, uint64_t seed, int place)
{
	const char *dir = dir_of(getpid(), place);
	pid_t pid;

	remove_dir(dir);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		live_one(options, seed, dir);
		_exit(EXIT_SUCCESS);
	}
	return pid;
}

/* In this process, which a fuzzer has made for it. Of a world that fails the directory is left: the
 * next one removes it. */
static void live_draws(const struct options *options)
{
	const char *dir = dir_of(getppid(), 0);

	remove_dir(dir);
	live_one(options, options->seed, dir);
	remove_dir(dir);
}

static int parse(struct options *options, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--verbose") == 0) {
			options->verbose = true;
			continue;
		}
		if (strcmp(argv[i], "--promises") == 0) {
			options->promises = true;
			continue;
		}
		if (i + 1 == argc)
			return -1;
		if (strcmp(argv[i], "--seed") == 0) {
			options->seed = strtoull(argv[++i], NULL, 10);
			options->has_seed = true;
		} else if (strcmp(argv[i], "--seconds") == 0) {
			options->seconds = atoi(argv[++i]);
		} else if (strcmp(argv[i], "--days") == 0) {
			options->days = atoi(argv[++i]);
		} else if (strcmp(argv[i], "--jobs") == 0) {
			options->jobs = atoi(argv[++i]);
		} else if (strcmp(argv[i], "--log") == 0) {
			options->log = argv[++i];
		} else if (strcmp(argv[i], "--draws") == 0) {
			options->draws = argv[++i];
		} else if (strcmp(argv[i], "--record") == 0) {
			options->record = argv[++i];
		} else if (strcmp(argv[i], "--library") == 0) {
			world_library = argv[++i];
		} else {
			return -1;
		}
	}
	return 0;
}

/* Worlds side by side until the time is over, or one fails. Returns how many failed. */
static unsigned live_many(const struct options *options)
{
	int64_t until_us = world_real_us() + options->seconds * WORLD_SECOND;
	uint64_t seed = options->has_seed ? options->seed : fresh_seed() * UINT64_C(1000);
	int running = 0, place = 0, status;
	unsigned failed = 0;
	bool more = true;

	while (more || running > 0) {
		while (more && running < options->jobs) {
			begin_one(options, seed++, place++);
			running++;
			more = options->seconds > 0 && world_real_us() < until_us && failed == 0;
		}
		if (wait(&status) < 0)
			break;
		running--;
		failed += status != 0;
		more = more && failed == 0 && world_real_us() < until_us;
	}
	for (int i = 0; i < place; i++)
		remove_dir(dir_of(getpid(), i));
	return failed;
}

/* The C library keeps what it reads of the time zone: not as slurm-maui's memory. */
static void keep_time_zone(void)
{
	const time_t seasons[] = { 1700000000, 1718000000 };
	struct tm day;

	tzset();
	for (size_t i = 0; i < sizeof(seasons) / sizeof(seasons[0]); i++)
		localtime_r(&seasons[i], &day);
}

int main(int argc, char **argv)
{
	struct options options = { .days = DAYS, .jobs = 2 };
	int64_t began_us = world_real_us();
	double took_s;
	unsigned failed;

	world_library = world_product_beside();
	if (parse(&options, argc, argv)) {
		fprintf(stderr, "usage: world [--seconds N] [--days N] [--seed S] [--jobs N] "
				"[--log FILE] [--verbose] [--promises] [--library FILE] "
				"[--draws FILE] [--record FILE]\n");
		return EXIT_FAILURE;
	}
	setenv("TZ", "UTC", 1);
	keep_time_zone();
	totals = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	world_slurm_conf_read();
	if (options.draws) {
		live_draws(&options);
		return EXIT_SUCCESS;
	}
	failed = live_many(&options);
	took_s = (double)(world_real_us() - began_us) / 1e6;
	printf("%llu worlds, %llu days in %.1f s (%.1f a second): %llu events, %llu cycles, %llu "
	       "starts, %llu refused, %llu deaths, %llu failed writes, %llu failed allocations; %u "
	       "failed\n",
	       (unsigned long long)totals->worlds, (unsigned long long)totals->days, took_s,
	       (double)totals->days / took_s, (unsigned long long)totals->events,
	       (unsigned long long)totals->cycles, (unsigned long long)totals->started,
	       (unsigned long long)totals->refused, (unsigned long long)totals->kills,
	       (unsigned long long)totals->cuts, (unsigned long long)totals->starved, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
