/* SPDX-License-Identifier: GPL-2.0-or-later */
/* turns.c - whose jobs a cycle tries while Slurm refuses more starts than a cycle tries
 *
 * Tries go by priority. One user's thousand different jobs, none of which Slurm starts on the nodes
 * that are free, could use up the tries of each cycle, and no job behind them would start. When
 * cycles have left jobs untried for CROWDED_S, each user has SHARE of a cycle's tries, all user ids
 * without a name together, and when the tries are used up, the jobs have their turn whose nodes the
 * plan knows: Slurm seldom refuses those.
 *
 * Rules: BF-12.
 */

#include "slurm/compat.h"

#include "controller/sched/private.h"

enum {
	REFUSALS_MAX = 12,       /* plans of a turn, when Slurm refuses starts */
	CHOICES_MAX_US = 500000, /* time in one cycle for starts in which Slurm chooses the nodes */
	CROWDED_S = 2,
	SHARE = 3,
};

/* Refused starts of a user in this cycle. */
struct maui_refused_tries {
	uint32_t chosen;  /* Slurm would have chosen the nodes */
	uint32_t planned; /* on the nodes of the plan */
};

void maui_sched_begin_turns(struct maui_iteration *it)
{
	struct maui_turns *turns = &it->turns;
	int64_t since_s = it->sched->crowded_s, now_s = it->cluster.now_s;

	*turns = (struct maui_turns){ .began_us = maui_monotonic_us() };
	/* a user's number is no larger than the number of credentials */
	turns->refused = maui_arena_alloc(&it->arena, (it->cluster.snapshot->cred_count + 1u) *
							      sizeof(*turns->refused));
	turns->crowded =
		turns->refused && since_s > 0 && (now_s >= since_s + CROWDED_S || now_s < since_s);
}

void maui_sched_note_refused_try(struct maui_iteration *it, const struct maui_start *start)
{
	struct maui_refused_tries *tries;

	if (!it->turns.crowded)
		return;
	tries = &it->turns.refused[it->waiting[start->job].user];
	tries->chosen += start->slurm_chooses;
	tries->planned += !start->slurm_chooses;
}

static bool has_turn(const struct maui_iteration *it, const struct maui_refused_tries *tries,
		     bool asks_slurm)
{
	if (!asks_slurm)
		return tries->planned < SHARE;
	return it->turns.turn == MAUI_TURN_ALL && tries->chosen + tries->planned < SHARE;
}

/* One of an earlier plan, or a new one. NULL: no memory. */
static struct maui_aside *take_aside(struct maui_iteration *it)
{
	struct maui_aside *aside = it->turns.spare;

	if (!aside)
		return maui_arena_alloc(&it->arena, sizeof(*aside));
	it->turns.spare = aside->next;
	return aside;
}

void maui_sched_set_aside(struct maui_iteration *it)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	int64_t until_s = it->cluster.now_s + 1;

	if (!it->turns.crowded || it->turns.turn == MAUI_TURN_NONE)
		return;
	for (uint32_t i = 0; i < s->idle_count; i++) {
		const struct maui_idle *idle = &s->idle[i];
		const struct maui_refused_tries *tries = &it->turns.refused[it->waiting[i].user];

		for (uint32_t r = 0; r < idle->row_count; r++) {
			const struct maui_row *row = &idle->rows[r];
			struct maui_aside *aside;

			if (row->busy_until_s >= until_s ||
			    has_turn(it, tries, s->requests[maui_idle_request(idle, r)].asks_slurm))
				continue;
			aside = take_aside(it);
			if (!aside)
				return;
			*aside = (struct maui_aside){ it->turns.aside, i, r, row->busy_until_s };
			it->turns.aside = aside;
			maui_snapshot_set_row(idle, r, row->refused, until_s);
		}
	}
	it->turns.untried |= it->turns.aside != NULL;
}

void maui_sched_take_back(struct maui_iteration *it)
{
	struct maui_aside *aside;

	while ((aside = it->turns.aside)) {
		const struct maui_idle *idle = &it->cluster.snapshot->idle[aside->job];

		maui_snapshot_set_row(idle, aside->row, idle->rows[aside->row].refused,
				      aside->busy_until_s);
		it->turns.aside = aside->next;
		aside->next = it->turns.spare;
		it->turns.spare = aside;
	}
}

/* Whether the tries of the turn are used up. */
static bool is_used_up(const struct maui_turns *turns)
{
	return turns->refusals >= REFUSALS_MAX ||
	       (turns->turn == MAUI_TURN_ALL && turns->chosen &&
		maui_monotonic_us() - turns->began_us > CHOICES_MAX_US);
}

bool maui_sched_next_turn(struct maui_iteration *it, bool again, bool refused)
{
	struct maui_turns *turns = &it->turns;

	if (turns->turn == MAUI_TURN_NONE)
		return false;
	turns->chosen |= it->sched->decisions.incomplete;
	turns->refusals += refused;
	if (!again) {
		/* what others wait for is said by a plan in which all have their turn */
		turns->turn = MAUI_TURN_NONE;
		return turns->untried && !it->dropped && !it->c->stop &&
		       !it->sched->decisions.incomplete && maui_sched_take_starts(it);
	}
	if (!is_used_up(turns))
		return true;
	turns->untried = true;
	turns->refusals = 0;
	turns->turn =
		turns->crowded && turns->turn == MAUI_TURN_ALL ? MAUI_TURN_PLANNED : MAUI_TURN_NONE;
	return true;
}

void maui_sched_end_turns(struct maui_iteration *it)
{
	int64_t now_s = it->cluster.now_s, since_s = it->sched->crowded_s;

	if (!it->turns.untried)
		it->sched->crowded_s = 0;
	else if (since_s == 0 || since_s > now_s)
		it->sched->crowded_s = now_s;
	if (it->turns.untried)
		maui_sched_wake(it->sched, now_s);
}
