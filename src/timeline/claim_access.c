/* SPDX-License-Identifier: GPL-2.0-or-later */
/* claim_access.c - which claims of a step admit a requester, and what the requester gets
 *
 * Jobs are planned one after the other, and each job asks about many nodes. So each set of claims
 * remembers what it means to the requester that asked last. Only what depends on a TIMELIMIT is
 * computed again for each span.
 */

#include <string.h>

#include "model/acl.h"
#include "timeline/claims.h"
#include "timeline/timeline.h"

static const struct maui_requester no_access;

bool maui_claim_is_listed(const struct maui_request *r, uint32_t claim)
{
	for (uint32_t i = 0; r && i < r->claim_count && r->claims[i] <= claim; i++)
		if (r->claims[i] == claim)
			return true;
	return false;
}

bool maui_claims_admit_request(const struct maui_timeline *t, const struct maui_claim_part *part,
			       const struct maui_request *r)
{
	return t->claims[part->claim]->rsv == MAUI_CLAIM_FOREIGN &&
	       ((part->amounts && r && r->passes_shares) || maui_claim_is_listed(r, part->claim));
}

/* Whether Slurm's claims of the whole node all admit the request. A request for Slurm's
 * reservations only (only_claims) also needs one of them here. */
static bool slurm_claims_open(const struct maui_timeline *t, const struct maui_claim_set *set,
			      const struct maui_request *r)
{
	bool inside = false;

	for (uint32_t i = 0; set->foreign > 0 && i < set->count; i++) {
		const struct maui_claim_part *part = &set->parts[i];
		bool listed;

		if (t->claims[part->claim]->rsv != MAUI_CLAIM_FOREIGN || part->ahead)
			continue;
		listed = maui_claim_is_listed(r, part->claim);
		if (!listed && !part->amounts)
			return false;
		inside |= listed;
	}
	return inside || !r->only_claims;
}

const struct maui_access *maui_claims_access(const struct maui_timeline *t,
					     const struct maui_claim_part *part,
					     const struct maui_requester *requester)
{
	/* the requester must end before the claim begins */
	static const struct maui_access ahead = { .rsv = MAUI_CLAIM_FOREIGN,
						  .affinity = MAUI_AFFINITY_NEUTRAL };
	const struct maui_claim *claim = t->claims[part->claim];

	if (!requester)
		requester = &no_access;
	if (claim->rsv != MAUI_CLAIM_FOREIGN)
		return maui_access_find(requester->access, claim->rsv);
	return part->ahead && !maui_claims_admit_request(t, part, requester->request) ? &ahead :
											NULL;
}

static void add_kept(const struct maui_timeline *t, const struct maui_claim_set *set, uint32_t part,
		     int64_t *sums)
{
	for (unsigned d = 0; d < t->amount_count; d++)
		sums[d] += set->kept[part * t->amount_count + d];
}

/* Of `within`: no claim of an own reservation yet. */
#define NO_CLAIM_YET INT64_MIN

static void add_to(int64_t *sum, int64_t kept)
{
	*sum = (*sum == NO_CLAIM_YET ? 0 : *sum) + kept;
}

/* Adds what a claim of an own reservation still keeps. A claim does not limit amounts that it does
 * not reserve, even if other claims keep some: in two reservations a job has no less than in one of
 * them. */
static void add_within(const struct maui_timeline *t, const struct maui_claim_set *set,
		       uint32_t part, int64_t *sums)
{
	for (unsigned d = 0; d < t->amount_count; d++)
		if (set->parts[part].amounts[d] <= 0)
			sums[d] = MAUI_NEVER;
		else if (sums[d] != MAUI_NEVER)
			add_to(&sums[d], set->kept[part * t->amount_count + d]);
}

/* The same for a Slurm claim: it limits only processors, and may have none on this node. Our claims
 * do not limit a requester that must use a Slurm claim. */
static void add_share(const struct maui_timeline *t, const struct maui_claim_set *set,
		      uint32_t part, int64_t *sums)
{
	for (unsigned d = 0; d < t->amount_count; d++)
		if (d == MAUI_AMOUNT_PROCS || set->parts[part].amounts[d] > 0)
			add_to(&sums[d], set->kept[part * t->amount_count + d]);
}

static void clear_cache(const struct maui_timeline *t, const struct maui_claim_set *set,
			struct maui_claim_cache *a)
{
	a->known = true;
	a->inside = a->inside_whole = a->share = false;
	a->verdict = MAUI_CLAIMS_OPEN;
	if (set->partial)
		memset(a->closed, 0, t->amount_count * sizeof(*a->closed));
	for (unsigned d = 0; set->partial && d < t->amount_count; d++)
		a->within[d] = NO_CLAIM_YET;
}

/* Whether a Slurm claim with amounts keeps them from the requester during the span. */
static bool keeps_from(const struct maui_timeline *t, const struct maui_claim_part *part,
		       const struct maui_requester *requester, struct maui_span span)
{
	const struct maui_access *entry = maui_claims_access(t, part, requester);

	return !maui_claims_admit_request(t, part, requester->request) &&
	       !(entry && maui_claim_admits(t->claims[part->claim], entry, span));
}

