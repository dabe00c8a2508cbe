/* SPDX-License-Identifier: GPL-2.0-or-later */
/* carry.c - reservations, counts and the chunk timer from one iteration to the next */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>

#include "base/hash.h"

/* false: a node or the partition is not there any more, so there is nothing to keep. */
static bool translate(struct maui_iteration *it, const struct maui_store_promise *kept,
		      struct maui_promise *ret)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	struct maui_place *places =
		maui_arena_alloc(&it->arena, (kept->place_count + 1u) * sizeof(*places));
	int64_t partition = maui_cluster_partition(&it->cluster, kept->partition);

	if (!places || partition < 0)
		return false;
	for (uint32_t i = 0; i < kept->place_count; i++) {
		int64_t node = maui_snapshot_find_node(s, kept->places[i].node);

		if (node < 0 || maui_hash_text(s->nodes[node].name, 0) != kept->places[i].name)
			return false;
		places[i] = (struct maui_place){ .node = (uint32_t)node,
						 .tasks = kept->places[i].tasks };
	}
	*ret = (struct maui_promise){ .job = kept->job_id,
				      .partition = (uint32_t)partition,
				      .start_s = kept->start_s,
				      .places = places,
				      .place_count = kept->place_count,
				      .vacating = kept->vacating };
	return true;
}

int maui_sched_promises(struct maui_iteration *it)
{
	const struct maui_store *kept = &it->sched->kept;

	it->promise_count = 0;
	it->promises =
		maui_arena_alloc(&it->arena, (kept->promise_count + 1) * sizeof(*it->promises));
	if (!it->promises)
		return -1;
	for (size_t i = 0; i < kept->promise_count; i++)
		if (translate(it, &kept->promises[i], &it->promises[it->promise_count]))
			it->promise_count++;
	return 0;
}

/* Without memory a promise is forgotten: the job gets a new one. */
static void keep_one(struct maui_iteration *it, const struct maui_reservation *r,
		     struct maui_store *ret)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const struct maui_waiting *waiting = &it->waiting[r->job];
	struct maui_store_promise promise = {
		.job_id = waiting->job_id,
		.submit_s = waiting->submit_s,
		.partition = (char *)s->partitions[s->idle[r->job].rows[r->row].partition].name,
		.start_s = r->start_s,
		.vacating = r->vacating,
		.places = calloc(r->place_count + 1u, sizeof(*promise.places)),
		.place_count = r->place_count,
	};

	if (!promise.places)
		return;
	for (uint32_t i = 0; i < r->place_count; i++) {
		const struct maui_node *node = &s->nodes[r->places[i].node];

		promise.places[i] = (struct maui_store_place){
			.node = node->id,
			.tasks = r->places[i].tasks,
			.name = maui_hash_text(node->name, 0),
		};
	}
	maui_store_add_promise(ret, &promise);
	free(promise.places);
}

void maui_sched_keep(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_store kept = { .chunk_until_s = it->sched->kept.chunk_until_s };

	for (uint32_t i = 0; i < d->reservation_count; i++)
		keep_one(it, &d->reservations[i], &kept);
	maui_store_finish(&it->sched->kept);
	it->sched->kept = kept;
}

int maui_sched_to_store(const struct maui_sched *sched, struct maui_store *store)
{
	if (!sched)
		return 0;
	store->chunk_until_s = sched->kept.chunk_until_s;
	for (size_t i = 0; i < sched->kept.promise_count; i++)
		if (maui_store_add_promise(store, &sched->kept.promises[i]))
			return -1;
	maui_sched_rsvs_to_store(sched, store);
	if (maui_sched_triggers_to_store(sched, store) ||
	    maui_mirrors_to_store(&sched->mirrors, store))
		return -1;
	return 0;
}

int maui_sched_from_store(struct maui_sched *sched, const struct maui_store *store)
{
	sched->kept.chunk_until_s = store->chunk_until_s;
	for (size_t i = 0; i < store->promise_count; i++)
		if (maui_store_add_promise(&sched->kept, &store->promises[i]))
			return -1;
	return maui_sched_rsvs_from_store(sched, store) ||
			       maui_sched_triggers_from_store(sched, store) ||
			       maui_mirrors_from_store(&sched->mirrors, store) ?
		       -1 :
		       0;
}

void maui_sched_note(struct maui_iteration *it)
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

/* Jobs that were let in by BACKFILLPOLICY PREEMPT and are in nobody's way any more. */
void maui_sched_secure(struct maui_iteration *it)
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

/* The last end of any job, plus BFCHUNKDURATION (ruling g.6). */
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
	if (last_s && last_s + duration_s > it->sched->kept.chunk_until_s)
		it->sched->kept.chunk_until_s = last_s + duration_s;
}
