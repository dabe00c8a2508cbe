/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix.h - the cluster and the queue for benchmarks of plans
 *
 * Nodes of 32 processors, and a mixed queue: half of the jobs 1 to 32 processors of one node, 35 %
 * 1 to 16 whole nodes, 15 % 1 to a quarter of all nodes (both log-uniform), limits log-uniform from
 * 1 to 724 minutes, memory by processor, 8 users u0 to u7. The queue is the same on every machine.
 * A failure ends the process.
 */
#ifndef MAUI_TESTSUITE_BENCH_MIX_H
#define MAUI_TESTSUITE_BENCH_MIX_H

#include "model/decision.h"
#include "model/snapshot.h"

enum { BENCH_PROCS = 32, BENCH_USERS = 8 };

#define BENCH_NOW INT64_C(1700000000)

/* Starts the sequence of jobs again. */
void bench_mix_begin(void);

/* Nodes n00000 and so on in a partition "batch"; sealed. */
struct maui_snapshot *bench_mix_cluster(uint32_t nodes);

/* The next job. `spread`: every third job has tasks that may run on any nodes. */
void bench_mix_job(struct maui_snapshot *s, uint64_t id, bool spread);

/* Started jobs become active; each began at a random time within its limit. */
void bench_mix_activate(struct maui_snapshot *s, const struct maui_decisions *d);

#endif
