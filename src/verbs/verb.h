/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verb.h - what slurmctld can be asked for over the query socket
 *
 * A verb has a name, a record of arguments and a record that is the answer. Clients and server know
 * both from here: the client fills the arguments and reads the answer (cmd/query.h), the server
 * reads the arguments and fills the answer (answers/answer.h). A question is answered at once, from
 * the last plan; a change is made by the agent.
 */
#ifndef MAUI_VERBS_VERB_H
#define MAUI_VERBS_VERB_H

#include "record/record.h"

struct maui_verb {
	const char *name;
	bool is_change;
	const struct maui_record_type *args; /* NULL: none */
	const struct maui_record_type *answer;
	const char *what; /* it is for, for doc/query.md */
};

#define MAUI_QUESTION(tag, word, args, answer, what) \
	const struct maui_verb maui_verb_##tag = { word, false, args, answer, what }
#define MAUI_CHANGE(tag, word, args, answer, what) \
	const struct maui_verb maui_verb_##tag = { word, true, args, answer, what }

#endif
