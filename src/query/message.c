/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.c - what goes over the query socket */
#include "query/message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "record/parse.h"
#include "record/write.h"

static void set(struct maui_query_error *error, enum maui_query_code code, const char *before,
		const char *fmt, va_list args)
{
	size_t length = strlen(before);

	if (!error)
		return;
	error->code = code;
	error->err.no_memory = false;
	memcpy(error->err.text, before, length);
	vsnprintf(error->err.text + length, sizeof(error->err.text) - length, fmt, args);
}

int maui_query_fail(struct maui_query_error *error, enum maui_query_code code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set(error, code, "", fmt, args);
	va_end(args);
	return -1;
}

int maui_query_denied(struct maui_query_error *error, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	set(error, MAUI_QUERY_DENIED, "not permitted: ", fmt, args);
	va_end(args);
	return -1;
}

int maui_query_no_memory(struct maui_query_error *error)
{
	maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "no memory");
	if (error)
		error->err.no_memory = true;
	return -1;
}

int maui_query_unplanned(struct maui_query_error *error)
{
	return maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
			       "slurmctld has planned nothing yet: try again in a moment");
}

int maui_query_unnamed(struct maui_query_error *error, uid_t uid)
{
	return maui_query_fail(error, MAUI_QUERY_BUSY,
			       "slurmctld is looking up the name of user id %u: try again",
			       (unsigned)uid);
}

static bool is_utf8(const char *text, size_t length)
{
	uint32_t character;

	for (size_t at = 0, step; at < length; at += step) {
		step = maui_utf8_decode(text + at, length - at, &character);
		if (step == 0)
			return false;
	}
	return true;
}

json_object *maui_message_parse(const char *text, size_t length, enum maui_message kind,
				struct maui_err *err)
{
	static const struct maui_json_bounds bounds[] = {
		[MAUI_MESSAGE_TEXT] = { .depth = 2, .values = MAUI_QUERY_MAX_TEXTS },
		[MAUI_MESSAGE_REQUEST] = { .depth = MAUI_QUERY_MAX_DEPTH,
					   .values = MAUI_QUERY_MAX_VALUES },
		[MAUI_MESSAGE_ANSWER] = { .depth = 2 * MAUI_QUERY_MAX_DEPTH,
					  .values = MAUI_QUERY_MAX_ANSWER_VALUES,
					  .parents = MAUI_QUERY_MAX_ANSWER_PARENTS },
	};
	json_object *message;

	if (memchr(text, '\0', length)) {
		maui_err_set(err, "a NUL byte in it");
		return NULL;
	}
	if (!is_utf8(text, length)) {
		maui_err_set(err, "it is not UTF-8");
		return NULL;
	}
	if (maui_json_parse(text, length, &bounds[kind], &message, err))
		return NULL;
	if (json_object_is_type(message, json_type_object))
		return message;
	maui_err_set(err, "it is not an object");
	json_object_put(message);
	return NULL;
}

/* The member, NULL when absent or null. *ret_wrong: it is there and of another type. */
static json_object *member(json_object *object, const char *key, json_type type, bool *ret_wrong)
{
	json_object *value = NULL;

	*ret_wrong = false;
	if (!object || !json_object_object_get_ex(object, key, &value) || !value)
		return NULL;
	*ret_wrong = !json_object_is_type(value, type);
	return *ret_wrong ? NULL : value;
}

int maui_message_text(json_object *args, const char *key, const char **ret,
		      struct maui_query_error *error)
{
	bool wrong;
	json_object *value = member(args, key, json_type_string, &wrong);
	const char *text = value ? json_object_get_string(value) : NULL;

	if (text && strlen(text) != (size_t)json_object_get_string_len(value))
		wrong = true;
	if (wrong)
		return maui_query_fail(error, MAUI_QUERY_BAD, "%s has to be a text", key);
	*ret = text;
	return 0;
}

int maui_message_number(json_object *args, const char *key, int64_t absent, int64_t *ret,
			struct maui_query_error *error)
{
	bool wrong;
	json_object *value = member(args, key, json_type_int, &wrong);

	if (wrong)
		return maui_query_fail(error, MAUI_QUERY_BAD, "%s has to be a whole number", key);
	*ret = value ? json_object_get_int64(value) : absent;
	return 0;
}

int maui_message_request(json_object *message, const char **ret_verb, json_object **ret_args,
			 struct maui_query_error *error)
{
	int64_t version = 0;
	bool wrong;

	if (maui_message_number(message, "version", 0, &version, error))
		return -1;
	if (version != MAUI_QUERY_VERSION)
		return maui_query_fail(error, MAUI_QUERY_BAD,
				       "version %lld: this slurmctld understands version %d",
				       (long long)version, MAUI_QUERY_VERSION);
	*ret_args = member(message, "args", json_type_object, &wrong);
	if (wrong)
		return maui_query_fail(error, MAUI_QUERY_BAD, "args has to be an object");
	if (maui_message_text(message, "verb", ret_verb, error))
		return -1;
	return *ret_verb ? 0 : maui_query_fail(error, MAUI_QUERY_BAD, "no verb");
}

