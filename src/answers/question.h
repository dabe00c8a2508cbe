/* SPDX-License-Identifier: GPL-2.0-or-later */
/* question.h - who asks what of a finished plan, and where the answer is built
 *
 * An answer is a record (verbs/), made from the published document alone: no lock, no clock, no
 * I/O. All that it leads to is the document's, or comes from the question's arena, which goes when
 * the answer has been sent.
 *
 * Rules: CMD-9.
 */
#ifndef MAUI_ANSWERS_QUESTION_H
#define MAUI_ANSWERS_QUESTION_H

#include <stdbool.h>
#include <sys/types.h>

#include "answers/document.h"
#include "base/arena.h"
#include "model/cred.h"
#include "query/message.h"

struct maui_question {
	const struct maui_document *document;
	uid_t uid; /* of the user who asks */
	struct maui_arena *arena;
	struct maui_query_error *error;
};

/* Sets the error; returns NULL. */
const void *maui_question_fail(const struct maui_question *q, enum maui_query_code code,
			       const char *fmt, ...) __attribute__((format(printf, 3, 4)));
const void *maui_question_no_memory(const struct maui_question *q); /* the same */
/* The same: the answer would have more than so many. `instead`: what to ask for. */
const void *maui_question_too_many(const struct maui_question *q, int most, const char *what,
				   const char *instead);

/* The kind of credential of this name; MAUI_CRED_COUNT: there is none, with the error. */
enum maui_cred_kind maui_question_cred_kind(const struct maui_question *q, const char *name);

/* Whether there is a plan; if not, with the error. */
bool maui_question_has_plan(const struct maui_question *q);
/* The same with statistics, and with fairshare windows. */
bool maui_question_has_statistics(const struct maui_question *q);
bool maui_question_has_usage(const struct maui_question *q);

/* Explains the plan's jobs as far as PrivateData lets the asker see it. NULL without memory. */
struct maui_explainer *maui_question_explainer(const struct maui_question *q);

/* Zeroed elements, copies of texts (NULL for NULL), and texts: NULL without memory, with the
 * error. */
void *maui_question_alloc(const struct maui_question *q, size_t count, size_t size);
const char *maui_question_copy(const struct maui_question *q, const char *text);
/* The lines of a text as a list of copies; NULL: none. -1 without memory, with the error. */
int maui_question_lines(const struct maui_question *q, const char *text, const char *const **ret,
			size_t *ret_count);
/* The word that this parameter has in maui.cfg for a value. NULL without memory, with the error. */
const char *maui_question_word(const struct maui_question *q, const char *param, int value);
const char *maui_question_printf(const struct maui_question *q, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
