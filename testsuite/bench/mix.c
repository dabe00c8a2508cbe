/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix.c - the cluster and the queue for benchmarks of plans */

#include "mix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

enum { MEMORY_MB = 128 * 1024 };

static uint64_t seed;

static uint64_t pick(uint64_t below)
{
	return bench_pick(&seed, below);
}

void bench_mix_begin(void)
{
	seed = 88172645463325252u;
}

static uint32_t log_uniform(double low, double high)
{
	double u = (double)pick(1000000) / 1e6;

	return (uint32_t)exp(log(low) + u * (log(high + 1) - log(low)));
}

static int64_t check(int64_t index)
{
	if (index < 0)
		bench_die("no memory");
	return index;
}

struct maui_snapshot *bench_mix_cluster(uint32_t nodes)
{
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	const int64_t have[] = { BENCH_PROCS, MEMORY_MB, 0 };
	const struct maui_partition partition = { .name = "batch" };
	const uint32_t member = 0;
	char name[32];

	if (!s)
		bench_die("no memory");
	check(maui_snapshot_add_partition(s, &partition));
	for (uint32_t n = 0; n < nodes; n++) {
		const struct maui_node node = { .id = n,
						.name = name,
						.have = have,
						.partitions = &member,
						.partition_count = 1 };

		snprintf(name, sizeof(name), "n%05u", n);
		check(maui_snapshot_add_node(s, &node));
	}
	s->totals = (struct maui_totals){ .procs = (double)nodes * BENCH_PROCS,
					  .mem_mb = (double)nodes * MEMORY_MB };
	if (maui_snapshot_seal(s, NULL))
		bench_die("no memory");
	return s;
}

void bench_mix_job(struct maui_snapshot *s, uint64_t id, bool spread)
{
	static const int64_t per_proc[] = { 0, 2000, 0 };
	char user[32];
	const char *cred[MAUI_CRED_COUNT] = {
		[MAUI_CRED_USER] = user, [MAUI_CRED_GROUP] = "users", [MAUI_CRED_CLASS] = "batch"
	};
	struct maui_request request = { .nodes_min = 1,
					.nodes_max = 1,
					.procs_per_task = 1,
					.per_proc = per_proc,
					.nodes_named = true };
	struct maui_row row = { .partition = 0 };
	struct maui_idle idle = { .id = id, .copies = 1, .rows = &row, .row_count = 1 };
	uint64_t kind = pick(100);

	snprintf(user, sizeof(user), "u%u", (unsigned)pick(BENCH_USERS));
	if (spread && pick(3) == 0) {
		request.tasks = log_uniform(1, 512);
		request.nodes_max = 0;
		request.nodes_named = false;
		idle.procs = (int64_t)request.tasks;
	} else if (kind < 50) {
		request.tasks = 1 + pick(BENCH_PROCS);
		idle.procs = (int64_t)request.tasks;
	} else {
		request.nodes_min =
			kind < 85 ? log_uniform(1, 16) : log_uniform(1, s->node_count / 4.0);
		request.nodes_max = request.nodes_min;
		request.whole_nodes = true;
		idle.procs = (int64_t)request.nodes_min * BENCH_PROCS;
	}
	idle.limit_s = 60 * (int64_t)log_uniform(1, 724);
	idle.submit_s = idle.queue_since_s = BENCH_NOW - 86400 + (int64_t)pick(86400);
	idle.job = (struct maui_job){ .nodes = request.nodes_min,
				      .procs = (double)idle.procs,
				      .mem_mb = 2000.0 * (double)idle.procs,
				      .walltime_s = (double)idle.limit_s };
	idle.request = (uint32_t)check(maui_snapshot_request(s, &request));
	row.creds = (uint32_t)check(maui_snapshot_creds(s, cred));
	check(maui_snapshot_add_idle(s, &idle));
}

void bench_mix_activate(struct maui_snapshot *s, const struct maui_decisions *d)
{
	uint32_t *gone = calloc(d->start_count + 1u, sizeof(*gone));
	uint32_t count = 0;

	for (uint32_t i = 0; gone && i < d->start_count; i++) {
		const struct maui_start *start = &d->starts[i];
		const struct maui_idle *idle = &s->idle[start->job];
		struct maui_piece *pieces = calloc(start->place_count, sizeof(*pieces));
		struct maui_active active = { .id = idle->id,
					      .creds = idle->rows[0].creds,
					      .start_s = BENCH_NOW -
							 (int64_t)pick((uint64_t)idle->limit_s),
					      .pieces = pieces,
					      .piece_count = start->place_count,
					      .job = idle->job };

		for (uint32_t p = 0; pieces && p < start->place_count; p++)
			pieces[p] = (struct maui_piece){ .node = start->places[p].node,
							 .amounts = start->places[p].amounts };
		active.end_s = active.start_s + idle->limit_s;
		check(maui_snapshot_add_active(s, &active));
		free(pieces);
	}
	for (uint32_t j = 0; gone && j < s->idle_count; j++)
		if (d->verdicts[j].started)
			gone[count++] = j;
	maui_snapshot_drop_idle(s, gone, count);
	free(gone);
}
