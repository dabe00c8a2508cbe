/* SPDX-License-Identifier: GPL-2.0-or-later */
/* visit.c - whom the claims of a step let in, and to how much
 *
 * Jobs come one after the other and ask about many nodes each, so each set remembers its answer to
 * the access table that asked last. Only a TIMELIMIT has to be looked at again for each span.
 */

#include <string.h>

#include "model/acl.h"
#include "timeline/claims.h"
#include "timeline/timeline.h"

/* Whether all of Slurm's claims of the set are among those open to the request; both ascend. */
static bool foreign_open(const struct maui_timeline *t, const struct maui_claim_set *set,
			 const struct maui_request *r)
{
	uint32_t open = 0;

	for (uint32_t i = 0; set->foreign > 0 && i < set->count; i++) {
		uint32_t claim = set->parts[i].claim;

		if (t->claims[claim]->group != MAUI_CLAIM_FOREIGN)
			continue;
		while (open < r->claim_count && r->claims[open] < claim)
			open++;
		if (open == r->claim_count || r->claims[open] != claim)
			return false;
	}
	return true;
}

static void add(const struct maui_timeline *t, const struct maui_claim_set *set, uint32_t part,
		int64_t *sums)
{
	for (unsigned d = 0; d < t->amount_count; d++)
		sums[d] += set->kept[part * t->amount_count + d];
}

/* What a claim that is the visitor's home still has, in the dimensions it speaks of. */
static void add_within(const struct maui_timeline *t, const struct maui_claim_set *set,
		       uint32_t part, int64_t *sums)
{
	for (unsigned d = 0; d < t->amount_count; d++) {
		if (set->parts[part].amounts[d] <= 0)
			continue;
		if (sums[d] == MAUI_NEVER)
			sums[d] = 0;
		sums[d] += set->kept[part * t->amount_count + d];
	}
}

static void begin_answer(const struct maui_timeline *t, const struct maui_claim_set *set,
			 struct maui_claim_answer *a)
{
	a->known = true;
	a->inside = a->inside_whole = false;
	a->verdict = MAUI_CLAIMS_OPEN;
	if (set->partial)
		memset(a->closed, 0, t->amount_count * sizeof(*a->closed));
	for (unsigned d = 0; set->partial && d < t->amount_count; d++)
		a->within[d] = MAUI_NEVER;
}

/* Goes through the claims of ours. Which of them let a TIMELIMIT's span in is noted as TIMED. */
static void work_out(const struct maui_timeline *t, const struct maui_claim_set *set,
		     const struct maui_access_table *access, struct maui_span span,
		     struct maui_claim_answer *a)
{
	begin_answer(t, set, a);
	a->table = access;
	for (uint32_t i = 0; i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_access_find(access, claim->group);

		if (claim->group == MAUI_CLAIM_FOREIGN)
			continue;
		if (entry && entry->overlap_s != MAUI_NEVER && a->verdict == MAUI_CLAIMS_OPEN)
			a->verdict = MAUI_CLAIMS_TIMED;
		if (entry && maui_claim_lets_in(claim, entry, span)) {
			a->inside |= entry->home;
			if (!set->parts[i].amounts)
				a->inside_whole |= entry->home;
			else if (entry->home)
				add_within(t, set, i, a->within);
		} else if (set->parts[i].amounts) {
			add(t, set, i, a->closed);
		} else {
			a->verdict = MAUI_CLAIMS_CLOSED;
			return;
		}
	}
}

static const struct maui_claim_answer *ask(const struct maui_timeline *t,
					   struct maui_claim_set *set,
					   const struct maui_access_table *access)
{
	struct maui_claim_answer *a = &set->answer;

	if (!a->known || a->table != access)
		work_out(t, set, access, MAUI_SPAN_NONE, a);
	return a;
}

