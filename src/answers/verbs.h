/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.h - what slurmctld can be asked for over the query socket; README.md has their arguments
 *
 * A new command is a row here: a question has a function, a change is the agent's.
 */
#ifndef MAUI_ANSWERS_VERBS_H
#define MAUI_ANSWERS_VERBS_H

#include "query/server.h"

/* Its published value is a struct maui_document. */
extern const struct maui_query_service maui_answers;

#define MAUI_VERB_CHANGEJOB    "changejob"
#define MAUI_VERB_CHANGEPARAM  "changeparam"
#define MAUI_VERB_CREDENTIALS  "credentials"
#define MAUI_VERB_FAIRSHARE    "fairshare"
#define MAUI_VERB_CONFIG       "config"
#define MAUI_VERB_FITS         "fits"
#define MAUI_VERB_JOB          "job"
#define MAUI_VERB_JOBS         "jobs"
#define MAUI_VERB_KEEPTRIAL    "keeptrial" /* maui trial --keep */
#define MAUI_VERB_METRICS      "metrics"
#define MAUI_VERB_NODES        "nodes"
#define MAUI_VERB_PRIORITIES   "priorities"
#define MAUI_VERB_REPORT       "report"
#define MAUI_VERB_QUEUE        "queue"
#define MAUI_VERB_RESERVATIONS "reservations"
#define MAUI_VERB_SNAPSHOT     "snapshot"
#define MAUI_VERB_SETRES       "setres"
#define MAUI_VERB_STATE        "state"
#define MAUI_VERB_START        "start"
#define MAUI_VERB_STATISTICS   "statistics"
#define MAUI_VERB_TRIAL        "trial"
#define MAUI_VERB_RELEASERES   "releaseres"
#define MAUI_VERB_RESETSTATS   "resetstats"
#define MAUI_VERB_RESTORERES   "restoreres" /* releaseres --undo */

#endif
