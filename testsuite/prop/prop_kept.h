/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_kept.h - what claims keep from a requester at one moment, as a slow model
 *
 * For property tests: it follows the words of timeline/claims.h second by second, one unit of one
 * amount at a time.
 */
#ifndef MAUI_TESTSUITE_PROP_KEPT_H
#define MAUI_TESTSUITE_PROP_KEPT_H

#include "model/access.h"
#include "prop_cluster.h"
#include "timeline/claims.h"

enum { KEPT_CLAIMS = 16, KEPT_TAKES = 512 };

/* A job on a node. */
struct kept_take {
	uint32_t node;
	int64_t from, until; /* span of the job */
	int64_t amounts[PROP_AMOUNTS];
	const struct maui_access_table *access; /* NULL: the job is inside no claim */
};

struct kept_model {
	const struct maui_claim *claims[KEPT_CLAIMS]; /* our claims */
	uint32_t claim_count;
	struct kept_take takes[KEPT_TAKES];
	uint32_t take_count;
	/* claims that a job with several admissions uses first; NULL: as claims.h says */
	const bool *first;
};

/* The node's index in the claim; -1: not in the claim. */
static inline int64_t kept_place(const struct maui_claim *claim, uint32_t node)
{
	for (uint32_t i = 0; i < claim->node_count; i++)
		if (claim->nodes[i] == node)
			return i;
	return -1;
}

static inline bool kept_covers(const struct maui_claim *claim, uint32_t node, int64_t t)
{
	return kept_place(claim, node) >= 0 && claim->start_s <= t && t < claim->end_s;
}

/* The affinity at this overlap: of the shortest allowed overlap, in any order of the list. */
static inline int kept_affinity(const struct maui_access *access, int64_t overlap)
{
	int64_t least = MAUI_NEVER;
	int affinity = access->affinity;

	for (uint32_t i = 0; i < access->shorter_count; i++)
		if (overlap <= access->shorter[i].overlap_s &&
		    access->shorter[i].overlap_s < least) {
			least = access->shorter[i].overlap_s;
			affinity = access->shorter[i].affinity;
		}
	return affinity;
}

/* Overlap of a span with the claim and the claims that it adjoins, second by second. */
static inline bool kept_admits(const struct maui_claim *claim,
			       const struct maui_access_table *access, int64_t from, int64_t until,
			       int *ret_affinity)
{
	const struct maui_span run = maui_claim_run(claim);
	int64_t overlap = 0;

	for (uint32_t i = 0; access && i < access->count; i++) {
		if (access->list[i].rsv != claim->rsv)
			continue;
		for (int64_t t = from; t < until && t < from + 1000; t++)
			overlap += run.from <= t && t < run.until;
		*ret_affinity = access->only && !access->list[i].own ?
					-1 :
					kept_affinity(&access->list[i], overlap);
		return access->list[i].overlap_s == MAUI_NEVER ||
		       overlap <= access->list[i].overlap_s;
	}
	return false;
}

/* The affinity to a claim that admits the job. */
static inline bool kept_is_home(const struct maui_claim *claim,
				const struct maui_access_table *access)
{
	for (uint32_t i = 0; i < access->count; i++)
		if (access->list[i].rsv == claim->rsv)
			return access->list[i].own;
	return false;
}

/* One dimension of one node at one moment. */
struct kept_moment {
	int64_t kept[KEPT_CLAIMS];
	int64_t left, sum;
	bool covers[KEPT_CLAIMS];
};

/* The admissions of a job: affinity + 2, 0 where it has none. Returns how many. */
static inline int kept_doors(const struct kept_model *m, const struct kept_moment *now,
			     const struct kept_take *take, int admissions[KEPT_CLAIMS])
{
	int count = 0, affinity = 0;

	memset(admissions, 0, KEPT_CLAIMS * sizeof(*admissions));
	for (uint32_t c = 0; c < m->claim_count; c++) {
		if (!now->covers[c] || !m->claims[c]->amounts ||
		    !kept_admits(m->claims[c], take->access, take->from, take->until, &affinity))
			continue;
		admissions[c] = affinity + 2;
		count++;
	}
	return count;
}

static inline bool kept_earlier(int count, const int *admissions, int other_count,
				const int *other_doors)
{
	if (count != other_count)
		return count < other_count;
	for (uint32_t c = 0; c < KEPT_CLAIMS; c++)
		if (admissions[c] != other_doors[c])
			return admissions[c] && other_doors[c] ? admissions[c] < other_doors[c] :
								 admissions[c] > other_doors[c];
	return false;
}