/* The amounts, once it is clear which claims let the visitor in. */
static const int64_t *amounts_for(const struct maui_timeline *t, const struct maui_claim_set *set,
				  const struct maui_step *step,
				  const struct maui_access_table *access,
				  const struct maui_claim_answer *a, int64_t *store)
{
	bool only = access && access->only;

	if (a->verdict == MAUI_CLAIMS_CLOSED || (only && !a->inside))
		return NULL;
	if (!set->partial)
		return step->free;
	for (unsigned d = 0; d < t->amount_count; d++) {
		store[d] = step->free[d] - a->closed[d];
		if (only && !a->inside_whole && store[d] > a->within[d])
			store[d] = a->within[d];
	}
	return store;
}

static const int64_t *give_timed(const struct maui_timeline *t, const struct maui_claim_set *set,
				 const struct maui_step *step,
				 const struct maui_access_table *access, struct maui_span span,
				 int64_t *store)
{
	int64_t sums[2][t->amount_count];
	struct maui_claim_answer a = { .closed = sums[0], .within = sums[1] };

	work_out(t, set, access, span, &a);
	return amounts_for(t, set, step, access, &a, store);
}

const int64_t *maui_claims_give(const struct maui_timeline *t, const struct maui_step *step,
				const struct maui_visitor *who, struct maui_span span,
				int64_t *store)
{
	static const struct maui_request nothing;
	const struct maui_request *r = who && who->request ? who->request : &nothing;
	const struct maui_access_table *access = who ? who->access : NULL;
	struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
	const struct maui_claim_answer *a;

	if ((r->only_claims && (!set || set->foreign == 0)) || (!set && access && access->only))
		return NULL;
	if (!set)
		return step->free;
	if (!foreign_open(t, set, r))
		return NULL;
	a = ask(t, set, access);
	return a->verdict == MAUI_CLAIMS_TIMED && span.from != MAUI_NEVER ?
		       give_timed(t, set, step, access, span, store) :
		       amounts_for(t, set, step, access, a, store);
}

bool maui_claims_timed(const struct maui_timeline *t, const struct maui_step *step,
		       const struct maui_access_table *access)
{
	return step->claims > 0 && access &&
	       ask(t, &t->claim_sets[step->claims - 1], access)->verdict == MAUI_CLAIMS_TIMED;
}

int64_t maui_claims_opens(const struct maui_timeline *t, const struct maui_step *step,
			  const struct maui_access_table *access, struct maui_span span)
{
	const struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
	int64_t when = MAUI_NEVER;

	for (uint32_t i = 0; set && i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_access_find(access, claim->group);
		int64_t end_s = maui_claim_run(claim).until;

		if (entry && end_s != MAUI_NEVER && !maui_claim_lets_in(claim, entry, span) &&
		    end_s - entry->overlap_s < when)
			when = end_s - entry->overlap_s;
	}
	return when;
}

int64_t maui_claims_closes(const struct maui_timeline *t, const struct maui_step *step,
			   const struct maui_access_table *access, int64_t from, int64_t after)
{
	const struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
	int64_t when = MAUI_NEVER;

	for (uint32_t i = 0; set && i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_access_find(access, claim->group);
		const struct maui_span run = maui_claim_run(claim);
		int64_t begin = run.from > from ? run.from : from, closes;

		if (!entry || entry->overlap_s == MAUI_NEVER ||
		    run.until - begin <= entry->overlap_s)
			continue;
		closes = maui_when_add(begin, entry->overlap_s);
		if (closes > after && closes < when)
			when = closes;
	}
	return when;
}

int maui_claims_affinity(const struct maui_timeline *t, const struct maui_step *step,
			 const struct maui_access_table *access, struct maui_span span)
{
	const struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
	int positive = 0;

	for (uint32_t i = 0; access && set && i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_access_find(access, claim->group);

		if (!entry || !maui_claim_lets_in(claim, entry, span))
			continue;
		if (entry->affinity < MAUI_AFFINITY_NEUTRAL)
			return -1;
		positive += entry->affinity > MAUI_AFFINITY_NEUTRAL;
	}
	return positive;
}
