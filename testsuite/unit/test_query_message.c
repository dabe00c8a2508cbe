/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_query_message.c - requests and answers on the query socket, and what is none */
#include "query/message.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "record/parse.h"
#include "rows.h"

struct row {
	const char *text;
	const char *verb; /* NULL: refused */
	const char *says;
};

static const struct row rows[] = {
	{ "{\"version\":1,\"verb\":\"a\"}", "a", "" },
	{ " {\"verb\":\"a\",\"version\":1,\"args\":{\"x\":[[[[]]]]},\"other\":7}", "a", "" },
	{ "{\"version\":1,\"verb\":\"a\",\"args\":null}", "a", "" },
	{ "{\"version\":1,\"verb\":\"\xc3\xbc\"}", "\xc3\xbc", "" },
	/* no JSON */
	{ "", NULL, "not complete" },
	{ "hello", NULL, "" },
	{ "{", NULL, "not complete" },
	{ "{\"version\":1,\"verb\":\"a\"}{", NULL, "" },
	{ "{\"version\":1,\"verb\":\"a\"} x", NULL, "" },
	{ "{'version':1,'verb':'a'}", NULL, "" },
	{ "{\"version\":1,\"verb\":\"a\",}", NULL, "" },
	{ "{\"version\":1,\"verb\":\"\xff\xfe\"}", NULL, "" },
	{ "{\"version\":1,\"verb\":\"\xc3\"}", NULL, "" },
	{ "NaN", NULL, "" },
	{ "{\"version\":1,\"verb\":\"\\u00e\"}", NULL, "hexadecimal" },
	{ "{\"version\":1,\"verb\":\"\\u\x16\x11\x16\x11\"}", NULL, "hexadecimal" },
	/* no object */
	{ "[1]", NULL, "not an object" },
	{ "\"a\"", NULL, "not an object" },
	{ "null ", NULL, "not an object" },
	{ "1 ", NULL, "not an object" },
	/* no request */
	{ "{}", NULL, "version 0" },
	{ "{\"version\":2,\"verb\":\"a\"}", NULL, "version 2" },
	{ "{\"version\":\"1\",\"verb\":\"a\"}", NULL, "version has to be a whole number" },
	{ "{\"version\":1.5,\"verb\":\"a\"}", NULL, "version has to be a whole number" },
	{ "{\"version\":99999999999999999999,\"verb\":\"a\"}", NULL, "version 9" },
	{ "{\"version\":1,\"verb\":\"\xc3\xbc\",}", NULL, "" },
	{ "{\"version\":1}", NULL, "no verb" },
	{ "{\"version\":1,\"verb\":null}", NULL, "no verb" },
	{ "{\"version\":1,\"verb\":7}", NULL, "verb has to be a text" },
	{ "{\"version\":1,\"verb\":{\"a\":1}}", NULL, "verb has to be a text" },
	{ "{\"version\":1,\"verb\":\"a\\u0000b\"}", NULL, "verb has to be a text" },
	{ "{\"version\":1,\"verb\":\"a\",\"args\":[]}", NULL, "args has to be an object" },
	{ "{\"version\":1,\"verb\":\"a\",\"args\":\"x\"}", NULL, "args has to be an object" },
	{ "{\"version\":1,\"verb\":\"a\",\"args\":{\"x\":[[[[[[[[[[]]]]]]]]]]}}", NULL, "nesting" },
};

TEST_ROWS(message, request, rows, row)
{
	struct maui_query_error error = { .err = { .text = "" } };
	json_object *message =
		maui_message_parse(row->text, strlen(row->text), MAUI_MESSAGE_REQUEST, &error.err);
	const char *verb = NULL;
	json_object *args;
	int rc = message ? maui_message_request(message, &verb, &args, &error) : -1;

	if (row->verb) {
		cr_assert(rc == 0, "%s: refused: %s", row->text, error.err.text);
		cr_expect(!strcmp(verb, row->verb), "%s: verb %s", row->text, verb);
	} else {
		cr_expect(rc == -1, "%s: accepted", row->text);
		cr_expect(*error.err.text && strstr(error.err.text, row->says), "%s: says '%s'",
			  row->text, error.err.text);
	}
	json_object_put(message);
}

Test(message, a_nul_byte_is_no_request)
{
	struct maui_err err;

	cr_expect(!maui_message_parse("{}\0", 3, MAUI_MESSAGE_TEXT, &err) &&
		  strstr(err.text, "NUL"));
}

/* So many of them in a list take much more memory than the request. */
static json_object *parse_lists(const char *one, int count, enum maui_message kind,
				struct maui_err *err)
{
	char *text = malloc(64 + (strlen(one) + 1) * (size_t)count);
	int at = sprintf(text, "{\"version\":1,\"verb\":\"a\",\"args\":{\"x\":[0");
	json_object *message;

