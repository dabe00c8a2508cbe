/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - the parts of an explanation, for src/explain only
 *
 * explain.c               answers the questions of explain.h
 *                         and sees the job that a question is about: its shape, the jobs ahead
 * room.c                  where it has room, with other jobs or without, when and for how long
 * blocking_reservation.c  the reservation that blocks a job which may run anywhere
 * own_reservation.c       the same for a job that may run only in reservations
 * node_reasons.c          nodes counted by reason
 * hypothetical_job.c      a job that nobody has submitted: whether it would start, and with what
 * passed_job_rsvs.c       the job reservations that such a job would pass with a higher priority
 * windows.c               what such a job could have now
 * advice.c                what would let a waiting job start now; when it starts, in words
 * text.c                  the reasons in words; limits, and what slurmctld knows
 * text_resources.c        the lines on nodes, licences, jobs ahead, reservations
 * text_maui.c             the reasons in the words of Maui's commands
 */
#ifndef MAUI_EXPLAIN_PRIVATE_H
#define MAUI_EXPLAIN_PRIVATE_H

#include "explain/explain.h"
#include "explain/hypothetical_job.h"
#include "model/limit.h"
#include "plan/search.h"
#include "policy/alloc/node_sets.h"
#include "reservation/access/access.h"
#include "timeline/alike.h"
#include "timeline/fit.h"

/* What a search notes about nodes that are alike: a moment, an amount, a count, and the claims that
 * keep the nodes. */
struct maui_node_note {
	int64_t when, tasks;
	uint32_t count, claims;
	enum maui_reason reason;
	int dimension;
};

/* The groups for a request that names or excludes nodes. */
struct maui_alike_apart {
	const struct maui_request *request; /* NULL: none asked yet */
	const struct maui_alike *list;
	uint32_t count;
};

struct maui_explainer {
	const struct maui_plan *plan;
	const struct maui_snapshot *snapshot;
	struct maui_timeline timeline; /* reads the plan's timeline */
	int64_t now_s;
	struct maui_timeline empty; /* without jobs, once something has asked for it */
	bool empty_made;
	struct maui_candidates candidates;
	struct maui_node_note *notes;    /* one for each node; each search overwrites them */
	int64_t *moments;                /* likewise */
	int64_t *left;                   /* amount_count numbers, of one function */
	struct maui_alike_groups groups; /* alike.c */
	struct maui_alike_apart apart;   /* in `arena`: a question asks for them again and again */
	const struct maui_node_sets *sets; /* NULL: maui.cfg makes none */
	uint32_t *usable;                  /* of each node class: nodes that are usable some day */
	/* of each job: `ahead` of explain.h, and its position among the jobs that wait in its
	 * partition */
	uint32_t *ahead, *position;
	/* of each job, remembered because jobs behind it need it, too: whether it is kept out for
	 * ever, and whether it can start some day */
	uint8_t *kept_for_ever, *can_start;
	/* some reservation has no end; such a reservation has not begun yet */
	bool endless, endless_comes;
	bool hides_reservations; /* maui_explainer_hide_reservations() */
	bool hides_partitions;   /* maui_explainer_hide_partitions() */
	/* of each job: the counter of the line in which it waits; NULL: none */
	uint32_t **line;
	struct maui_arena kept;  /* lives as long as the explainer */
	struct maui_arena arena; /* lives until the next question */
	bool failed;             /* no memory for what is not in an arena */
};

/* The job that a question is about. */
struct maui_explained_job {
	const struct maui_idle *idle;
	const struct maui_row *row;
	const struct maui_plan_job *planned;
	const struct maui_verdict *verdict;
	const char *const *cred; /* MAUI_CRED_COUNT names; NULL: none */
	uint32_t job;
	struct maui_shape shape; /* includes its access table */
	int64_t limit_s;
	int64_t in_set_until_s; /* shape.in_set holds until then */
	bool confined;          /* it may run only inside some reservations */
};

/* explain.c: sets the node sets of a shape of which all else is set (BF-24). */
void maui_explain_set_node_sets(struct maui_explainer *x, struct maui_shape *shape,
				int64_t in_set_until_s);
/* the blocking reservation, the node reasons (`all`: in any case), licences */
void maui_explain_resources(struct maui_explainer *x, const struct maui_explained_job *a, bool all,
			    struct maui_explanation *ret);