/* Adds the amounts of the part, less what earlier parts of the same stack have added. */
static void add_slurm_share(const struct maui_timeline *t, const struct maui_claim_set *set,
			    uint32_t part, const struct maui_requester *requester,
			    struct maui_span span, int64_t *sums)
{
	uint32_t stack = t->claims[set->parts[part].claim]->stack;

	for (unsigned d = 0; d < t->amount_count; d++) {
		int64_t kept = set->kept[part * t->amount_count + d], added = 0;

		for (uint32_t i = 0; stack > 0 && i < part; i++)
			if (set->parts[i].amounts &&
			    t->claims[set->parts[i].claim]->stack == stack &&
			    set->kept[i * t->amount_count + d] > added &&
			    keeps_from(t, &set->parts[i], requester, span))
				added = set->kept[i * t->amount_count + d];
		sums[d] += kept > added ? kept - added : 0;
	}
}

/* Subtracts the processors that other planned jobs may take from the part: jobs bound to a claim
 * of the same stack, or to another mixed claim. slurmctld says which processors active jobs
 * hold. */
static void subtract_others(const struct maui_timeline *t, const struct maui_claim_set *set,
			    uint32_t part, int64_t *within)
{
	const struct maui_claim *own = t->claims[set->parts[part].claim];

	for (uint32_t u = 0; u < set->use_count; u++)
		for (uint32_t i = 0; i < set->uses[u].admission_count; i++) {
			const struct maui_claim_admission *admission = &set->uses[u].admissions[i];
			const struct maui_claim *other =
				t->claims[set->parts[admission->part].claim];

			if (admission->affinity == MAUI_CLAIM_BOUND && admission->part != part &&
			    ((own->stack > 0 && own->stack == other->stack) ||
			     (own->mixed && other->mixed)))
				within[MAUI_AMOUNT_PROCS] -=
					set->uses[u].amounts[MAUI_AMOUNT_PROCS];
		}
}

/* A Slurm claim with amounts. slurm_claims_open() has decided about claims of the whole node. */
static void compute_slurm_part(const struct maui_timeline *t, const struct maui_claim_set *set,
			       uint32_t index, const struct maui_requester *requester,
			       struct maui_span span, struct maui_claim_cache *a)
{
	const struct maui_claim_part *part = &set->parts[index];

	if (!part->amounts)
		return;
	if (maui_claims_access(t, part, requester) && a->verdict == MAUI_CLAIMS_OPEN)
		a->verdict = MAUI_CLAIMS_TIMED;
	if (keeps_from(t, part, requester, span)) {
		add_slurm_share(t, set, index, requester, span, a->closed);
	} else if (!part->ahead && requester->request && requester->request->only_claims &&
		   maui_claim_is_listed(requester->request, part->claim)) {
		a->share = true;
		add_share(t, set, index, a->within);
		subtract_others(t, set, index, a->within);
	}
}

/* Computes what the set means to the requester. With MAUI_SPAN_NONE every TIMELIMIT is met, and
 * MAUI_CLAIMS_TIMED says that there are some. */
static void compute(const struct maui_timeline *t, const struct maui_claim_set *set,
		    const struct maui_requester *requester, struct maui_span span,
		    struct maui_claim_cache *a)
{
	bool only_shares = set->shares > 0 && requester->request && requester->request->only_claims;

	clear_cache(t, set, a);
	a->table = requester->access;
	a->request = requester->request;
	for (uint32_t i = 0; i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry;

		if (claim->rsv == MAUI_CLAIM_FOREIGN) {
			compute_slurm_part(t, set, i, requester, span, a);
			continue;
		}
		entry = maui_access_find(requester->access, claim->rsv);
		if (entry && entry->overlap_s != MAUI_NEVER && a->verdict == MAUI_CLAIMS_OPEN)
			a->verdict = MAUI_CLAIMS_TIMED;
		if (entry && maui_claim_admits(claim, entry, span)) {
			bool own = maui_claim_is_own(claim, entry);

			a->inside |= own;
			if (!set->parts[i].amounts)
				a->inside_whole |= own;
			else if (own && !only_shares)
				add_within(t, set, i, a->within);
		} else if (set->parts[i].amounts) {
			add_kept(t, set, i, a->closed);
		} else {
			a->verdict = MAUI_CLAIMS_CLOSED;
			return;
		}
	}
}

/* The requester without what makes no difference to the set: a request matters only where
 * Slurm's claims keep amounts, and only if the request may use such claims. */
static struct maui_requester relevant_requester(const struct maui_claim_set *set,
						const struct maui_requester *requester)
{
	const struct maui_request *r = requester && set->shares > 0 ? requester->request : NULL;

	return (struct maui_requester){ r && (r->claim_count > 0 || r->passes_shares) ? r : NULL,
					requester ? requester->access : NULL };
}

