/* SPDX-License-Identifier: GPL-2.0-or-later */
/* claims.h - which reservations lie on a step, and what each of them keeps from a requester
 *
 * A claim is a reservation's part of one node during one span. The claims on a step form a set.
 * Equal sets are stored once and shared by all steps that have them. A claim keeps the whole node,
 * or amounts of it.
 *
 * A claim admits a requester during a span
 *   if the claim is Slurm's: when the request lists that reservation, or when the claim has amounts
 *   and the request passes them by;
 *   if the claim is ours: when the requester's access table has the reservation, and the span
 *   overlaps with the claim (and the adjoining instances of the reservation) no longer than the
 *   table allows.
 * A requester gets what is free, less what the claims that do not admit it still keep. It gets
 * nothing where such a claim keeps the whole node. A requester whose table says `only` gets at most
 * what the claims that are its home still keep. So access lists within one reservation are or-ed,
 * stacked reservations are and-ed, and several reservations can share a node side by side.
 *
 * A claim still keeps what it was made for, less what the jobs inside it use. Of a job the set
 * remembers the claims that admit the job (its admissions) and the amounts it took. Each set works
 * out anew which claim gives how much, in this order:
 *   1. where claims are stacked (together they keep more than the node has): all admissions of the
 *      job at once;
 *   2. claims of positive affinity;
 *   3. claims of neutral affinity;
 *   4. what nobody reserved;
 *   5. claims of negative affinity. For a job with `only`, every claim that is not its home counts
 *      as one of negative affinity.
 * Jobs with fewer admissions go first. So amounts can be given back in any order.
 *
 * A claim of Slurm's with amounts keeps certain processors. It also lies on all earlier steps of
 * the node, marked `ahead`: there it keeps its processors from requesters whose span meets the
 * claim. slurmctld says which of these processors active jobs hold. Only jobs planned into the
 * claim take from it.
 *
 * Rules: RSV-6, RSV-13, RSV-19, ACL-8, ACL-10.
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

/* Whether the claim is the home of a requester whose access table has this entry. */
static inline bool maui_claim_is_home(const struct maui_claim *claim,
				      const struct maui_access *entry)
{
	return maui_access_is_home(entry, claim->start_s);
}

/* The affinity of a requester with this entry to the claim. A requester that may run nowhere else
 * takes from its home first, so every other claim counts as negative. */
static inline int maui_claim_affinity(const struct maui_claim *claim,
				      const struct maui_access_table *table,
				      const struct maui_access *entry, struct maui_span span)
{
	if (table->only && !maui_claim_is_home(claim, entry))
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

/* The affinity of an admission of Slurm's to requester is planned into it, and into nothing else. */
enum { MAUI_CLAIM_BOUND = 2 };

struct maui_claim_admission {
	uint32_t part; /* index of the set's, one with amounts */
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
	MAUI_CLAIMS_TIMED,  /* open, as far as a TIMELIMIT lets it be */
	MAUI_CLAIMS_CLOSED, /* one that has the whole node does not let the requester in */
};

/* What a set is to one access table: the last one that asked is remembered. */
struct maui_claim_cache {
	const struct maui_access_table *table;
	const struct maui_request *request; /* NULL: one that is in no claim of Slurm's */
	bool known;
	bool share;        /* has to be in a claim of Slurm's with amounts, which are `within` */
	bool inside;       /* some claim of ours that is its home lets it in ... */
	bool inside_whole; /* ... and has the whole node */
	enum maui_claim_verdict verdict;
	int64_t *closed; /* kept by claims that do not let it in; NULL: the set keeps no amounts */
	int64_t *within; /* kept by its home; MAUI_NEVER of what that does not speak of */
};

struct maui_claim_set {
	const struct maui_claim_part *parts; /* ascending by claim */
	const struct maui_claim_use *uses;   /* in order, see above */
	uint32_t count, use_count;
	uint32_t foreign;    /* how many of them are Slurm's, and on */
	uint32_t shares;     /* how many are Slurm's with amounts, on or ahead */
	bool partial;        /* some keep amounts */
	const int64_t *have; /* of the node, when some do */
	int64_t *kept;       /* by each part, likewise */
	struct maui_claim_cache cache;
};

/* The step's amounts, or what of them the requester gets, put into `store` (as many numbers); NULL:
 * nothing. */
const int64_t *maui_claims_capacity(const struct maui_timeline *t, const struct maui_step *step,
				    const struct maui_requester *requester, struct maui_span span,
				    int64_t *store);

/* Whether a part lets the requester in for a time, and for which; NULL: not at all, or always. */
const struct maui_access *maui_claims_access(const struct maui_timeline *t,
					     const struct maui_claim_part *part,
					     const struct maui_requester *requester);

/* Whether the request (NULL: none) may use the timeline's claim of this index, one of Slurm's. */
bool maui_claim_is_listed(const struct maui_request *request, uint32_t claim);

/* Whether a part that is Slurm's lets a request (NULL: none) in, be it ahead or not. */
bool maui_claims_admit_request(const struct maui_timeline *t, const struct maui_claim_part *part,
			       const struct maui_request *request);

/* Whether what a step gives depends on the span, for requester is there long enough. */
bool maui_claims_are_timed(const struct maui_timeline *t, const struct maui_step *step,
			   const struct maui_requester *requester);

/* Of a step that is closed to the span, or gives less, for a TIMELIMIT: the first later begin at
 * which one of these is no longer in the way, MAUI_NEVER: none is. */
int64_t maui_claims_open_at(const struct maui_timeline *t, const struct maui_step *step,
			    const struct maui_requester *requester, struct maui_span span);

/* The first end > `after` of a span that begins at `from`, beyond which a TIMELIMIT of the step is
 * in the way; MAUI_NEVER. */
int64_t maui_claims_close_at(const struct maui_timeline *t, const struct maui_step *step,
			     const struct maui_requester *requester, int64_t from, int64_t after);

/* Of one step, see maui_timeline_affinity(). */
int maui_claims_affinity(const struct maui_timeline *t, const struct maui_step *step,
			 const struct maui_access_table *access, struct maui_span span);

/* For maui_timeline_*: sets as a step has them, 0 being none. Both return 0 for no memory only. */

/* Of these parts, one at least, ascending by claim. `set`: what they begin with, whose uses it has
 * then; 0: none. `have` is of the node. The parts are copied. */
uint32_t maui_claims_make_set(struct maui_timeline *t, uint32_t set,
			      const struct maui_claim_part *parts, uint32_t count,
			      const int64_t *have);
/* With sign x amounts used by a job inside. `set` is one. */
uint32_t maui_claims_use(struct maui_timeline *t, uint32_t set,
			 const struct maui_requester *requester, struct maui_span span,
			 const int64_t *amounts, int sign);
/* With sign x amounts of a claim of Slurm's used by an active job. */
uint32_t maui_claims_use_share(struct maui_timeline *t, uint32_t set, uint32_t claim,
			       const int64_t *amounts, int sign);

#endif
