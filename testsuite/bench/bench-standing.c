/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench-standing.c - how long it takes to say when and where reservations are
 *
 * 500 standing reservations with DEPTH 7 on 10,000 nodes of 32 processors: 40 % node-locked ranges
 * of 1 to 32 hosts, 30 % floating over 1 to 16 whole nodes, 20 % over 1 to 64 tasks of 4 processors
 * and 8 GB, 10 % floating within a range; a third each from 9:00 to 17:00, from 20:00 to 24:00 and
 * all day. "busy": on every node a job runs for up to twelve hours. "full": for longer than any
 * reservation lasts, so that nothing that floats finds a node today. "again" has what the one
 * before placed. "hosts" is what it takes to find out which nodes are meant. Prints milliseconds of
 * processor time, the least and the most of the repetitions, and always succeeds: a figure
 * from another machine is no test.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "config/planning.h"
#include "reservation/placement/placement.h"

enum { NODES = 10000, RESERVATIONS = 500, DEPTH = 7, PROCS = 32, MEMORY_MB = 128 * 1024 };

#define NOW (INT64_C(1700000000))

static uint64_t seed = 88172645463325252u;

static uint32_t pick(uint32_t below)
{
	return (uint32_t)bench_pick(&seed, below);
}

static struct maui_snapshot *make_cluster(void)
{
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	const int64_t have[] = { PROCS, MEMORY_MB, 0 };
	const struct maui_partition partition = { .name = "batch" };
	const uint32_t member = 0;
	char name[32];

	if (!s || maui_snapshot_add_partition(s, &partition) < 0)
		bench_die("no memory");
	for (uint32_t n = 0; n < NODES; n++) {
		const struct maui_node node = { .id = n,
						.name = name,
						.have = have,
						.partitions = &member,
						.partition_count = 1,
						.unit = 1 };

		snprintf(name, sizeof(name), "n%05u", n);
		if (maui_snapshot_add_node(s, &node) < 0)
			bench_die("no memory");
	}
	if (maui_snapshot_seal(s, NULL))
		bench_die("no memory");
	return s;
}

/* A job on every node that ends within so many seconds, but not before `least`. */
static void add_jobs(struct maui_snapshot *s, uint32_t least, uint32_t most)
{
	const int64_t amounts[] = { PROCS / 2, 0, 0 };
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_USER] = "amy" };
	int64_t creds = maui_snapshot_creds(s, cred);

	for (uint32_t n = 0; n < NODES; n++) {
		const struct maui_piece piece = { .node = n, .amounts = amounts };
		const struct maui_active active = { .id = n,
						    .creds = (uint32_t)creds,
						    .start_s = NOW,
						    .end_s = NOW + least + pick(most),
						    .pieces = &piece,
						    .piece_count = 1 };

		if (maui_snapshot_add_active(s, &active) < 0)
			bench_die("no memory");
	}
}

static void range(struct maui_rsv *rsv, uint32_t nodes)
{
	static char text[RESERVATIONS][32];
	static uint32_t used;
	char *at = text[used++];
	uint32_t first = pick(NODES - nodes);

	snprintf(at, sizeof(text[0]), "n[%05u-%05u]", first, first + nodes - 1);
	rsv->hosts = at;
}

static void make_reservation(struct maui_rsv *rsv, uint32_t number)
{
	static char names[RESERVATIONS][16];
	static const int64_t from[] = { 9, 20, 0 }, to[] = { 17, 24, 24 };
	uint32_t kind = pick(10), when = pick(3), nodes = 1 + pick(kind < 4 ? 32 : 16);

	snprintf(names[number], sizeof(names[0]), "sr%u", number);
	*rsv = (struct maui_rsv){ .name = names[number],
				  .owner_kind = -1,
				  .task = { .procs = -1 },
				  .depth = DEPTH,
				  .days = 0x7f,
				  .start_s = from[when] * 3600,
				  .end_s = to[when] * 3600 };
	if (kind < 4) {
		range(rsv, nodes);
		return;
	}
	rsv->task_count = nodes;
	if (kind >= 9)
		range(rsv, 2 * nodes);
	else if (kind >= 7) {
		rsv->task_count = 4 * nodes;
		rsv->task = (struct maui_rsv_task){ .procs = 4, .mem_mb = 8192 };
	}
}

struct span {
	double least, most;
};

static void note(struct span *span, double time)
{
	if (span->most == 0 || time < span->least)
		span->least = time;
	if (time > span->most)
		span->most = time;
}

