/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quick.c - the waiting and running jobs of a pool, and which of them start
 *
 * Rules: BF-1, BF-2, BF-5.
 */

#include "sim/quick.h"

#include <stdlib.h>

#include "base/need.h"
#include "config/config.h"
#include "model/snapshot.h"
#include "model/when.h"

void maui_sim_quick_init(struct maui_sim_quick *q, const struct maui_snapshot *s,
			 const struct maui_config *config)
{
	const struct maui_planning_config *rules =
		maui_config_planning(config, s->partitions[0].name);

	*q = (struct maui_sim_quick){ .backfills = rules->backfill_policy != MAUI_BACKFILL_NONE,
				      .free = s->nodes[0].have[MAUI_AMOUNT_PROCS],
				      .reserved = -1 };
}

void maui_sim_quick_finish(struct maui_sim_quick *q)
{
	maui_sim_blocks_finish(&q->waiting);
	maui_sim_blocks_finish(&q->ends);
	free(q->starts);
}

void maui_sim_quick_arrive(struct maui_sim_quick *q, uint64_t job, int64_t procs, int64_t limit_s)
{
	const struct maui_sim_item item = { (int64_t)job, procs, limit_s };

	maui_sim_blocks_add(&q->waiting, &item);
	q->waiting_count++;
	q->arrived = item.key + 1;
}

void maui_sim_quick_end(struct maui_sim_quick *q, int64_t procs, int64_t until_s)
{
	struct maui_sim_cursor at = maui_sim_blocks_from(&q->ends, until_s);

	maui_sim_blocks_remove(&q->ends, &at, procs);
	q->free += procs;
	q->seen = 0;
	q->reserved = -1;
}

/* Starts the waiting job at the cursor, which moves behind it. */
static void start(struct maui_sim_quick *q, struct maui_sim_cursor *at, int64_t now_s,
		  bool out_of_order)
{
	const struct maui_sim_item job = q->waiting.list[at->block].items[at->item];
	const struct maui_sim_item end = { now_s + job.limit_s, job.procs, job.limit_s };

	maui_sim_blocks_remove(&q->waiting, at, job.procs);
	maui_sim_blocks_add(&q->ends, &end);
	q->waiting_count--;
	q->free -= job.procs;
	q->starts = maui_need_more(q->starts, q->start_count, &q->start_alloc, sizeof(*q->starts));
	q->starts[q->start_count++] =
		(struct maui_sim_quick_start){ (uint64_t)job.key, out_of_order };
}

/* The first job, which does not fit now, gets the earliest job reservation. */
static void reserve(struct maui_sim_quick *q, const struct maui_sim_item *job)
{
	int64_t freed = 0;
	const struct maui_sim_item *end =
		maui_sim_blocks_reach(&q->ends, job->procs - q->free, &freed);

	q->reserved = job->key;
	q->reserved_s = end->key;
	q->spare = q->free + freed - job->procs;
}

/* Starts the jobs that fit into a window of so many processors, in order. */
static void fill_window(struct maui_sim_quick *q, int64_t now_s, int64_t procs, int64_t length_s)
{
	int64_t from = q->seen > q->reserved ? q->seen : q->reserved + 1;
	struct maui_sim_cursor at = maui_sim_blocks_from(&q->waiting, from);
	const struct maui_sim_item *job;

	while (procs > 0 && (job = maui_sim_blocks_find(&q->waiting, &at, procs, length_s))) {
		procs -= job->procs;
		if (job->limit_s > q->reserved_s - now_s)
			q->spare -= job->procs;
		start(q, &at, now_s, true);
	}
}

void maui_sim_quick_plan(struct maui_sim_quick *q, int64_t now_s)
{
	struct maui_sim_cursor first = { 0, 0 };
	const struct maui_sim_item *job = NULL;

	q->start_count = 0;
	while (q->waiting_count > 0) {
		job = &q->waiting.list[0].items[0];
		if (job->procs > q->free)
			break;
		start(q, &first, now_s, false);
	}
	if (q->waiting_count == 0 || !q->backfills)
		return;
	if (q->reserved != job->key)
		reserve(q, job);
	if (q->spare < q->free)
		fill_window(q, now_s, q->free, q->reserved_s - now_s);
	fill_window(q, now_s, q->spare < q->free ? q->spare : q->free, MAUI_NEVER);
	q->seen = q->arrived;
}
