/* SPDX-License-Identifier: GPL-2.0-or-later */
/* claims.c - makes sets of claims, and works out what each claim still keeps
 *
 * Sets are immutable, and equal sets are stored once. When a job starts inside a set, the steps get
 * another set that includes the use by the job. When the job is removed, they get the first set
 * again.
 */

#include "timeline/claims.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "timeline/timeline.h"

/* ---- comparing sets ---- */

static uint64_t mix_amounts(const struct maui_timeline *t, uint64_t hash, const int64_t *amounts)
{
	for (unsigned d = 0; amounts && d < t->amount_count; d++)
		hash = maui_hash_mix(hash, (uint64_t)amounts[d]);
	return hash;
}

static uint64_t hash_set(const struct maui_timeline *t, const struct maui_claim_set *set)
{
	uint64_t hash = set->count;

	for (uint32_t i = 0; i < set->count; i++) {
		hash = maui_hash_mix(hash,
				     (uint64_t)set->parts[i].claim << 1 | set->parts[i].ahead);
		hash = mix_amounts(t, hash, set->parts[i].amounts);
	}
	hash = mix_amounts(t, hash, set->have);
	for (uint32_t i = 0; i < set->use_count; i++) {
		const struct maui_claim_use *use = &set->uses[i];

		for (uint32_t d = 0; d < use->admission_count; d++)
			hash = maui_hash_mix(hash, use->admissions[d].part);
		hash = mix_amounts(t, hash, use->amounts);
	}
	return hash;
}

static bool same_amounts(const struct maui_timeline *t, const int64_t *a, const int64_t *b)
{
	return a == b || (a && b && memcmp(a, b, t->amount_count * sizeof(*a)) == 0);
}

static int compare_admissions(const struct maui_claim_use *a, const struct maui_claim_use *b)
{
	if (a->admission_count != b->admission_count)
		return a->admission_count < b->admission_count ? -1 : 1;
	for (uint32_t i = 0; i < a->admission_count; i++) {
		const struct maui_claim_admission *one = &a->admissions[i],
						  *two = &b->admissions[i];

		if (one->part != two->part)
			return one->part < two->part ? -1 : 1;
		if (one->affinity != two->affinity)
			return one->affinity < two->affinity ? -1 : 1;
	}
	return 0;
}

static bool same_set(const struct maui_timeline *t, const struct maui_claim_set *a,
		     const struct maui_claim_set *b)
{
	if (a->count != b->count || a->use_count != b->use_count ||
	    !same_amounts(t, a->have, b->have))
		return false;
	for (uint32_t i = 0; a->parts != b->parts && i < a->count; i++)
		if (a->parts[i].claim != b->parts[i].claim ||
		    a->parts[i].ahead != b->parts[i].ahead ||
		    !same_amounts(t, a->parts[i].amounts, b->parts[i].amounts))
			return false;
	for (uint32_t i = 0; a->uses != b->uses && i < a->use_count; i++)
		if (compare_admissions(&a->uses[i], &b->uses[i]) != 0 ||
		    !same_amounts(t, a->uses[i].amounts, b->uses[i].amounts))
			return false;
	return true;
}

/* ---- what each claim still keeps ---- */

/* One dimension of a set, while the uses are charged to its claims one after the other. */
struct charge {
	const struct maui_claim_set *set;
	unsigned d, amount_count;
	int64_t remaining; /* of the node, for the uses that are not charged yet */
	int64_t kept_sum;  /* kept by all claims together */
};

