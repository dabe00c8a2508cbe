/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set_answer.c - what a setres is answered, from the plan that has its reservation */

#include "admin/set_answer.h"

#include <stdlib.h>
#include <string.h>

#include "answers/rsv_row.h"

enum { JOBS_NAMED = 100 };

/* ---- running jobs ---- */

/* Whether the job is on one of these nodes when the reservation begins. */
static bool meets(const struct maui_document_rsv *job, const struct maui_document_rsv *rsv,
		  const bool *reserved)
{
	if (job->type != MAUI_DOCUMENT_JOB || job->state == MAUI_JOB_IDLE ||
	    job->start_s >= rsv->end_s || job->end_s <= rsv->start_s)
		return false;
	for (uint32_t i = 0; i < job->node_count; i++)
		if (reserved[job->nodes[i].node])
			return true;
	return false;
}

/* By node of the document: whether the reservation has it. The caller frees it. */
static bool *mark_nodes(const struct maui_question *q, const struct maui_document_rsv *rsv)
{
	bool *reserved = calloc(q->document->node_count + 1u, sizeof(*reserved));

	if (!reserved)
		maui_question_no_memory(q);
	for (uint32_t i = 0; reserved && i < rsv->node_count; i++)
		reserved[rsv->nodes[i].node] = true;
	return reserved;
}

/* A reservation takes nodes from no running job. Its answer names the jobs that are still there
 * when it begins, as far as the asker may see them. -1 without memory, with the error. */
static int fill_running(const struct maui_question *q, const struct maui_document_rsv *rsv,
			struct maui_setres *ret)
{
	const struct maui_document *p = q->document;
	struct maui_setres_running *list = maui_question_alloc(q, JOBS_NAMED, sizeof(*list));
	bool *reserved = list ? mark_nodes(q, rsv) : NULL;

	ret->running = list;
	for (size_t i = 0; reserved && i < p->rsv_count; i++) {
		const struct maui_document_rsv *job = &p->rsvs[i];

		if (!meets(job, rsv, reserved) || !maui_document_shows(p, job, q->uid))
			continue;
		ret->running_jobs++;
		if (ret->running_count < JOBS_NAMED)
			list[ret->running_count++] = (struct maui_setres_running){
				.job = job->name,
				.user = job->cred[MAUI_CRED_USER],
				.end = job->end_s,
			};
	}
	free(reserved);
	return reserved ? 0 : -1;
}

/* ---- the answer ---- */

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
					 fill_running(q, planned, ret))))
		return NULL;
	return ret;
}
