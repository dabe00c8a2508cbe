/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verb.h - what slurmctld can be asked for over the query socket
 *
 * A verb has a name, a record of arguments and a record that is the answer. Clients and server know
 * both from here: the client fills the arguments and reads the answer (cmd/ask.h), the server reads
 * the arguments and fills the answer (answers/answers.h).
 */
#ifndef MAUI_VERBS_VERB_H
#define MAUI_VERBS_VERB_H

#include "record/record.h"

struct maui_verb {
	const char *name;
	const struct maui_record_type *args; /* NULL: none */
	const struct maui_record_type *answer;
};

#define MAUI_VERB(tag, word, args_type, answer_type) \
	const struct maui_verb maui_verb_##tag = { word, args_type, answer_type }

#endif
