/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer.h - from a request's JSON to the JSON of the answer */
#ifndef MAUI_ANSWERS_ANSWER_H
#define MAUI_ANSWERS_ANSWER_H

#include "answers/question.h"
#include "query/server.h"
#include "verbs/verb.h"

/* In: the record of the verb's arguments (NULL if it has none). Out: the record of its answer, of
 * the question's arena; NULL with the question's error. */
typedef const void *(*maui_answer_fn)(const struct maui_question *q, const void *args);

/* Reads the call's arguments, has them answered, writes the answer: an object that prints itself.
 * NULL with error. */
json_object *maui_answer(const struct maui_verb *verb, maui_answer_fn answer,
			 const struct maui_query_call *call, struct maui_query_error *error);

#endif
