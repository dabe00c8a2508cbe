/* SPDX-License-Identifier: GPL-2.0-or-later */
/* running.c - the running jobs on nodes of a setres reservation
 *
 * A reservation takes nodes from no running job. Its answer names the jobs that are still there
 * when it begins, as far as the user may see them.
 */
#include "admin/running.h"

#include <stdlib.h>

enum { JOBS_NAMED = 100 };

/* Whether the job is on one of these nodes when the reservation begins. */
static bool meets(const struct maui_document_rsv *job, const struct maui_document_rsv *rsv,
		  const bool *reserved)
{
	if (job->type != MAUI_DOCUMENT_JOB || job->state == 'I' || job->start_s >= rsv->end_s ||
	    job->end_s <= rsv->start_s)
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

int maui_admin_running(const struct maui_question *q, const struct maui_document_rsv *rsv,
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
