/* SPDX-License-Identifier: GPL-2.0-or-later */
/* occupying_jobs.c - which active jobs use what an owner has reserved (RSV-14)
 *
 * Of a whole node each job on it does. Of a part of a node processors and memory are counted, as
 * claims.h charges them:
 *   a job that the reservation admits, but for the last resort, when anything of it is in use
 *   every other job when there is too little for these jobs beside the reservation: in what neither
 *   it nor reservations side by side with it have. The room there goes first to jobs that the
 *   reservation does not admit, of them to those that cannot be preempted, then to the highest
 *   priorities; the jobs for which nothing is left occupy the reservation.
 * A job in another reservation that lies beside it, and is large enough for all that it admits, is
 * not on this one.
 */

#include <stdlib.h>

#include "plan/access.h"
#include "plan/private.h"

/* An active job on a node. */
struct occupant {
	const struct occupant *next;
	uint32_t active;
	const struct maui_piece *piece;
};

/* A reservation's part of a node, and one amount of it. */
struct look {
	struct maui_planner *p;
	const struct occupant *occupants;
	const struct maui_claim_set *set;
	uint32_t part, instance;
	unsigned d;
	bool beside; /* all that is reserved of the node is side by side */
	bool *holds; /* of each part that is another's: it has room for all that it lets in */
};

/* A job that takes from what lies beside the reservation. */
struct row {
	struct maui_plan_victim victim;
	bool admitted, goes; /* the reservation admits it; it could be preempted */
	int64_t amount;
};

/* How gladly the occupant is inside of a claim of ours: enum maui_affinity; NOWHERE: kept out. */
enum { NOWHERE = -2 };

static int admission(const struct look *l, uint32_t part, const struct occupant *occupant)
{
	const struct maui_active *active = &l->p->snapshot->active[occupant->active];
	const struct maui_access_table *table = maui_plan_access_active(l->p, occupant->active);
	const struct maui_claim *claim = l->p->timeline.claims[l->set->parts[part].claim];
	const struct maui_access *entry = maui_access_find(table, claim->rsv);

	const struct maui_span span = maui_plan_admitted_span(l->p, active);

	return entry && maui_claim_admits(claim, entry, span) ?
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

/* What the occupant takes, but for processors of Slurm's reservations. */
static int64_t amount_of(const struct look *l, const struct occupant *occupant)
{
	int64_t amount = occupant->piece->amounts[l->d];

	for (uint32_t i = 0; l->d == MAUI_AMOUNT_PROCS && i < occupant->piece->share_count; i++)
		for (uint32_t part = 0; part < l->set->count; part++)
			if (is_other(l, part) &&
			    l->set->parts[part].claim == occupant->piece->shares[i].claim)
				amount -= occupant->piece->shares[i].procs;
	return amount;
}

static bool has_room(const struct look *l, uint32_t part)
{
	int64_t sum = 0;

	for (const struct occupant *occupant = l->occupants; occupant; occupant = occupant->next)
		if (admission(l, part, occupant) != NOWHERE)
			sum += amount_of(l, occupant);
	return sum <= reserved(l, part);
}

/* Whether the job is in another reservation that lies beside it. */
static bool is_elsewhere(const struct look *l, const struct occupant *occupant)
{
	for (uint32_t part = 0; l->beside && part < l->set->count; part++)
		if (is_other(l, part) && !is_foreign(l, part) &&
		    admission(l, part, occupant) != NOWHERE && l->holds[part])
			return true;
	return false;
}

/* What lies beside it, for jobs that are in no reservation. */
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
	const struct maui_plan_occupied **list = &l->p->owners.occupying[active];
	struct maui_plan_occupied *occupied;

	if (*list && (*list)->instance == l->instance)
		return;
	occupied = maui_arena_alloc(&l->p->arena, sizeof(*occupied));
	if (!occupied) {
		l->p->failed = true;
		return;
	}
	*occupied = (struct maui_plan_occupied){ l->instance, *list };
	*list = occupied;
}

/* Which job has the room first. */
static int compare_rows(const void *a, const void *b)
{
	const struct row *one = a, *two = b;

	if (one->admitted != two->admitted)
		return one->admitted ? 1 : -1;
	if (one->goes != two->goes)
		return one->goes ? 1 : -1;
	return maui_plan_compare_victims(&two->victim, &one->victim);
}

