/* SPDX-License-Identifier: GPL-2.0-or-later */
/* carry.c - what one cycle leaves to the next, and to the state file */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include "cycle/fired_triggers.h"

void maui_sched_drop_started(struct maui_iteration *it, const struct maui_start_order *orders)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_started_copy *list =
		maui_arena_alloc(&it->arena, (d->start_count + 1u) * sizeof(*list));
	size_t count = 0;

	for (uint32_t i = 0; list && i < d->start_count; i++)
		if (orders[i].outcome == MAUI_START_DONE)
			list[count++] =
				(struct maui_started_copy){ it->waiting[d->starts[i].job].job_id,
							    d->starts[i].copy };
	maui_saved_job_rsvs_drop_started(&it->sched->job_rsvs, list, count);
}

int maui_sched_to_store(const struct maui_sched *sched, struct maui_store *store)
{
	if (!sched)
		return 0;
	store->chunk_until_s = sched->chunk_until_s;
	maui_saved_job_rsvs_to_store(&sched->job_rsvs, store);
	maui_rsv_lists_to_store(&sched->rsvs, store);
	if (maui_fired_triggers_to_store(&sched->triggers, store) ||
	    maui_mirrors_to_store(&sched->mirrors, store))
		return -1;
	return 0;
}

int maui_sched_from_store(struct maui_sched *sched, const struct maui_store *store)
{
	sched->chunk_until_s = store->chunk_until_s;
	if (maui_saved_job_rsvs_from_store(&sched->job_rsvs, store) ||
	    maui_rsv_lists_from_store(&sched->rsvs, store) ||
	    maui_fired_triggers_from_store(&sched->triggers, store) ||
	    maui_mirrors_from_store(&sched->mirrors, store))
		return -1;
	return 0;
}

void maui_sched_record_outcome(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_controller *c = it->c;

	for (uint32_t i = 0; i < d->verdict_count; i++) {
		const struct maui_verdict *verdict = &d->verdicts[i];
		struct maui_job_history *history;

		slurm_mutex_lock(&c->lock);
		history = maui_job_histories_find(&c->histories, it->waiting[i].job_id);
		if (history) {
			history->bypass += it->testing ? 0 : verdict->bypass;
			history->limited = verdict->no_accrual;
			history->active_limit = verdict->active_limit;
		}
		slurm_mutex_unlock(&c->lock);
	}
}

/* Marks jobs that started under BACKFILLPOLICY PREEMPT and no longer delay any other job as not
 * preemptible. */
void maui_sched_end_preemptible(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_controller *c = it->c;

	for (uint32_t i = 0; i < d->secured_count; i++) {
		uint64_t id = it->cluster.snapshot->active[d->secured[i]].id;
		struct maui_job_history *history;

		slurm_mutex_lock(&c->lock);
		history = maui_job_histories_find(&c->histories, (uint32_t)id);
		if (history)
			history->preemptible = false;
		slurm_mutex_unlock(&c->lock);
	}
}

/* The last end of any job, plus BFCHUNKDURATION (BF-8). */
void maui_sched_chunk_timer(struct maui_iteration *it)
{
	int64_t duration_s = it->c->config->planning.chunk_duration_s, last_s = 0;

	if (duration_s <= 0)
		return;
	for (size_t i = 0; i < it->captured->count; i++) {
		const struct maui_captured_job *captured = &it->captured->jobs[i];

		if (captured->state == MAUI_CAPTURED_ENDED && captured->start_s &&
		    captured->until_s > last_s)
			last_s = captured->until_s;
	}
	if (last_s && last_s + duration_s > it->sched->chunk_until_s)
		it->sched->chunk_until_s = last_s + duration_s;
}
