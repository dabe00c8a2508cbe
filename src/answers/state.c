/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.c - answers "state": the scheduler, the largest active jobs, the nodes, and what
 * is wrong, one line each
 *
 * What PrivateData hides from the user is not named: a node shows that a job is there, not whose.
 *
 * Rules: CMD-9, CMD-49.
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/answer.h"
#include "answers/find_job.h"
#include "answers/gres.h"
#include "answers/node_use.h"
#include "answers/refused.h"
#include "base/hostrange.h"
#include "base/limits.h"
#include "base/words.h"
#include "config/status.h"
#include "cycle/health.h"
#include "explain/text.h"
#include "plan/finished.h"
#include "verbs/state.h"

/* ---- what is wrong, the worst first ---- */

enum {
	TEXT_SIZE = 1024,
	MOST_OF_A_KIND = 10, /* jobs on nodes that are down, incomplete reservations */
	/* the scheduler's, states of nodes, and of both kinds one that counts the rest */
	MOST = 3 + MAUI_NODE_STATES + 2 * (MOST_OF_A_KIND + 1),
};

struct problems {
	const struct maui_question *question;
	const struct maui_document *p;
	uid_t uid;
	const char **texts; /* MOST */
	size_t count;
	bool failed;
};

__attribute__((format(printf, 2, 3))) static void add(struct problems *list, const char *fmt, ...)
{
	char text[TEXT_SIZE];
	va_list args;
	char *comma;
	int length;

	va_start(args, fmt);
	length = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	comma = length >= TEXT_SIZE ? memrchr(text, ',', TEXT_SIZE - sizeof(", ...")) : NULL;
	if (comma) /* not inside the name of a node */
		snprintf(comma, sizeof(", ..."), ", ...");
	if (list->failed || list->count == MOST)
		return;
	list->texts[list->count] = maui_question_copy(list->question, text);
	list->failed = !list->texts[list->count++];
}

static void add_scheduler(struct problems *list)
{
	const struct maui_config_status *config = list->p->config;
	const char *why = maui_document_no_starts(list->p);
	char text[MAUI_NO_STARTS_SIZE];

	if (why)
		add(list, "%s", maui_explain_no_starts(why, text, sizeof(text)));
	if (config && config->refused_s)
		add(list,
		    "maui.cfg is not in force: slurmctld refused the file%s; showconfig names "
		    "its errors",
		    config->kept_copy ? " and runs with a copy of the last good one" : "");
	if (config && config->unread)
		add(list,
		    "maui.cfg is not in force as it is on the disk: %s; maui reconfigure has "
		    "slurmctld read it",
		    config->unread);
}

/* ---- nodes ---- */

/* "n[1-3]": the nodes in this state; the caller frees. NULL: none, or no memory. */
static char *fold_nodes(struct problems *list, const struct maui_node_use *uses,
			enum maui_node_state state, size_t *ret_count)
{
	const struct maui_snapshot *s = list->p->plan->snapshot;
	const char **names = malloc((s->node_count + 1u) * sizeof(*names));
	char *text = NULL;

	*ret_count = 0;
	list->failed |= !names;
	for (uint32_t i = 0; names && i < s->node_count; i++)
		if (maui_node_state(list->p->plan, i, &uses[i]) == state)
			names[(*ret_count)++] = s->nodes[i].name;
	if (names && *ret_count > 0) {
		text = maui_hostrange_fold(names, *ret_count);
		list->failed |= !text;
	}
	free(names);
	return text;
}

