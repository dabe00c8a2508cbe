/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer.c - from a request's JSON to the JSON of the answer */

#include "answers/answer.h"

#include "record/read.h"
#include "record/write.h"

/* The arguments as a record. -1 with the error. */
static int read_args(const struct maui_verb *verb, const struct maui_question *q,
		     json_object *object, const void **ret)
{
	struct maui_err err;
	const struct maui_record_reader reader = { .arena = q->arena, .err = &err };
	void *args;

	*ret = NULL;
	if (!verb->args)
		return 0;
	*ret = args = maui_question_alloc(q, 1, verb->args->size);
	if (!args)
		return -1;
	if (maui_record_read(&reader, verb->args, object, args))
		return maui_query_fail(q->error, MAUI_QUERY_BAD, "%s", err.text);
	return 0;
}

json_object *maui_answer(const struct maui_verb *verb, maui_answer_fn answer,
			 const struct maui_query_call *call, struct maui_query_error *error)
{
	struct maui_arena arena = { 0 };
	const struct maui_question q = {
		.document = call->published, .uid = call->peer.uid, .arena = &arena, .error = error
	};
	const void *args, *record = NULL;
	json_object *ret = NULL;

	if (read_args(verb, &q, call->args, &args) == 0)
		record = answer(&q, args);
	if (record && !(ret = maui_record_json(verb->answer, record)))
		maui_question_no_memory(&q);
	maui_arena_finish(&arena);
	return ret;
}
