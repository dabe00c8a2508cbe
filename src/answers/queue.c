/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.c - answers "queue": active, idle and blocked jobs
 *
 * A job is idle if it waits for resources only, and blocked if anything else keeps it: a hold, a
 * limit, Slurm's own checks, nodes that do not exist.
 *
 * Rules: CMD-9, CMD-23.
 */

#include "answers/answer.h"

#include <stdlib.h>
#include <string.h>

#include "answers/find_job.h"
#include "answers/gres.h"
#include "answers/queue_rows.h"
#include "answers/queue_sums.h"
#include "base/limits.h"
#include "explain/text.h"
#include "plan/finished.h"
#include "verbs/queue.h"

/* What is asked for. */
struct wanted {
	bool active, idle, blocked;               /* which lists */
	const char *creds[MAUI_CRED_COUNT];       /* those of the arguments; NULL: any */
	struct maui_words names[MAUI_CRED_COUNT]; /* the names in them */
};

/* Jobs that are running, or suspended. */
struct active_jobs {
	const struct maui_document_rsv **list; /* that end first come first */
	size_t count;
	bool *nodes; /* of each node: one of these jobs has it */
};

/* Idle or blocked jobs. */
struct waiting_jobs {
	uint32_t *list; /* by rank, those without one behind */
	size_t count;
	int64_t jobs; /* each task of an array is a job */
};

struct capacity {
	int64_t procs, nodes;
};

struct queue {
	const struct maui_question *question;
	const struct maui_document *p;
	uid_t uid;
	struct wanted wanted;
	struct active_jobs active;
	struct waiting_jobs idle, blocked;
	struct capacity used, all;
	struct maui_queue_rows rows;
};

/* ---- which jobs ---- */

static bool is_wanted(const struct queue *q, const char *const *cred)
{
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		if (q->wanted.creds[i] &&
		    !(cred[i] && maui_words_contain(&q->wanted.names[i], cred[i])))
			return false;
	return true;
}

/* A job of several partitions is in each of them. */
static bool is_waiting_wanted(const struct queue *q, uint32_t index)
{
	const struct maui_snapshot *s = q->p->plan->snapshot;
	const struct maui_idle *idle = &s->idle[index];

	for (uint32_t r = 0; r < idle->row_count; r++)
		if (is_wanted(q, s->creds[idle->rows[r].creds].cred))
			return true;
	return false;
}

static void add_waiting(struct queue *q, uint32_t index)
{
	if (q->p->idle[index].waiting == 0 || !is_waiting_wanted(q, index) ||
	    !maui_document_shows_idle(q->p, index, q->uid))
		return;
	if (maui_queue_count_part(q->p, index, false) > 0)
		q->idle.list[q->idle.count++] = index;
	if (maui_queue_count_part(q->p, index, true) > 0)
		q->blocked.list[q->blocked.count++] = index;
	q->idle.jobs += maui_queue_count_part(q->p, index, false);
	q->blocked.jobs += maui_queue_count_part(q->p, index, true);
}

static void list_waiting(struct queue *q)
{
	const struct maui_plan *plan = q->p->plan;

	for (uint32_t i = plan->first_job; i != UINT32_MAX; i = plan->jobs[i].next)
		add_waiting(q, i);
	for (uint32_t i = 0; i < plan->snapshot->idle_count; i++)
		if (!plan->jobs[i].queued)
			add_waiting(q, i);
}

static int compare_ends(const void *a, const void *b)
{
	const struct maui_document_rsv *one = *(const struct maui_document_rsv *const *)a;
	const struct maui_document_rsv *two = *(const struct maui_document_rsv *const *)b;

	if (one->end_s != two->end_s)
		return one->end_s < two->end_s ? -1 : 1;
	return one->job_id < two->job_id ? -1 : one->job_id > two->job_id;
}

static bool names_creds(const struct queue *q)
{
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		if (q->wanted.creds[i])
			return true;
	return false;
}

/* Who sees the nodes sees which are in use, also by jobs that PrivateData hides. Of the jobs of a
 * user or account only those count that are shown: whose the others are is hidden. */
static bool counts_hidden(const struct queue *q)
{
	return !names_creds(q) && !maui_document_hides_nodes(q->p, q->uid);
}

static void list_active(struct queue *q)
{
	const struct maui_document *p = q->p;
	bool all = counts_hidden(q);

	for (size_t i = 0; i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		bool shown = maui_document_shows(p, row, q->uid);

		if (!maui_document_is_active(row) || !is_wanted(q, row->cred) || !(shown || all))
			continue;
		if (shown)
			q->active.list[q->active.count++] = row;
		q->used.procs += row->state == MAUI_JOB_SUSPENDED ? 0 : row->procs;
		for (uint32_t n = 0; n < row->node_count; n++) {
			q->used.nodes += !q->active.nodes[row->nodes[n].node];
			q->active.nodes[row->nodes[n].node] = true;
		}
	}
	if (q->active.count > 0)
		qsort(q->active.list, q->active.count, sizeof(*q->active.list), compare_ends);
}

