/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.c - what of reservations is in use at the moment, by jobs inside them
 *
 * Counted when the plan has been carried out, on a timeline of this moment alone: what active jobs
 * hold, started ones among them, and nothing of what is planned.
 *
 * What jobs take from a part of a node is what the timeline charges its claim: once, where several
 * lie side by side. A whole node is used by each job on it that its lists, TIMELIMIT included, let
 * in. Idle is what is reserved, not used from inside, and free: a job that was there before the
 * reservation began takes away from it, too. Where several lie upon each other a processor is idle
 * once: for the first of them in the list of reservations, that is, in the order of maui.cfg, then
 * in that in which setres made them (our ruling). So all together are never charged with more than
 * there is.
 */

#include "plan/access.h"
#include "plan/private.h"

/* What an instance has of one node. */
struct stake {
	struct stake *next; /* another instance's, of the same node, behind it in the list */
	struct maui_rsv_instance *instance;
	const struct maui_claim *claim; /* NULL: none is there */
	bool whole;                     /* jobs are counted; else the timeline did */
	int64_t reserved, used;
};

static int64_t reserved_on(const struct maui_planner *p, const struct maui_rsv_instance *instance,
			   const struct maui_rsv_place *place)
{
	const struct maui_rsv *rsv = maui_plan_rsv(p, instance->rsv);
	int64_t have = p->snapshot->nodes[place->node].have[MAUI_AMOUNT_PROCS], procs;

	if (rsv->task.procs < 0 || maui_rsv_has(rsv, MAUI_RSV_DEDICATEDNODE))
		return have;
	procs = place->tasks * rsv->task.procs;
	return procs < have ? procs : have;
}

/* The claim that the stake stands for; what it was charged, if it keeps a part of the node. */
static void find_claim(const struct maui_timeline *t, uint32_t node, struct stake *stake)
{
	const struct maui_step *step = maui_line_step(t, &t->lines[node], 0);
	const struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;

	for (uint32_t i = 0; set && i < set->count; i++) {
		const struct maui_claim_part *part = &set->parts[i];
		const struct maui_claim *claim = t->claims[part->claim];

		if (claim->group != stake->instance->rsv)
			continue;
		stake->claim = claim;
		stake->whole = !part->amounts;
		if (part->amounts)
			stake->used = part->amounts[MAUI_AMOUNT_PROCS] -
				      set->kept[i * t->amount_count + MAUI_AMOUNT_PROCS];
	}
}

/* To be called for the last instance first. */
static int list_stakes(struct maui_planner *p, const struct maui_timeline *t,
		       struct maui_rsv_instance *instance, struct stake **of_node)
{
	for (uint32_t i = 0; i < instance->place_count; i++) {
		const struct maui_rsv_place *place = &instance->places[i];
		struct stake *stake = maui_arena_alloc(&p->arena, sizeof(*stake));

		if (!stake)
			return -1;
		*stake = (struct stake){ .next = of_node[place->node],
					 .instance = instance,
					 .reserved = reserved_on(p, instance, place) };
		find_claim(t, place->node, stake);
		of_node[place->node] = stake;
		instance->reserved_procs += stake->reserved;
	}
	return 0;
}

static bool is_inside(const struct stake *stake, const struct maui_access_table *table,
		      struct maui_span span)
{
	const struct maui_access *entry = maui_access_find(table, stake->instance->rsv);

	return stake->claim && entry && maui_claim_lets_in(stake->claim, entry, span);
}

/* Once, on however many nodes it is. -1 without memory. */
static int note_user(struct maui_planner *p, struct maui_rsv_instance *instance, uint64_t id)
{
	uint32_t count = instance->user_count;
	uint64_t *grown;

	if (!maui_rsv_has(maui_plan_rsv(p, instance->rsv), MAUI_RSV_SINGLEUSE) ||
	    (count > 0 && instance->users[count - 1] == id))
		return 0;
	if ((count & (count - 1)) == 0) { /* there is room for as many as the next power of two */
		grown = maui_arena_alloc(&p->out->arena, (2u * count + 1u) * sizeof(*grown));
		if (!grown)
			return -1;
		if (count > 0)
			memcpy(grown, instance->users, count * sizeof(*grown));
		instance->users = grown;
	}
	instance->users[instance->user_count++] = id;
	return 0;
}

