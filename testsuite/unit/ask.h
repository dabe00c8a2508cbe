/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask.h - asks a document as a client would: arguments and answer are JSON on the way */
#ifndef MAUI_TEST_ASK_H
#define MAUI_TEST_ASK_H

#include <criterion/criterion.h>

#include "answers/answer.h"
#include "record/write.h"

static json_object *as_client_sees(json_object *made)
{
	json_object *read = json_tokener_parse(json_object_to_json_string(made));

	cr_assert(read, "%s", json_object_to_json_string(made));
	json_object_put(made);
	return read;
}

/* The answer; NULL with error. `args` is the record of the verb's arguments. */
static json_object *ask_verb(const struct maui_verb *verb, maui_answer_fn *answer,
			     const struct maui_document *document, uid_t uid, const void *args,
			     struct maui_query_error *error)
{
	struct maui_query_call call = { .peer.uid = uid, .published = document };
	json_object *made;

	if (args)
		call.args = as_client_sees(maui_record_json(verb->args, args));
	made = maui_answer(verb, answer, &call, error);
	json_object_put(call.args);
	return made ? as_client_sees(made) : NULL;
}

/* ---- what an answer has; a test fails where it has no such member ---- */

static inline json_object *member(json_object *object, const char *key)
{
	json_object *value = NULL;

	cr_assert(json_object_object_get_ex(object, key, &value), "no %s in %s", key,
		  json_object_get_string(object));
	return value;
}

static inline int64_t number(json_object *object, const char *key)
{
	return json_object_get_int64(member(object, key));
}

static inline double real(json_object *object, const char *key)
{
	return json_object_get_double(member(object, key));
}

#endif
