/* SPDX-License-Identifier: GPL-2.0-or-later */
/* question.c - who asks what of a finished plan, and where the answer is built */

#include "answers/question.h"

#include "answers/document.h"
#include "config/schema/schema.h"
#include "explain/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const void *maui_question_fail(const struct maui_question *q, enum maui_query_code code,
			       const char *fmt, ...)
{
	va_list args;

	q->error->code = code;
	va_start(args, fmt);
	vsnprintf(q->error->err.text, sizeof(q->error->err.text), fmt, args);
	va_end(args);
	q->error->err.no_memory = false;
	return NULL;
}

const void *maui_question_no_memory(const struct maui_question *q)
{
	maui_query_no_memory(q->error);
	return NULL;
}

const void *maui_question_too_many(const struct maui_question *q, int most, const char *what,
				   const char *instead)
{
	return maui_question_fail(q, MAUI_QUERY_ERROR,
				  "more than %d %s, the most that are listed: %s", most, what,
				  instead);
}

enum maui_cred_kind maui_question_cred_kind(const struct maui_question *q, const char *name)
{
	enum maui_cred_kind kind = maui_cred_parse(name);

	if (kind == MAUI_CRED_COUNT)
		maui_question_fail(q, MAUI_QUERY_BAD,
				   "'%.64s' is no kind of credential: name user, group, account, "
				   "qos or class",
				   name);
	return kind;
}

/* part: of the document, that a finished cycle publishes. */
static bool is_published(const struct maui_question *q, const void *part)
{
	if (!part)
		maui_query_unplanned(q->error);
	return part;
}

bool maui_question_has_plan(const struct maui_question *q)
{
	return is_published(q, q->document->plan);
}

bool maui_question_has_statistics(const struct maui_question *q)
{
	return maui_question_has_plan(q) && is_published(q, q->document->statistics);
}

bool maui_question_has_usage(const struct maui_question *q)
{
	return maui_question_has_plan(q) && is_published(q, q->document->usage);
}

struct maui_explainer *maui_question_explainer(const struct maui_question *q)
{
	struct maui_explainer *x = maui_explainer_create(q->document->plan);

	if (x && maui_document_hides_rsvs(q->document, q->uid))
		maui_explainer_hide_reservations(x);
	if (x && maui_document_hides_partitions(q->document, q->uid))
		maui_explainer_hide_partitions(x);
	return x;
}

void *maui_question_alloc(const struct maui_question *q, size_t count, size_t size)
{
	void *list = maui_arena_alloc_list(q->arena, count, size);

	if (!list)
		maui_question_no_memory(q);
	return list;
}

const char *maui_question_copy(const struct maui_question *q, const char *text)
{
	const char *copy = maui_arena_strdup(q->arena, text);

	if (text && !copy)
		maui_question_no_memory(q);
	return copy;
}

int maui_question_lines(const struct maui_question *q, const char *text, const char *const **ret,
			size_t *ret_count)
{
	char *copy = maui_arena_strdup(q->arena, text ? text : "");
	size_t most = 1, count = 0;
	const char **lines;

	for (const char *at = copy; at && *at; at++)
		most += *at == '\n';
	*ret = lines = maui_question_alloc(q, most, sizeof(*lines));
	if (!copy)
		maui_question_no_memory(q);
	if (!copy || !lines)
		return -1;
	for (char *line = copy; line && *line;) {
		lines[count++] = line;
		line = strchr(line, '\n');
		if (line)
			*line++ = '\0';
	}
	*ret_count = count;
	return 0;
}

const char *maui_question_printf(const struct maui_question *q, const char *fmt, ...)
{
	const char *text;
	va_list args;

	va_start(args, fmt);
	text = maui_arena_vprintf(q->arena, fmt, args);
	va_end(args);
	return text ? text : maui_question_no_memory(q);
}

const char *maui_question_word(const struct maui_question *q, const char *param, int value)
{
	size_t length;
	const char *word = maui_schema_word_at(maui_schema_find_param(param), value, &length);

	return maui_question_printf(q, "%.*s", (int)length, word);
}
