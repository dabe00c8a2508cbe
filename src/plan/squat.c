/* SPDX-License-Identifier: GPL-2.0-or-later */
/* squat.c - which active jobs use what an owner has reserved (ruling f.5)
 *
 * Of a whole node whoever is on it does. Of a part of a node processors and memory are counted, as
 * claims.h charges them:
 *   who is let in, but for the last resort, when anything of the reservation is in use
 *   all others when there is too little for them beside it, that is, in what is neither reserved
 *   here nor by reservations side by side with it. There those come first whom it does not let in,
 *   of them those who cannot go, then the highest priorities: it is used by those for whom nothing
 *   is left.
 * Who is in another reservation that lies beside it, and is large enough for all it lets in, is not
 * on this one.
 */

#include <stdlib.h>

#include "plan/access.h"
#include "plan/private.h"

/* An active job on a node. */
struct sitter {
	const struct sitter *next;
	uint32_t active;
	const struct maui_piece *piece;
};

/* A reservation's part of a node, and one amount of it. */
struct look {
	struct maui_planner *p;
	const struct sitter *sitters;
	const struct maui_claim_set *set;
	uint32_t part, instance;
	unsigned d;
	bool beside; /* all that is reserved of the node is side by side */
	bool *holds; /* of each part that is another's: it has room for all that it lets in */
};

/* Somebody who takes from what lies beside the reservation. */
struct row {
	struct maui_plan_victim victim;
	bool guest, goes; /* it lets him in; he could go */
	int64_t amount;
};

/* How gladly the sitter is inside of a claim of ours: enum maui_affinity; NOWHERE: kept out. */
enum { NOWHERE = -2 };

static int door(const struct look *l, uint32_t part, const struct sitter *sitter)
{
	const struct maui_active *active = &l->p->snapshot->active[sitter->active];
	const struct maui_access_table *table = maui_plan_access_active(l->p, sitter->active);
	const struct maui_claim *claim = l->p->timeline.claims[l->set->parts[part].claim];
	const struct maui_access *entry = maui_access_find(table, claim->rsv);

	const struct maui_span span = maui_plan_admitted_span(l->p, active);

	return entry && maui_claim_lets_in(claim, entry, span) ?
		       maui_claim_affinity(claim, table, entry, span) :
		       NOWHERE;
}

static bool is_foreign(const struct look *l, uint32_t part)
{
	return l->p->timeline.claims[l->set->parts[part].claim]->rsv == MAUI_CLAIM_FOREIGN;
}

/* Whether another part keeps some of the amount now. */
static bool is_other(const struct look *l, uint32_t part)
{
	const struct maui_claim_part *other = &l->set->parts[part];

	return part != l->part && !other->ahead && other->amounts;
}

static int64_t reserved(const struct look *l, uint32_t part)
{
	return l->set->parts[part].amounts[l->d];
}

static int64_t kept(const struct look *l, uint32_t part)
{
	return l->set->kept[part * l->p->timeline.amount_count + l->d];
}

/* What the sitter takes, but for processors of Slurm's reservations. */
static int64_t amount_of(const struct look *l, const struct sitter *sitter)
{
	int64_t amount = sitter->piece->amounts[l->d];

	for (uint32_t i = 0; l->d == MAUI_AMOUNT_PROCS && i < sitter->piece->share_count; i++)
		for (uint32_t part = 0; part < l->set->count; part++)
			if (is_other(l, part) &&
			    l->set->parts[part].claim == sitter->piece->shares[i].claim)
				amount -= sitter->piece->shares[i].procs;
	return amount;
}

static bool has_room(const struct look *l, uint32_t part)
{
	int64_t sum = 0;

	for (const struct sitter *sitter = l->sitters; sitter; sitter = sitter->next)
		if (door(l, part, sitter) != NOWHERE)
			sum += amount_of(l, sitter);
	return sum <= reserved(l, part);
}

/* Whether he is in another that lies beside it. */
static bool is_housed(const struct look *l, const struct sitter *sitter)
{
	for (uint32_t part = 0; l->beside && part < l->set->count; part++)
		if (is_other(l, part) && !is_foreign(l, part) && door(l, part, sitter) != NOWHERE &&
		    l->holds[part])
			return true;
	return false;
}

/* What lies beside it, for those who are in none. */
static int64_t room_beside(struct look *l)
{
	int64_t room = l->set->have[l->d] - reserved(l, l->part), others = 0;

	for (uint32_t part = 0; part < l->set->count; part++)
		others += is_other(l, part) ? reserved(l, part) : 0;
	l->beside = others <= room;
	for (uint32_t part = 0; l->beside && part < l->set->count; part++) {
		if (!is_other(l, part))
			continue;
		l->holds[part] = is_foreign(l, part) || has_room(l, part);
		room -= l->holds[part] ? reserved(l, part) : kept(l, part);
	}
	return room;
}

static void note(const struct look *l, uint32_t active)
{
	const struct maui_plan_squat **list = &l->p->squats[active];
	struct maui_plan_squat *squat;

	if (*list && (*list)->instance == l->instance)
		return;
	squat = maui_arena_alloc(&l->p->arena, sizeof(*squat));
	if (!squat) {
		l->p->failed = true;
		return;
	}
	*squat = (struct maui_plan_squat){ l->instance, *list };
	*list = squat;
}

