/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.c - answers "state": the scheduler, the largest active jobs, the nodes, and what
 * is wrong, one line each
 *
 * What PrivateData hides from the user is not named: a node shows that a job is there, not whose.
 *
 * Rules: CMD-9, CMD-49.
 */

#include <stdlib.h>

#include "answers/answer.h"
#include "answers/find_job.h"
#include "answers/gres.h"
#include "answers/node_use.h"
#include "answers/problems.h"
#include "answers/refused.h"
#include "base/limits.h"
#include "cycle/health.h"
#include "plan/finished.h"
#include "verbs/state.h"

struct state {
	const struct maui_question *question;
	const struct maui_document *p;
	const struct maui_snapshot *snapshot;
	/* active jobs that the user may see, the largest first */
	const struct maui_document_rsv **jobs;
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
static const struct maui_state_scheduler *describe_scheduler(const struct maui_question *q)
{
	const struct maui_config *config = q->document->plan->config;
	struct maui_state_scheduler *ret = maui_question_alloc(q, 1, sizeof(*ret));

	if (!ret)
		return NULL;
	ret->server_mode = maui_question_word(q, "SERVERMODE", (int)config->server_mode);
	ret->poll_interval = config->poll_interval_s;
	return !ret->server_mode || get_health(q, &ret->health) ? NULL : ret;
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

/* Who sees the nodes sees which are in use, also by jobs that PrivateData hides: the processors of
 * these count, too. */
static int find_jobs(struct state *s)
{
	bool all = !maui_document_hides_nodes(s->p, s->question->uid);

	s->jobs = malloc((s->p->rsv_count + 1) * sizeof(*s->jobs));
	if (!s->jobs)
		return -1;
	for (size_t i = 0; i < s->p->rsv_count; i++) {
		const struct maui_document_rsv *row = &s->p->rsvs[i];
		bool shown = maui_document_shows(s->p, row, s->question->uid);

		if (!maui_document_is_active(row))
			continue;
		if ((shown || all) && row->state != MAUI_JOB_SUSPENDED)
			s->used_procs += row->procs;
		if (shown)
			s->jobs[s->job_count++] = row;
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
		.scheduler = describe_scheduler(q),
		.active_jobs = (int64_t)s->job_count,
		.active_procs = s->used_procs,
	};
	count_nodes(s, ret);
	if (!ret->scheduler || list_jobs(s, ret) ||
	    maui_gres_list_all(q, &ret->gres, &ret->gres_count) || list_nodes(s, ret) ||
	    maui_problems_list(q, s->uses, &ret->problems, &ret->problems_count) ||
	    maui_refused_get(q, &ret->refused))
		return NULL;
	return ret;
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
