/* SPDX-License-Identifier: GPL-2.0-or-later */
/* in_the_way.c - the jobs that a waiting job waits for */

#include "answers/in_the_way.h"

#include <stdlib.h>
#include <string.h>

#include "answers/find_job.h"
#include "base/limits.h"
#include "explain/advice.h"
#include "plan/finished.h"

/* ---- ahead of it ---- */

static int list_ahead(const struct maui_question *q, uint32_t index, struct maui_explainer *x,
		      struct maui_job_waiting *ret)
{
	const struct maui_plan *plan = q->document->plan;
	const char **list = maui_question_alloc(q, MAUI_IN_THE_WAY_MOST, sizeof(*list));
	char label[MAUI_JOB_LABEL_SIZE];

	for (uint32_t j = plan->first_job;
	     list && j != UINT32_MAX && j != index && ret->jobs_ahead_count < MAUI_IN_THE_WAY_MOST;
	     j = plan->jobs[j].next) {
		if (!maui_explain_is_ahead(x, j, index) ||
		    !maui_document_shows_idle(q->document, j, q->uid))
			continue;
		list[ret->jobs_ahead_count] =
			maui_question_copy(q, maui_waiting_label(q->document, j, label));
		if (!list[ret->jobs_ahead_count++])
			return -1;
	}
	ret->jobs_ahead = list;
	return list ? 0 : -1;
}

/* ---- on its nodes ---- */

static bool uses(const struct maui_document_rsv *row, const bool *serves)
{
	for (uint32_t i = 0; i < row->node_count; i++)
		if (serves[row->nodes[i].node])
			return true;
	return false;
}

/* Those that end first come first. */
static int by_end(const void *a, const void *b)
{
	const struct maui_document_rsv *const *x = a, *const *y = b;

	if ((*x)->end_s != (*y)->end_s)
		return (*x)->end_s < (*y)->end_s ? -1 : 1;
	return (*x)->job_id < (*y)->job_id ? -1 : (*x)->job_id > (*y)->job_id;
}

/* The active jobs on these nodes that the asker may see. NULL without memory. */
static const struct maui_document_rsv **find_users(const struct maui_question *q,
						   const bool *serves, size_t *ret_count,
						   int64_t *ret_all)
{
	const struct maui_document *p = q->document;
	const struct maui_document_rsv **list = maui_question_alloc(q, p->rsv_count, sizeof(*list));

	*ret_count = 0;
	*ret_all = 0;
	for (size_t i = 0; list && i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		if (!maui_document_is_active(row) || !uses(row, serves))
			continue;
		++*ret_all;
		if (maui_document_shows(p, row, q->uid))
			list[(*ret_count)++] = row;
	}
	if (list)
		qsort(list, *ret_count, sizeof(*list), by_end);
	return list;
}

static int list_users(const struct maui_question *q, uint32_t index, struct maui_explainer *x,
		      struct maui_job_waiting *ret)
{
	uint32_t nodes = q->document->plan->snapshot->node_count;
	bool *serves = maui_question_alloc(q, nodes, sizeof(*serves));
	const struct maui_document_rsv **users;
	struct maui_job_user *list;
	char label[MAUI_JOB_LABEL_SIZE];
	size_t count;

	if (!serves)
		return -1;
	if (maui_explain_serving_nodes(x, index, serves)) {
		maui_question_no_memory(q);
		return -1;
	}
	users = find_users(q, serves, &count, &ret->node_users_all);
	list = maui_question_alloc(q, MAUI_IN_THE_WAY_MOST, sizeof(*list));
	if (!users || !list)
		return -1;
	for (size_t i = 0; i < count && i < MAUI_IN_THE_WAY_MOST; i++) {
		list[i] = (struct maui_job_user){ .label = maui_question_copy(
							  q, maui_active_label(users[i], label)),
						  .end = users[i]->end_s };
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
	return list_ahead(q, index, x, ret) || (nodes && list_users(q, index, x, ret)) ? -1 : 0;
}

/* ---- that use up its limits ---- */

/* The jobs of one limit; the first ones by name. */
struct users {
	const struct maui_question *q;
	const struct maui_document *p;
	const struct maui_violation *limit;
	const char *labels[MAUI_HELP_JOBS];
	size_t count;
	bool failed;
};

static bool has_name(const char *name, const char *wanted)
{
	return name && wanted && strcmp(name, wanted) == 0;
}

/* Whether a job of these credentials counts against the limit, of one credential or of a pair. */
static bool is_of_limit(const struct maui_violation *limit, const char *const *cred)
{
	return has_name(cred[limit->cred], limit->name) &&
	       (!limit->second_name || limit->second >= MAUI_CRED_COUNT ||
		has_name(cred[limit->second], limit->second_name));
}

static void add_user(struct users *users, const char *label)
{
	if (users->count < MAUI_HELP_JOBS) {
		users->labels[users->count] = maui_question_copy(users->q, label);
		users->failed |= !users->labels[users->count];
	}
	users->count++;
}

static void add_active_users(struct users *users)
{
	char label[MAUI_JOB_LABEL_SIZE];

	for (size_t i = 0; i < users->p->rsv_count; i++) {
		const struct maui_document_rsv *row = &users->p->rsvs[i];

		if (maui_document_is_active(row) && is_of_limit(users->limit, row->cred) &&
		    maui_document_shows(users->p, row, users->q->uid))
			add_user(users, maui_active_label(row, label));
	}
}

/* Whether the waiting job counts against an idle limit (THR-8). */
static bool waits_under(const struct users *users, uint32_t index)
{
	const struct maui_plan *plan = users->p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const struct maui_row *row = &idle->rows[plan->jobs[index].row];

	return plan->jobs[index].queued && !plan->decisions.verdicts[index].no_accrual &&
	       users->p->idle[index].waiting > 0 &&
	       is_of_limit(users->limit, plan->snapshot->creds[row->creds].cred);
}

static void add_waiting_users(struct users *users)
{
	const struct maui_plan *plan = users->p->plan;
	char label[MAUI_JOB_LABEL_SIZE];

	for (uint32_t j = plan->first_job; j != UINT32_MAX; j = plan->jobs[j].next)
		if (waits_under(users, j) && maui_document_shows_idle(users->p, j, users->q->uid))
			add_user(users, maui_waiting_label(users->p, j, label));
}

int maui_limit_users(const struct maui_question *q, const struct maui_violation *limit,
		     const char **ret)
{
	struct users users = { .q = q, .p = q->document, .limit = limit };
	struct maui_strbuf text = { 0 };

	*ret = NULL;
	if (limit->cred >= MAUI_CRED_COUNT)
		return 0;
	if (limit->kind == MAUI_VIOLATION_ACTIVE)
		add_active_users(&users);
	else if (limit->kind == MAUI_VIOLATION_IDLE)
		add_waiting_users(&users);
	if (users.failed)
		return -1;
	if (users.count == 0)
		return 0;
	maui_advice_limit_users(limit, users.labels, users.count, &text);
	if (text.failed)
		maui_question_no_memory(q);
	else
		*ret = maui_question_copy(q, text.text);
	maui_strbuf_finish(&text);
	return *ret ? 0 : -1;
}