static struct row row_of(const struct look *l, const struct occupant *occupant, bool admitted)
{
	const struct maui_active *active = &l->p->snapshot->active[occupant->active];

	return (struct row){
		.victim = { occupant->active, maui_plan_run_priority(l->p, active), active->start_s,
			    active->id },
		.admitted = admitted,
		.goes = maui_plan_may_go(l->p, active) &&
			!maui_plan_owns_instance(l->p, l->instance, active->creds),
		.amount = amount_of(l, occupant),
	};
}

/* Lists the jobs that are not inside; `ret_room` is for them. */
static uint32_t list_rows(struct look *l, struct row *rows, int64_t *ret_room)
{
	int64_t room = room_beside(l), inside = 0;
	uint32_t count = 0;

	for (const struct occupant *occupant = l->occupants; occupant; occupant = occupant->next) {
		int how = admission(l, l->part, occupant);

		if (amount_of(l, occupant) <= 0)
			continue;
		if (how >= MAUI_AFFINITY_NEUTRAL) {
			inside += amount_of(l, occupant);
			if (kept(l, l->part) < reserved(l, l->part))
				note(l, occupant->active);
		} else if (!is_elsewhere(l, occupant)) {
			rows[count++] = row_of(l, occupant, how != NOWHERE);
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
			const struct occupant *occupants, uint32_t occupant_count)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_step *step = maui_line_step(t, &t->lines[node], 0);
	struct look l = { .p = p,
			  .occupants = occupants,
			  .set = step->claims ? &t->claim_sets[step->claims - 1] : NULL,
			  .instance = instance };
	int64_t part = find_part(p, l.set, p->out->instances[instance].rsv);
	struct row *rows;

	if (part < 0)
		return 0;
	l.part = (uint32_t)part;
	if (!l.set->parts[part].amounts) {
		for (const struct occupant *occupant = occupants; occupant;
		     occupant = occupant->next)
			note(&l, occupant->active);
		return 0;
	}
	rows = maui_arena_alloc(&p->arena, occupant_count * sizeof(*rows));
	l.holds = maui_arena_alloc(&p->arena, l.set->count * sizeof(*l.holds));
	if (!rows || !l.holds)
		return -1;
	for (l.d = 0; l.d < t->amount_count; l.d++)
		if (reserved(&l, l.part) > 0)
			look_at_amount(&l, rows);
	return 0;
}

/* The jobs on a node. */
struct occupied_node {
	const struct occupant *first;
	uint32_t count;
	bool owned;
};

static int list_occupants(struct maui_planner *p, struct occupied_node *on_node)
{
	for (uint32_t i = 0; i < p->owners.instance_count; i++) {
		const struct maui_rsv_instance *instance =
			&p->out->instances[p->owners.instances[i]];

		for (uint32_t k = 0; k < instance->place_count; k++)
			on_node[instance->places[k].node].owned = true;
	}
	for (uint32_t a = 0; a < p->snapshot->active_count; a++) {
		const struct maui_active *active = &p->snapshot->active[a];

		for (uint32_t i = 0; i < active->piece_count; i++) {
			struct occupied_node *node = &on_node[active->pieces[i].node];
			struct occupant *occupant;

			if (!node->owned)
				continue;
			occupant = maui_arena_alloc(&p->arena, sizeof(*occupant));
			if (!occupant)
				return -1;
			*occupant = (struct occupant){ node->first, a, &active->pieces[i] };
			node->first = occupant;
			node->count++;
		}
	}
	return 0;
}

int maui_plan_find_occupying(struct maui_planner *p)
{
	struct occupied_node *on_node =
		maui_arena_alloc(&p->arena, (p->snapshot->node_count + 1u) * sizeof(*on_node));

	p->owners.occupying = maui_arena_alloc(&p->arena, (p->snapshot->active_count + 1u) *
								  sizeof(*p->owners.occupying));
	if (!on_node || !p->owners.occupying || list_occupants(p, on_node))
		return -1;
	for (uint32_t i = 0; i < p->owners.instance_count; i++) {
		const struct maui_rsv_instance *instance =
			&p->out->instances[p->owners.instances[i]];

		for (uint32_t k = 0; k < instance->place_count; k++) {
			const struct occupied_node *node = &on_node[instance->places[k].node];

			if (node->count > 0 &&
			    look_at_node(p, p->owners.instances[i], instance->places[k].node,
					 node->first, node->count))
				return -1;
		}
	}
	return p->failed ? -1 : 0;
}
