/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preempted.c - gives back what a preemption has won when the preemptor does not start
 *
 * When Slurm refuses the start although the victims have gone, the preemptor gives its nodes back
 * in the same cycle and preempts no job there for some time. Suspended victims resume in the plan
 * that follows. Requeued victims would wait for Slurm's delay after a requeue; they start again at
 * once. So do those whose preemptor was cancelled, or starts elsewhere.
 *
 * What is known of requeued jobs is not saved: after a restart of slurmctld they wait for Slurm's
 * delay.
 *
 * Rules: PRE-9.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

#include <stdlib.h>

#include "slurm/start/preempt.h"

/* The exit of a job may take so long; later nothing is known of it any more. */
enum { FORGET_S = 3600 };

enum { PREEMPTED_MAX = 4096 }; /* requeued jobs whose preemptors have not started yet */

/* A job that was requeued for another one. */
struct preempted {
	uint32_t job_id, for_job_id;
	int64_t preempted_s;
	bool in_vain; /* the other job does not start on its nodes */
};

struct maui_preempted_jobs {
	struct preempted list[PREEMPTED_MAX];
	size_t count;
};

void maui_sched_note_preempted(struct maui_iteration *it, uint32_t job_id, uint32_t for_job_id)
{
	struct maui_sched *sched = it->sched;

	if (maui_sched_preemptor_of(sched, job_id))
		return;
	if (!sched->preempted) /* without memory the job waits for Slurm's delay */
		sched->preempted = calloc(1, sizeof(*sched->preempted));
	if (sched->preempted && sched->preempted->count < PREEMPTED_MAX)
		sched->preempted->list[sched->preempted->count++] = (struct preempted){
			.job_id = job_id, .for_job_id = for_job_id, .preempted_s = it->cluster.now_s
		};
}

uint32_t maui_sched_preemptor_of(const struct maui_sched *sched, uint32_t job_id)
{
	for (size_t i = 0; sched->preempted && i < sched->preempted->count; i++)
		if (sched->preempted->list[i].job_id == job_id &&
		    !sched->preempted->list[i].in_vain)
			return sched->preempted->list[i].for_job_id;
	return 0;
}

void maui_sched_preemptor_started(struct maui_sched *sched, uint32_t job_id)
{
	size_t kept = 0;

	for (size_t i = 0; sched->preempted && i < sched->preempted->count; i++)
		if (sched->preempted->list[i].for_job_id != job_id ||
		    sched->preempted->list[i].in_vain)
			sched->preempted->list[kept++] = sched->preempted->list[i];
	if (sched->preempted)
		sched->preempted->count = kept;
}

/* ---- after a refused start ---- */

static bool shares_node(const struct maui_job_reservation *job_rsv, const struct maui_start *start)
{
	for (uint32_t i = 0; i < job_rsv->place_count; i++)
		for (uint32_t k = 0; k < start->place_count; k++)
			if (job_rsv->places[i].node == start->places[k].node)
				return true;
	return false;
}

/* The job reservation on nodes of the start for which jobs were preempted; NULL: none. */
static const struct maui_job_reservation *find_preempting(const struct maui_iteration *it,
							  const struct maui_start *start)
{
	for (size_t i = 0; i < it->job_rsv_count; i++)
		if (it->job_rsvs[i].preempting &&
		    it->job_rsvs[i].job == it->cluster.snapshot->idle[start->job].id &&
		    shares_node(&it->job_rsvs[i], start))
			return &it->job_rsvs[i];
	return NULL;
}

/* The plans that follow in this cycle hold no nodes for the job: a job reservation without nodes
 * cannot be kept. */
static void drop_reservations(struct maui_sched *sched, uint32_t job_id)
{
	for (size_t i = 0; i < sched->job_rsvs.count; i++) {
		struct maui_store_job_rsv *job_rsv = &sched->job_rsvs.list[i];

		if (job_rsv->job_id != job_id || !job_rsv->preempting)
			continue;
		job_rsv->preempting = false;
		job_rsv->place_count = 0;
	}
}

static void remember(struct maui_iteration *it, uint32_t job,
		     const struct maui_job_reservation *job_rsv)
{
	uint32_t *nodes =
		maui_arena_alloc(&it->arena, (job_rsv->place_count + 1u) * sizeof(*nodes));
	const struct maui_refused_victims victims = { .job = job,
						      .nodes = nodes,
						      .node_count = job_rsv->place_count };

	for (uint32_t i = 0; nodes && i < job_rsv->place_count; i++)
		nodes[i] = job_rsv->places[i].node;
	if (nodes && maui_refused_preemptions_add(&it->sched->refused_preemptions,
						  &it->answers_view, &victims) == 0)
		maui_refused_preemptions_apply(&it->sched->refused_preemptions, &it->answers_view);
}

void maui_sched_give_back(struct maui_iteration *it, const struct maui_start *start)
{
	const struct maui_job_reservation *job_rsv = find_preempting(it, start);

	if (!job_rsv)
		return;
	info("slurm-maui: JobId=%u gives the nodes back that other jobs were preempted on: Slurm "
	     "refused its start all the same",
	     it->waiting[start->job].job_id);
	remember(it, start->job, job_rsv);
	drop_reservations(it->sched, it->waiting[start->job].job_id);
}

/* ---- requeued jobs ---- */

/* Whether the plan still keeps the nodes that were won for the job. */
static bool still_waits_there(const struct maui_iteration *it, uint32_t job_id)
{
	const struct maui_decisions *d = &it->sched->decisions;

	for (uint32_t i = 0; i < d->reservation_count; i++)
		if (d->reservations[i].preempting &&
		    it->waiting[d->reservations[i].job].job_id == job_id)
			return true;
	return false;
}

/* Whether there is more to do for the job. */
static bool review(struct maui_iteration *it, struct preempted *preempted)
{
	int64_t age_s = it->cluster.now_s - preempted->preempted_s;

	if (age_s < 0 || age_s > FORGET_S)
		return false;
	if (!preempted->in_vain && still_waits_there(it, preempted->for_job_id))
		return true;
	preempted->in_vain = true;
	switch (maui_preempt_restart(preempted->job_id, &it->writes)) {
	case MAUI_RESTART_DONE:
		it->wrote = true;
		maui_sched_wake(it->sched, it->cluster.now_s + 1);
		return false;
	case MAUI_RESTART_LATER:
		maui_sched_wake(it->sched, it->cluster.now_s + 1);
		return true;
	case MAUI_RESTART_NEVER:
		break;
	}
	return false;
}

void maui_sched_review_preempted(struct maui_iteration *it)
{
	struct maui_sched *sched = it->sched;
	size_t kept = 0;

	if (it->testing)
		return;
	for (size_t i = 0; sched->preempted && i < sched->preempted->count; i++)
		if (review(it, &sched->preempted->list[i]))
			sched->preempted->list[kept++] = sched->preempted->list[i];
	if (sched->preempted)
		sched->preempted->count = kept;
}
