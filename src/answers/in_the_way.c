/* SPDX-License-Identifier: GPL-2.0-or-later */
/* in_the_way.c - the jobs that a waiting job waits for */

#include "answers/in_the_way.h"

#include <stdlib.h>
#include <string.h>

#include "answers/find_job.h"
#include "plan/finished.h"

/* ---- ahead of it ---- */

/* Appends the label of a waiting job. -1 without memory. */
static int add_label(const struct maui_question *q, uint32_t job, const char **list, size_t *count)
{
	char label[MAUI_JOB_LABEL_SIZE];

	list[*count] = maui_question_copy(q, maui_waiting_label(q->document, job, label));
	return list[(*count)++] ? 0 : -1;
}

static int list_ahead(const struct maui_question *q, uint32_t index, struct maui_explainer *x,
		      struct maui_job_waiting *ret)
{
	const struct maui_plan *plan = q->document->plan;
	const char **list = maui_question_alloc(q, MAUI_IN_THE_WAY_MOST, sizeof(*list));

	if (!list)
		return -1;
	ret->jobs_ahead = list;
	for (uint32_t j = plan->first_job;
	     j != UINT32_MAX && j != index && ret->jobs_ahead_count < MAUI_IN_THE_WAY_MOST;
	     j = plan->jobs[j].next)
		if (maui_explain_is_ahead(x, j, index) &&
		    maui_document_shows_idle(q->document, j, q->uid) &&
		    add_label(q, j, list, &ret->jobs_ahead_count))
			return -1;
	return 0;
}

/* ---- ahead of it, in other partitions ---- */

/* Which partitions but `own` have a node that could serve the job; *ret_any: some have one. */
static bool *find_partitions(const struct maui_question *q, const bool *serves, uint32_t own,
			     bool *ret_any)
{
	const struct maui_snapshot *s = q->document->plan->snapshot;
	bool *ret = maui_question_alloc(q, s->partition_count, sizeof(*ret));

	*ret_any = false;
	for (uint32_t n = 0; ret && n < s->node_count; n++)
		for (uint32_t i = 0; serves[n] && i < s->nodes[n].partition_count; i++)
			if (s->nodes[n].partitions[i] != own)
				*ret_any = ret[s->nodes[n].partitions[i]] = true;
	return ret;
}

static bool share_a_node(const bool *a, const bool *b, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		if (a[n] && b[n])
			return true;
	return false;
}

/* Whether `other` waits for a node that could serve the job, too; -1 without memory. */
static int competes(const struct maui_question *q, uint32_t other, struct maui_explainer *x,
		    const bool *serves, bool *room)
{
	uint32_t nodes = q->document->plan->snapshot->node_count;

	memset(room, 0, nodes * sizeof(*room));
	if (maui_explain_serving_nodes(x, other, room)) {
		maui_question_no_memory(q);
		return -1;
	}
	return share_a_node(serves, room, nodes);
}

/* Whether the job `j` waits in one of these partitions, for all that the asker may see. */
static bool may_compete(const struct maui_question *q, uint32_t j, const bool *partitions)
{
	const struct maui_plan_job *job = &q->document->plan->jobs[j];

	return job->waits && partitions[job->partition] &&
	       maui_document_shows_idle(q->document, j, q->uid);
}

/* A job of another partition delays this one only by a node that both could use: the nodes of both
 * are compared, for at most LOOKED_AT of the jobs before it. */
static int list_others(const struct maui_question *q, uint32_t index, struct maui_explainer *x,
		       const bool *serves, struct maui_job_waiting *ret)
{
	enum { LOOKED_AT = 200 };
	const struct maui_plan *plan = q->document->plan;
	const char **list = maui_question_alloc(q, MAUI_IN_THE_WAY_MOST, sizeof(*list));
	bool *room = maui_question_alloc(q, plan->snapshot->node_count, sizeof(*room));
	size_t looked_at = 0;
	bool any;
	const bool *partitions = find_partitions(q, serves, plan->jobs[index].partition, &any);

	if (!list || !room || !partitions)
		return -1;
	ret->others_ahead = list;
	for (uint32_t j = any ? plan->first_job : UINT32_MAX;
	     j != UINT32_MAX && j != index && looked_at < LOOKED_AT &&
	     ret->others_ahead_count < MAUI_IN_THE_WAY_MOST;
	     j = plan->jobs[j].next) {
		int both;

		if (!may_compete(q, j, partitions))
			continue;
		looked_at++;
		both = competes(q, j, x, serves, room);
		if (both < 0 || (both > 0 && add_label(q, j, list, &ret->others_ahead_count)))
			return -1;
	}
	return 0;
}

