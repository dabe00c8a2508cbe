/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask_preemptions.c - asks Slurm about each preemption of the plan before a job has to go
 *
 * The plan counts what the victims give back; Slurm decides whether the preemptor can be placed
 * there (choose_victims.h). If Slurm says no, the preemptor and all equal jobs preempt no
 * job on these nodes for some time (cycle/refused_preemptions.h), and the plan is made again: the
 * preemptor gets other victims, or waits as a job without PREEMPTOR does.
 *
 * A cycle asks a bounded number of questions, and about no further preemptor once VICTIMS_ENOUGH
 * jobs go or the questions have taken ASKING_ENOUGH_US. The next cycle asks about the others, and
 * until then their victims stay. The clock is read between preemptors only: answers do not outlive
 * the cycle, so a preemptor that was cut off between two questions would begin with the first one
 * in every cycle, and might never get through.
 *
 * Rules: PRE-8.
 */

#include "slurm/compat.h"

#include "base/sort.h"
#include "controller/sched/choose_victims.h"
#include "controller/sched/private.h"

#include <stdlib.h>

#include "base/hash.h"
#include "slurm/hold.h"
#include "slurm/start/ask_preemption.h"

enum {
	QUESTIONS_MAX = 2 * MAUI_PREEMPTORS_ASKED, /* in one cycle */
	/* At 10,000 nodes a question holds the locks for 4 ms and more, and the preemption of a job
	 * for a quarter of a millisecond; as long again the cycle sleeps (bench-sched preempt). So
	 * QUESTIONS_MAX about one preemptor take a quarter of a second and more. */
	ASKING_ENOUGH_US = 20000, /* by the clock: waits for the locks and sleeps count, too */
	VICTIMS_ENOUGH = 64,
};

/* Slurm's answers of this cycle, by a hash of the question. */
struct maui_asked_preemptions {
	struct {
		uint64_t hash;
		bool helps;
	} answers[QUESTIONS_MAX];
	unsigned count;
	int64_t took_us;
	bool enough; /* only what has been asked is answered */
};

/* One preemptor and the jobs that it may preempt on its nodes. */
struct preemptor {
	struct maui_iteration *it;
	const struct maui_reservation *rsv; /* what it gets */
	struct maui_start_order order;
	struct maui_victims victims;
	uint32_t *ids; /* room for their job ids */
};

static const struct maui_reservation *find_reservation(const struct maui_decisions *d,
						       const struct maui_preemption *preemption)
{
	for (uint32_t i = 0; i < d->reservation_count; i++)
		if (d->reservations[i].preempting && d->reservations[i].job == preemption->job &&
		    d->reservations[i].copy == preemption->copy)
			return &d->reservations[i];
	return NULL;
}

/* -1: no memory, or a victim of the plan goes for another preemptor. */
static int list_victims(struct maui_iteration *it, const struct maui_preemption *first,
			const bool *taken, struct preemptor *ret)
{
	const struct maui_decisions *d = &it->sched->decisions;
	size_t most = d->preemption_count + d->further_count;

	ret->victims.list = maui_arena_alloc(&it->arena, most * sizeof(*ret->victims.list));
	ret->victims.goes = maui_arena_alloc(&it->arena, most * sizeof(*ret->victims.goes));
	ret->ids = maui_arena_alloc(&it->arena, most * sizeof(*ret->ids));
	if (!ret->victims.list || !ret->victims.goes || !ret->ids)
		return -1;
	return maui_victims_list(d, first, taken, &ret->victims) ? 0 : -1;
}

/* The preemptor of a victim, with its start as if the victims were gone. -1: no memory, or the plan
 * has no nodes for it, or another preemptor has them. */
