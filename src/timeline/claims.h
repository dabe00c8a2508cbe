/* SPDX-License-Identifier: GPL-2.0-or-later */
/* claims.h - which reservations lie on a step, and what each of them keeps from a requester
 *
 * A claim is a reservation's part of one node during one span. The claims on a step form a set.
 * Equal sets are stored once and shared by all steps that have them. A claim keeps the whole node,
 * or amounts of it.
 *
 * A claim admits a requester during a span
 *   if the claim is Slurm's: when the request lists that reservation, or when the claim has amounts
 *   and the request ignores them;
 *   if the claim is ours: when the requester's access table has the reservation, and the span
 *   overlaps with the claim (and the adjoining instances of the reservation) no longer than the
 *   table allows.
 * A requester gets what is free, less what the claims that do not admit it still keep. It gets
 * nothing where such a claim keeps the whole node. A requester whose table says `only` gets at most
 * what the claims of its own reservations still keep; a claim does not limit what it does not
 * reserve. So access lists within one reservation are or-ed, stacked reservations are and-ed, and
 * several reservations can share a node side by side.
 *
 * A claim still keeps what it was made for, less what the jobs inside it use. For a job the set
 * remembers the claims that admit the job (its admissions) and the amounts it took. Each set works
 * out which claim gives how much, in this order:
 *   1. where claims are stacked (together they keep more than the node has): all admissions of the
 *      job at once;
 *   2. claims of positive affinity;
 *   3. claims of neutral affinity;
 *   4. amounts that no claim keeps;
 *   5. claims of negative affinity. For a job with `only`, every claim that is not of its own
 *      reservations counts as one of negative affinity.
 * Jobs with fewer admissions go first. So amounts can be given back in any order.
 *
 * A Slurm claim with amounts keeps certain processors. It also lies on all earlier steps of
 * the node, marked `ahead`: there it keeps its processors from requesters whose span overlaps
 * the claim. slurmctld says which of these processors active jobs hold. Only jobs planned into the
 * claim take from it.
 *
 * Rules: RSV-6, RSV-13, RSV-19, RSV-39, ACL-8, ACL-10.
 */
#ifndef MAUI_TIMELINE_CLAIMS_H
#define MAUI_TIMELINE_CLAIMS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/access.h"
#include "model/acl.h"
#include "model/snapshot.h"
#include "model/when.h"

struct maui_timeline;
struct maui_step;

/* Who asks for capacity. NULL: a requester without any access. */
struct maui_requester {
	const struct maui_request *request;     /* the Slurm reservations it may use; NULL: none */
	const struct maui_access_table *access; /* our reservations it may use; NULL: none */
};

/* When the requester would use the node: [from, until). */
struct maui_span {
	int64_t from, until;
};

/* A span that overlaps with no claim, so that no TIMELIMIT applies. */
#define MAUI_SPAN_NONE ((struct maui_span){ MAUI_NEVER, MAUI_NEVER })

/* The span that a TIMELIMIT is measured against. */
static inline struct maui_span maui_claim_run(const struct maui_claim *claim)
{
	return claim->run_end_s ? (struct maui_span){ claim->run_start_s, claim->run_end_s } :
				  (struct maui_span){ claim->start_s, claim->end_s };
}

/* Seconds that the span overlaps with the claim; MAUI_NEVER: without end. */
static inline int64_t maui_claim_overlap(const struct maui_claim *claim, struct maui_span span)
{
	const struct maui_span run = maui_claim_run(claim);
	int64_t from = span.from > run.from ? span.from : run.from;
	int64_t until = span.until < run.until ? span.until : run.until;

	return until <= from ? 0 : maui_when_length(from, until);
}

/* Whether a claim admits, for the span, a requester whose access table has this entry. */
static inline bool maui_claim_admits(const struct maui_claim *claim,
				     const struct maui_access *entry, struct maui_span span)
{
	return entry->overlap_s == MAUI_NEVER ||
	       maui_claim_overlap(claim, span) <= entry->overlap_s;
}

/* Whether a job of this length, whose access table has this entry (NULL: none), fits at no time
 * between two instances of the claim's reservation, so that it cannot start behind the last one
 * that is known either. Only claims of whole nodes are looked at. */
static inline bool maui_claim_shuts(const struct maui_claim *claim, const struct maui_access *entry,
				    int64_t length)
{
	int64_t overlap = entry ? entry->overlap_s : 0;

	if (!claim->repeats || claim->amounts || overlap == MAUI_NEVER)
		return false;
	/* instances without a gap between them are one for a TIMELIMIT */
	return length > (claim->gap_s > 0 ? claim->gap_s + 2 * overlap : overlap);
}

/* Whether the claim is of an own reservation of a requester whose access table has this entry. */
static inline bool maui_claim_is_own(const struct maui_claim *claim,
				     const struct maui_access *entry)
{
	return maui_access_is_home(entry, claim->start_s);
}

/* The affinity of a requester with this entry to the claim. A requester that may run nowhere else
 * takes from its own reservations first, so every other claim counts as negative. */
static inline int maui_claim_affinity(const struct maui_claim *claim,
				      const struct maui_access_table *table,
				      const struct maui_access *entry, struct maui_span span)
{
	if (table->only && !maui_claim_is_own(claim, entry))
		return MAUI_AFFINITY_NEGATIVE;
	return entry->shorter_count == 0 ?
		       entry->affinity :
		       maui_access_affinity(entry, maui_claim_overlap(claim, span));
}

