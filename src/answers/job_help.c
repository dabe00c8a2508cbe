/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_help.c - which jobs use up the limits of a waiting job, and what would let it start now */

#include "answers/job_help.h"

#include <string.h>

#include "answers/find_job.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "explain/advice.h"
#include "explain/violation_text.h"
#include "model/reason.h"
#include "plan/finished.h"

/* ---- who uses up its limits ---- */

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
	const struct maui_row *row = maui_plan_row(plan, index);

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

/* Sets the sentence on the jobs with the limit's credential that the asker may see: active ones, of
 * an idle limit waiting ones. NULL: there are none. -1 without memory, with the error. */
static int describe_users(const struct maui_question *q, const struct maui_violation *limit,
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

/* ---- what would help ---- */

/* No other job helps one that requests more than the limit. */
static int describe_excess(const struct maui_question *q, const struct maui_violation *limit,
			   const char **ret)
{
	char text[MAUI_VIOLATION_SIZE];

	*ret = maui_question_copy(q, maui_violation_never_met(limit, text, sizeof(text)));
	return *ret ? 0 : -1;
}

static int add_limit(const struct maui_waiting_job *h, const struct maui_violation *limit,
		     struct maui_job_help *list)
{
	struct maui_job_help *item = &list[h->ret->would_help_count];

	if (maui_violation_is_never_met(limit) ? describe_excess(h->q, limit, &item->text) :
						 describe_users(h->q, limit, &item->text))
		return -1;
	h->ret->would_help_count += item->text != NULL;
	return 0;
}

/* The jobs that use up the limits which keep the job. */
static int add_limits(const struct maui_waiting_job *h, struct maui_job_help *list)
{
	const struct maui_verdict *verdict = h->e->verdict;

	for (const struct maui_block *block = verdict->blocks; block; block = block->next)
		if (block->reason == MAUI_REASON_LIMIT && block->violation &&
		    !block->violation->later && add_limit(h, block->violation, list))
			return -1;
	return verdict->idle_limit ? add_limit(h, verdict->idle_limit, list) : 0;
}

/* Indices of the plan's reservations that have begun and are visible to the asker. */
static size_t list_begun(const struct maui_waiting_job *h, uint32_t *list)
{
	const struct maui_document *p = h->p;
	uint32_t known = p->plan->standing ? p->plan->standing->count : 0;
	size_t count = 0;

	for (size_t i = 0; i < p->rsv_count && count < MAUI_HELP_TRIES; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		if (row->rsv < known && row->node_count > 0 && row->start_s <= p->plan->now_s &&
		    maui_document_shows(p, row, h->q->uid))
			list[count++] = row->rsv;
	}
	return count;
}

static int add_advice(const struct maui_waiting_job *h, struct maui_explainer *x,
		      struct maui_job_help *list)
{
	uint32_t rsvs[MAUI_HELP_TRIES];
	size_t rsv_count = list_begun(h, rsvs);
	struct maui_advice_list advice;
	char text[MAUI_ADVICE_SIZE];

	if (maui_advice_of_job(x, h->index, (uint32_t)h->p->idle[h->index].uid, h->e, rsvs,
			       rsv_count, &advice)) {
		maui_question_no_memory(h->q);
		return -1;
	}
	for (size_t i = 0; i < advice.count; i++) {
		struct maui_job_help *item = &list[h->ret->would_help_count++];

		item->text = maui_question_copy(
			h->q, maui_advice_text(&advice.list[i], text, sizeof(text)));
		item->command = maui_question_copy(
			h->q, maui_advice_command(&advice.list[i],
						  h->p->plan->snapshot->idle[h->index].id, text,
						  sizeof(text)));
		if (!item->text || !item->command)
			return -1;
	}
	return 0;
}

int maui_job_help(const struct maui_waiting_job *h, struct maui_explainer *x)
{
	size_t most = 1 + sizeof(((struct maui_advice_list *)NULL)->list) /
				  sizeof(struct maui_advice); /* 1: an idle limit */
	struct maui_job_help *list;

	for (const struct maui_block *block = h->e->verdict->blocks; block; block = block->next)
		most += block->reason == MAUI_REASON_LIMIT;
	h->ret->would_help = list = maui_question_alloc(h->q, most, sizeof(*list));
	return !list || add_limits(h, list) || add_advice(h, x, list) ? -1 : 0;
}
