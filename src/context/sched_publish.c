/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched_publish.c - what commands are told of an iteration: reservations of jobs, that run and that
 * wait
 */

#include "slurm/compat.h"

#include "context/sched_private.h"

#include "context/query.h"

/* (uid_t)-1: not known, so with PrivateData it is nobody's. */
static uid_t user_of(const struct maui_iteration *it, uint64_t job)
{
	const struct maui_seen_job *seen = maui_idmap_get(&it->by_id, (uint32_t)job);

	return seen ? seen->user_id : (uid_t)-1;
}

void maui_sched_publish(struct maui_iteration *it)
{
	const struct maui_snapshot *s = it->cluster.snapshot;
	const struct maui_decisions *d = &it->sched->decisions;
	struct maui_document *p = maui_context_query_begin(it->c, s, it->cluster.now_s);

	if (!p)
		return;
	for (uint32_t i = 0; i < s->active_count; i++)
		if (!s->active[i].completing)
			maui_document_add_active(p, s, i, user_of(it, s->active[i].id));
	for (uint32_t i = 0; i < d->reservation_count; i++)
		maui_document_add_promise(p, s, &d->reservations[i],
					   user_of(it, s->idle[d->reservations[i].job].id));
	if (p->failed)
		maui_document_unref(p); /* the former one is better than half of this */
	else
		maui_query_publish(it->c->query, p);
}