struct bench {
	struct maui_snapshot *s;
	const struct maui_rsv **list;
	struct maui_timeline t;
	struct maui_arena arena, kept;
	struct maui_standing_hosts *known;
	struct maui_standing_input input;
	struct span hosts, place;
	uint32_t places;
	int64_t missing;
};

static void place_once(struct bench *b)
{
	struct maui_standing_targets *targets;
	struct maui_rsv_instance *list;
	double start = bench_cpu_ms();
	uint32_t count;

	maui_arena_clear(&b->arena);
	if (maui_standing_targets_with(b->known, b->s, b->list, RESERVATIONS, &b->arena, &targets,
				       NULL))
		bench_die("no memory");
	note(&b->hosts, bench_cpu_ms() - start);
	b->input.targets = targets;
	if (maui_timeline_build(&b->t, b->s, NOW, false))
		bench_die("no memory");
	start = bench_cpu_ms();
	if (maui_standing_place(&b->t, b->s, &b->input, NOW, &b->arena, &list, &count))
		bench_die("no memory");
	note(&b->place, bench_cpu_ms() - start);
	b->places = 0;
	b->missing = 0;
	for (uint32_t i = 0; i < count; i++) {
		b->places += list[i].place_count;
		b->missing += list[i].missing;
	}
	b->input.before = list;
	b->input.before_count = count;
}

/* Copies the placed instances, which outlive the arena. */
static void keep(struct bench *b)
{
	struct maui_arena other = b->kept;

	b->kept = b->arena;
	b->arena = other;
}

static void print(const char *name, struct bench *b)
{
	printf("%-40s hosts %.1f-%.1f ms  place %.1f-%.1f ms  (%u places, %d tasks missing)\n",
	       name, b->hosts.least, b->hosts.most, b->place.least, b->place.most, b->places,
	       (int)b->missing);
	b->hosts = b->place = (struct span){ 0 };
}

static void run_row(const char *name, struct maui_snapshot *s, const struct maui_rsv **list,
		    int policy, int repetitions)
{
	struct bench b = { .s = s, .list = list };
	char again[64];

	b.input = (struct maui_standing_input){ .list = list,
						.count = RESERVATIONS,
						.allocation = policy };
	for (int i = 0; i < repetitions; i++) {
		maui_standing_hosts_destroy(b.known);
		b.known = maui_standing_hosts_create();
		if (!b.known)
			bench_die("no memory");
		b.input.before_count = 0;
		place_once(&b);
	}
	print(name, &b);
	for (int i = 0; i < repetitions; i++) {
		keep(&b);
		place_once(&b);
	}
	snprintf(again, sizeof(again), "%s, again", name);
	print(again, &b);
	maui_standing_hosts_destroy(b.known);
	maui_timeline_finish(&b.t);
	maui_arena_finish(&b.arena);
	maui_arena_finish(&b.kept);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int policy;
		uint32_t least, most; /* seconds of jobs; 0: no jobs */
	} rows[] = {
		{ "idle, LASTAVAILABLE", MAUI_ALLOC_LASTAVAILABLE, 0, 0 },
		{ "idle, FIRSTAVAILABLE", MAUI_ALLOC_FIRSTAVAILABLE, 0, 0 },
		{ "idle, CONTIGUOUS", MAUI_ALLOC_CONTIGUOUS, 0, 0 },
		{ "busy, LASTAVAILABLE", MAUI_ALLOC_LASTAVAILABLE, 60, 12 * 3600 },
		{ "busy, FIRSTAVAILABLE", MAUI_ALLOC_FIRSTAVAILABLE, 60, 12 * 3600 },
		{ "full, LASTAVAILABLE", MAUI_ALLOC_LASTAVAILABLE, 10 * 86400, 86400 },
	};
	static struct maui_rsv rsvs[RESERVATIONS];
	static const struct maui_rsv *list[RESERVATIONS];
	int repetitions = argc > 1 ? atoi(argv[1]) : 11;

	setenv("TZ", "America/Denver", 1);
	for (uint32_t r = 0; r < RESERVATIONS; r++) {
		make_reservation(&rsvs[r], r);
		list[r] = &rsvs[r];
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct maui_snapshot *s = make_cluster();

		if (rows[i].most)
			add_jobs(s, rows[i].least, rows[i].most);
		run_row(rows[i].name, s, list, rows[i].policy, repetitions > 0 ? repetitions : 1);
		maui_snapshot_destroy(s);
	}
	return 0;
}