static bool is_in_partition(const struct queue *q, const struct maui_node *node)
{
	const struct maui_snapshot *s = q->p->plan->snapshot;

	for (uint32_t i = 0; i < node->partition_count; i++)
		if (maui_words_contain(&q->wanted.names[MAUI_CRED_CLASS],
				       s->partitions[node->partitions[i]].name))
			return true;
	return false;
}

/* What jobs use or could use, of the partition, if one is asked for: jobs go on running on nodes
 * that are drained. */
static void count_nodes(struct queue *q)
{
	const struct maui_snapshot *s = q->p->plan->snapshot;

	for (uint32_t i = 0; i < s->node_count; i++) {
		if ((s->nodes[i].usable_from_s == MAUI_NEVER && !q->active.nodes[i]) ||
		    (q->wanted.creds[MAUI_CRED_CLASS] && !is_in_partition(q, &s->nodes[i])))
			continue;
		q->all.nodes++;
		q->all.procs += s->nodes[i].have[MAUI_AMOUNT_PROCS];
	}
}

/* ---- the answer ---- */

static const struct maui_queue_active *list_active_rows(struct queue *q, size_t *ret_count)
{
	struct maui_queue_active *rows;

	*ret_count = q->wanted.active ? q->active.count : 0;
	rows = maui_question_alloc(q->question, *ret_count, sizeof(*rows));
	q->rows.failed |= !rows;
	for (size_t i = 0; i < *ret_count && !q->rows.failed; i++)
		maui_queue_fill_active(&q->rows, q->active.list[i], &rows[i]);
	return rows;
}

static const struct maui_queue_waiting *list_waiting_rows(struct queue *q, const uint32_t *list,
							  size_t count, bool blocked)
{
	struct maui_queue_waiting *rows = maui_question_alloc(q->question, count, sizeof(*rows));

	q->rows.failed |= !rows;
	for (size_t i = 0; i < count && !q->rows.failed; i++)
		maui_queue_fill_waiting(&q->rows, list[i], blocked, &rows[i]);
	return rows;
}

static const struct maui_queue_totals *totals(struct queue *q)
{
	struct maui_queue_totals *ret = maui_question_alloc(q->question, 1, sizeof(*ret));

	q->rows.failed |= !ret;
	if (!ret)
		return NULL;
	*ret = (struct maui_queue_totals){
		.active_jobs = (int64_t)q->active.count,
		.idle_jobs = q->idle.jobs,
		.blocked_jobs = q->blocked.jobs,
		.active_procs = q->used.procs,
		.procs = q->all.procs,
		.active_nodes = q->used.nodes,
		.nodes = q->all.nodes,
	};
	if (!names_creds(q))
		q->rows.failed |=
			maui_gres_list_all(q->question, &ret->gres, &ret->gres_count) != 0;
	return ret;
}

/* Until when BFCHUNKSIZE keeps idle processors from small jobs. MAUI_NEVER: it does not. */
static int64_t collecting_until(const struct maui_plan *plan)
{
	for (uint32_t i = 0; i < plan->snapshot->idle_count; i++)
		for (const struct maui_block *b = plan->decisions.verdicts[i].blocks; b;
		     b = b->next)
			if (b->reason == MAUI_REASON_CHUNKING)
				return b->until_s;
	return MAUI_NEVER;
}

/* Whether the row is a job reservation of those that are asked for. */
static bool is_kept(const struct queue *q, const struct maui_document_rsv *row)
{
	return row->type == MAUI_DOCUMENT_JOB && row->state == MAUI_JOB_IDLE &&
	       is_wanted(q, row->cred) && maui_document_shows(q->p, row, q->uid);
}

/* The nodes of job reservations: of those that the user may see, the first ones. */
static const struct maui_queue_kept *list_kept(struct queue *q, size_t *ret_count)
{
	struct maui_queue_kept *list =
		maui_question_alloc(q->question, MAUI_QUERY_MAX_KEPT, sizeof(*list));

	*ret_count = 0;
	q->rows.failed |= !list;
	for (size_t i = 0;
	     !q->rows.failed && i < q->p->rsv_count && *ret_count < MAUI_QUERY_MAX_KEPT; i++) {
		const struct maui_document_rsv *row = &q->p->rsvs[i];
		struct maui_queue_kept *one = &list[*ret_count];

		if (!is_kept(q, row))
			continue;
		*one = (struct maui_queue_kept){
			.job = row->name,
			.user = row->cred[MAUI_CRED_USER],
			.nodes = maui_job_node_names(q->question, row),
			.node_count = row->node_count,
			.procs = row->procs,
			.start = row->start_s,
		};
		q->rows.failed |= !one->nodes;
		++*ret_count;
	}
	return list;
}

