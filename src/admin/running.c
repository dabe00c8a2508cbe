/* SPDX-License-Identifier: GPL-2.0-or-later */
/* running.c - the running jobs on nodes of a setres reservation
 *
 * A reservation takes nodes from no running job. Its answer names the jobs that are still there
 * when it begins, as far as the user may see them.
 */
#include "admin/running.h"

#include <stdlib.h>

#include "answers/object.h"

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

static json_object *job_json(const struct maui_document_rsv *job)
{
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "job", job->name);
	maui_object_put_text(&o, "user", job->cred[MAUI_CRED_USER]);
	maui_object_put_time(&o, "end", job->end_s);
	return maui_object_finish(&o);
}

/* False without memory. */
static bool add_jobs(const struct maui_document *p, const struct maui_document_rsv *rsv, uid_t uid,
		     const bool *reserved, json_object *list, size_t *ret_count)
{
	json_object *job;

	for (size_t i = 0; i < p->rsv_count; i++) {
		if (!meets(&p->rsvs[i], rsv, reserved) ||
		    !maui_document_shows(p, &p->rsvs[i], uid) || ++*ret_count > JOBS_NAMED)
			continue;
		job = job_json(&p->rsvs[i]);
		if (!job || json_object_array_add(list, job)) {
			json_object_put(job);
			return false;
		}
	}
	return true;
}

json_object *maui_admin_running(const struct maui_document *p, const struct maui_document_rsv *rsv,
				uid_t uid, size_t *ret_count)
{
	bool *reserved = calloc(p->node_count + 1u, sizeof(*reserved));
	json_object *list = json_object_new_array();
	bool whole = reserved && list;

	*ret_count = 0;
	for (uint32_t i = 0; whole && i < rsv->node_count; i++)
		reserved[rsv->nodes[i].node] = true;
	whole = whole && add_jobs(p, rsv, uid, reserved, list, ret_count);
	free(reserved);
	if (whole)
		return list;
	json_object_put(list);
	return NULL;
}
