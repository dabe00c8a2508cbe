/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message.c - what goes over the query socket */
#include "query/message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

int maui_query_fail(struct maui_query_error *error, enum maui_query_code code, const char *fmt, ...)
{
	va_list args;

	if (!error)
		return -1;
	error->code = code;
	va_start(args, fmt);
	vsnprintf(error->err.text, sizeof(error->err.text), fmt, args);
	va_end(args);
	return -1;
}

int maui_query_no_memory(struct maui_query_error *error)
{
	return maui_query_fail(error, MAUI_QUERY_UNAVAILABLE, "no memory");
}

int maui_query_unplanned(struct maui_query_error *error)
{
	return maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
			       "slurmctld has planned nothing yet: try again in a moment");
}

static json_object *parse(const char *text, size_t length, int depth, int flags,
			  struct maui_err *err)
{
	struct json_tokener *tokener = json_tokener_new_ex(depth);
	json_object *message = NULL;

	if (!tokener) {
		maui_err_no_memory(err);
		return NULL;
	}
	json_tokener_set_flags(tokener, flags);
	if (length < INT32_MAX)
		message = json_tokener_parse_ex(tokener, text, (int)length);
	if (json_tokener_get_error(tokener) == json_tokener_continue)
		maui_err_set(err, "it is not complete");
	else if (json_tokener_get_error(tokener) != json_tokener_success)
		maui_err_set(err, "%s", json_tokener_error_desc(json_tokener_get_error(tokener)));
	else if (!json_object_is_type(message, json_type_object))
		maui_err_set(err, "it is not an object");
	else if (json_tokener_get_parse_end(tokener) == length) {
		json_tokener_free(tokener);
		return message;
	} else
		maui_err_set(err, "something follows the object");
	json_tokener_free(tokener);
	json_object_put(message);
	return NULL;
}

/* Whether the strict tokener takes the text with every byte above ASCII replaced: that of json-c
 * 0.18 takes such bytes for control characters. */
static bool is_strict(const char *text, size_t length, int depth, struct maui_err *err)
{
	char *ascii = malloc(length + 1);
	json_object *message;

	if (!ascii) {
		maui_err_no_memory(err);
		return false;
	}
	for (size_t i = 0; i < length; i++)
		ascii[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
	message = parse(ascii, length, depth, JSON_TOKENER_STRICT, err);
	free(ascii);
	json_object_put(message);
	return message;
}

json_object *maui_message_parse(const char *text, size_t length, int depth, struct maui_err *err)
{
	if (memchr(text, '\0', length)) {
		maui_err_set(err, "a NUL byte in it");
		return NULL;
	}
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)text[i] < 0x80)
			continue;
		if (!is_strict(text, length, depth, err))
			return NULL;
		return parse(text, length, depth, JSON_TOKENER_VALIDATE_UTF8, err);
	}
	return parse(text, length, depth, JSON_TOKENER_STRICT, err);
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

/* {"version": 1, key: value, ...}: takes `value` over. NULL without memory. */
static json_object *begin(const char *key, json_object *value)
{
	json_object *message = json_object_new_object();
	json_object *version = json_object_new_int(MAUI_QUERY_VERSION);

	if (message && version && value &&
	    json_object_object_add(message, "version", version) == 0) {
		if (json_object_object_add(message, key, value) == 0)
			return message;
	} else {
		json_object_put(version);
	}
	json_object_put(value);
	json_object_put(message);
	return NULL;
}

/* The text with a line's end; puts the message. */
static char *finish(json_object *message, size_t *ret_length)
{
	const char *text = NULL;
	char *line = NULL;
	size_t length;

	if (message)
		text = json_object_to_json_string_length(
			message, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
	if (text)
		line = malloc(length + 2);
	if (line) {
		memcpy(line, text, length);
		memcpy(line + length, "\n", 2);
		*ret_length = length + 1;
	}
	json_object_put(message);
	return line;
}

/* Texts of slurmctld may have bytes that are not UTF-8. An answer replaces them, because it must be
 * JSON. A request with such bytes is sent unchanged and refused: replaced, it would mean another
 * name. */
static char *finish_answer(json_object *message, size_t *ret_length)
{
	size_t length;
	char *line = finish(message, &length), *clean;

	if (!line)
		return NULL;
	clean = maui_utf8_clean(line, length, ret_length);
	free(line);
	return clean;
}

char *maui_message_format_request(const char *verb, json_object *args, size_t *ret_length)
{
	json_object *message = begin("verb", json_object_new_string(verb));

	if (!message || (args && json_object_object_add(message, "args", args) != 0)) {
		json_object_put(args);
		json_object_put(message);
		return NULL;
	}
	return finish(message, ret_length);
}

char *maui_message_format_text(const char *key, const char *text, size_t *ret_length)
{
	return finish(begin(key, json_object_new_string(text)), ret_length);
}

char *maui_message_format_result(json_object *result, size_t *ret_length)
{
	return finish_answer(begin("result", result ? result : json_object_new_object()),
			     ret_length);
}

char *maui_message_format_error(const struct maui_query_error *error, size_t *ret_length)
{
	json_object *message = begin("error", json_object_new_string(error->err.text));
	json_object *code = json_object_new_int((int)error->code);

	if (!message || !code || json_object_object_add(message, "code", code) != 0) {
		json_object_put(code);
		json_object_put(message);
		return NULL;
	}
	return finish_answer(message, ret_length);
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