struct maui_claim_part {
	uint32_t claim;         /* index of the timeline's claims */
	const int64_t *amounts; /* kept of this node; NULL: all of it */
	bool ahead;             /* it has not begun yet */
};

/* The affinity of a planned job that is bound to a Slurm reservation: the job takes from this
 * claim and from nothing else. */
enum { MAUI_CLAIM_BOUND = 2 };

struct maui_claim_admission {
	uint32_t part; /* index of a part with amounts */
	int affinity;
};

/* What jobs with the same admissions take together. */
struct maui_claim_use {
	const struct maui_claim_admission *admissions; /* ascending */
	const int64_t *amounts;
	uint32_t admission_count;
};

enum maui_claim_verdict {
	MAUI_CLAIMS_OPEN,
	MAUI_CLAIMS_TIMED,  /* open within a TIMELIMIT */
	MAUI_CLAIMS_CLOSED, /* a claim of the whole node does not admit the requester */
};

/* What the set means to one requester. Each set remembers the requester that asked last. */
struct maui_claim_cache {
	const struct maui_access_table *table;
	const struct maui_request *request; /* NULL: the requester may use no Slurm claim */
	bool known;
	bool share;        /* the requester must use a Slurm claim with amounts: at most `within` */
	bool inside;       /* one of our claims admits the requester as its own */
	bool inside_whole; /* such a claim of the whole node does */
	enum maui_claim_verdict verdict;
	/* kept by claims that do not admit the requester; NULL: set keeps no amounts */
	int64_t *closed;
	/* kept by claims of own reservations; MAUI_NEVER: one of them does not reserve this
	 * dimension; INT64_MIN: there is no such claim */
	int64_t *within;
};

struct maui_claim_set {
	const struct maui_claim_part *parts; /* ascending by claim */
	const struct maui_claim_use *uses;   /* fewest admissions first */
	uint32_t count, use_count;
	uint32_t foreign;    /* Slurm's claims that have begun */
	uint32_t shares;     /* Slurm's claims with amounts, begun or ahead */
	bool partial;        /* some claims keep amounts */
	bool repeats;        /* some claims of whole nodes come back every period */
	const int64_t *have; /* of the node; NULL: not partial */
	int64_t *kept;       /* amounts that each part still keeps; NULL: not partial */
	struct maui_claim_cache cache;
};

/* The free amounts of the step that the requester can have during the span; NULL: nothing. The
 * result holds until the next call for the same timeline. */
const int64_t *maui_claims_capacity(const struct maui_timeline *t, const struct maui_step *step,
				    const struct maui_requester *requester, struct maui_span span);

/* The access that a TIMELIMIT bounds: how long the part admits the requester. NULL: the part
 * never admits the requester, or always does. */
const struct maui_access *maui_claims_access(const struct maui_timeline *t,
					     const struct maui_claim_part *part,
					     const struct maui_requester *requester);

/* Whether the request (NULL: none) may use this Slurm claim. `claim` is an index of the timeline's
 * claims. */
bool maui_claim_is_listed(const struct maui_request *request, uint32_t claim);

/* Whether a Slurm claim admits the request (NULL: none), begun or ahead. */
bool maui_claims_admit_request(const struct maui_timeline *t, const struct maui_claim_part *part,
			       const struct maui_request *request);

/* Whether the capacity for the requester depends on the length of the span. */
bool maui_claims_are_timed(const struct maui_timeline *t, const struct maui_step *step,
			   const struct maui_requester *requester);

/* When a TIMELIMIT closes the step to the span or lessens its capacity: the first later begin at
 * which one of these claims no longer blocks the requester. MAUI_NEVER: none. */
int64_t maui_claims_open_at(const struct maui_timeline *t, const struct maui_step *step,
			    const struct maui_requester *requester, struct maui_span span);

/* Whether a claim of the step always keeps the requester from ending a run of this length after the
 * claim's end: maui_claim_shuts(). */
bool maui_claims_shut(const struct maui_timeline *t, const struct maui_step *step,
		      const struct maui_requester *requester, struct maui_span span);

/* The first end after `after` of a span from `from` at which a TIMELIMIT of the step is
 * exceeded; MAUI_NEVER: none. */
int64_t maui_claims_close_at(const struct maui_timeline *t, const struct maui_step *step,
			     const struct maui_requester *requester, int64_t from, int64_t after);

/* The affinity for one step: maui_timeline_affinity(). */
int maui_claims_affinity(const struct maui_timeline *t, const struct maui_step *step,
			 const struct maui_access_table *access, struct maui_span span);

/* The functions below are for maui_timeline_*. Sets are numbered as in maui_step.claims, 0 is
 * the empty set. The functions return 0 only without memory. */

/* The set of these parts: at least one, ascending by claim. `set` (0: none): the first parts are
 * those of this set, and its uses are kept. `have`: amounts of the whole node. The parts are
 * copied. */
uint32_t maui_claims_make_set(struct maui_timeline *t, uint32_t set,
			      const struct maui_claim_part *parts, uint32_t count,
			      const int64_t *have);
/* The set after a job inside uses sign x amounts more. `set` is not 0. */
uint32_t maui_claims_use(struct maui_timeline *t, uint32_t set,
			 const struct maui_requester *requester, struct maui_span span,
			 const int64_t *amounts, int sign);
/* Lets all sets keep what they were made for, as if no job were inside. -1 without memory. */
int maui_claims_drop_uses(struct maui_timeline *t);
/* The set after an active job uses sign x amounts more of a Slurm claim. */
uint32_t maui_claims_use_share(struct maui_timeline *t, uint32_t set, uint32_t claim,
			       const int64_t *amounts, int sign);

#endif