	for (int i = 0; i < count; i++)
		at += sprintf(text + at, ",%s", one);
	at += sprintf(text + at, "]}}");
	message = maui_message_parse(text, (size_t)at, kind, err);
	free(text);
	return message;
}

static json_object *parse_members(int count, struct maui_err *err)
{
	char text[4096];
	int at = sprintf(text, "{\"x\":\"\"");

	for (int i = 1; i < count; i++)
		at += sprintf(text + at, ",\"x%d\":\"\"", i);
	at += sprintf(text + at, "}");
	return maui_message_parse(text, (size_t)at, MAUI_MESSAGE_TEXT, err);
}

Test(message, a_request_has_a_bound_of_values)
{
	static const char *const each[] = { "{}", "[]", "0" };
	const int most = MAUI_QUERY_MAX_VALUES - 6; /* beside them, and the 0 before them */

	for (size_t i = 0; i < 3; i++) {
		struct maui_err err = { .text = "" };
		json_object *message = parse_lists(each[i], most, MAUI_MESSAGE_REQUEST, &err);

		cr_expect(message, "%s: %s", each[i], err.text);
		json_object_put(message);
		cr_expect_null(parse_lists(each[i], most + 1, MAUI_MESSAGE_REQUEST, &err));
		cr_expect(strstr(err.text, "too many values"), "%s: %s", each[i], err.text);
		message = parse_lists(each[i], 10 * most, MAUI_MESSAGE_ANSWER, &err);
		cr_expect(message, "%s: %s", each[i], err.text);
		json_object_put(message);
	}
}

/* A broken server must not take all memory of a command. "null" takes no memory of its own. */
Test(message, an_answer_has_a_bound_of_values)
{
	const int most = MAUI_QUERY_MAX_ANSWER_VALUES - 6;
	struct maui_err err = { .text = "" };
	json_object *message = parse_lists("null", most, MAUI_MESSAGE_ANSWER, &err);

	cr_expect(message, "%s", err.text);
	json_object_put(message);
	cr_expect_null(parse_lists("null", most + 1, MAUI_MESSAGE_ANSWER, &err));
	cr_expect(strstr(err.text, "too many values"), "%s", err.text);
}

/* As an answer has one, whose lists and objects would take 2 GB here. */
Test(message, lists_and_objects_have_a_bound_of_their_own)
{
	static const struct maui_json_bounds bounds = { .depth = 3, .values = 9, .parents = 3 };
	static const struct {
		const char *text;
		bool fits;
	} texts[] = { { "[{},[],1,2,3,4,5,6]", true },
		      { "[{},[],[]]", false },
		      { "{\"a\":[{}],\"b\":1}", true },
		      { "{\"a\":[{}],\"b\":{}}", false } };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct maui_err err = { .text = "" };
		json_object *value = NULL;
		int rc = maui_json_parse(texts[i].text, strlen(texts[i].text), &bounds, &value,
					 &err);

		cr_expect((rc == 0) == texts[i].fits, "%s: %s", texts[i].text, err.text);
		cr_expect(rc == 0 || strstr(err.text, "too many lists and objects"), "%s",
			  err.text);
		json_object_put(value);
	}
}

/* Anybody may send them to the TCP port. */
Test(message, a_challenge_a_credential_and_a_seal_are_a_few_texts)
{
	struct maui_err err = { .text = "" };
	json_object *message = maui_message_parse("{\"credential\":\"c\",\"more\":[7]}", 29,
						  MAUI_MESSAGE_TEXT, &err);

	cr_expect_null(message);
	cr_expect(strstr(err.text, "nesting"), "%s", err.text);
	cr_expect_null(parse_lists("{}", 20, MAUI_MESSAGE_TEXT, &err));
	cr_expect_null(parse_members(MAUI_QUERY_MAX_TEXTS, &err));
	cr_expect(strstr(err.text, "too many values"), "%s", err.text);
	message = parse_members(MAUI_QUERY_MAX_TEXTS - 1, &err);
	cr_expect(message, "%s", err.text);
	json_object_put(message);
}

