/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.c - who answers which verb: a question is answered here, a change is the agent's */
#include "answers/verbs.h"

#include "answers/answer.h"
#include "answers/config.h"
#include "answers/credentials.h"
#include "answers/fairshare.h"
#include "answers/fits.h"
#include "answers/job.h"
#include "answers/jobs.h"
#include "answers/metrics.h"
#include "answers/nodes.h"
#include "answers/priorities.h"
#include "answers/queue.h"
#include "answers/report.h"
#include "answers/reservations.h"
#include "answers/snapshot.h"
#include "answers/start.h"
#include "answers/state.h"
#include "answers/statistics.h"
#include "answers/trial.h"
#include "verbs/config.h"
#include "verbs/credentials.h"
#include "verbs/fairshare.h"
#include "verbs/fits.h"
#include "verbs/job.h"
#include "verbs/jobs.h"
#include "verbs/metrics.h"
#include "verbs/nodes.h"
#include "verbs/priorities.h"
#include "verbs/queue.h"
#include "verbs/report.h"
#include "verbs/reservations.h"
#include "verbs/snapshot.h"
#include "verbs/start.h"
#include "verbs/state.h"
#include "verbs/statistics.h"
#include "verbs/trial.h"

/* A question, and who answers it. */
struct question {
	const struct maui_verb *verb;
	maui_answer_fn answer;
};

static json_object *answer(const struct maui_query_call *call, struct maui_query_error *error)
{
	const struct question *question = call->verb->own;

	return maui_answer(question->verb, question->answer, call, error);
}

/* A row a line, so that changes that add one merge. */
/* clang-format off */
#define QUESTION(name, tag) \
	{ name, answer, &(const struct question){ &maui_verb_##tag, maui_answer_##tag } }
#define CHANGE(name) { name, NULL, NULL }

static const struct maui_query_verb verbs[] = {
	CHANGE(MAUI_VERB_CHANGEJOB),
	CHANGE(MAUI_VERB_CHANGEPARAM),
	QUESTION(MAUI_VERB_CONFIG, config),
	QUESTION(MAUI_VERB_CREDENTIALS, credentials),
	QUESTION(MAUI_VERB_FAIRSHARE, fairshare),
	QUESTION(MAUI_VERB_FITS, fits),
	QUESTION(MAUI_VERB_JOB, job),
	QUESTION(MAUI_VERB_JOBS, jobs),
	CHANGE(MAUI_VERB_KEEPTRIAL),
	QUESTION(MAUI_VERB_METRICS, metrics),
	QUESTION(MAUI_VERB_NODES, nodes),
	QUESTION(MAUI_VERB_PRIORITIES, priorities),
	QUESTION(MAUI_VERB_QUEUE, queue),
	CHANGE(MAUI_VERB_RELEASERES),
	QUESTION(MAUI_VERB_REPORT, report),
	QUESTION(MAUI_VERB_RESERVATIONS, reservations),
	CHANGE(MAUI_VERB_RESETSTATS),
	CHANGE(MAUI_VERB_RESTORERES),
	CHANGE(MAUI_VERB_SETRES),
	QUESTION(MAUI_VERB_SNAPSHOT, snapshot),
	QUESTION(MAUI_VERB_START, start),
	QUESTION(MAUI_VERB_STATE, state),
	QUESTION(MAUI_VERB_STATISTICS, statistics),
	QUESTION(MAUI_VERB_TRIAL, trial),
};
/* clang-format on */

static void ref_document(void *published)
{
	maui_document_ref(published);
}

static void unref_document(void *published)
{
	maui_document_unref(published);
}

static bool knows_user(const void *published, uid_t uid)
{
	return maui_document_knows(published, uid);
}

const struct maui_query_service maui_answers = {
	.verbs = verbs,
	.verb_count = sizeof(verbs) / sizeof(verbs[0]),
	.ref = ref_document,
	.unref = unref_document,
	.knows = knows_user,
};
