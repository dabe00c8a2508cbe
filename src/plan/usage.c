/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.c - counts what jobs inside the reservations use at this moment
 *
 * Use is counted in processors. An instance is in use when jobs inside it hold any of the reserved
 * amounts: an instance that reserves only memory can be in use without using a processor.
 *
 * The count happens after the starts of the plan, on a timeline of this moment alone. That
 * timeline contains what active jobs hold, started ones included, and nothing that is planned.
 *
 * Where an instance reserves a part of a node, the use is what the timeline charges to its claim;
 * several claims side by side are charged once. A whole node is used by each job on it that the
 * access list, TIMELIMIT included, admits. Idle is what is reserved, free, and not used from
 * inside: a job that was there before the reservation began reduces it. Where reservations are
 * stacked, an idle processor counts for the first of them only, in the order of maui.cfg, then in
 * the order in which setres made them (our ruling). So all of them together are never charged more
 * than the node has.
 *
 * Rules: FS-3, RSV-36.
 */

#include <string.h>

#include "base/sort.h"
#include "plan/access.h"
#include "plan/private.h"
#include "reservation/placement/placement.h"

/* The instance of a reservation that has begun, and the first of its places that is not before the
 * current node. Places ascend, and nodes are counted in ascending order. */
struct current {
	struct maui_rsv_instance *instance; /* NULL: no instance has begun */
	uint32_t place;
};

/* What an instance reserves of the current node. */
struct stake {
	struct maui_rsv_instance *instance;
	const struct maui_claim *claim;
	/* what the claim reserves and still keeps, as the timeline counts it; NULL: the instance
	 * has the whole node, and jobs are counted instead */
	const int64_t *amounts, *kept;
	int64_t reserved, used;
};

/* What an active job holds of a node; chained. */
struct held {
	const struct held *next;
	uint32_t active;
	const int64_t *amounts;
	bool suspended; /* it uses nothing */
};

/* The working memory of a count. */
struct tally {
	struct maui_timeline now; /* active jobs, and claims that have begun */
	/* of each active job; NULL: no reservation admits it */
	const struct maui_access_table **tables;
	const struct held **held; /* of each node */
	struct current *current;  /* of each reservation */
	struct stake *stakes;     /* those of the current node */
};

/* The stake that belongs to a claim's part of the node now; false: the claim is of no instance. */
static bool find_stake(const struct maui_planner *p, const struct tally *tally, uint32_t node,
		       const struct maui_claim_set *set, uint32_t part, struct stake *ret)
{
	const struct maui_timeline *t = &tally->now;
	const struct maui_claim *claim = t->claims[set->parts[part].claim];
	const int64_t *amounts = set->parts[part].amounts;
	struct current *c;

	if (claim->rsv == MAUI_CLAIM_FOREIGN)
		return false;
	c = &tally->current[claim->rsv];
	while (c->instance && c->place < c->instance->place_count &&
	       c->instance->places[c->place].node < node)
		c->place++;
	if (!c->instance || c->place == c->instance->place_count ||
	    c->instance->places[c->place].node != node)
		return false;
	*ret = (struct stake){ .instance = c->instance,
			       .claim = claim,
			       .amounts = amounts,
			       .reserved = maui_standing_procs(p->snapshot,
							       maui_plan_rsv(p, claim->rsv),
							       &c->instance->places[c->place]) };
	if (amounts) {
		ret->kept = &set->kept[part * t->amount_count];
		ret->used = amounts[MAUI_AMOUNT_PROCS] - ret->kept[MAUI_AMOUNT_PROCS];
	}
	return true;
}

/* Notes the job as a user of a SINGLEUSE instance, once for each node; sort_users() removes the
 * duplicates. -1 without memory. */
