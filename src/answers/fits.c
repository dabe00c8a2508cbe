/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits.c - answers "fits": what is free now for a user's next job
 *
 * Each partition is one question to src/explain/hypothetical_job.h; limits in use are counted once
 * for all. MAUI_FITS_* bound the answer.
 *
 * Rules: CMD-40, CMD-41.
 */

#include <string.h>

#include "answers/answer.h"
#include "answers/find_job.h"
#include "answers/fits_question.h"
#include "answers/fits_reservations.h"
#include "answers/gres.h"
#include "base/limits.h"
#include "explain/advice.h"
#include "explain/closed.h"
#include "explain/hypothetical_job.h"
#include "plan/finished.h"
#include "policy/throttle/throttle.h"
#include "policy/time_limit.h"
#include "verbs/fits.h"

/* ---- a job of one shape ---- */

/* Why the job does not start, a line each. -1 without memory. */
static int list_reasons(const struct maui_fits_asked *a, const struct maui_offer_question *q,
			const struct maui_closed *closed, const char *no_starts,
			const struct maui_would_start *would, struct maui_fits_shape *ret)
{
	struct maui_strbuf text = { 0 };
	int rc = maui_closed_list(q, &a->s->partitions[q->partition], closed, no_starts, &would->e,
				  &text);

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

	maui_advice_of_hypothetical(q, would, &advice);
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

/* Of a job that the partition does not admit: no other shape of it starts there. */
static int fill_kept_out(const struct maui_fits_asked *a, const struct maui_offer_question *q,
			 const struct maui_closed *closed, const struct maui_time_limit *limit,
			 struct maui_fits_shape *ret)
{
	const struct maui_would_start none = { 0 };

	*ret = (struct maui_fits_shape){
		.limit = limit->seconds,
		.limit_from = limit->from,
		.earliest = MAUI_NEVER,
		.starts_with_limit = MAUI_NEVER,
		.starts_on_nodes = MAUI_NEVER,
		.ahead_priority = MAUI_NEVER,
	};
	return list_reasons(a, q, closed, NULL, &none, ret);
}

static int find_shape(const struct maui_fits_asked *a, const struct maui_offer_question *q,
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
	if (!maui_fits_is_sized(a))
		return 0;
	asked.limit_s = placed_limit(partition, limit.seconds);
	*ret = shape = maui_question_alloc(a->question, 1, sizeof(*shape));
	if (!shape)
		return -1;
	if (closed.rule != MAUI_ADMISSION_OPEN)
		return fill_kept_out(a, q, &closed, &limit, shape);
	if (find_start(a, &asked, &would))
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
	if (fill_ahead(a, &would, shape) || list_reasons(a, q, &closed, no_starts, &would, shape) ||
	    list_help(a, &asked, &would, shape))
		return -1;
	return 0;
}

/* ---- partitions ---- */

/* The windows with at least so many nodes; of too many the first, the last, and some between. -1
 * without memory. */
static int list_windows(const struct maui_fits_asked *a, const struct maui_offers *offers,
			const struct maui_fits_window **ret, size_t *ret_count)
{
	uint32_t count = offers->count, taken = 0;
	struct maui_fits_window *list;

	while (count > 0 && offers->windows[count - 1].nodes < a->args->least_nodes)
		count--;
	*ret = list = maui_question_alloc(a->question, count, sizeof(*list));
	for (uint32_t i = 0; list && i < count; i++) {
		const struct maui_window *window = &offers->windows[i];

		if (i + 1 < count && (uint64_t)i * MAUI_FITS_WINDOWS < (uint64_t)taken * count)
			continue;
		list[taken++] = (struct maui_fits_window){
			.seconds = window->length_s,
			.end = maui_when_add(a->p->plan->now_s, window->length_s),
			.procs = window->procs,
			.nodes = window->nodes,
		};
	}
	*ret_count = taken;
	return list ? 0 : -1;
}

/* Where nothing is offered, or not to such tasks: why no job of these options ever fits, on as many
 * nodes as are asked for. -1 without memory. */
static int find_never(const struct maui_fits_asked *a, const struct maui_offer_question *q,
		      struct maui_fits_partition *ret)
{
	struct maui_request request = *q->request;
	struct maui_offer_question smallest = *q;
	const char *why;

	if (maui_fits_is_sized(a) ||
	    ((ret->windows_count > 0 || ret->whole_nodes_count > 0) && a->args->cpus_per_task <= 1))
		return 0;
	if (a->args->least_nodes > 0)
		request.nodes_min = (uint32_t)a->args->least_nodes;
	smallest.request = &request;
	if (maui_explain_never_fits(a->x, &smallest, &why))
		return -1;
	if (!why)
		return 0;
	ret->windows_count = ret->whole_nodes_count = 0;
	ret->limit = NULL;
	ret->obstacle = maui_question_copy(a->question, why);
	return ret->obstacle ? 0 : -1;
}

/* -1 without memory. */
static int fill_offers(const struct maui_fits_asked *a, const struct maui_offer_question *q,
		       struct maui_fits_partition *ret)
{
	const struct maui_closed closed = maui_explain_closed(a->x, q);
	struct maui_offers offers;

	ret->kept_out_by = maui_closed_rule_name(closed.rule);
	ret->obstacle = maui_closed_first(&closed);
	if (ret->obstacle)
		return 0;
	if (maui_explain_offers(a->x, q, false, a->args->least, &offers) ||
	    list_windows(a, &offers, &ret->windows, &ret->windows_count))
		return -1;
	ret->limit = maui_question_copy(a->question, offers.limit);
	ret->obstacle = maui_question_copy(a->question, offers.obstacle);
	if ((offers.limit && !ret->limit) || (offers.obstacle && !ret->obstacle))
		return -1;
	if (maui_explain_offers(a->x, q, true, a->args->least, &offers) ||
	    list_windows(a, &offers, &ret->whole_nodes, &ret->whole_nodes_count))
		return -1;
	return find_never(a, q, ret);
}

/* -1 without memory. */
static int fill_graph(const struct maui_fits_asked *a, const struct maui_offer_question *q,
		      struct maui_fits_partition *ret)
{
	size_t parts = (size_t)a->args->parts;
	int64_t step_s = parts > 0 ? a->args->horizon / a->args->parts : 0;
	struct maui_fits_graph *graph;
	struct maui_closed closed;
	int64_t *procs;

	if (parts == 0)
		return 0;
	graph = maui_question_alloc(a->question, 1, sizeof(*graph));
	procs = maui_question_alloc(a->question, parts, sizeof(*procs));
	if (!graph || !procs)
		return -1;
	*graph = (struct maui_fits_graph){ .free_step = step_s > 0 ? step_s : 1,
					   .free_procs = procs,
					   .free_procs_count = parts };
	ret->graph = graph;
	closed = maui_explain_closed(a->x, q);
	return maui_closed_first(&closed) ?
		       0 :
		       maui_explain_free(a->x, q, graph->free_step, (uint32_t)parts, procs);
}

static int64_t procs_of(const struct maui_fits_asked *a, uint32_t partition)
{
	int64_t procs = 0;

	for (uint32_t n = 0; n < a->s->node_count; n++)
		if (maui_node_is_in(&a->s->nodes[n], partition))
			procs += a->s->nodes[n].have[MAUI_AMOUNT_PROCS];
	return procs;
}

/* Adds what the node, or a job on it, has of each resource to the sums of the node's partitions. */
static void add_amounts(const struct maui_fits_asked *a, uint32_t index, const int64_t *amounts,
			int64_t *sums)
{
	const struct maui_node *node = &a->s->nodes[index];

	if (node->usable_from_s == MAUI_NEVER) /* down, drained */
		return;
	for (uint32_t i = 0; i < node->partition_count; i++)
		for (unsigned d = MAUI_AMOUNT_FIXED; d < a->s->amount_count; d++)
			sums[(size_t)node->partitions[i] * a->s->amount_count + d] += amounts[d];
}

/* Counts generic resources, if there are any; reservations and limits are ignored. */
static int count_gres(struct maui_fits_asked *a)
{
	size_t size = (size_t)a->s->partition_count * a->s->amount_count;

	if (a->s->amount_count == MAUI_AMOUNT_FIXED)
		return 0;
	a->gres_total = maui_question_alloc(a->question, size, sizeof(*a->gres_total));
	a->gres_used = maui_question_alloc(a->question, size, sizeof(*a->gres_used));
	if (!a->gres_total || !a->gres_used)
		return -1;
	for (uint32_t n = 0; n < a->s->node_count; n++)
		add_amounts(a, n, a->s->nodes[n].have, a->gres_total);
	for (uint32_t i = 0; i < a->s->active_count; i++)
		for (uint32_t k = 0; k < a->s->active[i].piece_count; k++)
			add_amounts(a, a->s->active[i].pieces[k].node,
				    a->s->active[i].pieces[k].amounts, a->gres_used);
	return 0;
}

/* -1 without memory. */
static int fill_partition(const struct maui_fits_asked *a, uint32_t partition,
			  struct maui_fits_partition *ret)
{
	const struct maui_partition *part = &a->s->partitions[partition];
	size_t sums = (size_t)partition * a->s->amount_count;
	struct maui_offer_question q;

	if (maui_fits_ask(a, partition, false, &q))
		return -1;
	*ret = (struct maui_fits_partition){
		.name = part->name,
		.is_default = part->is_default,
		.up = !part->down,
		.max_time = part->max_limit_s > 0 ? part->max_limit_s : MAUI_NEVER,
		.procs = procs_of(a, partition),
		.qos = q.cred[MAUI_CRED_QOS],
	};
	if (maui_gres_list(a->question, a->gres_total ? a->gres_total + sums : NULL,
			   a->gres_used ? a->gres_used + sums : NULL, &ret->gres,
			   &ret->gres_count) ||
	    fill_offers(a, &q, ret) || find_shape(a, &q, &ret->shape) || fill_graph(a, &q, ret))
		return -1;
	return 0;
}

/* -1 without memory. */
static int list_partitions(const struct maui_fits_asked *a, struct maui_fits *ret)
{
	struct maui_fits_partition *list =
		maui_question_alloc(a->question, MAUI_FITS_PARTITIONS, sizeof(*list));
	size_t count = 0;

	ret->partitions = list;
	for (uint32_t i = 0; list && i < a->s->partition_count && count < MAUI_FITS_PARTITIONS; i++)
		if (maui_fits_asks(a, i) && fill_partition(a, i, &list[count++]))
			return -1;
	ret->partitions_count = count;
	return list ? 0 : -1;
}

/* Whether a job or a line of maui.cfg has it. */
static bool is_known(const struct maui_fits_asked *a, enum maui_cred_kind kind)
{
	const struct maui_creds *creds = &a->p->plan->config->creds[kind];
	const char *name = a->cred[kind];

	if (name && maui_fits_has_job_of(a, kind, name))
		return true;
	for (size_t i = 0; name && i < creds->count; i++)
		if (strcmp(creds->list[i].name, name) == 0)
			return true;
	return false;
}

/* Or an association has it. */
static bool is_known_user(const struct maui_fits_asked *a)
{
	const char *user = a->cred[MAUI_CRED_USER];

	if (is_known(a, MAUI_CRED_USER))
		return true;
	for (size_t i = 0; user && i < a->p->default_account_count; i++)
		if (strcmp(a->p->default_accounts[i].user, user) == 0)
			return true;
	return false;
}

/* Whether this site has accounts, or gives them limits. */
static bool accounts_matter(const struct maui_fits_asked *a)
{
	return a->p->default_account_count > 0 ||
	       a->p->plan->config->creds[MAUI_CRED_ACCOUNT].count > 0;
}

/* NULL without memory. */
static const struct maui_fits *fill(const struct maui_fits_asked *a)
{
	struct maui_fits *ret = maui_question_alloc(a->question, 1, sizeof(*ret));
	struct maui_fits_known *known = maui_question_alloc(a->question, 1, sizeof(*known));

	if (!ret || !known)
		return NULL;
	known->user_known = is_known_user(a);
	known->group_known = is_known(a, MAUI_CRED_GROUP);
	*ret = (struct maui_fits){
		.cluster = a->p->cluster,
		.time = a->p->plan->now_s,
		.user = a->args->user,
		.known = a->hides_others ? NULL : known,
		.group = a->cred[MAUI_CRED_GROUP],
		.account = a->cred[MAUI_CRED_ACCOUNT],
		.account_assumed = a->account_assumed && accounts_matter(a),
		.qos = a->cred[MAUI_CRED_QOS],
		.slurm_reservation = a->claimed ? a->args->reservation : NULL,
		.no_starts = maui_document_no_starts(a->p),
	};
	return list_partitions(a, ret) || maui_fits_list_reservations(a, ret) ? NULL : ret;
}

/* Waiting jobs, which may be many, count for idle limits alone, which few sites set. */
static int count_waiting(const struct maui_fits_asked *a)
{
	const struct maui_throttle_set *set;
	struct maui_offer_question q;

	for (uint32_t i = 0; i < a->s->partition_count; i++) {
		if (!maui_fits_asks(a, i))
			continue;
		if (maui_fits_ask(a, i, false, &q))
			return -1;
		set = maui_throttle_resolve(a->throttle, q.cred);
		if (!set)
			return -1;
		if (maui_throttle_limits_idle(set))
			return maui_plan_throttle_waiting(a->p->plan, a->throttle);
	}
	return 0;
}

/* In: struct maui_fits_args. Out: struct maui_fits; NULL with an error: wrong arguments, an unknown
 * partition, no plan, no memory. */
const void *maui_answer_fits(const struct maui_question *q, const void *args)
{
	struct maui_fits_asked a = { .question = q, .args = args, .p = q->document };
	const void *ret = NULL;

	if (!maui_question_has_plan(q))
		return NULL;
	a.s = q->document->plan->snapshot;
	if (maui_fits_read(&a)) {
		maui_fits_finish(&a);
		return NULL;
	}
	a.x = maui_question_explainer(q);
	a.throttle = maui_plan_throttle(q->document->plan);
	if (a.x && a.throttle && count_gres(&a) == 0 && count_waiting(&a) == 0)
		ret = fill(&a);
	maui_throttle_destroy(a.throttle);
	maui_explainer_destroy(a.x);
	maui_fits_finish(&a);
	return ret ? ret : maui_question_no_memory(q);
}
