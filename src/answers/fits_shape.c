/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_shape.c - whether a job of one shape starts, and what would help
 *
 * Rules: CMD-41.
 */

#include "answers/find_job.h"
#include "answers/fits_question.h"
#include "explain/advice.h"
#include "plan/finished.h"
#include "policy/time_limit.h"

/* Why the job does not start, a line each. -1 without memory. */
static int list_reasons(const struct maui_fits_asked *a, const struct maui_offer_question *q,
			const struct maui_closed *closed, const char *no_starts,
			const struct maui_would_start *would, struct maui_fits_shape *ret)
{
	struct maui_strbuf text = { 0 };
	int rc = maui_explain_would_wait(q, &a->s->partitions[q->partition], closed, no_starts,
					 &would->e, &text);

	if (rc == 0)
		rc = maui_question_lines(a->question, text.text, &ret->reasons,
					 &ret->reasons_count);
	maui_strbuf_finish(&text);
	return rc;
}

/* What would let the job start now, a sentence each. -1 without memory. */
static int list_help(const struct maui_fits_asked *a, const struct maui_offer_question *q,
		     const struct maui_would_start *would, struct maui_fits_shape *ret)
{
	struct maui_advice_list advice;
	char text[MAUI_ADVICE_SIZE];
	const char **list;

	maui_would_start_advice(q, would, &advice);
	ret->would_help = list = maui_question_alloc(a->question, advice.count, sizeof(*list));
	for (size_t i = 0; list && i < advice.count; i++) {
		list[i] = maui_question_copy(a->question,
					     maui_advice_text(&advice.list[i], text, sizeof(text)));
		if (!list[i])
			return -1;
		ret->would_help_count++;
	}
	return list ? 0 : -1;
}

/* The job reservation in the way; the asker may not see whose it is. -1 without memory. */
static int fill_ahead(const struct maui_fits_asked *a, const struct maui_would_start *would,
		      struct maui_fits_shape *ret)
{
	char label[MAUI_JOB_LABEL_SIZE];

	ret->ahead_priority = MAUI_NEVER;
	if (would->ahead == UINT32_MAX)
		return 0;
	ret->ahead_priority = a->p->plan->decisions.verdicts[would->ahead].published;
	if (!maui_document_shows_idle(a->p, would->ahead, a->question->uid))
		return 0;
	ret->ahead_job =
		maui_question_copy(a->question, maui_waiting_label(a->p, would->ahead, label));
	return ret->ahead_job ? 0 : -1;
}

/* The limit with which the job is placed, at most MaxTime. */
static int64_t placed_limit(const struct maui_partition *partition, int64_t limit_s)
{
	return partition->max_limit_s > 0 && limit_s > partition->max_limit_s ?
		       partition->max_limit_s :
		       limit_s;
}

/* When a job starts that asks for this; now as well with the least that its start needs. */
static int find_start(const struct maui_fits_asked *a, const struct maui_offer_question *asked,
		      struct maui_would_start *ret)
{
	struct maui_offer_question least;
	bool now = false;

	if (a->gpus && asked->request->asks_slurm) {
		if (maui_fits_ask(a, asked->partition, true, &least))
			return -1;
		least.limit_s = asked->limit_s;
		if (maui_explain_starts_now(a->x, &least, &now))
			return -1;
	}
	/* fewer nodes would need other shares of --gpus */
	return maui_explain_would_start(a->x, now ? &least : asked, !a->gpus, ret);
}

int maui_fits_find_shape(const struct maui_fits_asked *a, const struct maui_offer_question *q,
			 const struct maui_fits_shape **ret)
{
	const struct maui_partition *partition = &a->s->partitions[q->partition];
	const struct maui_time_limit limit =
		maui_time_limit_in(a->p->plan->config, partition, a->args->limit);
	const struct maui_closed closed = maui_explain_closed(a->x, q);
	bool never = closed.too_long || closed.qos;
	struct maui_offer_question asked = *q;
	struct maui_fits_shape *shape;
	struct maui_would_start would;
	const char *no_starts; /* it would start, but nothing does */

	*ret = NULL;
	if (a->args->nodes == 0 && a->args->tasks == 0 && !a->gpus)
		return 0;
	asked.limit_s = placed_limit(partition, limit.seconds);
	*ret = shape = maui_question_alloc(a->question, 1, sizeof(*shape));
	if (!shape || find_start(a, &asked, &would))
		return -1;
	no_starts = would.now ? maui_document_no_starts(a->p) : NULL;
	*shape = (struct maui_fits_shape){
		.limit = limit.seconds,
		.limit_from = limit.from,
		.starts_now = would.now && !closed.down && !never && !no_starts,
		.asks_slurm = asked.request->asks_slurm,
		.earliest = never || no_starts ? MAUI_NEVER : would.earliest_s,
		.starts_with_limit = would.longest_s ? would.longest_s : MAUI_NEVER,
		.starts_on_nodes = would.fewer_nodes ? would.fewer_nodes : MAUI_NEVER,
		.limited = would.limited,
		.preempts = would.preempts,
	};
	return fill_ahead(a, &would, shape) ||
			       list_reasons(a, q, &closed, no_starts, &would, shape) ||
			       list_help(a, &asked, &would, shape) ?
		       -1 :
		       0;
}