/* Forgets the last question. */
static inline void maui_explain_forget(struct maui_explainer *x)
{
	maui_arena_clear(&x->arena);
	x->apart = (struct maui_alike_apart){ 0 };
	x->failed = x->kept.failed = false;
}

/* Whether the question has found too little memory. An arena notes what it could not give. */
static inline bool maui_explain_has_failed(const struct maui_explainer *x)
{
	return x->failed || x->arena.failed || x->kept.failed;
}

/* What a question has found out about a job, for later questions; 0: not known. */
enum maui_explain_known { MAUI_EXPLAIN_YES = 1, MAUI_EXPLAIN_NO };

/* Remembers it, unless memory was too short to find it out. */
static inline void maui_explain_remember(const struct maui_explainer *x, uint8_t *known, bool yes)
{
	if (!maui_explain_has_failed(x))
		*known = yes ? MAUI_EXPLAIN_YES : MAUI_EXPLAIN_NO;
}

static inline struct maui_span maui_span_now(const struct maui_explainer *x, int64_t length_s)
{
	return (struct maui_span){ x->now_s, maui_when_add(x->now_s, length_s) };
}

/* room.c: all nodes, those with the same answer for the shape together, in the order of the first
 * ones. Valid until the next question. NULL without memory. */
const struct maui_alike *maui_explain_alike(struct maui_explainer *x,
					    const struct maui_shape *shape, uint32_t *ret_count);
/* The group of each node; there are x->groups.count of them. NULL without memory. */
const uint32_t *maui_explain_group_of(struct maui_explainer *x);

/* node_reasons.c: the smallest number of empty nodes that could hold the job: of the largest nodes
 * that serve it, even if there are too few of them */
uint32_t maui_shape_least_nodes(const struct maui_shape *shape);
/* room.c: the plan's search, for a shape on the timeline of the plan; then, whether the shape fits
 * now for `length_s`, with other jobs or as if there were none */
struct maui_search maui_explain_search(struct maui_explainer *x, const struct maui_shape *shape);
bool maui_explain_fits(struct maui_explainer *x, const struct maui_shape *shape, int64_t length_s,
		       bool other_jobs);
/* The longest time, shorter than the job's limit, for which it would fit now; 0: none. */
int64_t maui_explain_longest(struct maui_explainer *x, const struct maui_explained_job *a);
/* Rounded down: slurmctld rounds the limit of a job up. */
static inline int64_t maui_explain_whole_minutes(int64_t seconds)
{
	return seconds == MAUI_NEVER ? MAUI_NEVER : seconds - seconds % 60;
}
/* The earliest moment, now or `from` or later, at which the job fits; MAUI_NEVER. */
int64_t maui_explain_earliest(struct maui_explainer *x, const struct maui_explained_job *a);
int64_t maui_explain_earliest_from(struct maui_explainer *x, const struct maui_explained_job *a,
				   int64_t from);
/* The same on another timeline than the plan's. */
int64_t maui_explain_earliest_on(struct maui_explainer *x, struct maui_timeline *t,
				 const struct maui_explained_job *a, int64_t from);

/* The plan's timeline as if there were no jobs; NULL without memory */
struct maui_timeline *maui_explain_without_jobs(struct maui_explainer *x);
/* The job's shape as if every reservation of slurm-maui admitted it; that of a job which may not
 * leave its own, as if every reservation stacked with them did. -1 without memory. */
int maui_explain_open_shape(struct maui_explainer *x, const struct maui_explained_job *a,
			    struct maui_shape *ret);
/* Whether a claim of the timeline keeps the shape out during the span */
bool maui_claim_keeps_out(const struct maui_explainer *x, const struct maui_shape *shape,
			  uint32_t claim, struct maui_span span);
/* Whether the shape can use the node: the job names it, if it names enough nodes, and the node is
 * in a reservation that the job may not leave. */
bool maui_node_is_asked(const struct maui_explainer *x, const struct maui_shape *shape,
			uint32_t node);
bool maui_node_matters(const struct maui_explainer *x, const struct maui_shape *shape,
		       uint32_t node);
/* The tasks that fit into what reservations leave of the node during the span, without jobs;
 * *ret_claims: the set that leaves least. */
int64_t maui_remainder_tasks(struct maui_explainer *x, const struct maui_shape *shape,
			     uint32_t node, struct maui_span span, uint32_t *ret_claims);
/* Whether the job fits there from that moment on, or from the last one at which reservations change
 * (MAUI_NEVER), and after the node has become usable. */
