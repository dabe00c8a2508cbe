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
#include "verbs/names.h"

#define MAUI_VERB_NONE(tag)   /* for places that need nothing for questions, or for changes */

#define MAUI_VERB_NUMBER(tag) MAUI_VERB_##tag,
enum maui_verb_number { MAUI_VERBS(MAUI_VERB_NUMBER, MAUI_VERB_NUMBER) MAUI_VERB_COUNT };

#define MAUI_VERB_ASKS(tag)    MAUI_VERB_CHANGES_##tag = false,
#define MAUI_VERB_CHANGES(tag) MAUI_VERB_CHANGES_##tag = true,
enum { MAUI_VERBS(MAUI_VERB_ASKS, MAUI_VERB_CHANGES) };

/* Who may use a verb. */
enum maui_verb_who {
	MAUI_WHO_ALL,   /* every user, for what Slurm lets this user see */
	MAUI_WHO_NODES, /* every user; under PrivateData=nodes as STAFF */
	MAUI_WHO_WHOLE, /* every user; under PrivateData=nodes or partitions as STAFF */
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

/* maui_verb_X: a row of X.h, which verbs.c, with all of them, defines. The list MAUI_VERBS is made
 * from these rows. */
#define MAUI_VERB_DECLARE(tag) extern const struct maui_verb maui_verb_##tag;
MAUI_VERBS(MAUI_VERB_DECLARE, MAUI_VERB_DECLARE)
#ifdef MAUI_RECORDS_HERE
#define MAUI_VERB(tag, is_change, who, args, answer, what)                           \
	_Static_assert(MAUI_VERB_CHANGES_##tag == (is_change), "run ./bootstrap");   \
	const struct maui_verb maui_verb_##tag = {                                   \
		#tag, MAUI_VERB_##tag, is_change, MAUI_WHO_##who, args, answer, what \
	}
#else
#define MAUI_VERB(tag, is_change, who, args, answer, what) \
	extern const struct maui_verb maui_verb_##tag
#endif
#define MAUI_QUESTION(tag, who, args, answer, what) MAUI_VERB(tag, false, who, args, answer, what)
#define MAUI_CHANGE(tag, who, args, answer, what)   MAUI_VERB(tag, true, who, args, answer, what)

extern const struct maui_verb *const maui_verbs[MAUI_VERB_COUNT];

#endif