int maui_message_cluster(json_object *message, const char *cluster, struct maui_query_error *error)
{
	const char *wanted;

	if (maui_message_text(message, "cluster", &wanted, error))
		return -1;
	if (!wanted || strcasecmp(wanted, cluster) == 0)
		return 0;
	return maui_query_fail(error, MAUI_QUERY_ERROR,
			       "this is slurmctld of cluster %s, the request is for %.64s", cluster,
			       wanted);
}

/* {"version": 1, key: ... */
static void begin(struct maui_strbuf *out, const char *key)
{
	maui_strbuf_addf(out, "{\"version\":%d,\"%s\":", MAUI_QUERY_VERSION, key);
}

/* Puts the value. */
static void add_value(struct maui_strbuf *out, json_object *value)
{
	const char *text = maui_record_json_text(value);

	if (!text)
		text = json_object_to_json_string_ext(
			value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text)
		maui_strbuf_add(out, text, strlen(text));
	else
		out->failed = true;
	json_object_put(value);
}

/* The text with the end of its object and of its line. */
static char *finish(struct maui_strbuf *out, size_t *ret_length)
{
	maui_strbuf_addf(out, "}\n");
	*ret_length = out->length;
	return maui_strbuf_steal(out);
}

/* Texts of slurmctld may have bytes that are not UTF-8. An answer replaces them, because it must be
 * JSON. A request with such bytes is sent unchanged and refused: replaced, it would mean another
 * name. */
static char *finish_answer(struct maui_strbuf *out, size_t *ret_length)
{
	size_t length;
	char *line = finish(out, &length), *clean;

	if (!line)
		return NULL;
	clean = maui_utf8_clean(line, length, ret_length);
	free(line);
	return clean;
}

char *maui_message_format_request(const char *verb, json_object *args, const char *cluster,
				  size_t *ret_length)
{
	struct maui_strbuf out = { 0 };

	begin(&out, "verb");
	maui_record_write_text(&out, verb);
	if (cluster) {
		maui_strbuf_addf(&out, ",\"cluster\":");
		maui_record_write_text(&out, cluster);
	}
	if (args) {
		maui_strbuf_addf(&out, ",\"args\":");
		add_value(&out, args);
	}
	return finish(&out, ret_length);
}

char *maui_message_format_text(const char *key, const char *text, size_t *ret_length)
{
	struct maui_strbuf out = { 0 };

	begin(&out, key);
	maui_record_write_text(&out, text);
	return finish(&out, ret_length);
}

char *maui_message_format_result(json_object *result, size_t *ret_length)
{
	struct maui_strbuf out = { 0 };

	begin(&out, "result");
	if (result)
		add_value(&out, result);
	else
		maui_strbuf_addf(&out, "{}");
	return finish_answer(&out, ret_length);
}

int maui_message_check_result(const char *line, size_t length, struct maui_query_error *error)
{
	enum { SHORTEST_VALUE = 2 }; /* "0,"; of a list or object "[]" */
	size_t values, parents;

	if (length > MAUI_QUERY_MAX_ANSWER)
		return maui_query_fail(error, MAUI_QUERY_ERROR,
				       "the answer is longer than %u bytes: ask for less",
				       MAUI_QUERY_MAX_ANSWER);
	if (length / SHORTEST_VALUE <= MAUI_QUERY_MAX_ANSWER_VALUES &&
	    length / SHORTEST_VALUE <= MAUI_QUERY_MAX_ANSWER_PARENTS)
		return 0;
	maui_json_count(line, length, &values, &parents);
	if (values > MAUI_QUERY_MAX_ANSWER_VALUES)
		return maui_query_fail(error, MAUI_QUERY_ERROR,
				       "the answer has more than %u values: ask for less",
				       MAUI_QUERY_MAX_ANSWER_VALUES);
	if (parents > MAUI_QUERY_MAX_ANSWER_PARENTS)
		return maui_query_fail(
			error, MAUI_QUERY_ERROR,
			"the answer has more than %u lists and objects: ask for less",
			MAUI_QUERY_MAX_ANSWER_PARENTS);
	return 0;
}

char *maui_message_format_error(const struct maui_query_error *error, size_t *ret_length)
{
	struct maui_strbuf out = { 0 };

	begin(&out, "error");
	maui_record_write_text(&out, error->err.text);
	maui_strbuf_addf(&out, ",\"code\":%d", (int)error->code);
	return finish_answer(&out, ret_length);
}

int maui_message_answer(json_object *message, json_object **ret_result,
			struct maui_query_error *error)
{
	json_object *result;
	const char *text;
	int64_t code = 0;
	bool wrong;

	if (maui_message_text(message, "error", &text, error) ||
	    maui_message_number(message, "code", MAUI_QUERY_ERROR, &code, error))
		return -1;
	if (text) {
		bool known = code > MAUI_QUERY_DONE && code <= MAUI_QUERY_NOT_YET;

		return maui_query_fail(error, known ? (enum maui_query_code)code : MAUI_QUERY_ERROR,
				       "%s", *text ? text : "slurmctld refused and gave no reason");
	}
	result = member(message, "result", json_type_object, &wrong);
	if (!result)
		return maui_query_fail(error, MAUI_QUERY_ERROR, "the answer has no result");
	*ret_result = json_object_get(result);
	return 0;
}
