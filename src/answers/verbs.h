/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.h - who answers what slurmctld is asked for over the query socket (verbs/verb.h): questions
 * have a function here, changes are the agent's
 */
#ifndef MAUI_ANSWERS_VERBS_H
#define MAUI_ANSWERS_VERBS_H

#include "query/server.h"

/* Its published value is a struct maui_document; `own` of its verbs is the struct maui_verb. */
extern const struct maui_query_service maui_answers;

#endif