static const void *fill(struct queue *q)
{
	struct maui_queue *ret = maui_question_alloc(q->question, 1, sizeof(*ret));

	if (!ret)
		return NULL;
	ret->cluster = q->p->cluster;
	ret->time = q->p->now_s;
	ret->totals = totals(q);
	ret->active_columns = q->rows.wide ? maui_queue_active_type.count : MAUI_QUEUE_NARROW;
	ret->active = list_active_rows(q, &ret->active_count);
	ret->waiting_columns = q->rows.wide ? maui_queue_waiting_type.count : MAUI_QUEUE_NARROW;
	ret->idle_count = q->wanted.idle ? q->idle.count : 0;
	ret->idle = list_waiting_rows(q, q->idle.list, ret->idle_count, false);
	ret->blocked_count = q->wanted.blocked ? q->blocked.count : 0;
	ret->blocked = list_waiting_rows(q, q->blocked.list, ret->blocked_count, true);
	ret->kept = list_kept(q, &ret->kept_count);
	ret->collecting_until = collecting_until(q->p->plan);
	return q->rows.failed ? maui_question_no_memory(q->question) : ret;
}

static bool allocate(struct queue *q)
{
	uint32_t count = q->p->plan->snapshot->idle_count;
	uint32_t nodes = q->p->plan->snapshot->node_count;

	q->active.list = malloc((q->p->rsv_count + 1) * sizeof(*q->active.list));
	q->active.nodes = calloc((nodes > q->p->node_count ? nodes : q->p->node_count) + 1u,
				 sizeof(*q->active.nodes));
	q->idle.list = malloc((count + 1u) * sizeof(*q->idle.list));
	q->blocked.list = malloc((count + 1u) * sizeof(*q->blocked.list));
	if (q->rows.wide && (q->wanted.idle || q->wanted.blocked))
		q->rows.explainer = maui_question_explainer(q->question);
	return q->active.list && q->active.nodes && q->idle.list && q->blocked.list &&
	       (q->rows.explainer || !q->rows.wide || !(q->wanted.idle || q->wanted.blocked));
}

static size_t count_rows(const struct queue *q)
{
	return (q->wanted.active ? q->active.count : 0) + (q->wanted.idle ? q->idle.count : 0) +
	       (q->wanted.blocked ? q->blocked.count : 0);
}

/* Reads the lists of names. -1 with an error. */
static int read_wanted(struct queue *q)
{
	for (int i = 0; i < MAUI_CRED_COUNT; i++) {
		const char *list = q->wanted.creds[i];

		if (list && i == MAUI_CRED_CLASS &&
		    maui_document_read_partitions(q->p, list, &q->wanted.names[i],
						  q->question->error))
			return -1;
		if (list && i != MAUI_CRED_CLASS &&
		    maui_words_split(list, ",", &q->wanted.names[i])) {
			maui_question_no_memory(q->question);
			return -1;
		}
		if (q->wanted.names[i].count > MAUI_QUERY_MAX_WANTED) {
			maui_question_fail(q->question, MAUI_QUERY_BAD,
					   "at most %u %s names can be asked for at once",
					   MAUI_QUERY_MAX_WANTED,
					   maui_cred_name((enum maui_cred_kind)i));
			return -1;
		}
	}
	return 0;
}

static const void *answer(struct queue *q)
{
	if (!allocate(q))
		return maui_question_no_memory(q->question);
	list_active(q);
	list_waiting(q);
	count_nodes(q);
	if (count_rows(q) > MAUI_QUERY_MAX_JOBS)
		return maui_question_too_many(q->question, MAUI_QUERY_MAX_JOBS, "jobs",
					      "name a user or a partition");
	return fill(q);
}

static bool is_block(const struct maui_queue_args *args, const char *block)
{
	return !args->block || strcmp(args->block, block) == 0;
}

/* The lists of names are not read yet. */
static struct wanted wanted_by(const struct maui_queue_args *args)
{
	return (struct wanted){
		.active = is_block(args, "active"),
		.idle = is_block(args, "idle"),
		.blocked = is_block(args, "blocked"),
		.creds = { [MAUI_CRED_USER] = args->user,
			   [MAUI_CRED_GROUP] = args->group,
			   [MAUI_CRED_ACCOUNT] = args->account,
			   [MAUI_CRED_QOS] = args->qos,
			   [MAUI_CRED_CLASS] = args->class },
	};
}

/* In: struct maui_queue_args. Out: struct maui_queue; NULL with an error: there is no plan yet; too
 * many jobs; no memory. */
const void *maui_answer_queue(const struct maui_question *question, const void *arguments)
{
	const struct maui_queue_args *args = arguments;
	struct queue q = {
		.question = question,
		.p = question->document,
		.uid = question->uid,
		.wanted = wanted_by(args),
		.rows = { .question = question, .p = question->document, .wide = args->wide }
	};
	const void *ret = NULL;

	if (!q.wanted.active && !q.wanted.idle && !q.wanted.blocked)
		return maui_question_fail(question, MAUI_QUERY_BAD,
					  "block is active, idle or blocked");
	if (!maui_question_has_plan(question))
		return NULL;
	if (read_wanted(&q) == 0)
		ret = answer(&q);
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		maui_words_finish(&q.wanted.names[i]);
	maui_explainer_destroy(q.rows.explainer);
	free(q.active.list);
	free(q.active.nodes);
	free(q.idle.list);
	free(q.blocked.list);
	return ret;
}
