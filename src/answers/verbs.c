/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.c - who answers which verb: a question is answered here, a change is the agent's */
#include "answers/verbs.h"

#include "answers/answer.h"
#include "verbs/verb.h"

static maui_answer_fn *const answers[MAUI_VERB_COUNT] = {
#define ANSWER(tag) [MAUI_VERB_##tag] = maui_answer_##tag,
	MAUI_VERBS(ANSWER, MAUI_VERB_NONE)
};

static json_object *answer(const struct maui_query_call *call, struct maui_query_error *error)
{
	const struct maui_verb *verb = call->verb->own;

	return maui_answer(verb, answers[verb->number], call, error);
}

static const struct maui_query_verb verbs[] = {
#define QUESTION(tag) { #tag, answer, &maui_verb_##tag },
#define CHANGE(tag)   { #tag, NULL, &maui_verb_##tag },
	MAUI_VERBS(QUESTION, CHANGE)
};

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