static int count_active(struct maui_planner *p, uint32_t index,
			const struct maui_access_table *table, struct stake *const *of_node)
{
	const struct maui_active *active = &p->snapshot->active[index];
	const struct maui_span span = maui_plan_admitted_span(p, active);

	for (uint32_t i = 0; table && i < active->piece_count; i++) {
		int64_t procs = active->suspended ? 0 :
						    active->pieces[i].amounts[MAUI_AMOUNT_PROCS];

		for (struct stake *stake = of_node[active->pieces[i].node]; stake;
		     stake = stake->next) {
			if (!is_inside(stake, table, span))
				continue;
			stake->used += stake->whole ? procs : 0;
			if (note_user(p, stake->instance, active->id))
				return -1;
		}
	}
	return 0;
}

static void sum_up(const struct maui_timeline *t, uint32_t node, struct stake *stake)
{
	int64_t left = maui_line_step(t, &t->lines[node], 0)->free[MAUI_AMOUNT_PROCS];

	for (; stake; stake = stake->next) {
		int64_t used = stake->used < stake->reserved ? stake->used : stake->reserved;
		int64_t idle = stake->reserved - used;

		if (idle > left)
			idle = left > 0 ? left : 0;
		left -= idle;
		stake->instance->used_procs += used;
		stake->instance->idle_procs += idle;
	}
}

static bool has_begun(const struct maui_planner *p, int64_t start_s, int64_t end_s)
{
	return start_s <= p->now && p->now < end_s;
}

/* Reservations that have begun, over what is there. -1 without memory. */
static int lay_claims(struct maui_planner *p, struct maui_timeline *t)
{
	size_t first = p->snapshot->claim_count, all = p->timeline.claim_count;
	struct maui_claim *claims = maui_arena_alloc(&p->arena, (all + 1) * sizeof(*claims));
	uint32_t count = 0;

	if (!claims)
		return -1;
	for (size_t c = first; c < all; c++)
		if (has_begun(p, p->timeline.claims[c]->start_s, p->timeline.claims[c]->end_s))
			claims[count++] = *p->timeline.claims[c];
	return maui_timeline_add_claims(t, claims, count);
}

/* What this moment is, and the table of each active job. -1 without memory. */
static int lay_out(struct maui_planner *p, struct maui_timeline *t,
		   const struct maui_access_table **tables)
{
	if (maui_timeline_build(t, p->snapshot, p->now, false) || lay_claims(p, t))
		return -1;
	for (uint32_t i = 0; i < p->snapshot->active_count; i++) {
		tables[i] = maui_plan_access_started(p, i);
		if (maui_plan_admit_active(p, t, i, tables[i]))
			return -1;
	}
	return 0;
}

static int count(struct maui_planner *p, struct maui_timeline *t)
{
	const struct maui_snapshot *s = p->snapshot;
	struct maui_decisions *d = p->out;
	struct stake **of_node = maui_arena_alloc(&p->arena,
						  (s->node_count + 1u) * sizeof(*of_node));
	const struct maui_access_table **tables =
		maui_arena_alloc(&p->arena, (s->active_count + 1u) * sizeof(*tables));

	if (!of_node || !tables || lay_out(p, t, tables))
		return -1;
	for (uint32_t i = d->instance_count; i-- > 0;)
		if (has_begun(p, d->instances[i].start_s, d->instances[i].end_s) &&
		    list_stakes(p, t, &d->instances[i], of_node))
			return -1;
	for (uint32_t i = 0; i < s->active_count; i++)
		if (count_active(p, i, tables[i], of_node))
			return -1;
	for (uint32_t n = 0; n < s->node_count; n++)
		sum_up(t, n, of_node[n]);
	for (uint32_t i = 0; i < d->instance_count; i++)
		if (d->instances[i].used_procs == 0)
			d->instances[i].user_count = 0;
	return 0;
}

int maui_plan_usage(struct maui_planner *p)
{
	struct maui_decisions *d = p->out;
	struct maui_timeline now = { 0 };
	bool any = false;
	int rc;

	for (uint32_t i = 0; i < d->instance_count; i++) {
		struct maui_rsv_instance *instance = &d->instances[i];

		instance->reserved_procs = instance->used_procs = instance->idle_procs = 0;
		instance->user_count = 0;
		any |= has_begun(p, instance->start_s, instance->end_s);
	}
	if (!any)
		return 0;
	rc = count(p, &now);
	maui_timeline_finish(&now);
	return rc;
}