/* Who has the room first. */
static int compare_rows(const void *a, const void *b)
{
	const struct row *one = a, *two = b;

	if (one->guest != two->guest)
		return one->guest ? 1 : -1;
	if (one->goes != two->goes)
		return one->goes ? 1 : -1;
	return maui_plan_compare_victims(&two->victim, &one->victim);
}

static struct row row_of(const struct look *l, const struct sitter *sitter, bool guest)
{
	const struct maui_active *active = &l->p->snapshot->active[sitter->active];

	return (struct row){
		.victim = { sitter->active, maui_plan_run_priority(l->p, active), active->start_s,
			    active->id },
		.guest = guest,
		.goes = maui_plan_may_go(l->p, active) &&
			!maui_plan_owns_instance(l->p, l->instance, active->creds),
		.amount = amount_of(l, sitter),
	};
}

/* Lists those who are not inside; `ret_room` is for them. */
static uint32_t list_rows(struct look *l, struct row *rows, int64_t *ret_room)
{
	int64_t room = room_beside(l), inside = 0;
	uint32_t count = 0;

	for (const struct sitter *sitter = l->sitters; sitter; sitter = sitter->next) {
		int how = door(l, l->part, sitter);

		if (amount_of(l, sitter) <= 0)
			continue;
		if (how >= MAUI_AFFINITY_NEUTRAL) {
			inside += amount_of(l, sitter);
			if (kept(l, l->part) < reserved(l, l->part))
				note(l, sitter->active);
		} else if (!is_housed(l, sitter)) {
			rows[count++] = row_of(l, sitter, how != NOWHERE);
		}
	}
	*ret_room = room - (inside > reserved(l, l->part) ? inside - reserved(l, l->part) : 0);
	return count;
}

static void look_at_amount(struct look *l, struct row *rows)
{
	int64_t room, sum = 0;
	uint32_t count = list_rows(l, rows, &room);

	if (count > 1)
		qsort(rows, count, sizeof(*rows), compare_rows);
	for (uint32_t i = 0; i < count; i++) {
		sum += rows[i].amount;
		if (sum > room)
			note(l, rows[i].victim.active);
	}
}

/* What the instance has of a node, in the set of its claims; -1: nothing, as of now. */
static int64_t find_part(const struct maui_planner *p, const struct maui_claim_set *set,
			 uint32_t rsv)
{
	for (uint32_t i = 0; set && i < set->count; i++)
		if (p->timeline.claims[set->parts[i].claim]->rsv == rsv)
			return i;
	return -1;
}

static int look_at_node(struct maui_planner *p, uint32_t instance, uint32_t node,
			const struct sitter *sitters, uint32_t sitter_count)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_step *step = maui_line_step(t, &t->lines[node], 0);
	struct look l = { .p = p,
			  .sitters = sitters,
			  .set = step->claims ? &t->claim_sets[step->claims - 1] : NULL,
			  .instance = instance };
	int64_t part = find_part(p, l.set, p->out->instances[instance].rsv);
	struct row *rows;

	if (part < 0)
		return 0;
	l.part = (uint32_t)part;
	if (!l.set->parts[part].amounts) {
		for (const struct sitter *sitter = sitters; sitter; sitter = sitter->next)
			note(&l, sitter->active);
		return 0;
	}
	rows = maui_arena_alloc(&p->arena, sitter_count * sizeof(*rows));
	l.holds = maui_arena_alloc(&p->arena, l.set->count * sizeof(*l.holds));
	if (!rows || !l.holds)
		return -1;
	for (l.d = 0; l.d < t->amount_count; l.d++)
		if (reserved(&l, l.part) > 0)
			look_at_amount(&l, rows);
	return 0;
}

/* Who is on a node. */
struct seats {
	const struct sitter *first;
	uint32_t count;
	bool owned;
};

static int list_sitters(struct maui_planner *p, struct seats *seats)
{
	for (uint32_t i = 0; i < p->owned_count; i++) {
		const struct maui_rsv_instance *instance = &p->out->instances[p->owned[i]];

		for (uint32_t k = 0; k < instance->place_count; k++)
			seats[instance->places[k].node].owned = true;
	}
	for (uint32_t a = 0; a < p->snapshot->active_count; a++) {
		const struct maui_active *active = &p->snapshot->active[a];

		for (uint32_t i = 0; i < active->piece_count; i++) {
			struct seats *node = &seats[active->pieces[i].node];
			struct sitter *sitter;

			if (!node->owned)
				continue;
			sitter = maui_arena_alloc(&p->arena, sizeof(*sitter));
			if (!sitter)
				return -1;
			*sitter = (struct sitter){ node->first, a, &active->pieces[i] };
			node->first = sitter;
			node->count++;
		}
	}
	return 0;
}

int maui_plan_squats(struct maui_planner *p)
{
	struct seats *seats =
		maui_arena_alloc(&p->arena, (p->snapshot->node_count + 1u) * sizeof(*seats));

	p->squats =
		maui_arena_alloc(&p->arena, (p->snapshot->active_count + 1u) * sizeof(*p->squats));
	if (!seats || !p->squats || list_sitters(p, seats))
		return -1;
	for (uint32_t i = 0; i < p->owned_count; i++) {
		const struct maui_rsv_instance *instance = &p->out->instances[p->owned[i]];

		for (uint32_t k = 0; k < instance->place_count; k++) {
			const struct seats *node = &seats[instance->places[k].node];

			if (node->count > 0 &&
			    look_at_node(p, p->owned[i], instance->places[k].node, node->first,
					 node->count))
				return -1;
		}
	}
	return p->failed ? -1 : 0;
}
