/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_reservations.c - the reservations that could serve a job that maui fits is asked about
 *
 * An instance could serve the job when its access list admits the job in a partition that is asked
 * for, for as long as the question names, and one of its nodes has what a task requests.
 *
 * Rules: CMD-40.
 */

#include "answers/fits_reservations.h"

#include "answers/fits_question.h"
#include "base/limits.h"
#include "explain/hypothetical_job.h"
#include "plan/finished.h"

/* An instance that could serve the job, and where. */
struct serving {
	const char **partitions; /* NULL: nowhere yet */
	size_t count;
	int64_t longest_s; /* in one of these */
};

/* No job of the question starts in the partition, whatever reservation admits it. */
static bool is_shut(const struct maui_fits_asked *a, const struct maui_offer_question *q)
{
	const struct maui_closed closed = maui_explain_closed(a->x, q);

	return closed.rule != MAUI_ADMISSION_OPEN || closed.too_long || closed.qos;
}

static bool has_serving_node(const struct maui_document_rsv *row, const bool *nodes)
{
	for (uint32_t i = 0; i < row->node_count; i++)
		if (nodes[row->nodes[i].node])
			return true;
	return false;
}

/* For how long the instance admits a job of the question; MAUI_NEVER: as long as it wants; 0: not,
 * or not for as long as the question names. */
static int64_t admitted_s(const struct maui_fits_asked *a, const struct maui_document_rsv *row,
			  int64_t longest_s, int64_t named_s)
{
	int64_t now_s = a->p->plan->now_s;
	int64_t left_s = row->end_s - (row->start_s > now_s ? row->start_s : now_s);

	if (row->end_s != MAUI_NEVER && left_s <= longest_s)
		return MAUI_NEVER;
	return named_s <= longest_s ? longest_s : 0;
}

static int note_partition(const struct maui_fits_asked *a, struct serving *one,
			  const struct maui_offer_question *q, int64_t longest_s)
{
	if (longest_s == 0)
		return 0;
	if (!one->partitions)
		one->partitions = maui_question_alloc(a->question, a->s->partition_count,
						      sizeof(*one->partitions));
	if (!one->partitions)
		return -1;
	one->partitions[one->count++] = a->s->partitions[q->partition].name;
	one->longest_s = longest_s > one->longest_s ? longest_s : one->longest_s;
	return 0;
}

/* Adds what the plan's instances could do for a job in this partition. -1 without memory. */
static int look_in(const struct maui_fits_asked *a, uint32_t partition,
		   const struct maui_admitting *admitting, struct serving *ret)
{
	const uint32_t rsv_count = a->p->plan->standing->count;
	struct maui_offer_question q;

	if (maui_fits_ask(a, partition, false, &q))
		return -1;
	if (is_shut(a, &q))
		return 0;
	if (maui_explain_admitting(a->x, &q, maui_fits_is_sized(a), admitting))
		return -1;
	for (size_t i = 0; i < a->p->rsv_count; i++) {
		const struct maui_document_rsv *row = &a->p->rsvs[i];

		if (row->rsv < rsv_count && has_serving_node(row, admitting->nodes) &&
		    note_partition(a, &ret[i], &q,
				   admitted_s(a, row, admitting->longest_s[row->rsv], q.named_s)))
			return -1;
	}
	return 0;
}

/* What each row of the document could do for the job. NULL without memory. */
static const struct serving *find_serving(const struct maui_fits_asked *a)
{
	const struct maui_standing_input *standing = a->p->plan->standing;
	struct serving *ret = maui_question_alloc(a->question, a->p->rsv_count, sizeof(*ret));
	struct maui_admitting admitting;

	if (!standing || !ret)
		return ret;
	admitting.longest_s =
		maui_question_alloc(a->question, standing->count, sizeof(*admitting.longest_s));
	admitting.nodes =
		maui_question_alloc(a->question, a->s->node_count, sizeof(*admitting.nodes));
	if (!admitting.longest_s || !admitting.nodes)
		return NULL;
	for (uint32_t i = 0; i < a->s->partition_count; i++)
		if (maui_fits_asks(a, i) && look_in(a, i, &admitting, ret))
			return NULL;
	return ret;
}

int maui_fits_list_reservations(const struct maui_fits_asked *a, struct maui_fits *ret)
{
	const struct serving *serving = find_serving(a);
	struct maui_fits_reservation *list =
		maui_question_alloc(a->question, MAUI_FITS_RESERVATIONS, sizeof(*list));

	if (!serving || !list)
		return -1;
	ret->reservations = list;
	for (size_t i = 0; i < a->p->rsv_count && ret->reservations_count < MAUI_FITS_RESERVATIONS;
	     i++) {
		const struct maui_document_rsv *row = &a->p->rsvs[i];

		if (serving[i].count == 0 || !maui_document_shows(a->p, row, a->question->uid))
			continue;
		list[ret->reservations_count++] = (struct maui_fits_reservation){
			.name = row->name,
			.start = row->start_s,
			.end = row->end_s,
			.nodes = row->node_count,
			.procs = row->procs,
			.used_procs = row->used_procs,
			.partition = row->partition,
			.partitions = serving[i].partitions,
			.partitions_count = serving[i].count,
			.longest = serving[i].longest_s,
		};
	}
	return 0;
}
