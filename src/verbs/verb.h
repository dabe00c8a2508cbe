/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verb.h - what slurmctld can be asked for over the query socket
 *
 * A verb has a name, users who may use it, a record of arguments and a record that is the answer.
 * Clients and server know them from here: the client fills the arguments and reads the answer
 * (cmd/query.h), the server reads the arguments and fills the answer (answers/answer.h). A question
 * is answered at once, from the last plan; a change is made by the agent.
 */
#ifndef MAUI_VERBS_VERB_H
#define MAUI_VERBS_VERB_H

#include "record/record.h"

/* Each verb once, by name. Code that needs something for each verb expands this list: a verb that
 * lacks it does not compile. */
/* clang-format off */
#define MAUI_VERBS(QUESTION, CHANGE) \
	CHANGE(changejob) \
	CHANGE(changeparam) \
	QUESTION(config) \
	QUESTION(credentials) \
	QUESTION(fairshare) \
	QUESTION(fits) \
	QUESTION(job) \
	QUESTION(jobs) \
	CHANGE(keeptrial) \
	QUESTION(metrics) \
	QUESTION(nodes) \
	QUESTION(priorities) \
	QUESTION(queue) \
	CHANGE(releaseres) \
	QUESTION(report) \
	QUESTION(reservations) \
	CHANGE(resetstats) \
	CHANGE(restoreres) \
	CHANGE(setres) \
	QUESTION(snapshot) \
	QUESTION(start) \
	QUESTION(state) \
	QUESTION(statistics) \
	QUESTION(trial)
#define MAUI_VERB_NONE(tag) /* for places that need nothing for questions, or for changes */
/* clang-format on */

#define MAUI_VERB_NUMBER(tag) MAUI_VERB_##tag,
enum maui_verb_number { MAUI_VERBS(MAUI_VERB_NUMBER, MAUI_VERB_NUMBER) MAUI_VERB_COUNT };

#define MAUI_VERB_ASKS(tag)    MAUI_VERB_CHANGES_##tag = false,
#define MAUI_VERB_CHANGES(tag) MAUI_VERB_CHANGES_##tag = true,
enum { MAUI_VERBS(MAUI_VERB_ASKS, MAUI_VERB_CHANGES) };

/* Who may use a verb. */
enum maui_verb_who {
	MAUI_WHO_ALL,   /* every user, for what Slurm lets this user see */
	MAUI_WHO_NODES, /* every user; under PrivateData=nodes as STAFF */
	MAUI_WHO_OWNER, /* every user, for what belongs to this user; administrators for all */
	MAUI_WHO_STAFF, /* who sees everything: ADMIN1 to ADMIN3, Slurm's operators */
	MAUI_WHO_ADMIN, /* root, SlurmUser, ADMIN1 */
};

struct maui_verb {
	const char *name;
	enum maui_verb_number number;
	bool is_change;
	enum maui_verb_who who;
	const struct maui_record_type *args; /* NULL: none */
	const struct maui_record_type *answer;
	const char *what; /* it is for, for doc/query.md */
};

/* maui_verb_X: X.h says what it is, and verbs.c, which includes all of them, defines it. */
#define MAUI_VERB_DECLARE(tag) extern const struct maui_verb maui_verb_##tag;
MAUI_VERBS(MAUI_VERB_DECLARE, MAUI_VERB_DECLARE)
#ifdef MAUI_RECORDS_HERE
#define MAUI_VERB(tag, who, args, answer, what)                                                    \
	const struct maui_verb maui_verb_##tag = {                                                 \
		#tag, MAUI_VERB_##tag, MAUI_VERB_CHANGES_##tag, MAUI_WHO_##who, args, answer, what \
	}
#else
#define MAUI_VERB(tag, who, args, answer, what) extern const struct maui_verb maui_verb_##tag
#endif

extern const struct maui_verb *const maui_verbs[MAUI_VERB_COUNT];

#endif