/* As the parser counts them. */
Test(message, values_and_parents_of_a_text_are_counted)
{
	static const struct {
		const char *text;
		size_t values, parents;
	} cases[] = {
		{ "0", 1, 0 },
		{ "[]", 1, 1 },
		{ " [ ] ", 1, 1 },
		{ "[1]", 2, 1 },
		{ "[[],{}]", 3, 3 },
		{ "[1,2,[3,[]]]", 6, 3 },
		{ "{\"a\":1,\"b\":{\"c\":\"[,{\"}}", 4, 2 },
		{ "[\"\\\",[\", \"\\\\\", {}]", 4, 2 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t length = strlen(cases[i].text), values, parents;
		struct maui_json_bounds bounds = { .depth = 9 };
		json_object *found = NULL;

		maui_json_count(cases[i].text, length, &values, &parents);
		cr_expect_eq(values, cases[i].values, "%s: %zu", cases[i].text, values);
		cr_expect_eq(parents, cases[i].parents, "%s: %zu", cases[i].text, parents);
		for (size_t less = 0; less < 2; less++) {
			bounds.values = values - less;
			bounds.parents = parents;
			if (bounds.values > 0)
				cr_expect(maui_json_parse(cases[i].text, length, &bounds, &found,
							  NULL) == (less ? -1 : 0),
					  "%s", cases[i].text);
			json_object_put(found);
			found = NULL;
		}
	}
}

static json_object *reread(char *line, size_t length)
{
	json_object *message;

	cr_assert(line && length == strlen(line) && line[length - 1] == '\n', "no line: %s", line);
	cr_expect(strchr(line, '\n') == line + length - 1, "more than one line: %s", line);
	message = maui_message_parse(line, length - 1, MAUI_MESSAGE_ANSWER, NULL);
	free(line);
	cr_assert(message, "does not read back");
	return message;
}

Test(message, a_result_reads_back)
{
	json_object *result = json_object_new_object(), *again = NULL, *message;
	size_t length = 0;
	char *line;

	json_object_object_add(result, "text", json_object_new_string("two\nlines / \x01"));
	line = maui_message_format_result(result, &length);
	message = reread(line, length);
	cr_assert(maui_message_answer(message, &again, NULL) == 0);
	cr_expect(!strcmp(json_object_get_string(json_object_object_get(again, "text")),
			  "two\nlines / \x01"));
	json_object_put(again);
	json_object_put(message);
}

Test(message, an_error_reads_back)
{
	struct maui_query_error error, again;
	json_object *message, *result;
	size_t length = 0;
	char *line;

	maui_query_fail(&error, MAUI_QUERY_DENIED, "not %s", "you");
	line = maui_message_format_error(&error, &length);
	message = reread(line, length);
	cr_expect(maui_message_answer(message, &result, &again) == -1);
	cr_expect(again.code == MAUI_QUERY_DENIED && !strcmp(again.err.text, "not you"));
	json_object_put(message);
}

/* An account of a job's may be any bytes, and a text that was cut ends anywhere. */
Test(message, answers_are_utf8)
{
	json_object *result = json_object_new_object(), *again = NULL, *message;
	struct maui_query_error error, said;
	size_t length = 0;
	char *line;

	json_object_object_add(result, "account", json_object_new_string("phys\xff \xc3\xbc"));
	line = maui_message_format_result(result, &length);
	message = reread(line, length);
	cr_assert(maui_message_answer(message, &again, NULL) == 0);
	cr_expect(!strcmp(json_object_get_string(json_object_object_get(again, "account")),
			  "phys\xef\xbf\xbd \xc3\xbc"));
	json_object_put(again);
	json_object_put(message);
	maui_query_fail(&error, MAUI_QUERY_NOT_FOUND, "no '%.1s'", "\xc3\xbc");
	line = maui_message_format_error(&error, &length);
	message = reread(line, length);
	cr_expect(maui_message_answer(message, &result, &said) == -1);
	cr_expect(said.code == MAUI_QUERY_NOT_FOUND && !strcmp(said.err.text, "no '\xef\xbf\xbd'"));
	json_object_put(message);
	/* a request is not made to mean something else */
	result = json_object_new_object();
	json_object_object_add(result, "name", json_object_new_string("x\xff"));
	line = maui_message_format_request("showres", result, NULL, &length);
	cr_expect(line && strstr(line, "x\xff"));
	free(line);
}

/* A server of another release, or of another program. */
Test(message, answers_that_are_none)
{
	static const char *const texts[] = { "{}", "{\"result\":[]}", "{\"error\":7}",
					     "{\"error\":\"x\",\"code\":\"y\"}",
					     "{\"error\":\"x\",\"code\":77}" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		json_object *message =
			maui_message_parse(texts[i], strlen(texts[i]), MAUI_MESSAGE_ANSWER, NULL);
		struct maui_query_error error = { 0 };
		json_object *result;

		cr_assert(message);
		cr_expect(maui_message_answer(message, &result, &error) == -1, "%s", texts[i]);
		cr_expect(error.code != MAUI_QUERY_DONE && error.code <= MAUI_QUERY_NOT_FOUND,
			  "%s: code %d", texts[i], (int)error.code);
		json_object_put(message);
	}
}