static int describe(struct maui_iteration *it, const struct maui_preemption *first,
		    const bool *taken, struct preemptor *ret)
{
	struct maui_start start;

	*ret = (struct preemptor){ .it = it,
				   .rsv = find_reservation(&it->sched->decisions, first) };
	if (!ret->rsv || list_victims(it, first, taken, ret))
		return -1;
	ret->victims.fits =
		it->cluster.snapshot->idle[ret->rsv->job].busy_until_s > it->cluster.now_s;
	start = (struct maui_start){
		.job = ret->rsv->job,
		.copy = ret->rsv->copy,
		.row = ret->rsv->row,
		.limit_s = ret->rsv->end_s == MAUI_NEVER ? MAUI_NEVER :
							   ret->rsv->end_s - ret->rsv->start_s,
		.places = ret->rsv->places,
		.place_count = ret->rsv->place_count,
		.procs = ret->rsv->procs,
	};
	return maui_sched_make_order(it, &start, &ret->order);
}

/* ---- questions ---- */

/* Lists the job ids of those who go, ascending. */
static uint32_t list_ids(const struct maui_iteration *it, const struct preemptor *preemptor)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < preemptor->victims.count; i++)
		if (preemptor->victims.goes[i])
			preemptor->ids[count++] =
				(uint32_t)it->cluster.snapshot
					->active[preemptor->victims.list[i].active]
					.id;
	qsort(preemptor->ids, count, sizeof(*preemptor->ids), maui_sort_by_u32);
	return count;
}

static uint64_t hash_question(const struct preemptor *preemptor, uint32_t count)
{
	uint64_t hash = maui_hash_mix(preemptor->order.fingerprint, preemptor->order.node_count);

	for (uint32_t i = 0; i < preemptor->order.node_count; i++)
		hash = maui_hash_mix(hash, preemptor->order.nodes[i]);
	for (uint32_t i = 0; i < count; i++)
		hash = maui_hash_mix(hash, preemptor->ids[i]);
	return hash;
}

static bool begin_asking(struct maui_iteration *it)
{
	if (!it->asked)
		it->asked = maui_arena_alloc(&it->arena, sizeof(*it->asked));
	return it->asked;
}

static enum maui_victims_answer word_of(bool helps)
{
	return helps ? MAUI_VICTIMS_HELP : MAUI_VICTIMS_IN_VAIN;
}

static unsigned questions_left(const void *data)
{
	const struct preemptor *preemptor = data;
	const struct maui_asked_preemptions *asked = preemptor->it->asked;

	return !asked ? QUESTIONS_MAX : asked->enough ? 0 : QUESTIONS_MAX - asked->count;
}

/* Asks whether the preemptor could start without those who go, unless this cycle has asked the same
 * for an earlier plan. */
static enum maui_victims_answer ask(void *data)
{
	struct preemptor *preemptor = data;
	struct maui_iteration *it = preemptor->it;
	const struct maui_start_site site = maui_sched_site(it);
	uint32_t count = list_ids(it, preemptor);
	uint64_t hash = hash_question(preemptor, count);
	enum maui_preemption_answer answer;
	int64_t since_us;

	if (!begin_asking(it))
		return MAUI_VICTIMS_NOT_KNOWN;
	for (unsigned i = 0; i < it->asked->count; i++)
		if (it->asked->answers[i].hash == hash)
			return word_of(it->asked->answers[i].helps);
	if (questions_left(preemptor) == 0)
		return MAUI_VICTIMS_NOT_KNOWN;
	since_us = maui_monotonic_us();
	answer = maui_ask_preemption(&site, &preemptor->order, preemptor->ids, count, &it->writes);
	it->asked->took_us += maui_monotonic_us() - since_us;
	if (answer == MAUI_PREEMPTION_CHANGED)
		return MAUI_VICTIMS_NOT_KNOWN;
	it->asked->answers[it->asked->count].hash = hash;
	it->asked->answers[it->asked->count++].helps = answer == MAUI_PREEMPTION_HELPS;
	return word_of(answer == MAUI_PREEMPTION_HELPS);
}

/* ---- answers ---- */

/* Marks the jobs that would leave, and their nodes: the victims, and the components that go with
 * them. */