static void add_nodes(struct problems *list, const struct maui_node_use *uses)
{
	static const struct {
		enum maui_node_state state;
		const char *one, *many;
	} kinds[] = {
		{ MAUI_NODE_DOWN, "node is down", "nodes are down" },
		{ MAUI_NODE_UNKNOWN, "node has not answered yet", "nodes have not answered yet" },
		{ MAUI_NODE_DRAINED, "node is drained", "nodes are drained" },
		{ MAUI_NODE_DRAINING, "node is drained when its jobs end",
		  "nodes are drained when their jobs end" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t count;
		char *text = fold_nodes(list, uses, kinds[i].state, &count);

		if (text)
			add(list, "%zu %s: %s", count, count == 1 ? kinds[i].one : kinds[i].many,
			    text);
		free(text);
	}
}

/* ---- jobs and reservations ---- */

/* Nodes of the job that are down; *ret_first: the first. */
static uint32_t count_down(const struct problems *list, const struct maui_node_use *uses,
			   const struct maui_document_rsv *row, uint32_t *ret_first)
{
	const struct maui_plan *plan = list->p->plan;
	uint32_t count = 0;

	for (uint32_t i = row->node_count; i-- > 0;) {
		uint32_t node = row->nodes[i].node;

		if (node >= plan->snapshot->node_count ||
		    maui_node_state(plan, node, &uses[node]) != MAUI_NODE_DOWN)
			continue;
		*ret_first = node;
		count++;
	}
	return count;
}

static void add_jobs(struct problems *list, const struct maui_node_use *uses)
{
	const struct maui_document *p = list->p;
	char label[MAUI_JOB_LABEL_SIZE];
	unsigned found = 0;

	for (size_t i = 0; i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];
		uint32_t first = 0, count;

		if (!maui_document_is_active(row) || !maui_document_shows(p, row, list->uid))
			continue;
		count = count_down(list, uses, row, &first);
		if (count > 0 && found++ < MOST_OF_A_KIND)
			add(list, "job %s of %s holds %s%s, %s down", maui_active_label(row, label),
			    row->cred[MAUI_CRED_USER] ? row->cred[MAUI_CRED_USER] : "?",
			    p->plan->snapshot->nodes[first].name, count > 1 ? " and others" : "",
			    count > 1 ? "which are" : "which is");
	}
	if (found > MOST_OF_A_KIND)
		add(list, "%u more jobs hold nodes that are down", found - MOST_OF_A_KIND);
}

static void add_missing(struct problems *list, const struct maui_document_rsv *row)
{
	const char *held_by = maui_document_held_by(list->p, row, list->uid);

	add(list, "reservation %s lacks %" PRId64 " of %" PRId64 " task%s%s%s", row->name,
	    row->missing, row->wanted, maui_plural(row->wanted), held_by ? ": " : "",
	    held_by ? held_by : "");
}

static void add_reservations(struct problems *list)
{
	const struct maui_document *p = list->p;
	unsigned found = 0;

	for (size_t i = 0; i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		if (row->type == MAUI_DOCUMENT_JOB || row->missing <= 0 ||
		    row->start_s > p->now_s || !maui_document_shows(p, row, list->uid))
			continue;
		if (found++ < MOST_OF_A_KIND)
			add_missing(list, row);
	}
	if (found > MOST_OF_A_KIND)
		add(list, "%u more reservations lack tasks", found - MOST_OF_A_KIND);
}

static int list_problems(const struct maui_question *q, const struct maui_node_use *uses,
			 const char *const **ret, size_t *ret_count)
{
	struct problems list = {
		.question = q,
		.p = q->document,
		.uid = q->uid,
		.texts = maui_question_alloc(q, MOST, sizeof(*list.texts)),
	};

	if (!list.texts)
		return -1;
	add_scheduler(&list);
	if (uses) {
		add_nodes(&list, uses);
		add_jobs(&list, uses);
	}
	add_reservations(&list);
	*ret = list.texts;
	*ret_count = list.count;
	if (list.failed)
		maui_question_no_memory(q);
	return list.failed ? -1 : 0;
}

struct state {
	const struct maui_question *question;
	const struct maui_document *p;
	const struct maui_snapshot *snapshot;
	const struct maui_document_rsv *
		*jobs; /* active, that the user may see; the largest first */
	size_t job_count;
	struct maui_node_use *uses; /* of each node; NULL: the user may not see nodes */
	uint32_t *job_of;           /* index of `jobs` of a node's only job; UINT32_MAX: none */
	int64_t used_procs;
};

/* ---- the scheduler ---- */