static int note_user(struct maui_planner *p, struct maui_rsv_instance *instance, uint64_t id)
{
	uint32_t count = instance->user_count;
	uint64_t *grown;

	if (!maui_rsv_has(maui_plan_rsv(p, instance->rsv), MAUI_RSV_SINGLEUSE) ||
	    (count > 0 && instance->users[count - 1] == id))
		return 0;
	if ((count & (count - 1)) == 0) { /* the list is as long as the next power of two */
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

/* Whether an admitted job holds any of the amounts that the timeline says are used. */
static bool has_of(const struct tally *tally, const struct stake *stake, const struct held *held)
{
	if (!stake->amounts)
		return true;
	for (unsigned d = 0; d < tally->now.amount_count; d++)
		if (held->amounts[d] > 0 && stake->kept[d] < stake->amounts[d])
			return true;
	return false;
}

/* Counts one job. Stakes and access tables both ascend by reservation. */
static int count_job(struct maui_planner *p, const struct tally *tally, const struct held *held,
		     uint32_t count)
{
	const struct maui_active *active = &p->snapshot->active[held->active];
	const struct maui_access_table *table = tally->tables[held->active];
	const struct maui_span span = maui_plan_admitted_span(p, active);
	uint32_t at = 0;

	for (struct stake *stake = tally->stakes; stake < tally->stakes + count; stake++) {
		while (at < table->count && table->list[at].rsv < stake->instance->rsv)
			at++;
		if (at == table->count)
			return 0;
		if (table->list[at].rsv != stake->instance->rsv ||
		    !maui_claim_admits(stake->claim, &table->list[at], span))
			continue;
		if (!held->suspended) {
			stake->used += stake->amounts ? 0 : held->amounts[MAUI_AMOUNT_PROCS];
			stake->instance->in_use |= has_of(tally, stake, held);
		}
		if ((held->suspended || has_of(tally, stake, held)) &&
		    note_user(p, stake->instance, active->id))
			return -1;
	}
	return 0;
}

static void sum_up(const struct stake *stakes, uint32_t count, int64_t left)
{
	for (const struct stake *stake = stakes; stake < stakes + count; stake++) {
		int64_t used = stake->used < stake->reserved ? stake->used : stake->reserved;
		int64_t idle = stake->reserved - used;

		if (idle > left)
			idle = left > 0 ? left : 0;
		left -= idle;
		stake->instance->reserved_procs += stake->reserved;
		stake->instance->used_procs += used;
		stake->instance->idle_procs += idle;
	}
}

static int count_node(struct maui_planner *p, const struct tally *tally, uint32_t node)
{
	const struct maui_timeline *t = &tally->now;
	const struct maui_step *now = maui_line_step(t, &t->lines[node], 0);
	const struct maui_claim_set *set = now->claims ? &t->claim_sets[now->claims - 1] : NULL;
	uint32_t count = 0;

	for (uint32_t i = 0; set && i < set->count; i++)
		count += find_stake(p, tally, node, set, i, &tally->stakes[count]);
	for (const struct held *held = tally->held[node]; count > 0 && held; held = held->next)
		if (count_job(p, tally, held, count))
			return -1;
	sum_up(tally->stakes, count, now->free[MAUI_AMOUNT_PROCS]);
	return 0;
}

/* Lists what the jobs that any reservation admits hold of each node. -1 without memory. */
static int list_held(struct maui_planner *p, struct tally *tally)
{
	const struct maui_snapshot *s = p->snapshot;

	tally->held = maui_arena_alloc(&p->arena, (s->node_count + 1u) * sizeof(*tally->held));
	if (!tally->held)
		return -1;
	for (uint32_t a = 0; a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];

		for (uint32_t i = 0; tally->tables[a] && i < active->piece_count; i++) {
			const struct maui_piece *piece = &active->pieces[i];
			struct held *held = maui_arena_alloc(&p->arena, sizeof(*held));

			if (!held)
				return -1;
			*held = (struct held){ tally->held[piece->node], a, piece->amounts,
					       active->suspended };
			tally->held[piece->node] = held;
		}
	}
	return 0;
}

/* Sorts the users and keeps each once. An instance that is not in use has none. */
static void sort_users(struct maui_rsv_instance *instance)
{
	size_t count = instance->in_use ? instance->user_count : 0;

	instance->user_count = (uint32_t)maui_sort_unique_u64(instance->users, count);
}

static bool has_begun(const struct maui_planner *p, int64_t start_s, int64_t end_s)
{
	return start_s <= p->now && p->now < end_s;
}

/* Puts the claims that have begun on the timeline. -1 without memory. */
static int add_begun_claims(struct maui_planner *p, struct maui_timeline *t)
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

/* Builds the timeline of this moment, and finds the table of each active job. -1 without memory. */
static int build_now(struct maui_planner *p, struct tally *tally)
{
	uint32_t count = p->snapshot->active_count;

	tally->tables = maui_arena_alloc(&p->arena, (count + 1u) * sizeof(*tally->tables));
	if (!tally->tables || maui_timeline_build(&tally->now, p->snapshot, p->now, false) ||
	    add_begun_claims(p, &tally->now))
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		tally->tables[i] = maui_plan_access_started(p, i);
		if (maui_plan_admit_active(p, &tally->now, i, tally->tables[i]))
			return -1;
	}
	return 0;
}

static int count(struct maui_planner *p, struct tally *tally)
{
	struct maui_decisions *d = p->out;

	if (build_now(p, tally) || list_held(p, tally))
		return -1;
	tally->current = maui_arena_alloc(&p->arena,
					  (maui_plan_rsv_count(p) + 1u) * sizeof(*tally->current));
	/* at most one claim of a step belongs to a reservation, since its instances do not
	 * overlap */
	tally->stakes =
		maui_arena_alloc(&p->arena, (tally->now.claim_count + 1) * sizeof(*tally->stakes));
	if (!tally->current || !tally->stakes)
		return -1;
	for (uint32_t i = 0; i < d->instance_count; i++)
		if (has_begun(p, d->instances[i].start_s, d->instances[i].end_s))
			tally->current[d->instances[i].rsv].instance = &d->instances[i];
	for (uint32_t n = 0; n < p->snapshot->node_count; n++)
		if (count_node(p, tally, n))
			return -1;
	for (uint32_t i = 0; i < d->instance_count; i++)
		sort_users(&d->instances[i]);
	return 0;
}

int maui_plan_usage(struct maui_planner *p)
{
	struct maui_decisions *d = p->out;
	struct tally tally = { 0 };
	bool any = false;
	int rc;

	for (uint32_t i = 0; i < d->instance_count; i++) {
		struct maui_rsv_instance *instance = &d->instances[i];

		instance->reserved_procs = instance->used_procs = instance->idle_procs = 0;
		instance->in_use = false;
		instance->user_count = 0;
		any |= has_begun(p, instance->start_s, instance->end_s);
	}
	if (!any)
		return 0;
	rc = count(p, &tally);
	maui_timeline_finish(&tally.now);
	return rc;
}