static void mark_leaving(const struct maui_iteration *it, const struct preemptor *preemptor,
			 bool *is_leaving, bool *is_left)
{
	const struct maui_snapshot *s = it->cluster.snapshot;

	for (uint32_t i = 0; i < preemptor->victims.count; i++) {
		const struct maui_active *victim = &s->active[preemptor->victims.list[i].active];

		is_leaving[victim - s->active] = true;
		for (uint32_t a = 0; victim->het_id && a < s->active_count; a++)
			is_leaving[a] |= s->active[a].het_id == victim->het_id;
	}
	for (uint32_t a = 0; a < s->active_count; a++)
		for (uint32_t i = 0; is_leaving[a] && i < s->active[a].piece_count; i++)
			is_left[s->active[a].pieces[i].node] = true;
}

/* Remembers a preemption in vain by the nodes that victims would have left: other nodes may serve
 * the job together with those of other victims. False: nothing was remembered. */
static bool remember(struct maui_iteration *it, const struct preemptor *preemptor)
{
	const struct maui_reservation *rsv = preemptor->rsv;
	uint32_t *nodes = maui_arena_alloc(&it->arena, (rsv->place_count + 1u) * sizeof(*nodes));
	bool *is_leaving = maui_arena_alloc(&it->arena, it->cluster.snapshot->active_count + 1u);
	bool *is_left = maui_arena_alloc(&it->arena, it->cluster.snapshot->node_count + 1u);
	struct maui_refused_victims victims = { .job = rsv->job,
						.nodes = nodes,
						.is_leaving = is_leaving };

	if (!nodes || !is_leaving || !is_left)
		return false;
	mark_leaving(it, preemptor, is_leaving, is_left);
	for (uint32_t i = 0; i < rsv->place_count; i++)
		if (is_left[rsv->places[i].node])
			nodes[victims.node_count++] = rsv->places[i].node;
	return victims.node_count > 0 &&
	       maui_refused_preemptions_add(&it->sched->refused_preemptions, &it->answers_view,
					    &victims) == 0;
}

static void accept_victims(struct maui_iteration *it, const struct preemptor *preemptor,
			   bool *taken)
{
	maui_victims_take(&preemptor->victims, taken);
	for (uint32_t i = 0; i < preemptor->victims.count; i++)
		if (preemptor->victims.goes[i])
			it->preemptions[it->preemption_count++] = preemptor->victims.list[i];
}

/* Decides about the preemptor of a victim. `taken`: of each active job: it goes for an earlier one.
 * True: the plan has to be made again. */
static bool judge(struct maui_iteration *it, const struct maui_preemption *first, bool *taken)
{
	struct preemptor preemptor;
	const struct maui_victims_oracle slurm = { ask, questions_left, &preemptor };
	enum maui_victims_answer answer = MAUI_VICTIMS_NOT_KNOWN;

	if (describe(it, first, taken, &preemptor) == 0)
		answer = maui_choose_victims(&preemptor.victims, &slurm);
	if (answer == MAUI_VICTIMS_HELP)
		accept_victims(it, &preemptor, taken);
	it->unasked |= answer == MAUI_VICTIMS_NOT_KNOWN;
	return answer == MAUI_VICTIMS_IN_VAIN && remember(it, &preemptor);
}

bool maui_sched_ask_preemptions(struct maui_iteration *it)
{
	const struct maui_decisions *d = &it->sched->decisions;
	uint32_t judged = 0;
	bool again = false, *taken;

	it->preemption_count = 0;
	it->unasked = false;
	if (it->testing || d->preemption_count == 0)
		return false;
	it->preemptions = maui_arena_alloc(&it->arena, (d->preemption_count + d->further_count) *
							       sizeof(*it->preemptions));
	taken = maui_arena_alloc(&it->arena, it->cluster.snapshot->active_count + 1u);
	for (uint32_t i = 0; it->preemptions && taken && i < d->preemption_count; i++) {
		if (i > 0 && maui_is_same_preemptor(&d->preemptions[i], &d->preemptions[i - 1]))
			continue;
		if (it->asked)
			it->asked->enough = it->asked->took_us >= ASKING_ENOUGH_US;
		if (judged++ < MAUI_PREEMPTORS_ASKED && it->preemption_count < VICTIMS_ENOUGH)
			again |= judge(it, &d->preemptions[i], taken);
		else
			it->unasked = true;
	}
	if (again)
		maui_refused_preemptions_apply(&it->sched->refused_preemptions, &it->answers_view);
	return again;
}