static const struct maui_claim_cache *cached(const struct maui_timeline *t,
					     struct maui_claim_set *set,
					     const struct maui_requester *requester)
{
	const struct maui_requester seen = relevant_requester(set, requester);
	struct maui_claim_cache *a = &set->cache;

	if (!a->known || a->table != seen.access || a->request != seen.request)
		compute(t, set, &seen, MAUI_SPAN_NONE, a);
	return a;
}

static const int64_t *capacity_from(const struct maui_timeline *t, const struct maui_claim_set *set,
				    const struct maui_step *step,
				    const struct maui_access_table *access,
				    const struct maui_claim_cache *a)
{
	int64_t *ret = t->vectors.capacity;
	bool only = access && access->only;

	if (a->verdict == MAUI_CLAIMS_CLOSED || (only && !a->inside))
		return NULL;
	if (!set->partial)
		return step->free;
	for (unsigned d = 0; d < t->amount_count; d++) {
		ret[d] = step->free[d] - a->closed[d];
		if (((only && !a->inside_whole) || a->share) && a->within[d] != NO_CLAIM_YET &&
		    ret[d] > a->within[d])
			ret[d] = a->within[d];
		/* claims may keep more than is free; a job that needs none of it fits */
		if (ret[d] < 0 && step->free[d] >= 0)
			ret[d] = 0;
	}
	return ret;
}

static const int64_t *timed_capacity(const struct maui_timeline *t,
				     const struct maui_claim_set *set, const struct maui_step *step,
				     const struct maui_requester *requester, struct maui_span span)
{
	const struct maui_requester seen = relevant_requester(set, requester);
	struct maui_claim_cache a = { .closed = t->vectors.one, .within = t->vectors.two };

	compute(t, set, &seen, span, &a);
	return capacity_from(t, set, step, seen.access, &a);
}

const int64_t *maui_claims_capacity(const struct maui_timeline *t, const struct maui_step *step,
				    const struct maui_requester *requester, struct maui_span span)
{
	static const struct maui_request nothing;
	const struct maui_request *r =
		requester && requester->request ? requester->request : &nothing;
	const struct maui_access_table *access = requester ? requester->access : NULL;
	struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
	const struct maui_claim_cache *a;

	if ((r->only_claims && (!set || set->foreign == 0)) || (!set && access && access->only))
		return NULL;
	if (!set)
		return step->free;
	if (!slurm_claims_open(t, set, r))
		return NULL;
	a = cached(t, set, requester);
	return a->verdict == MAUI_CLAIMS_TIMED && span.from != MAUI_NEVER ?
		       timed_capacity(t, set, step, requester, span) :
		       capacity_from(t, set, step, access, a);
}

bool maui_claims_are_timed(const struct maui_timeline *t, const struct maui_step *step,
			   const struct maui_requester *requester)
{
	struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;

	return set && (set->shares > 0 || (requester && requester->access)) &&
	       cached(t, set, requester)->verdict == MAUI_CLAIMS_TIMED;
}

int64_t maui_claims_open_at(const struct maui_timeline *t, const struct maui_step *step,
			    const struct maui_requester *requester, struct maui_span span)
{
	const struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
	int64_t when = MAUI_NEVER;

	for (uint32_t i = 0; set && i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_claims_access(t, &set->parts[i], requester);
		int64_t end_s = maui_claim_run(claim).until;

		if (entry && end_s != MAUI_NEVER && !maui_claim_admits(claim, entry, span) &&
		    end_s - entry->overlap_s < when)
			when = end_s - entry->overlap_s;
	}
	return when;
}

bool maui_claims_shut(const struct maui_timeline *t, const struct maui_step *step,
		      const struct maui_requester *requester, struct maui_span span)
{
	const struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;

	for (uint32_t i = 0; set && set->repeats && i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];

		if (span.until > claim->end_s && !set->parts[i].ahead &&
		    maui_claim_shuts(claim, maui_access_find(requester->access, claim->rsv),
				     maui_when_length(span.from, span.until)))
			return true;
	}
	return false;
}

int64_t maui_claims_close_at(const struct maui_timeline *t, const struct maui_step *step,
			     const struct maui_requester *requester, int64_t from, int64_t after)
{
	const struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
	int64_t when = MAUI_NEVER;

	for (uint32_t i = 0; set && i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_claims_access(t, &set->parts[i], requester);
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
		const struct maui_access *entry = maui_access_find(access, claim->rsv);
		int affinity;

		if (!entry || !maui_claim_admits(claim, entry, span))
			continue;
		affinity = entry->shorter_count == 0 ?
				   entry->affinity :
				   maui_access_affinity(entry, maui_claim_overlap(claim, span));
		if (affinity < MAUI_AFFINITY_NEUTRAL)
			return -1;
		positive += affinity > MAUI_AFFINITY_NEUTRAL;
	}
	return positive;
}
