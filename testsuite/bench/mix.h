/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix.h - the cluster and the queue that plans are timed on
 *
 * Nodes of 32 processors, and a mixed queue: half of the jobs 1 to 32 processors of one node, 35 %
 * 1 to 16 whole nodes, 15 % 1 to a quarter of all nodes (both log-uniform), limits log-uniform from
 * 1 to 724 minutes, memory by processor, 8 users u0 to u7. The same on every machine. Whatever
 * fails ends the process.
 */
#ifndef MAUI_TESTSUITE_BENCH_MIX_H
#define MAUI_TESTSUITE_BENCH_MIX_H

#include "model/decision.h"
#include "model/snapshot.h"

enum { BENCH_PROCS = 32, BENCH_USERS = 8 };

#define BENCH_NOW INT64_C(1700000000)

/* Begins the sequence of jobs anew. */
void bench_mix_begin(void);

/* Nodes n00000 and so on in a partition "batch"; sealed. */
struct maui_snapshot *bench_mix_cluster(uint32_t nodes);

/* The next job. `spread`: every third is of tasks that go wherever there is room. */
void bench_mix_job(struct maui_snapshot *s, uint64_t id, bool spread);

/* What was started becomes active, begun up to its limit ago. */
void bench_mix_activate(struct maui_snapshot *s, const struct maui_decisions *d);

#endif
