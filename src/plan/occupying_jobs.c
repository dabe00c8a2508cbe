/* SPDX-License-Identifier: GPL-2.0-or-later */
/* occupying_jobs.c - which active jobs occupy what an owner has reserved (RSV-14)
 *
 * Where the reservation has a whole node, every job on the node occupies it. Where it has a part of
 * a node, processors and memory are counted as claims.h charges them:
 *
 *   a job that the reservation admits, other than as a last resort, occupies the reservation when
 *   anything of it is in use;
 *   any other job occupies it when the rest of the node is too small. The rest is what neither this
 *   reservation nor reservations side by side with it keep. It goes first to jobs that the
 *   reservation does not admit, of these to jobs that cannot be preempted, then to the highest
 *   priorities. The jobs for which nothing is left occupy the reservation.
 *
 * A job in another reservation that lies side by side with this one, and is large enough for all
 * jobs that it admits, does not occupy this one.
 */

#include <stdlib.h>

#include "plan/access.h"
#include "plan/preempt.h"
#include "plan/private.h"

/* An active job on a node. */
struct occupant {
	const struct occupant *next;
	uint32_t active;
	const struct maui_piece *piece;
};

/* The reservation's part of a node, and the amount (d) that is being counted. */
struct part_use {
	struct maui_planner *p;
	const struct occupant *occupants;
	const struct maui_claim_set *set;
	uint32_t part, instance;
	unsigned d;
	bool side_by_side; /* the node is large enough for all reservations on it together */
	/* of each other reservation's part: it is large enough for all jobs that it admits */
	bool *large_enough;
};

/* A job that uses the rest of the node. */
struct rest_user {
	struct maui_plan_victim victim;
	bool admitted, preemptible; /* the reservation admits the job; the job can be preempted */
	int64_t amount;
};

/* The affinity (enum maui_affinity) with which our claim admits the occupant; NOT_ADMITTED: it does
 * not. */
enum { NOT_ADMITTED = -2 };

static int admission(const struct part_use *l, uint32_t part, const struct occupant *occupant)
{
	const struct maui_active *active = &l->p->snapshot->active[occupant->active];
	const struct maui_access_table *table = maui_plan_access_active(l->p, occupant->active);
	const struct maui_claim *claim = l->p->timeline.claims[l->set->parts[part].claim];
	const struct maui_access *entry = maui_access_find(table, claim->rsv);
	const struct maui_span span = maui_plan_admitted_span(l->p, active);

	return entry && maui_claim_admits(claim, entry, span) ?
		       maui_claim_affinity(claim, table, entry, span) :
		       NOT_ADMITTED;
}

static bool is_foreign(const struct part_use *l, uint32_t part)
{
	return l->p->timeline.claims[l->set->parts[part].claim]->rsv == MAUI_CLAIM_FOREIGN;
}

/* Whether the part is another reservation's and keeps some of the amount now. */
static bool is_other(const struct part_use *l, uint32_t part)
{
	const struct maui_claim_part *other = &l->set->parts[part];

	return part != l->part && !other->ahead && other->amounts;
}

static int64_t reserved(const struct part_use *l, uint32_t part)
{
	return l->set->parts[part].amounts[l->d];
}

static int64_t kept(const struct part_use *l, uint32_t part)
{
	return l->set->kept[part * l->p->timeline.amount_count + l->d];
}

/* What the occupant holds, without processors of Slurm's reservations. */
static int64_t amount_of(const struct part_use *l, const struct occupant *occupant)
{
	int64_t amount = occupant->piece->amounts[l->d];

	for (uint32_t i = 0; l->d == MAUI_AMOUNT_PROCS && i < occupant->piece->share_count; i++)
		for (uint32_t part = 0; part < l->set->count; part++)
			if (is_other(l, part) &&
			    l->set->parts[part].claim == occupant->piece->shares[i].claim)
				amount -= occupant->piece->shares[i].procs;
	return amount;
}

static bool is_large_enough(const struct part_use *l, uint32_t part)
{
	int64_t sum = 0;

	for (const struct occupant *occupant = l->occupants; occupant; occupant = occupant->next)
		if (admission(l, part, occupant) != NOT_ADMITTED)
			sum += amount_of(l, occupant);
	return sum <= reserved(l, part);
}

/* Whether the job is in another reservation that lies side by side with this one. */
static bool is_inside_other(const struct part_use *l, const struct occupant *occupant)
{
	for (uint32_t part = 0; l->side_by_side && part < l->set->count; part++)
		if (is_other(l, part) && !is_foreign(l, part) &&
		    admission(l, part, occupant) != NOT_ADMITTED && l->large_enough[part])
			return true;
	return false;
}

/* The rest of the node, for jobs that are in no reservation. */
static int64_t rest_of_node(struct part_use *l)
{
	int64_t rest = l->set->have[l->d] - reserved(l, l->part), others = 0;

	for (uint32_t part = 0; part < l->set->count; part++)
		others += is_other(l, part) ? reserved(l, part) : 0;
	l->side_by_side = others <= rest;
	for (uint32_t part = 0; l->side_by_side && part < l->set->count; part++) {
		if (!is_other(l, part))
			continue;
		l->large_enough[part] = is_foreign(l, part) || is_large_enough(l, part);
		rest -= l->large_enough[part] ? reserved(l, part) : kept(l, part);
	}
	return rest;
}

