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
#include "answers/queue_sums.h"
#include "base/limits.h"
#include "explain/text.h"
#include "plan/finished.h"
#include "policy/priority.h"
#include "verbs/queue.h"

/* What is asked for. */
struct wanted {
	bool active, idle, blocked; /* which lists */
	bool wide;
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

/* The last answer of least_nodes(): neighbours in a queue are alike. */
struct measured {
	const struct maui_row *row; /* NULL: none yet */
	uint32_t request, nodes;
};

struct queue {
	const struct maui_question *question;
	const struct maui_document *p;
	uid_t uid;
	struct wanted wanted;
	struct active_jobs active;
	struct waiting_jobs idle, blocked;
	struct capacity used, all;
	struct maui_explainer *explainer; /* NULL unless waiting jobs are shown wide */
	unsigned searches;                /* for estimates that the cycle did not make */
	struct measured measured;
	bool failed;
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

static const char *const *creds_of(const struct queue *q, uint32_t index)
{
	return q->p->plan->snapshot->creds[maui_plan_row(q->p->plan, index)->creds].cred;
}

/* How many jobs of the entry belong to the idle or to the blocked ones: tasks of one array may be
 * either. */
static uint32_t count_part(const struct queue *q, uint32_t index, bool blocked)
{
	uint32_t all = q->p->idle[index].waiting;
	uint32_t limited = maui_queue_state(q->p->plan, index) == MAUI_QUEUE_BLOCKED ?
				   all :
				   maui_queue_idle_limited(q->p, index);

	return blocked ? limited : all - limited;
}

static void add_waiting(struct queue *q, uint32_t index)
{
	if (q->p->idle[index].waiting == 0 || !is_waiting_wanted(q, index) ||
	    !maui_document_shows_idle(q->p, index, q->uid))
		return;
	if (count_part(q, index, false) > 0)
		q->idle.list[q->idle.count++] = index;
	if (count_part(q, index, true) > 0)
		q->blocked.list[q->blocked.count++] = index;
	q->idle.jobs += count_part(q, index, false);
	q->blocked.jobs += count_part(q, index, true);
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

/* Who sees the nodes sees which are in use, also by jobs that PrivateData hides. Of the jobs of a
 * user or account only those count that are shown: whose the others are is hidden. */
static bool counts_hidden(const struct queue *q)
{
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		if (q->wanted.creds[i])
			return false;
	return !maui_document_hides_nodes(q->p, q->uid);
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

/* ---- rows ---- */

static double xfactor(const struct queue *q, const char *const *cred, int64_t waited_s,
		      int64_t limit_s)
{
	const struct maui_config *config = q->p->plan->config;

	return maui_priority_xfactor(
		maui_config_priority(config, cred[MAUI_CRED_CLASS]), (double)waited_s,
		(double)(limit_s == MAUI_NEVER ? config->default_walltime_s : limit_s));
}

static void fill_active(struct queue *q, const struct maui_document_rsv *row,
			struct maui_queue_active *ret)
{
	char label[MAUI_JOB_LABEL_SIZE];

	*ret = (struct maui_queue_active){
		.job = maui_question_copy(q->question, maui_active_label(row, label)),
		.user = row->cred[MAUI_CRED_USER],
		.state = row->state,
		.procs = row->procs,
		.end = row->end_s,
		.start = row->start_s,
	};
	q->failed |= !ret->job;
	if (!q->wanted.wide)
		return;
	ret->id = (int64_t)row->job_id;
	ret->name = row->job_name;
	ret->group = row->cred[MAUI_CRED_GROUP];
	ret->account = row->cred[MAUI_CRED_ACCOUNT];
	ret->qos = row->cred[MAUI_CRED_QOS];
	ret->class = row->cred[MAUI_CRED_CLASS];
	ret->nodes = row->node_count;
	ret->first_node = row->node_count ? q->p->nodes[row->nodes[0].node] : NULL;
	ret->submit = row->submit_s ? row->submit_s : MAUI_NEVER;
	ret->xfactor = xfactor(q, row->cred, row->submit_s ? row->start_s - row->submit_s : 0,
			       maui_when_length(row->start_s, row->end_s));
	ret->suspended = row->suspended_s;
}

/* Maui's word: a held job is not just idle. */
static enum maui_job_state waiting_state(const struct queue *q, uint32_t index)
{
	enum maui_reason blocked = q->p->plan->snapshot->idle[index].blocked;
	enum maui_job_state state = maui_waiting_state(q->p, index);

	if (blocked == MAUI_REASON_HELD)
		return q->p->idle[index].held_by_user ? MAUI_JOB_USER_HOLD : MAUI_JOB_SYSTEM_HOLD;
	if (blocked == MAUI_REASON_DEFERRED)
		return MAUI_JOB_DEFERRED;
	return state == MAUI_JOB_BLOCKED ? MAUI_JOB_IDLE : state;
}

/* A line of the why column. */
static const char *reason_of(struct queue *q, uint32_t index)
{
	const struct maui_slurm_facts facts = maui_waiting_facts(q->p, index);
	struct maui_explanation e;
	char text[64 + MAUI_EXPLAIN_LINE_SIZE];

	if (maui_explain_short(q->explainer, index, &e)) {
		q->failed = true;
		return NULL;
	}
	e.now_s = q->p->plan->now_s;
	e.start_apart = true; /* it has a column of its own */
	e.too_late = maui_explain_is_too_late(&e, e.verdict->estimate_s);
	e.facts = &facts;
	maui_explain_first(&e, text, sizeof(text));
	return *text ? maui_question_copy(q->question, text) : NULL;
}

/* When the job could start, if the cycle made no estimate. */
static int64_t earliest(struct queue *q, uint32_t index)
{
	struct maui_start_time start = { .when_s = MAUI_NEVER };

	if (!q->p->plan->jobs[index].waits || q->searches >= MAUI_QUERY_MAX_SEARCHES)
		return MAUI_NEVER;
	q->searches++;
	q->failed |= maui_explain_start(q->explainer, index, &start) != 0;
	return start.when_s;
}

static uint32_t least_nodes(struct queue *q, uint32_t index)
{
	const struct maui_row *row = maui_plan_row(q->p->plan, index);
	const struct maui_idle *idle = &q->p->plan->snapshot->idle[index];
	uint32_t request = maui_idle_request(idle, (uint32_t)(row - idle->rows));

	if (!q->measured.row || q->measured.request != request ||
	    q->measured.row->partition != row->partition || q->measured.row->creds != row->creds) {
		q->failed |= maui_explain_least_nodes(q->explainer, index, &q->measured.nodes) != 0;
		q->measured.row = row;
		q->measured.request = request;
	}
	return q->measured.nodes;
}

/* When the jobs start, and why not now. */
static void fill_outlook(struct queue *q, uint32_t index, struct maui_queue_waiting *ret)
{
	ret->expected_start = maui_document_estimate(q->p, index);
	ret->earliest_start =
		ret->expected_start != MAUI_NEVER ? ret->expected_start : earliest(q, index);
	ret->reserved = q->p->plan->jobs[index].reserved;
	ret->reason = reason_of(q, index);
}

/* The same of the tasks that an idle limit keeps out, while others of their array wait for
 * resources. */
static void fill_idle_limit(struct queue *q, uint32_t index, struct maui_queue_waiting *ret)
{
	char text[MAUI_VIOLATION_SIZE];

	ret->expected_start = ret->earliest_start = MAUI_NEVER;
	ret->reason = maui_question_copy(
		q->question, maui_violation_format(q->p->plan->decisions.verdicts[index].idle_limit,
						   text, sizeof(text)));
}

static void fill_wide(struct queue *q, uint32_t index, bool blocked, struct maui_queue_waiting *ret)
{
	const struct maui_plan *plan = q->p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const char *const *cred = creds_of(q, index);

	ret->id = (int64_t)idle->id;
	ret->name = q->p->idle[index].name;
	ret->group = cred[MAUI_CRED_GROUP];
	ret->account = cred[MAUI_CRED_ACCOUNT];
	ret->qos = cred[MAUI_CRED_QOS];
	ret->class = cred[MAUI_CRED_CLASS];
	ret->nodes = least_nodes(q, index);
	ret->jobs = count_part(q, index, blocked);
	ret->priority = plan->decisions.verdicts[index].published;
	ret->xfactor = xfactor(q, cred, plan->now_s - idle->queue_since_s, idle->limit_s);
	ret->queued_since = idle->queue_since_s;
	if (blocked && maui_queue_state(plan, index) != MAUI_QUEUE_BLOCKED)
		fill_idle_limit(q, index, ret);
	else
		fill_outlook(q, index, ret);
}

static void fill_waiting(struct queue *q, uint32_t index, bool blocked,
			 struct maui_queue_waiting *ret)
{
	const struct maui_idle *idle = &q->p->plan->snapshot->idle[index];
	char label[MAUI_JOB_LABEL_SIZE];

	maui_waiting_part_label(q->p, index, count_part(q, index, blocked), label);
	*ret = (struct maui_queue_waiting){
		.job = maui_question_copy(q->question, label),
		.user = creds_of(q, index)[MAUI_CRED_USER],
		.state = waiting_state(q, index),
		.procs = idle->procs,
		.limit = idle->limit_s,
		.submit = idle->submit_s,
	};
	q->failed |= !ret->job;
	if (q->wanted.wide)
		fill_wide(q, index, blocked, ret);
}

static const struct maui_queue_active *list_active_rows(struct queue *q, size_t *ret_count)
{
	struct maui_queue_active *rows;

	*ret_count = q->wanted.active ? q->active.count : 0;
	rows = maui_question_alloc(q->question, *ret_count, sizeof(*rows));
	q->failed |= !rows;
	for (size_t i = 0; i < *ret_count && !q->failed; i++)
		fill_active(q, q->active.list[i], &rows[i]);
	return rows;
}

static const struct maui_queue_waiting *list_waiting_rows(struct queue *q, const uint32_t *list,
							  size_t count, bool blocked)
{
	struct maui_queue_waiting *rows = maui_question_alloc(q->question, count, sizeof(*rows));

	q->failed |= !rows;
	for (size_t i = 0; i < count && !q->failed; i++)
		fill_waiting(q, list[i], blocked, &rows[i]);
	return rows;
}

/* ---- the answer ---- */

static bool names_creds(const struct queue *q)
{
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		if (q->wanted.creds[i])
			return true;
	return false;
}

static const struct maui_queue_totals *totals(struct queue *q)
{
	struct maui_queue_totals *ret = maui_question_alloc(q->question, 1, sizeof(*ret));

	q->failed |= !ret;
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
		q->failed |= maui_gres_list_all(q->question, &ret->gres, &ret->gres_count) != 0;
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
	q->failed |= !list;
	for (size_t i = 0; !q->failed && i < q->p->rsv_count && *ret_count < MAUI_QUERY_MAX_KEPT;
	     i++) {
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
		q->failed |= !one->nodes;
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
	ret->active_columns = q->wanted.wide ? maui_queue_active_type.count : MAUI_QUEUE_NARROW;
	ret->active = list_active_rows(q, &ret->active_count);
	ret->waiting_columns = q->wanted.wide ? maui_queue_waiting_type.count : MAUI_QUEUE_NARROW;
	ret->idle_count = q->wanted.idle ? q->idle.count : 0;
	ret->idle = list_waiting_rows(q, q->idle.list, ret->idle_count, false);
	ret->blocked_count = q->wanted.blocked ? q->blocked.count : 0;
	ret->blocked = list_waiting_rows(q, q->blocked.list, ret->blocked_count, true);
	ret->kept = list_kept(q, &ret->kept_count);
	ret->collecting_until = collecting_until(q->p->plan);
	return q->failed ? maui_question_no_memory(q->question) : ret;
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
	if (q->wanted.wide && (q->wanted.idle || q->wanted.blocked))
		q->explainer = maui_question_explainer(q->question);
	return q->active.list && q->active.nodes && q->idle.list && q->blocked.list &&
	       (q->explainer || !q->wanted.wide || !(q->wanted.idle || q->wanted.blocked));
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
		.wide = args->wide,
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
	struct queue q = { .question = question,
			   .p = question->document,
			   .uid = question->uid,
			   .wanted = wanted_by(args) };
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
	maui_explainer_destroy(q.explainer);
	free(q.active.list);
	free(q.active.nodes);
	free(q.idle.list);
	free(q.blocked.list);
	return ret;
}
