/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.c - answers "reservations" */

#include "answers/answer.h"

#include <stdio.h>

#include "answers/refused.h"
#include "answers/rsv_row.h"
#include "answers/rsv_text.h"
#include "answers/rsv_hint.h"
#include "answers/rsv_walk.h"
#include "base/limits.h"
#include "base/moment.h"
#include "verbs/reservations.h"

/* ---- there is none ---- */

/* " until 23 Nov 18:00", local time; "" of one without an end. */
static const char *until(int64_t end_s, char *buf, size_t size)
{
	char moment[MAUI_MOMENT_SIZE];

	snprintf(buf, size, "%s%s", end_s == MAUI_NEVER ? "" : " until ",
		 end_s == MAUI_NEVER ? "" : maui_moment_minute(end_s, moment, sizeof(moment)));
	return buf;
}

/* Says why a reservation is unknown: it is released, by maui.cfg it never begins, or its number is
 * missing. */
static const void *fail_unknown(const struct maui_question *q, const char *name)
{
	const struct maui_document *p = q->document;
	size_t warning = maui_document_find_warning(p, name, q->uid, 0);
	size_t released = maui_document_find_released(p, name, q->uid, 0);
	char when[MAUI_MOMENT_SIZE + 8], hint[MAUI_RSV_HINT_SIZE];

	if (released < p->released_count)
		return maui_question_fail(
			q, MAUI_QUERY_NOT_FOUND,
			"no reservation '%.64s': %s is released%s; releaseres --undo %s "
			"takes it back",
			name, p->released[released].stable,
			until(p->released[released].end_s, when, sizeof(when)), name);
	if (warning < p->warning_count)
		return maui_question_fail(q, MAUI_QUERY_NOT_FOUND, "no reservation '%.64s': %s",
					  name, p->warnings[warning].text);
	return maui_question_fail(q, MAUI_QUERY_NOT_FOUND, "no reservation '%.64s'%s", name,
				  maui_rsv_hint(p, name, q->uid, hint, sizeof(hint)));
}

/* ---- how many there are ---- */

/* Of what the asker may see. */
struct counts {
	size_t rows, nodes, warnings, released;
};

/* Counted before anything is built. -1 without memory. */
static int count_all(const struct maui_question *q, const char *name, struct counts *ret)
{
	const struct maui_document *p = q->document;
	struct maui_rsv_walk walk = { .document = p, .name = name, .uid = q->uid };
	const struct maui_document_rsv *row;

	*ret = (struct counts){ 0 };
	while ((row = maui_rsv_walk_next(&walk))) {
		ret->nodes += row->node_count;
		ret->rows++;
	}
	maui_rsv_walk_finish(&walk);
	for (size_t i = 0; (i = maui_document_find_warning(p, name, q->uid, i)) < p->warning_count;
	     i++)
		ret->warnings++;
	for (size_t i = 0;
	     (i = maui_document_find_released(p, name, q->uid, i)) < p->released_count; i++)
		ret->released++;
	if (walk.failed)
		maui_question_no_memory(q);
	return walk.failed ? -1 : 0;
}

/* -1: they are too many. */
static int check_size(const struct maui_question *q, const struct counts *counts, bool nodes)
{
	if (counts->rows + counts->released > MAUI_QUERY_MAX_ROWS)
		maui_question_too_many(q, MAUI_QUERY_MAX_ROWS, "reservations",
				       "name one, or see showres -s");
	else if (nodes && counts->nodes > MAUI_QUERY_MAX_NODES)
		maui_question_too_many(q, MAUI_QUERY_MAX_NODES, "nodes", "name a reservation");
	else
		return 0;
	return -1;
}

/* ---- the list ---- */

static const struct maui_rsv_row *list_rows(const struct maui_question *q,
					    const struct maui_reservations_args *args, size_t count)
{
	struct maui_rsv_walk walk = { .document = q->document, .name = args->name, .uid = q->uid };
	struct maui_rsv_row *rows = maui_question_alloc(q, count, sizeof(*rows));
	const struct maui_document_rsv *row;
	bool failed = !rows;

	for (size_t i = 0; !failed && i < count; i++) {
		row = maui_rsv_walk_next(&walk);
		if (!row)
			maui_question_no_memory(q);
		failed = !row || maui_rsv_row_fill(q, row, args->nodes, &rows[i]);
	}
	maui_rsv_walk_finish(&walk);
	return failed ? NULL : rows;
}