bool maui_remainder_fits(struct maui_explainer *x, const struct maui_explained_job *a,
			 uint32_t node, int64_t when_s);
/* maui_remainder_tasks() for now; 0 if the node is not usable now, or excluded. */
int64_t maui_remainder_tasks_now(struct maui_explainer *x, const struct maui_shape *shape,
				 uint32_t node, int64_t length_s);

/* Of the claims for which the function is true, the one that closes most nodes to the job during
 * the span; of equals, the one that begins first. NULL: none closes any. */
typedef bool (*maui_counts_fn)(const struct maui_explainer *x, const struct maui_explained_job *a,
			       uint32_t claim, int64_t moment);
const struct maui_claim *maui_claim_on_most_nodes(struct maui_explainer *x,
						  const struct maui_explained_job *a,
						  struct maui_span span, maui_counts_fn counts,
						  int64_t moment, bool open_only);

/* blocking_reservation.c: whether permanent reservations leave the job no time */
bool maui_explain_kept_for_ever(struct maui_explainer *x, const struct maui_explained_job *a);
/* NULL: no reservation blocks the job, or no memory. */
const struct maui_blocking_reservation *maui_explain_blocking(struct maui_explainer *x,
							      const struct maui_explained_job *a);
/* An answer that describes a claim; then, why its access list does not admit the job */
struct maui_blocking_reservation maui_blocking_of_claim(const struct maui_explainer *x,
							const struct maui_claim *claim);
void maui_blocking_say_why(struct maui_explainer *x, const struct maui_explained_job *a,
			   const struct maui_claim *claim, struct maui_blocking_reservation *ret);
const struct maui_blocking_reservation *maui_blocking_keep(
	struct maui_explainer *x, const struct maui_blocking_reservation *blocking);
/* own_reservation.c: the blocking reservation of a job that may run only in reservations */
const struct maui_blocking_reservation *maui_explain_confined(struct maui_explainer *x,
							      const struct maui_explained_job *a);

/* node_reasons.c: NULL without memory */
const struct maui_node_reasons *maui_explain_nodes(struct maui_explainer *x,
						   const struct maui_explained_job *a);
/* maui_explain_serving_nodes() of the job. */
void maui_serving_nodes(struct maui_explainer *x, const struct maui_explained_job *a, bool *ret);
const struct maui_licence_shortage *maui_explain_licence(struct maui_explainer *x,
							 const struct maui_explained_job *a);

/* hypothetical_job.c: a job that nobody has submitted. The flags of its QOS. */
uint64_t maui_hypothetical_flags(const struct maui_explainer *x,
				 const struct maui_offer_question *q);

/* Its access table; NULL: no reservation admits it, or no memory. */
const struct maui_access_table *maui_hypothetical_access(struct maui_explainer *x,
							 const struct maui_offer_question *q);
/* The same for jobs of which the size is not known: a reservation with a TASKLIMIT or PROCLIMIT
 * is left out. */
const struct maui_access_table *maui_hypothetical_access_of_any_size(
	struct maui_explainer *x, const struct maui_offer_question *q);

/* Its shape with this request, which the caller keeps. `exact`: EXACTPROC counts. -1 without
 * memory. */
int maui_hypothetical_shape(struct maui_explainer *x, const struct maui_offer_question *q,
			    const struct maui_request *request,
			    const struct maui_access_table *access, bool exact,
			    struct maui_shape *ret);

/* What it would count against limits with so many processors, if it holds at least `least`. */
struct maui_demand maui_hypothetical_demand(const struct maui_explainer *x,
					    const struct maui_offer_question *q, int64_t procs,
					    const struct maui_quantities *least, int64_t limit_s);

/* Why it would not start although it fits; NULL: it would. */
const char *maui_hypothetical_obstacle(const struct maui_explainer *x,
				       const struct maui_offer_question *q);

/* passed_job_rsvs.c: of the job reservations that the job would pass with a higher priority, on
 * nodes that can serve it and before the end of a start at that moment: the idle job of highest
 * priority; UINT32_MAX: none */
uint32_t maui_explain_passable(const struct maui_explainer *x, const struct maui_offer_question *q,
			       const struct maui_explained_job *a, int64_t start_s);
/* The plan's timeline for a job with a priority above that of the `passed` one: without the job
 * reservations that it would pass. -1 without memory. The caller finishes it. */
int maui_explain_pass(const struct maui_explainer *x, const struct maui_offer_question *q,
		      uint32_t passed, struct maui_timeline *ret);

#endif
