/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - the parts of an explanation, for src/explain only
 *
 * explain.c               the questions of explain.h
 * asker.c                 the job that is asked about: its shape, its place in the queue
 * fits.c                  would it start, with other jobs there or without; for how long
 * remainder.c             what reservations leave of a node, without other jobs
 * blocking_reservation.c  the reservation that blocks a job which may run anywhere
 * own_reservation.c       the same of a job that may run in reservations only
 * node_reasons.c          nodes counted by reason
 * text.c                  all of it in words
 */
#ifndef MAUI_EXPLAIN_PRIVATE_H
#define MAUI_EXPLAIN_PRIVATE_H

#include "explain/explain.h"
#include "policy/alloc/alloc.h"
#include "reservation/access/access.h"
#include "timeline/fit.h"

/* What a step notes down of each node, or of each stretch of nodes that are alike: when, how much,
 * how many, and what keeps it. */
struct maui_node_note {
	int64_t when, tasks;
	uint32_t count, claims;
	enum maui_reason reason;
	int dimension;
};

struct maui_explainer {
	const struct maui_plan *plan;
	const struct maui_snapshot *snapshot;
	struct maui_timeline timeline; /* a view of the plan's */
	int64_t now_s;
	struct maui_candidate *candidates; /* room for each node */
	struct maui_node_note *notes;      /* likewise, of one step after the other */
	int64_t *moments;                  /* likewise */
	uint32_t *stretch;           /* of each node: neighbours that are alike are a stretch */
	uint32_t *usable;            /* nodes of each class that are usable some day */
	uint32_t *ahead, *position;  /* of each job: see explain.h; among those that wait in
					      its partition */
	uint8_t *kept_for_ever;      /* of each job, once it was asked: jobs behind it ask, too */
	uint8_t *can_start;          /* likewise: whether it can start some day */
	bool endless, endless_comes; /* a reservation has no end; one of these has not begun */
	uint32_t **line;             /* of each job: who waits with it; NULL: nobody */
	struct maui_arena kept;      /* as long as the explainer */
	struct maui_arena arena;     /* of the question */
	bool failed;                 /* no memory */
};

/* The job that is asked about. */
struct maui_asker {
	const struct maui_idle *idle;
	const struct maui_row *row;
	const struct maui_plan_job *planned;
	const struct maui_verdict *verdict;
	uint32_t job;
	struct maui_shape shape; /* with its access to reservations */
	int64_t limit_s;
	bool confined; /* it may run inside some reservations only */
};

/* asker.c: x->failed without memory. */
struct maui_asker maui_asker_make(struct maui_explainer *x, uint32_t job);
/* Positions and numbers of jobs ahead, of all jobs. */
int maui_explain_count_ahead(struct maui_explainer *x);
/* Whether a job that can start some day comes first. */
bool maui_explain_is_behind(struct maui_explainer *x, const struct maui_asker *a);

static inline struct maui_span maui_span_now(const struct maui_explainer *x, int64_t length_s)
{
	return (struct maui_span){ x->now_s, maui_when_add(x->now_s, length_s) };
}

/* Whether the explanation of one node holds for another: they look the same to a job that does not
 * name, exclude or avoid one of them. Only neighbours are compared. */
static inline bool maui_nodes_alike(const struct maui_explainer *x, uint32_t a, uint32_t b)
{
	return x->stretch[a] == x->stretch[b];
}

/* Whether the shape names, excludes or avoids the node. */
static inline bool maui_node_is_special(const struct maui_shape *shape, uint32_t node)
{
	return !maui_shape_is_uniform(shape) &&
	       (maui_shape_excludes(shape, node) || maui_shape_requires(shape, node) ||
		maui_shape_refused_until(shape, node) != INT64_MIN);
}

/* The nodes from n on, up to the one returned, have the same answer for the shape. */
static inline uint32_t maui_stretch_end(const struct maui_explainer *x,
					const struct maui_shape *shape, uint32_t n)
{
	uint32_t end = n + 1;

	if (maui_node_is_special(shape, n))
		return end;
	while (end < x->snapshot->node_count && maui_nodes_alike(x, n, end) &&
	       !maui_node_is_special(shape, end))
		end++;
	return end;
}

