/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backfill.c - windows, candidates, and the order in which they are tried */

#include "policy/backfill.h"

#include <stdlib.h>
#include <string.h>

#include "config/planning.h"

struct candidate {
	uint32_t job;
	double metric; /* larger first */
};

/* The window of a view that the pass is in. */
struct visited {
	int64_t length_s;   /* 0: the view has no more windows */
	int64_t free_procs; /* free processors left in the window */
};

struct pass {
	const struct maui_bf_rules *rules;
	const struct maui_bf_host *host;
	struct maui_bf_job *jobs;
	uint32_t job_count;
	struct visited *views;
	uint32_t view_count;
	struct candidate *list;
	uint32_t count;
};

static struct visited *view_of(const struct pass *p, const struct maui_bf_job *job)
{
	return &p->views[job->view];
}

/* The time limit that a job would get in its window; 0: it does not fit. */
static int64_t limit_in(const struct pass *p, const struct maui_bf_job *job)
{
	int64_t length_s = view_of(p, job)->length_s;

	if (job->limit_s <= length_s)
		return job->limit_s;
	return job->limit_min_s > 0 && job->limit_min_s <= length_s ? length_s : 0;
}

static double metric_of(const struct maui_bf_rules *rules, const struct maui_bf_job *job)
{
	double seconds = (double)job->limit_s;

	switch (rules->metric) {
	case MAUI_METRIC_PROCSECONDS:
		return (double)job->procs * seconds;
	case MAUI_METRIC_SECONDS:
		return seconds;
	case MAUI_METRIC_NODES:
		return job->nodes;
	case MAUI_METRIC_PE:
		return job->pe;
	case MAUI_METRIC_PESECONDS:
		return job->pe * seconds;
	default:
		return (double)job->procs;
	}
}

