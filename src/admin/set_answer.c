/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set_answer.c - what a setres is answered, from the plan that has its reservation */

#include "admin/set_answer.h"

#include <string.h>

#include "admin/running.h"
#include "answers/rsv_row.h"

static const struct maui_document_rsv *find_planned(const struct maui_document *p, const char *name)
{
	for (size_t i = 0; p && i < p->rsv_count; i++)
		if (p->rsvs[i].type != MAUI_DOCUMENT_JOB && p->rsvs[i].name &&
		    strcmp(p->rsvs[i].name, name) == 0)
			return &p->rsvs[i];
	return NULL;
}

/* NULL without memory, with the error. */
static const struct maui_warnings *list_warnings(const struct maui_question *q, const char *warning,
						 bool planned)
{
	struct maui_warnings *ret = maui_question_alloc(q, 1, sizeof(*ret));
	const char **texts = maui_question_alloc(q, 2, sizeof(*texts));

	if (!ret || !texts)
		return NULL;
	ret->warnings = texts;
	if (warning)
		texts[ret->warnings_count++] = warning;
	if (!planned)
		texts[ret->warnings_count++] = "it has not been planned yet: see showres";
	return ret;
}

const struct maui_setres *maui_admin_set_answer(const struct maui_question *q, const char *name,
						bool created, const char *warning)
{
	const struct maui_document_rsv *planned = find_planned(q->document, name);
	struct maui_setres *ret = maui_question_alloc(q, 1, sizeof(*ret));
	struct maui_rsv_row *row = planned ? maui_question_alloc(q, 1, sizeof(*row)) : NULL;

	if (!ret || (planned && !row))
		return NULL;
	*ret = (struct maui_setres){
		.name = name,
		.created = created,
		.warned = list_warnings(q, warning, planned),
		.reservation = row,
	};
	if (!ret->warned || (planned && (maui_rsv_row_fill(q, planned, true, row) ||
					 maui_admin_running(q, planned, ret))))
		return NULL;
	return ret;
}