static double seconds(int64_t us)
{
	return (double)us / 1e6;
}

/* *ret NULL: it is not known. -1 without memory. */
static int get_health(const struct maui_question *q, const struct maui_state_health **ret)
{
	const struct maui_health *h = q->document->health;
	struct maui_state_health *health;

	*ret = NULL;
	if (!h)
		return 0;
	*ret = health = maui_question_alloc(q, 1, sizeof(*health));
	if (!health)
		return -1;
	*health = (struct maui_state_health){
		.starts_jobs = h->starts,
		.no_starts = maui_document_no_starts(q->document),
		.since = h->since_s,
		.cycles = (int64_t)h->cycles,
		.failed_cycles = (int64_t)h->failed,
		.last_cycle = seconds(h->last.took_us),
		.last_plan = seconds(h->last.plan_us),
		.longest_cycle = seconds((int64_t)h->longest_us),
		.last_read_hold = seconds(h->last.holds[MAUI_HEALTH_READ].longest_us),
		.last_write_hold = seconds(h->last.holds[MAUI_HEALTH_WRITE].longest_us),
		.longest_read_hold = seconds(h->holds[MAUI_HEALTH_READ].longest_us),
		.longest_write_hold = seconds(h->holds[MAUI_HEALTH_WRITE].longest_us),
		.started = (int64_t)h->started,
		.backfilled = (int64_t)h->backfilled,
		.refused = (int64_t)h->refused,
		.preempted = (int64_t)h->preempted,
	};
	return 0;
}

/* NULL without memory. */
static const struct maui_state_scheduler *scheduler(const struct maui_question *q)
{
	static const char *const modes[] = {
		[MAUI_SERVER_NORMAL] = "NORMAL",
		[MAUI_SERVER_TEST] = "TEST",
		[MAUI_SERVER_SIMULATION] = "SIMULATION",
	};
	const struct maui_config *config = q->document->plan->config;
	struct maui_state_scheduler *ret = maui_question_alloc(q, 1, sizeof(*ret));

	if (!ret)
		return NULL;
	ret->server_mode = modes[config->server_mode];
	ret->poll_interval = config->poll_interval_s;
	return get_health(q, &ret->health) ? NULL : ret;
}

/* ---- jobs ---- */

static int by_size(const void *a, const void *b)
{
	const struct maui_document_rsv *one = *(const struct maui_document_rsv *const *)a;
	const struct maui_document_rsv *two = *(const struct maui_document_rsv *const *)b;

	if (one->procs != two->procs)
		return one->procs > two->procs ? -1 : 1;
	return one->job_id < two->job_id ? -1 : one->job_id > two->job_id;
}

static int find_jobs(struct state *s)
{
	s->jobs = malloc((s->p->rsv_count + 1) * sizeof(*s->jobs));
	if (!s->jobs)
		return -1;
	for (size_t i = 0; i < s->p->rsv_count; i++) {
		const struct maui_document_rsv *row = &s->p->rsvs[i];

		if (!maui_document_is_active(row) ||
		    !maui_document_shows(s->p, row, s->question->uid))
			continue;
		s->jobs[s->job_count++] = row;
		s->used_procs += row->state == MAUI_JOB_SUSPENDED ? 0 : row->procs;
	}
	if (s->job_count > 0)
		qsort(s->jobs, s->job_count, sizeof(*s->jobs), by_size);
	return 0;
}

static int list_jobs(const struct state *s, struct maui_state *ret)
{
	size_t count = s->job_count < MAUI_STATE_MAX_JOBS ? s->job_count : MAUI_STATE_MAX_JOBS;
	struct maui_state_job *list = maui_question_alloc(s->question, count, sizeof(*list));
	char label[MAUI_JOB_LABEL_SIZE];

	for (size_t i = 0; list && i < count; i++) {
		const struct maui_document_rsv *row = s->jobs[i];

		list[i] = (struct maui_state_job){
			.job = maui_question_copy(s->question, maui_active_label(row, label)),
			.state = row->state,
			.user = row->cred[MAUI_CRED_USER],
			.group = row->cred[MAUI_CRED_GROUP],
			.procs = row->procs,
			.start = row->start_s,
			.end = row->end_s,
		};
		if (!list[i].job)
			return -1;
	}
	ret->jobs = list;
	ret->jobs_count = count;
	return list ? 0 : -1;
}

