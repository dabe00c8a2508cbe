/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figures.c - what a cycle leaves for sdiag, and for the record of how busy the machine was
 *
 * Rules: CMD-29.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>

#include "base/sort.h"
#include "slurm/publish/sdiag.h"

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

/* In the words of sdiag's block of the backfill scheduler. */
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

static double procs_in_use(const struct maui_snapshot *s, uint32_t *ret_jobs)
{
	double procs = 0;

	*ret_jobs = 0;
	for (uint32_t i = 0; i < s->active_count; i++) {
		if (s->active[i].completing)
			continue;
		(*ret_jobs)++;
		procs += s->active[i].suspended ? 0 : (double)s->active[i].procs;
	}
	return procs;
}

static double procs_down(const struct maui_snapshot *s, int64_t now_s)
{
	double procs = 0;

	for (uint32_t i = 0; i < s->node_count; i++)
		if (s->nodes[i].usable_from_s > now_s)
			procs += (double)s->nodes[i].have[MAUI_AMOUNT_PROCS];
	return procs;
}

void maui_sched_record_load(struct maui_iteration *it)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_utilisation *u = &it->c->utilisation;
	struct maui_statistics *statistics = &it->c->statistics;
	const double before_up = u->last[MAUI_LOAD_PROCS] - u->last[MAUI_LOAD_DOWN];
	const double before_used = u->last[MAUI_LOAD_USED];
	double load[MAUI_LOAD_COUNT] = { 0 }, seconds;
	uint32_t jobs;

	load[MAUI_LOAD_PROCS] = s->totals.procs;
	load[MAUI_LOAD_DOWN] = procs_down(s, it->cluster.now_s);
	load[MAUI_LOAD_USED] = procs_in_use(s, &jobs); /* with those started now */
	for (uint32_t i = 0; i < d->instance_count; i++)
		load[MAUI_LOAD_RESERVED] += (double)d->instances[i].idle_procs;
	load[MAUI_LOAD_IDLE] = load[MAUI_LOAD_PROCS] - load[MAUI_LOAD_DOWN] - load[MAUI_LOAD_USED] -
			       load[MAUI_LOAD_RESERVED];
	if (load[MAUI_LOAD_IDLE] < 0) /* jobs run on nodes that are drained */
		load[MAUI_LOAD_IDLE] = 0;
	load[MAUI_LOAD_RUNNING] = jobs;
	load[MAUI_LOAD_WAITING] =
		it->waiting_count > it->started ? (double)(it->waiting_count - it->started) : 0;
	seconds = (double)maui_utilisation_note(u, it->cluster.now_s, load);
	/* jobs run on nodes that are drained, or silent after a start of slurmctld */
	statistics->capacity_ps += seconds * (before_up > before_used ? before_up : before_used);
	statistics->used_ps += seconds * before_used;
}