static void note_occupying(const struct part_use *l, uint32_t active)
{
	const struct maui_plan_occupied **list = &l->p->owners.occupying[active];
	struct maui_plan_occupied *occupied;

	if (*list && (*list)->instance == l->instance)
		return;
	occupied = maui_arena_alloc(&l->p->arena, sizeof(*occupied));
	if (!occupied)
		return;
	*occupied = (struct maui_plan_occupied){ l->instance, *list };
	*list = occupied;
}

/* For qsort(): the jobs in the order in which they get the rest of the node. */
static int compare_rest_users(const void *a, const void *b)
{
	const struct rest_user *one = a, *two = b;

	if (one->admitted != two->admitted)
		return one->admitted ? 1 : -1;
	if (one->preemptible != two->preemptible)
		return one->preemptible ? 1 : -1;
	return maui_plan_compare_victims(&two->victim, &one->victim);
}

static struct rest_user rest_user_of(const struct part_use *l, const struct occupant *occupant,
				     bool admitted)
{
	const struct maui_active *active = &l->p->snapshot->active[occupant->active];

	return (struct rest_user){
		.victim = { occupant->active, maui_plan_run_priority(l->p, active), active->start_s,
			    active->id },
		.admitted = admitted,
		.preemptible = maui_plan_can_be_preempted(l->p, active) &&
			       !maui_plan_owns_instance(l->p, l->instance, active->creds),
		.amount = amount_of(l, occupant),
	};
}

/* Lists the jobs that are not inside the reservation; *ret_rest is the rest of the node for
 * them. */
static uint32_t list_rest_users(struct part_use *l, struct rest_user *users, int64_t *ret_rest)
{
	int64_t rest = rest_of_node(l), inside = 0;
	uint32_t count = 0;

	for (const struct occupant *occupant = l->occupants; occupant; occupant = occupant->next) {
		int how = admission(l, l->part, occupant);

		if (amount_of(l, occupant) <= 0)
			continue;
		if (how >= MAUI_AFFINITY_NEUTRAL) {
			inside += amount_of(l, occupant);
			if (kept(l, l->part) < reserved(l, l->part))
				note_occupying(l, occupant->active);
		} else if (!is_inside_other(l, occupant)) {
			users[count++] = rest_user_of(l, occupant, how != NOT_ADMITTED);
		}
	}
	*ret_rest = rest - (inside > reserved(l, l->part) ? inside - reserved(l, l->part) : 0);
	return count;
}

static void count_amount(struct part_use *l, struct rest_user *users)
{
	int64_t rest, sum = 0;
	uint32_t count = list_rest_users(l, users, &rest);

	if (count > 1)
		qsort(users, count, sizeof(*users), compare_rest_users);
	for (uint32_t i = 0; i < count; i++) {
		sum += users[i].amount;
		if (sum > rest)
			note_occupying(l, users[i].victim.active);
	}
}

/* The instance's part in the node's set of claims; -1: the instance keeps nothing of the node
 * now. */
static int64_t find_part(const struct maui_planner *p, const struct maui_claim_set *set,
			 uint32_t rsv)
{
	for (uint32_t i = 0; set && i < set->count; i++)
		if (p->timeline.claims[set->parts[i].claim]->rsv == rsv)
			return i;
	return -1;
}

static int count_node(struct maui_planner *p, uint32_t instance, uint32_t node,
		      const struct occupant *occupants, uint32_t occupant_count)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_step *step = maui_line_step(t, &t->lines[node], 0);
	struct part_use l = { .p = p,
			      .occupants = occupants,
			      .set = step->claims ? &t->claim_sets[step->claims - 1] : NULL,
			      .instance = instance };
	int64_t part = find_part(p, l.set, p->out->instances[instance].rsv);
	struct rest_user *users;

	if (part < 0)
		return 0;
	l.part = (uint32_t)part;
	if (!l.set->parts[part].amounts) {
		for (const struct occupant *occupant = occupants; occupant;
		     occupant = occupant->next)
			note_occupying(&l, occupant->active);
		return 0;
	}
	users = maui_arena_alloc(&p->arena, occupant_count * sizeof(*users));
	l.large_enough = maui_arena_alloc(&p->arena, l.set->count * sizeof(*l.large_enough));
	if (!users || !l.large_enough)
		return -1;
	for (l.d = 0; l.d < t->amount_count; l.d++)
		if (reserved(&l, l.part) > 0)
			count_amount(&l, users);
	return 0;
}

/* The active jobs on a node. */
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
	struct occupied_node *on_node;

	if (p->owners.instance_count == 0)
		return 0;
	on_node = maui_arena_alloc(&p->arena, (p->snapshot->node_count + 1u) * sizeof(*on_node));
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
			    count_node(p, p->owners.instances[i], instance->places[k].node,
				       node->first, node->count))
				return -1;
		}
	}
	return 0;
}
