/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer.h - from a request's JSON to the JSON of the answer: questions as a whole, of changes each
 * step, as the agent answers them later */
#ifndef MAUI_ANSWERS_ANSWER_H
#define MAUI_ANSWERS_ANSWER_H

#include "answers/question.h"
#include "query/server.h"
#include "verbs/verb.h"

/* In: the record of the verb's arguments (NULL if it has none). Out: the record of its answer, of
 * the question's arena; NULL with the question's error. */
typedef const void *maui_answer_fn(const struct maui_question *q, const void *args);

/* maui_answer_X, of each question X; X.c has it, with the errors that it gives. */
#define MAUI_ANSWER_DECLARE(tag) maui_answer_fn maui_answer_##tag;
MAUI_VERBS(MAUI_ANSWER_DECLARE, MAUI_VERB_NONE)

/* The arguments of a request as the verb's record: of the arena, with texts borrowed of them. *ret
 * NULL: the verb has none. -1 with error. */
int maui_answer_args(const struct maui_verb *verb, json_object *args, struct maui_arena *arena,
		     const void **ret, struct maui_query_error *error);
/* The record of the verb's answer as an object that prints itself. NULL: without memory, with
 * error; or there is no record, and the error says why. */
json_object *maui_answer_json(const struct maui_verb *verb, const void *record,
			      struct maui_query_error *error);

/* Reads the call's arguments, has them answered, writes the answer: an object that prints itself.
 * NULL with error. */
json_object *maui_answer(const struct maui_verb *verb, maui_answer_fn *answer,
			 const struct maui_query_call *call, struct maui_query_error *error);

#endif
