/* SPDX-License-Identifier: GPL-2.0-or-later */
/* advice.h - what would let a job start now: the findings and their sentences
 *
 * In: a finished plan and an explanation. Out: what was tried and helps, each with its sentence and
 * its command. When the job could start otherwise: outlook.h.
 *
 * 	with a time limit of at most 2:00:00 it would start now
 * 	on 1 node instead of 4 it would start now
 * 	in partition fast it would start now, if you may use it
 * 	in reservation biz it would start now
 *
 * Rules: CMD-41, CMD-42.
 */
#ifndef MAUI_EXPLAIN_ADVICE_H
#define MAUI_EXPLAIN_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "base/strbuf.h"
#include "explain/explain.h"
#include "explain/hypothetical_job.h"

struct maui_violation;

/* What a job may have instead of what it asks for. */
enum maui_advice_kind {
	MAUI_ADVICE_TIME_LIMIT,
	MAUI_ADVICE_NODES,
	MAUI_ADVICE_PARTITION,
	MAUI_ADVICE_RESERVATION,
};

struct maui_advice {
	enum maui_advice_kind kind;
	bool asks_slurm;            /* it starts only if Slurm finds a place for it */
	int64_t limit_s;            /* TIME_LIMIT: at most; whole minutes, which Slurm takes */
	uint32_t nodes, instead_of; /* NODES */
	int64_t tasks, procs;       /* NODES: of the job, in proportion to its nodes */
	const char *name;           /* PARTITION, RESERVATION */
};

enum { MAUI_ADVICE_SIZE = MAUI_NAME_MAX + 192 };
/* The sentence; and the command that makes the change of this job. Both return buf. */
char *maui_advice_text(const struct maui_advice *advice, char *buf, size_t size);
char *maui_advice_command(const struct maui_advice *advice, uint64_t job_id, char *buf,
			  size_t size);

struct maui_advice_list {
	struct maui_advice list[2 + 2 * MAUI_HELP_TRIES];
	size_t count;
};

/* What would let the waiting job start now; `uid`: of its user. Partitions and reservations are
 * tried, MAUI_HELP_TRIES of each at most: of reservations those of the list (indices of the
 * plan's), which the job does not name. `e` is the job's complete explanation, which is no longer
 * valid afterwards. -1 without memory. */
int maui_advice_of_job(struct maui_explainer *x, uint32_t job, uint32_t uid,
		       const struct maui_explanation *e, const uint32_t *rsvs, size_t rsv_count,
		       struct maui_advice_list *ret);
/* The same of a hypothetical job: a shorter time limit, and fewer nodes than the request has. */
void maui_advice_of_hypothetical(const struct maui_offer_question *question,
				 const struct maui_would_start *would,
				 struct maui_advice_list *ret);

/* Writes who uses the limit: "MAXJOB USER ann 2/2 (hard): in use by 11, 12 and 3 more"; for an idle
 * limit "in use by waiting jobs 13". The list has the first MAUI_HELP_JOBS of `count` jobs. */
void maui_advice_limit_users(const struct maui_violation *violation, const char *const *jobs,
			     size_t count, struct maui_strbuf *ret);

/* What ends a sentence on what would start now: "" or, of a request that asks Slurm, that this is
 * an upper bound. */
const char *maui_advice_if_slurm(bool asks_slurm);

/* The longest time limit with which the job would start now. false: there is none. */
bool maui_advice_limit(const struct maui_explanation *e, struct maui_advice *ret);

#endif