static const char *const *list_warnings(const struct maui_question *q, const char *name,
					size_t count)
{
	const struct maui_document *p = q->document;
	const char **texts = maui_question_alloc(q, count, sizeof(*texts));

	for (size_t i = 0, at = 0; texts && i < count; i++) {
		at = maui_document_find_warning(p, name, q->uid, at);
		texts[i] = p->warnings[at++].text;
	}
	return texts;
}

static const struct maui_reservations_released *list_released(const struct maui_question *q,
							      const char *name, size_t count)
{
	const struct maui_document *p = q->document;
	struct maui_reservations_released *list = maui_question_alloc(q, count, sizeof(*list));

	for (size_t i = 0, at = 0; list && i < count; i++) {
		const struct maui_document_released *one;

		at = maui_document_find_released(p, name, q->uid, at);
		one = &p->released[at++];
		list[i] = (struct maui_reservations_released){
			.name = one->name,
			.stable_name = one->stable,
			.start = one->start_s,
			.end = one->end_s,
		};
	}
	return list;
}

static const void *list(const struct maui_question *q, const struct maui_reservations_args *args,
			const struct counts *counts)
{
	struct maui_reservations *ret;

	if (check_size(q, counts, args->nodes))
		return NULL;
	ret = maui_question_alloc(q, 1, sizeof(*ret));
	if (!ret)
		return NULL;
	*ret = (struct maui_reservations){
		.cluster = q->document->cluster,
		.time = q->document->now_s,
		.reservations = list_rows(q, args, counts->rows),
		.reservations_count = counts->rows,
		.warnings = list_warnings(q, args->name, counts->warnings),
		.warnings_count = counts->warnings,
		.released = list_released(q, args->name, counts->released),
		.released_count = counts->released,
	};
	if (ret->reservations && ret->warnings && ret->released &&
	    maui_refused_get(q, &ret->refused) == 0)
		return ret;
	return NULL;
}

/* ---- the summary ---- */

/* -1 without memory. */
static int add_up(const struct maui_question *q, const char *name,
		  struct maui_reservations_sum *sums)
{
	struct maui_rsv_walk walk = { .document = q->document, .name = name, .uid = q->uid };
	const struct maui_document_rsv *row;

	while ((row = maui_rsv_walk_next(&walk))) {
		struct maui_reservations_sum *sum = &sums[row->type];
		bool later = row->start_s > q->document->now_s;

		*(later ? &sum->future : &sum->active) += 1;
		*(later ? &sum->future_procs : &sum->active_procs) += row->procs;
	}
	maui_rsv_walk_finish(&walk);
	if (walk.failed)
		maui_question_no_memory(q);
	return walk.failed ? -1 : 0;
}

static const void *summarise(const struct maui_question *q, const char *name)
{
	struct maui_reservations *ret = maui_question_alloc(q, 1, sizeof(*ret));
	struct maui_reservations_sum *sums =
		maui_question_alloc(q, MAUI_DOCUMENT_TYPE_COUNT, sizeof(*sums));

	if (!ret || !sums)
		return NULL;
	for (int t = 0; t < MAUI_DOCUMENT_TYPE_COUNT; t++)
		sums[t].type = maui_rsv_text_type((enum maui_document_type)t);
	*ret = (struct maui_reservations){
		.cluster = q->document->cluster,
		.time = q->document->now_s,
		.summary = sums,
		.summary_count = MAUI_DOCUMENT_TYPE_COUNT,
	};
	return add_up(q, name, sums) == 0 ? ret : NULL;
}

/* Lists the reservations that the user may see, or counts them for a summary. Fails if none has the
 * name, or if the answer would list more reservations or nodes than base/limits.h allows. */
const void *maui_answer_reservations(const struct maui_question *question, const void *arguments)
{
	const struct maui_reservations_args *args = arguments;
	struct counts counts;

	if (count_all(question, args->name, &counts))
		return NULL;
	if (args->name && counts.rows == 0)
		return fail_unknown(question, args->name);
	return args->summary ? summarise(question, args->name) : list(question, args, &counts);
}