static int64_t *kept_by(const struct charge *c, uint32_t part)
{
	return &c->set->kept[part * c->amount_count + c->d];
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t reduce_kept(struct charge *c, uint32_t part, int64_t amount)
{
	int64_t *kept = kept_by(c, part);
	int64_t taken = least(amount, *kept);

	*kept -= taken;
	c->kept_sum -= taken;
	return amount - taken;
}

/* Stacked claims keep the same amounts, so a job that all of them admit takes from all of them
 * at once. */
static int64_t charge_stacked(struct charge *c, const struct maui_claim_use *use, int64_t amount)
{
	int64_t excess = c->kept_sum - c->remaining, others = (int64_t)use->admission_count - 1,
		taken;

	if (excess <= 0 || others == 0)
		return amount;
	taken = least(amount, (excess + others - 1) / others);
	for (uint32_t i = 0; i < use->admission_count; i++)
		taken = least(taken, *kept_by(c, use->admissions[i].part));
	for (uint32_t i = 0; i < use->admission_count; i++)
		reduce_kept(c, use->admissions[i].part, taken);
	c->remaining -= taken;
	return amount - taken;
}

static int64_t charge_admissions(struct charge *c, const struct maui_claim_use *use, int affinity,
				 int64_t amount)
{
	for (uint32_t i = 0; i < use->admission_count; i++)
		if (use->admissions[i].affinity == affinity)
			amount = reduce_kept(c, use->admissions[i].part, amount);
	return amount;
}

static bool is_ahead(const struct maui_claim_set *set, const struct maui_claim_use *use)
{
	return set->parts[use->admissions[0].part].ahead;
}

static void charge_use(struct charge *c, const struct maui_claim_use *use)
{
	int64_t rest, amount, unreserved;

	if (is_ahead(c->set, use)) { /* a claim ahead keeps nothing now */
		*kept_by(c, use->admissions[0].part) -=
			least(use->amounts[c->d], *kept_by(c, use->admissions[0].part));
		return;
	}
	amount = rest = charge_stacked(c, use, use->amounts[c->d]);
	rest = charge_admissions(c, use, MAUI_CLAIM_BOUND, rest);
	rest = charge_admissions(c, use, 1, rest);
	rest = charge_admissions(c, use, 0, rest);
	unreserved = c->remaining - (amount - rest) - c->kept_sum;
	if (unreserved > 0)
		rest -= least(rest, unreserved);
	charge_admissions(c, use, -1, rest);
	c->remaining -= amount;
}

static void compute_kept(const struct maui_timeline *t, struct maui_claim_set *set)
{
	for (unsigned d = 0; d < t->amount_count; d++) {
		struct charge c = { .set = set,
				    .d = d,
				    .amount_count = t->amount_count,
				    .remaining = set->have[d] };

		for (uint32_t i = 0; i < set->count; i++) {
			const int64_t *amounts = set->parts[i].amounts;

			*kept_by(&c, i) = amounts ? amounts[d] : 0;
			c.kept_sum += set->parts[i].ahead ? 0 : *kept_by(&c, i);
		}
		for (uint32_t i = 0; i < set->use_count; i++)
			charge_use(&c, &set->uses[i]);
	}
}

int maui_claims_drop_uses(struct maui_timeline *t)
{
	for (size_t i = 0; i < t->claim_set_count; i++) {
		struct maui_claim_set *set = &t->claim_sets[i];

		if (set->use_count == 0)
			continue;
		set->use_count = 0;
		set->kept = maui_arena_alloc(&t->arena,
					     set->count * t->amount_count * sizeof(*set->kept));
		if (!set->kept)
			return -1;
		compute_kept(t, set);
	}
	return 0;
}

/* ---- finding or making a set ---- */

/* Copies the parts that the key borrows, unless another set has them already. */
static int copy_parts(struct maui_timeline *t, struct maui_claim_set *set, bool own_parts)
{
	size_t parts = set->count * sizeof(*set->parts), size = t->amount_count * sizeof(int64_t);
	struct maui_claim_part *copy = own_parts ? maui_arena_alloc(&t->arena, parts) : NULL;

	if (own_parts && !copy)
		return -1;
	if (own_parts)
		set->parts = memcpy(copy, set->parts, parts);
	if (!set->partial)
		return 0;
	set->kept = maui_arena_alloc(&t->arena, set->count * size);
	set->cache.closed = maui_arena_alloc(&t->arena, 2 * size);
	if (!set->kept || !set->cache.closed)
		return -1;
	set->cache.within = set->cache.closed + t->amount_count;
	compute_kept(t, set);
	return 0;
}

static int copy_uses(struct maui_timeline *t, struct maui_claim_set *set)
{
	size_t size = t->amount_count * sizeof(int64_t);
	struct maui_claim_use *uses;

	if (set->use_count == 0)
		return 0;
	uses = maui_arena_alloc(&t->arena, set->use_count * sizeof(*uses));
	for (uint32_t i = 0; uses && i < set->use_count; i++) {
		const struct maui_claim_use *from = &set->uses[i];
		size_t admissions = from->admission_count * sizeof(*from->admissions);
		char *copy = maui_arena_alloc(&t->arena, size + admissions);

		if (!copy)
			return -1;
		uses[i].amounts = memcpy(copy, from->amounts, size);
		uses[i].admissions = memcpy(copy + size, from->admissions, admissions);
		uses[i].admission_count = from->admission_count;
	}
	set->uses = uses;
	return uses ? 0 : -1;
}

struct set_key {
	const struct maui_timeline *t;
	const struct maui_claim_set *set;
};

/* The table has the numbers of sets, because the array of sets moves when it grows. */
static bool has_content(const void *value, const void *key)
{
	const struct set_key *wanted = key;

	return same_set(wanted->t, &wanted->t->claim_sets[(uintptr_t)value - 1], wanted->set);
}

/* The number of the set with this content; 0 without memory. */
static uint32_t find_set(struct maui_timeline *t, struct maui_claim_set *set, bool own_parts)
{
	const struct set_key key = { t, set };
	uint64_t hash = hash_set(t, set);
	void *found = maui_hashtable_find(&t->claim_table, hash, has_content, &key);
	struct maui_claim_set *grown;

	if (found)
		return (uint32_t)(uintptr_t)found;
	grown = maui_array_grow(t->claim_sets, t->claim_set_count, &t->claim_set_alloc,
				sizeof(*grown));
	if (!grown)
		return 0;
	t->claim_sets = grown;
	if (copy_uses(t, set) || copy_parts(t, set, own_parts) ||
	    maui_hashtable_add(&t->claim_table, hash, (void *)(t->claim_set_count + 1)))
		return 0;
	grown[t->claim_set_count++] = *set;
	return (uint32_t)t->claim_set_count;
}

uint32_t maui_claims_make_set(struct maui_timeline *t, uint32_t set,
			      const struct maui_claim_part *parts, uint32_t count,
			      const int64_t *have)
{
	struct maui_claim_set key = { .parts = parts, .count = count };

	if (set) {
		key.uses = t->claim_sets[set - 1].uses;
		key.use_count = t->claim_sets[set - 1].use_count;
	}
	for (uint32_t i = 0; i < count; i++) {
		bool foreign = t->claims[parts[i].claim]->rsv == MAUI_CLAIM_FOREIGN;

		key.foreign += foreign && !parts[i].ahead;
		key.shares += foreign && parts[i].amounts;
		key.partial |= parts[i].amounts != NULL;
		key.repeats |= !parts[i].amounts && t->claims[parts[i].claim]->repeats;
	}
	key.have = key.partial ? have : NULL;
	return find_set(t, &key, true);
}

static bool is_inside_share(const struct maui_claim *claim, const struct maui_claim_part *part,
			    const struct maui_request *r)
{
	return claim->rsv == MAUI_CLAIM_FOREIGN && !part->ahead &&
	       maui_claim_is_listed(r, part->claim);
}

/* The claims with amounts that admit the requester, each with the affinity. */
static uint32_t list_admissions(const struct maui_timeline *t, const struct maui_claim_set *set,
				const struct maui_requester *requester, struct maui_span span,
				struct maui_claim_admission *admissions)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < set->count; i++) {
		const struct maui_claim_part *part = &set->parts[i];
		const struct maui_claim *claim = t->claims[part->claim];
		const struct maui_access *entry;

		if (!part->amounts)
			continue;
		entry = maui_access_find(requester->access, claim->rsv);
		if (is_inside_share(claim, part, requester->request))
			admissions[count++] = (struct maui_claim_admission){
				.part = i,
				/* without only_claims Slurm may choose any processors of the
				 * node */
				.affinity = requester->request->only_claims ?
						    MAUI_CLAIM_BOUND :
						    MAUI_AFFINITY_NEGATIVE,
			};
		else if (entry && maui_claim_admits(claim, entry, span))
			admissions[count++] = (struct maui_claim_admission){
				.part = i,
				.affinity =
					maui_claim_affinity(claim, requester->access, entry, span),
			};
	}
	return count;
}

