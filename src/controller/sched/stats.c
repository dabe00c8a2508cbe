/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stats.c - an iteration in the words of sdiag's block of the backfill scheduler */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>

#include "base/sort.h"
#include "slurm/publish/jobs.h"

/* Different moments at which something begins or ends in the plan, now among them. */
static uint32_t count_moments(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	const struct maui_snapshot *s = it->cluster.snapshot;
	int64_t *moments = maui_arena_alloc(&it->arena, (1u + s->active_count + d->start_count +
							 2u * (size_t)d->reservation_count) *
								sizeof(*moments));
	int64_t now_s = it->cluster.now_s;
	uint32_t count = 0, different = 1;

	if (!moments)
		return 0;
	moments[count++] = now_s;
	for (uint32_t i = 0; i < s->active_count; i++)
		moments[count++] = s->active[i].end_s;
	for (uint32_t i = 0; i < d->start_count; i++)
		moments[count++] = maui_when_add(now_s, d->starts[i].limit_s);
	for (uint32_t i = 0; i < d->reservation_count; i++) {
		moments[count++] = d->reservations[i].start_s;
		moments[count++] = d->reservations[i].end_s;
	}
	qsort(moments, count, sizeof(*moments), maui_sort_by_i64);
	for (uint32_t i = 1; i < count; i++)
		different += moments[i] > now_s && moments[i] != moments[i - 1];
	return different;
}

void maui_sched_count(struct maui_iteration *it, int64_t took_us)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_sdiag_cycle cycle = { .began_s = it->cluster.now_s,
					  .queue_length = it->queued,
					  .considered = d->verdict_count,
					  .started_backfilled = it->backfilled,
					  .table_size = count_moments(it),
					  .duration_us = (uint64_t)took_us };

	for (uint32_t i = 0; i < d->verdict_count; i++)
		cycle.tried += d->verdicts[i].rank != UINT32_MAX;
	maui_publish_sdiag(&cycle);
}
