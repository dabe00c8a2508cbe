/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_question.h - what showbf and maui fits ask: whose job, what it requests, and where
 *
 * Rules: CMD-40.
 */
#ifndef MAUI_ANSWERS_FITS_QUESTION_H
#define MAUI_ANSWERS_FITS_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "answers/question.h"
#include "base/words.h"
#include "explain/hypothetical_job.h"
#include "verbs/fits.h"

struct maui_fits_asked {
	const struct maui_question *question;
	const struct maui_fits_args *args;
	const struct maui_document *p;
	const struct maui_snapshot *s;
	const char *cred[MAUI_CRED_COUNT];
	char number[16];   /* the user, when slurmctld does not know the name */
	bool hides_others; /* PrivateData: only of the asker's own credentials */
	bool account_assumed;
	bool uid_known; /* the user's id */
	uint32_t uid;
	bool claimed; /* the reservation is Slurm's own: */
	uint32_t claim;
	int64_t *gres; /* of each node, in the snapshot's dimensions; NULL: none */
	int64_t *gpus; /* of the whole job */
	/* of each partition and dimension: what nodes that are up have, and what jobs have of it;
	 * NULL: there are no generic resources */
	int64_t *gres_total, *gres_used;
	struct maui_words partitions; /* none: all of them */
	struct maui_explainer *x;
	struct maui_throttle *throttle;
};

/* Reads the arguments, of a question with a plan. -1 with error; then, too, the caller finishes
 * `a`. */
int maui_fits_read(struct maui_fits_asked *a);
void maui_fits_finish(struct maui_fits_asked *a);

/* Whether a job of the snapshot has the user, group, account ... of this name. */
bool maui_fits_has_job_of(const struct maui_fits_asked *a, enum maui_cred_kind kind,
			  const char *name);
bool maui_fits_is_account(const struct maui_fits_asked *a, const char *name);
/* -1 with error: there is no such account, QOS or feature as the question names. */
int maui_fits_check_names(const struct maui_fits_asked *a);

/* Whether the partition is one of those that are asked for. */
bool maui_fits_asks(const struct maui_fits_asked *a, uint32_t partition);

/* Whether the question names the size of the job. */
static inline bool maui_fits_is_sized(const struct maui_fits_asked *a)
{
	return a->args->nodes > 0 || a->args->tasks > 0 || a->gpus;
}

/* The question about one partition, with `least` about the least that a start needs; its request
 * is the question's arena's. -1 without memory. */
int maui_fits_ask(const struct maui_fits_asked *a, uint32_t partition, bool least,
		  struct maui_offer_question *ret);

#endif