/* ---- nodes ---- */

/* Of the nodes with one job only, if the user may see nodes. */
static int find_nodes(struct state *s)
{
	uint32_t count = s->snapshot->node_count;

	if (maui_document_hides_nodes(s->p, s->question->uid))
		return 0;
	s->uses = maui_node_use_list(s->p, s->question->uid);
	s->job_of = malloc((count + 1u) * sizeof(*s->job_of));
	if (!s->uses || !s->job_of)
		return -1;
	for (uint32_t n = 0; n < count; n++)
		s->job_of[n] = UINT32_MAX;
	for (uint32_t i = 0; i < s->job_count; i++)
		for (uint32_t k = 0; k < s->jobs[i]->node_count; k++) {
			uint32_t node = s->jobs[i]->nodes[k].node;

			if (node < count && s->uses[node].jobs == 1)
				s->job_of[node] = i;
		}
	return 0;
}

static int list_nodes(const struct state *s, struct maui_state *ret)
{
	uint32_t all = s->snapshot->node_count;
	uint32_t count = all < MAUI_QUERY_MAX_NODES ? all : MAUI_QUERY_MAX_NODES;
	struct maui_state_node *list;

	if (!s->uses)
		return 0;
	ret->nodes = list = maui_question_alloc(s->question, count, sizeof(*list));
	ret->nodes_count = count;
	for (uint32_t i = 0; list && i < count; i++) {
		const struct maui_node_use *use = &s->uses[i];

		list[i] = (struct maui_state_node){
			.name = s->snapshot->nodes[i].name,
			.state = maui_node_state(s->p->plan, i, use),
			.job = s->job_of[i] < MAUI_STATE_MAX_JOBS ? s->job_of[i] : MAUI_NEVER,
			.jobs = use->jobs,
			.reserved = use->reserved,
		};
	}
	return list ? 0 : -1;
}

static void count_nodes(const struct state *s, struct maui_state *ret)
{
	int64_t active = 0;

	for (uint32_t i = 0; i < s->snapshot->node_count; i++) {
		ret->procs += s->snapshot->nodes[i].have[MAUI_AMOUNT_PROCS];
		active += s->uses && s->uses[i].jobs > 0;
	}
	ret->node_count = s->snapshot->node_count;
	ret->active_nodes = s->uses ? active : MAUI_NEVER;
}

/* ---- the answer ---- */

static const void *fill(const struct state *s)
{
	const struct maui_question *q = s->question;
	struct maui_state *ret = maui_question_alloc(q, 1, sizeof(*ret));

	if (!ret)
		return NULL;
	*ret = (struct maui_state){
		.cluster = s->p->cluster,
		.time = s->p->now_s,
		.scheduler = scheduler(q),
		.active_jobs = (int64_t)s->job_count,
		.active_procs = s->used_procs,
	};
	count_nodes(s, ret);
	return !ret->scheduler || list_jobs(s, ret) ||
			       maui_gres_list_all(q, &ret->gres, &ret->gres_count) ||
			       list_nodes(s, ret) ||
			       list_problems(q, s->uses, &ret->problems, &ret->problems_count) ||
			       maui_refused_get(q, &ret->refused) ?
		       NULL :
		       ret;
}

/* Out: struct maui_state; NULL with an error: no plan yet, no memory. */
const void *maui_answer_state(const struct maui_question *q, const void *args)
{
	struct state s = { .question = q, .p = q->document };
	const void *ret;

	(void)args;
	if (!maui_question_has_plan(q))
		return NULL;
	s.snapshot = s.p->plan->snapshot;
	ret = find_jobs(&s) || find_nodes(&s) ? maui_question_no_memory(q) : fill(&s);
	free(s.jobs);
	free(s.uses);
	free(s.job_of);
	return ret;
}
