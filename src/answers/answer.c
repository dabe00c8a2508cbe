/* SPDX-License-Identifier: GPL-2.0-or-later */
/* answer.c - from a request's JSON to the JSON of the answer */

#include "answers/answer.h"

#include "record/read.h"
#include "record/write.h"

int maui_answer_args(const struct maui_verb *verb, json_object *args, struct maui_arena *arena,
		     const void **ret, struct maui_query_error *error)
{
	struct maui_err err;
	const struct maui_record_reader reader = { .arena = arena,
						   .err = &err,
						   .null_is_absent = true };
	void *record;
	int rc;

	*ret = NULL;
	if (!verb->args)
		return 0;
	*ret = record = maui_arena_alloc(arena, verb->args->size);
	if (!record)
		return maui_query_no_memory(error);
	rc = maui_record_read(&reader, verb->args, args, record);
	if (rc == MAUI_RECORD_NO_MEMORY)
		return maui_query_no_memory(error);
	return rc ? maui_query_fail(error, MAUI_QUERY_BAD, "%s", err.text) : 0;
}

json_object *maui_answer_json(const struct maui_verb *verb, const void *record,
			      struct maui_query_error *error)
{
	json_object *ret = record ? maui_record_json(verb->answer, record) : NULL;

	if (record && !ret)
		maui_query_no_memory(error);
	return ret;
}

/* Whether the user may ask this at all; else with the question's error. */
static bool may_ask(const struct maui_verb *verb, const struct maui_question *q)
{
	if (verb->who == MAUI_WHO_STAFF && !maui_document_sees_all(q->document, q->uid))
		maui_query_denied(q->error, "this is for administrators of maui.cfg and Slurm's "
					    "operators");
	else if ((verb->who == MAUI_WHO_NODES || verb->who == MAUI_WHO_WHOLE) &&
		 maui_document_hides_nodes(q->document, q->uid))
		maui_query_denied(q->error, "PrivateData=nodes shows nodes to operators only");
	else if (verb->who == MAUI_WHO_WHOLE && maui_document_hides_partitions(q->document, q->uid))
		maui_query_denied(q->error, "PrivateData=partitions shows partitions to "
					    "operators only");
	else
		return true;
	return false;
}

json_object *maui_answer(const struct maui_verb *verb, maui_answer_fn *answer,
			 const struct maui_query_call *call, struct maui_query_error *error)
{
	struct maui_arena arena = { 0 };
	const struct maui_question q = {
		.document = call->published, .uid = call->peer.uid, .arena = &arena, .error = error
	};
	const struct maui_query_error before = *error;
	json_object *ret = NULL;
	const void *args;

	/* what an answer that says nothing else lacks */
	maui_query_no_memory(error);
	if (may_ask(verb, &q) && maui_answer_args(verb, call->args, &arena, &args, error) == 0)
		ret = maui_answer_json(verb, answer(&q, args), error);
	if (ret && arena.failed) {
		json_object_put(ret);
		ret = NULL;
		maui_query_no_memory(error);
	}
	if (ret)
		*error = before;
	maui_arena_finish(&arena);
	return ret;
}