static inline bool kept_charge_one_door(struct kept_moment *now, const int *admissions, int wanted)
{
	for (uint32_t c = 0; c < KEPT_CLAIMS; c++)
		if (admissions[c] == wanted && now->kept[c] > 0) {
			now->kept[c]--;
			now->sum--;
			return true;
		}
	return false;
}

static inline bool kept_charge_first(const struct kept_model *m, struct kept_moment *now,
				     const int *admissions)
{
	for (uint32_t c = 0; m->first && c < m->claim_count; c++)
		if (m->first[c] && admissions[c] && now->kept[c] > 0) {
			now->kept[c]--;
			now->sum--;
			return true;
		}
	return false;
}

static inline void kept_charge_one(const struct kept_model *m, struct kept_moment *now,
				   const int *admissions, int count)
{
	bool all = now->sum > now->left && count > 1;

	for (uint32_t c = 0; c < KEPT_CLAIMS; c++)
		all &= !admissions[c] || now->kept[c] > 0;
	for (uint32_t c = 0; all && c < KEPT_CLAIMS; c++)
		if (admissions[c]) {
			now->kept[c]--;
			now->sum--;
		}
	if (!all && !kept_charge_first(m, now, admissions) &&
	    !kept_charge_one_door(now, admissions, 3) &&
	    !kept_charge_one_door(now, admissions, 2) && now->left <= now->sum)
		kept_charge_one_door(now, admissions, 1);
	now->left--;
}

/* Takes from stacked claims first, then the rest, in the order of admissions. */
static inline void kept_work_out(const struct kept_model *m, uint32_t node, int64_t t, unsigned d,
				 int64_t have, struct kept_moment *now)
{
	/* static: to zero as much for each second would be most of the time of a run */
	static int admissions[KEPT_TAKES][KEPT_CLAIMS], counts[KEPT_TAKES]; /* of those not done */
	static bool done[KEPT_TAKES];

	memset(now, 0, sizeof(*now));
	now->left = have;
	for (uint32_t c = 0; c < m->claim_count; c++) {
		const struct maui_claim *claim = m->claims[c];

		now->covers[c] = kept_covers(claim, node, t);
		if (now->covers[c] && claim->amounts)
			now->kept[c] = claim->amounts[kept_place(claim, node) * PROP_AMOUNTS + d];
		now->sum += now->kept[c];
	}
	for (uint32_t i = 0; i < m->take_count; i++) {
		const struct kept_take *take = &m->takes[i];

		done[i] = take->node != node || t < take->from || t >= take->until;
		counts[i] = done[i] ? 0 : kept_doors(m, now, take, admissions[i]);
		done[i] |= counts[i] == 0;
	}
	for (;;) {
		uint32_t best = KEPT_TAKES;

		for (uint32_t i = 0; i < m->take_count; i++)
			if (!done[i] &&
			    (best == KEPT_TAKES || kept_earlier(counts[i], admissions[i],
								counts[best], admissions[best])))
				best = i;
		if (best == KEPT_TAKES)
			return;
		done[best] = true;
		for (int64_t unit = 0; unit < m->takes[best].amounts[d]; unit++)
			kept_charge_one(m, now, admissions[best], counts[best]);
	}
}

/* The part of `free` that a job with this access can have at t during [from, until); false:
 * nothing. */
static inline bool kept_gives(const struct kept_model *m, uint32_t node, int64_t t,
			      const int64_t *have, const int64_t *free_amounts,
			      const struct maui_access_table *access, int64_t from, int64_t until,
			      int64_t *ret)
{
	bool inside = false, whole = false;

	for (unsigned d = 0; d < PROP_AMOUNTS; d++) {
		int64_t within = 0; /* what own claims still keep, if all of them reserve it */
		bool limited = true;
		struct kept_moment now;
		int affinity;

		kept_work_out(m, node, t, d, have[d], &now);
		ret[d] = free_amounts[d];
		for (uint32_t c = 0; c < m->claim_count; c++) {
			const struct maui_claim *claim = m->claims[c];

			if (!now.covers[c])
				continue;
			if (!kept_admits(claim, access, from, until, &affinity)) {
				if (!claim->amounts)
					return false;
				ret[d] -= now.kept[c];
				continue;
			}
			if (!kept_is_home(claim, access))
				continue;
			inside = true;
			whole |= !claim->amounts;
			limited &= claim->amounts &&
				   claim->amounts[kept_place(claim, node) * PROP_AMOUNTS + d] > 0;
			within += now.kept[c];
		}
		if (access && access->only && inside && !whole && limited && within < ret[d])
			ret[d] = within;
		if (ret[d] < 0 && free_amounts[d] >= 0) /* kept beyond what is free */
			ret[d] = 0;
	}
	return inside || !access || !access->only;
}

#endif