/* An evenly spread number, equal for equal job and seed. */
static uint64_t shuffle(uint64_t seed, uint64_t id)
{
	uint64_t x = seed + id * UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* BFPRIORITYPOLICY: shortest first, by time or by processor-seconds. */
static double order_of(const struct maui_bf_rules *rules, const struct maui_bf_job *job)
{
	switch (rules->order) {
	case MAUI_BF_ORDER_RANDOM:
		return (double)(shuffle(rules->seed, job->id) >> 11);
	case MAUI_BF_ORDER_DURATION:
		return -(double)job->limit_s;
	case MAUI_BF_ORDER_HWDURATION:
		return -(double)job->limit_s * (double)job->procs;
	default:
		return 0;
	}
}

/* Lists the jobs that fit into what is free when the pass enters the window (BF-5). */
static void list_candidates(struct pass *p)
{
	p->count = 0;
	for (uint32_t i = 0; i < p->job_count; i++) {
		const struct maui_bf_job *job = &p->jobs[i];

		if (job->barred || job->procs > view_of(p, job)->free_procs ||
		    limit_in(p, job) == 0)
			continue;
		if (p->rules->depth > 0 && p->count >= p->rules->depth)
			break;
		p->list[p->count++] = (struct candidate){ .job = i };
	}
}

static bool start(struct pass *p, uint32_t index)
{
	struct maui_bf_job *job = &p->jobs[index];
	struct visited *view = view_of(p, job);

	if (job->procs > view->free_procs ||
	    !p->host->start(p->host->data, index, limit_in(p, job), &view->free_procs))
		return false;
	job->barred = true;
	return true;
}

static int by_metric(const void *a, const void *b)
{
	const struct candidate *one = a, *two = b;

	if (one->metric != two->metric)
		return one->metric > two->metric ? -1 : 1;
	return (one->job > two->job) - (one->job < two->job);
}

/* Starts jobs in the order of the metric. Free processors only become fewer, so a job that does not
 * fit in its turn never will: one walk gives the same result as searching for the largest job again
 * after each start. */
static void walk(struct pass *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (!p->jobs[p->list[i].job].barred)
			start(p, p->list[i].job);
}

static void best_fit(struct pass *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		p->list[i].metric = metric_of(p->rules, &p->jobs[p->list[i].job]);
	qsort(p->list, p->count, sizeof(*p->list), by_metric);
	walk(p);
}

static void preempt_fit(struct pass *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		p->list[i].metric = order_of(p->rules, &p->jobs[p->list[i].job]);
	qsort(p->list, p->count, sizeof(*p->list), by_metric);
	walk(p);
}

/* Manual 8.2.3: after a job of BFCHUNKSIZE or more processors finds too few, smaller jobs behind it
 * must leave the processors alone. That job need not be a candidate (BF-8). */
static void walk_chunked(struct pass *p)
{
	bool blocked = false;
	uint32_t next = 0;

	for (uint32_t i = 0; i < p->job_count; i++) {
		struct maui_bf_job *job = &p->jobs[i];
		bool candidate = next < p->count && p->list[next].job == i;
		bool large = job->procs >= p->rules->chunk_size;

		next += candidate;
		if (job->barred)
			continue;
		if (large && view_of(p, job)->length_s > 0 &&
		    job->procs > view_of(p, job)->free_procs)
			blocked = true;
		else if (candidate && blocked && !large)
			job->chunked = true;
		else if (candidate)
			start(p, i);
	}
}

/* ---- GREEDY ---- */

struct search {
	const struct pass *p;
	double *rest;  /* sum of metrics from here on */
	double *ratio; /* best metric a processor from here on */
	uint32_t *chosen, *best;
	uint32_t chosen_count, best_count;
	int64_t left;
	double total, best_total;
};

static bool hopeless(const struct search *s, uint32_t from)
{
	double bound = (double)s->left * s->ratio[from] * (1 + 1e-12); /* rounding must not cut */

	if (s->rest[from] < bound)
		bound = s->rest[from];
	return s->total + bound <= s->best_total;
}

static void choose(struct search *s, uint32_t at)
{
	const struct candidate *c = &s->p->list[at];

	s->chosen[s->chosen_count++] = at;
	s->left -= s->p->jobs[c->job].procs;
	s->total += c->metric;
}

/* Removes the last chosen job; returns where to continue without it. */
static uint32_t unchoose(struct search *s)
{
	uint32_t at = s->chosen[--s->chosen_count];

	s->left += s->p->jobs[s->p->list[at].job].procs;
	s->total -= s->p->list[at].metric;
	return at + 1;
}

/* Tries all sets in the order "with the next job first". So of equal sets the first one found
 * contains the job of higher priority at the first difference (BF-6). */
static void search(struct search *s, int64_t attempts)
{
	const struct pass *p = s->p;
	uint32_t at = 0;

	while (attempts-- > 0 || s->best_count == 0) {
		for (; at < p->count && !hopeless(s, at); at++)
			if (p->jobs[p->list[at].job].procs <= s->left)
				choose(s, at);
		if (s->total > s->best_total) {
			s->best_total = s->total;
			s->best_count = s->chosen_count;
			memcpy(s->best, s->chosen, s->chosen_count * sizeof(*s->best));
		}
		do {
			if (s->chosen_count == 0)
				return;
			at = unchoose(s);
		} while (at >= p->count || hopeless(s, at));
	}
}

static int find_set(const struct pass *p, struct search *s)
{
	size_t room = p->count + 1u;

	*s = (struct search){ .p = p };
	/* windows of views overlap: take the largest */
	for (uint32_t v = 0; v < p->view_count; v++)
		if (p->views[v].free_procs > s->left)
			s->left = p->views[v].free_procs;
	s->rest = calloc(room, sizeof(*s->rest));
	s->ratio = calloc(room, sizeof(*s->ratio));
	s->chosen = calloc(room, sizeof(*s->chosen));
	s->best = calloc(room, sizeof(*s->best));
	if (!s->rest || !s->ratio || !s->chosen || !s->best)
		return -1;
	for (uint32_t i = p->count; i-- > 0;) {
		const struct maui_bf_job *job = &p->jobs[p->list[i].job];
		double ratio;

		p->list[i].metric = metric_of(p->rules, job);
		ratio = p->list[i].metric / (double)(job->procs > 0 ? job->procs : 1);
		s->rest[i] = s->rest[i + 1] + p->list[i].metric;
		s->ratio[i] = ratio > s->ratio[i + 1] ? ratio : s->ratio[i + 1];
	}
	search(s, p->rules->max_schedules);
	return 0;
}

static int greedy(struct pass *p)
{
	bool failed = false;
	struct search s;
	int rc = find_set(p, &s);

	for (uint32_t i = 0; i < s.best_count && rc == 0; i++)
		failed |= !start(p, p->list[s.best[i]].job);
	free(s.rest);
	free(s.ratio);
	free(s.chosen);
	free(s.best);
	if (failed)
		best_fit(p);
	return rc;
}

static int visit(struct pass *p)
{
	switch (p->rules->policy) {
	case MAUI_BACKFILL_NONE:
		return 0;
	case MAUI_BACKFILL_BESTFIT:
		best_fit(p);
		return 0;
	case MAUI_BACKFILL_GREEDY:
		return greedy(p);
	case MAUI_BACKFILL_PREEMPT:
		preempt_fit(p);
		return 0;
	default:
		if (p->rules->chunking)
			walk_chunked(p);
		else
			walk(p);
		return 0;
	}
}

/* Enters window number `index` of each view; false: no view has such a window that is of use. */
static bool enter_all(struct pass *p, const struct maui_bf_view *views, uint32_t index)
{
	bool any = false;

	for (uint32_t v = 0; v < p->view_count; v++) {
		struct visited *view = &p->views[v];
		bool ended = index >= views[v].count || (index > 0 && view->length_s == 0);

		*view = (struct visited){ 0 };
		if (ended)
			continue;
		view->free_procs = p->host->enter(p->host->data, v, &views[v].windows[index]);
		/* else narrower windows lie inside this one, and are full, too */
		if (view->free_procs > 0)
			view->length_s = views[v].windows[index].length_s;
		any |= view->length_s > 0;
	}
	return any;
}

int maui_backfill_run(const struct maui_bf_rules *rules, const struct maui_bf_view *views,
		      uint32_t view_count, struct maui_bf_job *jobs, uint32_t job_count,
		      const struct maui_bf_host *host)
{
	struct pass p = { .rules = rules,
			  .host = host,
			  .jobs = jobs,
			  .job_count = job_count,
			  .view_count = view_count };
	int rc = 0;

	if (rules->policy == MAUI_BACKFILL_NONE || view_count == 0 || job_count == 0)
		return 0;
	p.list = calloc(job_count, sizeof(*p.list));
	p.views = calloc(view_count, sizeof(*p.views));
	if (!p.list || !p.views)
		rc = -1;
	for (uint32_t index = 0; rc == 0 && enter_all(&p, views, index); index++) {
		list_candidates(&p);
		rc = visit(&p);
	}
	free(p.list);
	free(p.views);
	return rc;
}