/* ---- on its nodes ---- */

/* A waiting job, and the nodes that could serve it. */
struct wanted_nodes {
	const struct maui_question *q;
	struct maui_explainer *x;
	const struct maui_explained_job *job;
	const bool *serves;
};

/* Whether the end of the active job could let the waiting job start: it leaves a node on which
 * reservations then leave room. -1 without memory. */
static int could_help(const struct wanted_nodes *w, const struct maui_document_rsv *row)
{
	int ret = 0;

	for (uint32_t i = 0; i < row->node_count && ret == 0; i++)
		if (w->serves[row->nodes[i].node])
			ret = maui_explain_has_remainder(w->x, w->job, row->nodes[i].node,
							 row->end_s);
	if (ret < 0)
		maui_question_no_memory(w->q);
	return ret;
}

/* Those that end first come first. */
static int by_end(const void *a, const void *b)
{
	const struct maui_document_rsv *const *x = a, *const *y = b;

	if ((*x)->end_s != (*y)->end_s)
		return (*x)->end_s < (*y)->end_s ? -1 : 1;
	return (*x)->job_id < (*y)->job_id ? -1 : (*x)->job_id > (*y)->job_id;
}

/* The active jobs whose end could help and that the asker may see. NULL without memory. */
static const struct maui_document_rsv **find_users(const struct wanted_nodes *w, size_t *ret_count,
						   int64_t *ret_all)
{
	const struct maui_document *p = w->q->document;
	const struct maui_document_rsv **list =
		maui_question_alloc(w->q, p->rsv_count, sizeof(*list));

	*ret_count = 0;
	*ret_all = 0;
	for (size_t i = 0; list && i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];
		int helps = maui_document_is_active(row) ? could_help(w, row) : 0;

		if (helps < 0)
			return NULL;
		*ret_all += helps;
		if (helps > 0 && maui_document_shows(p, row, w->q->uid))
			list[(*ret_count)++] = row;
	}
	if (list)
		qsort(list, *ret_count, sizeof(*list), by_end);
	return list;
}

static int list_users(const struct wanted_nodes *w, struct maui_job_waiting *ret)
{
	const struct maui_document_rsv **users;
	struct maui_job_user *list;
	char label[MAUI_JOB_LABEL_SIZE];
	size_t count;

	users = find_users(w, &count, &ret->node_users_all);
	list = maui_question_alloc(w->q, MAUI_IN_THE_WAY_MOST, sizeof(*list));
	if (!users || !list)
		return -1;
	for (size_t i = 0; i < count && i < MAUI_IN_THE_WAY_MOST; i++) {
		list[i] = (struct maui_job_user){
			.label = maui_question_copy(w->q, maui_active_label(users[i], label)),
			.end = users[i]->end_s,
			.suspended = users[i]->state == MAUI_JOB_SUSPENDED
		};
		if (!list[i].label)
			return -1;
		ret->node_users_count++;
	}
	ret->node_users = list;
	return 0;
}

int maui_in_the_way(const struct maui_question *q, uint32_t index, struct maui_explainer *x,
		    bool nodes, struct maui_job_waiting *ret)
{
	const struct maui_snapshot *s = q->document->plan->snapshot;
	struct wanted_nodes wanted = { .q = q, .x = x };
	bool *serves;

	if (list_ahead(q, index, x, ret))
		return -1;
	if (!nodes)
		return 0;
	serves = maui_question_alloc(q, s->node_count, sizeof(*serves));
	if (!serves)
		return -1;
	if (maui_explain_serving_nodes(x, index, serves)) {
		maui_question_no_memory(q);
		return -1;
	}
	for (uint32_t n = 0; n < s->node_count; n++)
		serves[n] &= s->nodes[n].usable_from_s != MAUI_NEVER; /* no job's end helps there */
	if (list_others(q, index, x, serves, ret))
		return -1;
	wanted.serves = serves;
	wanted.job = maui_explain_about(x, index);
	if (!wanted.job) {
		maui_question_no_memory(q);
		return -1;
	}
	return list_users(&wanted, ret);
}