static bool is_nothing(const struct maui_timeline *t, const int64_t *amounts)
{
	for (unsigned d = 0; d < t->amount_count; d++)
		if (amounts[d] != 0)
			return false;
	return true;
}

/* The set after sign x amounts more are used through these admissions. */
static uint32_t use_admissions(struct maui_timeline *t, uint32_t number,
			       const struct maui_claim_admission *admissions, uint32_t count,
			       const int64_t *amounts, int sign)
{
	const struct maui_claim_set *set = &t->claim_sets[number - 1];
	struct maui_claim_use *uses = maui_array_grow(t->scratch.uses, set->use_count,
						      &t->scratch.use_alloc, sizeof(*uses));
	struct maui_claim_use own = { .admissions = admissions, .admission_count = count };
	struct maui_claim_set key = *set;
	const int64_t *there = NULL;
	int64_t *used = t->vectors.one;
	uint32_t at = 0;

	if (!uses)
		return 0;
	t->scratch.uses = uses;
	while (at < set->use_count && compare_admissions(&set->uses[at], &own) < 0)
		at++;
	key.use_count = 0;
	for (uint32_t i = 0; i < at; i++)
		uses[key.use_count++] = set->uses[i];
	if (at < set->use_count && compare_admissions(&set->uses[at], &own) == 0)
		there = set->uses[at++].amounts;
	for (unsigned d = 0; d < t->amount_count; d++)
		used[d] = (there ? there[d] : 0) + sign * amounts[d];
	own.amounts = used;
	if (!is_nothing(t, used))
		uses[key.use_count++] = own;
	for (uint32_t i = at; i < set->use_count; i++)
		uses[key.use_count++] = set->uses[i];
	key.uses = uses;
	key.cache = (struct maui_claim_cache){ 0 };
	return find_set(t, &key, false);
}