/* fits.c: whether the shape fits now for so long, beside other jobs or as if there were none */
bool maui_explain_fits(struct maui_explainer *x, const struct maui_shape *shape, int64_t length_s,
		       bool other_jobs);
/* The longest time, shorter than its limit, for which it would fit now; 0: none. */
int64_t maui_explain_longest(struct maui_explainer *x, const struct maui_asker *a);
/* The earliest moment at which it fits; MAUI_NEVER. */
int64_t maui_explain_earliest(struct maui_explainer *x, const struct maui_asker *a);

/* remainder.c: whether a claim of the timeline keeps the shape out during the span */
bool maui_claim_keeps_out(const struct maui_explainer *x, const struct maui_shape *shape,
			  uint32_t claim, struct maui_span span);
/* Whether the node can be of use to the shape: it is named, where enough are, and in a reservation
 * that the job may not leave. */
bool maui_node_is_asked(const struct maui_explainer *x, const struct maui_shape *shape,
			uint32_t node);
bool maui_node_matters(const struct maui_explainer *x, const struct maui_shape *shape,
		       uint32_t node);
/* What reservations leave of the node during a step, into amount_count numbers; false: nothing.
 * `beside`: reservations that do not admit the job count, too; else only its own are looked at. */
bool maui_step_remainder(const struct maui_explainer *x, const struct maui_shape *shape,
			 uint32_t node, const struct maui_step *step, struct maui_span span,
			 bool beside, int64_t *ret);
/* Tasks that the node takes in what is left of it during the span; *ret_claims: the set that leaves
 * least. */
int64_t maui_remainder_tasks(const struct maui_explainer *x, const struct maui_shape *shape,
			     uint32_t node, struct maui_span span, bool beside,
			     uint32_t *ret_claims);
/* The same of now, 0 where the node is not usable now, or excluded. */
int64_t maui_remainder_tasks_now(const struct maui_explainer *x, const struct maui_shape *shape,
				 uint32_t node, int64_t length_s);

/* blocking_reservation.c: whether permanent reservations leave the job no time at all */
bool maui_explain_kept_for_ever(struct maui_explainer *x, const struct maui_asker *a);
/* NULL: none blocks it, or no memory. */
const struct maui_blocking_reservation *maui_explain_blocking(struct maui_explainer *x,
							      const struct maui_asker *a);
/* own_reservation.c: the same of a job that may run in reservations only */
const struct maui_blocking_reservation *maui_explain_confined(struct maui_explainer *x,
							      const struct maui_asker *a);
/* why.c: what an answer about a claim begins with; why its access list does not admit the job */
struct maui_blocking_reservation maui_blocking_of_claim(const struct maui_claim *claim);
void maui_blocking_say_why(struct maui_explainer *x, const struct maui_asker *a,
			   const struct maui_claim *claim, struct maui_blocking_reservation *ret);
const struct maui_blocking_reservation *maui_blocking_keep(
	struct maui_explainer *x, const struct maui_blocking_reservation *blocking);

/* count_claims.c: the claim that closes most nodes to the job during the span, of those that the
 * function counts; NULL: none does. Of equals the one that begins first. */
typedef bool (*maui_counts_fn)(const struct maui_explainer *x, const struct maui_asker *a,
			       uint32_t claim, int64_t moment);
const struct maui_claim *maui_claim_on_most_nodes(struct maui_explainer *x,
						  const struct maui_asker *a, struct maui_span span,
						  maui_counts_fn counts, int64_t moment,
						  bool open_only);

/* node_reasons.c: NULL without memory */
const struct maui_node_reasons *maui_explain_nodes(struct maui_explainer *x,
						   const struct maui_asker *a);
const struct maui_licence_shortage *maui_explain_licence(struct maui_explainer *x,
							 const struct maui_asker *a);

#endif
