/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hypothetical_job.h - a job that nobody has submitted: what it could have, and what would help it
 *
 * In: a finished plan, credentials, and what a job would request. Out: how many processors and
 * nodes are free for how long, or whether a job of one shape would start, and if not, what would
 * let it. Started jobs, job reservations and reservations count as the next cycle will count them;
 * a reservation that admits the user counts as free.
 *
 * Rules: CMD-40, CMD-41.
 */
#ifndef MAUI_EXPLAIN_HYPOTHETICAL_JOB_H
#define MAUI_EXPLAIN_HYPOTHETICAL_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "explain/explain.h"
#include "model/cred.h"
#include "model/decision.h"
#include "model/snapshot.h"
#include "policy/admission.h"

struct maui_config;
struct maui_throttle;

/* A hypothetical job. */
struct maui_offer_question {
	const char *cred[MAUI_CRED_COUNT]; /* NULL: none; the class is the partition's name */
	uint32_t partition;
	/* for maui_explain_offers() its numbers of nodes and tasks do not matter */
	const struct maui_request *request;
	int64_t limit_s;    /* MAUI_NEVER: none */
	int64_t named_s;    /* the longest time that the user names, for MaxTime; 0: none */
	const char *advres; /* reservation that it names; NULL: none */
	/* for the rules by which Slurm admits jobs to the partition */
	bool uid_known;
	uint32_t uid;              /* of the user */
	const char *primary_group; /* of the user, not of the job; NULL: not known */
	bool names_a_reservation;  /* of any kind */
	/* the limits in use: maui_plan_throttle(); NULL: no limit counts */
	struct maui_throttle *throttle;
};

/* Why no job of the question starts, even on idle nodes. */
struct maui_closed {
	bool down;     /* the partition starts no jobs */
	bool too_long; /* Slurm's own check: the user names a time above MaxTime */
	bool qos;      /* maui.cfg does not let the user have the QOS in the partition (THR-13) */
	/* Slurm's rule of the partition that keeps the job out; MAUI_ADMISSION_OPEN: none */
	enum maui_admission_rule rule;
};

struct maui_closed maui_explain_closed(const struct maui_explainer *x,
				       const struct maui_offer_question *question);
/* The same before there is a plan. */
struct maui_closed maui_closed_in(const struct maui_config *config,
				  const struct maui_snapshot *snapshot,
				  const struct maui_offer_question *question);

/* Processors that are free now, for some time. */
struct maui_offers {
	/* the widest and shortest first; each next one is narrower and longer */
	const struct maui_window *windows;
	uint32_t count;
	/* the limit that makes the first window narrower than what is free; NULL: none */
	const char *limit;
	/* why no job of these credentials starts out of turn; NULL: it may */
	const char *obstacle;
};

/* `whole`: of nodes that are wholly free. Windows that are shorter than least_s are left out.
 * -1 without memory. `ret` is valid until the next question. */
int maui_explain_offers(struct maui_explainer *x, const struct maui_offer_question *question,
			bool whole, int64_t least_s, struct maui_offers *ret);

/* Of each of these many equal parts of the time from now on: the processors that are free at its
 * beginning for a job of these credentials. -1 without memory. */
int maui_explain_free(struct maui_explainer *x, const struct maui_offer_question *question,
		      int64_t part_s, uint32_t parts, int64_t *ret_procs);

struct maui_would_start {
	bool now;
	struct maui_explanation e; /* of a job that does not start; e.now_s is set */
	/* as far as nodes and limits decide, if the jobs planned now keep their places; MAUI_NEVER:
	 * unknown */
	int64_t earliest_s;
	bool limited;  /* a limit keeps the job from starting now */
	bool preempts; /* it may preempt jobs, which is not looked at */
	/* the idle job whose job reservation, with those of lower priority, keeps it from an earlier
	 * start: with a higher priority than that job's it could start earlier; UINT32_MAX: none */
	uint32_t ahead;
	int64_t longest_s;    /* with this limit, in whole minutes, it would start now; 0: none */
	uint32_t fewer_nodes; /* with so many nodes it would start now; 0: none */
};

/* Whether a job with this request would start in the next cycle, if no job ahead of it takes the
 * nodes. `fewer`: also looks for fewer nodes. -1 without memory. `ret` is valid until the next
 * question. */
int maui_explain_would_start(struct maui_explainer *x, const struct maui_offer_question *question,
			     bool fewer, struct maui_would_start *ret);

/* Why a job with this request can never start, at any time, in the words of squeue's reason; *ret
 * NULL: it can some day, as far as nodes decide. -1 without memory. `ret` is valid until the next
 * question. */
int maui_explain_never_fits(struct maui_explainer *x, const struct maui_offer_question *question,
			    const char **ret);

/* maui_explain_would_start() in short: whether it would start; the most nodes, fewer than
 * requested, on which it fits now, 0: none. -1 without memory. */
int maui_explain_starts_now(struct maui_explainer *x, const struct maui_offer_question *question,
			    bool *ret);
int maui_explain_fewer_nodes(struct maui_explainer *x, const struct maui_offer_question *question,
			     uint32_t *ret);

/* What reservations could serve a job of the question. */
struct maui_admitting {
	/* of each reservation of the plan: for how long a job may overlap it; MAUI_NEVER: without
	 * end; 0: it does not admit the job, or the job names other reservations */
	int64_t *longest_s;
	bool *nodes; /* of each node of the snapshot: whether it could serve the job */
};

/* `sized`: the question has the size of the job; else a reservation that looks at the size is left
 * out. -1 without memory. The lists are the caller's, for all reservations and nodes. */
int maui_explain_admitting(struct maui_explainer *x, const struct maui_offer_question *question,
			   bool sized, const struct maui_admitting *ret);

#endif
