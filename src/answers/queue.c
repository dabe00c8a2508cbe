/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_json.c - the whole queue as JSON: active, idle and blocked jobs */

#include "answers/queue_json.h"

#include <stdlib.h>
#include <string.h>

#include "answers/find_job.h"
#include "answers/gres_json.h"
#include "answers/json_rows.h"
#include "answers/object.h"
#include "answers/queue_sums.h"
#include "answers/rsv_json.h"
#include "answers/wait_text.h"
#include "base/limits.h"
#include "explain/text.h"
#include "plan/finished.h"
#include "policy/priority.h"

/* The first of them are for showq, all of them for `wide`. */
static const char *const active_columns[] = {
	"job",   "user",    "state", "procs", "end",   "start",      "id",     "name",
	"group", "account", "qos",   "class", "nodes", "first_node", "submit", "xfactor",
};
static const char *const waiting_columns[] = {
	"job",     "user",         "state",          "procs",          "limit",
	"submit",  "id",           "name",           "group",          "account",
	"qos",     "class",        "nodes",          "jobs",           "priority",
	"xfactor", "queued_since", "expected_start", "earliest_start", "reserved",
	"reason",
};
enum { NARROW = 6 };
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

struct queue {
	const struct maui_document *p;
	const struct maui_queue_args *args;
	uid_t uid;
	struct maui_words wanted[MAUI_CRED_COUNT]; /* names of args, where it has any */
	const struct maui_document_rsv **active;   /* that end first come first */
	bool *used;                                /* nodes of these jobs */
	uint32_t *idle, *blocked;                  /* by rank, those without one behind */
	size_t active_count, idle_count, blocked_count;
	int64_t active_jobs, idle_jobs, blocked_jobs; /* each task of an array is a job */
	int64_t used_procs, used_nodes, procs, nodes;
	struct maui_explainer *explainer; /* NULL unless waiting jobs are shown wide */
	unsigned searches;                /* for estimates that the cycle did not make */
	/* the last answer of least_nodes(): neighbours in a queue are alike */
	const struct maui_row *measured;
	uint32_t measured_request, measured_nodes;
	bool failed;
};

/* ---- which jobs ---- */