uint32_t maui_claims_use(struct maui_timeline *t, uint32_t number,
			 const struct maui_requester *requester, struct maui_span span,
			 const int64_t *amounts, int sign)
{
	const struct maui_claim_set *set = &t->claim_sets[number - 1];
	bool anywhere =
		requester->access || (requester->request && requester->request->claim_count > 0);
	struct maui_claim_admission *admissions;
	uint32_t count;

	if (!set->partial || !anywhere)
		return number;
	admissions = maui_array_grow(t->scratch.admissions, set->count, &t->scratch.admission_alloc,
				     sizeof(*admissions));
	if (!admissions)
		return 0;
	t->scratch.admissions = admissions;
	count = list_admissions(t, set, requester, span, admissions);
	return count > 0 ? use_admissions(t, number, admissions, count, amounts, sign) : number;
}

uint32_t maui_claims_use_share(struct maui_timeline *t, uint32_t number, uint32_t claim,
			       const int64_t *amounts, int sign)
{
	const struct maui_claim_set *set = &t->claim_sets[number - 1];

	for (uint32_t i = 0; set->shares > 0 && i < set->count; i++) {
		const struct maui_claim_admission admission = { i, MAUI_AFFINITY_POSITIVE };

		if (set->parts[i].claim == claim && set->parts[i].amounts)
			return use_admissions(t, number, &admission, 1, amounts, sign);
	}
	return number;
}