static bool is_wanted(const struct queue *q, const char *const *cred)
{
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		if (q->args->cred[i] && !(cred[i] && maui_words_contain(&q->wanted[i], cred[i])))
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

static const struct maui_row *row_of(const struct queue *q, uint32_t index)
{
	const struct maui_plan *plan = q->p->plan;

	return &plan->snapshot->idle[index].rows[plan->jobs[index].row];
}

static const char *const *creds_of(const struct queue *q, uint32_t index)
{
	return q->p->plan->snapshot->creds[row_of(q, index)->creds].cred;
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
		q->idle[q->idle_count++] = index;
	if (count_part(q, index, true) > 0)
		q->blocked[q->blocked_count++] = index;
	q->idle_jobs += count_part(q, index, false);
	q->blocked_jobs += count_part(q, index, true);
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

static void list_active(struct queue *q)
{
	const struct maui_document *p = q->p;

	for (size_t i = 0; i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		if (!maui_document_is_active(row) || !is_wanted(q, row->cred) ||
		    !maui_document_shows(p, row, q->uid))
			continue;
		q->active[q->active_count++] = row;
		q->used_procs += row->state == 'Z' ? 0 : row->procs;
		for (uint32_t n = 0; n < row->node_count; n++) {
			q->used_nodes += !q->used[row->nodes[n].node];
			q->used[row->nodes[n].node] = true;
		}
	}
	q->active_jobs = (int64_t)q->active_count;
	if (q->active_count > 0)
		qsort(q->active, q->active_count, sizeof(*q->active), compare_ends);
}

static bool is_in_partition(const struct queue *q, const struct maui_node *node)
{
	const struct maui_snapshot *s = q->p->plan->snapshot;

	for (uint32_t i = 0; i < node->partition_count; i++)
		if (maui_words_contain(&q->wanted[MAUI_CRED_CLASS],
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
		if ((s->nodes[i].usable_from_s == MAUI_NEVER && !q->used[i]) ||
		    (q->args->cred[MAUI_CRED_CLASS] && !is_in_partition(q, &s->nodes[i])))
			continue;
		q->nodes++;
		q->procs += s->nodes[i].have[MAUI_AMOUNT_PROCS];
	}
}

/* ---- rows ---- */

static void put_creds(struct maui_json_rows *rows, const char *const *cred)
{
	maui_json_rows_text(rows, cred[MAUI_CRED_GROUP]);
	maui_json_rows_text(rows, cred[MAUI_CRED_ACCOUNT]);
	maui_json_rows_text(rows, cred[MAUI_CRED_QOS]);
	maui_json_rows_text(rows, cred[MAUI_CRED_CLASS]);
}

static double xfactor(const struct queue *q, const char *const *cred, int64_t waited_s,
		      int64_t limit_s)
{
	return maui_priority_xfactor(
		maui_config_priority(q->p->plan->config, cred[MAUI_CRED_CLASS]), (double)waited_s,
		limit_s == MAUI_NEVER ? 0 : (double)limit_s);
}

static void put_active(const struct queue *q, struct maui_json_rows *rows,
		       const struct maui_document_rsv *row)
{
	char label[MAUI_JOB_LABEL_SIZE];

	maui_json_rows_begin(rows);
	maui_json_rows_text(rows, maui_active_label(row, label));
	maui_json_rows_text(rows, row->cred[MAUI_CRED_USER]);
	maui_json_rows_text(rows, maui_active_state(row));
	maui_json_rows_number(rows, row->procs);
	maui_json_rows_time(rows, row->end_s);
	maui_json_rows_number(rows, row->start_s);
	if (q->args->wide) {
		maui_json_rows_number(rows, (int64_t)row->job_id);
		maui_json_rows_text(rows, row->job_name);
		put_creds(rows, row->cred);
		maui_json_rows_number(rows, row->node_count);
		maui_json_rows_text(rows, row->node_count ? q->p->nodes[row->nodes[0].node] : NULL);
		maui_json_rows_time(rows, row->submit_s ? row->submit_s : MAUI_NEVER);
		maui_json_rows_ratio(rows, xfactor(q, row->cred,
						   row->submit_s ? row->start_s - row->submit_s : 0,
						   maui_when_length(row->start_s, row->end_s)));
	}
	maui_json_rows_end(rows);
}

/* Maui's word: a held job is not just idle. */
static const char *waiting_state(const struct queue *q, uint32_t index)
{
	enum maui_reason blocked = q->p->plan->snapshot->idle[index].blocked;
	const char *state = maui_waiting_state(q->p, index);

	if (blocked == MAUI_REASON_HELD)
		return q->p->idle[index].held_by_user ? "UserHold" : "SystemHold";
	if (blocked == MAUI_REASON_DEFERRED)
		return "Deferred";
	return strcmp(state, "Blocked") == 0 ? "Idle" : state;
}

/* A line of the why column. */
struct why {
	char text[64 + MAUI_EXPLAIN_LINE_SIZE];
};

static const char late[] = "would start after its deadline; ";

static const char *reason_of(struct queue *q, uint32_t index, struct why *why)
{
	const struct maui_block *block = q->p->plan->decisions.verdicts[index].blocks;
	struct maui_explanation e;
	char *text = why->text;

	if (!block)
		return *maui_wait_text(q->p, index, text) ? text : NULL;
	if (maui_explain_short(q->explainer, index, &e)) {
		q->failed = true;
		return NULL;
	}
	e.now_s = q->p->plan->now_s;
	e.start_apart = true; /* it has a column of its own */
	if (maui_explain_is_too_late(&e, e.verdict->estimate_s))
		text = stpcpy(text, late);
	maui_explain_first(&e, text, MAUI_EXPLAIN_LINE_SIZE);
	if (!*text)
		maui_wait_text(q->p, index, text);
	return why->text;
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
	const struct maui_row *row = row_of(q, index);
	const struct maui_idle *idle = &q->p->plan->snapshot->idle[index];
	uint32_t request = maui_idle_request(idle, (uint32_t)(row - idle->rows));

	if (!q->measured || q->measured_request != request ||
	    q->measured->partition != row->partition || q->measured->creds != row->creds) {
		q->failed |= maui_explain_least_nodes(q->explainer, index, &q->measured_nodes) != 0;
		q->measured = row;
		q->measured_request = request;
	}
	return q->measured_nodes;
}

/* When the jobs start, and why not now. */
static void put_outlook(struct queue *q, struct maui_json_rows *rows, uint32_t index)
{
	const struct maui_plan *plan = q->p->plan;
	int64_t estimate_s = maui_document_estimate(q->p, index);
	struct why why;

	maui_json_rows_time(rows, estimate_s);
	maui_json_rows_time(rows, estimate_s != MAUI_NEVER ? estimate_s : earliest(q, index));
	maui_json_rows_number(rows, plan->jobs[index].reserved);
	maui_json_rows_text(rows, reason_of(q, index, &why));
}

/* The same of the tasks that an idle limit keeps out, while others of their array wait for
 * resources. */
static void put_idle_limit(struct queue *q, struct maui_json_rows *rows, uint32_t index)
{
	char text[MAUI_VIOLATION_SIZE];

	maui_json_rows_time(rows, MAUI_NEVER);
	maui_json_rows_time(rows, MAUI_NEVER);
	maui_json_rows_number(rows, 0);
	maui_json_rows_text(rows,
			    maui_violation_format(q->p->plan->decisions.verdicts[index].idle_limit,
						  text, sizeof(text)));
}

static void put_wide(struct queue *q, struct maui_json_rows *rows, uint32_t index, bool blocked)
{
	const struct maui_plan *plan = q->p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const struct maui_verdict *verdict = &plan->decisions.verdicts[index];
	bool limited = blocked && maui_queue_state(plan, index) != MAUI_QUEUE_BLOCKED;

	maui_json_rows_number(rows, (int64_t)idle->id);
	maui_json_rows_text(rows, q->p->idle[index].name);
	put_creds(rows, creds_of(q, index));
	maui_json_rows_number(rows, least_nodes(q, index));
	maui_json_rows_number(rows, count_part(q, index, blocked));
	maui_json_rows_number(rows, verdict->published);
	maui_json_rows_ratio(rows, xfactor(q, creds_of(q, index), plan->now_s - idle->queue_since_s,
					   idle->limit_s));
	maui_json_rows_number(rows, idle->queue_since_s);
	if (limited)
		put_idle_limit(q, rows, index);
	else
		put_outlook(q, rows, index);
}

static void put_waiting(struct queue *q, struct maui_json_rows *rows, uint32_t index, bool blocked)
{
	const struct maui_idle *idle = &q->p->plan->snapshot->idle[index];
	char label[MAUI_JOB_LABEL_SIZE];

	maui_json_rows_begin(rows);
	maui_json_rows_text(
		rows, maui_waiting_part_label(q->p, index, count_part(q, index, blocked), label));
	maui_json_rows_text(rows, creds_of(q, index)[MAUI_CRED_USER]);
	maui_json_rows_text(rows, waiting_state(q, index));
	maui_json_rows_number(rows, idle->procs);
	maui_json_rows_time(rows, idle->limit_s);
	maui_json_rows_number(rows, idle->submit_s);
	if (q->args->wide)
		put_wide(q, rows, index, blocked);
	maui_json_rows_end(rows);
}

static json_object *active_rows(const struct queue *q)
{
	struct maui_json_rows rows = { 0 };

	for (size_t i = 0; q->args->active && i < q->active_count; i++)
		put_active(q, &rows, q->active[i]);
	return maui_json_rows_finish(&rows);
}

static json_object *waiting_rows(struct queue *q, const uint32_t *list, size_t count, bool blocked)
{
	struct maui_json_rows rows = { 0 };

	for (size_t i = 0; i < count && !q->failed; i++)
		put_waiting(q, &rows, list[i], blocked);
	return maui_json_rows_finish(&rows);
}

/* ---- the answer ---- */

static json_object *names_json(const char *const *names, size_t count)
{
	struct maui_json_rows rows = { 0 };
	json_object *array;

	maui_strbuf_add(&rows.text, "[", 1);
	for (size_t i = 0; i < count; i++)
		maui_json_rows_text(&rows, names[i]);
	rows.count = 1;
	array = maui_json_rows_finish(&rows);
	return array;
}

static bool names_creds(const struct queue *q)
{
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		if (q->args->cred[i])
			return true;
	return false;
}

static json_object *totals_json(const struct queue *q)
{
	struct maui_object o = maui_object_make();

	maui_object_put_number(&o, "active_jobs", q->active_jobs);
	maui_object_put_number(&o, "idle_jobs", q->idle_jobs);
	maui_object_put_number(&o, "blocked_jobs", q->blocked_jobs);
	maui_object_put_number(&o, "active_procs", q->used_procs);
	maui_object_put_number(&o, "procs", q->procs);
	maui_object_put_number(&o, "active_nodes", q->used_nodes);
	maui_object_put_number(&o, "nodes", q->nodes);
	if (!names_creds(q))
		maui_gres_put_all(&o, q->p, q->uid);
	return maui_object_finish(&o);
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

static json_object *kept_json(const struct maui_document *p, const struct maui_document_rsv *row)
{
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "job", row->name);
	maui_object_put_text(&o, "user", row->cred[MAUI_CRED_USER]);
	maui_rsv_put_node_names(&o, "nodes", p, row);
	maui_object_put_number(&o, "node_count", row->node_count);
	maui_object_put_number(&o, "procs", row->procs);
	maui_object_put_number(&o, "start", row->start_s);
	return maui_object_finish(&o);
}

/* The nodes of job reservations: of those that the user may see, the first ones. */
static json_object *list_kept(const struct queue *q)
{
	json_object *array = json_object_new_array();
	unsigned count = 0;

	for (size_t i = 0; array && i < q->p->rsv_count && count < MAUI_QUERY_MAX_KEPT; i++) {
		const struct maui_document_rsv *row = &q->p->rsvs[i];
		json_object *one;

		if (row->type != MAUI_DOCUMENT_JOB || row->state != 'I' ||
		    !is_wanted(q, row->cred) || !maui_document_shows(q->p, row, q->uid))
			continue;
		one = kept_json(q->p, row);
		if (!one || json_object_array_add(array, one) != 0) {
			json_object_put(one);
			json_object_put(array);
			return NULL;
		}
		count++;
	}
	return array;
}

static json_object *queue_json(struct queue *q)
{
	struct maui_object o = maui_object_make();
	bool wide = q->args->wide;

	maui_object_put_text(&o, "cluster", q->p->cluster);
	maui_object_put_number(&o, "time", q->p->now_s);
	maui_object_put(&o, "totals", totals_json(q));
	maui_object_put(&o, "active_columns",
			names_json(active_columns, wide ? COUNT(active_columns) : NARROW));
	maui_object_put(&o, "active", active_rows(q));
	maui_object_put(&o, "waiting_columns",
			names_json(waiting_columns, wide ? COUNT(waiting_columns) : NARROW));
	maui_object_put(&o, "idle",
			waiting_rows(q, q->idle, q->args->idle ? q->idle_count : 0, false));
	maui_object_put(&o, "blocked",
			waiting_rows(q, q->blocked, q->args->blocked ? q->blocked_count : 0, true));
	maui_object_put(&o, "kept", list_kept(q));
	maui_object_put_time(&o, "collecting_until", collecting_until(q->p->plan));
	o.failed |= q->failed;
	return maui_object_finish(&o);
}

static bool allocate(struct queue *q)
{
	uint32_t count = q->p->plan->snapshot->idle_count;
	uint32_t nodes = q->p->plan->snapshot->node_count;

	q->active = malloc((q->p->rsv_count + 1) * sizeof(*q->active));
	q->used = calloc((nodes > q->p->node_count ? nodes : q->p->node_count) + 1u,
			 sizeof(*q->used));
	q->idle = malloc((count + 1u) * sizeof(*q->idle));
	q->blocked = malloc((count + 1u) * sizeof(*q->blocked));
	if (q->args->wide && (q->args->idle || q->args->blocked))
		q->explainer = maui_explainer_create(q->p->plan);
	return q->active && q->used && q->idle && q->blocked &&
	       (q->explainer || !q->args->wide || !(q->args->idle || q->args->blocked));
}

static size_t count_rows(const struct queue *q)
{
	return (q->args->active ? q->active_count : 0) + (q->args->idle ? q->idle_count : 0) +
	       (q->args->blocked ? q->blocked_count : 0);
}

/* Reads the lists of names. -1 with error. */
static int read_wanted(struct queue *q, struct maui_query_error *error)
{
	for (int i = 0; i < MAUI_CRED_COUNT; i++) {
		const char *list = q->args->cred[i];

		if (list && i == MAUI_CRED_CLASS &&
		    maui_document_read_partitions(q->p, list, &q->wanted[i], error))
			return -1;
		if (list && i != MAUI_CRED_CLASS && maui_words_split(list, ",", &q->wanted[i]))
			return maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	}
	return 0;
}

static json_object *answer(struct queue *q, struct maui_query_error *error)
{
	maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	if (!allocate(q))
		return NULL;
	list_active(q);
	list_waiting(q);
	count_nodes(q);
	if (count_rows(q) > MAUI_QUERY_MAX_JOBS) {
		maui_query_fail(error, MAUI_QUERY_ERROR,
				"%zu jobs, and at most %d are listed: name a user or a partition",
				count_rows(q), MAUI_QUERY_MAX_JOBS);
		return NULL;
	}
	return q->failed ? NULL : queue_json(q);
}

json_object *maui_queue_json(const struct maui_document *p, const struct maui_queue_args *args,
			     uid_t uid, struct maui_query_error *error)
{
	struct queue q = { .p = p, .args = args, .uid = uid };
	json_object *ret = NULL;

	if (!p->plan) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	if (read_wanted(&q, error) == 0)
		ret = answer(&q, error);
	for (int i = 0; i < MAUI_CRED_COUNT; i++)
		maui_words_finish(&q.wanted[i]);
	maui_explainer_destroy(q.explainer);
	free(q.active);
	free(q.used);
	free(q.idle);
	free(q.blocked);
	return ret;
}
